package verify

import (
	"crypto/rand"
	"crypto/sha256"
	mathrand "math/rand/v2"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/batch"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// Schnorr is a batch of claims that k·A + g·G = R, where A and R have even y and given x coordinates.
// The zero value is an empty one. With the negated challenge, the key, s and R these are signatures of
// BIP-340.
//
// Few claims are judged one by one. Of many, a random linear combination of the equations is tested
// first (BIP-340, "Batch Verification"), and parts of it where that fails. Claims that are not true
// pass with probability 2⁻¹²⁸, whoever made them, if k is a hash of A, R and what was signed: the
// coefficients come from all k and g and from crypto/rand.
type Schnorr struct {
	sums

	// R of the first items, and whether there is such a point; how many of the first keys are lifted.
	r      []group.Affine
	hasR   []bool
	lifted int

	// The combination of the first items.
	combined int
	all      group.Jacobian
	weight   []scalar.Scalar
	stream   mathrand.ChaCha8
}

// AddMalformed adds an item that is not valid.
func (b *Schnorr) AddMalformed() {
	b.sums.add(-1, new(curve.Scalar), new(curve.Scalar))
	b.rx = append(b.rx, field.Element{}) // no point has x = 0
}

// Add adds a claim about the points with x coordinates a and r.
func (b *Schnorr) Add(k *curve.Scalar, a *[32]byte, g *curve.Scalar, r *[32]byte) {
	encoding := [33]byte{2}
	copy(encoding[1:], a[:])
	b.add(b.keys.numberOf(&encoding), k, g, r)
}

// AddPoint adds a claim about the point a, which has even y, and the one with x coordinate r. If a is
// infinity the item is not valid.
func (b *Schnorr) AddPoint(k *curve.Scalar, a *curve.Point, g *curve.Scalar, r *[32]byte) {
	b.add(b.keys.numberOfPoint(valueOf(a)), k, g, r)
}

func (b *Schnorr) add(key int32, k, g *curve.Scalar, r *[32]byte) {
	var rx field.Element
	if rx.SetBytes(r) == 0 {
		b.AddMalformed()
		return
	}
	b.sums.add(key, k, g)
	b.rx = append(b.rx, rx)
}

// Reset removes all items, and keeps the memory.
func (b *Schnorr) Reset() {
	b.reset()
	b.r, b.hasR, b.lifted, b.combined = b.r[:0], b.hasR[:0], 0, 0
}

// AllVartime reports whether all items are valid.
func (b *Schnorr) AllVartime() bool {
	if !platform.Combine(len(b.key), len(b.keys.all)) {
		b.judgeAllVartime()
		for _, ok := range b.valid {
			if !ok {
				return false
			}
		}
		return true
	}
	b.liftVartime()
	for i := range b.key {
		if !b.wellFormed(i) {
			return false
		}
	}
	return b.combineVartime().IsInfinity() != 0
}

// InvalidVartime appends the indexes of the items that are not valid to dst, in ascending order.
// What AllVartime computed is not computed again.
func (b *Schnorr) InvalidVartime(dst []int) []int {
	n := len(b.key)
	if !platform.Combine(n, len(b.keys.all)) {
		b.judgeAllVartime()
		return b.appendInvalid(dst, 0, n)
	}
	b.liftVartime()
	patience := platform.Patience(n)
	return b.searchVartime(dst, 0, n, b.combineVartime(), &patience)
}

// appendInvalid appends those items from one on to another that were found to be not valid to dst.
func (b *Schnorr) appendInvalid(dst []int, from, to int) []int {
	for i := from; i < to; i++ {
		if !b.valid[i] {
			dst = append(dst, i)
		}
	}
	return dst
}

// liftVartime finds the points of keys, and the points R, that are not there yet.
func (b *Schnorr) liftVartime() {
	w := chunks.Get().(*chunk)
	w.lifter.keys = &b.keys
	for ; b.lifted < len(b.keys.all); b.lifted++ {
		w.lifter.add(int32(b.lifted))
	}
	w.lifter.flush()
	w.release()

	from, n := len(b.r), len(b.key)
	for len(b.r) < n {
		b.r, b.hasR = append(b.r, group.Affine{}), append(b.hasR, false)
	}
	batch.LiftX(b.r[from:], b.hasR[from:], b.rx[from:])
}

// wellFormed reports whether item i, whose points are lifted, is one that may be valid.
func (b *Schnorr) wellFormed(i int) bool {
	return b.key[i] >= 0 && b.hasR[i] && b.keys.all[b.key[i]].state == lifted
}

// combineVartime returns the sum of the combination of all items, which it keeps until there are
// more.
func (b *Schnorr) combineVartime() *group.Jacobian {
	if n := len(b.key); b.combined != n {
		var fresh [32]byte
		rand.Read(fresh[:]) // never fails
		b.setWeights(fresh)
		b.sumVartime(&b.all, 0, n)
		b.combined = n
	}
	return &b.all
}

// setWeights sets the coefficients to the stream that starts from a hash of all items and
// of fresh randomness: whoever changes an item, or adds one, changes all of them.
func (b *Schnorr) setWeights(fresh [32]byte) {
	h := sha256.New()
	h.Write(fresh[:])
	var bytes [64]byte
	for i := range b.key {
		b.k[i].FillBytes((*[32]byte)(bytes[:32])) // a hash of R.x, the key and the message
		b.g[i].FillBytes((*[32]byte)(bytes[32:]))
		h.Write(bytes[:])
	}
	b.stream.Seed([32]byte(h.Sum(fresh[:0])))
	b.weight = b.weight[:0]
	for range b.key {
		var w [16]byte
		var weight curve.Scalar
		b.stream.Read(w[:])
		b.weight = append(b.weight, *scalarOf(weight.SetWeight(&w)))
	}
}

// sumVartime sets sum to Σ wᵢ·Rᵢ − Σ (Σ wᵢ·kᵢ)·A − (Σ wᵢ·gᵢ)·G over the items from one on to another that
// are well-formed, where each different point A is there once.
func (b *Schnorr) sumVartime(sum *group.Jacobian, from, to int) {
	s := batch.Sums.Get().(*batch.Sum)
	s.Reset()
	b.sort(from, to)
	var t scalar.Scalar
	for _, r := range b.runs {
		key := &b.keys.all[r.key]
		if key.state != lifted {
			continue
		}
		var ofKey scalar.Scalar
		for _, i := range b.order[r.start:][:r.n] {
			if !b.hasR[i] {
				continue
			}
			w := &b.weight[i]
			s.Add(w, &b.r[i])
			s.G.Sub(&s.G, t.Mul(w, &b.g[i]))
			ofKey.Sub(&ofKey, t.Mul(w, &b.k[i]))
		}
		s.Add(&ofKey, &key.point)
	}
	s.EvaluateVartime(sum)
	batch.Sums.Put(s)
}

// searchVartime appends those items from one on to another that are not valid to dst. sum is that
// of their combination: it is infinity if the well-formed ones are valid, or else a half of
// them is searched in turn. The sum of one half tells that of the other. patience is how
// many items may be summed again: where many are not valid, halving is slower than
// judging one by one.
func (b *Schnorr) searchVartime(dst []int, from, to int, sum *group.Jacobian, patience *int) []int {
	switch {
	case sum.IsInfinity() != 0:
		for i := from; i < to; i++ {
			if !b.wellFormed(i) {
				dst = append(dst, i)
			}
		}
		return dst
	case !platform.Combine(to-from, 0) || *patience < to-from:
		b.judgeVartime(from, to)
		return b.appendInvalid(dst, from, to)
	}
	middle := (from + to) / 2
	*patience -= middle - from
	var half group.Jacobian
	b.sumVartime(&half, from, middle)
	dst = b.searchVartime(dst, from, middle, &half, patience)
	half.Negate(&half)
	half.AddVartime(sum, &half)
	return b.searchVartime(dst, middle, to, &half, patience)
}
