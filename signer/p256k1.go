package signer

import (
	"errors"
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/secret"
)

// P256K1Signer implements the interface I with keys of package p256k1. The zero value has no key.
type P256K1Signer struct {
	priv *p256k1.PrivateKey // nil if only the public key is known
	pub  *p256k1.XOnlyPublicKey
}

var _ I = (*P256K1Signer)(nil)

// NewP256K1Signer returns a signer without a key.
func NewP256K1Signer() *P256K1Signer {
	return new(P256K1Signer)
}

// Generate makes a new key pair with randomness from crypto/rand. The public key has even y.
func (s *P256K1Signer) Generate() error {
	priv, err := p256k1.GenerateKey()
	if err != nil {
		return fmt.Errorf("signer: %w", err)
	}
	if priv.PublicKey().IsYOdd() {
		odd := priv
		priv = odd.Negate()
		odd.Zero()
	}
	s.set(priv)
	return nil
}

// InitSec sets the secret key to the 32-byte big-endian integer sec, and sets the public key that belongs to it. If sec
// is not a valid key, the error is p256k1.ErrLength or p256k1.ErrRange, and the signer is unchanged.
func (s *P256K1Signer) InitSec(sec []byte) error {
	priv, err := p256k1.ParsePrivateKey(sec)
	if err != nil {
		return fmt.Errorf("signer: secret key: %w", errors.Unwrap(err))
	}
	s.set(priv)
	return nil
}

// InitKey sets the secret key to a copy of key, for example of the key that nip19.ParsePrivateKey returns for an nsec,
// and sets the public key that belongs to it. No other copy of the secret remains, so after Zero of both key and the
// signer, memory holds none. If key is invalid, the error is p256k1.ErrNoKey, and the signer is unchanged.
func (s *P256K1Signer) InitKey(key *p256k1.PrivateKey) error {
	d, err := key.Scalar()
	if err != nil {
		return fmt.Errorf("signer: secret key: %w", errors.Unwrap(err))
	}
	defer d.Zero()
	priv, err := p256k1.NewPrivateKey(d)
	if err != nil {
		return fmt.Errorf("signer: secret key: %w", errors.Unwrap(err))
	}
	s.set(priv)
	return nil
}

func (s *P256K1Signer) set(priv *p256k1.PrivateKey) {
	s.Zero()
	s.priv = priv
	s.pub = priv.PublicKey().XOnly()
}

// InitPub sets the public key to the 32-byte x-only key pub, and removes the secret key. If pub is not a valid key, the
// error is p256k1.ErrLength, p256k1.ErrRange or p256k1.ErrNotOnCurve, and the signer is unchanged.
func (s *P256K1Signer) InitPub(pub []byte) error {
	x, err := p256k1.ParseXOnlyPublicKey(pub)
	if err != nil {
		return fmt.Errorf("signer: public key: %w", errors.Unwrap(err))
	}
	s.Zero()
	s.pub = x
	return nil
}

// Sec returns the 32-byte secret key in a new slice, or nil if there is no secret key.
func (s *P256K1Signer) Sec() []byte {
	return s.priv.Bytes()
}

// Pub returns the 32-byte x-only public key in a new slice, or nil if there is no key.
func (s *P256K1Signer) Pub() []byte {
	return s.pub.Bytes()
}

// PubCompressed returns the 33-byte compressed encoding (SEC 1, section 2.3.3) of d·G, where d is the secret key that
// Sec returns. The y coordinate of d·G may be odd. Without a secret key the error is p256k1.ErrNoKey, because an x-only
// public key does not determine y.
func (s *P256K1Signer) PubCompressed() ([]byte, error) {
	if s.priv == nil {
		return nil, fmt.Errorf("signer: public key: %w", p256k1.ErrNoKey)
	}
	return s.priv.PublicKey().Bytes(), nil
}

// Sign returns the 64-byte BIP-340 signature of a message, with fresh auxiliary randomness. Without a secret key the
// error is p256k1.ErrNoKey.
func (s *P256K1Signer) Sign(msg []byte) ([]byte, error) {
	if s.priv == nil {
		return nil, fmt.Errorf("signer: secret key: %w", p256k1.ErrNoKey)
	}
	sig, err := schnorr.Sign(s.priv, msg, nil)
	if err != nil {
		return nil, fmt.Errorf("signer: %w", err)
	}
	return sig[:], nil
}

// Verify reports whether sig is a BIP-340 signature of the message by the public key. The error is p256k1.ErrNoKey if
// there is no key, or p256k1.ErrLength if sig is not 64 bytes.
func (s *P256K1Signer) Verify(msg, sig []byte) (bool, error) {
	if s.pub == nil {
		return false, fmt.Errorf("signer: public key: %w", p256k1.ErrNoKey)
	}
	if len(sig) != schnorr.Size {
		return false, fmt.Errorf("signer: signature: %w: %d bytes, want %d", p256k1.ErrLength, len(sig), schnorr.Size)
	}
	return schnorr.Verify(s.pub, msg, sig), nil
}

// Zero wipes the secret key and forgets the public key.
func (s *P256K1Signer) Zero() {
	s.priv.Zero()
	*s = P256K1Signer{}
}

// ECDH returns the SHA-256 hash of the compressed point that is shared with the owner of the 32-byte x-only public key
// pub, in a new slice of 32 bytes. It uses the secret key of the point with even y, so the result equals the result of
// ecdh.SHA256 only if both public keys have even y, or both have odd y. The error is p256k1.ErrNoKey if there is no
// secret key, or p256k1.ErrLength, p256k1.ErrRange or p256k1.ErrNotOnCurve if pub is not a valid key.
func (s *P256K1Signer) ECDH(pub []byte) ([]byte, error) {
	peer, err := p256k1.ParseXOnlyPublicKey(pub)
	if err != nil {
		return nil, fmt.Errorf("signer: ECDH: public key: %w", errors.Unwrap(err))
	}
	return s.agree(func() ([32]byte, error) {
		// The peer's point has even y. Our secret key, d or n − d, must be the one whose point also has even y. The
		// choice between d and n − d is secret.
		point := peer.Point()
		even, err := p256k1.NewPublicKey(point.CondNegate(point, s.priv.PublicKey().Point().IsYOdd()))
		if err != nil {
			return [32]byte{}, err
		}
		return ecdh.SHA256(s.priv, even)
	})
}

// ECDHRaw returns the x coordinate of the point that is shared with the owner of the public key pub, in a new slice of
// 32 bytes. pub is a 32-byte x-only key, or a 33-byte compressed key, whose parity does not affect the result. The
// error is p256k1.ErrNoKey if there is no secret key, or p256k1.ErrLength, p256k1.ErrPrefix, p256k1.ErrRange or
// p256k1.ErrNotOnCurve if pub is not a valid key.
func (s *P256K1Signer) ECDHRaw(pub []byte) ([]byte, error) {
	peer, err := parsePeer(pub)
	if err != nil {
		return nil, fmt.Errorf("signer: ECDH: public key: %w", errors.Unwrap(err))
	}
	return s.agree(func() ([32]byte, error) { return ecdh.XFromXOnly(s.priv, peer) })
}

// parsePeer returns the public key that pub encodes in 32 bytes (x-only) or 33 bytes (compressed).
func parsePeer(pub []byte) (*p256k1.XOnlyPublicKey, error) {
	if len(pub) != 33 {
		return p256k1.ParseXOnlyPublicKey(pub)
	}
	key, err := p256k1.ParsePublicKey(pub)
	if err != nil {
		return nil, err
	}
	return key.XOnly(), nil
}

// agree returns the shared secret that f computes, in a new slice on the heap.
func (s *P256K1Signer) agree(f func() ([32]byte, error)) (shared []byte, err error) {
	shared = secret.Make[byte](32)
	// Do wipes the stack, which holds the result of f. PrivateKey.Use is not suitable here, because Use has a copy of
	// the key on the stack, and a second Use inside f may move the stack in order to enlarge it.
	secret.Do(func() {
		var b [32]byte
		b, err = f()
		copy(shared, b[:])
	})
	if err != nil {
		return nil, fmt.Errorf("signer: %w", err)
	}
	return shared, nil
}

// MarshalText returns p256k1.ErrMarshal, so that encoders such as encoding/json refuse signers instead of silently
// omitting their keys. Encode the result of Sec or Pub explicitly.
func (P256K1Signer) MarshalText() ([]byte, error) {
	return nil, fmt.Errorf("signer: P256K1Signer: %w: encode the result of Sec or Pub explicitly", p256k1.ErrMarshal)
}

// UnmarshalText returns p256k1.ErrMarshal and leaves s unchanged. Decode the bytes explicitly and pass them to InitSec
// or InitPub.
func (s *P256K1Signer) UnmarshalText([]byte) error {
	return fmt.Errorf("signer: P256K1Signer: %w: decode the bytes and pass them to InitSec or InitPub", p256k1.ErrMarshal)
}

// P256K1Gen implements the interface Gen with keys of package p256k1. The zero value has no key.
type P256K1Gen struct {
	priv *p256k1.PrivateKey
}

var _ Gen = (*P256K1Gen)(nil)

// NewP256K1Gen returns a generator without a key.
func NewP256K1Gen() *P256K1Gen {
	return new(P256K1Gen)
}

// Generate makes a new key pair with randomness from crypto/rand and returns the 33-byte compressed public key.
func (g *P256K1Gen) Generate() ([]byte, error) {
	priv, err := p256k1.GenerateKey()
	if err != nil {
		return nil, fmt.Errorf("signer: %w", err)
	}
	g.set(priv)
	return priv.PublicKey().Bytes(), nil
}

// Negate replaces the key pair by the key pair with the same x coordinate and the other y coordinate. If there is no
// key, Negate does nothing.
func (g *P256K1Gen) Negate() {
	g.set(g.priv.Negate())
}

// KeyPairBytes returns the 32-byte secret key and the 32-byte x-only public key, or nil for both if there is no key.
func (g *P256K1Gen) KeyPairBytes() (secBytes, cmprPubBytes []byte) {
	return g.priv.Bytes(), g.priv.PublicKey().XOnly().Bytes()
}

func (g *P256K1Gen) set(priv *p256k1.PrivateKey) {
	g.priv.Zero()
	g.priv = priv
}

// MarshalText returns p256k1.ErrMarshal, so that encoders such as encoding/json refuse generators instead of silently
// omitting their keys. Encode the result of KeyPairBytes explicitly.
func (P256K1Gen) MarshalText() ([]byte, error) {
	return nil, fmt.Errorf("signer: P256K1Gen: %w: encode the result of KeyPairBytes explicitly", p256k1.ErrMarshal)
}

// UnmarshalText returns p256k1.ErrMarshal and leaves g unchanged, because a generator makes its own keys and does not
// accept others.
func (g *P256K1Gen) UnmarshalText([]byte) error {
	return fmt.Errorf("signer: P256K1Gen: %w: a generator makes its own keys", p256k1.ErrMarshal)
}
