package lanes

import (
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
)

// This file computes points from their x coordinates, in constant time (LiftX) or for public data (LiftXVartime).

// LiftX sets dst[i] to the point with x coordinate x[i] and even y, and ok[i] to whether there is such a point. If
// there is none, dst[i] is undefined. It takes any number of items. The slices must not overlap.
func LiftX(dst []group.Affine, ok []bool, x []field.Element) {
	w := secretWorkspaces.Get().(*secretWorkspace)
	for lo := 0; lo < len(x); {
		blocks := together((len(x) - lo + N - 1) / N)
		for j := range blocks {
			loadElements(&w.lift.x[j], x[lo+N*j:min(lo+N*(j+1), len(x))])
		}
		points := w.lift.liftX(blocks)
		for j := range blocks {
			from, to := lo+N*j, min(lo+N*(j+1), len(x))
			report(ok[from:to], points[j])
			storeNormal(dst[from:to], &w.lift.x[j], &w.lift.y[j])
		}
		lo += N * blocks
	}
	secretWorkspaces.Put(w)
}

// LiftXVartime does for public x what LiftX does.
func LiftXVartime(dst []group.Affine, ok []bool, x []field.Element) {
	if len(x) == 0 { // without lanes there is no need for a workspace
		return
	}
	w := workspaceVartime()
	for lo := 0; lo < len(x); {
		blocks := together((len(x) - lo + N - 1) / N)
		for j := range blocks {
			loadElementsVartime(&w.lift.x[j], x[lo+N*j:min(lo+N*(j+1), len(x))])
		}
		points := w.lift.liftXVartime(blocks)
		for j := range blocks {
			from, to := lo+N*j, min(lo+N*(j+1), len(x))
			report(ok[from:to], points[j])
			storeVartime(dst[from:to], &w.lift.x[j], &w.lift.y[j])
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
	b      Element      // the 7 of the curve equation
	x, y   trio         // the coordinates of the points
	t      trio         // scratch memory
	powers [powers]trio // y² = x³ + 7, and powers of it
}

// These are the indexes of powers. xN is the power whose exponent is N ones in binary, 2ᴺ − 1.
const (
	x1 = iota // y²
	x2
	x3
	x22
	x44
	x88
	rest // the powers that only the next step uses
	powers
)

// rootSteps computes the power of y² with the exponent (p+1)/16, by the same chain of squarings and products as Sqrt of
// package field. Each step computes the power to = from^(2ⁿ)·factor. Two more squarings give the power with the
// exponent (p+1)/4, which is a square root of y² if there is one, because p ≡ 3 modulo 4.
var rootSteps = [...]struct{ to, from, n, factor int }{
	{x2, x1, 1, x1},
	{x3, x2, 1, x1},
	{rest, x3, 3, x3},   // x6
	{rest, rest, 3, x3}, // x9
	{rest, rest, 2, x2}, // x11
	{x22, rest, 11, rest},
	{x44, x22, 22, x22},
	{x88, x44, 44, x44},
	{rest, x88, 88, x88},  // x176
	{rest, rest, 44, x44}, // x220
	{rest, rest, 3, x3},   // x223
	{rest, rest, 23, x22},
	{rest, rest, 6, x2},
}

// liftX sets y to the even y coordinates of the points with x coordinates x. It returns the sets of the lanes in which
// there is such a point. In the other lanes y is undefined.
func (l *lift) liftX(blocks int) (ok [most]uint8) {
	squares := &l.powers[x1]
	l.t.squareN(&l.x, 1, blocks)
	for i := range blocks {
		mul(&l.t[i], &l.t[i], &l.x[i])
		add(&squares[i], &l.t[i], &l.b)
	}
	for _, s := range rootSteps {
		power := &l.powers[s.to]
		power.squareN(&l.powers[s.from], s.n, blocks)
		for i := range blocks {
			mul(&power[i], &power[i], &l.powers[s.factor][i])
		}
	}
	l.y.squareN(&l.powers[rest], 2, blocks)
	l.t.squareN(&l.y, 1, blocks)
	for i := range blocks {
		sub(&l.t[i], &l.t[i], &squares[i])
		ok[i] = isZero(&l.t[i])
		normalize(&l.y[i], &l.y[i])
		negate(&l.y[i], &l.y[i], isOdd(&l.y[i]))
	}
	return ok
}

// liftXVartime does for public data what liftX does.
func (l *lift) liftXVartime(blocks int) (ok [most]uint8) {
	squares := &l.powers[x1]
	l.t.squareNVartime(&l.x, 1, blocks)
	for i := range blocks {
		mulVartime(&l.t[i], &l.t[i], &l.x[i])
		addVartime(&squares[i], &l.t[i], &l.b)
	}
	for _, s := range rootSteps {
		power := &l.powers[s.to]
		power.squareNVartime(&l.powers[s.from], s.n, blocks)
		for i := range blocks {
			mulVartime(&power[i], &power[i], &l.powers[s.factor][i])
		}
	}
	l.y.squareNVartime(&l.powers[rest], 2, blocks)
	l.t.squareNVartime(&l.y, 1, blocks)
	for i := range blocks {
		subVartime(&l.t[i], &l.t[i], &squares[i])
		ok[i] = isZeroVartime(&l.t[i])
		negateVartime(&l.y[i], &l.y[i], isOddVartime(&l.y[i]))
	}
	return ok
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

// squareNVartime does for public data what squareN does.
func (r *trio) squareNVartime(a *trio, n, blocks int) {
	switch blocks {
	case 1:
		squareNVartime(&r[0], &a[0], n)
	case 2:
		squarePairNVartime((*[2]Element)(r[:]), (*[2]Element)(a[:]), n)
	default:
		squareTripleNVartime((*[3]Element)(r), (*[3]Element)(a), n)
	}
}
