package p256k1

import (
	"crypto/hmac"
	"crypto/sha256"
	"hash"

	"p256k1.mleku.dev/v2/schnorr"
)

// TaggedHash returns SHA-256(SHA-256(tag) ‖ SHA-256(tag) ‖ data) (BIP-340).
//
// Deprecated: use TaggedHash or NewTag of version 2's package schnorr.
func TaggedHash(tag, data []byte) [32]byte { return schnorr.TaggedHash(string(tag), data) }

// SHA256 is the state of a SHA-256 computation.
//
// Deprecated: use crypto/sha256.
type SHA256 struct{ h hash.Hash }

// NewSHA256 returns the state of SHA-256 before any data.
//
// Deprecated: use crypto/sha256.
func NewSHA256() *SHA256 { return &SHA256{sha256.New()} }

// Write adds data to the message that is hashed.
func (h *SHA256) Write(data []byte) { h.h.Write(data) }

// Sum writes the hash of all data so far to out, 32 bytes, and returns out. If out is nil, it returns a new slice.
func (h *SHA256) Sum(out []byte) []byte {
	if out == nil {
		out = make([]byte, 32)
	}
	copy(out, h.h.Sum(nil))
	return out
}

// Finalize writes the hash of all data to out32. It panics if out32 is not 32 bytes.
func (h *SHA256) Finalize(out32 []byte) { finalize(h.h, out32) }

// Clear discards the state. The SHA256 must not be used afterwards.
func (h *SHA256) Clear() { forget(&h.h) }

// HMACSHA256 is the state of a computation of HMAC with SHA-256.
//
// Deprecated: use crypto/hmac.
type HMACSHA256 struct{ h hash.Hash }

// NewHMACSHA256 returns the state of HMAC-SHA256 for a key, before any data.
//
// Deprecated: use crypto/hmac.
func NewHMACSHA256(key []byte) *HMACSHA256 { return &HMACSHA256{hmac.New(sha256.New, key)} }

// Write adds data to the message that is hashed.
func (h *HMACSHA256) Write(data []byte) { h.h.Write(data) }

// Finalize writes the HMAC of all data to out32. It panics if out32 is not 32 bytes.
func (h *HMACSHA256) Finalize(out32 []byte) { finalize(h.h, out32) }

// Clear discards the key and the state. The HMACSHA256 must not be used afterwards.
func (h *HMACSHA256) Clear() { forget(&h.h) }

func finalize(h hash.Hash, out32 []byte) {
	if len(out32) != 32 {
		panic("output buffer must be 32 bytes")
	}
	h.Sum(out32[:0])
}

func forget(h *hash.Hash) {
	if *h != nil {
		(*h).Reset()
	}
	*h = nil
}
