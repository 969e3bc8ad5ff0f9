package ecdsa

import (
	"crypto"
	"fmt"
	"io"

	"p256k1.mleku.dev/v2"
)

// Signer holds a private key and implements crypto.Signer.
type Signer struct {
	priv    *p256k1.PrivateKey
	checked bool
}

var _ crypto.Signer = (*Signer)(nil)

// NewSigner returns a Signer that signs with priv. It does not copy the key: after priv.Zero
// the Signer returns p256k1.ErrNoKey.
func NewSigner(priv *p256k1.PrivateKey) *Signer {
	return &Signer{priv: priv}
}

// NewCheckedSigner returns a Signer that signs with priv and detects hardware errors, like SignChecked. It does not
// copy the key: after priv.Zero the Signer returns p256k1.ErrNoKey.
func NewCheckedSigner(priv *p256k1.PrivateKey) *Signer {
	return &Signer{priv: priv, checked: true}
}

// Public returns the public key, a *p256k1.PublicKey.
func (s *Signer) Public() crypto.PublicKey {
	return s.priv.PublicKey()
}

// Sign returns a low-S signature of the digest in strict DER. If rand is nil, the nonce is
// deterministic (RFC 6979). Otherwise 32 bytes from rand are extra entropy for the nonce, as in
// SignWithEntropy. If opts names a hash function, the digest must have the length of that function's hashes, and Sign
// applies TruncateHash to the digest. Otherwise the digest must be 32 bytes. For other lengths the error is
// p256k1.ErrLength.
func (s *Signer) Sign(rand io.Reader, digest []byte, opts crypto.SignerOpts) ([]byte, error) {
	if opts != nil && opts.HashFunc() != 0 {
		if len(digest) != opts.HashFunc().Size() {
			return nil, fmt.Errorf("ecdsa: digest: %w: %d bytes, want the %d of %v", p256k1.ErrLength, len(digest), opts.HashFunc().Size(), opts.HashFunc())
		}
		digest = TruncateHash(digest)
	}
	var extra *[32]byte
	if rand != nil {
		extra = new([32]byte)
		if _, err := io.ReadFull(rand, extra[:]); err != nil {
			return nil, fmt.Errorf("ecdsa: reading entropy: %w", err)
		}
	}
	var sig RecoverableSignature
	var err error
	if s.checked {
		sig, err = SignChecked(s.priv, digest, extra)
	} else {
		sig, err = sign(s.priv, digest, extra)
	}
	if err != nil {
		return nil, err
	}
	return sig.Signature().DER(), nil
}

// MarshalText returns p256k1.ErrMarshal, so that encoders such as encoding/json refuse signers instead of silently
// omitting their keys.
func (Signer) MarshalText() ([]byte, error) {
	return nil, fmt.Errorf("ecdsa: signer: %w: encode the Bytes of its private key explicitly", p256k1.ErrMarshal)
}

// UnmarshalText returns p256k1.ErrMarshal and leaves s unchanged.
func (s *Signer) UnmarshalText([]byte) error {
	return fmt.Errorf("ecdsa: signer: %w: decode the bytes and use ParsePrivateKey and NewSigner", p256k1.ErrMarshal)
}
