// Package batch computes many results of one kind in a call: points with given x coordinates, products of points and
// scalars, sums of two or of several products, and one sum of many products. Package platform decides from the number
// of items how many of them package lanes computes in vector registers. Packages group and ecmult compute the others.
//
// All slices of a call have the same length, unless the function says otherwise. Everything is constant-time except
// functions with Vartime in their names.
package batch

import (
	"p256k1.mleku.dev/v2/internal/ecmult"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/lanes"
	"p256k1.mleku.dev/v2/internal/parts"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// Normalize changes the coordinates of each point to the coordinates with Z = 1, or to (0, 0, 0) for infinity. Many
// points share one inversion. The time depends on the number of points, but not on the points.
func Normalize(p []*group.Jacobian) {
	// 1 takes the place of the Z ≡ 0 of infinity. The coordinates of infinity are computed like the coordinates of
	// other points and then replaced, without a branch. With parts.Of, the points would escape to the heap.
	var before [parts.Secrets]field.Element
	var all, one, z, zInv field.Element
	var a group.Affine
	one.SetUint64(1)
	for ; len(p) > 0; p = p[min(len(before), len(p)):] {
		n := min(len(before), len(p))
		all.Set(&one)
		for i, q := range p[:n] {
			field.Append(&all, &before[i], z.Select(&one, &q.Z, q.IsInfinity()))
		}
		all.Invert(&all)
		for i := n - 1; i >= 0; i-- {
			q := p[i]
			infinity := q.IsInfinity()
			field.Remove(&all, &zInv, &before[i], z.Select(&one, &q.Z, infinity))
			a.X.Set(&q.X)
			a.Y.Set(&q.Y)
			a.Rescale(&a, &zInv)
			q.SetAffine(&a)
			q.Select(&group.Jacobian{}, q, infinity)
		}
	}
}

// LiftX sets dst[i] to the point with x coordinate x[i] and even y, and ok[i] to whether there is such a point. If
// there is none, dst[i] is undefined.
func LiftX(dst []group.Affine, ok []bool, x []field.Element) {
	n := platform.InLanes(len(x))
	lanes.LiftX(dst[:n], ok[:n], x[:n])
	liftRest(dst[n:], ok[n:], x[n:])
}

// LiftXVartime does for public x what LiftX does.
func LiftXVartime(dst []group.Affine, ok []bool, x []field.Element) {
	n := platform.InLanesVartime(len(x))
	lanes.LiftXVartime(dst[:n], ok[:n], x[:n])
	liftRest(dst[n:], ok[n:], x[n:])
}

// liftRest does without package lanes what LiftX does.
func liftRest(dst []group.Affine, ok []bool, x []field.Element) {
	n := 0
	for ; len(x)-n > 1; n += 2 { // two square roots at a time, so that their multiplications overlap in the processor
		pair := group.LiftXPair((*[2]group.Affine)(dst[n:]), (*[2]field.Element)(x[n:]))
		ok[n], ok[n+1] = pair[0] != 0, pair[1] != 0
	}
	if n < len(x) {
		ok[n] = dst[n].LiftX(&x[n]) != 0
	}
}

// Base sets dst[i] = k[i]·G, with Z = 1, or with Z = 0 for infinity.
func Base(dst []*group.Jacobian, k []*scalar.Scalar) {
	n := platform.BasesInLanes(len(k))
	lanes.Base(dst[:n], k[:n])
	for i := n; i < len(k); i++ {
		ecmult.Base(dst[i], k[i])
	}
	Normalize(dst[n:]) // package lanes has already normalized dst[:n]
}

// Variable sets dst[i] = k·a[i], with Z = 1, or with Z = 0 for infinity. The a[i] may be infinity, and k may be 0.
func Variable(dst []*group.Jacobian, k *scalar.Scalar, a []*group.Jacobian) {
	n := platform.InLanes(len(a))
	lanes.Variable(dst[:n], k, a[:n])
	for i := n; i < len(a); i++ {
		ecmult.Variable(dst[i], k, a[i])
	}
	Normalize(dst[n:])
}
