package ethereum

import (
	"hash"
	"io"
	"strconv"
	"sync"

	"golang.org/x/crypto/sha3"

	"p256k1.mleku.dev/v2"
)

// A hasher computes Keccak-256. It reads the hash with Read, because Sum in golang.org/x/crypto first copies the state.
// The arrays are fields, because a local array that is passed to a method of an interface would be allocated on the
// heap.
type hasher struct {
	hash.Hash
	reader io.Reader
	buf    [66]byte
	sum    [32]byte
	items  *group // nil until group is called
}

func newHasher() *hasher {
	h := sha3.NewLegacyKeccak256()
	return &hasher{Hash: h, reader: h.(io.Reader)}
}

// hashers holds hashers that are not in use.
var hashers = sync.Pool{New: func() any { return newHasher() }}

// finish returns the hash of the data that was written, and resets the hasher. The result is valid until the next call.
func (h *hasher) finish() *[32]byte {
	h.reader.Read(h.sum[:])
	h.Reset()
	return &h.sum
}

// address returns the address of pub, which is the last 20 bytes of the hash of x ‖ y, the coordinates of pub (Yellow
// Paper, appendix F). ok is false if pub is invalid.
func (h *hasher) address(pub *p256k1.PublicKey) (a Address, ok bool) {
	b := pub.BytesUncompressed()
	if b == nil {
		return a, false
	}
	h.Write(append(h.buf[:0], b[1:]...))
	return Address(h.finish()[12:]), true
}

// Keccak256 returns the Keccak-256 hash of the concatenated data. Keccak-256 is Ethereum's hash function, which differs
// from SHA3-256 in its padding.
func Keccak256(data ...[]byte) [32]byte {
	h := hashers.Get().(*hasher)
	defer hashers.Put(h)
	for _, d := range data {
		h.Write(d)
	}
	return *h.finish()
}

// PersonalHash returns the 32-byte hash that wallets sign for a message of any length (EIP-191, version 0x45,
// personal_sign): Keccak-256 of "\x19Ethereum Signed Message:\n", the length of the message in decimal, and the
// message.
func PersonalHash(message []byte) [32]byte {
	h := hashers.Get().(*hasher)
	defer hashers.Put(h)
	h.Write(strconv.AppendInt(append(h.buf[:0], "\x19Ethereum Signed Message:\n"...), int64(len(message)), 10))
	h.Write(message)
	return *h.finish()
}

// TypedDataHash returns the 32-byte hash that wallets sign for typed data (EIP-712): Keccak-256 of the bytes 0x19 and
// 0x01, domainSeparator and structHash. The caller computes domainSeparator, the hash of the domain, and structHash,
// the hash of the data, by the rules of EIP-712.
func TypedDataHash(domainSeparator, structHash [32]byte) [32]byte {
	h := hashers.Get().(*hasher)
	defer hashers.Put(h)
	h.Write(append(append(append(h.buf[:0], 0x19, 0x01), domainSeparator[:]...), structHash[:]...))
	return *h.finish()
}
