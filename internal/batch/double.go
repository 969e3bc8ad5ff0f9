package batch

import (
	"p256k1.mleku.dev/internal/ecmult"
	"p256k1.mleku.dev/internal/group"
	"p256k1.mleku.dev/internal/lanes"
	"p256k1.mleku.dev/internal/scalar"
)

// inLanes returns how many of n items go through lanes, which take as long for one as for
// eight: about as long as the scalar code takes for two.
func inLanes(n int) int {
	if !lanes.Available() {
		return 0
	}
	if n%lanes.N == 1 {
		n--
	}
	return n
}

// sumsInLanes is inLanes for n sums, of which some may have tables. In units of such a one,
// the scalar code takes 5 for one without, and lanes take 9 for a group.
func sumsInLanes(n int, tables []Table) int {
	if tables == nil || !lanes.Available() {
		return inLanes(n)
	}
	last, cost := n/lanes.N*lanes.N, 0
	for _, t := range tables[last:n] {
		if t.Multiples == nil {
			cost += 4
		}
		cost++
	}
	if cost < 9 {
		return last
	}
	return n
}

// Lanes returns how many items go through lanes together: 1 if there are none.
func Lanes() int {
	if inLanes(lanes.N) == lanes.N {
		return lanes.N
	}
	return 1
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
	// Montgomery's trick (docs/inversion.md, I12): before[i] is the product of those before.
	var before [Doubles]scalar.Scalar
	product := scalar.FromLimbs(1, 0, 0, 0)
	if d != nil {
		for i := range d {
			if !done[i] && d[i].IsZero() == 0 {
				before[i] = product
				product.Mul(&product, &d[i])
			}
		}
		product.InvertVartime(&product)
	}
	for i := len(dst) - 1; i >= 0; i-- {
		if done[i] {
			continue
		}
		s, t := k[i], g[i]
		if d != nil {
			var inverse scalar.Scalar // of 0 it is 0
			if d[i].IsZero() == 0 {
				inverse.Mul(&product, &before[i])
				product.Mul(&product, &d[i])
			}
			s.Mul(&s, &inverse)
			t.Mul(&t, &inverse)
		}
		if tables != nil && tables[i].Multiples != nil {
			s.CondNegate(&s, tables[i].Minus)
			ecmult.DoubleScalarPrecomputedVartime(&dst[i], &s, tables[i].Multiples, &t)
			continue
		}
		var p group.Jacobian
		p.SetAffine(&a[i])
		ecmult.DoubleScalarVartime(&dst[i], &s, &p, &t)
	}
}

// firstOf returns the first n of d, or nil.
func firstOf(d []scalar.Scalar, n int) []scalar.Scalar {
	if d == nil {
		return nil
	}
	return d[:n]
}
