// Package ecdsa has the functions of version 1's package ecdsa. They call functions of package p256k1 in this module.
// New programs should use version 2.
package ecdsa

import (
	"errors"

	"p256k1.mleku.dev"
)

// Signature is an ECDSA signature (r, s). The zero value is not a signature.
//
// Deprecated: use Signature of version 2's package ecdsa.
type Signature struct{ sig p256k1.ECDSASignature }

// RecoverableSignature is an ECDSA signature with its recovery id. The zero value is not a signature.
//
// Deprecated: use RecoverableSignature of version 2's package ecdsa.
type RecoverableSignature struct {
	sig p256k1.ECDSARecoverableSignature
}

type (
	// CompactSignature is an alias of p256k1.ECDSASignatureCompact, r‖s in 64 bytes.
	CompactSignature = p256k1.ECDSASignatureCompact
	// PublicKey is an alias of p256k1.PublicKey.
	PublicKey = p256k1.PublicKey
)

// Sign returns the signature of a digest of 32 bytes, with the nonce of RFC 6979 and s at most (n−1)/2.
//
// Deprecated: use Sign of version 2's package ecdsa.
func Sign(messageHash, privateKey []byte) (*Signature, error) {
	sig := new(Signature)
	if err := p256k1.ECDSASign(&sig.sig, messageHash, privateKey); err != nil {
		return nil, err
	}
	return sig, nil
}

// SignCompact returns r‖s of the signature that Sign makes.
//
// Deprecated: use Sign and Signature.Bytes of version 2's package ecdsa.
func SignCompact(messageHash, privateKey []byte) (*CompactSignature, error) {
	compact := new(CompactSignature)
	if err := p256k1.ECDSASignCompact(compact, messageHash, privateKey); err != nil {
		return nil, err
	}
	return compact, nil
}

// SignDER returns the DER encoding of the signature that Sign makes.
//
// Deprecated: use Sign and Signature.DER of version 2's package ecdsa.
func SignDER(messageHash, privateKey []byte) ([]byte, error) {
	return p256k1.ECDSASignDER(messageHash, privateKey)
}

// SignRecoverable returns the signature that Sign makes, with its recovery id.
//
// Deprecated: use SignRecoverable of version 2's package ecdsa.
func SignRecoverable(messageHash, privateKey []byte) (*RecoverableSignature, error) {
	sig := new(RecoverableSignature)
	if err := p256k1.ECDSASignRecoverable(&sig.sig, messageHash, privateKey); err != nil {
		return nil, err
	}
	return sig, nil
}

// Verify reports whether sig is a valid signature of a digest of 32 bytes, with s at most (n−1)/2.
//
// Deprecated: use VerifyLowS of version 2's package ecdsa, or Verify, which takes any s.
func Verify(sig *Signature, messageHash []byte, pubkey *PublicKey) bool {
	return sig != nil && p256k1.ECDSAVerify(&sig.sig, messageHash, pubkey)
}

// VerifyCompact reports whether r‖s is a valid signature of a digest of 32 bytes, with s at most (n−1)/2.
//
// Deprecated: use ParseCompact and VerifyLowS of version 2's package ecdsa.
func VerifyCompact(compact *CompactSignature, messageHash []byte, pubkey *PublicKey) bool {
	return p256k1.ECDSAVerifyCompact(compact, messageHash, pubkey)
}

// VerifyDER reports whether a signature in strict DER is a valid signature of a digest of 32 bytes, with s at most
// (n−1)/2.
//
// Deprecated: use ParseDER and VerifyLowS of version 2's package ecdsa.
func VerifyDER(sigDER, messageHash []byte, pubkey *PublicKey) bool {
	return p256k1.ECDSAVerifyDER(sigDER, messageHash, pubkey)
}

// Recover returns the public key for which sig is a valid signature of a digest of 32 bytes.
//
// Deprecated: use Recover of version 2's package ecdsa.
func Recover(sig *RecoverableSignature, messageHash []byte) (*PublicKey, error) {
	pubkey := new(PublicKey)
	if err := p256k1.ECDSARecover(pubkey, &sig.sig, messageHash); err != nil {
		return nil, err
	}
	return pubkey, nil
}

// RecoverCompact returns the public key for which sig64, the 64 bytes r‖s, with the recovery id recid is a valid
// signature of a digest of 32 bytes.
//
// Deprecated: use ParseRecoverable and Recover of version 2's package ecdsa.
func RecoverCompact(sig64 []byte, recid int, messageHash []byte) (*PublicKey, error) {
	pubkey := new(PublicKey)
	if err := p256k1.ECDSARecoverCompact(pubkey, sig64, recid, messageHash); err != nil {
		return nil, err
	}
	return pubkey, nil
}

// FromCompact returns the signature r‖s. It returns an error if r or s is zero or not below n.
//
// Deprecated: use ParseCompact of version 2's package ecdsa.
func FromCompact(compact *CompactSignature) (*Signature, error) {
	sig := new(Signature)
	if err := sig.sig.FromCompact(compact); err != nil {
		return nil, err
	}
	return sig, nil
}

// ParseDER returns the signature that der encodes in strict DER (BIP-66).
//
// Deprecated: use ParseDER of version 2's package ecdsa.
func ParseDER(der []byte) (*Signature, error) {
	sig := new(Signature)
	if err := sig.sig.ParseDER(der); err != nil {
		return nil, err
	}
	return sig, nil
}

// FromCompactRecoverable returns the signature r‖s, 64 bytes, with a recovery id.
//
// Deprecated: use ParseRecoverable of version 2's package ecdsa.
func FromCompactRecoverable(compact []byte, recid int) (*RecoverableSignature, error) {
	if len(compact) != 64 {
		return nil, errors.New("compact signature must be 64 bytes")
	}
	sig := new(RecoverableSignature)
	if err := sig.sig.FromCompact(compact, recid); err != nil {
		return nil, err
	}
	return sig, nil
}

// ToCompact returns r‖s.
func (s *Signature) ToCompact() *CompactSignature { return s.sig.ToCompact() }

// SerializeDER returns the signature in DER.
func (s *Signature) SerializeDER() []byte { return s.sig.SerializeDER() }

// R returns r in 32 bytes, big-endian.
func (s *Signature) R() []byte { return s.sig.GetR() }

// S returns s in 32 bytes, big-endian.
func (s *Signature) S() []byte { return s.sig.GetS() }

// IsLowS reports whether s is at most (n−1)/2.
func (s *Signature) IsLowS() bool { return s.sig.IsLowS() }

// NormalizeLowS replaces s by n − s if s is above (n−1)/2.
func (s *Signature) NormalizeLowS() { s.sig.NormalizeLowS() }

// ToCompact returns r‖s, 64 bytes, and the recovery id.
func (s *RecoverableSignature) ToCompact() ([]byte, int) { return s.sig.ToCompact() }
