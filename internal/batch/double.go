package batch

import (
	"slices"

	"p256k1.mleku.dev/v2/internal/ecmult"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/lanes"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// sumsInLanes returns how many of n sums go through lanes, the first ones.
func sumsInLanes(n int, tables []Table) int {
	tabled := 0
	if tables != nil {
		for _, t := range tables[n-n%lanes.N : n] {
			if t.Multiples != nil {
				tabled++
			}
		}
	}
	return platform.SumsInLanes(n, tabled)
}

// Doubles is how many items DoubleScalarVartime and EqualXModNVartime take at most.
const Doubles = 256

// Table is that of a point which has one, or else the zero value.
type Table struct {
	Multiples *ecmult.Precomputed
	Minus     uint64 // all ones if they are those of the opposite point, else zero
}

// DoubleScalarVartime sets dst[i] = (k[i]·a[i] + g[i]·G)/d[i], where 1/0 is 0. d may be nil,
// which stands for ones, and tables if no point has one. Where there are lanes most results
// have Z = 1. Where equal points stand side by side, their products share work. The slices must
// not overlap.
func DoubleScalarVartime(dst []group.Jacobian, k []scalar.Scalar, a []group.Affine, tables []Table, g, d []scalar.Scalar) {
	var done [Doubles]bool
	if n := sumsInLanes(len(dst), tables); n > 0 {
		lanes.DoubleScalarVartime(dst[:n], done[:n], k[:n], a[:n], g[:n], firstOf(d, n))
	}
	restVartime(dst, done[:len(dst)], k, a, tables, g, d)
}

// EqualXModNVartime sets equal[i] to whether the sum that DoubleScalarVartime has is
// finite and its x coordinate, taken modulo n, is x[i]. It sets done[i] to whether it did;
// where it did not, it sets dst[i] to the sum.
func EqualXModNVartime(equal, done []bool, dst []group.Jacobian, x, k []scalar.Scalar, a []group.Affine, tables []Table, g, d []scalar.Scalar) {
	clear(done)
	if n := sumsInLanes(len(dst), tables); n > 0 {
		lanes.EqualXModNVartime(equal[:n], done[:n], x[:n], k[:n], a[:n], g[:n], firstOf(d, n))
	}
	restVartime(dst, done, k, a, tables, g, d)
}

// restVartime is DoubleScalarVartime for what is not done.
func restVartime(dst []group.Jacobian, done []bool, k []scalar.Scalar, a []group.Affine, tables []Table, g, d []scalar.Scalar) {
	if !slices.Contains(done, false) {
		return
	}
	var inverse [Doubles]scalar.Scalar
	r := rest{dst, done, k, a, tables, g, nil}
	if d != nil {
		InvertVartime(inverse[:len(d)], d, done)
		r.inverse = &inverse
	}
	for from := 0; from < len(dst); {
		to := r.run(from)
		switch {
		case done[from]:
		case platform.Shared(to - from):
			r.sharedVartime(from, to)
		default:
			for i := from; i < to; i++ {
				r.oneVartime(i)
			}
		}
		from = to
	}
}

// rest are the arguments of restVartime, with the inverses of the divisors, or nil for ones.
type rest struct {
	dst     []group.Jacobian
	done    []bool
	k       []scalar.Scalar
	a       []group.Affine
	tables  []Table
	g       []scalar.Scalar
	inverse *[Doubles]scalar.Scalar
}

// InvertVartime sets inverse[i] = 1/d[i], where 1/0 is 0, for those that are not done. done may be
// nil, for none.
func InvertVartime(inverse, d []scalar.Scalar, done []bool) {
	// Montgomery's trick (docs/inversion.md, I12): first inverse[i] is the product of those before.
	product := scalar.FromLimbs(1, 0, 0, 0)
	for i := range d {
		inverse[i] = scalar.Scalar{}
		if !skip(done, i) && d[i].IsZero() == 0 {
			inverse[i] = product
			product.Mul(&product, &d[i])
		}
	}
	product.InvertVartime(&product)
	for i := len(d) - 1; i >= 0; i-- {
		if !skip(done, i) && d[i].IsZero() == 0 {
			inverse[i].Mul(&inverse[i], &product)
			product.Mul(&product, &d[i])
		}
	}
}

func skip(done []bool, i int) bool { return done != nil && done[i] }

// run returns where the sums end that are like the one at from: not done, without a table, and with
// the same point.
func (r *rest) run(from int) (to int) {
	to = from + 1
	if r.done[from] || r.hasTable(from) {
		return to
	}
	for to < len(r.a) && !r.done[to] && !r.hasTable(to) && same(&r.a[from], &r.a[to]) {
		to++
	}
	return to
}

// same reports whether two points have the same limbs, which equal points nearly always have.
func same(a, b *group.Affine) bool {
	return a.X.Limbs() == b.X.Limbs() && a.Y.Limbs() == b.Y.Limbs()
}

// sharedVartime computes the sums from one on to another, which have the same point.
func (r *rest) sharedVartime(from, to int) {
	var of ecmult.Shared
	of.SetVartime(&r.a[from])
	for i := from; i < to; i++ {
		s, t := r.scalars(i)
		of.DoubleScalarVartime(&r.dst[i], &s, &t)
	}
}

// oneVartime computes a sum by itself.
func (r *rest) oneVartime(i int) {
	s, t := r.scalars(i)
	if r.hasTable(i) {
		s.CondNegate(&s, r.tables[i].Minus)
		ecmult.DoubleScalarPrecomputedVartime(&r.dst[i], &s, r.tables[i].Multiples, &t)
		return
	}
	var p group.Jacobian
	p.SetAffine(&r.a[i])
	ecmult.DoubleScalarVartime(&r.dst[i], &s, &p, &t)
}

// hasTable reports whether the point of sum i has a table.
func (r *rest) hasTable(i int) bool { return r.tables != nil && r.tables[i].Multiples != nil }

// scalars returns those of sum i, divided.
func (r *rest) scalars(i int) (s, t scalar.Scalar) {
	s, t = r.k[i], r.g[i]
	if r.inverse != nil {
		s.Mul(&s, &r.inverse[i])
		t.Mul(&t, &r.inverse[i])
	}
	return s, t
}

// firstOf returns the first n of d, or nil.
func firstOf(d []scalar.Scalar, n int) []scalar.Scalar {
	if d == nil {
		return nil
	}
	return d[:n]
}
