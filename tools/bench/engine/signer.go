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

// Signer is a Nostr signer with one key pair, which computes with an engine. As with other signers, several goroutines
// may use it at the same time, but they wait for each other. No goroutine may use it while another goroutine changes
// the key. Methods that return an error return p256k1.ErrNoKey if the key is missing, and ErrInvalid for bytes that do
// not encode a key or do not have the length that signer.I states.
type Signer struct {
	mu      sync.Mutex
	session Session
	filler  Input  // a valid input, for the fields that an operation does not read
	sec     []byte // nil if only the public key is known
	pub     []byte // compressed; nil if there is no key
}

var _ signer.I = (*Signer)(nil)

// NewSigner returns a signer without a key that computes with the named engine: "btcec", "libsecp256k1",
// "libsecp256k1-cgo" or "p256k1". The error is ErrNotSupported for an engine that lacks an operation of signers, and
// ErrAbsent for an engine that this machine lacks.
func NewSigner(name string) (*Signer, error) {
	e, err := Open(name)
	if err != nil {
		return nil, err
	}
	filler, err := NewInputs("signer", 1)
	if err != nil {
		return nil, err
	}
	session, err := e.NewSession()
	if err != nil {
		return nil, err
	}
	s := &Signer{session: session, filler: filler[0]}
	runtime.AddCleanup(s, Session.Close, session)
	for _, op := range []string{"derive", "schnorr-sign", "schnorr-verify", "ecdh", "ecdh-x"} {
		if _, err := s.run(op, nil); err != nil {
			return nil, fmt.Errorf("%s as a signer: %w", name, err)
		}
	}
	return s, nil
}

// run runs an operation on the filler input, after set has changed it, and returns the result.
func (s *Signer) run(op string, set func(in *Input)) (out Result, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	in := s.filler
	if set != nil {
		set(&in)
	}
	prepared, err := s.session.Prepare(op, 1, []Input{in})
	if err != nil {
		return out, err
	}
	return out, prepared.Run(0, &out)
}

// fixed returns an ErrInvalid unless the length of b is n.
func fixed(what string, b []byte, n int) error {
	return refused(len(b) == n, fmt.Sprintf("%s of %d bytes, want %d", what, len(b), n))
}

// Generate implements signer.I.
func (s *Signer) Generate() error {
	sec := make([]byte, 32)
	for {
		rand.Read(sec)
		switch pub, err := s.derive(sec); {
		case errors.Is(err, ErrInvalid):
		case err != nil:
			return err
		case pub[0] == 2:
			s.sec, s.pub = sec, pub
			return nil
		}
	}
}

func (s *Signer) derive(sec []byte) ([]byte, error) {
	pub, err := s.run("derive", func(in *Input) { in.Secret = [32]byte(sec) })
	return pub[:33], err
}

// InitSec implements signer.I.
func (s *Signer) InitSec(sec []byte) error {
	if err := fixed("secret key", sec, 32); err != nil {
		return err
	}
	pub, err := s.derive(sec)
	if err == nil {
		s.sec, s.pub = append([]byte(nil), sec...), pub
	}
	return err
}

// InitPub implements signer.I. The engine parses the key only when it is used.
func (s *Signer) InitPub(pub []byte) error {
	if err := fixed("public key", pub, 32); err != nil {
		return err
	}
	s.sec, s.pub = nil, append([]byte{2}, pub...)
	return nil
}

// Sec implements signer.I.
func (s *Signer) Sec() []byte { return append([]byte(nil), s.sec...) }

// Pub implements signer.I.
func (s *Signer) Pub() []byte {
	if s.pub == nil {
		return nil
	}
	return append([]byte(nil), s.pub[1:]...)
}

// Zero implements signer.I. The engine's own copies of the key stay until its session is closed.
func (s *Signer) Zero() {
	clear(s.sec)
	s.sec, s.pub = nil, nil
}

// Sign implements signer.I, for messages of 32 bytes, without auxiliary randomness.
func (s *Signer) Sign(msg []byte) ([]byte, error) {
	if s.sec == nil {
		return nil, p256k1.ErrNoKey
	}
	if err := fixed("message", msg, 32); err != nil {
		return nil, err
	}
	sig, err := s.run("schnorr-sign", func(in *Input) {
		in.Secret, in.Pub, in.Digest = [32]byte(s.sec), [33]byte(s.pub), [32]byte(msg)
	})
	return sig[:64], err
}

// Verify implements signer.I, for messages of 32 bytes.
func (s *Signer) Verify(msg, sig []byte) (bool, error) {
	if s.pub == nil {
		return false, p256k1.ErrNoKey
	}
	if err := errors.Join(fixed("message", msg, 32), fixed("signature", sig, 64)); err != nil {
		return false, err
	}
	_, err := s.run("schnorr-verify", func(in *Input) {
		in.Pub, in.Digest, in.Schnorr = [33]byte(s.pub), [32]byte(msg), [64]byte(sig)
	})
	if errors.Is(err, ErrInvalid) {
		return false, nil
	}
	return err == nil, err
}

// ECDH implements signer.I.
func (s *Signer) ECDH(pub []byte) ([]byte, error) { return s.agree("ecdh", pub) }

// ECDHRaw implements signer.I.
func (s *Signer) ECDHRaw(pub []byte) ([]byte, error) { return s.agree("ecdh-x", pub) }

// agree runs op on the secret key, or on its negation if the public key has odd y, so that both keys have even y.
func (s *Signer) agree(op string, pub []byte) ([]byte, error) {
	if s.sec == nil {
		return nil, p256k1.ErrNoKey
	}
	if err := fixed("public key", pub, 32); err != nil {
		return nil, err
	}
	key, err := p256k1.NewPrivateKey(s.sec)
	if err != nil {
		return nil, err
	}
	if s.pub[0] == 3 {
		key = key.Negate()
	}
	defer key.Zero()
	shared, err := s.run(op, func(in *Input) { in.Secret, in.Peer = [32]byte(key.Bytes()), [33]byte(append([]byte{2}, pub...)) })
	return shared[:32], err
}
