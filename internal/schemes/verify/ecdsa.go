package verify

import (
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/batch"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/parts"
	"p256k1.mleku.dev/v2/internal/platform"
)

// ECDSA is a batch of claims that (k·A + g·G)/d is finite and its x coordinate, reduced modulo n, is x, where 1/0 is 0.
// The zero value is an empty batch. An ECDSA signature (r, s) of digest z by the key A is the claim with k = x = r, g =
// z and d = s.
type ECDSA struct{ sums }

// AddMalformed adds an item that is not valid.
func (b *ECDSA) AddMalformed() {
	b.add(-1, new(curve.Scalar), new(curve.Scalar), new(curve.Scalar), new(curve.Scalar))
}

// Add adds a claim about the point A that the 33 bytes a encode. If a encodes no point, the item is not valid.
func (b *ECDSA) Add(x, k *curve.Scalar, a *[33]byte, g, d *curve.Scalar) {
	b.add(b.keys.numberOf(a), k, g, d, x)
}

// AddPoint adds a claim about the point a. If a is infinity, the item is not valid.
func (b *ECDSA) AddPoint(x, k *curve.Scalar, a *curve.Point, g, d *curve.Scalar) {
	b.add(b.keys.numberOfPoint(valueOf(a)), k, g, d, x)
}

// add adds a claim about the key with the given index.
func (b *ECDSA) add(key int32, k, g, d, x *curve.Scalar) {
	b.modN = true
	b.sums.add(key, k, g)
	b.d = append(b.d, *scalarOf(d))
	b.x = append(b.x, *scalarOf(x))
}

// InLanesVartime reports whether a batch of different keys takes much less time than its claims one by one.
func InLanesVartime() bool { return platform.InLanesVartime(platform.Lanes) > 0 }

// JudgeVartime returns for each item whether it is valid. Items that an earlier call has judged are not judged again.
// The slice is valid until the next call of a method.
func (b *ECDSA) JudgeVartime() []bool {
	b.judgeVartime(b.unjudged())
	b.judged = len(b.key)
	return b.valid
}

// InvalidVartime appends the indexes of the items that are not valid to dst, in ascending order.
func (b *ECDSA) InvalidVartime(dst []int) []int {
	b.JudgeVartime()
	return b.appendInvalid(dst)
}

// Reset removes all items, and keeps the memory.
func (b *ECDSA) Reset() { b.reset() }

// SumsOfBytesVartime computes n sums (k·A + g·G)/d, for points A that are encoded in 33 bytes. It recovers many ECDSA
// keys at once. For each i below n it calls load, which sets k, A, g and d, or reports false for a malformed item. Then
// it calls store with the sum, normalized, unless the item is malformed, no point has the encoding, or the sum is
// infinity. Load and store must not keep the pointers.
func SumsOfBytesVartime(n int, load func(i int, k *curve.Scalar, a *[33]byte, g, d *curve.Scalar) bool, store func(i int, p *curve.Point)) {
	w := chunks.Get().(*chunk)
	for from, to := range parts.Of(n, parts.Sums) {
		items := w.items[:to-from]
		for begin, end := range parts.Of(len(items), lifts) {
			w.loadSumsVartime(items[begin:end], from+begin, load)
		}
		batch.DoubleScalarVartime(items, true)
		batch.NormalizeVartime(items)
		for i := range items {
			if m := &items[i]; m.OK {
				valueOf(&w.point).SetAffine(&group.Affine{X: m.Sum.X, Y: m.Sum.Y})
				store(from+i, &w.point)
			}
		}
	}
	w.release()
}

// loadSumsVartime loads up to lifts items, of which the first has the index from.
func (w *chunk) loadSumsVartime(items []batch.Item, from int, load func(i int, k *curve.Scalar, a *[33]byte, g, d *curve.Scalar) bool) {
	var x [lifts]field.Element
	var a [lifts]group.Affine
	var odd [lifts]uint64
	var loaded, ok [lifts]bool
	for i := range items {
		m := &items[i]
		loaded[i] = load(from+i, &w.k, &w.encoded, &w.g, &w.d) && setX(&x[i], &w.encoded)
		odd[i] = oddMask(&w.encoded)
		m.K, m.G, m.D = *scalarOf(&w.k), *scalarOf(&w.g), *scalarOf(&w.d)
	}
	n := len(items)
	batch.LiftXVartime(a[:n], ok[:n], x[:n])
	for i := range items {
		a[i].Y.CondNegate(&a[i].Y, odd[i])
		items[i].A, items[i].OK = a[i], loaded[i] && ok[i]
	}
}
