package curve

import (
	"fmt"

	"p256k1.mleku.dev/v2/internal/batch"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// Lanes returns how many points an instruction of the processor works on: 8 with
// AVX-512 IFMA, else 1. Where it is 8, functions of slices take much less time from 8
// products on, and those in Batch of ecdsa and schnorr do, too.
func Lanes() int { return max(1, platform.InLanes(platform.Lanes)) }

// part is how many are in work at a time: few, since what is kept of them on the stack
// may be secret, and there is a limit to what is wiped after the use of a private key.
const part = 32

// InvertBatch sets dst[i] = 1/s[i], and 0 where s[i] = 0. It is constant-time.
func InvertBatch(dst, s []Scalar) {
	sameLength("InvertBatch", len(dst), len(s))
	// Montgomery's trick (docs/inversion.md, I12), with 1 in place of 0: before[i] is the
	// product of those before.
	var before [2 * part]Scalar
	var acc, one, t Scalar
	one.SetUint64(1)
	for len(s) > 0 {
		n := min(len(before), len(s))
		acc.Set(&one)
		for i := range n {
			before[i].Set(&acc)
			acc.Mul(&acc, t.Select(&one, &s[i], s[i].IsZero()))
		}
		acc.Invert(&acc)
		for i := n - 1; i >= 0; i-- {
			zero := s[i].IsZero()
			t.Select(&one, &s[i], zero)
			dst[i].Mul(&acc, &before[i])
			dst[i].Select(new(Scalar), &dst[i], zero)
			acc.Mul(&acc, &t)
		}
		dst, s = dst[n:], s[n:]
	}
}

// NormalizeBatch is Normalize of each of the points, with few inversions in all. It is
// constant-time, except for which points are infinity.
func NormalizeBatch(p []Point) {
	var in [part]*group.Jacobian
	for ; len(p) > 0; p = p[min(part, len(p)):] {
		n, some := min(part, len(p)), 0
		for i := range n {
			if !p[i].known.normalized {
				in[some] = &p[i].p
				some++
			}
		}
		batch.Normalize(in[:some])
		for i := range n {
			if !p[i].known.normalized {
				p[i].setNormalized()
			}
		}
	}
}

// setNormalized records that p is as batch.Normalize leaves it.
func (p *Point) setNormalized() {
	p.known = known{normalized: p.p.IsInfinity() == 0}
}

// LiftXBatch sets p[i] to the point with the 32-byte big-endian x coordinate x[i] and
// even y (BIP-340, lift_x), or to infinity if there is none, and reports whether all
// have one. It is constant-time, except for which have none.
func LiftXBatch(p []Point, x [][32]byte) (all bool) {
	sameLength("LiftXBatch", len(p), len(x))
	const roots = 48 // where there are lanes, 24 take turns
	var in [roots]field.Element
	var out [roots]group.Affine
	var ok [roots]bool
	all = true
	for len(x) > 0 {
		n := min(len(in), len(x))
		for i := range n {
			if in[i].SetBytes(&x[i]) == 0 {
				in[i].SetUint64(0) // which is no x coordinate either
			}
		}
		batch.LiftX(out[:n], ok[:n], in[:n])
		for i := range n {
			if ok[i] {
				p[i].setAffine(&out[i])
			} else {
				p[i] = Point{}
				all = false
			}
		}
		p, x = p[n:], x[n:]
	}
	return all
}

// ScalarBaseMultBatch sets p[i] = k[i]·G, normalized. It is constant-time, except for
// which scalars are 0.
func ScalarBaseMultBatch(p []Point, k []Scalar) {
	sameLength("ScalarBaseMultBatch", len(p), len(k))
	var in [2 * part]*scalar.Scalar
	var out [2 * part]*group.Jacobian
	for len(k) > 0 {
		n := min(len(in), len(k))
		for i := range n {
			in[i], out[i] = &k[i].s, &p[i].p
		}
		batch.Base(out[:n], in[:n])
		for i := range n {
			p[i].setNormalized()
		}
		p, k = p[n:], k[n:]
	}
}

// ScalarMultBatch sets p[i] = k·a[i], normalized. It is constant-time, except for which
// products are infinity.
func ScalarMultBatch(p []Point, k *Scalar, a []Point) {
	sameLength("ScalarMultBatch", len(p), len(a))
	var in, out [part]*group.Jacobian
	for len(a) > 0 {
		n := min(part, len(a))
		for i := range n {
			in[i], out[i] = &a[i].p, &p[i].p
		}
		batch.Variable(out[:n], &k.s, in[:n])
		for i := range n {
			p[i].setNormalized()
		}
		p, a = p[n:], a[n:]
	}
}

// MultiScalarMultVartime sets p to the sum of scalars[i]·points[i] in time that
// depends on all of them, which must not be secret. The more products, the less time each
// takes. Points that SetGenerator set cost less than others. It panics if the slices
// differ in length.
func (p *Point) MultiScalarMultVartime(scalars []*Scalar, points []*Point) *Point {
	sameLength("MultiScalarMultVartime", len(scalars), len(points))
	sum := batch.Sums.Get().(*batch.Sum)
	sum.Reset()
	var in [part]group.Jacobian
	var out [part]group.Affine
	var of [part]*Scalar
	n := 0
	for i, a := range points {
		switch {
		case a.known.normalized && isGenerator(&a.p):
			sum.G.Add(&sum.G, &scalars[i].s)
		case a.known.normalized:
			sum.Add(&scalars[i].s, &group.Affine{X: a.p.X, Y: a.p.Y})
		case a.p.IsInfinity() == 0:
			in[n].Set(&a.p)
			of[n] = scalars[i]
			n++
		}
		if n == part || n > 0 && i == len(points)-1 {
			group.BatchToAffineVartime(out[:n], in[:n])
			for j := range n {
				sum.Add(&of[j].s, &out[j])
			}
			n = 0
		}
	}
	sum.EvaluateVartime(&p.p)
	p.known = known{}
	batch.Sums.Put(sum)
	return p
}

func isGenerator(p *group.Jacobian) bool {
	return p.X.Limbs() == group.Generator.X.Limbs() && p.Y.Limbs() == group.Generator.Y.Limbs()
}

func sameLength(name string, a int, others ...int) {
	for _, b := range others {
		if a != b {
			panic(fmt.Sprintf("curve: %s of slices of %d and %d", name, a, b))
		}
	}
}
