package lanes

import (
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
)

// LiftX sets dst[i] to the point with x coordinate x[i] whose y is odd if odd[i], or even
// if odd is nil, and ok[i] to whether there is one. Where there is none dst[i] is undefined.
// It takes any number of items. The slices must not overlap.
func LiftX(dst []group.Affine, ok []bool, x []field.Element, odd []bool) {
	w := workspaces.Get().(*workspace)
	for lo := 0; lo < len(x); {
		groups := together((len(x) - lo + N - 1) / N)
		var parity [most]uint8
		for j := range groups {
			from, to := lo+N*j, min(lo+N*(j+1), len(x))
			loadElements(&w.lift.x[j], x[from:to])
			if odd != nil {
				for i, o := range odd[from:to] {
					setBit(&parity[j], i, o)
				}
			}
		}
		has := w.liftX(&parity, groups)
		for j := range groups {
			from, to := lo+N*j, min(lo+N*(j+1), len(x))
			report(ok[from:to], has[j])
			storeNormal(dst[from:to], &w.lift.x[j], &w.lift.y[j])
		}
		lo += N * groups
	}
	workspaces.Put(w)
}

// most is how many groups are lifted at a time. Long chains of squarings take turns then, which
// do not wait for each other.
const most = 3

// together returns how many of n groups to lift next: four are better as two and two than as
// three and one.
func together(n int) int {
	if n == 4 {
		return 2
	}
	return min(n, most)
}

// trio is what the lanes of up to three groups hold.
type trio [most]Element

// lift is for square roots, of one to three groups.
type lift struct {
	x, y                                trio // of points
	y2, t, x2, x3, x22, x44, x88, power trio
}

// liftX sets y to the coordinates that belong to x, odd in the lanes of odd, and returns the lanes in
// which there is such a point. y is undefined in the others.
func (w *workspace) liftX(odd *[most]uint8, groups int) (ok [most]uint8) {
	l := &w.lift
	l.t.squareN(&l.x, 1, groups)
	l.t.mul(&l.t, &l.x, groups)
	for i := range groups {
		add(&l.y2[i], &l.t[i], &w.b)
	}
	l.rootPower(groups)
	l.t.squareN(&l.y, 1, groups)
	for i := range groups {
		sub(&l.t[i], &l.t[i], &l.y2[i])
		ok[i] = isZero(&l.t[i])
		normalize(&l.y[i], &l.y[i])
		negate(&l.y[i], &l.y[i], isOdd(&l.y[i])^odd[i])
	}
	return ok
}

// rootPower sets y = y2^((p+1)/4), by the chain of package field's.
func (l *lift) rootPower(groups int) {
	t := &l.power
	l.x2.power(&l.y2, 1, &l.y2, groups)
	l.x3.power(&l.x2, 1, &l.y2, groups)
	t.power(&l.x3, 3, &l.x3, groups) // x6
	t.power(t, 3, &l.x3, groups)     // x9
	t.power(t, 2, &l.x2, groups)     // x11
	l.x22.power(t, 11, t, groups)
	l.x44.power(&l.x22, 22, &l.x22, groups)
	l.x88.power(&l.x44, 44, &l.x44, groups)
	t.power(&l.x88, 88, &l.x88, groups) // x176
	t.power(t, 44, &l.x44, groups)      // x220
	t.power(t, 3, &l.x3, groups)        // x223
	t.power(t, 23, &l.x22, groups)
	t.power(t, 6, &l.x2, groups)
	l.y.squareN(t, 2, groups)
}

// power sets r = a^(2ⁿ)·b, which must not be in the place of r.
func (r *trio) power(a *trio, n int, b *trio, groups int) {
	r.squareN(a, n, groups)
	r.mul(r, b, groups)
}

func (r *trio) mul(a, b *trio, groups int) {
	for i := range groups {
		mul(&r[i], &a[i], &b[i])
	}
}

func (r *trio) squareN(a *trio, n, groups int) {
	switch groups {
	case 1:
		squareN(&r[0], &a[0], n)
	case 2:
		squarePairN((*[2]Element)(r[:]), (*[2]Element)(a[:]), n)
	default:
		squareTripleN((*[3]Element)(r), (*[3]Element)(a), n)
	}
}

// isOdd returns the lanes in which the normal a is odd.
func isOdd(a *Element) (k uint8) {
	for i := range N {
		k |= uint8(a[0][i]&1) << i
	}
	return k
}
