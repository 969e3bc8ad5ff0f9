package ecdsa

import (
	"sync"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/verify"
)

// Batch verifies many signatures, each with a verdict of its own: that of Verify or, with
// LowSOnly, of VerifyLowS. That takes less time than one by one, on one core: with AVX-512
// IFMA much less from 8 items on, otherwise a little, or half of it where
// there are several items by each key. It is for public values, and not for use by several
// goroutines at once: give each a Batch of its own. The zero value is an empty batch. A
// Batch must not be copied: copies would write to the same memory.
//
// What Add and AddKey are given is copied. A Batch that had as many items before
// allocates nothing.
type Batch struct {
	_ [0]sync.Mutex // so that go vet reports copies

	// LowSOnly makes signatures with s > (n−1)/2 invalid. It counts when Verify and
	// Invalid are called, for all items.
	LowSOnly bool

	claims verify.ECDSA
	high   []bool // of each item, whether s > (n−1)/2
}

// Add adds the signature sig of a digest of 32 bytes by the public key that pub encodes
// (SEC 1, section 2.3.4), 33 or 65 bytes, as p256k1.NewPublicKey takes it. If pub or the
// digest is malformed, or sig is the zero value, which ParseDER and ParseCompact return
// with an error, the item is invalid.
func (b *Batch) Add(pub, digest []byte, sig Signature) {
	var r, s, z curve.Scalar
	var p curve.Point
	switch ok := b.claim(&r, &s, &z, digest, &sig); {
	case ok && len(pub) == 33:
		b.claims.Add(&r, &r, (*[33]byte)(pub), &z, &s)
		return
	case ok && len(pub) == 65:
		if _, err := p.SetBytes(pub); err == nil {
			b.claims.AddPoint(&r, &r, &p, &z, &s)
			return
		}
	}
	b.claims.AddMalformed()
}

// AddKey is Add with a public key. With one that is nil or was never set the item is
// invalid.
func (b *Batch) AddKey(pub *p256k1.PublicKey, digest []byte, sig Signature) {
	var r, s, z curve.Scalar
	if !b.claim(&r, &s, &z, digest, &sig) {
		b.claims.AddMalformed()
		return
	}
	b.claims.AddPoint(&r, &r, pub.Point(), &z, &s)
}

// claim sets r, s and z to the scalars for which sig says that r is x of (r·P + z·G)/s modulo n. It
// reports false for a signature that cannot be valid. It notes whether s is high.
func (b *Batch) claim(r, s, z *curve.Scalar, digest []byte, sig *Signature) bool {
	ok := len(digest) == 32 && sig.scalars(r, s)
	b.high = append(b.high, ok && s.IsHigh() == 1)
	if ok {
		z.SetBytesReduced((*[32]byte)(digest))
	}
	return ok
}

// Len returns how many items were added since the last Reset.
func (b *Batch) Len() int {
	return b.claims.Len()
}

// Verify reports whether all items are valid, as those of an empty batch are. More items
// can be added after it, and those that were there are not verified again.
func (b *Batch) Verify() bool {
	for i, ok := range b.claims.JudgeVartime() {
		if !b.valid(i, ok) {
			return false
		}
	}
	return true
}

// Invalid appends the indexes of the items that are not valid to dst, in ascending order.
// The item that was added first has the index 0. After Verify it does no more than that.
func (b *Batch) Invalid(dst []int) []int {
	for i, ok := range b.claims.JudgeVartime() {
		if !b.valid(i, ok) {
			dst = append(dst, i)
		}
	}
	return dst
}

// valid reports whether item i is valid, given whether Verify has it.
func (b *Batch) valid(i int, ok bool) bool { return ok && !(b.LowSOnly && b.high[i]) }

// Reset removes all items. It leaves LowSOnly as it is, and keeps the memory.
func (b *Batch) Reset() {
	b.claims.Reset()
	b.high = b.high[:0]
}
