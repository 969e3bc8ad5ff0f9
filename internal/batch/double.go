package batch

import (
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
// have Z = 1. The slices must not overlap.
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
	left := 0
	for _, ok := range done {
		if !ok {
			left++
		}
	}
	if left == 0 {
		return
	}
	var inverse [Doubles]scalar.Scalar
	r := rest{dst, done, k, a, tables, g, nil}
	if d != nil {
		invertVartime(&inverse, done, d)
		r.inverse = &inverse
	}
	if platform.Shared(left) {
		r.byPointVartime()
		return
	}
	for i := range dst {
		if !done[i] {
			r.oneVartime(i)
		}
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

// invertVartime sets inverse[i] = 1/d[i], where 1/0 is 0, for those that are not done.
func invertVartime(inverse *[Doubles]scalar.Scalar, done []bool, d []scalar.Scalar) {
	// Montgomery's trick (docs/inversion.md, I12): first inverse[i] is the product of those before.
	product := scalar.FromLimbs(1, 0, 0, 0)
	for i := range d {
		if !done[i] && d[i].IsZero() == 0 {
			inverse[i] = product
			product.Mul(&product, &d[i])
		}
	}
	product.InvertVartime(&product)
	for i := len(d) - 1; i >= 0; i-- {
		if !done[i] && d[i].IsZero() == 0 {
			inverse[i].Mul(&inverse[i], &product)
			product.Mul(&product, &d[i])
		}
	}
}

// byPointVartime computes what is not done, the sums with one point after one another.
func (r *rest) byPointVartime() {
	var alike Alike
	var keys [Doubles][33]byte
	for i := range r.dst {
		if !r.done[i] && !r.hasTable(i) {
			r.a[i].X.FillBytes((*[32]byte)(keys[i][1:]))
			keys[i][0] = byte(2 | r.a[i].Y.IsOdd()&1)
		}
	}
	alike.SetVartime(keys[:len(r.dst)])
	for i := range r.dst {
		n := alike.Count(i)
		if platform.Shared(n) && keys[i][0] != 0 {
			r.sharedVartime(i, &alike)
			continue
		}
		for j := i; n > 0; j, n = alike.Next(j), n-1 {
			if !r.done[j] {
				r.oneVartime(j)
			}
		}
	}
}

// sharedVartime computes the sums with the point of the first sum that has it.
func (r *rest) sharedVartime(first int, alike *Alike) {
	var of ecmult.Shared
	of.SetVartime(&r.a[first])
	for i, n := first, alike.Count(first); n > 0; i, n = alike.Next(i), n-1 {
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
