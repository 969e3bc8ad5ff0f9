//go:build (amd64 || arm64) && !purego

package group

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"testing"

	"p256k1.mleku.dev/v2/internal/asmtest"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/platform"
)

// TestAssembly compares the formulas in assembly with the formulas in Go. The coordinates are random and mostly belong
// to no point, because a formula is a polynomial, which both versions compute for all coordinates.
func TestAssembly(t *testing.T) {
	asmtest.NeedBroadwell(t, platform.Name())
	r := oracle.New(t)
	random := func() field.Element {
		l := r.Limbs()
		return field.FromLimbs(l[0], l[1], l[2], l[3])
	}
	for range oracle.Cases(50000) {
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
		doubleN(&p, &a, 1)
		doubleNGeneric(&q, &a, 1)
		same("doubleN", p.elements(), q.elements())

		n := 1 + r.IntN(4)
		doubleN(&p, &a, n)
		q = a
		for range n {
			doubleN(&q, &q, 1)
		}
		if p.X.Limbs() != q.X.Limbs() || p.Y.Limbs() != q.Y.Limbs() || p.Z.Limbs() != q.Z.Limbs() {
			t.Fatalf("doubleN of %v, %d: %v, want %v", a, n, p, q)
		}

		addMixed(&p, &a, &c.X, &c.Y, &h)
		addMixedGeneric(&q, &a, &c.X, &c.Y, &k)
		same("addMixed", append(p.elements(), &h), append(q.elements(), &k))

		doubleAdd(&p, &a, &c.X, &c.Y, &h)
		doubleAddGeneric(&q, &a, &c.X, &c.Y, &k)
		same("doubleAdd", append(p.elements(), &h), append(q.elements(), &k))

		addDistinct(&p, &a, &b, &h)
		addDistinctGeneric(&q, &a, &b, &k)
		same("addDistinct", append(p.elements(), &h), append(q.elements(), &k))

		var u, v XYZZ
		addMixedXYZZ(&u, &s, &c, &h)
		addMixedXYZZGeneric(&v, &s, &c, &k)
		same("addMixedXYZZ", []*field.Element{&u.X, &u.Y, &u.ZZ, &u.ZZZ, &h}, []*field.Element{&v.X, &v.Y, &v.ZZ, &v.ZZZ, &k})

		d, e := Affine{a.X, a.Y}, Affine{a.X, a.Y}
		var x, y Affine
		addCoZ(&x, &d, &c, &h)
		addCoZGeneric(&y, &e, &c, &k)
		same("addCoZ", []*field.Element{&x.X, &x.Y, &d.X, &d.Y, &h}, []*field.Element{&y.X, &y.Y, &e.X, &e.Y, &k})

		h, k = s.ZZZ, s.ZZZ
		addAffine(&x, &d, &c, &s.ZZ, &h)
		addAffineGeneric(&y, &d, &c, &s.ZZ, &k)
		same("addAffine", []*field.Element{&x.X, &x.Y, &h}, []*field.Element{&y.X, &y.Y, &k})

		rescale(&x, &c, &a.Z)
		rescaleGeneric(&y, &c, &a.Z)
		same("rescale", []*field.Element{&x.X, &x.Y}, []*field.Element{&y.X, &y.Y})
	}
	t.Logf("result: %d cases of each formula with that in Go", oracle.Cases(50000))
}

// TestAssemblyLimbs compares the limbs of results with recorded limbs of the assembly for x86-64. The assembly of every
// architecture must compute the same limbs, not only the same residues.
func TestAssemblyLimbs(t *testing.T) {
	asmtest.NeedBroadwell(t, platform.Name())
	r := oracle.NewSeeded("limbs of formulas")
	random := func() field.Element {
		l := r.Limbs()
		return field.FromLimbs(l[0], l[1], l[2], l[3])
	}
	hash := sha256.New()
	add := func(elements ...field.Element) {
		for i := range elements {
			for _, l := range elements[i].Limbs() {
				hash.Write(binary.BigEndian.AppendUint64(nil, l))
			}
		}
	}
	for range 2000 {
		a, b := Jacobian{random(), random(), random()}, Jacobian{random(), random(), random()}
		s, c, d := XYZZ{random(), random(), random(), random()}, Affine{random(), random()}, Affine{random(), random()}
		var p Jacobian
		var q XYZZ
		var e Affine
		var h field.Element
		doubleN(&p, &a, 1+r.IntN(4))
		add(p.X, p.Y, p.Z)
		addMixed(&p, &a, &c.X, &c.Y, &h)
		add(p.X, p.Y, p.Z, h)
		doubleAdd(&p, &a, &c.X, &c.Y, &h)
		add(p.X, p.Y, p.Z, h)
		addDistinct(&p, &a, &b, &h)
		add(p.X, p.Y, p.Z, h)
		addMixedXYZZ(&q, &s, &c, &h)
		add(q.X, q.Y, q.ZZ, q.ZZZ, h)
		addCoZ(&e, &c, &d, &h)
		add(e.X, e.Y, c.X, c.Y, h)
		h = s.Y
		addAffine(&e, &c, &d, &s.ZZ, &h)
		add(e.X, e.Y, h)
		rescale(&e, &d, &a.Z)
		add(e.X, e.Y)
	}
	const want = "18ede534c71653cdea605a2157e1747bdd93d9a767b5afdb00d929457a45374c"
	if got := hex.EncodeToString(hash.Sum(nil)); got != want {
		t.Errorf("the limbs hash to %s, want %s", got, want)
	}
}

func (p *Jacobian) elements() []*field.Element {
	return []*field.Element{&p.X, &p.Y, &p.Z}
}
