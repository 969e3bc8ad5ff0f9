// Package hmacsha256 computes HMAC-SHA256 (RFC 2104) without allocating, which
// crypto/hmac cannot.
package hmacsha256

import "crypto/sha256"

// Sum returns the HMAC of the concatenated parts under a key of at most 64
// bytes.
func Sum(key []byte, parts ...[]byte) (sum [32]byte) {
	var pad [sha256.BlockSize]byte
	defer clear(pad[:])
	if len(key) > len(pad) {
		panic("hmacsha256: key longer than a block")
	}
	copy(pad[:], key)
	for i := range pad {
		pad[i] ^= 0x36
	}
	inner := sha256.New()
	inner.Write(pad[:])
	for _, p := range parts {
		inner.Write(p)
	}
	inner.Sum(sum[:0])

	for i := range pad {
		pad[i] ^= 0x36 ^ 0x5c
	}
	outer := sha256.New()
	outer.Write(pad[:])
	outer.Write(sum[:])
	outer.Sum(sum[:0])
	return sum
}
