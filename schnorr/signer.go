package schnorr

import (
	"crypto"
	"fmt"
	"io"

	"p256k1.mleku.dev/v2"
)

// Signer holds a private key and implements crypto.MessageSigner.
type Signer struct {
	priv *p256k1.PrivateKey
	opts Options
}

var _ crypto.MessageSigner = (*Signer)(nil)

// NewSigner returns a Signer that signs with priv and opts. It copies neither the key nor AuxRand: after priv.Zero the
// Signer returns p256k1.ErrNoKey.
func NewSigner(priv *p256k1.PrivateKey, opts *Options) *Signer {
	return &Signer{priv, opts.get()}
}

// Public returns the public key, a *p256k1.XOnlyPublicKey.
func (s *Signer) Public() crypto.PublicKey {
	return s.priv.PublicKey().XOnly()
}

// SignMessage returns the 64-byte signature of a message of any length. If rand is not nil, the auxiliary randomness is
// read from rand instead of Options.AuxRand. If opts is not nil and names a hash function, SignMessage signs the hash
// of msg instead of msg, because Bitcoin and Nostr sign hashes.
func (s *Signer) SignMessage(rand io.Reader, msg []byte, opts crypto.SignerOpts) ([]byte, error) {
	if opts != nil && opts.HashFunc() != 0 {
		if !opts.HashFunc().Available() {
			return nil, fmt.Errorf("schnorr: hash function %v is not linked into the program", opts.HashFunc())
		}
		h := opts.HashFunc().New()
		h.Write(msg)
		msg = h.Sum(nil)
	}
	return s.sign(rand, msg)
}

// Sign returns the 64-byte signature of digest, which it does not hash. If rand is not nil, the auxiliary randomness is
// read from rand instead of Options.AuxRand. If opts is not nil and names a hash function, digest must have the length
// of that function's hashes.
func (s *Signer) Sign(rand io.Reader, digest []byte, opts crypto.SignerOpts) ([]byte, error) {
	if opts != nil && opts.HashFunc() != 0 && len(digest) != opts.HashFunc().Size() {
		return nil, fmt.Errorf("schnorr: digest: %w: %d bytes, want the %d of %v", p256k1.ErrLength, len(digest), opts.HashFunc().Size(), opts.HashFunc())
	}
	return s.sign(rand, digest)
}

func (s *Signer) sign(rand io.Reader, msg []byte) ([]byte, error) {
	opts := s.opts
	if rand != nil {
		opts.AuxRand = new([32]byte)
		if _, err := io.ReadFull(rand, opts.AuxRand[:]); err != nil {
			return nil, fmt.Errorf("schnorr: reading randomness: %w", err)
		}
	}
	sig, err := Sign(s.priv, msg, &opts)
	if err != nil {
		return nil, err
	}
	return sig[:], nil
}

// MarshalText returns p256k1.ErrMarshal, so that encoders such as encoding/json refuse signers instead of silently
// omitting their keys.
func (Signer) MarshalText() ([]byte, error) {
	return nil, fmt.Errorf("schnorr: signer: %w: encode the Bytes of its private key explicitly", p256k1.ErrMarshal)
}

// UnmarshalText returns p256k1.ErrMarshal and leaves s unchanged.
func (s *Signer) UnmarshalText([]byte) error {
	return fmt.Errorf("schnorr: signer: %w: decode the bytes and use ParsePrivateKey and NewSigner", p256k1.ErrMarshal)
}
