package engine

import (
	"crypto/rand"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/signer"
)

// Signer is a Nostr key pair that computes with an engine. Its methods can be
// called by several goroutines, which then wait for each other. Keys, messages and
// signatures of another length than signer.I says, messages of other than 32
// bytes, and what is no key are ErrInvalid.
type Signer struct {
	mu      sync.Mutex
	session Session
	sec     []byte // nil if only the public key is known
	secret  Secret
	pub     []byte // compressed; nil if there is no key
}

var _ signer.I = (*Signer)(nil)

// NewSigner returns a signer without a key that computes with the engine of a
// name: "btcec", "libsecp256k1", "libsecp256k1-cgo" or "p256k1". The error is
// ErrNotSupported for an engine that lacks an operation that signers have, or
// ErrAbsent.
func NewSigner(name string) (*Signer, error) {
	e, err := Open(name)
	if err != nil {
		return nil, err
	}
	session, err := e.NewSession()
	if err != nil {
		return nil, err
	}
	s := &Signer{session: session}
	runtime.AddCleanup(s, Session.Close, session)
	// What signers need is tried once, with a key of no use.
	defer s.Zero()
	msg := make([]byte, 32)
	err = s.Generate()
	sig, err1 := s.Sign(msg)
	_, err2 := s.Verify(msg, sig)
	_, err3 := s.ECDH(s.Pub())
	_, err4 := s.ECDHRaw(s.Pub())
	if err := errors.Join(err, err1, err2, err3, err4); err != nil {
		return nil, fmt.Errorf("%s as a signer: %w", name, err)
	}
	return s, nil
}

func (s *Signer) lock() (unlock func()) {
	s.mu.Lock()
	return s.mu.Unlock
}

func length(what string, b []byte, n int) error {
	if len(b) != n {
		return fmt.Errorf("%w: %s of %d bytes, want %d", ErrInvalid, what, len(b), n)
	}
	return nil
}

// Generate implements signer.I.
func (s *Signer) Generate() error {
	defer s.lock()()
	var sec [32]byte
	defer clear(sec[:])
	for {
		rand.Read(sec[:])
		switch pub, err := s.session.Derive(&sec); {
		case errors.Is(err, ErrInvalid):
		case err != nil:
			return err
		case pub[0] == 2:
			return s.setSecret(&sec, &pub)
		}
	}
}

// InitSec implements signer.I.
func (s *Signer) InitSec(sec []byte) error {
	defer s.lock()()
	if err := length("secret key", sec, 32); err != nil {
		return err
	}
	pub, err := s.session.Derive((*[32]byte)(sec))
	if err != nil {
		return err
	}
	return s.setSecret((*[32]byte)(sec), &pub)
}

func (s *Signer) setSecret(sec *[32]byte, pub *[33]byte) error {
	secret, err := s.session.LoadSecret(sec)
	if err != nil {
		return err
	}
	s.zero()
	s.sec, s.secret, s.pub = slices.Clone(sec[:]), secret, slices.Clone(pub[:])
	return nil
}

// InitPub implements signer.I.
func (s *Signer) InitPub(pub []byte) error {
	defer s.lock()()
	if err := length("public key", pub, 32); err != nil {
		return err
	}
	even := append([]byte{2}, pub...)
	if _, err := s.session.LoadPublic(even); err != nil {
		return err
	}
	s.zero()
	s.pub = even
	return nil
}

// Sec implements signer.I.
func (s *Signer) Sec() []byte {
	defer s.lock()()
	return slices.Clone(s.sec)
}

// Pub implements signer.I.
func (s *Signer) Pub() []byte {
	defer s.lock()()
	if s.pub == nil {
		return nil
	}
	return slices.Clone(s.pub[1:])
}

// Sign implements signer.I. The error is p256k1.ErrNoKey or ErrInvalid.
func (s *Signer) Sign(msg []byte) ([]byte, error) {
	defer s.lock()()
	if s.sec == nil {
		return nil, fmt.Errorf("engine: sign: %w", p256k1.ErrNoKey)
	}
	if err := length("message", msg, 32); err != nil {
		return nil, err
	}
	var aux [32]byte
	rand.Read(aux[:])
	sig, err := s.session.SchnorrSign(s.secret, (*[32]byte)(msg), &aux)
	if err != nil {
		return nil, err
	}
	return sig[:], nil
}

// Verify implements signer.I. The error is p256k1.ErrNoKey or ErrInvalid.
func (s *Signer) Verify(msg, sig []byte) (bool, error) {
	defer s.lock()()
	if s.pub == nil {
		return false, fmt.Errorf("engine: verify: %w", p256k1.ErrNoKey)
	}
	if err := errors.Join(length("message", msg, 32), length("signature", sig, 64)); err != nil {
		return false, err
	}
	return s.session.SchnorrVerify((*[32]byte)(s.pub[1:]), (*[32]byte)(msg), (*[64]byte)(sig))
}

// Zero implements signer.I.
func (s *Signer) Zero() {
	defer s.lock()()
	s.zero()
}

// zero wipes the key's bytes. What the engine made of them is left to the
// garbage collector: engines have no common way to wipe it.
func (s *Signer) zero() {
	clear(s.sec)
	s.sec, s.secret, s.pub = nil, nil, nil
}

// ECDH implements signer.I. The error is p256k1.ErrNoKey or ErrInvalid.
func (s *Signer) ECDH(pub []byte) ([]byte, error) { return s.agree(pub, Session.ECDHSHA256) }

// ECDHRaw implements signer.I. The errors are those of ECDH.
func (s *Signer) ECDHRaw(pub []byte) ([]byte, error) { return s.agree(pub, Session.ECDHX) }

func (s *Signer) agree(pub []byte, f func(Session, Secret, Public) ([32]byte, error)) ([]byte, error) {
	defer s.lock()()
	if s.sec == nil {
		return nil, fmt.Errorf("engine: ECDH: %w", p256k1.ErrNoKey)
	}
	if err := length("public key", pub, 32); err != nil {
		return nil, err
	}
	// The secret key that belongs to even y is d or −d, and (−d)·P = d·(−P).
	peer, err := s.session.LoadPublic(append([]byte{s.pub[0]}, pub...))
	if err != nil {
		return nil, err
	}
	shared, err := f(s.session, s.secret, peer)
	if err != nil {
		return nil, err
	}
	return shared[:], nil
}
