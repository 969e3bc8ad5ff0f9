// Package signer defines interfaces for the key pairs of Nostr programs, so that programs can choose an implementation.
// The interface I signs, verifies and agrees on secrets. The interface Gen is for programs that search for keys.
// P256K1Signer implements I, and P256K1Gen implements Gen.
//
// Public keys are BIP-340 keys: 32-byte x coordinates, which stand for the points with even y. Several goroutines may
// use a signer at once, except while one of them initializes or wipes the signer.
//
// The examples are in example_test.go.
package signer

// I is a key pair, or a public key alone.
type I interface {
	// Generate makes a new key pair from the system's randomness. The public key has even y.
	Generate() error
	// InitSec takes a 32-byte secret key and derives the public key.
	InitSec(sec []byte) error
	// InitPub takes a 32-byte x-only public key. The signer then has no secret key.
	InitPub(pub []byte) error
	// Sec returns the 32-byte secret key that was passed to InitSec or made by Generate, in a new slice, or nil if
	// there is no secret key.
	Sec() []byte
	// Pub returns the 32-byte x-only public key in a new slice, or nil if there is no key.
	Pub() []byte
	// Sign returns the 64-byte BIP-340 signature of a message, with fresh auxiliary randomness. In Nostr the message is
	// the 32-byte event id.
	Sign(msg []byte) (sig []byte, err error)
	// Verify reports whether sig is a BIP-340 signature of the message by the public key. It returns an error if there
	// is no key, or if sig is not 64 bytes.
	Verify(msg, sig []byte) (valid bool, err error)
	// Zero wipes the secret key and forgets the public key.
	Zero()
	// ECDH returns the SHA-256 hash of the compressed point that is shared with the owner of a 32-byte x-only public
	// key, in a new slice. Each side uses the secret key whose point has even y, so both sides get the same 32 bytes.
	ECDH(pub []byte) (secret []byte, err error)
	// ECDHRaw returns the x coordinate of the point that is shared with the owner of a 32-byte x-only public key, 32
	// bytes in a new slice. Both sides get the same bytes, from which NIP-04 and NIP-44 derive encryption keys.
	// P256K1Signer also takes a 33-byte compressed public key.
	ECDHRaw(pub []byte) (sharedX []byte, err error)
}

// Gen generates key pairs one after another, for programs that search for a public key that begins with certain digits.
type Gen interface {
	// Generate makes a new key pair and returns its 33-byte compressed public key.
	Generate() (pubBytes []byte, err error)
	// Negate replaces the key pair by the key pair with the same x coordinate and the other y coordinate.
	Negate()
	// KeyPairBytes returns the 32-byte secret key and the 32-byte x-only public key, or nil for both if there is no
	// key.
	KeyPairBytes() (secBytes, cmprPubBytes []byte)
}
