package schnorr

import (
	"bytes"
	"math/big"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/parts"
)

// TestSignBatch signs batches of several sizes, with repeated keys and messages, with all options. It verifies each
// signature with the oracle, and compares it with the result of Sign if the randomness is not fresh.
func TestSignBatch(t *testing.T) {
	r := oracle.New(t)
	all := []*p256k1.PrivateKey{libtest.Private(t, big.NewInt(1)), libtest.Private(t, add(oracle.N, -1))}
	msgs := [][]byte{nil, make([]byte, 32)}
	for range 8 {
		all = append(all, libtest.Private(t, r.ValidScalar()))
		msgs = append(msgs, r.Message(300))
	}
	seen := make(map[[64]byte]bool)
	aux := [32]byte(r.Bytes(32))
	for i, size := range []int{0, 1, 2, 3, 7, 8, 9, 17, 64, 65, 129, parts.Sums, parts.Sums + 1} {
		opts := []*Options{nil, {Checked: true}, {AuxRand: &aux}, {AuxRand: &aux, Checked: true}}[i%4]
		keys, m, dst := make([]*p256k1.PrivateKey, size), make([][]byte, size), make([][64]byte, size)
		for i := range size {
			keys[i], m[i] = all[r.IntN(len(all))], msgs[r.IntN(len(msgs))]
		}
		if err := SignBatch(dst, keys, m, opts); err != nil {
			t.Fatal(err)
		}
		for i, sig := range dst {
			if opts.get().AuxRand != nil {
				if want, err := Sign(keys[i], m[i], opts); err != nil || sig != want {
					t.Fatalf("item %d of %d, %+v: %x, want %x (%v)", i, size, opts, sig, want, err)
				}
				continue
			}
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
		place := r.IntN(size)
		wiped := libtest.Private(t, big.NewInt(5))
		wiped.Zero()
		for _, none := range []*p256k1.PrivateKey{nil, new(p256k1.PrivateKey), wiped} {
			keys[size-1], keys[place] = nil, none
			reasons := map[int]error{place: p256k1.ErrNoKey, size - 1: p256k1.ErrNoKey}
			libtest.CheckFailures(t, SignBatch(dst, keys, m, opts), reasons)
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

// TestSignBatchRandomness compares the signatures with the results of Sign for the same randomness, with full and with
// incomplete groups.
func TestSignBatchRandomness(t *testing.T) {
	r := oracle.New(t)
	for _, n := range []int{1, 9, parts.Sums, 2*parts.Sums + 1} {
		keys, msgs, dst, aux := make([]*p256k1.PrivateKey, n), make([][]byte, n), make([][64]byte, n), r.Bytes(32*n)
		for i := range n {
			if keys[i] = libtest.Private(t, r.ValidScalar()); i >= 16 {
				keys[i] = keys[i%16]
			}
			msgs[i] = r.Message(100)
		}
		libtest.SetRandom(t, bytes.NewReader(aux))
		if err := SignBatch(dst, keys, msgs, nil); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			want, err := Sign(keys[i], msgs[i], &Options{AuxRand: (*[32]byte)(aux[32*i:])})
			if err != nil || dst[i] != want {
				t.Fatalf("item %d of %d: %x, want %x (%v)", i, n, dst[i], want, err)
			}
		}
	}
}

// TestSigning signs a part with an item that has no key, and checks that no secrets remain in the scratch memory.
func TestSigning(t *testing.T) {
	var s signing
	key, dst := libtest.Private(t, big.NewInt(5)), make([][64]byte, 3)
	keys, msgs := []*p256k1.PrivateKey{key, nil, key}, make([][]byte, 3)
	s.begin(3, new([32]byte))
	s.sign(dst, keys, msgs)
	want, err := Sign(key, nil, &Options{AuxRand: new([32]byte)})
	if err != nil || !slices.Equal(dst, [][64]byte{want, {}, want}) || !slices.Equal(s.ok, []bool{true, false, true}) {
		t.Errorf("%x, want %x (%v)", dst, want, err)
	}
	for i := range s.k {
		if s.d[i].IsZero()&s.k[i].IsZero() == 0 {
			t.Error("a key or a nonce was left")
		}
	}
}

func add(a *big.Int, b int64) *big.Int { return new(big.Int).Add(a, big.NewInt(b)) }
