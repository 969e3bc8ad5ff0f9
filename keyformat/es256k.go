package keyformat

import (
	"crypto"
	"crypto/rand"
	"crypto/sha256"
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
)

// SignES256K returns the ES256K signature of a JWS Signing Input (RFC 8812, section 3.2): an ECDSA signature of the
// input's SHA-256 hash, encoded as r‖s in 64 bytes. The signature is always low-S, which the RFC does not require.
//
// The signer's public key must be a *p256k1.PublicKey, and its signatures must be strict DER, as crypto.Signer
// specifies for ECDSA keys. ecdsa.NewSigner makes such a signer from a private key. A signer for a key in a hardware
// module needs only the two methods of crypto.Signer. SignES256K passes crypto/rand.Reader to the signer, and verifies
// the signature before returning it. The error is ErrSigner, p256k1.ErrFault if the signature does not verify, an error
// of ecdsa.ParseDER, or an error of the signer.
func SignES256K(signer crypto.Signer, input []byte) ([]byte, error) {
	pub, ok := signer.Public().(*p256k1.PublicKey)
	if !ok || pub == nil {
		return nil, fmt.Errorf("keyformat: ES256K: %w: its public key is not a *p256k1.PublicKey", ErrSigner)
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
		return nil, fmt.Errorf("keyformat: ES256K: %w: the signer's signature does not verify", p256k1.ErrFault)
	}
	return sig, nil
}

// VerifyES256K reports whether sig, 64 bytes r‖s, is an ES256K signature (RFC 8812, section 3.2) of a JWS Signing Input
// by pub. It accepts any s in [1, n−1], because the RFC does not require a low s, and signers that do not normalize s
// make a high s half of the time. Whoever holds a token can therefore make another valid token with the same header and
// claims, so identify tokens by their claims (jti) and not by their signatures. VerifyES256K reports false if pub is
// invalid. The time depends on all arguments, which are public.
func VerifyES256K(pub *p256k1.PublicKey, input, sig []byte) bool {
	parsed, err := ecdsa.ParseCompact(sig)
	if err != nil {
		return false
	}
	digest := sha256.Sum256(input)
	return ecdsa.Verify(pub, digest[:], parsed)
}
