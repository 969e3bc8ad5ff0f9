package lanes

import (
	"math/big"
	"testing"
	"unsafe"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// limbs returns random limbs of an element, often at their bounds, and sometimes with bits that the routines ignore.
func limbs(r *oracle.Rand) (l [5]uint64) {
	for k := range l {
		switch r.IntN(8) {
		case 0:
			l[k] = 0
		case 1:
			l[k] = limbMask
		case 2:
			l[k] = 1<<64 - 1
		case 3:
			l[k] = limbMask << r.IntN(64)
		case 4:
			l[k] = r.Uint64N(1 << r.IntN(20))
		case 5:
			l[k] = ^r.Uint64N(1 << r.IntN(20))
		default:
			l[k] = r.Uint64()
		}
	}
	l[4] &= 1<<49 - 1
	return l
}

// random sets each lane to the result of limbs, or to a random integer, often an edge case.
func (e *Element) random(r *oracle.Rand) {
	for i := range N {
		if r.Uint64()&1 != 0 {
			w := r.Limbs()
			e.setLane(i, &w)
			continue
		}
		for k, limb := range limbs(r) {
			e[k][i] = limb
		}
	}
}

// value returns the integer in lane i, modulo p.
func (e *Element) value(i int) *big.Int {
	v := new(big.Int)
	for k := 4; k >= 0; k-- {
		limb := e[k][i]
		if k < 4 {
			limb &= limbMask
		}
		v.Lsh(v, limbBits).Add(v, new(big.Int).SetUint64(limb))
	}
	return oracle.Fp.Reduce(v)
}

// bounded fails the test if limb 4 of a lane is 2⁴⁹ or more.
func (e *Element) bounded(t *testing.T, name string) {
	t.Helper()
	for i := range N {
		if e[4][i]>>49 != 0 {
			t.Fatalf("%s: limb 4 of lane %d is %x", name, i, e[4][i])
		}
	}
}

// elements returns 16 elements aligned to 64 bytes.
func elements() *[16]Element {
	onHeap = new(space)
	return &onHeap.e
}

type space struct {
	e [16]Element
	_ [32 << 10]byte
}

var onHeap *space

// TestAligned checks that large objects on the heap are aligned to 64 bytes.
func TestAligned(t *testing.T) {
	for range 100 {
		if p := uintptr(unsafe.Pointer(elements())); p%64 != 0 {
			t.Fatalf("elements at %#x", p)
		}
	}
}

func TestElement(t *testing.T) {
	for _, l := range kinds {
		t.Run(l.name, func(t *testing.T) { testElement(t, l) })
	}
}

func testElement(t *testing.T, l kind) {
	r, e := oracle.New(t), elements()
	a, b, c := &e[0], &e[1], &e[2]
	for range oracle.Cases(300) {
		l.random(a, r)
		l.random(b, r)
		k, n := uint8(r.Uint64()), 1+r.IntN(5)
		var w, v Words
		for i := range N {
			for j, word := range r.Limbs() {
				w[j][i] = word
			}
		}
		for _, f := range []struct {
			name string
			run  func()
			want func(x, y *big.Int, lane bool) *big.Int
		}{
			{"mul", func() { l.mul(c, a, b) }, func(x, y *big.Int, _ bool) *big.Int { return oracle.Fp.Mul(x, y) }},
			{"squareN", func() { l.squareN(c, a, n) }, func(x, _ *big.Int, _ bool) *big.Int {
				return oracle.Fp.Exp(x, big.NewInt(1<<n))
			}},
			{"add", func() { l.add(c, a, b) }, func(x, y *big.Int, _ bool) *big.Int { return oracle.Fp.Add(x, y) }},
			{"sub", func() { l.sub(c, a, b) }, func(x, y *big.Int, _ bool) *big.Int { return oracle.Fp.Sub(x, y) }},
			{"negate", func() { l.negate(c, a, k) }, func(x, _ *big.Int, lane bool) *big.Int {
				if lane {
					return oracle.Fp.Neg(x)
				}
				return x
			}},
			{"blend", func() { l.blend(c, a, b, k) }, func(x, y *big.Int, lane bool) *big.Int {
				if lane {
					return x
				}
				return y
			}},
		} {
			f.run()
			l.bounded(c, t, f.name)
			for i := range N {
				x, y := l.value(a, i), l.value(b, i)
				if want := f.want(x, y, has(k, i)); l.value(c, i).Cmp(want) != 0 {
					t.Fatalf("%s of %x and %x: %x, want %x", f.name, x, y, l.value(c, i), want)
				}
			}
		}
		var items [N]laneElement
		for i := range items {
			w.get(i, &items[i])
		}
		l.loadElements(c, items[:])
		l.bounded(c, t, "loadElements")
		l.pack(&v, c)
		zero := l.isZero(c)
		for i := range N {
			x, y := oracle.FromLimbs([4]uint64{w[0][i], w[1][i], w[2][i], w[3][i]}), oracle.FromLimbs([4]uint64{v[0][i], v[1][i], v[2][i], v[3][i]})
			if x = oracle.Fp.Reduce(x); l.value(c, i).Cmp(x) != 0 || y.Cmp(x) != 0 {
				t.Fatalf("%x is %x loaded, %x packed", x, l.value(c, i), y)
			}
			if has(zero, i) != (x.Sign() == 0) {
				t.Fatalf("%x is zero: %t", x, has(zero, i))
			}
		}
	}
	t.Logf("result: %d cases of each operation on lanes with math/big", N*oracle.Cases(300))
}

// TestWords checks unpack and normalize, which only code for all data calls.
func TestWords(t *testing.T) {
	r, e := oracle.New(t), elements()
	a, b := &e[0], &e[1]
	for range oracle.Cases(300) {
		var w Words
		for i := range N {
			for j, word := range r.Limbs() {
				w[j][i] = word
			}
		}
		unpack(a, &w)
		a.bounded(t, "unpack")
		for i := range N {
			if x := oracle.Fp.Reduce(oracle.FromLimbs([4]uint64{w[0][i], w[1][i], w[2][i], w[3][i]})); a.value(i).Cmp(x) != 0 {
				t.Fatalf("%x is %x unpacked", x, a.value(i))
			}
		}
		a.random(r)
		normalize(b, a)
		for i := range N {
			if a.value(i).Cmp(b.value(i)) != 0 {
				t.Fatalf("%x is %x normalized", a.value(i), b.value(i))
			}
			for j, limb := range b {
				if limb[i]>>limbBits != 0 {
					t.Fatalf("normal limb %d of lane %d is %x", j, i, limb[i])
				}
			}
		}
	}
}

// TestZero checks isZero for every set of lanes, with 0 in even lanes and p in odd lanes.
func TestZero(t *testing.T) {
	var e Element
	p := oracle.Limbs(oracle.P)
	for k := range 256 {
		var a [N]laneElement
		for i := range a {
			w := [4]uint64{1 << (k % 64)}
			if has(uint8(k), i) {
				w = p
				if i%2 == 0 {
					w = [4]uint64{}
				}
			}
			a[i] = field.FromLimbs(w[0], w[1], w[2], w[3])
		}
		for _, l := range kinds {
			l.loadElements(&e, a[:])
			if got := l.isZero(&e); got != uint8(k) {
				t.Errorf("%s: lanes %08b are zero, want %08b", l.name, got, k)
			}
		}
	}
}

// put sets lane i of e to an integer.
func (e *Element) put(i int, v *big.Int) {
	w := oracle.Limbs(oracle.Fp.Reduce(v))
	e.setLane(i, &w)
}

// point returns the point in lane i, given its coordinates and denominators.
func point(x, y, zz, zzz *big.Int) oracle.Point {
	if zz.Sign() == 0 {
		return oracle.Point{}
	}
	return oracle.Point{X: oracle.Fp.Mul(x, oracle.Fp.Inv(zz)), Y: oracle.Fp.Mul(y, oracle.Fp.Inv(zzz))}
}

// jacobian returns the point in lane i of p.
func (l kind) jacobian(p *Jacobian2Y, i int) oracle.Point {
	z := l.value(&p.Z, i)
	zz := oracle.Fp.Mul(z, z)
	zzz := oracle.Fp.Mul(zz, z)
	return point(l.value(&p.X, i), l.value(&p.Y, i), zz, oracle.Fp.Add(zzz, zzz))
}

// xyzz returns the point in lane i of p.
func (l kind) xyzz(p *XYZZ, i int) oracle.Point {
	return point(l.value(&p.X, i), l.value(&p.Y, i), l.value(&p.ZZ, i), l.value(&p.ZZZ, i))
}

// points holds the vectors that the tests of point formulas use.
type points struct {
	j    Jacobian2Y
	pair [2]Jacobian2Y

	x, y            [2]Affine
	before, inverse [2]Element

	s, q XYZZ
	a, b Affine
	d    Affine
	c    Element
	_    [32 << 10]byte
}

// TestPoints compares formulas with the group law. Sums of equal points, of opposite points and with infinity must have
// Z ≡ 0.
func TestPoints(t *testing.T) {
	for _, l := range kinds {
		t.Run(l.name, func(t *testing.T) { testPoints(t, l) })
	}
}

func testPoints(t *testing.T, l kind) {
	r, w := oracle.New(t), new(points)
	for range oracle.Cases(60) {
		var p, q [N]oracle.Point
		var denominators [N]*big.Int
		for i := range N {
			if p[i], q[i] = r.PointPair(); q[i].IsInfinity() {
				q[i] = r.Point()
			}
			z := r.Field()
			if z.Sign() == 0 {
				z.SetInt64(1)
			}
			denominators[i] = z
			zz := oracle.Fp.Mul(z, z)
			zzz := oracle.Fp.Mul(zz, z)
			if p[i].IsInfinity() {
				x, y := r.Field(), r.Field()
				l.put(&w.j.X, i, x)
				l.put(&w.j.Y, i, y)
				l.put(&w.j.Z, i, new(big.Int))
			} else {
				l.put(&w.j.X, i, oracle.Fp.Mul(p[i].X, zz))
				l.put(&w.j.Y, i, oracle.Fp.Mul(p[i].Y, oracle.Fp.Add(zzz, zzz)))
				l.put(&w.j.Z, i, z)
			}
			if x := &w.s; !p[i].IsInfinity() {
				l.put(&x.X, i, oracle.Fp.Mul(p[i].X, zz))
				l.put(&x.Y, i, oracle.Fp.Mul(p[i].Y, zzz))
				l.put(&x.ZZ, i, zz)
				l.put(&x.ZZZ, i, zzz)
			} else {
				for _, e := range []*Element{&x.X, &x.Y, &x.ZZ, &x.ZZZ} {
					l.put(e, i, new(big.Int))
				}
			}
		}
		sum := func(i int, q oracle.Point) oracle.Point {
			if s := p[i].Add(q); !p[i].IsInfinity() && (p[i].X.Cmp(q.X) != 0) {
				return s
			}
			return oracle.Point{}
		}
		same := func(name string, i int, got, want oracle.Point) {
			t.Helper()
			if !got.Equal(want) {
				t.Fatalf("%s, lane %d: %v, want %v of %v and %v", name, i, got, want, p[i], q[i])
			}
		}
		k, minus, n := uint8(r.Uint64()), uint8(r.Uint64()), 1+r.IntN(4)
		jacobian, start := w.j, w.s
		l.doubleNegateN(&w.j, n)
		for i := range N {
			want := p[i]
			for range n {
				want = want.Double().Neg()
			}
			same("doubleNegateN", i, l.jacobian(&w.j, i), want)
		}

		w.j = jacobian
		for i := range N {
			l.put(&w.a.X, i, q[i].X)
			l.put(&w.a.Y, i, oracle.Fp.Neg(oracle.Fp.Add(q[i].Y, q[i].Y)))
		}
		l.addMixed(&w.j, &w.a.X, &w.a.Y, k)
		for i := range N {
			want := p[i]
			if has(k, i) {
				want = sum(i, q[i])
			}
			same("addMixed", i, l.jacobian(&w.j, i), want)
		}

		for i := range N {
			l.put(&w.a.Y, i, q[i].Y)
		}
		l.addMixedXYZZ(&w.s, &w.a.X, &w.a.Y, minus, k)
		for i := range N {
			want := p[i]
			if has(k, i) && has(minus, i) {
				want = sum(i, q[i].Neg())
			} else if has(k, i) {
				want = sum(i, q[i])
			}
			same("addMixedXYZZ", i, l.xyzz(&w.s, i), want)
		}

		w.s = start
		for i := range N {
			z := r.Field()
			if z.Sign() == 0 {
				z.SetInt64(2)
			}
			zz := oracle.Fp.Mul(z, z)
			zzz := oracle.Fp.Mul(zz, z)
			l.put(&w.q.X, i, oracle.Fp.Mul(q[i].X, zz))
			l.put(&w.q.Y, i, oracle.Fp.Mul(q[i].Y, zzz))
			l.put(&w.q.ZZ, i, zz)
			l.put(&w.q.ZZZ, i, zzz)
		}
		l.addXYZZ(&w.s, &w.q)
		for i := range N {
			same("addXYZZ", i, l.xyzz(&w.s, i), sum(i, q[i]))
		}

		for i := range N {
			if sum(i, q[i]).IsInfinity() {
				p[i], q[i] = r.Point(), r.Point()
				for p[i].X.Cmp(q[i].X) == 0 {
					q[i] = r.Point()
				}
			}
			z := denominators[i]
			zz := oracle.Fp.Mul(z, z)
			zzz := oracle.Fp.Mul(zz, z)
			l.put(&w.a.X, i, oracle.Fp.Mul(p[i].X, zz))
			l.put(&w.a.Y, i, oracle.Fp.Mul(p[i].Y, zzz))
			l.put(&w.b.X, i, oracle.Fp.Mul(q[i].X, zz))
			l.put(&w.b.Y, i, oracle.Fp.Mul(q[i].Y, zzz))
		}
		l.addCoZ(&w.d, &w.a, &w.b, &w.c)
		for i := range N {
			z := oracle.Fp.Mul(denominators[i], l.value(&w.c, i))
			zz := oracle.Fp.Mul(z, z)
			zzz := oracle.Fp.Mul(zz, z)
			same("addCoZ", i, point(l.value(&w.d.X, i), l.value(&w.d.Y, i), zz, zzz), p[i].Add(q[i]))
			same("addCoZ, u", i, point(l.value(&w.a.X, i), l.value(&w.a.Y, i), zz, zzz), p[i])
		}
	}
	t.Logf("result: %d cases of each formula on lanes with math/big", N*oracle.Cases(60))
}
