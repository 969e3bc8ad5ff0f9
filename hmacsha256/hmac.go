// Package hmacsha256 computes HMAC-SHA256 (RFC 2104) without allocating, for protocols that derive keys from secrets.
// Package crypto/hmac leaves copies of the key on the heap, where nothing can wipe them. Sum leaves its copies on the
// stack, which secret.Do wipes.
//
// The examples are in example_test.go.
package hmacsha256

import "crypto/sha256"

// Sum returns the HMAC of the concatenated parts under a key of any length. It is constant-time, except that the time
// depends on the lengths of the key and of the parts.
func Sum(key []byte, parts ...[]byte) (sum [32]byte) {
	var pad [sha256.BlockSize]byte
	defer clear(pad[:])
	if len(key) > len(pad) {
		sum = sha256.Sum256(key)
		key = sum[:]
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
