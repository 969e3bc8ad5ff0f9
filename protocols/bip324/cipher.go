package bip324

import (
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"reflect"

	"golang.org/x/crypto/chacha20"
	"golang.org/x/crypto/chacha20poly1305"

	"p256k1.mleku.dev/v2/hmacsha256"
	"p256k1.mleku.dev/v2/secret"
)

// rekeyInterval is the number of packets after which keys change.
const rekeyInterval = 224

// keys are the keys that both sides derive from the shared secret. In each pair, the first key is the initiator's.
type keys struct {
	lengths, packets [2][32]byte
	terminators      [2][16]byte
	id               [32]byte
}

// derive sets k to the keys that are derived from a shared secret. It leaves secrets on the stack, which the caller
// must wipe.
func (k *keys) derive(shared *[32]byte, magic [4]byte) {
	salt := append([]byte("bitcoin_v2_shared_secret"), magic[:]...)
	prk := hmacsha256.Sum(salt, shared[:])
	var terminators [32]byte // public, because they are sent unencrypted
	for _, e := range []struct {
		out  *[32]byte
		info string
	}{
		{&k.lengths[0], "initiator_L"},
		{&k.packets[0], "initiator_P"},
		{&k.lengths[1], "responder_L"},
		{&k.packets[1], "responder_P"},
		{&terminators, "garbage_terminators"},
		{&k.id, "session_id"},
	} {
		*e.out = hmacsha256.Sum(prk[:], []byte(e.info), []byte{1}) // HKDF-Expand with one block of output
	}
	copy(k.terminators[0][:], terminators[:16])
	copy(k.terminators[1][:], terminators[16:])
}

// lengthsAtOnce is the number of packets for whose lengths the key stream is computed at once, because wiping the stack
// takes longer than computing a block of the key stream. It divides rekeyInterval.
const lengthsAtOnce = 16

// A lengthCipher is FSChaCha20, which encrypts the lengths of the packets of one direction.
type lengthCipher struct {
	stream  chacha20.Cipher
	next    [3 * lengthsAtOnce]byte // the key stream for the next lengths
	key     [32]byte                // zeros, except while the key changes
	nonce   [12]byte                // 4 zeros and the number of key changes
	packets int                     // packets since the last key change
}

// start initializes the cipher with c.key, and wipes c.key.
func (c *lengthCipher) start() error {
	stream, err := chacha20.NewUnauthenticatedCipher(c.key[:], c.nonce[:])
	clear(c.key[:])
	if err != nil {
		return err
	}
	c.stream = *stream
	secret.Zero(stream)
	c.packets = 0
	return nil
}

// crypt encrypts or decrypts the 3 bytes b in place.
func (c *lengthCipher) crypt(b []byte) error {
	i := c.packets % lengthsAtOnce * 3
	if i == 0 {
		clear(c.next[:])
		secret.Do(func() { c.stream.XORKeyStream(c.next[:], c.next[:]) })
	}
	subtle.XORBytes(b, b, c.next[i:i+3])
	if c.packets++; c.packets < rekeyInterval {
		return nil
	}
	var err error
	secret.Do(func() { err = c.rekey() })
	return err
}

func (c *lengthCipher) rekey() error {
	c.stream.XORKeyStream(c.key[:], c.key[:])
	clear(c.next[:])
	increment(&c.nonce)
	return c.start()
}

// increment adds 1 to the number of key changes in a nonce.
func increment(nonce *[12]byte) {
	binary.LittleEndian.PutUint64(nonce[4:], binary.LittleEndian.Uint64(nonce[4:])+1)
}

// A packetCipher is FSChaCha20Poly1305, which encrypts the packets of one direction.
type packetCipher struct {
	aead  cipher.AEAD
	key   [32 + 16]byte // zeros, except while the key changes; with room for a tag
	nonce [12]byte      // the number of packets with this key, and the number of key changes
}

// start initializes the AEAD with c.key, and wipes c.key.
func (c *packetCipher) start() error {
	aead, err := chacha20poly1305.New(c.key[:32])
	clear(c.key[:])
	c.zero()
	c.aead = aead
	return err
}

// next prepares c for the next packet.
func (c *packetCipher) next() error {
	n := binary.LittleEndian.Uint32(c.nonce[:]) + 1
	if n < rekeyInterval {
		binary.LittleEndian.PutUint32(c.nonce[:], n)
		return nil
	}
	var err error
	secret.Do(func() { err = c.rekey() })
	return err
}

func (c *packetCipher) rekey() error {
	binary.LittleEndian.PutUint32(c.nonce[:], 0xffffffff)
	c.aead.Seal(c.key[:0], c.nonce[:], c.key[:32], nil)
	binary.LittleEndian.PutUint32(c.nonce[:], 0)
	increment(&c.nonce)
	return c.start()
}

// zero wipes the key in c.aead, before c.aead is set again. Package chacha20poly1305 has no function that wipes a key,
// but its New returns a pointer to the value that holds the key, so reflection can zero that value.
func (c *packetCipher) zero() {
	if v := reflect.ValueOf(c.aead); v.Kind() == reflect.Pointer {
		v.Elem().SetZero()
	}
}
