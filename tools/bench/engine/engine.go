// Package engine puts implementations of secp256k1 behind one interface, so that
// programs can compare them or choose between them.
//
// [Find] looks for the engines that this machine has. A [Session] is what one
// goroutine computes with; whatever an engine cannot do returns
// [ErrNotSupported]. [NewSigner] makes a Nostr signer of any engine that can be
// one.
//
// The engines serve comparisons. Those written in C copy secret keys into
// buffers that are not wiped before the session is closed.
package engine

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrNotSupported means that an engine does not have an operation. It is an
	// [errors.ErrUnsupported].
	ErrNotSupported = fmt.Errorf("engine: %w", errors.ErrUnsupported)
	// ErrAbsent means that this machine, or this build, lacks an engine.
	ErrAbsent = errors.New("engine: absent")
	// ErrInvalid means that an engine refused a key or a signature.
	ErrInvalid = errors.New("engine: invalid input")
)

// invalid makes an ErrInvalid of an error, if there is one.
func invalid(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrInvalid, err)
}

// An Engine is an implementation of secp256k1. It is safe for concurrent use.
type Engine interface {
	// Info says which implementation this is.
	Info() Info
	// NewSession returns what one goroutine computes with.
	NewSession() (Session, error)
}

// Info says where an engine comes from.
type Info struct {
	Name    string `json:"engine"`  // as in Find
	Backend string `json:"backend"` // the code behind it, for example "portable" or "C"
	Version string `json:"version"`
	// Path is the file of a shared library, and SHA256 the hash of its contents
	// in hexadecimal; both are empty for what is compiled into the program.
	Path   string `json:"path,omitempty"`
	SHA256 string `json:"sha256,omitempty"`
	// Notes are what a reader of its figures has to know.
	Notes []string `json:"notes,omitempty"`
}

// Label is the name of an engine with its backend.
func (i Info) Label() string { return strings.TrimSpace(i.Name + " " + i.Backend) }

// Secret is a secret key in the form of the session that loaded it.
type Secret any

// Public is a public key in the form of the session that loaded it.
type Public any

// A Session computes. It must not be used by two goroutines at a time, and what
// it loaded by no other session.
//
// Digests and messages are 32 bytes. Verification has no errors but
// ErrNotSupported: a key or signature that does not parse does not verify. With
// an error, the results of the other methods have no meaning.
type Session interface {
	// LoadSecret prepares a secret key, a big-endian integer in [1, n−1].
	LoadSecret(sec *[32]byte) (Secret, error)
	// LoadPublic parses a public key of 33 or 65 bytes (SEC 1).
	LoadPublic(pub []byte) (Public, error)

	// Derive returns the compressed public key of a secret key.
	Derive(sec *[32]byte) ([33]byte, error)

	// ECDSASign appends to dst the DER of a signature. Engines other than OpenSSL,
	// whose nonces are random, use the nonce of RFC 6979 and make s low.
	ECDSASign(dst []byte, sec Secret, digest *[32]byte) ([]byte, error)
	// ECDSAVerify parses a compressed public key and a signature in DER, and
	// verifies. Engines differ in whether they accept a high s.
	ECDSAVerify(pub *[33]byte, digest *[32]byte, der []byte) (bool, error)
	// SignRecoverable returns r, s and the recovery id in 0 to 3.
	SignRecoverable(sec Secret, digest *[32]byte) ([65]byte, error)
	// Recover returns the public key of a signature of SignRecoverable.
	Recover(digest *[32]byte, sig *[65]byte) ([33]byte, error)

	// SchnorrSign signs as BIP-340 says. A nil aux gives the signature that 32
	// zero bytes give.
	SchnorrSign(sec Secret, msg, aux *[32]byte) ([64]byte, error)
	// SchnorrVerify parses an x-only public key and verifies as BIP-340 says.
	SchnorrVerify(pub, msg *[32]byte, sig *[64]byte) (bool, error)

	// ECDHX returns the x coordinate of the shared point.
	ECDHX(sec Secret, pub Public) ([32]byte, error)
	// ECDHSHA256 returns the SHA-256 of the shared point's compressed encoding.
	ECDHSHA256(sec Secret, pub Public) ([32]byte, error)

	// Close frees the session and all that it loaded.
	Close()
}

// Unsupported is a Session without operations, to be embedded by those that
// have only some.
type Unsupported struct{}

var _ Session = Unsupported{}

func (Unsupported) LoadSecret(*[32]byte) (Secret, error) { return nil, ErrNotSupported }
func (Unsupported) LoadPublic([]byte) (Public, error)    { return nil, ErrNotSupported }
func (Unsupported) Derive(*[32]byte) (pub [33]byte, err error) {
	return pub, ErrNotSupported
}
func (Unsupported) ECDSASign([]byte, Secret, *[32]byte) ([]byte, error) {
	return nil, ErrNotSupported
}
func (Unsupported) ECDSAVerify(*[33]byte, *[32]byte, []byte) (bool, error) {
	return false, ErrNotSupported
}
func (Unsupported) SignRecoverable(Secret, *[32]byte) (sig [65]byte, err error) {
	return sig, ErrNotSupported
}
func (Unsupported) Recover(*[32]byte, *[65]byte) (pub [33]byte, err error) {
	return pub, ErrNotSupported
}
func (Unsupported) SchnorrSign(Secret, *[32]byte, *[32]byte) (sig [64]byte, err error) {
	return sig, ErrNotSupported
}
func (Unsupported) SchnorrVerify(*[32]byte, *[32]byte, *[64]byte) (bool, error) {
	return false, ErrNotSupported
}
func (Unsupported) ECDHX(Secret, Public) (x [32]byte, err error) { return x, ErrNotSupported }
func (Unsupported) ECDHSHA256(Secret, Public) (sum [32]byte, err error) {
	return sum, ErrNotSupported
}
func (Unsupported) Close() {}
