//go:build linux && (amd64 || arm64) && !purego

package group

import (
	"testing"

	"p256k1.mleku.dev/v2/internal/asmtest"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/platform"
)

// TestGuard puts operands next to pages without access, so that assembly which reads or writes beyond the operands
// crashes. The results must equal the results for operands in ordinary memory.
func TestGuard(t *testing.T) {
	asmtest.NeedBroadwell(t, platform.Name())
	r := oracle.New(t)
	random := func() field.Element {
		l := r.Limbs()
		return field.FromLimbs(l[0], l[1], l[2], l[3])
	}
	j, k := Jacobian{random(), random(), random()}, Jacobian{random(), random(), random()}
	s, f, g := XYZZ{random(), random(), random(), random()}, Affine{random(), random()}, Affine{random(), random()}
	for _, side := range []asmtest.Where{asmtest.After, asmtest.Before} {
		element := func(e *field.Element) *field.Element { return asmtest.New[field.Element](t, side).Set(e) }
		jacobian := func(p *Jacobian) *Jacobian {
			q := asmtest.New[Jacobian](t, side)
			q.Set(p)
			return q
		}
		affine := func(p *Affine) *Affine {
			q := asmtest.New[Affine](t, side)
			q.Set(p)
			return q
		}
		same := func(name string, got, want []*field.Element) {
			t.Helper()
			for i := range got {
				if got[i].Limbs() != want[i].Limbs() {
					t.Errorf("%s: value %d is %x, want %x", name, i, got[i].Limbs(), want[i].Limbs())
				}
			}
		}
		p, h := jacobian(&Jacobian{}), element(&field.Element{})
		var q Jacobian
		var i field.Element
		doubleN(p, jacobian(&j), 3)
		doubleN(&q, &j, 3)
		same("doubleN", p.elements(), q.elements())

		addMixed(p, jacobian(&j), element(&f.X), element(&f.Y), h)
		addMixed(&q, &j, &f.X, &f.Y, &i)
		same("addMixed", append(p.elements(), h), append(q.elements(), &i))

		doubleAdd(p, jacobian(&j), element(&f.X), element(&f.Y), h)
		doubleAdd(&q, &j, &f.X, &f.Y, &i)
		same("doubleAdd", append(p.elements(), h), append(q.elements(), &i))

		addDistinct(p, jacobian(&j), jacobian(&k), h)
		addDistinct(&q, &j, &k, &i)
		same("addDistinct", append(p.elements(), h), append(q.elements(), &i))

		u, v := asmtest.New[XYZZ](t, side), asmtest.New[XYZZ](t, side)
		*v = s
		var w XYZZ
		addMixedXYZZ(u, v, affine(&f), h)
		addMixedXYZZ(&w, &s, &f, &i)
		same("addMixedXYZZ", []*field.Element{&u.X, &u.Y, &u.ZZ, &u.ZZZ, h}, []*field.Element{&w.X, &w.Y, &w.ZZ, &w.ZZZ, &i})

		x, d := affine(&Affine{}), affine(&g)
		y, e := Affine{}, g
		addCoZ(x, d, affine(&f), h)
		addCoZ(&y, &e, &f, &i)
		same("addCoZ", []*field.Element{&x.X, &x.Y, &d.X, &d.Y, h}, []*field.Element{&y.X, &y.Y, &e.X, &e.Y, &i})

		i = k.X
		*h = k.X
		addAffine(x, affine(&g), affine(&f), element(&k.Y), h)
		addAffine(&y, &g, &f, &k.Y, &i)
		same("addAffine", []*field.Element{&x.X, &x.Y, h}, []*field.Element{&y.X, &y.Y, &i})

		rescale(x, affine(&f), element(&k.Z))
		rescale(&y, &f, &k.Z)
		same("rescale", []*field.Element{&x.X, &x.Y}, []*field.Element{&y.X, &y.Y})
	}
}
