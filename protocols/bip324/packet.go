package bip324

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/secret"
)

// These are sizes in bytes.
const (
	// MaxContents is the largest length of the contents of one packet.
	MaxContents = 1<<24 - 1
	// Overhead is the number of bytes by which a packet is longer than its contents.
	Overhead = lengthSize + headerSize + tagSize

	lengthSize = 3
	headerSize = 1
	tagSize    = 16
)

// decoyBit is the bit of the header that BIP-324 calls the ignore bit. The receiver ignores the other bits.
const decoyBit = 0x80

var (
	// ErrAuth means that a packet, or the garbage before the first packet, was changed on its way from the peer.
	ErrAuth = errors.New("packet is not authentic")
	// ErrTooLong means that contents are longer than a packet can hold or than Config.MaxContents allows.
	ErrTooLong = errors.New("contents are too long")
	// ErrOrder means that methods were called in the wrong order, or on a value that no handshake made.
	ErrOrder = errors.New("call out of order")
)

// A direction is one of the two directions of a connection. Each method of Sealer and Opener locks its direction.
// Otherwise two goroutines could encrypt two packets with the same nonce, or one goroutine could encrypt with a key of
// zeros after another has wiped the key.
type direction struct {
	using sync.Mutex
	flow
}

// A flow is the state of a direction, except its lock.
type flow struct {
	lengths lengthCipher
	packets packetCipher
	garbage []byte // to be authenticated with the first packet
	err     error  // why the direction ended

	// The following fields are for incoming packets.
	limit int // the largest length of contents
	body  int // the length of the rest of the current packet, or 0 before its length is decrypted
	head  [3]byte
}

// start sets the keys, and wipes its arguments.
func (d *direction) start(lengths, packets *[32]byte) error {
	d.lengths.key = *lengths
	copy(d.packets.key[:], packets[:])
	clear(lengths[:])
	clear(packets[:])
	return errors.Join(d.lengths.start(), d.packets.start())
}

// end wipes d and sets the error that all later calls return.
func (d *direction) end(err error) error {
	d.packets.zero()
	d.flow = flow{err: err}
	return err
}

// fresh returns the direction of a Sealer or an Opener that no handshake made.
func fresh() *direction {
	return &direction{flow: flow{err: fmt.Errorf("bip324: %w: no handshake", ErrOrder)}}
}

// wipe wipes d and makes all later calls return errZero.
func (d *direction) wipe() {
	d.using.Lock()
	d.end(errZero)
	d.using.Unlock()
}

// crypted makes d ready for the next packet, after a packet has been encrypted or decrypted.
func (d *direction) crypted() error {
	d.garbage = nil
	if err := d.packets.next(); err != nil {
		return d.end(fmt.Errorf("bip324: %w", err))
	}
	return nil
}

var errZero = fmt.Errorf("bip324: %w: wiped", ErrOrder)

// Sealer encrypts the packets that one side sends. The packets must be sent in the order in which Seal made them,
// because otherwise the peer ends the connection. Goroutines that call methods at the same time wait for each other.
// All copies of a Sealer share one state. A Sealer comes from a Handshake.
type Sealer struct {
	hidden
	direction *direction
}

func (s *Sealer) get() *direction {
	if s == nil || s.direction == nil {
		return fresh()
	}
	return s.direction
}

// Seal encrypts contents, appends the packet, which has len(contents) + Overhead bytes, to dst, and returns the
// extended slice. If decoy is true, the packet is a decoy, which the peer discards. If dst has enough capacity, Seal
// allocates no memory, except for new keys after every 224 packets, and except that golang.org/x/crypto does so with
// the build tag purego. contents may be in the spare capacity of dst. The error is ErrTooLong for more than MaxContents
// bytes, which leaves the Sealer unchanged, or ErrOrder after Zero or if no handshake made the Sealer.
func (s *Sealer) Seal(dst, contents []byte, decoy bool) ([]byte, error) {
	d := s.get()
	d.using.Lock()
	defer d.using.Unlock()
	if d.err != nil {
		return dst, d.err
	}
	if err := checkLength(len(contents), MaxContents); err != nil {
		return dst, err
	}
	n := len(contents) + Overhead
	all := slices.Grow(dst, n)[:len(dst)+n]
	packet := all[len(dst):]
	plain := packet[lengthSize : len(packet)-tagSize]
	copy(plain[headerSize:], contents) // first, because contents and dst may overlap
	packet[0], packet[1], packet[2] = byte(len(contents)), byte(len(contents)>>8), byte(len(contents)>>16)
	plain[0] = 0
	if decoy {
		plain[0] = decoyBit
	}
	var err error
	secret.Do(func() { err = d.seal(packet[:lengthSize], plain) })
	if err != nil {
		return dst, err
	}
	return all, nil
}

// seal encrypts the length and the rest of a packet in place.
func (d *direction) seal(length, plain []byte) error {
	if err := d.lengths.crypt(length); err != nil {
		return d.end(fmt.Errorf("bip324: %w", err))
	}
	d.packets.aead.Seal(plain[:0], d.packets.nonce[:], plain, d.garbage)
	return d.crypted()
}

func checkLength(n, limit int) error {
	if n < 0 || n > limit {
		return fmt.Errorf("bip324: %w: %d bytes, of at most %d", ErrTooLong, n, limit)
	}
	return nil
}

// Zero wipes the keys.
func (s *Sealer) Zero() { s.get().wipe() }

// Opener decrypts the packets that the peer sends, in order: call Length and then Open for each packet. After ErrAuth
// or ErrTooLong the keys are wiped, and all later calls return the same error. Goroutines that call methods at the same
// time wait for each other. All copies of an Opener share one state. An Opener comes from a Handshake.
type Opener struct {
	hidden
	direction *direction
}

func (o *Opener) get() *direction {
	if o == nil || o.direction == nil {
		return fresh()
	}
	return o.direction
}

// Length takes the first 3 bytes of a packet, and returns the number of bytes that follow, which is Overhead − 3 more
// than the length of the contents. The error is ErrTooLong if the contents would be longer than Config.MaxContents. The
// length is not authenticated yet, so an attacker between the peers can choose it: allocate memory as bytes arrive, and
// not according to the length. The error is p256k1.ErrLength if head does not have 3 bytes, or ErrOrder if Open has to
// be called first. These two errors leave the Opener unchanged. The error is also ErrOrder after Zero, or if no
// handshake made the Opener.
func (o *Opener) Length(head []byte) (int, error) {
	d := o.get()
	d.using.Lock()
	defer d.using.Unlock()
	switch {
	case d.err != nil:
		return 0, d.err
	case d.body != 0:
		return 0, fmt.Errorf("bip324: %w: Length before Open for the previous packet", ErrOrder)
	case len(head) != lengthSize:
		return 0, fmt.Errorf("bip324: length of a packet: %w: %d bytes, not %d", p256k1.ErrLength, len(head), lengthSize)
	}
	copy(d.head[:], head)
	if err := d.lengths.crypt(d.head[:]); err != nil {
		return 0, d.end(fmt.Errorf("bip324: %w", err))
	}
	n := int(d.head[0]) | int(d.head[1])<<8 | int(d.head[2])<<16
	if err := checkLength(n, d.limit); err != nil {
		return 0, d.end(err)
	}
	d.body = headerSize + n + tagSize
	return d.body, nil
}

// Open decrypts body, the rest of a packet, in place. The length of body must be the number that Length returned. Open
// returns the contents, a slice of body, and whether the packet is a decoy, whose contents should be ignored. The error
// is ErrAuth if the packet is not authentic, and body is then overwritten. The error is p256k1.ErrLength if body has
// the wrong length, or ErrOrder if Length has to be called first. These two errors leave the Opener unchanged. The
// error is also ErrOrder after Zero, or if no handshake made the Opener.
func (o *Opener) Open(body []byte) (contents []byte, decoy bool, err error) {
	d := o.get()
	d.using.Lock()
	defer d.using.Unlock()
	switch {
	case d.err != nil:
		return nil, false, d.err
	case d.body == 0:
		return nil, false, fmt.Errorf("bip324: %w: Open before Length", ErrOrder)
	case len(body) != d.body:
		return nil, false, fmt.Errorf("bip324: packet: %w: %d bytes, not %d", p256k1.ErrLength, len(body), d.body)
	}
	secret.Do(func() { err = d.open(body) })
	if err != nil {
		clear(body)
		return nil, false, err
	}
	n := len(body) - tagSize
	return body[headerSize:n:n], body[0]&decoyBit != 0, nil
}

// open decrypts the rest of a packet in place.
func (d *direction) open(body []byte) error {
	if _, err := d.packets.aead.Open(body[:0], d.packets.nonce[:], body, d.garbage); err != nil {
		return d.end(fmt.Errorf("bip324: %w", ErrAuth))
	}
	d.body = 0
	return d.crypted()
}

// Zero wipes the keys.
func (o *Opener) Zero() { o.get().wipe() }
