package schnorr

import (
	"crypto"
	"fmt"
	"io"

	"p256k1.mleku.dev/v2"
)

// Signer holds a private key and implements crypto.MessageSigner.
type Signer struct {
	priv    *p256k1.PrivateKey
	checked bool
}

var _ crypto.MessageSigner = (*Signer)(nil)

// NewSigner returns a Signer that signs with priv, as Sign does. It does not copy the key: after priv.Zero the Signer
// returns p256k1.ErrNoKey.
func NewSigner(priv *p256k1.PrivateKey) *Signer {
	return &Signer{priv: priv}
}

// NewCheckedSigner returns a Signer that signs with priv and detects hardware errors, as SignChecked does. It does
// not copy the key: after priv.Zero the Signer returns p256k1.ErrNoKey.
func NewCheckedSigner(priv *p256k1.PrivateKey) *Signer {
	return &Signer{priv: priv, checked: true}
}

// Public returns the public key, a *p256k1.XOnlyPublicKey.
func (s *Signer) Public() crypto.PublicKey {
	return s.priv.PublicKey().XOnly()
}

// SignMessage returns the 64-byte signature of a message of any length. The
// auxiliary randomness is read from rand, or from crypto/rand if rand is nil. If opts is not nil and names a hash
// function, SignMessage signs the hash of msg instead of msg, because Bitcoin and Nostr sign hashes.
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

// Sign returns the 64-byte signature of digest, which it does not hash. The auxiliary randomness is
// read from rand, or from crypto/rand if rand is nil. If opts is not nil and names a hash function, digest must have
// the length of that function's hashes.
func (s *Signer) Sign(rand io.Reader, digest []byte, opts crypto.SignerOpts) ([]byte, error) {
	if opts != nil && opts.HashFunc() != 0 && len(digest) != opts.HashFunc().Size() {
		return nil, fmt.Errorf("schnorr: digest: %w: %d bytes, want the %d of %v", p256k1.ErrLength, len(digest), opts.HashFunc().Size(), opts.HashFunc())
	}
	return s.sign(rand, digest)
}

func (s *Signer) sign(rand io.Reader, msg []byte) ([]byte, error) {
	var auxRand *[32]byte
	if rand != nil {
		auxRand = new([32]byte)
		if _, err := io.ReadFull(rand, auxRand[:]); err != nil {
			return nil, fmt.Errorf("schnorr: reading randomness: %w", err)
		}
	}
	var sig [64]byte
	var err error
	if s.checked {
		sig, err = SignChecked(s.priv, msg, auxRand)
	} else {
		sig, err = Sign(s.priv, msg, auxRand)
	}
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
