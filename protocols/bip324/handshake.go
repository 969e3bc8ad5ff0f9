package bip324

import (
	"bytes"
	"crypto/rand"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"

	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/secret"
)

const (
	// MaxGarbage is the largest number of bytes of garbage that either side may send.
	MaxGarbage = 4095
	// DefaultMaxContents is the limit if Config.MaxContents is 0: a message of 4,000,000 bytes, and its type.
	DefaultMaxContents = 1 + 12 + 4_000_000

	keySize        = 64
	terminatorSize = 16
)

// Config has the options of one side. A nil *Config stands for the zero value, which is for Bitcoin's main network.
// Functions do not change a Config.
type Config struct {
	// Magic holds the first four bytes of v1 messages, which identify the network. The handshake fails between peers of
	// different networks. Zeros stand for the magic of the main network, f9 be b4 d9.
	Magic [4]byte
	// Garbage is sent after the public key, at most MaxGarbage bytes. Nil stands for a random number of random bytes,
	// and an empty slice for no bytes.
	Garbage []byte
	// Decoys holds the lengths of the decoy packets that are sent before the version packet. Their contents are zeros.
	Decoys []int
	// MaxContents is the largest length of the contents of incoming packets. It must not exceed the constant
	// MaxContents. 0 stands for DefaultMaxContents.
	MaxContents int
}

// MarshalText returns p256k1.ErrMarshal, so that encoders such as encoding/json do not write the Magic as numbers.
func (Config) MarshalText() ([]byte, error) { return hidden{}.MarshalText() }

// UnmarshalText returns p256k1.ErrMarshal and leaves c unchanged.
func (c *Config) UnmarshalText([]byte) error { return hidden{}.UnmarshalText(nil) }

var (
	// ErrGarbage means that the garbage of a Config has more than MaxGarbage bytes, or that the peer sent more than
	// MaxGarbage bytes without a terminator.
	ErrGarbage = errors.New("garbage is too long")
	// ErrNetwork means that the peer speaks v1 on another network.
	ErrNetwork = errors.New("v1 peer of another network")
)

// V1Error means that the initiator speaks the v1 protocol. The responder has sent nothing yet, and may continue with
// v1.
type V1Error struct {
	// Received holds the bytes that Handshake.Receive has taken or that Server has read from the connection, at least
	// 16. They are the beginning of the v1 stream.
	Received []byte
}

func (e *V1Error) Error() string { return "bip324: the peer speaks the v1 protocol" }

// setUp returns a copy of c in which defaults replace zero values, or an error if a length exceeds its limit.
func (c *Config) setUp() (Config, error) {
	var s Config
	if c != nil {
		s = *c
	}
	if s.Magic == [4]byte{} {
		s.Magic = [4]byte{0xf9, 0xbe, 0xb4, 0xd9}
	}
	if len(s.Garbage) > MaxGarbage {
		return s, fmt.Errorf("bip324: %w: %d bytes, of at most %d", ErrGarbage, len(s.Garbage), MaxGarbage)
	}
	s.Garbage = slices.Clone(s.Garbage)
	if s.Garbage == nil {
		var n [2]byte
		rand.Read(n[:])                                                           // never fails
		s.Garbage = make([]byte, binary.LittleEndian.Uint16(n[:])%(MaxGarbage+1)) // 2¹²
		rand.Read(s.Garbage)
	}
	s.Decoys = slices.Clone(s.Decoys)
	for _, n := range s.Decoys {
		if err := checkLength(n, MaxContents); err != nil {
			return s, fmt.Errorf("decoy: %w", err)
		}
	}
	if err := checkLength(s.MaxContents, MaxContents); err != nil {
		return s, fmt.Errorf("limit: %w", err)
	}
	if s.MaxContents == 0 {
		s.MaxContents = DefaultMaxContents
	}
	return s, nil
}

// Session is the result of a complete handshake.
type Session struct {
	hidden
	// ID is the session id. It is the same on both sides, unless an attacker is between them.
	ID [32]byte
	// Sealer encrypts packets to the peer, and Opener decrypts packets from the peer.
	Sealer *Sealer
	Opener *Opener
}

// Handshake is one side of a handshake. It does no input or output itself: Send returns the bytes to be sent, Receive
// takes the bytes that arrived, and Session returns the result. A Handshake uses about 10 KiB of memory at most,
// besides the packet that is arriving and the decoys to be sent. Goroutines that call methods at the same time wait for
// each other. All copies of a Handshake are the same handshake.
type Handshake struct {
	hidden
	state *handshake
}

// These are the stages of a handshake. The bytes that arrive next are the key, the garbage, or packets up to the
// version packet.
const (
	keyStage = iota
	garbageStage
	versionStage
	doneStage
)

type handshake struct {
	using sync.Mutex
	side
}

// A side is the state of a handshake, except its lock.
type side struct {
	Config
	initiator bool
	err       error
	stage     int
	out       []byte

	started      bool
	key          *ellswift.PrivateKey
	ours, theirs [keySize]byte
	received     int // the number of bytes of theirs that have been received

	terminator [terminatorSize]byte // the terminator of the peer
	garbage    []byte               // the garbage of the peer, with its terminator
	packet     []byte               // the part of the peer's packet that has arrived
	size       int                  // the size of the rest of the packet, or 0 while its length is not known
	session    *Session
}

// NewInitiator returns the handshake of the side that opens the connection. The error is ErrGarbage or ErrTooLong if
// lengths in cfg exceed their limits.
func NewInitiator(cfg *Config) (*Handshake, error) { return newHandshake(cfg, true) }

// NewResponder returns the handshake of the side that accepts the connection. The error is ErrGarbage or ErrTooLong if
// lengths in cfg exceed their limits.
func NewResponder(cfg *Config) (*Handshake, error) { return newHandshake(cfg, false) }

func newHandshake(cfg *Config, initiator bool) (*Handshake, error) {
	c, err := cfg.setUp()
	if err != nil {
		return nil, err
	}
	h := &handshake{side: side{Config: c, initiator: initiator}}
	if initiator {
		if err := h.start(); err != nil {
			return nil, err
		}
	}
	return &Handshake{state: h}, nil
}

// start generates the key of this side, and passes the key and the garbage to Send.
func (h *handshake) start() (err error) {
	if h.key, h.ours, err = ellswift.GenerateKey(); err != nil {
		return fmt.Errorf("bip324: %w", err)
	}
	h.send()
	return nil
}

// send appends the key and the garbage to the bytes that Send returns.
func (h *handshake) send() {
	h.started = true
	h.out = append(append(h.out, h.ours[:]...), h.Garbage...)
}

func (h *Handshake) get() *handshake {
	if h == nil || h.state == nil {
		return &handshake{side: side{err: fmt.Errorf("bip324: %w: neither NewInitiator nor NewResponder", ErrOrder)}}
	}
	return h.state
}

// Send returns the bytes that are to be sent now, and removes them from h. Call Send at the beginning and after each
// Receive.
func (h *Handshake) Send() []byte {
	s := h.get()
	s.using.Lock()
	defer s.using.Unlock()
	out := s.out
	s.out = nil
	return out
}

// Session returns the session if the handshake is complete, and nil otherwise. The bytes that Send returns must still
// be sent. The first call that returns the session takes it out of h, and later calls return nil.
func (h *Handshake) Session() *Session {
	s := h.get()
	s.using.Lock()
	defer s.using.Unlock()
	if s.stage != doneStage {
		return nil
	}
	session := s.session
	s.session = nil
	return session
}

// Zero wipes all keys, including the keys of a session that was not taken.
func (h *Handshake) Zero() {
	s := h.get()
	s.using.Lock()
	s.end(errZero)
	s.using.Unlock()
}

// end wipes the secrets, and sets the error that later calls return.
func (h *handshake) end(err error) error {
	h.key.Zero()
	if h.session != nil {
		h.session.Sealer.Zero()
		h.session.Opener.Zero()
	}
	h.side = side{err: err}
	return err
}

// Receive takes bytes from the peer, in portions of any size, and returns how many of them belong to the handshake: all
// of them, until the handshake is complete. The bytes after the handshake are packets for the Opener. The error is
//
//   - *V1Error for a responder if the initiator speaks v1, or ErrNetwork if the initiator speaks v1 on another network,
//   - ErrGarbage if there is no terminator within MaxGarbage + 16 bytes after the key, for example because the peer is
//     on another network,
//   - ErrAuth or ErrTooLong for a packet of the handshake, up to and including the version packet, or
//   - ErrOrder after Zero, or if neither NewInitiator nor NewResponder made h.
//
// After an error the handshake is over, and Receive always returns the same error.
func (h *Handshake) Receive(b []byte) (n int, err error) {
	s := h.get()
	s.using.Lock()
	defer s.using.Unlock()
	if s.err != nil {
		return 0, s.err
	}
	for n < len(b) && s.stage != doneStage {
		var m int
		switch s.stage {
		case keyStage:
			m, err = s.receiveKey(b[n:])
		case garbageStage:
			m, err = s.receiveGarbage(b[n:])
		case versionStage:
			m, err = s.receiveVersion(b[n:])
		}
		n += m
		if err != nil {
			return n, s.end(err)
		}
	}
	return n, nil
}

// prefix returns the first 16 bytes that a v1 peer sends: the magic and the type of a version message.
func (h *handshake) prefix() (p [16]byte) {
	copy(p[:], h.Magic[:])
	copy(p[4:], "version")
	return p
}

func (h *handshake) receiveKey(b []byte) (int, error) {
	n := copy(h.theirs[h.received:], b)
	h.received += n
	if !h.initiator {
		prefix := h.prefix()
		theirs := h.theirs[:min(h.received, len(prefix))]
		switch {
		case bytes.Equal(theirs, prefix[:]):
			return n, &V1Error{bytes.Clone(h.theirs[:h.received])}
		case len(theirs) == len(prefix) && bytes.Equal(theirs[4:], prefix[4:]):
			return n, fmt.Errorf("bip324: %w: magic %x", ErrNetwork, theirs[:4])
		case bytes.HasPrefix(prefix[:], theirs):
			return n, nil // the peer may speak v1 or v2
		case !h.started:
			if err := h.start(); err != nil {
				return n, err
			}
		}
	}
	if h.received < keySize {
		return n, nil
	}
	h.stage = garbageStage
	var err error
	secret.Do(func() { err = h.agree() })
	return n, err
}

// agree computes the session, and passes the terminator and the packets of the handshake to Send.
func (h *handshake) agree() error {
	shared, k := secret.New[[32]byte](), secret.New[keys]()
	defer secret.Zero(shared)
	defer secret.Zero(k)
	var err error
	if *shared, err = h.key.ECDH(&h.theirs, h.initiator); err != nil {
		return fmt.Errorf("bip324: %w", err)
	}
	k.derive(shared, h.Magic)
	us, them := 0, 1
	if !h.initiator {
		us, them = 1, 0
	}
	h.terminator = k.terminators[them]
	sealer := &direction{flow: flow{garbage: h.Garbage}}
	opener := &direction{flow: flow{limit: h.MaxContents}}
	h.session = &Session{ID: k.id, Sealer: &Sealer{direction: sealer}, Opener: &Opener{direction: opener}}
	if err := errors.Join(sealer.start(&k.lengths[us], &k.packets[us]), opener.start(&k.lengths[them], &k.packets[them])); err != nil {
		return fmt.Errorf("bip324: %w", err)
	}
	h.out = append(h.out, k.terminators[us][:]...)
	for _, n := range h.Decoys {
		if h.out, err = h.session.Sealer.Seal(h.out, make([]byte, n), true); err != nil {
			return err
		}
	}
	h.out, err = h.session.Sealer.Seal(h.out, nil, false)
	return err
}

// receiveGarbage takes garbage up to the terminator, byte by byte.
func (h *handshake) receiveGarbage(b []byte) (int, error) {
	for i := range b {
		h.garbage = append(h.garbage, b[i])
		n := len(h.garbage) - terminatorSize
		if n < 0 {
			continue
		}
		if subtle.ConstantTimeCompare(h.garbage[n:], h.terminator[:]) == 1 {
			h.session.Opener.direction.garbage = h.garbage[:n]
			h.garbage = nil
			h.stage = versionStage
			return i + 1, nil
		}
		if n == MaxGarbage {
			return i + 1, fmt.Errorf("bip324: %w: no terminator in %d bytes after the key", ErrGarbage, len(h.garbage))
		}
	}
	return len(b), nil
}

// receiveVersion takes a part of a packet, and completes the handshake at the first packet that is not a decoy. This
// packet is the version packet, whose contents are ignored.
func (h *handshake) receiveVersion(b []byte) (int, error) {
	size := h.size
	if size == 0 {
		size = lengthSize
	}
	n := min(size-len(h.packet), len(b))
	h.packet = append(h.packet, b[:n]...)
	if len(h.packet) < size {
		return n, nil
	}
	var err error
	if h.size == 0 {
		h.size, err = h.session.Opener.Length(h.packet)
	} else {
		var decoy bool
		_, decoy, err = h.session.Opener.Open(h.packet)
		h.size = 0
		if err == nil && !decoy {
			h.stage = doneStage
			h.packet = nil
		}
	}
	h.packet = h.packet[:0]
	return n, err
}
