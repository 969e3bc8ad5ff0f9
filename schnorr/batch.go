package schnorr

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"hash/maphash"
	mathrand "math/rand/v2"
	"sync"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
)

// Batch verifies many signatures in less time than one after the other, on one core,
// and says which are not valid. It is for public values, and not for use by several
// goroutines at once: give each a Batch of its own. The zero value is an empty batch. A
// Batch must not be copied: copies would write to the same memory.
//
// With AVX-512 IFMA (curve.Lanes) 16 items at a time gain most of what there is to gain,
// and otherwise a few hundred. Many items by one key take less time than by many keys.
//
// Nothing is kept of the bytes that Add and AddKey are given. A Batch that had as many
// items before allocates nothing.
//
// Few signatures are verified one by one. Of many, a random linear combination of the
// equations is tested first (BIP-340, "Batch Verification"), and parts of it where that
// fails. The verdicts are those of VerifyBytes, except that signatures which are not valid
// pass with probability 2⁻¹²⁸, whoever made them: the coefficients come from all items
// and from crypto/rand.
type Batch struct {
	_ [0]sync.Mutex // so that go vet reports copies

	// Of each item: the number of its key, or −1 if it is malformed; R.x; s; the challenge.
	key  []int32
	rx   [][32]byte
	s, e []curve.Scalar

	// The different keys, in the order of their first items. Hashed with the seed, they have
	// their numbers plus 1 in slots, each in the first that was free. A map would allocate
	// now and then, even if it had as many keys before.
	keyX  [][32]byte
	slots []int32
	seed  maphash.Seed

	// The points, infinity where there is none: R of the first items, and those of the
	// first keys. Of later keys there are those that AddKey got.
	r, p   []curve.Point
	lifted int // how many keys are the first ones

	sum combination

	// Where few are verified one by one: which of the first ones are not valid, and how many
	// have been judged.
	bad    []int
	judged int
}

// Add adds an item: the 32-byte x-only public key, a message of any length and a
// signature of 64 bytes. One that is malformed is an item that is not valid.
func (b *Batch) Add(pub, msg, sig []byte) {
	if len(pub) == 32 {
		b.add((*[32]byte)(pub), nil, msg, sig)
	} else {
		b.addMalformed()
	}
}

// AddKey is Add with a public key, which takes less time if that is known from before.
// With one that is nil or was never set the item is not valid.
func (b *Batch) AddKey(pub *p256k1.XOnlyPublicKey, msg, sig []byte) {
	point := pub.Point()
	if x, err := point.BytesX(); err == nil {
		b.add((*[32]byte)(x), point, msg, sig)
	} else {
		b.addMalformed()
	}
}

// add adds an item with the key of that x, whose point may be given.
func (b *Batch) add(x *[32]byte, point *curve.Point, msg, sig []byte) {
	i := len(b.key)
	b.addMalformed()
	if len(sig) != Size {
		return
	}
	s := &b.s[i]
	s.SetBytesReduced((*[32]byte)(sig[32:]))
	if !bytes.Equal(s.Bytes(), sig[32:]) {
		return // not below n
	}
	b.rx[i] = [32]byte(sig)
	setChallenge(&b.e[i], sig[:32], x[:], msg)
	b.key[i] = b.keyOf(x, point)
}

// addMalformed adds an item that is not valid.
func (b *Batch) addMalformed() {
	b.key = append(b.key, -1)
	b.rx = append(b.rx, [32]byte{})
	b.s = append(b.s, curve.Scalar{})
	b.e = append(b.e, curve.Scalar{})
}

// keyOf returns the number of the key with that x.
func (b *Batch) keyOf(x *[32]byte, point *curve.Point) int32 {
	if 2*len(b.keyX) >= len(b.slots) {
		b.growSlots()
	}
	slot := b.slotOf(x)
	if *slot == 0 {
		b.keyX = append(b.keyX, *x)
		b.p = append(b.p, curve.Point{})
		*slot = int32(len(b.keyX))
	}
	i := *slot - 1
	if point != nil {
		b.p[i].Set(point)
	}
	return i
}

// slotOf returns where the number of the key with that x is, or belongs.
func (b *Batch) slotOf(x *[32]byte) *int32 {
	last := len(b.slots) - 1
	at := int(maphash.Bytes(b.seed, x[:])) & last
	for b.slots[at] != 0 && b.keyX[b.slots[at]-1] != *x {
		at = (at + 1) & last
	}
	return &b.slots[at]
}

// growSlots makes twice as many slots, a power of two.
func (b *Batch) growSlots() {
	n := max(64, 2*len(b.slots))
	if cap(b.slots) < n {
		b.slots = make([]int32, n)
		b.seed = maphash.MakeSeed()
	}
	b.slots = b.slots[:n]
	clear(b.slots)
	for i := range b.keyX {
		*b.slotOf(&b.keyX[i]) = int32(i + 1)
	}
}

// Len returns how many items were added since the last Reset.
func (b *Batch) Len() int {
	return len(b.key)
}

// Reset removes all items, and keeps the memory.
func (b *Batch) Reset() {
	clear(b.p) // which may have tables
	b.key, b.rx, b.s, b.e = b.key[:0], b.rx[:0], b.s[:0], b.e[:0]
	b.keyX, b.r, b.p, b.lifted = b.keyX[:0], b.r[:0], b.p[:0], 0
	b.sum.items = 0
	b.bad, b.judged = b.bad[:0], 0
	b.slots = b.slots[:0]
}

// areFew reports whether so many items by so many different keys are verified one by one,
// since a combination of them would take as long. CONTRIBUTING.md says how the bounds were
// measured.
func areFew(items, keys int) bool {
	if curve.Lanes() == 1 {
		return items <= 8
	}
	return items <= 48 || items < manyInLanes && 2*keys > items
}

// manyInLanes is how many items it takes for a combination to pay, where there are lanes and
// most keys differ.
const manyInLanes = 256

// Verify reports whether all items are valid, as those of an empty batch are. More items
// can be added after it.
func (b *Batch) Verify() bool {
	n := len(b.key)
	if areFew(n, len(b.keyX)) {
		return len(b.badOfFew()) == 0
	}
	b.liftKeys()
	b.liftR()
	for i := range n {
		if !b.wellFormed(i) {
			return false
		}
	}
	return b.combine().IsInfinity() == 1
}

// Invalid appends the indexes of the items that are not valid to dst, in ascending order.
// The item that was added first has the index 0. What Verify computed is not computed again.
func (b *Batch) Invalid(dst []int) []int {
	n := len(b.key)
	if areFew(n, len(b.keyX)) {
		return append(dst, b.badOfFew()...)
	}
	b.liftKeys()
	b.liftR()
	patience := n
	if curve.Lanes() == 1 {
		patience *= 2 // as verifying one by one takes longer
	}
	return b.search(dst, 0, n, b.combine(), &patience)
}

// badOfFew returns the indexes of the items that are not valid, found one by one, which it
// keeps: only items that were added since are verified.
func (b *Batch) badOfFew() []int {
	b.bad = b.searchAll(b.bad, b.judged, len(b.key))
	b.judged = len(b.key)
	return b.bad
}

// combine returns the sum of the combination of all items, which it keeps until there are
// more.
func (b *Batch) combine() *curve.Point {
	if n := len(b.key); b.sum.items != n {
		var fresh [32]byte
		rand.Read(fresh[:]) // never fails
		b.setWeights(fresh)
		b.sumOf(&b.sum.all, 0, n)
		b.sum.items = n
	}
	return &b.sum.all
}

// search appends those items from one on to another that are not valid to dst. sum is that
// of their combination: it is infinity if the well-formed ones are valid, or else a half of
// them is searched in turn. The sum of one half tells that of the other. patience is how
// many items may be summed again: where many are not valid, halving is slower than
// verifying one by one.
func (b *Batch) search(dst []int, from, to int, sum *curve.Point, patience *int) []int {
	switch {
	case sum.IsInfinity() == 1:
		for i := from; i < to; i++ {
			if !b.wellFormed(i) {
				dst = append(dst, i)
			}
		}
		return dst
	case areFew(to-from, 0) || *patience < to-from:
		return b.searchAll(dst, from, to)
	}
	middle := (from + to) / 2
	*patience -= middle - from
	var half curve.Point
	b.sumOf(&half, from, middle)
	dst = b.search(dst, from, middle, &half, patience)
	half.Sub(sum, &half)
	return b.search(dst, middle, to, &half, patience)
}

// searchAll is search one by one.
func (b *Batch) searchAll(dst []int, from, to int) []int {
	if to-from == 1 || curve.Lanes() == 1 && b.lifted < len(b.p) {
		for i := from; i < to; i++ {
			if !b.valid(i) {
				dst = append(dst, i)
			}
		}
		return dst
	}
	b.liftKeys()
	var e, s [part]curve.Scalar
	var r [part]curve.Point
	for from < to {
		n := min(to-from, part)
		for i := range n {
			r[i] = curve.Point{}
			if at := from + i; b.key[at] >= 0 {
				e[i].Negate(&b.e[at])
				s[i].Set(&b.s[at])
				r[i].Set(&b.p[b.key[at]])
			}
		}
		curve.DoubleScalarBaseMultBatchVartime(r[:n], e[:n], r[:n], s[:n], nil)
		curve.NormalizeBatch(r[:n])
		for i := range n {
			if at := from + i; b.key[at] < 0 || b.p[b.key[at]].IsInfinity() == 1 || !isR(&r[i], b.rx[at][:]) {
				dst = append(dst, at)
			}
		}
		from += n
	}
	return dst
}

// part is how many items searchAll takes at a time.
const part = 64

// valid reports whether item i is valid.
func (b *Batch) valid(i int) bool {
	if b.key[i] < 0 {
		return false
	}
	k := b.key[i]
	if b.p[k].IsInfinity() == 0 {
		return verify(&b.p[k], b.rx[i][:], &b.e[i], &b.s[i])
	}
	var e curve.Scalar
	return curve.SumIsLiftXVartime(e.Negate(&b.e[i]), b.keyX[k][:], &b.s[i], b.rx[i][:])
}

// liftKeys finds the points of keys that are not there yet.
func (b *Batch) liftKeys() {
	for from, n := b.lifted, len(b.p); from < n; {
		to := from
		for to < n && b.p[to].IsInfinity() == 1 {
			to++
		}
		curve.LiftXBatch(b.p[from:to], b.keyX[from:to])
		from = to + 1 // as AddKey got that one
	}
	b.lifted = len(b.p)
}

// liftR finds the points R that are not there yet.
func (b *Batch) liftR() {
	from := len(b.r)
	for range b.rx[from:] {
		b.r = append(b.r, curve.Point{})
	}
	curve.LiftXBatch(b.r[from:], b.rx[from:])
}

// wellFormed reports whether item i, which is lifted, is one that may be valid.
func (b *Batch) wellFormed(i int) bool {
	return b.key[i] >= 0 && b.r[i].IsInfinity() == 0 && b.p[b.key[i]].IsInfinity() == 0
}

// combination is the sum to test, Σ wᵢ·Rᵢ + Σ (Σ wᵢ·eᵢ)·P − (Σ wᵢ·sᵢ)·G, where each different
// key P is there once.
type combination struct {
	items int         // that are in it
	all   curve.Point // the sum of them

	weight []curve.Scalar
	stream mathrand.ChaCha8

	ofKey []curve.Scalar // the coefficients of keys
	place []int32        // of a key in ofKey; −1 for those that are not there
	keys  []int32        // those that are
	ofG   curve.Scalar
	g     curve.Point

	// The products, for MultiScalarMultVartime.
	scalars []*curve.Scalar
	points  []*curve.Point
}

// setWeights sets the coefficients to the stream that starts from a hash of all items and
// of fresh randomness: whoever changes an item, or adds one, changes all of them.
func (b *Batch) setWeights(fresh [32]byte) {
	c := &b.sum
	h := sha256.New()
	h.Write(fresh[:])
	for i := range b.key {
		h.Write(b.e[i].Bytes()) // a hash of R.x, the key and the message
		h.Write(b.s[i].Bytes())
	}
	c.stream.Seed([32]byte(h.Sum(fresh[:0])))
	c.weight = c.weight[:0]
	for i := range b.key {
		var w [16]byte
		c.stream.Read(w[:])
		c.weight = append(c.weight, curve.Scalar{})
		c.weight[i].SetWeight(&w)
	}
}

// sumOf sets sum to the combination of the items from one on to another, of those that are
// well-formed.
func (b *Batch) sumOf(sum *curve.Point, from, to int) {
	c := &b.sum
	c.scalars, c.points, c.keys, c.ofKey = c.scalars[:0], c.points[:0], c.keys[:0], c.ofKey[:0]
	for len(c.place) < len(b.keyX) {
		c.place = append(c.place, -1)
	}
	c.ofG = curve.Scalar{}
	var t curve.Scalar
	for i := from; i < to; i++ {
		if !b.wellFormed(i) {
			continue
		}
		w, k := &c.weight[i], b.key[i]
		c.scalars, c.points = append(c.scalars, w), append(c.points, &b.r[i])
		c.ofG.Sub(&c.ofG, t.Mul(w, &b.s[i]))
		if c.place[k] < 0 {
			c.place[k] = int32(len(c.keys))
			c.keys = append(c.keys, k)
			c.ofKey = append(c.ofKey, curve.Scalar{})
		}
		ofKey := &c.ofKey[c.place[k]]
		ofKey.Add(ofKey, t.Mul(w, &b.e[i]))
	}
	for i, k := range c.keys {
		c.scalars, c.points = append(c.scalars, &c.ofKey[i]), append(c.points, &b.p[k])
		c.place[k] = -1
	}
	c.scalars, c.points = append(c.scalars, &c.ofG), append(c.points, c.g.SetGenerator())
	sum.MultiScalarMultVartime(c.scalars, c.points)
}
