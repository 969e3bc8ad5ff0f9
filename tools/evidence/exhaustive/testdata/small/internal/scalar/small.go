package scalar

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"

	"p256k1.mleku.dev/v2/internal/params"
)

// This file replaces the code that depends on the size of n. Products and reductions, whose code in the library
// requires n ≈ 2²⁵⁶, are computed by plain divisions in this file. Multiplications of points still receive scalars of
// 256 bits. All other code, with addition, halving, inversion and the split, is the code of secp256k1.

// A Lift chooses integers congruent to scalars. All these integers are below the determinant of split.go, so they have
// the size of scalars in secp256k1.
type Lift int

const (
	Random   Lift = iota // any congruent integer, with random bits or with runs of equal bits
	Least                // the scalar itself
	Greatest             // the largest congruent integer below the determinant
)

// Lifts are the lifts that Limbs and Split use from now on.
var Lifts = Random

var source = rand.New(rand.NewPCG(0, 0))

// Seed makes later random lifts depend only on seed.
func Seed(seed uint64) { source = rand.New(rand.NewPCG(seed, 0)) }

// end is the determinant of split.go.
var end = Scalar{
	determinant & params.Limb, determinant >> 64 & params.Limb, determinant >> 128 & params.Limb, determinant >> 192,
}

// representative returns an integer congruent to v, chosen by Lifts, so that all digits occur in all windows of the
// recodings, as in a large group. The code of secp256k1 must compute the same point from this integer.
func (v *Scalar) representative() *Scalar {
	switch Lifts {
	case Least:
		return v
	case Greatest:
		w, _ := end.plus(v.l0)
		w, _ = w.minus(params.N)
		return &w
	}
	for {
		w := Scalar{source.Uint64(), source.Uint64(), source.Uint64(), source.Uint64()}
		if source.IntN(4) == 0 {
			for _, l := range []*uint64{&w.l0, &w.l1, &w.l2, &w.l3} {
				*l = uint64(int64(*l) >> source.IntN(64)) // a run from the top, often all of it
			}
		}
		w, _ = w.minus(w.remainder())
		w, overflow := w.plus(v.l0)
		if _, below := w.minusScalar(&end); overflow == 0 && below != 0 {
			return &w
		}
	}
}

func (v Scalar) plus(a uint64) (sum Scalar, carry uint64) {
	sum.l0, carry = bits.Add64(v.l0, a, 0)
	sum.l1, carry = bits.Add64(v.l1, 0, carry)
	sum.l2, carry = bits.Add64(v.l2, 0, carry)
	sum.l3, carry = bits.Add64(v.l3, 0, carry)
	return sum, carry
}

func (v Scalar) minus(a uint64) (difference Scalar, borrow uint64) {
	return v.minusScalar(&Scalar{l0: a})
}

func (v Scalar) minusScalar(a *Scalar) (difference Scalar, borrow uint64) {
	difference.l0, borrow = bits.Sub64(v.l0, a.l0, 0)
	difference.l1, borrow = bits.Sub64(v.l1, a.l1, borrow)
	difference.l2, borrow = bits.Sub64(v.l2, a.l2, borrow)
	difference.l3, borrow = bits.Sub64(v.l3, a.l3, borrow)
	return difference, borrow
}

// remainder returns v modulo n, for any limbs.
func (v Scalar) remainder() (r uint64) {
	for _, l := range [...]uint64{v.l3, v.l2, v.l1, v.l0} {
		r = bits.Rem64(r, l, params.N)
	}
	return r
}

// SetBytes sets v to the 32-byte big-endian integer b reduced modulo n. It returns an all-ones mask if b is below n,
// and zero otherwise.
func (v *Scalar) SetBytes(b *[32]byte) (canonical uint64) {
	w := Scalar{
		binary.BigEndian.Uint64(b[24:32]), binary.BigEndian.Uint64(b[16:24]),
		binary.BigEndian.Uint64(b[8:16]), binary.BigEndian.Uint64(b[0:8]),
	}
	*v = Scalar{l0: w.remainder()}
	return v.Equal(&w)
}

// Mul sets v = a · b.
func (v *Scalar) Mul(a, b *Scalar) *Scalar {
	*v = Scalar{l0: a.l0 * b.l0 % params.N}
	return v
}
