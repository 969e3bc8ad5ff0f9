package differential

import (
	"bytes"
	"math/big"
	"slices"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	btcschnorr "github.com/btcsuite/btcd/btcec/v2/schnorr"

	"p256k1.mleku.dev"
	"p256k1.mleku.dev/curve"
	"p256k1.mleku.dev/internal/oracle"
	"p256k1.mleku.dev/schnorr"
)

// Decred's Schnorr signatures are others, so that only btcec is compared with.

func TestSignSchnorr(t *testing.T) {
	differential(t, func(r *run) {
		k, theirs := r.keys(r.ValidScalar())
		msg, aux := r.Digest(), r.ScalarBytes()
		sig, err := schnorr.Sign(k, msg[:], &aux)
		if err != nil {
			r.errorf("key %x, message %x: %v", k.Bytes(), msg, err)
			return
		}
		// FastSign leaves out the verification of the signature, which is compared in the next test.
		other, err := btcschnorr.Sign(theirs, msg[:], btcschnorr.CustomNonce(aux), btcschnorr.FastSign())
		if err != nil || !bytes.Equal(sig[:], other.Serialize()) {
			r.errorf("key %x, message %x, aux %x: signature %x, btcec %x (%v)", k.Bytes(), msg, aux, sig, other.Serialize(), err)
		}
	})
}

// schnorrSignature returns a signature with chosen key and nonce. It is valid, except that R has the wrong parity if odd is 1.
func (r *run) schnorrSignature(msg []byte, odd int) (pub *p256k1.XOnlyPublicKey, sig []byte) {
	k, _ := r.keys(r.ValidScalar())
	pub = k.PublicKey().XOnly()
	d := k.Scalar()
	if k.PublicKey().IsYOdd() {
		d.Negate(d)
	}
	nonce, _ := scalars(r.ValidScalar())
	point := new(curve.Point).ScalarBaseMult(nonce)
	nonce.CondNegate(nonce, point.IsYOdd()^odd)
	rx := must(point.BytesX())
	h := schnorr.TaggedHash("BIP0340/challenge", rx, pub.Bytes(), msg)
	s := new(curve.Scalar).SetBytesReduced(&h)
	return pub, append(rx, s.Multiply(s, d).Add(s, nonce).Bytes()...)
}

func TestVerifySchnorr(t *testing.T) {
	differential(t, func(r *run) {
		digest := r.Digest()
		msg := digest[:]
		odd := 0
		if r.IntN(16) == 0 {
			odd = 1
		}
		key, sig := r.schnorrSignature(msg, odd)
		pub := key.Bytes()
		switch r.IntN(16) {
		case 0:
			sig[r.IntN(64)] ^= 1 << r.IntN(8)
		case 1:
			msg[r.IntN(32)] ^= 1 << r.IntN(8)
		case 2:
			pub[r.IntN(32)] ^= 1 << r.IntN(8)
		case 3: // another s, or one that is the same mod n if it is small
			s := r.ScalarBytes()
			if v := new(big.Int).Add(oracle.Int(sig[32:]), oracle.N); v.BitLen() <= 256 {
				v.FillBytes(s[:])
			}
			copy(sig[32:], s[:])
		case 4: // −s
			s := oracle.Bytes(oracle.Fn.Neg(oracle.Int(sig[32:])))
			copy(sig[32:], s[:])
		case 5:
			x := r.FieldBytes()
			copy(sig, x[:])
		case 6:
			x := pick(r, oracle.BadX()...)
			copy(pick(r, sig, pub), x[:])
		case 7:
			sig = r.mutate(sig)
		case 8:
			edge := pick(r, oracle.RangeEdges()...)
			copy(sig[32:], edge[:])
		case 9: // R is infinity: s·G = e·P for any R that the hash was made with
			h := schnorr.TaggedHash("BIP0340/challenge", sig[:32], oracle.G.Compressed()[1:], msg)
			pub = oracle.G.Compressed()[1:]
			copy(sig[32:], new(curve.Scalar).SetBytesReduced(&h).Bytes())
		}
		got := schnorr.VerifyBytes(pub, msg, sig)
		if parsed, err := p256k1.NewXOnlyPublicKey(pub); (err == nil && schnorr.Verify(parsed, msg, sig)) != got {
			r.errorf("key %x, message %x, signature %x: Verify and VerifyBytes differ", pub, msg, sig)
		}

		var theirs *btcec.PublicKey
		parsed, err := btcschnorr.ParseSignature(sig)
		if err == nil && oracle.Int(sig[32:]).Cmp(oracle.N) >= 0 {
			r.expect(schnorrSReduced)
		}
		if err == nil {
			theirs, err = btcschnorr.ParsePubKey(pub)
		}
		want := err == nil && parsed.Verify(msg, theirs)
		if got != want {
			r.errorf("key %x, message %x, signature %x: valid %v, btcec %v", pub, msg, sig, got, want)
		}
		if got {
			r.kind("valid")
		} else {
			r.kind("invalid")
		}
		if !got {
			return
		}
		// The same message with other lengths, which btcec does not have.
		if long := slices.Concat(msg, r.Bytes(1)); schnorr.VerifyBytes(pub, long, sig) || parsed.Verify(long, theirs) {
			r.errorf("key %x, message %x, signature %x: valid", pub, long, sig)
		}
	}, "valid", "invalid")
}
