package schnorr

import (
	"bytes"
	"crypto"
	"crypto/sha256"
	"math/big"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

func FuzzVerifyBytes(f *testing.F) {
	r := oracle.NewSeeded("fuzz")
	for _, d := range []*big.Int{big.NewInt(5), big.NewInt(6), r.ValidScalar()} {
		pub := oracle.G.Mul(d).Compressed()[1:]
		for _, msg := range [][]byte{nil, {0}, r.Bytes(32), r.Bytes(100)} {
			sig, _ := oracle.SignSchnorr(d, msg, [32]byte{})
			f.Add(pub, msg, sig[:])
			f.Add(pub, append([]byte{1}, msg...), sig[:])
			f.Add(pub, msg, sig[:63])
			f.Add(pub, msg, append(sig[:], 0))
			// In the first of these signatures s·G − e·P is −R, whose y is odd, and in the second it is infinity.
			r, s := oracle.Int(sig[:32]), oracle.Int(sig[32:])
			ed := oracle.Fn.Mul(challenge(r, pub, msg), even(d))
			f.Add(pub, msg, join(r, oracle.Fn.Sub(oracle.Fn.Add(ed, ed), s)))
			f.Add(pub, msg, join(r, ed))
		}
		for _, x := range append(oracle.BadX(), oracle.RangeEdges()...) {
			f.Add(pub, []byte(nil), append(oracle.G.Compressed()[1:], x[:]...))
			f.Add(pub, []byte(nil), append(x[:], pub...))
			f.Add(x[:], []byte(nil), append(oracle.G.Compressed()[1:], pub...))
		}
	}
	f.Add([]byte(nil), []byte(nil), []byte(nil))
	f.Fuzz(func(t *testing.T, pub, msg, sig []byte) {
		if got, want := VerifyBytes(pub, msg, sig), oracle.VerifySchnorr(pub, msg, sig); got != want {
			t.Fatalf("key %x, message %x, signature %x: %v", pub, msg, sig, got)
		}
		if got, err := new(Pool).Verify(t.Context(), pub, msg, sig); err != nil || got != VerifyBytes(pub, msg, sig) {
			t.Fatalf("key %x, message %x, signature %x: %v by a pool, %v", pub, msg, sig, got, err)
		}
		if key, err := p256k1.ParseXOnlyPublicKey(pub); err == nil && Verify(key, msg, sig) != VerifyBytes(pub, msg, sig) {
			t.Fatalf("key %x, message %x, signature %x: Verify and VerifyBytes differ", pub, msg, sig)
		}
	})
}

// FuzzBatch compares the verdicts of a batch with the verdicts of VerifyBytes. One or two items come from the fuzzer.
// The batch has up to 20 items, or so many that their equations are combined.
func FuzzBatch(f *testing.F) {
	r := oracle.NewSeeded("batch")
	valid := signed(f, r, 100, 5)
	for n := range 20 {
		it := spoil(r, valid[n])
		f.Add(it.pub, it.msg, it.sig, byte(13*n), byte(n), byte(r.IntN(100)))
	}
	f.Add([]byte(nil), []byte(nil), []byte(nil), byte(0), byte(0), byte(0))
	var b Batch
	f.Fuzz(func(t *testing.T, pub, msg, sig []byte, n, place, twice byte) {
		items := slices.Clone(valid[:n%20+1])
		if n >= 200 {
			items = slices.Clone(valid)
		}
		it := item{pub, msg, sig}
		items[int(place)%len(items)] = it
		items[int(twice)%len(items)] = it
		b.Reset()
		for i, it := range items {
			x, err := p256k1.ParseXOnlyPublicKey(it.pub)
			if i%2 == 0 && err == nil {
				b.AddKey(x, it.msg, it.sig)
			} else {
				b.Add(it.pub, it.msg, it.sig)
			}
		}
		want := invalid(items)
		if got := b.Invalid(nil); !slices.Equal(got, want) || b.Verify() != (want == nil) {
			t.Fatalf("of %d items, %v are not valid: %v", len(items), want, got)
		}
	})
}

// FuzzSign compares signatures with the oracle's signatures, and verifies the signatures that SignBatch returns. A
// Signer reads its randomness from aux.
func FuzzSign(f *testing.F) {
	r := oracle.NewSeeded("sign")
	for i, b := range append(oracle.RangeEdges(), r.ScalarBytes(), r.ScalarBytes()) {
		for _, n := range []int{0, 1, 32, 55, 200} {
			f.Add(b[:], r.Bytes(n), r.Bytes(20*i))
		}
		f.Add(b[:], []byte("a message"), make([]byte, 32))
	}
	f.Fuzz(func(t *testing.T, secret, msg, aux []byte) {
		d := oracle.Int(secret)
		if len(secret) != 32 || d.Sign() == 0 || d.Cmp(oracle.N) >= 0 {
			return
		}
		k := libtest.Private(t, d)
		s := NewSigner(k, nil)
		if len(aux) < 32 {
			if sig, err := s.Sign(bytes.NewReader(aux), msg, nil); err == nil || sig != nil {
				t.Fatalf("signed with %d bytes of randomness", len(aux))
			}
			return
		}
		want, _ := oracle.SignSchnorr(d, msg, [32]byte(aux))
		if sig, err := Sign(k, msg, &Options{AuxRand: (*[32]byte)(aux)}); err != nil || sig != want {
			t.Fatalf("key %x, message %x, aux %x: %x, %v, want %x", d, msg, aux, sig, err, want)
		}
		if sig, err := Sign(k, msg, &Options{AuxRand: (*[32]byte)(aux), Checked: true}); err != nil || sig != want {
			t.Fatalf("key %x, message %x, aux %x: checked %x, %v, want %x", d, msg, aux, sig, err, want)
		}
		together := make([][64]byte, 2)
		if err := SignBatch(together, []*p256k1.PrivateKey{k, k}, [][]byte{msg, aux}, &Options{AuxRand: (*[32]byte)(aux), Checked: true}); err != nil || together[0] != want {
			t.Fatalf("key %x, messages %x and %x: checked together %x, %v, want %x", d, msg, aux, together, err, want)
		}
		if err := SignBatch(together, []*p256k1.PrivateKey{k, k}, [][]byte{msg, aux}, nil); err != nil ||
			!Verify(k.PublicKey().XOnly(), msg, together[0][:]) || !Verify(k.PublicKey().XOnly(), aux, together[1][:]) {
			t.Fatalf("key %x, messages %x and %x: %x together, %v", d, msg, aux, together, err)
		}
		got, err := s.SignMessage(bytes.NewReader(aux), msg, nil)
		if err != nil || !bytes.Equal(got, want[:]) {
			t.Fatalf("key %x, message %x, aux %x: %x, %v, want %x", d, msg, aux, got, err, want)
		}
		if !Verify(k.PublicKey().XOnly(), msg, got) || Verify(k.PublicKey().XOnly(), append(msg, 0), got) {
			t.Fatalf("key %x, message %x: %x does not verify, or does with another message", d, msg, got)
		}
		digest := sha256.Sum256(msg)
		hashed, err := s.SignMessage(bytes.NewReader(aux), msg, crypto.SHA256)
		same, err2 := s.Sign(bytes.NewReader(aux), digest[:], crypto.SHA256)
		if err != nil || err2 != nil || !bytes.Equal(hashed, same) || !Verify(k.PublicKey().XOnly(), digest[:], hashed) {
			t.Fatalf("key %x, hash of message %x: %x, %v, and %x, %v", d, msg, hashed, err, same, err2)
		}
	})
}

// FuzzTaggedHash compares hashes with the oracle, for data in two parts, and challenges of the second part.
func FuzzTaggedHash(f *testing.F) {
	f.Add("", []byte(nil), []byte(nil))
	f.Add("BIP0340/challenge", make([]byte, 55), make([]byte, 64))
	f.Add("TapTweak", []byte("a"), []byte("b"))
	f.Fuzz(func(t *testing.T, tag string, a, b []byte) {
		hashed := NewTag(tag)
		got, want := TaggedHash(tag, a, b), oracle.TaggedHash(tag, append(bytes.Clone(a), b...))
		if got != want || hashed.Sum(a, b) != want {
			t.Fatalf("tag %q, data %x and %x: %x, want %x", tag, a, b, got, want)
		}
		if e := Challenge(want[:], want[:], b); oracle.Int(e.Bytes()).Cmp(challenge(oracle.Int(want[:]), want[:], b)) != 0 {
			t.Fatalf("Challenge(%x, %x, %x) = %x", want, want, b, e.Bytes())
		}
	})
}
