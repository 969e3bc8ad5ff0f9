// Package nip44 encrypts messages between the owners of two Nostr keys (NIP-44, version 2). Messages are encrypted with
// ChaCha20 and authenticated with HMAC-SHA256. HKDF-SHA256 derives the keys from the shared point and a nonce.
//
// Whoever obtains one of the two private keys, now or later, can read all messages. Padding hides the exact length of a
// message. A payload proves neither its author nor its recipient. Only the signature of the event that contains the
// payload proves them, so verify the event first.
//
// Since 2026-06-28, NIP-44 has allowed messages of 65,536 bytes and more. Programs from before that day refuse them.
// Encrypt and Decrypt hold the whole message in memory: Encrypt allocates nothing but the payload, which is a third
// larger than the padded message, and Decrypt allocates three quarters of the payload's size. The length that a payload
// states is only read after its authentication code has been verified. A program that receives payloads from strangers
// should bound their size before it calls Decrypt, as nostr.Reader bounds the lines that it reads.
//
// The examples are in example_test.go.
package nip44

import (
	"bytes"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"golang.org/x/crypto/chacha20"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/hmacsha256"
	"p256k1.mleku.dev/v2/secret"
)

// These are the kinds of errors, for errors.Is. Error messages reveal nothing about a key or a message.
var (
	// ErrSize means that a message has no bytes or more than MaxSize.
	ErrSize = errors.New("wrong message size")
	// ErrVersion means that a payload was made by another version of NIP-44.
	ErrVersion = errors.New("unknown version")
	// ErrPayload means that a payload has a wrong length, is not base64, was made with another key, was changed, or has
	// wrong padding. A message of NIP-04 is not a payload either, and the error says that it is one of NIP-04.
	ErrPayload = errors.New("not a payload of this conversation")
)

const (
	// MaxSize is the largest number of bytes that a message may have: 4,294,967,295, or 1,342,177,280 where an int has
	// 32 bits, because the payload of a longer message would have more bytes than an int can count.
	MaxSize = min(1<<32-1, 5*(math.MaxInt/8+1))

	longSize  = 65536 // the size from which the prefix has 6 bytes: two zeros, and a length of 32 bits
	version   = 2
	nonceSize = 32
	macSize   = 32
	overhead  = 1 + nonceSize + macSize
	leastSize = overhead + 2 + 32 // the shortest payload before base64
	mostSize  = overhead + 6 + 1<<32
)

var base64Strict = base64.StdEncoding.Strict()

// Conversation holds the conversation key of two users. Copies of a Conversation share one key, which Zero wipes for
// all copies. The zero value has no key. Several goroutines may use a Conversation at once, but not while one of them
// calls Zero.
type Conversation struct {
	key **state // two pointers, as in p256k1.PrivateKey, so that package fmt shows at most an address
}

// state is allocated by secret.New.
type state struct {
	key  [32]byte
	set  bool
	self *state
}

// New returns the conversation between the owners of priv and pub. Both sides get the same conversation key. The error
// is p256k1.ErrNoKey if a key is invalid. To decrypt many gift wraps (NIP-59), each of which has another public key,
// use ecdh.NIP44ConversationKeyBatch and FromKey, which take less time.
func New(priv *p256k1.PrivateKey, pub *p256k1.XOnlyPublicKey) (*Conversation, error) {
	s := newState()
	var err error
	secret.Do(func() { s.key, err = ecdh.NIP44ConversationKey(priv, pub) })
	if err != nil {
		return nil, fmt.Errorf("nip44: %w", err)
	}
	s.set = true
	return &Conversation{&s.self}, nil
}

// FromKey returns the conversation with the given conversation key. It copies the key.
func FromKey(key *[32]byte) *Conversation {
	s := newState()
	s.key, s.set = *key, true
	return &Conversation{&s.self}
}

func newState() *state {
	s := secret.New[state]()
	s.self = s
	return s
}

// get returns the state, or nil if there is no key.
func (c *Conversation) get() *state {
	if c == nil || c.key == nil || !(*c.key).set {
		return nil
	}
	return *c.key
}

// Zero wipes the key. Encrypt and Decrypt then return p256k1.ErrNoKey.
func (c *Conversation) Zero() {
	if s := c.get(); s != nil {
		clear(s.key[:])
		s.set = false
	}
}

// Encrypt encrypts a message of 1 to MaxSize bytes with a fresh nonce, and appends the payload, which is base64 text,
// to dst. NIP-44 requires that messages are UTF-8, which Encrypt does not check. Encrypt is constant-time, except that
// the time depends on the length of the message. The error is ErrSize, or p256k1.ErrNoKey if there is no key.
func (c *Conversation) Encrypt(dst, message []byte) ([]byte, error) {
	var nonce [nonceSize]byte
	rand.Read(nonce[:]) // never fails
	return c.encrypt(dst, message, &nonce)
}

func (c *Conversation) encrypt(dst, message []byte, nonce *[nonceSize]byte) ([]byte, error) {
	s := c.get()
	if s == nil {
		return dst, errNoKey()
	}
	if len(message) < 1 || len(message) > MaxSize {
		return dst, fmt.Errorf("nip44: %w: %d bytes, want 1 to %d", ErrSize, len(message), MaxSize)
	}
	prefix := 2
	if len(message) >= longSize {
		prefix = 6
	}
	size := overhead + prefix + paddedSize(len(message))
	from, length := len(dst), base64Strict.EncodedLen(size)
	dst = slices.Grow(dst, length)[:from+length]
	raw := dst[len(dst)-size:]
	text := raw[1+nonceSize : size-macSize]
	clear(text[prefix+copy(text[prefix:], message):]) // copy comes first, because dst and message may overlap
	raw[0] = version
	copy(raw[1:], nonce[:])
	if prefix == 2 {
		binary.BigEndian.PutUint16(text, uint16(len(message)))
	} else {
		binary.BigEndian.PutUint16(text, 0)
		binary.BigEndian.PutUint32(text[2:], uint32(len(message)))
	}
	k := secret.New[keys]()
	secret.Do(func() {
		k.derive(s, nonce[:])
		k.cipher(text) // encrypts in place, so that no copy of the message remains
		mac := hmacsha256.Sum(k.mac[:], nonce[:], text)
		copy(raw[size-macSize:], mac[:])
		secret.Zero(k)
	})
	// raw is at the end of the place for its base64 text, which never reaches bytes of raw that are not encoded yet.
	var digits [1024]byte
	for out := dst[from:]; len(out) > 0; {
		part := raw[:min(len(raw), len(digits)/4*3)]
		base64Strict.Encode(digits[:], part)
		out, raw = out[copy(out, digits[:base64Strict.EncodedLen(len(part))]):], raw[len(part):]
	}
	return dst, nil
}

// Decrypt decrypts a payload and appends the message to dst. If dst is nil, Decrypt returns the buffer in which it has
// decrypted the message, without copying the message. The error is ErrVersion, ErrPayload, or p256k1.ErrNoKey if there
// is no key, and then nothing is appended. Decrypt is constant-time, except that the time shows the lengths of the
// payload and of the message, and which error is returned.
func (c *Conversation) Decrypt(dst, payload []byte) ([]byte, error) {
	s := c.get()
	if s == nil {
		return dst, errNoKey()
	}
	if len(payload) > 0 && payload[0] == '#' {
		return dst, fmt.Errorf("nip44: %w: the payload begins with #", ErrVersion)
	}
	if bytes.Contains(payload, []byte("?iv=")) { // never in base64
		return dst, fmt.Errorf("nip44: %w: a message of NIP-04, which has ?iv= before its initialization vector", ErrPayload)
	}
	if n := len(payload); n < base64Strict.EncodedLen(leastSize) || uint64(n) > (mostSize+2)/3*4 {
		return dst, fmt.Errorf("nip44: %w: %d characters", ErrPayload, n)
	}
	if slices.ContainsFunc(payload, func(c byte) bool { return c == '\r' || c == '\n' }) { // the decoder skips line ends
		return dst, fmt.Errorf("nip44: %w: not base64", ErrPayload)
	}
	raw, err := base64Strict.AppendDecode(make([]byte, 0, base64Strict.DecodedLen(len(payload))), payload)
	if err != nil {
		return dst, fmt.Errorf("nip44: %w: not base64", ErrPayload)
	}
	if raw[0] != version {
		return dst, fmt.Errorf("nip44: %w: %d, want %d", ErrVersion, raw[0], version)
	}
	if len(raw) < leastSize {
		return dst, fmt.Errorf("nip44: %w: %d bytes", ErrPayload, len(raw))
	}
	nonce, text, mac := raw[1:1+nonceSize], raw[1+nonceSize:len(raw)-macSize], raw[len(raw)-macSize:]
	k := secret.New[keys]()
	good := 0
	secret.Do(func() {
		k.derive(s, nonce)
		want := hmacsha256.Sum(k.mac[:], nonce, text)
		if good = subtle.ConstantTimeCompare(want[:], mac); good == 1 {
			k.cipher(text)
		}
		secret.Zero(k)
	})
	if good != 1 {
		return dst, fmt.Errorf("nip44: %w: wrong authentication code", ErrPayload)
	}
	// The payload is authentic, so its author had the key. Only the padding can still be wrong.
	n, prefix := uint64(binary.BigEndian.Uint16(text)), 2
	if n == 0 {
		n, prefix = uint64(binary.BigEndian.Uint32(text[2:])), 6
	}
	padded := text[prefix:]
	if (n >= longSize) != (prefix == 6) || n > uint64(len(padded)) || paddedSize(int(n)) != len(padded) {
		clear(text)
		return dst, fmt.Errorf("nip44: %w: wrong padding", ErrPayload)
	}
	if dst == nil {
		return padded[:n:n], nil
	}
	defer clear(text)
	return append(dst, padded[:n]...), nil
}

func errNoKey() error {
	return fmt.Errorf("nip44: conversation: %w: wiped or never set", p256k1.ErrNoKey)
}

// paddedSize returns the padded size of a message of n bytes (calc_padded_len in NIP-44), for n up to MaxSize. It
// computes in 64 bits, because the next power of two of a permitted size may not fit in 32 bits.
func paddedSize(n int) int {
	if n <= 32 {
		return 32
	}
	next := uint64(1) << bits.Len(uint(n-1))
	chunk := max(32, next/8)
	return int((uint64(n) + chunk - 1) / chunk * chunk)
}

// keys holds the keys and the cipher for one message, in memory of secret.New.
type keys struct {
	okm    [3 * 32]byte // T(1) to T(3) of RFC 5869, section 2.3
	mac    [32]byte
	stream chacha20.Cipher
}

// derive sets the keys of a message to HKDF-Expand of the conversation key, with the nonce as info. The first 32 bytes
// are the key for ChaCha20, the next 12 bytes are the nonce for ChaCha20, and the last 32 bytes are the key for HMAC.
func (k *keys) derive(s *state, nonce []byte) {
	var before []byte
	for i := range 3 {
		t := hmacsha256.Sum(s.key[:], before, nonce, []byte{byte(i + 1)})
		before = k.okm[32*i:][:32]
		copy(before, t[:])
	}
	copy(k.mac[:], k.okm[44:76])
	stream, err := chacha20.NewUnauthenticatedCipher(k.okm[:32], k.okm[32:44])
	if err != nil {
		panic(err) // impossible, because the lengths are correct
	}
	k.stream = *stream
	secret.Zero(stream) // the second copy of the key
}

// cipher encrypts or decrypts a text in place. It must be called only once.
func (k *keys) cipher(text []byte) { k.stream.XORKeyStream(text, text) }
