package musig2

import (
	"slices"

	"github.com/btcsuite/btcd/btcec/v2"
)

// Unexported names that btcec's tests use.

func sortKeys(keys []*btcec.PublicKey) []*btcec.PublicKey {
	encodeAll(keys, true)
	return keys
}

func secondUniqueKeyIndex(keys []*btcec.PublicKey, sort bool) int {
	return second(encodeAll(keys, sort))
}

func withCustomOptions(opts nonceGenOpts) NonceGenOption {
	opts.secretKey = slices.Clone(opts.secretKey)
	return func(o *nonceGenOpts) { *o = opts }
}

func secNonceToPubNonce(secNonce [SecNonceSize]byte) (pub [PubNonceSize]byte) {
	for i := range 2 {
		var k btcec.ModNScalar
		var R btcec.JacobianPoint
		k.SetByteSlice(secNonce[32*i : 32*i+32])
		btcec.ScalarBaseMultNonConst(&k, &R)
		copy(pub[33*i:], btcec.JacobianToByteSlice(R))
	}
	return pub
}

func verifyPartialSig(sig *PartialSignature, pubNonce, combinedNonce [PubNonceSize]byte, keys []*btcec.PublicKey, pubKey []byte,
	msg [32]byte, options ...SignOption) error {
	return verify(sig, &pubNonce, &combinedNonce, keys, [33]byte(pubKey), &msg, options)
}

func computeSigningNonce(combinedNonce [PubNonceSize]byte, combinedKey *btcec.PublicKey, msg [32]byte) (*btcec.JacobianPoint,
	*btcec.ModNScalar, error) {
	var s keySet
	toPoint(&s.final, combinedKey)
	v, err := s.values(&combinedNonce, &msg)
	if err != nil {
		return nil, nil, err
	}
	var R btcec.JacobianPoint
	toPublic(&v.R).AsJacobian(&R)
	return &R, toScalar(&v.b), nil
}
