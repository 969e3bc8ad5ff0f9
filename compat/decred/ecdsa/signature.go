// Package ecdsa has the types and functions of Decred's package github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa,
// version 4.4.1. Signing is constant-time. Verification and recovery take variable time, because their arguments are
// public.
package ecdsa

import (
	secp256k1 "p256k1.mleku.dev/v2/compat/decred"
)

// Signature is an ECDSA signature.
type Signature struct{ r, s secp256k1.ModNScalar }

// NewSignature returns the signature (r, s).
func NewSignature(r, s *secp256k1.ModNScalar) *Signature { return &Signature{*r, *s} }

// R returns r.
func (sig *Signature) R() secp256k1.ModNScalar { return sig.r }

// S returns s.
func (sig *Signature) S() secp256k1.ModNScalar { return sig.s }

// IsEqual reports whether both signatures have the same r and the same s.
func (sig *Signature) IsEqual(otherSig *Signature) bool {
	return sig.r.Equals(&otherSig.r) && sig.s.Equals(&otherSig.s)
}

// asField returns r as a field element.
func asField(r *secp256k1.ModNScalar) (x secp256k1.FieldVal) {
	b := r.Bytes()
	x.SetBytes(&b)
	return x
}

// order returns the group order n as a field element.
func order() *secp256k1.FieldVal {
	var minusOne secp256k1.ModNScalar
	n := asField(minusOne.SetInt(1).Negate())
	return n.AddInt(1)
}

// Verify reports whether sig is a valid signature of hash by pubKey (SEC 1, section 4.1.4). Only the first 32 bytes of
// hash are used. A key that is not on the curve has no valid signatures. Any s in [1, n−1] is accepted, even above
// (n−1)/2.
func (sig *Signature) Verify(hash []byte, pubKey *secp256k1.PublicKey) bool {
	if sig.r.IsZero() || sig.s.IsZero() || !pubKey.IsOnCurve() {
		return false
	}
	var u1, u2 secp256k1.ModNScalar
	var R secp256k1.JacobianPoint
	u1.SetByteSlice(hash)
	secp256k1.InverseVartime(&u2, &sig.s)
	u1.Mul(&u2)
	u2.Mul(&sig.r)
	pubKey.AsJacobian(&R)
	secp256k1.DoubleScalarMultVartime(&u1, &u2, &R, &R)
	if R.Z.IsZero() {
		return false
	}
	// The signature is valid if x(R) = X/Z² is r, or r + n if r + n is below p.
	x := asField(&sig.r)
	var t secp256k1.FieldVal
	R.Z.Square()
	if t.Mul2(&x, &R.Z).Equals(&R.X) {
		return true
	}
	if x.IsGtOrEqPrimeMinusOrder() {
		return false
	}
	return t.Mul2(x.Add(order()), &R.Z).Equals(&R.X)
}

// sign returns the signature of hash with the given nonce and s ≤ (n−1)/2, and the recovery code. Bit 0 of the code
// says whether y(R) is odd, bit 1 whether x(R) ≥ n. The last result is false if r or s is 0.
func sign(privKey, nonce *secp256k1.ModNScalar, hash []byte) (*Signature, byte, bool) {
	var R secp256k1.JacobianPoint
	secp256k1.ScalarBaseMultNonConst(nonce, &R)
	sig := new(Signature)
	code := byte(sig.r.SetBytes(R.X.Bytes())<<1 | R.Y.IsOddBit())
	var e, inverse secp256k1.ModNScalar
	e.SetByteSlice(hash)
	sig.s.Mul2(privKey, &sig.r).Add(&e).Mul(inverse.InverseValNonConst(nonce))
	inverse.Zero()
	if sig.r.IsZero() || sig.s.IsZero() {
		return nil, 0, false
	}
	if sig.s.IsOverHalfOrder() { // for half of the nonces; the negated s belongs to the nonce −k
		sig.s.Negate()
		code ^= 1
	}
	return sig, code, true
}

// attempts is the number of nonces that Sign tries. The probability that none of them is usable is below 2⁻²⁰³², unless
// the key and the hash are both 0: in that case no nonce is usable.
const attempts = 16

// signRFC6979 returns the result of sign for the first usable nonce of RFC 6979.
func signRFC6979(key *secp256k1.PrivateKey, hash []byte) (*Signature, byte) {
	d := key.Key.Bytes()
	defer clear(d[:])
	for i := range uint32(attempts) {
		k := secp256k1.NonceRFC6979(d[:], hash, nil, nil, i)
		sig, code, ok := sign(&key.Key, k, hash)
		k.Zero()
		if ok {
			return sig, code
		}
	}
	panic("ecdsa: the private key 0 cannot sign the hash 0")
}

// Sign returns the signature of hash, with the nonce of RFC 6979 and s ≤ (n−1)/2 (BIP-62), in constant time. Only the
// first 32 bytes of hash are used. It panics if both the key and the hash are 0.
func Sign(key *secp256k1.PrivateKey, hash []byte) *Signature {
	sig, _ := signRFC6979(key, hash)
	return sig
}
