package engine

import (
	"crypto/rand"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/signer"
)

// Signer is a Nostr key pair that computes with an engine. Its methods can be
// called by several goroutines, which then wait for each other.
type Signer struct {
	mu      sync.Mutex
	session Session
	sec     *[32]byte // nil if only the public key is known
	secret  Secret
	pub     *[33]byte // nil if there is no key
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
	if err := s.try(); err != nil {
		return nil, fmt.Errorf("%s as a signer: %w", name, err)
	}
	return s, nil
}

// try runs what signers need.
func (s *Signer) try() error {
	one := [32]byte{31: 1}
	secret, err := s.session.LoadSecret(&one)
	if err != nil {
		return err
	}
	pub, err := s.session.Derive(&one)
	if err != nil {
		return err
	}
	peer, err := s.session.LoadPublic(pub[:])
	if err != nil {
		return err
	}
	sig, err := s.session.SchnorrSign(secret, &one, nil)
	if err != nil {
		return err
	}
	if valid, err := s.session.SchnorrVerify((*[32]byte)(pub[1:]), &one, &sig); err != nil || !valid {
		return errors.Join(err, errors.New("its own signature does not verify"))
	}
	_, err1 := s.session.ECDHX(secret, peer)
	_, err2 := s.session.ECDHSHA256(secret, peer)
	return errors.Join(err1, err2)
}

// Generate implements signer.I.
func (s *Signer) Generate() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var sec [32]byte
	defer clear(sec[:])
	for {
		rand.Read(sec[:])
		switch pub, err := s.session.Derive(&sec); {
		case errors.Is(err, ErrInvalid):
			continue
		case err != nil:
			return err
		case pub[0] == 2:
			return s.setSecret(&sec, &pub)
		}
	}
}

// InitSec implements signer.I. The error for a sec that is not a key is
// ErrInvalid.
func (s *Signer) InitSec(sec []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(sec) != 32 {
		return fmt.Errorf("%w: secret key of %d bytes, want 32", ErrInvalid, len(sec))
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
	s.sec, s.secret, s.pub = new([32]byte), secret, new([33]byte)
	*s.sec, *s.pub = *sec, *pub
	return nil
}

// InitPub implements signer.I. The error for a pub that is not a key is
// ErrInvalid.
func (s *Signer) InitPub(pub []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	even, err := lift(pub)
	if err != nil {
		return err
	}
	if _, err := s.session.LoadPublic(even[:]); err != nil {
		return err
	}
	s.zero()
	s.pub = &even
	return nil
}

// lift returns the compressed key with even y.
func lift(x []byte) (pub [33]byte, err error) {
	if len(x) != 32 {
		return pub, fmt.Errorf("%w: public key of %d bytes, want 32", ErrInvalid, len(x))
	}
	pub[0] = 2
	copy(pub[1:], x)
	return pub, nil
}

// Sec implements signer.I.
func (s *Signer) Sec() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sec == nil {
		return nil
	}
	return append([]byte(nil), s.sec[:]...)
}

// Pub implements signer.I.
func (s *Signer) Pub() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pub == nil {
		return nil
	}
	return append([]byte(nil), s.pub[1:]...)
}

// Sign implements signer.I for messages of 32 bytes, which all engines sign. The
// error is p256k1.ErrNoKey or ErrInvalid.
func (s *Signer) Sign(msg []byte) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sec == nil {
		return nil, fmt.Errorf("engine: sign: %w", p256k1.ErrNoKey)
	}
	if len(msg) != 32 {
		return nil, fmt.Errorf("%w: message of %d bytes, want 32", ErrInvalid, len(msg))
	}
	var aux [32]byte
	rand.Read(aux[:])
	sig, err := s.session.SchnorrSign(s.secret, (*[32]byte)(msg), &aux)
	if err != nil {
		return nil, err
	}
	return sig[:], nil
}

// Verify implements signer.I for messages of 32 bytes. The error is
// p256k1.ErrNoKey or ErrInvalid.
func (s *Signer) Verify(msg, sig []byte) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pub == nil {
		return false, fmt.Errorf("engine: verify: %w", p256k1.ErrNoKey)
	}
	if len(msg) != 32 || len(sig) != 64 {
		return false, fmt.Errorf("%w: %d bytes of message and %d of signature, want 32 and 64", ErrInvalid, len(msg), len(sig))
	}
	return s.session.SchnorrVerify((*[32]byte)(s.pub[1:]), (*[32]byte)(msg), (*[64]byte)(sig))
}

// Zero implements signer.I.
func (s *Signer) Zero() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.zero()
}

// zero wipes the key's bytes. What the engine made of them is left to the
// garbage collector: engines have no common way to wipe it.
func (s *Signer) zero() {
	if s.sec != nil {
		clear(s.sec[:])
	}
	s.sec, s.secret, s.pub = nil, nil, nil
}

// ECDH implements signer.I. The error is p256k1.ErrNoKey or ErrInvalid.
func (s *Signer) ECDH(pub []byte) ([]byte, error) { return s.agree(pub, Session.ECDHSHA256) }

// ECDHRaw implements signer.I. The errors are those of ECDH.
func (s *Signer) ECDHRaw(pub []byte) ([]byte, error) { return s.agree(pub, Session.ECDHX) }

func (s *Signer) agree(pub []byte, f func(Session, Secret, Public) ([32]byte, error)) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sec == nil {
		return nil, fmt.Errorf("engine: ECDH: %w", p256k1.ErrNoKey)
	}
	key, err := lift(pub)
	if err != nil {
		return nil, err
	}
	// The secret key that belongs to even y is d or −d, and (−d)·P = d·(−P).
	key[0] = s.pub[0]
	peer, err := s.session.LoadPublic(key[:])
	if err != nil {
		return nil, err
	}
	shared, err := f(s.session, s.secret, peer)
	if err != nil {
		return nil, err
	}
	return shared[:], nil
}
