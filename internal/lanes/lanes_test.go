package lanes

import (
	"math/big"
	"testing"
	"unsafe"

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
	r, e := oracle.New(t), elements()
	a, b, c := &e[0], &e[1], &e[2]
	for range oracle.Cases(300) {
		a.random(r)
		b.random(r)
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
			{"mul", func() { mul(c, a, b) }, func(x, y *big.Int, _ bool) *big.Int { return oracle.Fp.Mul(x, y) }},
			{"squareN", func() { squareN(c, a, n) }, func(x, _ *big.Int, _ bool) *big.Int {
				return oracle.Fp.Exp(x, big.NewInt(1<<n))
			}},
			{"add", func() { add(c, a, b) }, func(x, y *big.Int, _ bool) *big.Int { return oracle.Fp.Add(x, y) }},
			{"sub", func() { sub(c, a, b) }, func(x, y *big.Int, _ bool) *big.Int { return oracle.Fp.Sub(x, y) }},
			{"negate", func() { negate(c, a, k) }, func(x, _ *big.Int, lane bool) *big.Int {
				if lane {
					return oracle.Fp.Neg(x)
				}
				return x
			}},
			{"blend", func() { blend(c, a, b, k) }, func(x, y *big.Int, lane bool) *big.Int {
				if lane {
					return x
				}
				return y
			}},
			{"normalize", func() { normalize(c, a) }, func(x, _ *big.Int, _ bool) *big.Int { return x }},
		} {
			f.run()
			c.bounded(t, f.name)
			for i := range N {
				x, y := a.value(i), b.value(i)
				if want := f.want(x, y, has(k, i)); c.value(i).Cmp(want) != 0 {
					t.Fatalf("%s of %x and %x: %x, want %x", f.name, x, y, c.value(i), want)
				}
			}
		}
		for i := range N {
			for j, limb := range c {
				if limb[i]>>limbBits != 0 {
					t.Fatalf("normal limb %d of lane %d is %x", j, i, limb[i])
				}
			}
		}
		unpack(c, &w)
		c.bounded(t, "unpack")
		pack(&v, c)
		zero := isZero(c)
		for i := range N {
			x, y := oracle.FromLimbs([4]uint64{w[0][i], w[1][i], w[2][i], w[3][i]}), oracle.FromLimbs([4]uint64{v[0][i], v[1][i], v[2][i], v[3][i]})
			if x = oracle.Fp.Reduce(x); c.value(i).Cmp(x) != 0 || y.Cmp(x) != 0 {
				t.Fatalf("%x is %x unpacked, %x packed", x, c.value(i), y)
			}
			if has(zero, i) != (x.Sign() == 0) {
				t.Fatalf("%x is zero: %t", x, has(zero, i))
			}
		}
	}
	t.Logf("result: %d cases of each operation on lanes with math/big", N*oracle.Cases(300))
}

// TestZero checks isZero for every set of lanes, with 0 in even lanes and p in odd lanes.
func TestZero(t *testing.T) {
	var e Element
	p := oracle.Limbs(oracle.P)
	for k := range 256 {
		for i := range N {
			w := [4]uint64{1 << (k % 64)}
			if has(uint8(k), i) {
				w = p
				if i%2 == 0 {
					w = [4]uint64{}
				}
			}
			e.setLane(i, &w)
		}
		if got := isZero(&e); got != uint8(k) {
			t.Errorf("lanes %08b are zero, want %08b", got, k)
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

func (p *Jacobian2Y) point(i int) oracle.Point {
	z := p.Z.value(i)
	zz := oracle.Fp.Mul(z, z)
	zzz := oracle.Fp.Mul(zz, z)
	return point(p.X.value(i), p.Y.value(i), zz, oracle.Fp.Add(zzz, zzz))
}

func (p *XYZZ) point(i int) oracle.Point {
	return point(p.X.value(i), p.Y.value(i), p.ZZ.value(i), p.ZZZ.value(i))
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
				w.j.X.put(i, x)
				w.j.Y.put(i, y)
				w.j.Z.put(i, new(big.Int))
			} else {
				w.j.X.put(i, oracle.Fp.Mul(p[i].X, zz))
				w.j.Y.put(i, oracle.Fp.Mul(p[i].Y, oracle.Fp.Add(zzz, zzz)))
				w.j.Z.put(i, z)
			}
			if x := &w.s; !p[i].IsInfinity() {
				x.X.put(i, oracle.Fp.Mul(p[i].X, zz))
				x.Y.put(i, oracle.Fp.Mul(p[i].Y, zzz))
				x.ZZ.put(i, zz)
				x.ZZZ.put(i, zzz)
			} else {
				for _, e := range []*Element{&x.X, &x.Y, &x.ZZ, &x.ZZZ} {
					e.put(i, new(big.Int))
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
		doubleNegateN(&w.j, n)
		for i := range N {
			want := p[i]
			for range n {
				want = want.Double().Neg()
			}
			same("doubleNegateN", i, w.j.point(i), want)
		}

		w.j = jacobian
		for i := range N {
			w.a.X.put(i, q[i].X)
			w.a.Y.put(i, oracle.Fp.Neg(oracle.Fp.Add(q[i].Y, q[i].Y)))
		}
		addMixed(&w.j, &w.a.X, &w.a.Y, k)
		for i := range N {
			want := p[i]
			if has(k, i) {
				want = sum(i, q[i])
			}
			same("addMixed", i, w.j.point(i), want)
		}

		for i := range N {
			w.a.Y.put(i, q[i].Y)
		}
		addMixedXYZZ(&w.s, &w.a.X, &w.a.Y, minus, k)
		for i := range N {
			want := p[i]
			if has(k, i) && has(minus, i) {
				want = sum(i, q[i].Neg())
			} else if has(k, i) {
				want = sum(i, q[i])
			}
			same("addMixedXYZZ", i, w.s.point(i), want)
		}

		w.s = start
		for i := range N {
			z := r.Field()
			if z.Sign() == 0 {
				z.SetInt64(2)
			}
			zz := oracle.Fp.Mul(z, z)
			zzz := oracle.Fp.Mul(zz, z)
			w.q.X.put(i, oracle.Fp.Mul(q[i].X, zz))
			w.q.Y.put(i, oracle.Fp.Mul(q[i].Y, zzz))
			w.q.ZZ.put(i, zz)
			w.q.ZZZ.put(i, zzz)
		}
		addXYZZ(&w.s, &w.q)
		for i := range N {
			same("addXYZZ", i, w.s.point(i), sum(i, q[i]))
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
			w.a.X.put(i, oracle.Fp.Mul(p[i].X, zz))
			w.a.Y.put(i, oracle.Fp.Mul(p[i].Y, zzz))
			w.b.X.put(i, oracle.Fp.Mul(q[i].X, zz))
			w.b.Y.put(i, oracle.Fp.Mul(q[i].Y, zzz))
		}
		addCoZ(&w.d, &w.a, &w.b, &w.c)
		for i := range N {
			z := oracle.Fp.Mul(denominators[i], w.c.value(i))
			zz := oracle.Fp.Mul(z, z)
			zzz := oracle.Fp.Mul(zz, z)
			same("addCoZ", i, point(w.d.X.value(i), w.d.Y.value(i), zz, zzz), p[i].Add(q[i]))
			same("addCoZ, u", i, point(w.a.X.value(i), w.a.Y.value(i), zz, zzz), p[i])
		}
	}
	t.Logf("result: %d cases of each formula on lanes with math/big", N*oracle.Cases(60))
}
