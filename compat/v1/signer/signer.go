// Package signer has the signers of version 1, which hold keys for Nostr. Its interfaces are the interfaces of version
// 2's package signer, which new programs should use.
package signer

import (
	"errors"

	"p256k1.mleku.dev"
	v2 "p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/signer"
)

type (
	// I is the interface of version 2's package signer.
	I = signer.I
	// Gen is the interface of version 2's package signer.
	Gen = signer.Gen
)

// P256K1Signer is a key pair, or a public key alone. The zero value has no key.
//
// InitSec replaces a private key whose public key has an odd y by its negative, which has the same x-only public key.
// Sec then returns the negative, as in version 1. In version 2, Sec returns the key that was passed to InitSec. Keys
// that either version has stored lead to the same x-only public key in both versions.
type P256K1Signer struct {
	pair *p256k1.KeyPair
	pub  *p256k1.XOnlyPubkey
}

// BtcecSigner is an alias of P256K1Signer. It exists because version 1 had a signer that used btcec.
//
// Deprecated: use P256K1Signer.
type BtcecSigner = P256K1Signer

var _ I = (*P256K1Signer)(nil)

// NewP256K1Signer returns a signer without a key.
func NewP256K1Signer() *P256K1Signer { return new(P256K1Signer) }

// NewBtcecSigner returns a signer without a key.
//
// Deprecated: use NewP256K1Signer.
func NewBtcecSigner() *BtcecSigner { return new(BtcecSigner) }

// Generate makes a random key pair, whose public key has an even y.
func (s *P256K1Signer) Generate() error {
	pair, err := p256k1.KeyPairGenerate()
	if err != nil {
		return err
	}
	return s.set(pair)
}

// InitSec sets the private key to the 32 bytes sec. If sec is invalid, InitSec returns an error, and the signer is
// unchanged.
func (s *P256K1Signer) InitSec(sec []byte) error {
	pair, err := p256k1.KeyPairCreate(sec)
	if err != nil {
		return err
	}
	return s.set(pair)
}

// set stores pair in the signer, or its negative if y is odd.
func (s *P256K1Signer) set(pair *p256k1.KeyPair) error {
	pub, parity, err := p256k1.XOnlyPubkeyFromPubkey(pair.Pubkey())
	if err != nil {
		return err
	}
	if parity == 1 {
		if pair, err = negated(pair); err != nil {
			return err
		}
	}
	s.pair, s.pub = pair, pub
	return nil
}

// negated returns the key pair of the negated private key, and wipes pair.
func negated(pair *p256k1.KeyPair) (*p256k1.KeyPair, error) {
	defer pair.Clear()
	var sec [32]byte
	defer clear(sec[:])
	copy(sec[:], pair.Seckey())
	if !p256k1.ECSeckeyNegate(sec[:]) {
		return nil, errors.New("failed to negate secret key")
	}
	return p256k1.KeyPairCreate(sec[:])
}

// InitPub sets the public key to the key with the 32-byte x coordinate pub. If pub is invalid, InitPub returns an
// error, and the signer is unchanged.
func (s *P256K1Signer) InitPub(pub []byte) error {
	if len(pub) != 32 {
		return errors.New("public key must be 32 bytes")
	}
	xonly, err := p256k1.XOnlyPubkeyParse(pub)
	if err != nil {
		return err
	}
	s.pair, s.pub = nil, xonly
	return nil
}

// Sec returns the 32 bytes of the private key, or nil if there is no private key. Zero wipes the bytes.
func (s *P256K1Signer) Sec() []byte {
	if s.pair == nil {
		return nil
	}
	return s.pair.Seckey()
}

// Pub returns the 32 bytes of the x coordinate of the public key, or nil if there is no public key.
func (s *P256K1Signer) Pub() []byte {
	if s.pub == nil {
		return nil
	}
	b := s.pub.Serialize()
	return b[:]
}

// PubCompressed returns the compressed encoding of the public key, 33 bytes. It returns an error if there is no private
// key.
func (s *P256K1Signer) PubCompressed() ([]byte, error) {
	if s.pair == nil {
		return nil, errors.New("keypair not initialized")
	}
	return s.pair.Pubkey().V2().Bytes(), nil
}

// Sign returns the BIP-340 signature, 64 bytes, of a message of 32 bytes. The auxiliary randomness is all zeros, so the
// signature is deterministic.
func (s *P256K1Signer) Sign(msg []byte) ([]byte, error) {
	if s.pair == nil {
		return nil, errors.New("no secret key available for signing")
	}
	sig := make([]byte, 64)
	if err := p256k1.SchnorrSign(sig, msg, s.pair, nil); err != nil {
		return nil, err
	}
	return sig, nil
}

// Verify reports whether sig, 64 bytes, is a valid signature of a message of 32 bytes. It returns an error if there is
// no key, or if the message or the signature has another length.
func (s *P256K1Signer) Verify(msg, sig []byte) (bool, error) {
	switch {
	case s.pub == nil:
		return false, errors.New("no public key available for verification")
	case len(msg) != 32:
		return false, errors.New("message must be 32 bytes")
	case len(sig) != 64:
		return false, errors.New("signature must be 64 bytes")
	}
	return p256k1.SchnorrVerify(sig, msg, s.pub), nil
}

// Zero wipes the private key and forgets the public key.
func (s *P256K1Signer) Zero() {
	if s.pair != nil {
		s.pair.Clear()
	}
	*s = P256K1Signer{}
}

// ECDH returns the SHA-256 of the compressed encoding of the point that is shared with the owner of the 32-byte x-only
// public key pub.
func (s *P256K1Signer) ECDH(pub []byte) ([]byte, error) {
	if s.pair == nil {
		return nil, errNoSecret
	}
	if len(pub) != 32 {
		return nil, errors.New("public key must be 32 bytes")
	}
	return s.agree(pub, ecdh.SHA256)
}

var errNoSecret = errors.New("no secret key available for ECDH")

// ECDHRaw returns the x coordinate of the shared point, 32 bytes, for a public key of 32 bytes (x-only) or 33 bytes
// (compressed).
func (s *P256K1Signer) ECDHRaw(pub []byte) ([]byte, error) {
	if s.pair == nil {
		return nil, errNoSecret
	}
	if len(pub) != 32 && len(pub) != 33 {
		return nil, errors.New("public key must be 32 bytes (x-only) or 33 bytes (compressed)")
	}
	return s.agree(pub, ecdh.X)
}

// agree parses pub and returns the result of agreement. A pub of 32 bytes stands for the point with even y.
func (s *P256K1Signer) agree(pub []byte, agreement func(*v2.PrivateKey, *v2.PublicKey) ([32]byte, error)) ([]byte, error) {
	var b [33]byte
	b[0] = 2
	copy(b[33-len(pub):], pub)
	var key p256k1.PublicKey
	if err := p256k1.ECPubkeyParse(&key, b[:]); err != nil {
		return nil, err
	}
	shared, err := agreement(s.pair.V2(), key.V2())
	if err != nil {
		return nil, err
	}
	return shared[:], nil
}

// P256K1Gen makes key pairs, for programs that search for a public key of a given form. The zero value has no key pair.
type P256K1Gen struct {
	pair          *p256k1.KeyPair
	compressedPub *p256k1.PublicKey // the public key of pair
}

var _ Gen = (*P256K1Gen)(nil)

// NewP256K1Gen returns a generator without a key pair.
func NewP256K1Gen() *P256K1Gen { return new(P256K1Gen) }

// Generate makes a random key pair, and returns the compressed encoding of its public key, 33 bytes.
func (g *P256K1Gen) Generate() ([]byte, error) {
	pair, err := p256k1.KeyPairGenerate()
	if err != nil {
		return nil, err
	}
	g.set(pair)
	return g.compressedPub.V2().Bytes(), nil
}

// Negate replaces the key pair by its negative, whose public key has the same x coordinate and the negative y
// coordinate.
func (g *P256K1Gen) Negate() {
	if g.pair == nil {
		return
	}
	if pair, err := negated(g.pair); err == nil {
		g.set(pair)
	}
}

func (g *P256K1Gen) set(pair *p256k1.KeyPair) { g.pair, g.compressedPub = pair, pair.Pubkey() }

// KeyPairBytes returns the private key and the x-only public key, 32 bytes each, or nil for both if there is no key
// pair.
func (g *P256K1Gen) KeyPairBytes() (secBytes, cmprPubBytes []byte) {
	if g.pair == nil {
		return nil, nil
	}
	return g.pair.Seckey(), g.compressedPub.V2().XOnly().Bytes()
}
