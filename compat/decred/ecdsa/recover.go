package ecdsa

import (
	secp256k1 "p256k1.mleku.dev/v2/compat/decred"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/schemes/verify"
)

// A compact signature has 65 bytes: a first byte, then r and s. The first byte is firstCode plus the recovery code,
// plus compressed if the public key is to be compressed.
const (
	compactSize = 65
	firstCode   = 27
	compressed  = 4
	lastCode    = firstCode + compressed + 3
)

// SignCompact signs like Sign, and returns a compact signature of 65 bytes, from which RecoverCompact recovers the
// public key.
func SignCompact(key *secp256k1.PrivateKey, hash []byte, isCompressedKey bool) []byte {
	sig, code := signRFC6979(key, hash)
	code += firstCode
	if isCompressedKey {
		code += compressed
	}
	b := make([]byte, compactSize)
	b[0] = code
	sig.r.PutBytesUnchecked(b[1:33])
	sig.s.PutBytesUnchecked(b[33:])
	return b
}

// RecoverCompact returns the public key for which a compact signature of 65 bytes is a valid signature of hash (SEC 1,
// section 4.1.6), and reports whether the signature says that the key should be compressed. The error is an Error whose
// Err is an ErrorKind of this package.
func RecoverCompact(signature, hash []byte) (*secp256k1.PublicKey, bool, error) {
	if len(signature) != compactSize {
		return nil, false, fail(ErrSigInvalidLen, "malformed signature: wrong size: %d != %d", len(signature), compactSize)
	}
	code := signature[0]
	if code < firstCode || code > lastCode {
		return nil, false, fail(ErrSigInvalidRecoveryCode,
			"invalid signature: public key recovery code %d is not in the valid range [%d, %d]", code, firstCode, lastCode)
	}
	code -= firstCode
	var r, s secp256k1.ModNScalar
	if err := rErrors.set(&r, signature[1:33]); err != nil {
		return nil, false, err
	}
	if err := sErrors.set(&s, signature[33:]); err != nil {
		return nil, false, err
	}
	x := asField(&r)
	if code&2 != 0 {
		if x.IsGtOrEqPrimeMinusOrder() {
			return nil, false, fail(ErrSigOverflowsPrime, "invalid signature: signature R + N >= P")
		}
		x.Add(order())
	}
	var R [secp256k1.PubKeyBytesLenCompressed]byte
	R[0] = secp256k1.PubKeyFormatCompressedEven | code&1
	x.PutBytesUnchecked(R[1:])

	// The public key is (s·R − e·G)/r.
	var e, w secp256k1.ModNScalar
	e.SetByteSlice(hash)
	secp256k1.InverseVartime(&w, &r)
	e.Mul(&w).Negate()
	s.Mul(&w)
	k, g := toScalar(&s), toScalar(&e)
	var Q curve.Point
	if err := verify.SumOfBytesVartime(&Q, &k, R[:], &g); err != nil {
		return nil, false, fail(ErrPointNotOnCurve, "invalid signature: not for a valid curve point")
	}
	if Q.IsInfinity() == 1 {
		return nil, false, fail(ErrPointNotOnCurve, "invalid signature: recovered pubkey is the point at infinity")
	}
	key, err := secp256k1.ParsePubKey(Q.BytesUncompressed())
	return key, code&compressed != 0, err
}

// toScalar returns s as a scalar of package curve.
func toScalar(s *secp256k1.ModNScalar) (k curve.Scalar) {
	b := s.Bytes()
	k.SetBytesReduced(&b)
	return k
}
