package p256k1

import (
	"errors"

	p256k1 "p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
)

// ECDSASignature is an ECDSA signature (r, s). The zero value is not a signature.
//
// Deprecated: use Signature of version 2's package ecdsa.
type ECDSASignature struct{ sig ecdsa.Signature }

// ECDSASignatureCompact is r‖s, 32 bytes each, big-endian.
type ECDSASignatureCompact [64]byte

// V2 returns the signature as a signature of version 2, so that a program can move to version 2 step by step.
func (sig *ECDSASignature) V2() ecdsa.Signature { return sig.sig }

// ECDSASign sets sig to the signature of a digest of 32 bytes, with the nonce of RFC 6979 and s at most (n−1)/2.
//
// Deprecated: use Sign of version 2's package ecdsa.
func ECDSASign(sig *ECDSASignature, msghash32, seckey []byte) error {
	key, err := signingKey(msghash32, seckey)
	if err != nil {
		return err
	}
	defer key.Zero()
	sig.sig, err = ecdsa.Sign(key, msghash32, nil)
	return err
}

// signingKey returns the private key in seckey. The errors have the same texts as in version 1.
func signingKey(msghash32, seckey []byte) (*p256k1.PrivateKey, error) {
	if len(msghash32) != 32 {
		return nil, errDigestLength
	}
	if len(seckey) != 32 {
		return nil, errors.New("private key must be 32 bytes")
	}
	key, err := p256k1.ParsePrivateKey(seckey)
	if err != nil {
		return nil, errors.New("invalid private key")
	}
	return key, nil
}

// ECDSASignCompact sets compact to r‖s of the signature that ECDSASign makes.
//
// Deprecated: use Sign and Signature.Bytes of version 2's package ecdsa.
func ECDSASignCompact(compact *ECDSASignatureCompact, msghash32, seckey []byte) error {
	var sig ECDSASignature
	if err := ECDSASign(&sig, msghash32, seckey); err != nil {
		return err
	}
	copy(compact[:], sig.sig.Bytes())
	return nil
}

// ECDSASignDER returns the DER encoding of the signature that ECDSASign makes.
//
// Deprecated: use Sign and Signature.DER of version 2's package ecdsa.
func ECDSASignDER(msghash32, seckey []byte) ([]byte, error) {
	var sig ECDSASignature
	if err := ECDSASign(&sig, msghash32, seckey); err != nil {
		return nil, err
	}
	return sig.sig.DER(), nil
}

// ECDSAVerify reports whether sig is a valid signature of a digest of 32 bytes by pubkey, with s at most (n−1)/2.
//
// Deprecated: use VerifyLowS of version 2's package ecdsa, or Verify, which takes any s.
func ECDSAVerify(sig *ECDSASignature, msghash32 []byte, pubkey *PublicKey) bool {
	return sig != nil && pubkey != nil && ecdsa.VerifyLowS(&pubkey.key, msghash32, sig.sig)
}

// ECDSAVerifyCompact reports whether r‖s is a valid signature of a digest of 32 bytes by pubkey, with s at most
// (n−1)/2.
//
// Deprecated: use ParseCompact and VerifyLowS of version 2's package ecdsa.
func ECDSAVerifyCompact(compact *ECDSASignatureCompact, msghash32 []byte, pubkey *PublicKey) bool {
	var sig ECDSASignature
	return compact != nil && sig.FromCompact(compact) == nil && ECDSAVerify(&sig, msghash32, pubkey)
}

// ECDSAVerifyDER reports whether a signature in strict DER is a valid signature of a digest of 32 bytes by pubkey, with
// s at most (n−1)/2.
//
// Deprecated: use ParseDER and VerifyLowS of version 2's package ecdsa.
func ECDSAVerifyDER(sigDER, msghash32 []byte, pubkey *PublicKey) bool {
	var sig ECDSASignature
	return sig.ParseDER(sigDER) == nil && ECDSAVerify(&sig, msghash32, pubkey)
}

// ToCompact returns r‖s.
//
// Deprecated: use Signature.Bytes of version 2's package ecdsa.
func (sig *ECDSASignature) ToCompact() *ECDSASignatureCompact {
	var compact ECDSASignatureCompact
	copy(compact[:], sig.sig.Bytes())
	return &compact
}

// FromCompact sets sig to r‖s. If r or s is zero or not below n, there is an error, and sig is unchanged.
//
// Deprecated: use ParseCompact of version 2's package ecdsa.
func (sig *ECDSASignature) FromCompact(compact *ECDSASignatureCompact) error {
	parsed, err := ecdsa.ParseCompact(compact[:])
	if err != nil {
		return errSignature
	}
	sig.sig = parsed
	return nil
}

// SerializeDER returns the signature in DER.
//
// Deprecated: use Signature.DER of version 2's package ecdsa.
func (sig *ECDSASignature) SerializeDER() []byte { return sig.sig.DER() }

// ParseDER sets sig to a signature in strict DER (BIP-66). If there is an error, sig is unchanged.
//
// Deprecated: use ParseDER of version 2's package ecdsa.
func (sig *ECDSASignature) ParseDER(der []byte) error {
	parsed, err := ecdsa.ParseDER(der)
	if err != nil {
		return err
	}
	sig.sig = parsed
	return nil
}

// GetR returns r in 32 bytes, big-endian.
//
// Deprecated: use Signature.Bytes of version 2's package ecdsa.
func (sig *ECDSASignature) GetR() []byte { return sig.ToCompact()[:32:32] }

// GetS returns s in 32 bytes, big-endian.
//
// Deprecated: use Signature.Bytes of version 2's package ecdsa.
func (sig *ECDSASignature) GetS() []byte { return sig.ToCompact()[32:] }

// IsLowS reports whether s is at most (n−1)/2.
//
// Deprecated: use Signature.IsLowS of version 2's package ecdsa.
func (sig *ECDSASignature) IsLowS() bool { return sig.sig.IsLowS() }

// NormalizeLowS replaces s by n − s if s is above (n−1)/2.
//
// Deprecated: use Signature.NormalizeS of version 2's package ecdsa.
func (sig *ECDSASignature) NormalizeLowS() { sig.sig = sig.sig.NormalizeS() }

// ECDSARecoverableSignature is an ECDSA signature with its recovery id.
//
// Deprecated: use RecoverableSignature of version 2's package ecdsa.
type ECDSARecoverableSignature struct{ sig ecdsa.RecoverableSignature }

// ECDSASignRecoverable sets sig to the signature that ECDSASign makes, with its recovery id.
//
// Deprecated: use SignRecoverable of version 2's package ecdsa.
func ECDSASignRecoverable(sig *ECDSARecoverableSignature, msghash32, seckey []byte) error {
	key, err := signingKey(msghash32, seckey)
	if err != nil {
		return err
	}
	defer key.Zero()
	sig.sig, err = ecdsa.SignRecoverable(key, msghash32, nil)
	return err
}

// ToCompact returns r‖s, 64 bytes, and the recovery id, 0 to 3.
//
// Deprecated: use RecoverableSignature.Bytes of version 2's package ecdsa, whose last byte is the recovery id.
func (sig *ECDSARecoverableSignature) ToCompact() ([]byte, int) {
	b := sig.sig.Bytes()
	if len(b) != 65 {
		return make([]byte, 64), 0
	}
	return b[:64:64], int(b[64])
}

// FromCompact sets sig to r‖s, 64 bytes, with the recovery id. If there is an error, sig is unchanged.
//
// Deprecated: use ParseRecoverable of version 2's package ecdsa.
func (sig *ECDSARecoverableSignature) FromCompact(compact []byte, recid int) error {
	if len(compact) != 64 {
		return errSignatureLength
	}
	if recid < 0 || recid > 3 {
		return errors.New("recovery id must be 0 to 3")
	}
	parsed, err := ecdsa.ParseRecoverable(append(compact[:64:64], byte(recid)))
	if err != nil {
		return errSignature
	}
	sig.sig = parsed
	return nil
}

// ECDSARecover sets pubkey to the public key for which sig is a valid signature of a digest of 32 bytes.
//
// Deprecated: use Recover of version 2's package ecdsa.
func ECDSARecover(pubkey *PublicKey, sig *ECDSARecoverableSignature, msghash32 []byte) error {
	if len(msghash32) != 32 {
		return errDigestLength
	}
	key, err := ecdsa.Recover(msghash32, sig.sig)
	if err != nil {
		return err
	}
	pubkey.key = *key
	return nil
}

// ECDSARecoverCompact sets pubkey to the public key for which sig64, the 64 bytes r‖s, with the recovery id recid is a
// valid signature of a digest of 32 bytes.
//
// Deprecated: use ParseRecoverable and Recover of version 2's package ecdsa.
func ECDSARecoverCompact(pubkey *PublicKey, sig64 []byte, recid int, msghash32 []byte) error {
	var sig ECDSARecoverableSignature
	if err := sig.FromCompact(sig64, recid); err != nil {
		return err
	}
	return ECDSARecover(pubkey, &sig, msghash32)
}
