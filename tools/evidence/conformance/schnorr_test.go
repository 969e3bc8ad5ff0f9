package conformance

import (
	"bytes"
	"math/big"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	btcschnorr "github.com/btcsuite/btcd/btcec/v2/schnorr"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/schnorr"
)

// Decred's Schnorr signatures do not follow BIP-340, so the tests compare with libsecp256k1 and btcec only.

// message returns a message, mostly of 32 bytes, because btcec takes no other length.
func (r *run) message() []byte {
	if r.IntN(4) == 0 {
		return r.Message(200)
	}
	return slice(r.Digest())
}

func TestSignSchnorr(t *testing.T) {
	differential(t, func(r *run) {
		k, theirs := r.keys(r.ValidScalar())
		msg, aux := r.message(), r.ScalarBytes()
		r.given("key %x, message %x, aux %x", k.Bytes(), msg, aux)
		sig := must(schnorr.Sign(k, msg, &schnorr.Options{AuxRand: &aux}))
		if c := r.secp(); c != nil {
			pair, _ := c.LoadKeypair((*[32]byte)(k.Bytes()))
			r.same("libsecp256k1", sig, from(c.SchnorrSignCustom(&pair, msg, &aux)))
		}
		if !r.slow() {
			return
		}
		// FastSign leaves out the verification of the signature, because TestVerifySchnorr compares verifications.
		other, err := btcschnorr.Sign(theirs, msg, btcschnorr.CustomNonce(aux), btcschnorr.FastSign())
		if len(msg) != 32 {
			r.add(schnorrMessage)
			r.is(err != nil, "btcec does not sign it")
			r.is(schnorr.Verify(k.PublicKey().XOnly(), msg, sig[:]), "%x is valid", sig)
			return
		}
		r.same("btcec", sig, must(other, err).Serialize())
		if r.IntN(8) == 0 {
			r.add(schnorrNonce)
			other := must(btcschnorr.Sign(theirs, msg, btcschnorr.FastSign())).Serialize()
			r.is(!bytes.Equal(other, sig[:]) && schnorr.Verify(k.PublicKey().XOnly(), msg, other), "btcec's nonce makes another valid signature: %x", other)
		}
	}, schnorrMessage, schnorrNonce)
}

// schnorrSignature returns a signature with a chosen key and nonce. The signature is valid unless odd is 1, in which
// case R has the wrong parity.
func (r *run) schnorrSignature(msg []byte, odd int) (pub *p256k1.XOnlyPublicKey, sig []byte) {
	k, _ := r.keys(r.ValidScalar())
	pub = k.PublicKey().XOnly()
	d := must(k.Scalar())
	if k.PublicKey().IsYOdd() {
		d.Negate(d)
	}
	nonce, _ := scalars(r.ValidScalar())
	point := new(curve.Point).ScalarBaseMult(nonce)
	nonce.CondNegate(nonce, point.IsYOdd()^odd)
	rx := must(point.BytesX())
	h := schnorr.TaggedHash("BIP0340/challenge", rx, pub.Bytes(), msg)
	s := new(curve.Scalar).SetBytesReduced(&h)
	return pub, append(rx, s.Mul(s, d).Add(s, nonce).Bytes()...)
}

// spoilSchnorr changes the public key, the message or the signature, or none of them.
func (r *run) spoilSchnorr(pub, msg, sig []byte) (_, _, _ []byte) {
	switch r.IntN(16) {
	case 0:
		sig[r.IntN(64)] ^= 1 << r.IntN(8)
	case 1:
		msg = r.mutate(msg)
	case 2:
		pub[r.IntN(32)] ^= 1 << r.IntN(8)
	case 3: // another s, or, if s is small, a number that is congruent to s modulo n
		s := r.ScalarBytes()
		if v := new(big.Int).Add(oracle.Int(sig[32:]), oracle.N); v.BitLen() <= 256 {
			v.FillBytes(s[:])
		}
		copy(sig[32:], s[:])
	case 4: // −s
		copy(sig[32:], slice(oracle.Bytes(oracle.Fn.Neg(oracle.Int(sig[32:])))))
	case 5:
		copy(sig, slice(r.FieldBytes()))
	case 6:
		copy(pick(r, sig, pub), slice(pick(r, oracle.BadX()...)))
	case 7:
		sig = r.mutate(sig)
	case 8:
		copy(sig[32:], slice(pick(r, oracle.RangeEdges()...)))
	case 9: // s·G = e·P, so s·G − e·P is infinity, whatever R was hashed
		h := schnorr.TaggedHash("BIP0340/challenge", sig[:32], oracle.G.Compressed()[1:], msg)
		pub = oracle.G.Compressed()[1:]
		copy(sig[32:], new(curve.Scalar).SetBytesReduced(&h).Bytes())
	}
	return pub, msg, sig
}

func TestVerifySchnorr(t *testing.T) {
	differential(t, func(r *run) {
		msg := r.message()
		key, sig := r.schnorrSignature(msg, choose(r.IntN(16) == 0, 1, 0))
		pub, msg, sig := r.spoilSchnorr(key.Bytes(), msg, sig)
		r.given("key %x, message %x, signature %x", pub, msg, sig)
		got := schnorr.VerifyBytes(pub, msg, sig)
		r.verdict(got, valid, invalid)
		key, err := p256k1.ParseXOnlyPublicKey(pub)
		r.same("with a parsed key", got, err == nil && schnorr.Verify(key, msg, sig))
		if c := r.secp(); c != nil && len(pub) == 32 && len(sig) == 64 {
			r.same("libsecp256k1", got, c.SchnorrVerify((*[32]byte)(pub), msg, (*[64]byte)(sig)))
		}
		if !r.slow() {
			return
		}
		var theirs *btcec.PublicKey
		parsed, err := btcschnorr.ParseSignature(sig)
		if err == nil && oracle.Int(sig[32:]).Cmp(oracle.N) >= 0 {
			r.add(schnorrSReduced)
			r.same("s, btcec", parsed.Serialize()[32:], oracle.Bytes(oracle.Fn.Reduce(oracle.Int(sig[32:]))))
		}
		if err == nil {
			theirs, err = btcschnorr.ParsePubKey(pub)
		}
		want := err == nil && parsed.Verify(msg, theirs)
		if len(msg) != 32 {
			r.add(schnorrMessage)
			r.is(!want, "btcec does not verify it")
		} else {
			r.same("btcec", got, want)
		}
	}, valid, invalid, schnorrSReduced, schnorrMessage)
}

// forge changes two signatures in one of three ways. The first two ways do not change the sum of the two verification
// equations, if both have the same weight.
func (r *run) forge(a, b []byte) (_, _ []byte) {
	switch r.IntN(3) {
	case 0: // s₁ + δ, s₂ − δ
		delta := oracle.Fn.Reduce(oracle.Int(r.Bytes(1 + r.IntN(32))))
		s1 := oracle.Bytes(oracle.Fn.Add(oracle.Fn.Reduce(oracle.Int(a[32:])), delta))
		s2 := oracle.Bytes(oracle.Fn.Sub(oracle.Fn.Reduce(oracle.Int(b[32:])), delta))
		return append(a[:32], s1[:]...), append(b[:32], s2[:]...)
	case 1: // exchange the s
		return append(bytes.Clone(a[:32]), b[32:]...), append(bytes.Clone(b[:32]), a[32:]...)
	default: // exchange the signatures
		return b, a
	}
}

// TestBatchSchnorr compares the verdicts of batches with the verdicts of single calls, which the tests above compare
// with other libraries.
func TestBatchSchnorr(t *testing.T) {
	const forged = kind("forged together")
	differential(t, func(r *run) {
		type item struct{ pub, msg, sig []byte }
		n := 1 + r.IntN(20)
		if r.IntN(16) == 0 {
			n = 1 + r.IntN(150)
		}
		rarely := pick(r, 1, 1, 8, 100) // one signature in this many is changed
		items := make([]item, n)
		for i := range items {
			it := &items[i]
			if i > 0 && r.IntN(4) == 0 { // the same key, and perhaps the same signature
				*it = items[r.IntN(i)]
				it.pub, it.msg, it.sig = bytes.Clone(it.pub), bytes.Clone(it.msg), bytes.Clone(it.sig)
			} else {
				it.msg = r.message()
				key, sig := r.schnorrSignature(it.msg, 0)
				it.pub, it.sig = key.Bytes(), sig
			}
			if len(it.pub) == 32 && len(it.sig) == 64 && r.IntN(rarely) == 0 {
				it.pub, it.msg, it.sig = r.spoilSchnorr(it.pub, it.msg, it.sig)
			}
		}
		if n > 1 && r.IntN(4) == 0 {
			i := r.IntN(n - 1)
			a, b := &items[i], &items[i+1]
			if len(a.sig) == 64 && len(b.sig) == 64 {
				a.sig, b.sig = r.forge(bytes.Clone(a.sig), bytes.Clone(b.sig))
				r.add(forged)
			}
		}
		var b schnorr.Batch
		var bad []int
		for i, it := range items {
			if !schnorr.VerifyBytes(it.pub, it.msg, it.sig) {
				bad = append(bad, i)
			}
			if key, err := p256k1.ParseXOnlyPublicKey(it.pub); err == nil && r.IntN(2) == 0 {
				b.AddKey(key, it.msg, it.sig)
			} else {
				b.Add(it.pub, it.msg, it.sig)
			}
		}
		r.verdict(bad == nil, valid, invalid)
		r.given("%d signatures %x", n, items)
		r.sameBatch("BIP-340", &b, bad)
	}, valid, invalid, forged)
}
