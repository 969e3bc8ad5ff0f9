package keyformat

import (
	"crypto"
	"crypto/rand"
	"crypto/sha256"
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
)

// SignES256K returns the signature ES256K of a JWS Signing Input (RFC 8812,
// section 3.2): ECDSA over its SHA-256, as r‖s, 64 bytes. It is always low-S,
// which the RFC leaves open.
//
// The signer's public key must be a *p256k1.PublicKey, and its signatures strict DER,
// as crypto.Signer has them. ecdsa.NewSigner makes such a signer of a private key. For
// a key in a hardware module, these two methods are enough. The signer is given
// crypto/rand.Reader. The signature is verified before it is returned. The error is
// ErrSigner, p256k1.ErrFault for a signature that does not verify, one of
// ecdsa.ParseDER, or the signer's.
func SignES256K(signer crypto.Signer, input []byte) ([]byte, error) {
	pub, ok := signer.Public().(*p256k1.PublicKey)
	if !ok || pub == nil {
		return nil, fmt.Errorf("keyformat: ES256K: %w: its public key is no *p256k1.PublicKey", ErrSigner)
	}
	der, err := crypto.SignMessage(signer, rand.Reader, input, crypto.SHA256)
	if err != nil {
		return nil, fmt.Errorf("keyformat: ES256K: %w", err)
	}
	parsed, err := ecdsa.ParseDER(der)
	if err != nil {
		return nil, fmt.Errorf("keyformat: ES256K: %w", err)
	}
	sig := parsed.NormalizeS().Bytes()
	if !VerifyES256K(pub, input, sig) {
		return nil, fmt.Errorf("keyformat: ES256K: %w: the signature is not one of the signer's public key", p256k1.ErrFault)
	}
	return sig, nil
}

// VerifyES256K reports whether sig, r‖s of 64 bytes, is the signature ES256K (RFC
// 8812, section 3.2) of a JWS Signing Input by pub. It accepts any s in [1, n−1]:
// the RFC does not ask for a low one, and half of the signatures of signers that
// do not know of it have a high one. Whoever holds a token can therefore make
// another one with the same header and claims; tokens must be told apart by these
// (jti) and not by their signatures. A key that is nil or was never set is false. Its
// time depends on its arguments, which are public.
func VerifyES256K(pub *p256k1.PublicKey, input, sig []byte) bool {
	parsed, err := ecdsa.ParseCompact(sig)
	if err != nil {
		return false
	}
	digest := sha256.Sum256(input)
	return ecdsa.Verify(pub, digest[:], parsed)
}
