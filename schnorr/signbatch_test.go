package schnorr

import (
	"bytes"
	"crypto/rand"
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestSignBatch signs batches of several sizes, with repeated keys and messages, and verifies each signature with the
// oracle.
func TestSignBatch(t *testing.T) {
	r := oracle.New(t)
	all := []*p256k1.PrivateKey{libtest.Private(t, big.NewInt(1)), libtest.Private(t, add(oracle.N, -1))}
	msgs := [][]byte{nil, make([]byte, 32)}
	for range 8 {
		all = append(all, libtest.Private(t, r.ValidScalar()))
		msgs = append(msgs, r.Message(300))
	}
	seen := make(map[[64]byte]bool)
	for _, size := range []int{0, 1, 2, 3, 7, 8, 9, 17, 64, 65, 129} {
		keys, m, dst := make([]*p256k1.PrivateKey, size), make([][]byte, size), make([][64]byte, size)
		for i := range size {
			keys[i], m[i] = all[r.IntN(len(all))], msgs[r.IntN(len(msgs))]
		}
		if err := SignBatch(dst, keys, m); err != nil {
			t.Fatal(err)
		}
		for i, sig := range dst {
			pub := keys[i].PublicKey().XOnly().Bytes()
			if !oracle.VerifySchnorr(pub, m[i], sig[:]) || !VerifyBytes(pub, m[i], sig[:]) {
				t.Fatalf("item %d of %d: %x of %x does not verify", i, size, sig, m[i])
			}
			if seen[sig] {
				t.Fatalf("%x came twice: the randomness is not fresh", sig)
			}
			seen[sig] = true
		}
		if size == 0 {
			continue
		}
		at := r.IntN(size)
		wiped := libtest.Private(t, big.NewInt(5))
		wiped.Zero()
		for _, none := range []*p256k1.PrivateKey{nil, new(p256k1.PrivateKey), wiped} {
			keys[size-1], keys[at] = nil, none
			reasons := map[int]error{at: p256k1.ErrNoKey, size - 1: p256k1.ErrNoKey}
			libtest.CheckFailures(t, SignBatch(dst, keys, m), reasons)
			for i, sig := range dst {
				switch {
				case reasons[i] != nil && sig != [64]byte{}:
					t.Fatalf("item %d of %d has the signature %x", i, size, sig)
				case reasons[i] == nil && !VerifyBytes(keys[i].PublicKey().XOnly().Bytes(), m[i], sig[:]):
					t.Fatalf("item %d of %d: %x of %x does not verify", i, size, sig, m[i])
				}
			}
		}
	}
}

// TestSignBatchRandomness compares the signatures with the results of Sign for the same randomness, with full and
// with incomplete groups.
func TestSignBatchRandomness(t *testing.T) {
	r := oracle.New(t)
	system := rand.Reader
	defer func() { rand.Reader = system }()
	for _, n := range []int{1, 9, group, 2*group + 1} {
		keys, msgs, dst, aux := make([]*p256k1.PrivateKey, n), make([][]byte, n), make([][64]byte, n), r.Bytes(32*n)
		for i := range n {
			if keys[i] = libtest.Private(t, r.ValidScalar()); i >= 16 {
				keys[i] = keys[i%16]
			}
			msgs[i] = r.Message(100)
		}
		rand.Reader = bytes.NewReader(aux)
		if err := SignBatch(dst, keys, msgs); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			want, err := Sign(keys[i], msgs[i], (*[32]byte)(aux[32*i:]))
			if err != nil || dst[i] != want {
				t.Fatalf("item %d of %d: %x, want %x (%v)", i, n, dst[i], want, err)
			}
		}
	}
}

// TestSigning checks that no secrets remain in the scratch memory after signing.
func TestSigning(t *testing.T) {
	var s signing
	key := libtest.Private(t, big.NewInt(5))
	s.sign(make([][64]byte, 3), []*p256k1.PrivateKey{key, key, key}, make([][]byte, 3))
	if len(s.refused) > 0 {
		t.Errorf("%v are refused", s.refused)
	}
	for i := range s.k {
		if s.d[i].IsZero()&s.k[i].IsZero() == 0 {
			t.Error("a key or a nonce was left")
		}
	}
}

func add(a *big.Int, b int64) *big.Int { return new(big.Int).Add(a, big.NewInt(b)) }
