package bip324

import (
	"crypto/cipher"
	"crypto/sha256"
	"encoding/binary"
	"reflect"

	"golang.org/x/crypto/chacha20"
	"golang.org/x/crypto/chacha20poly1305"
)

// rekeyInterval is the number of packets after which keys change.
const rekeyInterval = 224

// keys are the keys that both sides derive from the shared secret. In each pair, the first key is the initiator's.
type keys struct {
	lengths, packets [2][32]byte
	terminators      [2][16]byte
	id               [32]byte

	prk [32]byte
	mac hmac
}

// derive sets k to the keys that are derived from a secret. It leaves secrets on the stack, which the caller must
// wipe.
func (k *keys) derive(secret *[32]byte, magic [4]byte) {
	salt := append([]byte("bitcoin_v2_shared_secret"), magic[:]...)
	k.mac.sum(&k.prk, salt, secret[:])
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
		// This is HKDF-Expand with one block of output.
		k.mac.sum(e.out, k.prk[:], append([]byte(e.info), 1))
	}
	copy(k.terminators[0][:], terminators[:16])
	copy(k.terminators[1][:], terminators[16:])
}

func (k *keys) zero() { *k = keys{} }

// hmac holds the blocks that HMAC-SHA256 hashes. The standard library's HMAC is not used, because it would leave the
// key in memory.
type hmac struct{ inner, outer [128]byte }

// sum sets out to the HMAC of msg. Neither msg nor key may have more than 64 bytes.
func (m *hmac) sum(out *[32]byte, key, msg []byte) {
	*m = hmac{}
	copy(m.inner[:64], key)
	for i := range 64 {
		m.outer[i] = m.inner[i] ^ 0x5c
		m.inner[i] ^= 0x36
	}
	n := copy(m.inner[64:], msg)
	*out = sha256.Sum256(m.inner[:64+n])
	copy(m.outer[64:], out[:])
	*out = sha256.Sum256(m.outer[:64+32])
}

// A lengthCipher is FSChaCha20, which encrypts the lengths of the packets of one direction.
type lengthCipher struct {
	stream  chacha20.Cipher
	key     [32]byte // zeros, except while the key changes
	nonce   [12]byte // 4 zeros and the number of key changes
	packets int      // packets since the last key change
}

// start initializes the cipher with c.key, and wipes c.key.
func (c *lengthCipher) start() error {
	stream, err := chacha20.NewUnauthenticatedCipher(c.key[:], c.nonce[:])
	clear(c.key[:])
	if err != nil {
		return err
	}
	c.stream = *stream
	*stream = chacha20.Cipher{}
	c.packets = 0
	return nil
}

// crypt encrypts or decrypts the 3 bytes b in place.
func (c *lengthCipher) crypt(b []byte) error {
	c.stream.XORKeyStream(b, b)
	if c.packets++; c.packets < rekeyInterval {
		return nil
	}
	var err error
	hide(func() { err = c.rekey() })
	return err
}

func (c *lengthCipher) rekey() error {
	c.stream.XORKeyStream(c.key[:], c.key[:])
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
	hide(func() { err = c.rekey() })
	return err
}

func (c *packetCipher) rekey() error {
	binary.LittleEndian.PutUint32(c.nonce[:], 0xffffffff)
	c.aead.Seal(c.key[:0], c.nonce[:], c.key[:32], nil)
	binary.LittleEndian.PutUint32(c.nonce[:], 0)
	increment(&c.nonce)
	return c.start()
}

// zero wipes the key in c.aead, before c.aead is set again. Package chacha20poly1305 has no function that wipes a
// key, but its New returns a pointer to the value that holds the key, so reflection can zero that value.
func (c *packetCipher) zero() {
	if v := reflect.ValueOf(c.aead); v.Kind() == reflect.Pointer {
		v.Elem().SetZero()
	}
}

// wipeStack zeroes 8 KiB of the stack below its caller. A first call, before secrets are on the stack, makes the
// stack large enough for these 8 KiB.
//
//go:noinline
func wipeStack() byte {
	var frame [8 << 10]byte
	return frame[last(len(frame))]
}

// wipeFrames zeroes 2 KiB of the stack below its caller, which is more than the encryption of a packet uses. A first
// call, before secrets are on the stack, makes the stack large enough for these 2 KiB.
//
//go:noinline
func wipeFrames() byte {
	var frame [2 << 10]byte
	return frame[last(len(frame))]
}

// last returns n − 1. It is not inlined, so that the compiler does not notice that only one byte of a frame is used.
//
//go:noinline
func last(n int) int { return n - 1 }

// overwrite encrypts zeros with a key of zeros, so that the registers no longer hold the last key, which would be
// saved to memory if the goroutine were interrupted. overwrite encrypts texts of two lengths, because the assembly
// uses different registers for short and long texts.
func overwrite() {
	zeros := make([]byte, 512+tagSize)
	aead, err := chacha20poly1305.New(zeros[:32])
	if err != nil {
		return // the ciphers have failed, too, so there is no key to overwrite
	}
	for _, n := range []int{512, 1} {
		aead.Seal(zeros[:0], make([]byte, 12), zeros[:n], nil)
	}
}
