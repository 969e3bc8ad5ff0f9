package ecdsa

import (
	"bytes"
	"crypto"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/rfc6979"
)

// hashes returns hashes of many lengths, and hashes that are edge cases as integers.
func hashes(r *oracle.Rand) (all [][]byte) {
	for _, n := range []int{1, 2, 20, 31, 32, 33, 64, 100} {
		all = append(all, r.Bytes(n), make([]byte, n), bytes.Repeat([]byte{0xff}, n))
	}
	for _, v := range []*big.Int{big.NewInt(1), add(oracle.N, -1), oracle.N, add(oracle.N, 1), oracle.HalfN, oracle.P} {
		b := oracle.Bytes(v)
		all = append(all, b[:])
	}
	return all
}

// everyOption returns the options with all combinations of fields, for some entropy.
func everyOption(r *oracle.Rand) []*Options {
	random := [32]byte(r.Bytes(32))
	return []*Options{nil, {}, {Entropy: new([32]byte)}, {Entropy: &random}, {Checked: true}, {Entropy: &random, Checked: true}}
}

// wantSign returns the oracle's signature of a hash with the options.
func wantSign(d *big.Int, hash []byte, opts *Options) RecoverableSignature {
	var extra []byte
	if opts.get().Entropy != nil {
		extra = opts.Entropy[:]
	}
	want, _ := oracle.SignRFC6979(d, hash, extra)
	return rawRecoverable(want.R, want.S, want.RecID)
}

// TestSign compares the signatures that Sign and SignRecoverable return with the oracle's signatures.
func TestSign(t *testing.T) {
	r := oracle.New(t)
	keys := []*big.Int{big.NewInt(1), add(oracle.N, -1), r.ValidScalar(), r.ValidScalar()}
	if testing.Short() {
		keys = keys[2:3]
	}
	ids := make(map[int]int)
	for _, d := range keys {
		k := libtest.Private(t, d)
		for _, hash := range hashes(r) {
			digest := TruncateHash(hash)
			for _, opts := range everyOption(r) {
				want := wantSign(d, hash, opts)
				ids[want.RecoveryID()]++
				sig, err1 := Sign(k, digest, opts)
				recoverable, err2 := SignRecoverable(k, digest, opts)
				if err1 != nil || err2 != nil || sig != want.Signature() || recoverable != want || !sig.IsLowS() {
					t.Fatalf("d = %x, digest %x, %+v: %x (%v) and %x (%v), want %x", d, digest, opts, sig, err1, recoverable, err2, want)
				}
			}
		}
	}
	if ids[0] < 5 || ids[1] < 5 {
		t.Errorf("recovery ids %v", ids)
	}
}

// TestSignKnown compares signatures with those published on bitcointalk.org, topic 285142.
func TestSignKnown(t *testing.T) {
	for _, c := range []struct {
		d       int64
		message string
		want    string
	}{
		{1, "Satoshi Nakamoto", "934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d82442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5"},
		{1, "All those moments will be lost in time, like tears in rain. Time to die...", "8600dbd41e348fe5c9465ab92d23e3db8b98b873beecd930736488696438cb6b547fe64427496db33bf66019dacbf0039c04199abb0122918601db38a72cfc21"},
	} {
		sum := sha256.Sum256([]byte(c.message))
		sig, err := Sign(libtest.Private(t, big.NewInt(c.d)), sum[:], nil)
		if err != nil || hex.EncodeToString(sig.Bytes()) != c.want {
			t.Errorf("%q: %x, %v", c.message, sig.Bytes(), err)
		}
	}
}

// TestDigestLength passes digests of 0 to 200 bytes, such as messages, to Recover and to all functions that sign one
// digest. It also passes some digests that are not 32 bytes to Verify and VerifyLowS.
func TestDigestLength(t *testing.T) {
	k, extra, opts := libtest.Private(t, big.NewInt(5)), new([32]byte), &Options{Checked: true}
	s := NewSigner(k, opts)
	for n := range 201 {
		digest := bytes.Repeat([]byte{0x5c}, n)
		sig, err1 := Sign(k, digest, nil)
		withEntropy, err2 := Sign(k, digest, &Options{Entropy: extra})
		recoverable, err3 := SignRecoverable(k, digest, nil)
		checked, err4 := SignRecoverable(k, digest, opts)
		der, err5 := NewSigner(k, nil).Sign(nil, digest, nil)
		der6, err6 := NewSigner(k, nil).Sign(bytes.NewReader(extra[:]), digest, crypto.Hash(0))
		der7, err7 := s.Sign(nil, digest, nil)
		pub, err8 := Recover(digest, rawRecoverable(big.NewInt(1), big.NewInt(1), 0))
		for _, err := range []error{err1, err2, err3, err4, err5, err6, err7, err8} {
			if n == 32 {
				libtest.CheckErrorIs(t, err, nil)
			} else {
				libtest.CheckErrorIs(t, err, p256k1.ErrLength, "ecdsa: digest: ", fmt.Sprintf("%d bytes, want 32", n), "TruncateHash")
			}
		}
		if n == 32 {
			if !Verify(k.PublicKey(), digest, sig) || !VerifyLowS(k.PublicKey(), digest, withEntropy) || der == nil || pub == nil {
				t.Error("a digest is refused")
			}
			continue
		}
		if sig != (Signature{}) || withEntropy != sig || recoverable != (RecoverableSignature{}) || checked != recoverable ||
			len(der)+len(der6)+len(der7) != 0 || pub != nil {
			t.Errorf("%d bytes: a result beside the error", n)
		}
	}

	// If digests of other lengths were read as integers, they could be signed. A digest and a longer digest that begins
	// with it could even have the same signature.
	for _, hash := range [][]byte{{}, {0}, make([]byte, 31), make([]byte, 33), make([]byte, 64)} {
		r := oracle.Fn.Reduce(oracle.G.X)
		sig := raw(r, oracle.Fn.Mul(big.NewInt(5), r)) // the signature of 0: R = r·d/s·G = G for s = d·r, d = 5
		if Verify(k.PublicKey(), hash, sig) || VerifyLowS(k.PublicKey(), hash, sig) {
			t.Errorf("%x verifies as 0", hash)
		}
		if Verify(k.PublicKey(), TruncateHash(hash), sig) != (len(hash) > 0) {
			t.Errorf("%x truncated verifies as 0: %v", hash, len(hash) == 0)
		}
	}
}

// TestTruncateHash compares signatures with those of the oracle, which accepts hashes of all lengths, and with
// signatures by an earlier version of Sign, which truncated hashes itself.
func TestTruncateHash(t *testing.T) {
	r := oracle.New(t)
	sum := sha256.New()
	k := libtest.Private(t, big.NewInt(5))
	for n := range 101 {
		for i, hash := range [][]byte{bytes.Repeat([]byte{0xa1}, n), bytes.Repeat([]byte{0xff}, n), r.Bytes(n)} {
			digest, before := TruncateHash(hash), bytes.Clone(hash)
			sig, err := SignRecoverable(k, digest, nil)
			if n == 0 {
				libtest.CheckErrorIs(t, err, p256k1.ErrLength, "0 bytes")
				continue
			}
			want, _ := oracle.SignRFC6979(big.NewInt(5), hash, nil)
			if err != nil || len(digest) != 32 || sig.Signature().rs != want.Compact() || sig.RecoveryID() != want.RecID {
				t.Fatalf("hash %x, digest %x: %x (%v), want %x", hash, digest, sig, err, want.Compact())
			}
			if oracle.Int(digest).Cmp(oracle.DigestInt(hash)) != 0 || !Verify(k.PublicKey(), digest, sig.Signature()) {
				t.Fatalf("hash %x, digest %x", hash, digest)
			}
			if i < 2 {
				sum.Write(sig.Bytes())
			}
			// Appending to the digest must not write into the hash.
			_ = append(digest, 1)
			if !bytes.Equal(hash, before) || (n >= 32 && &digest[0] != &hash[0]) {
				t.Fatalf("hash %x became %x, or was copied", before, hash)
			}
		}
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != "88b4ee08fbb8ac26a28e4ec7f14ff083f375a0ba157e4de210268145f2d9b190" {
		t.Errorf("the signatures of hashes of 1 to 100 bytes have the hash %s", got)
	}
	if TruncateHash(nil) != nil || TruncateHash([]byte{}) != nil {
		t.Error("an empty hash has a digest")
	}
}

// TestSignWithNonce compares setWithNonce with the oracle, for chosen nonces.
func TestSignWithNonce(t *testing.T) {
	r := oracle.New(t)
	try := func(d, z, k *big.Int) (oracle.Signature, bool) {
		t.Helper()
		digest, nonce := oracle.Bytes(z), oracle.Bytes(k)
		var sig RecoverableSignature
		ok := sig.setWithNonce(libtest.Scalar(t, d), libtest.Scalar(t, z), &nonce)
		want, wantOK := oracle.SignECDSA(d, digest[:], k)
		if ok != wantOK {
			t.Fatalf("d = %x, z = %x, k = %x: signed %v, want %v", d, z, k, ok, wantOK)
		}
		if !ok {
			if sig != (RecoverableSignature{}) {
				t.Fatalf("d = %x, z = %x, k = %x: refused, but %x", d, z, k, sig)
			}
			return want, ok
		}
		if sig.Signature().rs != want.Compact() || sig.RecoveryID() != want.RecID {
			t.Fatalf("d = %x, z = %x, k = %x: %x, want %x with id %d", d, z, k, sig, want.Compact(), want.RecID)
		}
		return want, ok
	}

	d, z := r.ValidScalar(), r.Scalar()
	for i, b := range oracle.RangeEdges() {
		if _, ok := try(d, z, oracle.Int(b[:])); ok != (i == 1 || i == 2) {
			t.Errorf("nonce %x: %v", b, ok)
		}
	}
	for zeros := 1; zeros <= 16; zeros++ { // leading zero bytes of k
		b := [32]byte(append(make([]byte, zeros), bytes.Repeat([]byte{0xa5}, 32-zeros)...))
		if _, ok := try(r.ValidScalar(), r.Scalar(), oracle.Int(b[:])); !ok {
			t.Errorf("nonce %x refused", b)
		}
	}
	var none RecoverableSignature // for the key 0 and the digest 0, s is 0 with every nonce
	if err := signScalar(&none, new(curve.Scalar), new(curve.Scalar), nil); !errors.Is(err, p256k1.ErrFault) || none != (RecoverableSignature{}) {
		t.Errorf("the key 0 signs the digest 0: %v, %v", none, err)
	}
	flips := make(map[bool]int)
	for range 30 {
		d, z, k := r.ValidScalar(), r.Scalar(), r.ValidScalar()
		try(d, z, k)
		point := oracle.G.Mul(k)
		if sig, ok := try(d, z, k); ok {
			flips[sig.RecID&1 != int(point.Y.Bit(0))]++
		}
		// A nonce for which s = (z + r·d)/k is 0 must be rejected: once z is chosen for this, and once d.
		x := oracle.Fn.Reduce(point.X)
		if _, ok := try(d, oracle.Fn.Neg(oracle.Fn.Mul(x, d)), k); ok {
			t.Errorf("d = %x, k = %x: s = 0 is signed", d, k)
		}
		if z.Sign() != 0 {
			if _, ok := try(oracle.Fn.Neg(oracle.Fn.Mul(z, oracle.Fn.Inv(x))), z, k); ok {
				t.Errorf("z = %x, k = %x: s = 0 is signed", z, k)
			}
		}
		// With z = k·s − r·d, s takes the values 1, (n − 1)/2, (n + 1)/2 and n − 1.
		for _, s := range []*big.Int{big.NewInt(1), oracle.HalfN, add(oracle.HalfN, 1), add(oracle.N, -1)} {
			want, _ := try(d, oracle.Fn.Sub(oracle.Fn.Mul(k, s), oracle.Fn.Mul(x, d)), k)
			if high := s.Cmp(oracle.HalfN) > 0; high != (want.S.Cmp(s) != 0) {
				t.Errorf("s = %x became %x", s, want.S)
			}
		}
	}
	if flips[false] < 5 || flips[true] < 5 {
		t.Errorf("recovery ids flipped: %v", flips)
	}
}

// TestNonceSequence compares the first five nonces with RFC 6979. Signatures in these tests need only the first.
func TestNonceSequence(t *testing.T) {
	r := oracle.New(t)
	for _, extra := range [][]byte{nil, make([]byte, 32), r.Bytes(32)} {
		d, z := r.ValidScalar(), r.Scalar()
		key, digest := oracle.Bytes(d), oracle.Bytes(z)
		var nonces rfc6979.Generator
		nonces.Init(&key, &digest, extra)
		n := 0
		for want := range oracle.NoncesRFC6979(d, digest[:], extra) {
			var nonce [32]byte
			nonces.Next(&nonce)
			if nonce != oracle.Bytes(want) {
				t.Fatalf("d = %x, z = %x, extra %x: nonce %d is %x, want %x", d, z, extra, n, nonce, want)
			}
			if n++; n == 5 {
				break
			}
		}
		nonces.Zero()
		if nonces != (rfc6979.Generator{}) {
			t.Error("Zero leaves something")
		}
	}
}

// TestSignRecovers signs with many keys and recovers each public key from the signature, and also from the signature
// with n − s in place of s.
func TestSignRecovers(t *testing.T) {
	r := oracle.New(t)
	n := 500
	if testing.Short() {
		n = 50
	}
	for i := range n {
		k, err := p256k1.NewPrivateKey(new(curve.Scalar).SetBytesReduced((*[32]byte)(r.Bytes(32))))
		if err != nil {
			t.Fatal(err)
		}
		digest := TruncateHash([]byte(fmt.Sprint("digest ", i)))
		sig, err := SignRecoverable(k, digest, nil)
		if err != nil || !sig.Signature().IsLowS() || sig.Signature().NormalizeS() != sig.Signature() {
			t.Fatalf("key %x: %x, %v", k.Bytes(), sig, err)
		}
		if !Verify(k.PublicKey(), digest, sig.Signature()) || !VerifyLowS(k.PublicKey(), digest, sig.Signature()) {
			t.Fatalf("key %x: %x does not verify", k.Bytes(), sig)
		}
		low := oracle.ParseCompact(sig.Signature().rs)
		high := rawRecoverable(low.R, oracle.Fn.Neg(low.S), sig.RecoveryID()^1)
		for _, sig := range []RecoverableSignature{sig, high} {
			got, err := Recover(digest, sig)
			if err != nil || !got.Equal(k.PublicKey()) {
				t.Fatalf("key %x: recovered from %x: %v", k.Bytes(), sig, err)
			}
			wrong := rawRecoverable(low.R, oracle.Int(sig.rsv[32:64]), sig.RecoveryID()^1)
			if got, err := Recover(digest, wrong); err == nil && got.Equal(k.PublicKey()) {
				t.Fatalf("key %x: recovered from %x too", k.Bytes(), wrong)
			}
		}
	}
}
