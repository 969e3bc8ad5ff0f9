package schnorr

import (
	"crypto/sha256"

	"github.com/btcsuite/btcd/btcec/v2"
	dcr "github.com/decred/dcrd/dcrec/secp256k1/v4/schnorr"
)

// btcec's tests call schnorrVerify, which returns the reason why a signature is not valid. This version finds the
// reason with exported functions, and panics if Verify has another verdict.
func schnorrVerify(sig *Signature, hash []byte, pubKeyBytes []byte) error {
	key, err := ParsePubKey(pubKeyBytes)
	if err != nil {
		return err
	}
	err = reason(sig, hash, key)
	if sig.Verify(hash, key) != (err == nil) {
		panic("Verify has another verdict")
	}
	return err
}

func reason(sig *Signature, hash []byte, key *btcec.PublicKey) error {
	if len(hash) != 32 {
		return dcr.ErrInvalidHashLen
	}
	tag := sha256.Sum256([]byte("BIP0340/challenge"))
	h := sha256.New()
	h.Write(tag[:])
	h.Write(tag[:])
	h.Write(sig.Serialize()[:32])
	h.Write(SerializePubKey(key))
	h.Write(hash)
	var e, s btcec.ModNScalar
	e.SetByteSlice(h.Sum(nil))
	s.SetByteSlice(sig.Serialize()[32:])
	var p, sg, R btcec.JacobianPoint
	key.AsJacobian(&p)
	btcec.ScalarMultNonConst(e.Negate(), &p, &p)
	btcec.ScalarBaseMultNonConst(&s, &sg)
	btcec.AddNonConst(&sg, &p, &R)
	var r btcec.FieldVal
	r.SetByteSlice(sig.Serialize()[:32])
	infinity := R.Z.IsZero()
	R.ToAffine()
	switch {
	case infinity:
		return dcr.ErrSigRNotOnCurve
	case R.Y.IsOdd():
		return dcr.ErrSigRYIsOdd
	case !R.X.Equals(&r):
		return dcr.ErrUnequalRValues
	}
	return nil
}
