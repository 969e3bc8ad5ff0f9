//go:build amd64 && !purego

package group

import (
	"testing"

	"p256k1.mleku.dev/internal/asmtest"
	"p256k1.mleku.dev/internal/field"
	"p256k1.mleku.dev/internal/oracle"
)

// TestADX compares the formulas in assembly with those in Go on limbs that need not belong to points. A formula is a polynomial,
// the same for all.
func TestADX(t *testing.T) {
	asmtest.Need(t, useADX, "BMI2, ADX or AVX2")
	r := oracle.New(t)
	random := func() field.Element {
		l := r.Limbs()
		return field.FromLimbs(l[0], l[1], l[2], l[3])
	}
	for range rounds(50000) {
		a, b := Jacobian{random(), random(), random()}, Jacobian{random(), random(), random()}
		s := XYZZ{random(), random(), random(), random()}
		c := Affine{random(), random()}
		same := func(name string, got, want []*field.Element) {
			t.Helper()
			for i := range got {
				if got[i].Equal(want[i]) == 0 {
					t.Fatalf("%s: value %d is %x, want %x\na = %v\nb = %v\ns = %v\nc = %v", name, i, got[i].Limbs(), want[i].Limbs(), a, b, s, c)
				}
			}
		}
		var p, q Jacobian
		var h, k field.Element
		doubleNADX(&p, &a, 1)
		doubleNGeneric(&q, &a, 1)
		scale := func(e *field.Element, by int64) {
			f := field.FromLimbs(uint64(by), 0, 0, 0)
			e.Mul(e, &f)
		}
		scale(&q.X, 16)
		scale(&q.Y, 64)
		scale(&q.Z, 4)
		same("doubleN", p.elements(), q.elements())

		n := 1 + r.IntN(4)
		doubleNADX(&p, &a, n)
		q = a
		for range n {
			doubleNADX(&q, &q, 1)
		}
		if p.X.Limbs() != q.X.Limbs() || p.Y.Limbs() != q.Y.Limbs() || p.Z.Limbs() != q.Z.Limbs() {
			t.Fatalf("doubleN of %v, %d: %v, want %v", a, n, p, q)
		}

		addMixedADX(&p, &a, &c.X, &c.Y, &h)
		addMixedGeneric(&q, &a, &c.X, &c.Y, &k)
		same("addMixed", append(p.elements(), &h), append(q.elements(), &k))

		doubleAddADX(&p, &a, &c.X, &c.Y, &h)
		doubleAddGeneric(&q, &a, &c.X, &c.Y, &k) // with a fourth of the Z of 2a
		scale(&q.X, 1<<12)
		scale(&q.Y, 1<<18)
		scale(&q.Z, 1<<6)
		scale(&k, 1<<4)
		same("doubleAdd", append(p.elements(), &h), append(q.elements(), &k))

		addDistinctADX(&p, &a, &b, &h)
		addDistinctGeneric(&q, &a, &b, &k)
		same("addDistinct", append(p.elements(), &h), append(q.elements(), &k))

		var u, v XYZZ
		addMixedXYZZADX(&u, &s, &c, &h)
		addMixedXYZZGeneric(&v, &s, &c, &k)
		same("addMixedXYZZ", []*field.Element{&u.X, &u.Y, &u.ZZ, &u.ZZZ, &h}, []*field.Element{&v.X, &v.Y, &v.ZZ, &v.ZZZ, &k})

		d, e := Affine{a.X, a.Y}, Affine{a.X, a.Y}
		var x, y Affine
		addCoZADX(&x, &d, &c, &h)
		addCoZGeneric(&y, &e, &c, &k)
		same("addCoZ", []*field.Element{&x.X, &x.Y, &d.X, &d.Y, &h}, []*field.Element{&y.X, &y.Y, &e.X, &e.Y, &k})

		rescaleADX(&x, &c, &a.Z)
		rescaleGeneric(&y, &c, &a.Z)
		same("rescale", []*field.Element{&x.X, &x.Y}, []*field.Element{&y.X, &y.Y})
	}
}

func (p *Jacobian) elements() []*field.Element {
	return []*field.Element{&p.X, &p.Y, &p.Z}
}
