package ecdsa

import (
	"slices"
	"sync"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
)

// Batch verifies many signatures, each with a verdict of its own: that of Verify or, with
// LowSOnly, of VerifyLowS. That takes less time than one by one, on one core: with AVX-512
// IFMA (curve.Lanes) much less from 8 items on, otherwise a little, or half of it where
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

	items []verdict

	// Of the items without a verdict those by keys that are points, and by compressed
	// ones.
	points  signatures[curve.Point]
	encoded signatures[[33]byte]
	settled []bool
}

// signatures are parsed, with their keys and the indexes of their items.
type signatures[K any] struct {
	of      []int
	r, s, z []curve.Scalar
	key     []K
}

func (b *signatures[K]) add(of int, r, s, z *curve.Scalar, key *K) {
	b.of = append(b.of, of)
	b.r = append(b.r, *r)
	b.s = append(b.s, *s)
	b.z = append(b.z, *z)
	b.key = append(b.key, *key)
}

func (b *signatures[K]) reset() {
	clear(b.key) // which may have tables
	b.of, b.r, b.s, b.z, b.key = b.of[:0], b.r[:0], b.s[:0], b.z[:0], b.key[:0]
}

// verdict is what is known of an item.
type verdict uint8

const (
	valid verdict = 1 << iota // as Verify has it
	low                       // s ≤ (n−1)/2
)

// Add adds the signature sig of a digest of 32 bytes by the public key that pub encodes
// (SEC 1, section 2.3.4), 33 or 65 bytes, as p256k1.NewPublicKey takes it. If pub or the
// digest is malformed, or sig is the zero value, which ParseDER and ParseCompact return
// with an error, the item is invalid.
func (b *Batch) Add(pub, digest []byte, sig Signature) {
	var r, s, z curve.Scalar
	if !b.add(&r, &s, &z, digest, &sig) {
		return
	}
	switch {
	case len(pub) == 33:
		b.encoded.add(len(b.items)-1, &r, &s, &z, (*[33]byte)(pub))
	case len(pub) == 65:
		var p curve.Point
		if _, err := p.SetBytes(pub); err == nil {
			b.points.add(len(b.items)-1, &r, &s, &z, &p)
		}
	}
}

// AddKey is Add with a public key. With one that is nil or was never set the item is
// invalid.
func (b *Batch) AddKey(pub *p256k1.PublicKey, digest []byte, sig Signature) {
	var r, s, z curve.Scalar
	if !b.add(&r, &s, &z, digest, &sig) {
		return
	}
	if p := pub.Point(); p.IsInfinity() == 0 {
		b.points.add(len(b.items)-1, &r, &s, &z, p)
	}
}

// add adds an item that is not valid yet, sets r, s and z to what it holds, and reports
// whether it may be valid.
func (b *Batch) add(r, s, z *curve.Scalar, digest []byte, sig *Signature) bool {
	if len(digest) != 32 || !sig.scalars(r, s) {
		b.items = append(b.items, 0)
		return false
	}
	z.SetBytesReduced((*[32]byte)(digest))
	var v verdict
	if s.IsHigh() == 0 {
		v = low
	}
	b.items = append(b.items, v)
	return true
}

// Len returns how many items were added since the last Reset.
func (b *Batch) Len() int {
	return len(b.items)
}

// Verify reports whether all items are valid, as those of an empty batch are. More items
// can be added after it, and those that were there are not verified again.
func (b *Batch) Verify() bool {
	want := b.judge()
	for _, v := range b.items {
		if v&want != want {
			return false
		}
	}
	return true
}

// Invalid appends the indexes of the items that are not valid to dst, in ascending order.
// The item that was added first has the index 0. After Verify it does no more than that.
func (b *Batch) Invalid(dst []int) []int {
	want := b.judge()
	for i, v := range b.items {
		if v&want != want {
			dst = append(dst, i)
		}
	}
	return dst
}

// judge gives a verdict on all items, and returns what valid ones have.
func (b *Batch) judge() (want verdict) {
	// R = (r·P + z·G)/s.
	if p := &b.points; len(p.of) > 0 {
		b.settled = slices.Grow(b.settled[:0], len(p.of))[:len(p.of)]
		curve.EqualXModNBatchVartime(b.settled, p.r, p.r, p.key, p.z, p.s)
		b.settle(p.of)
		p.reset()
	}
	if e := &b.encoded; len(e.of) > 0 {
		b.settled = slices.Grow(b.settled[:0], len(e.of))[:len(e.of)]
		curve.SumHasXModNBatchVartime(b.settled, e.r, e.r, e.key, e.z, e.s)
		b.settle(e.of)
		e.reset()
	}
	if b.LowSOnly {
		return valid | low
	}
	return valid
}

// settle gives items the verdicts that stand in b.settled.
func (b *Batch) settle(of []int) {
	for i, ok := range b.settled {
		if ok {
			b.items[of[i]] |= valid
		}
	}
}

// Reset removes all items. It leaves LowSOnly as it is, and keeps the memory.
func (b *Batch) Reset() {
	b.items = b.items[:0]
	b.points.reset()
	b.encoded.reset()
}
