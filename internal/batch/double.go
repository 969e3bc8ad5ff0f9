package batch

import (
	"slices"

	"p256k1.mleku.dev/v2/internal/ecmult"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/lanes"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// This file computes sums (k·a + g·G)/d of public values, up to 256 in a call. Each sum is computed in one of four
// ways:
//
//   - in lanes, eight at a time, if the processor has them;
//   - with a table of multiples of a, if a has a Table;
//   - together with its neighbours that have the same point, if there are at least three, with shared tables;
//   - by itself.
//
// Package lanes computes its sums first. If its formulas fail for a sum, it sets done[i] = false. restVartime then
// computes the sums that are not done, by formulas that hold for all points. So the choice between the four ways
// affects only how long a sum takes, and never its value. The divisors of the sums that lanes have not computed share
// one inversion modulo n.

// sumsInLanes returns the number of sums that lanes compute, which are the first of the n sums. It counts tables only
// among the last n%lanes.N points, because lanes, if the processor has them, compute all other sums in any case.
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

// Doubles is the largest number of items that DoubleScalarVartime and EqualXModNVartime take.
const Doubles = 256

// Table is a table of multiples of a point. A point without a table has nil Multiples.
type Table struct {
	Multiples *ecmult.Precomputed
	Minus     uint64 // all ones if the table holds multiples of the opposite point, else zero
}

// DoubleScalarVartime sets dst[i] = (k[i]·a[i] + g[i]·G)/d[i]. If d[i] = 0 the result is infinity, because 1/0 counts
// as 0. If d is nil, every divisor is 1. tables may be nil if no point has a table. There may be up to Doubles items.
// All points must be on the curve, and the slices must not overlap. Results from lanes have Z = 1. Neighbouring items
// with equal points share work.
func DoubleScalarVartime(dst []group.Jacobian, k []scalar.Scalar, a []group.Affine, tables []Table, g, d []scalar.Scalar) {
	var done [Doubles]bool
	if n := sumsInLanes(len(dst), tables); n > 0 {
		lanes.DoubleScalarVartime(dst[:n], done[:n], k[:n], a[:n], g[:n], firstOf(d, n))
	}
	restVartime(dst, done[:len(dst)], k, a, tables, g, d)
}

// EqualXModNVartime sets equal[i] to whether (k[i]·a[i] + g[i]·G)/d[i] is finite and its x coordinate, reduced modulo
// n, is x[i], and sets done[i] = true. For some items it does not compare. For such an item it sets done[i] = false
// and dst[i] to the sum, and equal[i] has no meaning. As in DoubleScalarVartime, 1/0 counts as 0, every divisor is 1
// if d is nil, and tables may be nil if no point has a table. There may be up to Doubles items. All points must be on
// the curve, and the slices must not overlap.
func EqualXModNVartime(equal, done []bool, dst []group.Jacobian, x, k []scalar.Scalar, a []group.Affine, tables []Table, g, d []scalar.Scalar) {
	clear(done)
	if n := sumsInLanes(len(dst), tables); n > 0 {
		lanes.EqualXModNVartime(equal[:n], done[:n], x[:n], k[:n], a[:n], g[:n], firstOf(d, n))
	}
	restVartime(dst, done, k, a, tables, g, d)
}

// restVartime sets dst[i] = (k[i]·a[i] + g[i]·G)/d[i] for the items with done[i] = false.
func restVartime(dst []group.Jacobian, done []bool, k []scalar.Scalar, a []group.Affine, tables []Table, g, d []scalar.Scalar) {
	if !slices.Contains(done, false) {
		return
	}
	var inverse [Doubles]scalar.Scalar
	r := rest{dst, done, k, a, tables, g, nil}
	if d != nil {
		scalar.InvertBatchVartime(inverse[:len(d)], d)
		r.inverse = &inverse
	}
	for from := 0; from < len(dst); {
		to := r.run(from) // the run is item from alone if it is done or has a table
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

// rest holds the arguments of restVartime, with the inverses of the divisors instead of the divisors.
type rest struct {
	dst     []group.Jacobian
	done    []bool
	k       []scalar.Scalar
	a       []group.Affine
	tables  []Table
	g       []scalar.Scalar
	inverse *[Doubles]scalar.Scalar // nil if all divisors are 1
}

// run returns the end of the run of items that begins with item from. A run consists of successive items that are not
// done, have no table, and have the same point. If item from is done or has a table, the run is item from alone.
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

// same reports whether two points have the same limbs. Equal points may have different limbs, since field elements need
// not be reduced. Such points share no work, but their sums are correct all the same.
func same(a, b *group.Affine) bool {
	return a.X.Limbs() == b.X.Limbs() && a.Y.Limbs() == b.Y.Limbs()
}

// sharedVartime computes the sums of items from, …, to − 1, which all have the same point.
func (r *rest) sharedVartime(from, to int) {
	var of ecmult.Shared
	of.SetVartime(&r.a[from])
	for i := from; i < to; i++ {
		s, t := r.scalars(i)
		of.DoubleScalarVartime(&r.dst[i], &s, &t)
	}
}

// oneVartime computes the sum of item i by itself, with the table of its point if the point has one.
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

// hasTable reports whether the point of item i has a table.
func (r *rest) hasTable(i int) bool { return r.tables != nil && r.tables[i].Multiples != nil }

// scalars returns s = k/d and t = g/d of item i, modulo n, so that the sum is s·a + t·G.
func (r *rest) scalars(i int) (s, t scalar.Scalar) {
	s, t = r.k[i], r.g[i]
	if r.inverse != nil {
		s.Mul(&s, &r.inverse[i])
		t.Mul(&t, &r.inverse[i])
	}
	return s, t
}

// firstOf returns the first n elements of d, or nil if d is nil.
func firstOf(d []scalar.Scalar, n int) []scalar.Scalar {
	if d == nil {
		return nil
	}
	return d[:n]
}
