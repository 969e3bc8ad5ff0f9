package lanes

import (
	"fmt"
	"math/big"
	"slices"
	"testing"
	"unsafe"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/parts"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/scalar"
)

var fn = oracle.Fn

func scalarOf(x *big.Int) scalar.Scalar {
	l := oracle.Limbs(fn.Reduce(x))
	return scalar.FromLimbs(l[0], l[1], l[2], l[3])
}

// multiplesOfG caches the results of times.
var multiplesOfG = make(map[string]group.Affine)

// times returns s·G in affine coordinates, for s ≠ 0.
func times(s *big.Int) (a group.Affine) {
	var p group.Jacobian
	k := fn.Reduce(s)
	if a, ok := multiplesOfG[k.String()]; ok {
		return a
	}
	defer func() { multiplesOfG[k.String()] = a }()
	for i := k.BitLen() - 1; i >= 0; i-- {
		p.Double(&p)
		if k.Bit(i) != 0 {
			p.AddMixedVartime(&p, &group.Generator.X, &group.Generator.Y)
		}
	}
	a.ToAffineVartime(&p)
	return a
}

// item is (k·a + g·G)/d for the point a = s·G.
type item struct{ s, k, g, d *big.Int }

// result returns the logarithm of the item's sum: the sum is result·G.
func (m *item) result() *big.Int {
	r := fn.Add(fn.Mul(m.k, m.s), m.g)
	if m.d.Sign() == 0 {
		return r.SetInt64(0)
	}
	return fn.Mul(r, fn.Inv(m.d))
}

func (m *item) String() string {
	return fmt.Sprintf("(%x·%x·G + %x·G)/%x", m.k, m.s, m.g, m.d)
}

// ordinary returns an item with random scalars, which the lanes can compute.
func ordinary(r *oracle.Rand) item {
	random := func() *big.Int { return fn.Reduce(oracle.Int(r.Bytes(32))) }
	return item{random(), random(), random(), random()}
}

// call computes the items by DoubleScalarVartime and EqualXModNVartime, checks the results, and returns which items are
// done.
func call(t *testing.T, items []item) (done []bool) {
	t.Helper()
	n := len(items)
	all, want := make([]Item, n), make([]group.Affine, n)
	for i := range items {
		m, c := &items[i], &all[i]
		*c = Item{K: scalarOf(m.k), G: scalarOf(m.g), D: scalarOf(m.d), A: times(m.s), OK: true}
		if r := m.result(); r.Sign() != 0 {
			want[i] = times(r)
			c.X = xModN(&want[i])
		}
		if i%3 == 2 { // so that the comparison fails
			c.X.Add(&c.X, &one_)
		}
	}
	done = make([]bool, n)
	compared := slices.Clone(all)
	checkUndivided(t, all)
	DoubleScalarVartime(all, true)
	EqualXModNVartime(compared, true)
	for i := range items {
		done[i] = all[i].Done
		sum, m := &all[i].Sum, &compared[i]
		if done[i] && (items[i].result().Sign() == 0 || sum.X.Equal(&want[i].X)&sum.Y.Equal(&want[i].Y)&sum.Z.Equal(&one) == 0) {
			t.Fatalf("item %d of %d, %v, is wrong", i, n, &items[i])
		}
		if m.Done != done[i] && !isSmall(&m.X) {
			t.Fatalf("item %d of %d, %v: done %v, but compared %v", i, n, &items[i], done[i], m.Done)
		}
		if m.OK != (!m.Done || i%3 != 2) {
			t.Fatalf("item %d of %d, %v: equal %v", i, n, &items[i], m.OK)
		}
	}
	return done
}

// checkUndivided compares sums without a division with the quotients by 1. Some items are malformed, so that their
// points are no points. They must not disturb the others.
func checkUndivided(t *testing.T, items []Item) {
	t.Helper()
	for i, compute := range []func([]Item, bool) bool{DoubleScalarVartime, EqualXModNVartime} {
		sums, quotients := slices.Clone(items), slices.Clone(items)
		for j := range items {
			quotients[j].D = one_
			if j%5 == 4 {
				sums[j].OK, sums[j].A = false, group.Affine{}
				quotients[j].OK = false
			}
		}
		if compute(sums, false) != compute(quotients, true) {
			t.Fatalf("function %d: another verdict on all items without a division", i)
		}
		for j := range items {
			a, b := &sums[j], &quotients[j]
			same := a.Sum.X.Equal(&b.Sum.X)&a.Sum.Y.Equal(&b.Sum.Y)&a.Sum.Z.Equal(&b.Sum.Z) != 0
			if j%5 != 4 && (a.Done != b.Done || a.OK != b.OK || (a.Done && !same)) {
				t.Fatalf("function %d, item %d of %d: done %t, equal %t, the same sum %t", i, j, len(items), a.Done, a.OK, same)
			}
		}
	}
}

var one_ = scalar.FromLimbs(1, 0, 0, 0)

// xModN returns the x coordinate modulo n.
func xModN(a *group.Affine) (x scalar.Scalar) {
	var b [32]byte
	a.X.FillBytes(&b)
	x.SetBytes(&b)
	return x
}

// TestDoubleScalar computes batches of random items, of many sizes. Every item of the small batches, in which d is
// practically never 0, must have a result.
func TestDoubleScalar(t *testing.T) {
	r := oracle.New(t)
	for n := range 18 {
		items := make([]item, n)
		for i := range items {
			items[i] = ordinary(r)
		}
		if done := call(t, items); slices.Contains(done, false) {
			t.Fatalf("%d items: done is %v", n, done)
		}
	}
	for _, n := range []int{parts.Sums - 1, parts.Sums, parts.Sums + 9} {
		items := make([]item, n)
		for i := range items {
			items[i] = item{r.ValidScalar(), r.Scalar(), r.Scalar(), r.Scalar()}
		}
		call(t, items)
	}
}

// TestNoDivisor divides by 0 in the first lane of a block that is not full, whose other lanes repeat the first one. The
// other items must have results.
func TestNoDivisor(t *testing.T) {
	r := oracle.New(t)
	for n := 1; n < 2*N; n++ {
		items := make([]item, n)
		for i := range items {
			items[i] = ordinary(r)
		}
		first := (n - 1) / N * N
		items[first].d = new(big.Int)
		done := call(t, items)
		if done[first] {
			t.Errorf("%d items: item %d has a result without a divisor", n, first)
		}
		done[first] = true
		if slices.Contains(done, false) {
			t.Errorf("%d items: done is %v", n, done)
		}
	}
}

// exceptions returns items whose sums stay infinity for a while, add equal or opposite points, or are infinity. The
// first items, as many as without says, never have a result.
func exceptions() (items []item, plain int) {
	one, zero := big.NewInt(1), new(big.Int)
	ordinary := new(big.Int).SetBytes([]byte("some scalar that is not special."))
	units := []*big.Int{one, oracle.Lambda, fn.Mul(oracle.Lambda, oracle.Lambda)}
	for _, u := range slices.Clone(units) {
		units = append(units, fn.Neg(u))
	}
	small := []*big.Int{one, big.NewInt(2), big.NewInt(3), big.NewInt(4), big.NewInt(8), big.NewInt(64), big.NewInt(255), big.NewInt(256)}
	// Sums that are infinity, and items with d = 0.
	items = append(items, item{ordinary, zero, zero, one}, item{ordinary, one, one, zero}, item{one, zero, zero, zero})
	for _, s := range append(units, ordinary, big.NewInt(2), new(big.Int).Lsh(one, 200)) {
		for _, k := range append(small, ordinary, fn.Neg(ordinary), oracle.Lambda, oracle.HalfN) {
			items = append(items, item{s, k, fn.Neg(fn.Mul(k, s)), ordinary})
		}
	}
	plain = len(items)
	for _, u := range units {
		for i := range uint(20) {
			s := fn.Mul(u, new(big.Int).Lsh(one, i*i%255)) // ±λʲ times a power of two
			items = append(items, item{s, ordinary, ordinary, one}, item{s, ordinary, fn.Neg(ordinary), one}, item{s, one, zero, ordinary}, item{s, zero, one, ordinary})
			for _, k := range small {
				items = append(items, item{s, k, fn.Mul(k, s), one}, item{s, k, k, one}, item{s, k, fn.Neg(k), one}, item{s, fn.Mul(k, u), zero, one})
			}
		}
	}
	for _, edges := range [][][32]byte{oracle.ScalarEdges(), oracle.LambdaSplitEdges()} {
		for i, b := range edges {
			k, g := oracle.Int(b[:]), oracle.Int(edges[len(edges)-1-i][:])
			items = append(items, item{ordinary, k, g, one}, item{ordinary, k, zero, one}, item{ordinary, zero, k, one}, item{one, k, k, one})
		}
	}
	return items, plain
}

// TestExceptions puts exceptional items among ordinary items and among exceptional items: into each lane or, if the
// lanes are in Go, into one lane each. The ordinary items must have results.
func TestExceptions(t *testing.T) {
	r := oracle.New(t)
	special, plain := exceptions()
	inGo := !platform.IFMA && !platform.FMA
	if testing.Short() || inGo {
		special = slices.Concat(special[:plain], special[plain+len(special)%7:plain+200], special[len(special)-50:])
	}
	neighbours := make([]item, 50)
	for i := range neighbours {
		neighbours[i] = ordinary(r)
	}
	failed := 0 // among the exceptional items that may have a result, the number of items without one
	for i := range special {
		for lane := range N {
			if inGo && lane != i%N { // all lanes would take too long
				continue
			}
			items := make([]item, N)
			for j := range items {
				items[j] = neighbours[r.IntN(len(neighbours))]
			}
			items[lane] = special[i]
			done := call(t, items)
			if done[lane] && i < plain {
				t.Errorf("%v has a result", &special[i])
			}
			if !done[lane] && i >= plain {
				failed++
			}
			done[lane] = true
			if slices.Contains(done, false) {
				t.Fatalf("with %v in lane %d, done is %v", &special[i], lane, done)
			}
		}
	}
	if failed < 20 {
		t.Errorf("only %d failed additions", failed)
	}
	for i := 0; i < len(special); i += 2 * N { // two blocks at a time
		call(t, special[i:min(i+2*N, len(special))])
	}
	for i := 0; i < len(special); i += 7 {
		call(t, slices.Repeat(special[i:i+1], N+1))
	}
}

// TestEqualXSmall checks that items with x < p − n are not done, because the x coordinate could be x + n.
func TestEqualXSmall(t *testing.T) {
	limits := oracle.WrapR()
	for _, b := range limits {
		m := ordinary(oracle.New(t))
		c := []Item{{K: scalarOf(m.k), G: scalarOf(m.g), D: one_, X: scalarOf(oracle.Int(b[:])), A: times(m.s), OK: true}}
		EqualXModNVartime(c, true)
		wraps := new(big.Int).Add(fn.Reduce(oracle.Int(b[:])), oracle.N).Cmp(oracle.P) < 0
		if (wraps && c[0].Done) || (c[0].Done && c[0].OK) {
			t.Errorf("%x: equal %v, done %v", b, c[0].OK, c[0].Done)
		}
	}
}

// TestLiftX lifts x coordinates, some of which belong to no point, in calls of up to seven blocks.
func TestLiftX(t *testing.T) {
	r := oracle.New(t)
	var present, absent int
	for n := range 6*N + 2 { // up to seven blocks
		x := make([]field.Element, n)
		dst, ok := make([]group.Affine, n), make([]bool, n)
		for i := range x {
			l := r.Limbs()
			if r.IntN(3) == 0 {
				l = oracle.Limbs(r.Point().X)
			}
			x[i] = field.FromLimbs(l[0], l[1], l[2], l[3])
		}
		for _, lift := range []func(dst []group.Affine, ok []bool, x []field.Element){LiftX, LiftXVartime} {
			clear(dst)
			clear(ok)
			lift(dst, ok, x)
			for i := range x {
				var want group.Affine
				if has := want.LiftX(&x[i]) != 0; ok[i] != has {
					t.Fatalf("%x is an x coordinate: %v", x[i].Limbs(), ok[i])
				} else if !has {
					absent++
					continue
				}
				present++
				if dst[i].X.Equal(&want.X)&dst[i].Y.Equal(&want.Y) == 0 {
					t.Fatalf("%x: %x", x[i].Limbs(), dst[i].Y.Limbs())
				}
			}
		}
	}
	if present < 100 || absent < 100 {
		t.Errorf("%d points, %d not", present, absent)
	}
}

// TestWorkspace checks that some vectors of a workspace are aligned to 64 bytes.
func TestWorkspace(t *testing.T) {
	w := workspaceVartime()
	for name, element := range map[string]*Element{"divisor": &w.divisor[0], "table": &w.products[1].table[0].X, "sum": &w.sum[0].X, "lift": &w.lift.x[0], "temporary": &w.temporary[0]} {
		if uintptr(unsafe.Pointer(element))%64 != 0 {
			t.Errorf("%s begins at %p", name, element)
		}
	}
}

// TestSquaresTogether compares the squarings of two and of three elements with squarings of each element by itself,
// both in place and with another result.
func TestSquaresTogether(t *testing.T) {
	r := oracle.New(t)
	e := elements()
	for n := 1; n < 40; n++ {
		for _, l := range kinds {
			for count, square := range map[int]func(r, a []Element){
				2: func(r, a []Element) { l.squarePairN((*[2]Element)(r), (*[2]Element)(a), n) },
				3: func(r, a []Element) { l.squareTripleN((*[3]Element)(r), (*[3]Element)(a), n) },
			} {
				a, b := e[:count], e[count:2*count]
				want := make([]Element, count)
				for i := range a {
					l.random(&a[i], r)
					l.squareN(&want[i], &a[i], n)
				}
				square(b, a)
				square(a, a)
				for i := range want {
					for lane := range N {
						x, y, z := l.value(&a[i], lane), l.value(&b[i], lane), l.value(&want[i], lane)
						if x.Cmp(z) != 0 || y.Cmp(z) != 0 {
							t.Fatalf("n = %d, element %d of %d, lane %d: %x and %x, want %x", n, i, count, lane, x, y, z)
						}
					}
				}
			}
		}
	}
}
