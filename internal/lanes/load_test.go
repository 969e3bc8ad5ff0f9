package lanes

import (
	"slices"
	"testing"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestLoads loads up to eight items from random places, and stores points.
func TestLoads(t *testing.T) {
	r, e := oracle.New(t), elements()
	for n := 1; n <= N; n++ {
		for range oracle.Cases(50) {
			from := r.IntN(3)
			scalars, items, points := make([]laneScalar, from+n), make([]laneElement, from+n), make([]lanePoint, from+n)
			random := func() field.Element {
				l := r.Limbs()
				return field.FromLimbs(l[0], l[1], l[2], l[3])
			}
			for i := range items {
				scalars[i], items[i], points[i] = scalarOf(r.Scalar()), random(), lanePoint{X: random(), Y: random()}
			}
			var p, want Affine
			var public Element
			for _, c := range []struct {
				name      string
				got, want *Element
				kind      kind
				load      func()
			}{
				{"loadScalars", &e[0], &e[1], kinds[0], func() {
					loadScalars(&e[0], scalars[from:])
					loadScalarsGeneric(&e[1], scalars[from:])
				}},
				{"loadElements", &e[0], &e[1], kinds[0], func() {
					loadElements(&e[0], items[from:])
					loadElementsGeneric(&e[1], items[from:])
				}},
				{"loadElementsVartime", &public, &e[1], kinds[1], func() { loadElementsVartime(&public, items[from:]) }},
				{"x of loadPoints", &p.X, &want.X, kinds[1], func() {
					loadPointsVartime(&p, points[from:])
					loadPointsGeneric(&want, points[from:])
				}},
				{"y of loadPoints", &p.Y, &want.Y, kinds[1], func() {}},
			} {
				c.load()
				c.kind.bounded(c.got, t, c.name)
				for lane := range N {
					if got := c.kind.value(c.got, lane); got.Cmp(c.want.value(lane)) != 0 {
						t.Fatalf("%s of %d: %x in lane %d, want %x", c.name, n, got, lane, c.want.value(lane))
					}
				}
			}
			before, last := slices.Clone(points), points[0]
			for i, l := range kinds {
				q := [...]Affine{want, p}[i]
				e[2], e[3] = q.X, q.Y
				stored := make([]lanePoint, from+n+1)
				stored[from+n] = last
				if i > 0 { // in lanes of 52-bit limbs, storeVartime stores in another way
					storePackedVartime(stored[from:from+n], &e[2], &e[3])
					checkStored(t, l.name, stored[from:from+n], before[from:])
					clear(stored[:from+n])
				}
				l.store(stored[from:from+n], &e[2], &e[3])
				if stored[from+n].X.Limbs() != last.X.Limbs() || stored[from+n].Y.Limbs() != last.Y.Limbs() {
					t.Fatalf("%s: storing %d points overwrites the next", l.name, n)
				}
				again := stored[from : from+n]
				if i == 0 { // the elements are normal now
					again = make([]lanePoint, n)
					storePointsGeneric(again, &e[2], &e[3])
				}
				checkStored(t, l.name, stored[from:from+n], before[from:])
				checkStored(t, l.name, again, before[from:])
			}
		}
	}
}

// checkStored fails the test unless the points have the limbs of the wanted points, reduced.
func checkStored(t *testing.T, name string, points, want []lanePoint) {
	t.Helper()
	for i, got := range points {
		x, y := want[i].X, want[i].Y
		x.Normalize(&x)
		y.Normalize(&y)
		if got.X.Limbs() != x.Limbs() || got.Y.Limbs() != y.Limbs() {
			t.Fatalf("%s: point %d of %d is stored as %x, %x, want %x, %x", name, i, len(points), got.X.Limbs(), got.Y.Limbs(), x.Limbs(), y.Limbs())
		}
	}
}

func BenchmarkLoads(b *testing.B) {
	r, e := oracle.NewSeeded("loads"), elements()
	scalars, points, p := make([]laneScalar, N), make([]lanePoint, N), new(Affine)
	for i := range scalars {
		scalars[i] = scalarOf(r.Scalar())
	}
	b.Run("loadScalars", func(b *testing.B) {
		for b.Loop() {
			loadScalars(&e[0], scalars)
		}
	})
	b.Run("loadPointsVartime", func(b *testing.B) {
		for b.Loop() {
			loadPointsVartime(p, points)
		}
	})
	b.Run("storePoints", func(b *testing.B) {
		for b.Loop() {
			storePoints(points, &p.X, &p.Y)
		}
	})
}
