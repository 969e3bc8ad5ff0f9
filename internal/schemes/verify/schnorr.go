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

// Schnorr is a batch of claims that k·A + g·G = R, where A and R have even y and given x coordinates. The zero value is
// an empty batch. A BIP-340 signature (R, s) by the key A with the challenge e is the claim with k = −e and g = s.
//
// A small batch is judged claim by claim. For a large batch, a random linear combination of the equations is tested
// first (BIP-340, "Batch Verification"). If the combination does not hold, the combinations of both halves of the batch
// are tested, and so on. False claims pass with probability 2⁻¹²⁸, even if an attacker chose them, because the
// coefficients come from a hash of all k and g and of bytes from crypto/rand. Each k must be a hash of A, R and the
// message, so that the coefficients depend on A and R too.
type Schnorr struct {
	sums

	// r and hasR hold the points R of the first items, and whether these points exist. lifted is the number of keys,
	// counted from the first, that have been lifted or refused.
	r      []group.Affine
	hasR   []bool
	lifted int

	// all is the combination of the first items with the coefficients weight. combined is the number of these items.
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

// Add adds a claim about the points with even y and the 32-byte x coordinates a and r. If a or r is not the x
// coordinate of a point, the item is not valid.
func (b *Schnorr) Add(k *curve.Scalar, a *[32]byte, g *curve.Scalar, r *[32]byte) {
	encoding := [33]byte{2}
	copy(encoding[1:], a[:])
	b.add(b.keys.numberOf(&encoding), k, g, r)
}

// AddPoint adds a claim about the point a, which has even y, and the point with even y and x coordinate r. If a is
// infinity, the item is not valid.
func (b *Schnorr) AddPoint(k *curve.Scalar, a *curve.Point, g *curve.Scalar, r *[32]byte) {
	b.add(b.keys.numberOfPoint(valueOf(a)), k, g, r)
}

// add adds a claim about the key with the index key, or a malformed item if r is not below the field order.
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

// InvalidVartime appends the indexes of the items that are not valid to dst, in ascending order. It reuses the sum of
// all items if AllVartime has computed it.
func (b *Schnorr) InvalidVartime(dst []int) []int {
	n := len(b.key)
	if !platform.Combine(n, len(b.keys.all)) {
		b.judgeAllVartime()
		return b.appendInvalid(dst, 0, n)
	}
	b.liftVartime()
	patience := platform.Patience(n) // the limit for the whole search, which the halves share
	return b.searchVartime(dst, 0, n, b.combineVartime(), &patience)
}

// appendInvalid appends to dst the indexes of those of the items from, …, to − 1 whose verdict is not valid.
func (b *Schnorr) appendInvalid(dst []int, from, to int) []int {
	for i := from; i < to; i++ {
		if !b.valid[i] {
			dst = append(dst, i)
		}
	}
	return dst
}

// liftVartime computes the points of the keys, and the points R, for the items that were added since its last call.
func (b *Schnorr) liftVartime() {
	w := chunks.Get().(*chunk)
	w.lifter.keys = &b.keys
	for ; b.lifted < len(b.keys.all); b.lifted++ {
		w.lifter.addVartime(int32(b.lifted))
	}
	w.lifter.flushVartime()
	w.release()

	from, n := len(b.r), len(b.key)
	for len(b.r) < n {
		b.r, b.hasR = append(b.r, group.Affine{}), append(b.hasR, false)
	}
	batch.LiftXVartime(b.r[from:], b.hasR[from:], b.rx[from:])
}

// wellFormed reports whether the key and R of item i are points. liftVartime must have been called.
func (b *Schnorr) wellFormed(i int) bool {
	return b.key[i] >= 0 && b.hasR[i] && b.keys.all[b.key[i]].state == lifted
}

// combineVartime returns the sum Σ wᵢ·Rᵢ − Σ wᵢ·kᵢ·Aᵢ − (Σ wᵢ·gᵢ)·G over all well-formed items, which is infinity if
// all well-formed items are valid. It keeps the sum until items are added.
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

// setWeights sets the coefficients wᵢ to consecutive bytes of a ChaCha8 stream, whose seed is a hash of fresh random
// bytes and of all items. So any change of an item changes all coefficients.
func (b *Schnorr) setWeights(fresh [32]byte) {
	// k is a hash of R.x, the key and the message, so hashing k and g covers all parts of an item.
	h := sha256.New()
	h.Write(fresh[:])
	var bytes [64]byte
	for i := range b.key {
		b.k[i].FillBytes((*[32]byte)(bytes[:32]))
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

// sumVartime sets sum to Σ wᵢ·Rᵢ − Σ (Σ wᵢ·kᵢ)·A − (Σ wᵢ·gᵢ)·G over the items from, …, to − 1 that are well-formed. All
// products of the same key A are combined in one product: the inner sum is over the items of A.
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
		var ofKey scalar.Scalar // −Σ wᵢ·kᵢ over the items of this key
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

// searchVartime appends to dst the index of each of the items from, …, to − 1 that is not valid, given the sum that
// sumVartime computes for these items. If the sum is infinity, all well-formed items are valid. Otherwise it computes
// the sum of the first half of the items and searches both halves. The sum of the second half is the sum of all items
// minus the sum of the first half.
//
// patience is the number of items that may still be summed again. If many items are not valid, halving takes longer
// than judging one by one. So items are judged one by one if patience is less than their number, or if they are few.
func (b *Schnorr) searchVartime(dst []int, from, to int, sum *group.Jacobian, patience *int) []int {
	switch {
	case sum.IsInfinity() != 0: // the only items left are those whose key or R is not a point
		for i := from; i < to; i++ {
			if !b.wellFormed(i) {
				dst = append(dst, i)
			}
		}
		return dst
	case !platform.Combine(to-from, 0) || *patience < to-from: // too few items, or too little patience left
		b.judgeVartime(from, to)
		return b.appendInvalid(dst, from, to)
	}
	middle := (from + to) / 2
	*patience -= middle - from
	var half group.Jacobian
	b.sumVartime(&half, from, middle)
	dst = b.searchVartime(dst, from, middle, &half, patience)
	// The difference is the sum of the second half, because its weights are the same.
	half.Negate(&half)
	half.AddVartime(sum, &half)
	return b.searchVartime(dst, middle, to, &half, patience)
}
