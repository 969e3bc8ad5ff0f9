package curve

import (
	"fmt"

	"p256k1.mleku.dev/v2/internal/batch"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/opaque"
	"p256k1.mleku.dev/v2/internal/parts"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// part is the number of items that most functions of this file compute at a time.
const part = parts.Secrets

// NormalizeBatch converts the points to affine coordinates, so that Bytes, BytesUncompressed, BytesX and IsYOdd need no
// inversion. Many points share one inversion. The values of the points stay the same. NormalizeBatch is constant-time,
// except that the time shows which points are infinity.
func NormalizeBatch(p []Point) {
	var in [part]*group.Jacobian
	for from, to := range parts.Of(len(p), part) {
		p, n := p[from:to], 0
		for i := range p {
			if !p[i].known().Normalized {
				in[n] = p[i].p()
				n++
			}
		}
		batch.Normalize(in[:n])
		for i := range p {
			if !p[i].known().Normalized {
				p[i].setNormalized()
			}
		}
	}
}

// InvertBatch sets dst[i] = 1/s[i], or dst[i] = 0 if s[i] = 0. Many scalars share one inversion. dst may be s.
// InvertBatch is constant-time.
func InvertBatch(dst, s []Scalar) {
	sameLength("InvertBatch", len(dst), len(s))
	var in, out [part]scalar.Scalar
	for from, to := range parts.Of(len(s), part) {
		for i := range s[from:to] {
			in[i] = *s[from+i].s()
		}
		scalar.InvertBatch(out[:to-from], in[:to-from])
		for i := range s[from:to] {
			*dst[from+i].s() = out[i]
		}
	}
}

// setNormalized records what is known about p after batch.Normalize: Z = 1 unless p is infinity, and p has no table.
func (p *Point) setNormalized() {
	*p.known() = opaque.Known{Normalized: p.p().IsInfinity() == 0}
}

// LiftXBatch sets p[i] to the point with the 32-byte big-endian x coordinate x[i] and even y (BIP-340, lift_x), or to
// infinity if there is no such point. LiftXBatch is constant-time, except that the time shows which points do not
// exist.
func LiftXBatch(p []Point, x [][32]byte) {
	sameLength("LiftXBatch", len(p), len(x))
	var in [parts.Lifts]field.Element
	var out [parts.Lifts]group.Affine
	var ok [parts.Lifts]bool
	for from, to := range parts.Of(len(x), parts.Lifts) {
		n := to - from
		loadX(in[:n], x[from:to])
		batch.LiftX(out[:n], ok[:n], in[:n])
		setLifted(p[from:to], out[:n], ok[:n])
	}
}

// LiftXBatchVartime does what LiftXBatch does, in a time that depends on x, which must not be secret. It takes less
// time on some processors.
func LiftXBatchVartime(p []Point, x [][32]byte) {
	sameLength("LiftXBatchVartime", len(p), len(x))
	var in [parts.Lifts]field.Element
	var out [parts.Lifts]group.Affine
	var ok [parts.Lifts]bool
	for from, to := range parts.Of(len(x), parts.Lifts) {
		n := to - from
		loadX(in[:n], x[from:to])
		batch.LiftXVartime(out[:n], ok[:n], in[:n])
		setLifted(p[from:to], out[:n], ok[:n])
	}
}

// loadX sets dst[i] to the x coordinate x[i], or to 0, which belongs to no point, if x[i] is p or more.
func loadX(dst []field.Element, x [][32]byte) {
	for i := range dst {
		if dst[i].SetBytes(&x[i]) == 0 {
			dst[i].SetUint64(0)
		}
	}
}

// setLifted sets p[i] to a[i], or to infinity if ok[i] is false.
func setLifted(p []Point, a []group.Affine, ok []bool) {
	for i := range p {
		if ok[i] {
			p[i].setAffine(&a[i])
		} else {
			p[i] = Point{}
		}
	}
}

// ScalarBaseMultBatch sets p[i] = k[i]·G and normalizes p[i]. It is constant-time, except that the time shows which
// scalars are 0.
func ScalarBaseMultBatch(p []Point, k []Scalar) {
	sameLength("ScalarBaseMultBatch", len(p), len(k))
	var in [parts.Bases]*scalar.Scalar
	var out [parts.Bases]*group.Jacobian
	for from, to := range parts.Of(len(k), parts.Bases) {
		p, k := p[from:to], k[from:to]
		for i := range k {
			in[i], out[i] = k[i].s(), p[i].p()
		}
		batch.Base(out[:len(k)], in[:len(k)])
		for i := range p {
			p[i].setNormalized()
		}
	}
}

// ScalarMultBatch sets p[i] = k·a[i] and normalizes p[i]. It is constant-time, except that the time shows which
// products are infinity.
func ScalarMultBatch(p []Point, k *Scalar, a []Point) {
	sameLength("ScalarMultBatch", len(p), len(a))
	var in, out [part]*group.Jacobian
	for from, to := range parts.Of(len(a), part) {
		p, a := p[from:to], a[from:to]
		for i := range a {
			in[i], out[i] = a[i].p(), p[i].p()
		}
		batch.Variable(out[:len(a)], k.s(), in[:len(a)])
		for i := range p {
			p[i].setNormalized()
		}
	}
}

// MultiScalarMultVartime sets p to the sum of scalars[i]·points[i], or to infinity if the slices are empty. The time
// depends on all scalars and points, which must not be secret. The time per product falls as the number of products
// grows. A multiple of the generator, as set by SetGenerator, takes less time than a multiple of another point.
// MultiScalarMultVartime panics if the slices differ in length.
func (p *Point) MultiScalarMultVartime(scalars []*Scalar, points []*Point) *Point {
	sameLength("MultiScalarMultVartime", len(scalars), len(points))
	sum := batch.Sums.Get().(*batch.Sum)
	sum.Reset()
	var in [part]group.Jacobian
	var out [part]group.Affine
	var factors [part]*Scalar
	n := 0
	for i, a := range points {
		switch {
		case a.known().Normalized && isGenerator(a.p()):
			sum.G.Add(&sum.G, scalars[i].s())
		case a.known().Normalized:
			sum.Add(scalars[i].s(), &group.Affine{X: a.p().X, Y: a.p().Y})
		case a.p().IsInfinity() == 0:
			in[n].Set(a.p())
			factors[n] = scalars[i]
			n++
		}
		if n == part || (n > 0 && i == len(points)-1) {
			group.BatchToAffineVartime(out[:n], in[:n])
			for j := range n {
				sum.Add(factors[j].s(), &out[j])
			}
			n = 0
		}
	}
	sum.EvaluateVartime(p.p())
	*p.known() = opaque.Known{}
	batch.Sums.Put(sum)
	return p
}

// DoubleScalarBaseMultBatchVartime sets p[i] = k[i]·a[i] + g[i]·G. The time depends on all arguments, which must not be
// secret.
func DoubleScalarBaseMultBatchVartime(p []Point, k []Scalar, a []Point, g []Scalar) {
	sameLength("DoubleScalarBaseMultBatchVartime", len(p), len(k), len(a), len(g))
	for from, to := range parts.Of(len(p), part) {
		doubleScalarVartime(p[from:to], k[from:to], a[from:to], g[from:to])
	}
}

// DoubleScalarMultBatchVartime sets p[i] = k[i]·a[i] + l[i]·b[i]. The time depends on all arguments, which must not be
// secret.
func DoubleScalarMultBatchVartime(p []Point, k []Scalar, a []Point, l []Scalar, b []Point) {
	sameLength("DoubleScalarMultBatchVartime", len(p), len(k), len(a), len(l), len(b))
	inLanes := platform.InLanesVartime(len(p))
	var done [parts.ProductSums]bool
	for from, to := range parts.Of(len(p), parts.ProductSums) {
		m := max(0, min(to, inLanes)-from)
		clear(done[:])
		if m > 0 {
			s := batch.Sums.Get().(*batch.Sum)
			w := s.Products()
			w.Reset(m, 2)
			for i := range m {
				setProduct(w, i, 0, &k[from+i], &a[from+i])
				setProduct(w, i, 1, &l[from+i], &b[from+i])
			}
			sumsVartime(p[from:from+m], done[:m], w)
			batch.Sums.Put(s)
		}
		for i := range to - from {
			if !done[i] {
				p[from+i].MultiScalarMultVartime([]*Scalar{&k[from+i], &l[from+i]}, []*Point{&a[from+i], &b[from+i]})
			}
		}
	}
}

// MultiScalarMultBatchVartime sets p[i] to the sum of k[i][j]·a[i][j] over all j, which is infinity if k[i] is empty.
// If the processor has AVX-512 IFMA, or AVX2 and FMA, sums of up to 16 products take less time than with one call of
// MultiScalarMultVartime for each sum; otherwise they take the same time. No element of p may be one of the points in
// a. The time depends on all arguments, which must not be secret.
func MultiScalarMultBatchVartime(p []Point, k [][]*Scalar, a [][]*Point) {
	const name = "MultiScalarMultBatchVartime"
	sameLength(name, len(p), len(k), len(a))
	for i := range p {
		sameLength(name, len(k[i]), len(a[i]))
	}
	inLanes := platform.InLanesVartime(len(p))
	var done [parts.ProductSums]bool
	for from, to := range parts.Of(len(p), parts.ProductSums) {
		m, terms := max(0, min(to, inLanes)-from), 0
		for _, products := range k[from : from+m] {
			if len(products) <= parts.Terms {
				terms = max(terms, len(products))
			}
		}
		clear(done[:])
		if terms > 0 {
			s := batch.Sums.Get().(*batch.Sum)
			w := s.Products()
			w.Reset(m, terms)
			for i, products := range k[from : from+m] {
				if len(products) > terms {
					continue // sum i of w stays infinity, so SumsVartime leaves it to the loop below
				}
				for j := range products {
					setProduct(w, i, j, products[j], a[from+i][j])
				}
			}
			sumsVartime(p[from:from+m], done[:m], w)
			batch.Sums.Put(s)
		}
		for i := range to - from {
			if !done[i] {
				p[from+i].MultiScalarMultVartime(k[from+i], a[from+i])
			}
		}
	}
}

// setProduct stores k·a in w as product j of sum i.
func setProduct(w *batch.Products, i, j int, k *Scalar, a *Point) {
	w.Set(i, j, k.s(), a.p(), a.known().Normalized)
}

// sumsVartime computes the sums of w. If sum i was computed, it sets p[i] to the sum and done[i] to true. Otherwise it
// leaves p[i] unchanged.
func sumsVartime(p []Point, done []bool, w *batch.Products) {
	var sums [parts.ProductSums]group.Jacobian
	w.SumsVartime(sums[:len(p)], done)
	for i := range p {
		if done[i] {
			p[i].in().SetJacobian(&sums[i])
		}
	}
}

// doubleScalarVartime sets p[i] = k[i]·a[i] + g[i]·G, for at most part items.
func doubleScalarVartime(p []Point, k []Scalar, a []Point, g []Scalar) {
	var memory [part]batch.Item
	items := memory[:len(p)]
	for i := range items {
		m, known := &items[i], a[i].known()
		m.K, m.G, m.Table, m.OK, m.Sum = *k[i].s(), *g[i].s(), known.Table, true, *a[i].p()
	}
	batch.NormalizeVartime(items)
	for i := range items {
		m := &items[i]
		m.A = group.Affine{X: m.Sum.X, Y: m.Sum.Y}
		if !m.OK { // infinity has no affine coordinates: compute 0·G + g[i]·G instead
			m.K, m.A, m.OK = scalar.Scalar{}, group.Generator, true
		}
	}
	batch.DoubleScalarVartime(items, false)
	for i := range items {
		p[i].in().SetJacobian(&items[i].Sum)
	}
}

// isGenerator reports whether p has the same coordinates X and Y as the generator.
func isGenerator(p *group.Jacobian) bool {
	return p.X.Limbs() == group.Generator.X.Limbs() && p.Y.Limbs() == group.Generator.Y.Limbs()
}

// sameLength panics unless the given lengths are equal. They are the lengths of the slices that were passed to the
// named function.
func sameLength(name string, a int, others ...int) {
	for _, b := range others {
		if a != b {
			panic(fmt.Sprintf("curve: %s of slices of %d and %d", name, a, b))
		}
	}
}
