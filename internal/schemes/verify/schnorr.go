package verify

import (
	"crypto/rand"
	"crypto/sha256"
	"math/bits"
	mathrand "math/rand/v2"
	"slices"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/batch"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/parts"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// Schnorr is a batch of claims that k·A + g·G = R, where A and R have even y and given x coordinates. The zero value is
// an empty batch. A BIP-340 signature (R, s) by the key A with the challenge e is the claim with k = −e and g = s.
//
// A small batch is judged claim by claim. In a large batch, a random linear combination of the equations is tested
// (BIP-340, "Batch Verification"), and the claims of a combination that does not hold are judged. False claims pass
// with probability 2⁻¹²⁸, even if an attacker chose them, because the coefficients come from a hash of all k and g and
// of bytes from crypto/rand. Each k must be a hash of A, R and the message, so that the coefficients depend on A and R
// too.
//
// A combination that does not hold costs time and leaves all claims to be judged. Therefore a Schnorr does not combine
// while InvalidVartime finds many false claims, and its first call tests a random sample of the claims first.
type Schnorr struct {
	sums

	r      []group.Affine // for each item: the point R, if its state is lifted
	stateR []state

	// all is the combination of the items from judged on, with the coefficients weight, if combined is the number of
	// all items.
	combined int
	all      group.Jacobian
	weight   []scalar.Scalar
	stream   mathrand.ChaCha8

	// judge is the number of items to judge before the next combination. It is positive in a flood. known says whether
	// InvalidVartime has been called with enough items for a combination. Reset keeps both.
	judge int
	known bool

	// bad is the number of items without verdict that the present call has found to be false. An item whose key or R is
	// known to be no point does not count, because a combination holds without it.
	bad int
}

// AddMalformed adds an item that is not valid.
func (b *Schnorr) AddMalformed() {
	b.append(-1, new(curve.Scalar), new(curve.Scalar), new(field.Element))
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
	b.append(key, k, g, &rx)
}

func (b *Schnorr) append(key int32, k, g *curve.Scalar, rx *field.Element) {
	b.sums.add(key, k, g)
	b.rx = append(b.rx, *rx)
	b.r = append(b.r, group.Affine{})
	b.stateR = append(b.stateR, encoded)
}

// Reset removes all items, and keeps the memory.
func (b *Schnorr) Reset() {
	b.reset()
	b.r, b.stateR, b.combined = b.r[:0], b.stateR[:0], 0
}

// AllVartime reports whether all items are valid. It combines all items at once, and stops if the combination does not
// hold, because this takes less time than to judge the items. However, if InvalidVartime, which takes over what
// AllVartime has done, would not combine, AllVartime does not combine either.
func (b *Schnorr) AllVartime() bool {
	items := b.unjudged()
	if b.judged+len(items) < len(b.key) {
		return false // an item is malformed
	}
	if b.combines(items) && b.judge == 0 {
		b.liftVartime(items)
		for _, i := range items {
			if !b.wellFormed(i) {
				return false
			}
		}
		if b.combined != len(b.key) {
			b.drawWeights()
			b.sumVartime(&b.all, items)
			b.combined = len(b.key)
		}
		if b.all.IsInfinity() == 0 {
			return false
		}
	}
	b.verdictsVartime()
	return !slices.Contains(b.valid, false)
}

// InvalidVartime appends the indexes of the items that are not valid to dst, in ascending order. It reuses the sum of
// all items if AllVartime has computed it.
func (b *Schnorr) InvalidVartime(dst []int) []int {
	b.verdictsVartime()
	return b.appendInvalid(dst)
}

// combines reports whether the given items, which are all that unjudged returns, are enough for a combination.
func (b *Schnorr) combines(items []int32) bool {
	return platform.Combine(len(items), len(b.keys.all))
}

// verdictsVartime gives a verdict on each item that has none.
func (b *Schnorr) verdictsVartime() {
	items := b.unjudged()
	if b.combines(items) {
		b.searchVartime(items)
	} else {
		b.judgeVartime(items)
	}
	b.judged = len(b.key)
}

// searchVartime gives verdicts on the given items, which are all that unjudged returns. After a flood, it combines
// again as soon as it has judged as many items without a flood, so that no small call ends the memory of a large one.
func (b *Schnorr) searchVartime(items []int32) {
	b.bad = 0
	switch {
	case b.combined == len(b.key):
		b.narrowVartime(items, &b.all)
	case b.judge > 0:
		b.countVartime(items)
	case b.known:
		b.drawWeights()
		b.combineVartime(items)
	default:
		b.sampleVartime(items)
	}
	b.known = true
	if n := len(items); platform.Flood(b.bad, n) {
		b.judge = max(b.judge, n, parts.Sums)
	} else {
		b.judge = max(0, b.judge-n)
	}
}

// sampleVartime gives verdicts on a sample of the items, and judges the others if the sample has false claims, or else
// combines them.
func (b *Schnorr) sampleVartime(items []int32) {
	b.drawWeights()
	sample := platform.Sample(len(items))
	for i := range sample { // choose one of the items that are left with equal probability
		j, _ := bits.Mul64(b.stream.Uint64(), uint64(len(items)-i))
		items[i], items[i+int(j)] = items[i+int(j)], items[i]
	}
	b.combineVartime(items[:sample])
	if b.bad > 0 {
		b.countVartime(items[sample:])
	} else {
		b.combineVartime(items[sample:])
	}
}

// countVartime judges the given items, and adds the number of false claims among them to bad, except those whose key or
// R is known to be no point.
func (b *Schnorr) countVartime(items []int32) {
	b.judgeVartime(items)
	for _, i := range items {
		if !b.valid[i] && b.stateR[i] != refused && b.keys.all[b.key[i]].state != refused {
			b.bad++
		}
	}
}

// combineVartime gives verdicts on the given items by their combination or, if they are few, judges them.
func (b *Schnorr) combineVartime(items []int32) {
	b.liftVartime(items)
	if n := len(items); !platform.Combine(n, min(n, len(b.keys.all))) {
		b.countVartime(items)
		return
	}
	var sum group.Jacobian
	b.sumVartime(&sum, items)
	b.narrowVartime(items, &sum)
}

// narrowVartime gives verdicts on the given items, whose combination is sum. If sum is infinity, all well-formed items
// are valid. Otherwise it goes on with one half of the items while the combination of the other half is infinity, and
// then judges what is left. The sum of the second half is the sum of both halves minus the sum of the first half.
func (b *Schnorr) narrowVartime(items []int32, sum *group.Jacobian) {
	for whole := *sum; whole.IsInfinity() == 0; {
		if !platform.Narrow(len(items)) {
			b.countVartime(items)
			return
		}
		var first, second group.Jacobian
		middle := len(items) / 2
		b.sumVartime(&first, items[:middle])
		second.Negate(&first)
		second.AddVartime(&whole, &second)
		switch {
		case second.IsInfinity() != 0:
			b.accept(items[middle:])
			items, whole = items[:middle], first
		case first.IsInfinity() != 0:
			b.accept(items[:middle])
			items, whole = items[middle:], second
		default:
			b.countVartime(items)
			return
		}
	}
	b.accept(items)
}

// accept gives verdicts on items whose combination holds: the well-formed ones are valid.
func (b *Schnorr) accept(items []int32) {
	for _, i := range items {
		b.valid[i] = b.wellFormed(i)
	}
}

// liftVartime computes the points R of the given items, and the points of their keys, unless they are known.
func (b *Schnorr) liftVartime(items []int32) {
	w := chunks.Get().(*chunk)
	w.lifter.keys = &b.keys
	for _, i := range items {
		w.lifter.addVartime(b.key[i])
	}
	w.lifter.flushVartime()
	w.release()

	var index [lifts]int32
	var x [lifts]field.Element
	var r [lifts]group.Affine
	var ok [lifts]bool
	for len(items) > 0 {
		n := 0
		for ; n < lifts && len(items) > 0; items = items[1:] {
			if i := items[0]; b.stateR[i] == encoded {
				index[n], x[n] = i, b.rx[i]
				n++
			}
		}
		batch.LiftXVartime(r[:n], ok[:n], x[:n])
		for j, i := range index[:n] {
			b.r[i], b.stateR[i] = r[j], refused
			if ok[j] {
				b.stateR[i] = lifted
			}
		}
	}
}

// wellFormed reports whether the key and R of item i are points. liftVartime must have been called.
func (b *Schnorr) wellFormed(i int32) bool {
	return b.stateR[i] == lifted && b.keys.all[b.key[i]].state == lifted
}

// drawWeights sets the coefficients wᵢ of all items.
func (b *Schnorr) drawWeights() {
	var fresh [32]byte
	rand.Read(fresh[:]) // never fails
	b.setWeights(fresh)
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

// sumVartime sets sum to Σ wᵢ·Rᵢ − Σ (Σ wᵢ·kᵢ)·A − (Σ wᵢ·gᵢ)·G over those of the given items that are well-formed. All
// products of the same key A are combined in one product: the inner sum is over the items of A.
func (b *Schnorr) sumVartime(sum *group.Jacobian, items []int32) {
	s := batch.Sums.Get().(*batch.Sum)
	s.Reset()
	b.sort(items)
	var t scalar.Scalar
	for _, r := range b.runs {
		key := &b.keys.all[r.key]
		if key.state != lifted {
			continue
		}
		var ofKey scalar.Scalar // −Σ wᵢ·kᵢ over the items of this key
		for _, i := range b.order[r.start:][:r.n] {
			if b.stateR[i] != lifted {
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
