// Package ecdsa implements ECDSA over secp256k1 (SEC 1, section 4.1; FIPS 186-5): signing with the deterministic nonces
// of RFC 6979, verification, and the recovery of public keys from signatures.
//
// A digest is the 32-byte hash of a message, computed with the hash function that the protocol requires. Functions take
// digests, not messages, and refuse digests of any other length. TruncateHash turns a hash of another length into a
// digest.
//
// The examples are in example_test.go.
package ecdsa

import (
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/schemes/verify"
	"p256k1.mleku.dev/v2/rfc6979"
)

// TruncateHash returns the 32-byte digest for a hash of any length, which is the leftmost 32 bytes of the hash (SEC 1,
// section 4.1.3, step 5; FIPS 186-5, section 6.4; RFC 6979, section 2.3.2), in the memory of the hash. A shorter hash
// is copied and padded with leading zeros, which do not change the big-endian integer that it encodes. For a hash of 0
// bytes, TruncateHash returns nil. TruncateHash is for protocols that hash with SHA-512 or SHA-1, for example. Do not
// pass a message to TruncateHash, because messages that begin with the same 32 bytes would have the same digest.
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

// Options holds the optional arguments of the functions that sign. A nil *Options stands for the zero value.
type Options struct {
	unstored

	// Entropy is 32 bytes that are hashed into the nonce, together with the key and the digest (RFC 6979, section 3.6).
	// They need be neither secret nor random. The signatures of a batch share them, and their nonces differ because
	// their keys or digests do. If Entropy is nil, the nonce depends only on the key and the digest.
	Entropy *[32]byte

	// Checked makes signing detect hardware errors. Without the check, one wrong signature can reveal the private key,
	// and so can a correct and a wrong signature of the same digest. With Checked, each digest is signed twice, and a
	// signature is returned only if both signatures are the same and the public key recovered from the signature is the
	// public key of the private key. Otherwise the error is p256k1.ErrFault. Checked signing takes about as long as
	// signing twice and recovering the keys.
	//
	// A single hardware error, transient or permanent, in the computation from the private key and the digest never
	// leads to a signature that differs from the result without an error. Checked does not detect these errors:
	//
	//   - Errors in the bytes of the key or of the digest before the call. Compare the public key of the private key
	//     with the expected one.
	//   - The same error in both computations of a nonce. The signature is then valid, and with entropy that is used
	//     for no other signature of the digest it does not reveal the key, unless the nonce becomes predictable.
	//   - An error that makes the program skip the check.
	Checked bool
}

// get returns the options, or the zero value for nil.
func (o *Options) get() Options {
	if o == nil {
		return Options{}
	}
	return *o
}

// Sign signs a 32-byte digest with the nonce of RFC 6979, derived with HMAC-SHA256. The signature is always low-S
// (BIP-62): s ≤ (n−1)/2. Sign is constant-time, and allocates nothing. The error is p256k1.ErrLength if digest has
// another length, p256k1.ErrNoKey if priv is invalid, or p256k1.ErrFault, see Options.Checked.
func Sign(priv *p256k1.PrivateKey, digest []byte, opts *Options) (Signature, error) {
	sig, err := SignRecoverable(priv, digest, opts)
	return sig.Signature(), err
}

// SignRecoverable signs a 32-byte digest like Sign, and returns the signature with a recovery id, which lets Recover
// compute the public key.
func SignRecoverable(priv *p256k1.PrivateKey, digest []byte, opts *Options) (RecoverableSignature, error) {
	o := opts.get()
	sig, err := sign(priv, digest, o.Entropy)
	if err != nil || !o.Checked {
		return sig, err
	}
	again, err := sign(priv, digest, o.Entropy)
	if err != nil || again != sig || !check(priv.PublicKey(), digest, &sig) {
		return RecoverableSignature{}, errFault()
	}
	return sig, nil
}

// check reports whether sig has a low s and a recovery id in 0 … 3, and Recover returns the public key pub for sig. A
// signature is always valid for the key that is recovered from it.
func check(pub *p256k1.PublicKey, digest []byte, sig *RecoverableSignature) bool {
	k, err := recoverKey(digest, sig)
	return err == nil && k.Equal(pub) && sig.Signature().IsLowS() && sig.rsv[64] <= 3
}

func sign(priv *p256k1.PrivateKey, digest []byte, entropy *[32]byte) (sig RecoverableSignature, err error) {
	var z curve.Scalar
	if err := setDigest(&z, digest); err != nil {
		return sig, err
	}
	err = priv.Use(func(d curve.Scalar) error { return signScalar(&sig, &d, &z, entropy) })
	return sig, err
}

// signScalar sets sig to the signature of z with the key d.
func signScalar(sig *RecoverableSignature, d, z *curve.Scalar, entropy *[32]byte) error {
	var nonces rfc6979.Generator
	var nonce [32]byte
	defer nonces.Zero()
	defer clear(nonce[:])
	seed(&nonces, d, z, entropy)
	for range 16 { // a nonce is rejected with a probability below 2⁻¹²⁷
		if err := nonces.Next(&nonce); err != nil {
			return err
		}
		if sig.setWithNonce(d, z, &nonce) {
			return nil
		}
	}
	return errFault()
}

// seed initializes the generator of nonces for the key d, the digest z and, unless it is nil, the entropy.
func seed(nonces *rfc6979.Generator, d, z *curve.Scalar, entropy *[32]byte) {
	var extra []byte
	if entropy != nil {
		extra = entropy[:]
	}
	key := (*[32]byte)(d.Bytes())
	nonces.Init(key, (*[32]byte)(z.Bytes()), extra)
	clear(key[:])
}

// setWithNonce sets sig to the low-S signature of z with the key d and the nonce. It reports false and leaves sig
// unchanged if the nonce is not in [1, n−1], or r or s is zero.
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

// setNonce sets k to the nonce if it is below n, and otherwise to zero, which is not a valid nonce.
func setNonce(k *curve.Scalar, nonce *[32]byte) {
	// This branch reveals at most that a nonce was rejected, and nothing about the nonce that is used.
	if _, err := k.SetBytes(nonce[:]); err != nil {
		k.Zero()
	}
}

// set sets sig to the low-S signature of z with the key d, the inverse of the nonce k, and point, which is k·G. It
// reports false and leaves sig unchanged if k, r or s is zero.
func (sig *RecoverableSignature) set(d, z, inverse *curve.Scalar, point *curve.Point) bool {
	x, err := point.BytesX()
	if err != nil {
		return false
	}
	// R = k·G is part of the signature, so R and r are public from here on.
	var r, s curve.Scalar
	id := point.IsYOdd()
	if _, err := r.SetBytes(x); err != nil {
		r.SetBytesReduced((*[32]byte)(x))
		id |= 2
	}
	// s = k⁻¹·(z + r·d). A high s is replaced by n − s, which is the result for the nonce −k and the point −R.
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

// Verify reports whether sig is a valid signature of the 32-byte digest by pub. It accepts any s in [1, n−1], as
// Bitcoin's consensus rules and most other protocols do. It reports false if digest has another length, pub is invalid,
// or sig is the zero value. The time depends on all arguments, which are public.
func Verify(pub *p256k1.PublicKey, digest []byte, sig Signature) bool {
	var r, u1, u2 curve.Scalar
	point := pub.Point()
	if !sig.sumVartime(&r, &u1, &u2, digest) || point.IsInfinity() == 1 {
		return false
	}
	return verify.XModNVartime(&u2, point, &u1, &r)
}

// sumVartime sets r, u1 = z/s and u2 = r/s: sig is valid if the x coordinate of u1·G + u2·P is r modulo n. It reports
// false if digest is not 32 bytes, or r or s is not in [1, n−1].
func (sig *Signature) sumVartime(r, u1, u2 *curve.Scalar, digest []byte) bool {
	if !sig.scalars(r, u2) || setDigest(u1, digest) != nil {
		return false
	}
	divideVartime(u1, u2, r)
	return true
}

// divideVartime sets z = z/s and s = r/s.
func divideVartime(z, s, r *curve.Scalar) {
	s.InvertVartime(s)
	z.Mul(z, s)
	s.Mul(r, s)
}

// VerifyLowS reports whether sig is a valid signature of the 32-byte digest by pub and has a low s: s ≤ (n−1)/2.
// Bitcoin's relay policy, Ethereum's transactions and Cosmos require a low s. If only a low s is accepted, nobody can
// turn a signature into another valid signature of the same digest by the same key. The time depends on all arguments,
// which are public.
func VerifyLowS(pub *p256k1.PublicKey, digest []byte, sig Signature) bool {
	return sig.IsLowS() && Verify(pub, digest, sig)
}

// setDigest sets z to the digest as a big-endian integer modulo n (SEC 1, section 4.1.3, step 5). The error is
// p256k1.ErrLength if the digest is not 32 bytes.
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
