package verify

import (
	"fmt"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/batch"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
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

// JudgeVartime returns for each item whether it is valid. Items that an earlier call has judged are not judged again.
// The slice is valid until the next call of a method.
func (b *ECDSA) JudgeVartime() []bool {
	b.judgeAllVartime()
	return b.valid
}

// Reset removes all items, and keeps the memory.
func (b *ECDSA) Reset() { b.reset() }

// SumsOfBytesVartime sets p[i] = (k[i]·A + g[i]·G)/d[i], normalized, for the point A that the 33 bytes a[i] encode. If
// a[i] encodes no point, p[i] is infinity. SumsOfBytesVartime recovers many ECDSA keys at once. It panics if the
// slices differ in length.
func SumsOfBytesVartime(p []curve.Point, k []curve.Scalar, a [][33]byte, g, d []curve.Scalar) {
	if n := len(p); len(k) != n || len(a) != n || len(g) != n || len(d) != n {
		panic(fmt.Sprintf("verify: %d sums, but slices of lengths %d, %d, %d and %d", n, len(k), len(a), len(g), len(d)))
	}
	w := chunks.Get().(*chunk)
	for len(p) > 0 {
		n := min(len(p), len(w.of))
		w.sumsOfBytesVartime(p[:n], k, a, g, d)
		p, k, a, g, d = p[n:], k[n:], a[n:], g[n:], d[n:]
	}
	w.release()
}

// sumsOfBytesVartime sets all elements of p to their sums, for up to batch.Doubles items. The other slices may be
// longer than p.
func (w *chunk) sumsOfBytesVartime(p []curve.Point, k []curve.Scalar, a [][33]byte, g, d []curve.Scalar) {
	// Decode the x coordinates. picked[j] is the index of the item with the x coordinate x[j]. Items whose encoding
	// has no valid x coordinate are left out.
	var x [batch.Doubles]field.Element
	n := 0
	for i := range p {
		p[i] = curve.Point{}
		encoding := key{encoded: a[i]}
		if encoding.setX(&x[n]) {
			w.picked[n] = i
			n++
		}
	}
	batch.LiftX(w.affine[:n], w.done[:n], x[:n])
	some := 0 // items with a point, which move to the front of the chunk
	for j, i := range w.picked[:n] {
		if w.done[j] {
			point := &w.affine[j]
			point.Y.CondNegate(&point.Y, oddMask(&a[i]))
			w.a[some].Set(point)
			w.k[some], w.g[some], w.d[some] = *scalarOf(&k[i]), *scalarOf(&g[i]), *scalarOf(&d[i])
			w.picked[some] = i
			some++
		}
	}
	batch.DoubleScalarVartime(w.sum[:some], w.k[:some], w.a[:some], nil, w.g[:some], w.d[:some])
	// Sums that package lanes computed have Z = 1 and are already affine. All other sums share one inversion.
	n = 0
	for j, i := range w.picked[:some] {
		sum := &w.sum[j]
		switch {
		case isNormalized(sum):
			valueOf(&p[i]).SetAffine(&group.Affine{X: sum.X, Y: sum.Y})
		case sum.IsInfinity() == 0:
			w.sum[n].Set(sum)
			w.picked[n] = i
			n++
		}
	}
	group.BatchToAffineVartime(w.affine[:n], w.sum[:n])
	for j, i := range w.picked[:n] {
		valueOf(&p[i]).SetAffine(&w.affine[j])
	}
}
