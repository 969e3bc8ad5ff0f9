package chilldkg

import (
	"crypto/subtle"
	"encoding/binary"
	"errors"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/schnorr"
)

// Proofs of possession are BIP-340 signatures of the participant's number, with tags of their own.
var (
	proofAuxTag       = schnorr.NewTag("BIP DKG/pop message/aux")
	proofNonceTag     = schnorr.NewTag("BIP DKG/pop message/nonce")
	proofChallengeTag = schnorr.NewTag("BIP DKG/pop message/challenge")
)

var errZeroNonce = errors.New("the nonce is zero") // with a probability of 2⁻²⁵⁶

func proofMessage(id int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(id)) }

// prove sets sig to the proof of possession of secret by participant id. It is constant-time.
func prove(sig *[64]byte, secret *p256k1.PrivateKey, id int, aux *[32]byte) error {
	public := secret.PublicKey()
	odd := public.Point().IsYOdd()
	x, message := public.XOnly().Bytes(), proofMessage(id)
	return secret.Use(func(d curve.Scalar) error {
		d.CondNegate(&d, odd)
		t := proofAuxTag.Sum(aux[:])
		defer clear(t[:])
		b := d.Bytes()
		defer clear(b)
		subtle.XORBytes(t[:], t[:], b)
		nonce := proofNonceTag.Sum(t[:], x, message)
		defer clear(nonce[:])
		var k, e curve.Scalar
		defer k.Zero()
		k.SetBytesReduced(&nonce)
		if k.IsZero() == 1 {
			return errZeroNonce
		}
		var r curve.Point
		r.ScalarBaseMult(&k).Normalize()
		k.CondNegate(&k, r.IsYOdd())
		rx, err := r.BytesX()
		if err != nil {
			return err
		}
		sum := proofChallengeTag.Sum(rx, x, message)
		e.SetBytesReduced(&sum)
		copy(sig[:], rx)
		copy(sig[32:], e.Mul(&e, &d).Add(&e, &k).Bytes())
		return nil
	})
}

// proves reports whether sig proves that participant id knows the discrete logarithm of commitment. The time depends on
// all arguments, which are public.
func proves(sig []byte, commitment *curve.Point, id int) bool {
	var p, r curve.Point
	var e, s curve.Scalar
	x, err := p.Set(commitment).NormalizeVartime().BytesX()
	if err != nil {
		return false
	}
	p.CondNegate(&p, p.IsYOdd())
	if _, err := s.SetBytes(sig[32:]); err != nil {
		return false
	}
	sum := proofChallengeTag.Sum(sig[:32], x, proofMessage(id))
	e.SetBytesReduced(&sum)
	r.DoubleScalarBaseMultVartime(e.Negate(&e), &p, &s)
	rx, err := r.NormalizeVartime().BytesX() // an error for infinity
	return err == nil && r.IsYOdd() == 0 && string(rx) == string(sig[:32])
}
