package ecdsa

import (
	"crypto"
	"fmt"
	"io"

	"p256k1.mleku.dev/v2"
)

// Signer holds a private key and implements crypto.Signer.
type Signer struct {
	priv *p256k1.PrivateKey
	opts Options
}

var _ crypto.Signer = (*Signer)(nil)

// NewSigner returns a Signer that signs with priv and opts. It copies neither the key nor the entropy: after priv.Zero
// the Signer returns p256k1.ErrNoKey.
func NewSigner(priv *p256k1.PrivateKey, opts *Options) *Signer {
	return &Signer{priv, opts.get()}
}

// Public returns the public key, a *p256k1.PublicKey.
func (s *Signer) Public() crypto.PublicKey {
	return s.priv.PublicKey()
}

// Sign returns a low-S signature of the digest in strict DER. If rand is not nil, 32 bytes from rand take the place of
// Options.Entropy. If opts names a hash function, the digest must have the length of that function's hashes, and Sign
// applies TruncateHash to the digest. Otherwise the digest must be 32 bytes. For other lengths the error is
// p256k1.ErrLength.
func (s *Signer) Sign(rand io.Reader, digest []byte, opts crypto.SignerOpts) ([]byte, error) {
	if opts != nil && opts.HashFunc() != 0 {
		if len(digest) != opts.HashFunc().Size() {
			return nil, fmt.Errorf("ecdsa: digest: %w: %d bytes, want the %d of %v", p256k1.ErrLength, len(digest), opts.HashFunc().Size(), opts.HashFunc())
		}
		digest = TruncateHash(digest)
	}
	own := s.opts
	if rand != nil {
		own.Entropy = new([32]byte)
		if _, err := io.ReadFull(rand, own.Entropy[:]); err != nil {
			return nil, fmt.Errorf("ecdsa: reading entropy: %w", err)
		}
	}
	sig, err := Sign(s.priv, digest, &own)
	if err != nil {
		return nil, err
	}
	return sig.DER(), nil
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
