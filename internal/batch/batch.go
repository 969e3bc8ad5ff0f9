// Package batch computes many things of a kind at once: points with given x
// coordinates, products of points and sums of them. It asks package platform how, once a call.
//
// Slices of a call are of one length, unless something else is said. Everything is
// constant-time except what is named Vartime.
package batch

import (
	"p256k1.mleku.dev/v2/internal/ecmult"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/lanes"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// Normalize brings the points to Z = 1, or to Z = 0 if they are infinity, with few
// inversions.
func Normalize(p []*group.Jacobian) {
	// Montgomery's trick (docs/inversion.md, I12), with 1 in place of 0: before[i] is the
	// product of those before.
	var before [size]field.Element
	var acc, one, z, zInv field.Element
	var a group.Affine
	one.SetUint64(1)
	for ; len(p) > 0; p = p[min(size, len(p)):] {
		n := min(size, len(p))
		acc.Set(&one)
		for i, q := range p[:n] {
			before[i].Set(&acc)
			acc.Mul(&acc, z.Select(&one, &q.Z, q.IsInfinity()))
		}
		acc.Invert(&acc)
		for i := n - 1; i >= 0; i-- {
			q := p[i]
			infinity := q.IsInfinity()
			zInv.Mul(&acc, &before[i])
			acc.Mul(&acc, z.Select(&one, &q.Z, infinity))
			a.X.Set(&q.X)
			a.Y.Set(&q.Y)
			a.Rescale(&a, &zInv)
			q.SetAffine(&a)
			q.Select(&group.Jacobian{}, q, infinity)
		}
	}
}

// size is how many points share an inversion: few, since what is here on the stack may
// be secret, and there is a limit to what is wiped (secret.Do).
const size = 32

// LiftX sets dst[i] to the point with x coordinate x[i] and even y, and ok[i] to
// whether there is one. Where there is none dst[i] is undefined.
func LiftX(dst []group.Affine, ok []bool, x []field.Element) {
	n := platform.InLanes(len(x))
	lanes.LiftX(dst[:n], ok[:n], x[:n], nil)
	for ; len(x)-n > 1; n += 2 {
		pair := group.LiftXPair((*[2]group.Affine)(dst[n:]), (*[2]field.Element)(x[n:]))
		ok[n], ok[n+1] = pair[0] != 0, pair[1] != 0
	}
	if n < len(x) {
		ok[n] = dst[n].LiftX(&x[n]) != 0
	}
}

// Base sets dst[i] = k[i]·G, normalized as by Normalize.
func Base(dst []*group.Jacobian, k []*scalar.Scalar) {
	n := platform.BasesInLanes(len(k))
	lanes.Base(dst[:n], k[:n])
	for i := n; i < len(k); i++ {
		ecmult.Base(dst[i], k[i])
	}
	Normalize(dst[n:])
}

// Variable sets dst[i] = k·a[i], normalized as by Normalize.
func Variable(dst []*group.Jacobian, k *scalar.Scalar, a []*group.Jacobian) {
	n := platform.InLanes(len(a))
	lanes.Variable(dst[:n], k, a[:n])
	for i := n; i < len(a); i++ {
		ecmult.Variable(dst[i], k, a[i])
	}
	Normalize(dst[n:])
}
