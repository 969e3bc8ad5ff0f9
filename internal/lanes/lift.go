package lanes

import (
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
)

// LiftX sets dst[i] to the point with x coordinate x[i] whose y is odd if odd[i] is true and even otherwise, and ok[i]
// to whether there is such a point. If there is none, dst[i] is undefined. If odd is nil, all y are even. Otherwise odd
// must be public, because LiftX branches on it. It takes any number of items. The slices must not overlap.
func LiftX(dst []group.Affine, ok []bool, x []field.Element, odd []bool) {
	w := workspaces.Get().(*workspace)
	for lo := 0; lo < len(x); {
		blocks := together((len(x) - lo + N - 1) / N)
		var parity [most]uint8
		for j := range blocks {
			from, to := lo+N*j, min(lo+N*(j+1), len(x))
			loadElements(&w.lift.x[j], x[from:to])
			if odd != nil {
				for i, o := range odd[from:to] {
					setBit(&parity[j], i, o)
				}
			}
		}
		has := w.liftX(&parity, blocks)
		for j := range blocks {
			from, to := lo+N*j, min(lo+N*(j+1), len(x))
			report(ok[from:to], has[j])
			storeNormal(dst[from:to], &w.lift.x[j], &w.lift.y[j])
		}
		lo += N * blocks
	}
	workspaces.Put(w)
}

// most is the largest number of blocks that are lifted at a time. A square root is a chain of 253 squarings, in which
// each squaring waits for the previous one. The chains of several blocks do not wait for each other, so their squarings
// are interleaved.
const most = 3

// together returns how many of n blocks to lift next. Four blocks are lifted as two and two, not as three and one,
// because a single block takes more than half the time of two blocks.
func together(n int) int {
	if n == 4 {
		return 2
	}
	return min(n, most)
}

// trio holds one element for each of up to three blocks.
type trio [most]Element

// lift holds the vectors for lifting one to three blocks.
type lift struct {
	x, y                                trio // the coordinates of the points
	y2, t, x2, x3, x22, x44, x88, power trio // y² = x³ + 7, and powers of it
}

// liftX sets w.lift.y to the y coordinates of the points with x coordinates w.lift.x, odd in the lanes of odd and even
// in the others. It returns the set of the lanes in which there is such a point. In the other lanes y is undefined.
//
// With c = x³ + 7 it computes y = c^((p+1)/4), which is a square root of c if c is a square, because p ≡ 3 modulo 4.
// There is a point if and only if y² = c.
func (w *workspace) liftX(odd *[most]uint8, blocks int) (ok [most]uint8) {
	l := &w.lift
	l.t.squareN(&l.x, 1, blocks)
	l.t.mul(&l.t, &l.x, blocks)
	for i := range blocks {
		add(&l.y2[i], &l.t[i], &w.b)
	}
	l.rootPower(blocks)
	l.t.squareN(&l.y, 1, blocks)
	for i := range blocks {
		sub(&l.t[i], &l.t[i], &l.y2[i])
		ok[i] = isZero(&l.t[i])
		normalize(&l.y[i], &l.y[i])
		negate(&l.y[i], &l.y[i], isOdd(&l.y[i])^odd[i])
	}
	return ok
}

// rootPower sets y = y2^((p+1)/4), by the same chain of squarings and products as Sqrt of package field: xN is the
// power whose exponent is N ones in binary, 2ᴺ − 1.
func (l *lift) rootPower(blocks int) {
	t := &l.power
	l.x2.power(&l.y2, 1, &l.y2, blocks)
	l.x3.power(&l.x2, 1, &l.y2, blocks)
	t.power(&l.x3, 3, &l.x3, blocks) // x6
	t.power(t, 3, &l.x3, blocks)     // x9
	t.power(t, 2, &l.x2, blocks)     // x11
	l.x22.power(t, 11, t, blocks)
	l.x44.power(&l.x22, 22, &l.x22, blocks)
	l.x88.power(&l.x44, 44, &l.x44, blocks)
	t.power(&l.x88, 88, &l.x88, blocks) // x176
	t.power(t, 44, &l.x44, blocks)      // x220
	t.power(t, 3, &l.x3, blocks)        // x223
	t.power(t, 23, &l.x22, blocks)
	t.power(t, 6, &l.x2, blocks)
	l.y.squareN(t, 2, blocks)
}

// power sets r = a^(2ⁿ)·b in the given number of blocks. a may be r, but b must not be r.
func (r *trio) power(a *trio, n int, b *trio, blocks int) {
	r.squareN(a, n, blocks)
	r.mul(r, b, blocks)
}

// mul sets r = a·b in the given number of blocks.
func (r *trio) mul(a, b *trio, blocks int) {
	for i := range blocks {
		mul(&r[i], &a[i], &b[i])
	}
}

// squareN sets r = a^(2ⁿ), for one to three blocks.
func (r *trio) squareN(a *trio, n, blocks int) {
	switch blocks {
	case 1:
		squareN(&r[0], &a[0], n)
	case 2:
		squarePairN((*[2]Element)(r[:]), (*[2]Element)(a[:]), n)
	default:
		squareTripleN((*[3]Element)(r), (*[3]Element)(a), n)
	}
}
