// Package ecdsa signs and verifies with ECDSA over secp256k1 (SEC 1, section
// 4.1; FIPS 186-5), with the deterministic nonces of RFC 6979, and recovers
// public keys from signatures.
//
// A digest is the hash of a message, 32 bytes, by whatever hash function the
// protocol asks for: the digest, not the message. Digests of any other length are
// refused. TruncateHash makes one of a hash of another length.
package ecdsa

import (
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/verify"
	"p256k1.mleku.dev/v2/rfc6979"
)

// TruncateHash returns the digest that ECDSA makes of a hash of any length: its
// leftmost 32 bytes. Of a shorter hash that is the 32 bytes of the same big-endian
// integer (SEC 1, section 4.1.3, step 5; FIPS 186-5, section 6.4; RFC 6979, section
// 2.3.2). It is for protocols with SHA-512 or SHA-1, say, and for their hashes only:
// messages that begin alike have the same first bytes.
func TruncateHash(hash []byte) []byte {
	if len(hash) >= 32 {
		return hash[:32:32]
	}
	if len(hash) == 0 {
		return nil
	}
	var b [32]byte
	copy(b[32-len(hash):], hash)
	return b[:]
}

// Sign signs a digest of 32 bytes with the nonce of RFC 6979, with HMAC-SHA256.
// The signature is always low-S (BIP-62): s ≤ (n−1)/2. It is constant-time. The
// error is p256k1.ErrLength for a digest of another length, or ErrNoKey for a key
// that is nil, was wiped or was never set.
func Sign(priv *p256k1.PrivateKey, digest []byte) (Signature, error) {
	sig, err := sign(priv, digest, nil)
	return sig.Signature(), err
}

// SignWithEntropy is Sign with 32 bytes of extra entropy for the nonce (RFC
// 6979, section 3.6), which need be neither secret nor random. With nil it is
// Sign.
func SignWithEntropy(priv *p256k1.PrivateKey, digest []byte, extra *[32]byte) (Signature, error) {
	sig, err := sign(priv, digest, extra)
	return sig.Signature(), err
}

// SignRecoverable is Sign; the signature also holds what Recover needs to find
// the public key.
func SignRecoverable(priv *p256k1.PrivateKey, digest []byte) (RecoverableSignature, error) {
	return sign(priv, digest, nil)
}

// SignChecked is SignRecoverable on a machine that may compute wrongly. There one wrong
// signature can tell the private key, and so can two of a digest with different nonces.
// Unless extra is nil, it is the extra entropy of SignWithEntropy. SignChecked signs
// twice. It returns the signature only if the two are the same and the public key of
// priv can be recovered from them. Otherwise the error is p256k1.ErrFault.
//
// No single error, transient or lasting, in what is computed from priv and the digest
// brings out another signature than that of SignRecoverable. Three things are not
// found:
//
//   - Errors before that, in the bytes of a key or of a digest. For a key, compare its
//     public key with the expected one.
//   - The same error in both computations of a nonce, which makes a valid signature.
//     Extra entropy that never comes again keeps it from telling the key, unless the
//     nonce becomes predictable.
//   - Whatever leads the program past the check.
//
// It takes about as long as two signatures and a recovery.
func SignChecked(priv *p256k1.PrivateKey, digest []byte, extra *[32]byte) (RecoverableSignature, error) {
	sig, err := sign(priv, digest, extra)
	if err != nil {
		return RecoverableSignature{}, err
	}
	again, err := sign(priv, digest, extra)
	if err != nil || again != sig || !check(priv.PublicKey(), digest, &sig) {
		return RecoverableSignature{}, errFault()
	}
	return sig, nil
}

// check reports whether sig has low s and a recovery id with which it leads to the
// public key pub, for which it is then valid.
func check(pub *p256k1.PublicKey, digest []byte, sig *RecoverableSignature) bool {
	k, err := recoverKey(digest, sig)
	return err == nil && k.Equal(pub) && sig.Signature().IsLowS() && sig.rsv[64] <= 3
}

func sign(priv *p256k1.PrivateKey, digest []byte, extra *[32]byte) (sig RecoverableSignature, err error) {
	var z curve.Scalar
	if err := setDigest(&z, digest); err != nil {
		return sig, err
	}
	err = priv.Use(func(d curve.Scalar) error { return signScalar(&sig, &d, &z, extra) })
	return sig, err
}

// signScalar sets sig to the signature of z with the key d.
func signScalar(sig *RecoverableSignature, d, z *curve.Scalar, extra *[32]byte) error {
	var nonces rfc6979.Generator
	var nonce [32]byte
	defer nonces.Zero()
	defer clear(nonce[:])
	seed(&nonces, d, z, extra)
	for range 16 { // fewer than one in 2¹²⁷ is refused
		if err := nonces.Next(&nonce); err != nil {
			return err
		}
		if sig.setWithNonce(d, z, &nonce) {
			return nil
		}
	}
	return errFault()
}

// seed starts the nonces for the key d and z.
func seed(nonces *rfc6979.Generator, d, z *curve.Scalar, extra *[32]byte) {
	var entropy []byte
	if extra != nil {
		entropy = extra[:]
	}
	key := (*[32]byte)(d.Bytes())
	nonces.Init(key, (*[32]byte)(z.Bytes()), entropy)
	clear(key[:])
}

// setWithNonce is set for a nonce.
func (sig *RecoverableSignature) setWithNonce(d, z *curve.Scalar, nonce *[32]byte) bool {
	var k, inverse curve.Scalar
	defer k.Zero()
	defer inverse.Zero()
	setNonce(&k, nonce)
	var point curve.Point
	point.ScalarBaseMult(&k).Normalize()
	inverse.Invert(&k)
	return sig.set(d, z, &inverse, &point)
}

// setNonce sets k to a nonce, or to zero, which leads to no signature, if that is not below n.
func setNonce(k *curve.Scalar, nonce *[32]byte) {
	// That a nonce was refused says nothing about the one that is used.
	if _, err := k.SetBytes(nonce[:]); err != nil {
		k.Zero()
	}
}

// set sets sig to the low-S signature of z with the key d, the inverse of the nonce k, and
// point, which is k·G. It reports false and leaves sig as it is if k, r or s is zero.
func (sig *RecoverableSignature) set(d, z, inverse *curve.Scalar, point *curve.Point) bool {
	x, err := point.BytesX()
	if err != nil {
		return false
	}
	// R is public from here on, and r with it.
	var r, s curve.Scalar
	id := point.IsYOdd()
	if _, err := r.SetBytes(x); err != nil {
		r.SetBytesReduced((*[32]byte)(x))
		id |= 2
	}
	// s = k⁻¹·(z + r·d), negated if high, which negates R.
	s.Mul(&r, d).Add(&s, z)
	s.Mul(&s, inverse)
	if r.IsZero()|s.IsZero() == 1 {
		return false
	}
	high := s.IsHigh()
	s.CondNegate(&s, high)
	copy(sig.rsv[:32], r.Bytes())
	copy(sig.rsv[32:64], s.Bytes())
	sig.rsv[64] = byte(id ^ high)
	return true
}

// Verify reports whether sig is a valid signature of the digest by pub, with any
// s in [1, n−1], as Bitcoin's consensus rules and most of the world have it. A
// digest that is not 32 bytes is false, as is a key that is nil or was never set.
// Its time depends on its arguments, which are public.
func Verify(pub *p256k1.PublicKey, digest []byte, sig Signature) bool {
	var r, u1, u2 curve.Scalar
	point := pub.Point()
	if !sig.sumVartime(&r, &u1, &u2, digest) || point.IsInfinity() == 1 {
		return false
	}
	return verify.XModNVartime(&u2, point, &u1, &r)
}

// sumVartime sets r, u1 = z/s and u2 = r/s: sig is valid if x of u1·G + u2·P is r
// modulo n. It reports false for what cannot be valid.
func (sig *Signature) sumVartime(r, u1, u2 *curve.Scalar, digest []byte) bool {
	if !sig.scalars(r, u2) || setDigest(u1, digest) != nil {
		return false
	}
	u2.InvertVartime(u2)
	u1.Mul(u1, u2)
	u2.Mul(r, u2)
	return true
}

// VerifyLowS is Verify, and false for s > (n−1)/2. That is the rule of Bitcoin's relay
// policy, of Ethereum's transactions and of Cosmos. Under it nobody can turn a
// signature into another one of the same digest.
func VerifyLowS(pub *p256k1.PublicKey, digest []byte, sig Signature) bool {
	return sig.IsLowS() && Verify(pub, digest, sig)
}

// setDigest sets z to a digest as an integer modulo n (SEC 1, section 4.1.3, step
// 5).
func setDigest(z *curve.Scalar, digest []byte) error {
	if len(digest) != 32 {
		return fmt.Errorf("ecdsa: digest: %w: %d bytes, want 32: hash messages first; for other hashes see TruncateHash", p256k1.ErrLength, len(digest))
	}
	z.SetBytesReduced((*[32]byte)(digest))
	return nil
}

func errFault() error {
	return fmt.Errorf("ecdsa: signature withheld: %w", p256k1.ErrFault)
}
