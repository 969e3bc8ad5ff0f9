package oracle

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/vectors"
)

func TestConstants(t *testing.T) {
	if !P.ProbablyPrime(20) || !N.ProbablyPrime(20) {
		t.Error("P or N is not prime")
	}
	if want := new(big.Int).Sub(pow2(256), big.NewInt(1<<32+977)); P.Cmp(want) != 0 {
		t.Error("P ≠ 2²⁵⁶ − 2³² − 977")
	}
	if !G.OnCurve() || !G.Mul(N).IsInfinity() {
		t.Error("G is off the curve or not of order N")
	}
	for _, c := range []struct {
		name string
		r    Ring
		root *big.Int
	}{{"Beta", Fp, Beta}, {"Lambda", Fn, Lambda}} {
		if c.root.Cmp(one) == 0 || c.r.Exp(c.root, big.NewInt(3)).Cmp(one) != 0 {
			t.Errorf("%s is not a primitive cube root of 1", c.name)
		}
	}
	if !G.Mul(Lambda).Equal(G.Endo()) {
		t.Error("Lambda and Beta do not belong together")
	}
	for _, v := range [][2]*big.Int{{A1, B1}, {A2, B2}} {
		if Fn.Add(v[0], Fn.Mul(v[1], Lambda)).Sign() != 0 {
			t.Errorf("(%x, %x) is not in the lattice", v[0], v[1])
		}
	}
}

func TestRing(t *testing.T) {
	r := New(t)
	for range 500 {
		for _, m := range []Ring{Fp, Fn} {
			a, b := FromLimbs(r.Limbs()), FromLimbs(r.Limbs())
			if m.Sub(m.Add(a, b), b).Cmp(m.Reduce(a)) != 0 || m.Add(a, m.Neg(a)).Sign() != 0 {
				t.Fatalf("Add, Sub or Neg of %x, %x mod %x", a, b, m.M)
			}
			if x := m.Mul(a, m.Inv(a)); m.Reduce(a).Sign() != 0 && x.Cmp(one) != 0 {
				t.Fatalf("Inv of %x mod %x", a, m.M)
			}
		}
		a := r.Field()
		root, ok := Sqrt(a)
		if want := big.Jacobi(a, P) >= 0; ok != want {
			t.Fatalf("Sqrt(%x): %v, want %v", a, ok, want)
		}
		if _, square := Sqrt(root); ok && !square {
			t.Fatalf("Sqrt(%x) is not a square itself", a)
		}
		if l := r.Limbs(); Limbs(FromLimbs(l)) != l {
			t.Fatalf("limbs %x do not survive", l)
		}
	}
	if Fp.Inv(P).Sign() != 0 {
		t.Error("Inv(0) ≠ 0")
	}
	if l := Limbs(pow2(64)); l != [4]uint64{0, 1} {
		t.Errorf("limbs of 2⁶⁴: %x", l)
	}
}

func TestSplitLambda(t *testing.T) {
	max1, max2 := fromHex("a2a8918ca85bafe22016d0b917e4dd76"), fromHex("8a65287bd47179fb2be08846cea267eb")
	reached1, reached2 := 0, 0
	check := func(k *big.Int) {
		k1, k2 := SplitLambda(k)
		if Fn.Add(k1, Fn.Mul(k2, Lambda)).Cmp(Fn.Reduce(k)) != 0 {
			t.Fatalf("SplitLambda(%x) = %x, %x", k, k1, k2)
		}
		c1, c2 := k1.CmpAbs(max1), k2.CmpAbs(max2)
		if c1 > 0 || c2 > 0 {
			t.Fatalf("SplitLambda(%x) = %x, %x exceeds the extremes", k, k1, k2)
		}
		if c1 == 0 {
			reached1 |= 2 + k1.Sign()
		}
		if c2 == 0 {
			reached2 |= 2 + k2.Sign()
		}
	}
	for _, k := range LambdaSplitEdges() {
		check(Int(k[:]))
	}
	if reached1 != 3 || reached2 != 3 {
		t.Error("the edges miss an extreme, positive or negative, of k1 or k2")
	}
	r := New(t)
	for range 2000 {
		check(r.Scalar())
	}
	for _, c := range []struct {
		k      *big.Int
		k1, k2 int64
	}{{Lambda, 0, 1}, {Fn.Neg(Lambda), 0, -1}, {Fn.Mul(Lambda, Lambda), -1, -1}, {big.NewInt(5), 5, 0}} {
		if k1, k2 := SplitLambda(c.k); k1.Cmp(big.NewInt(c.k1)) != 0 || k2.Cmp(big.NewInt(c.k2)) != 0 {
			t.Errorf("SplitLambda(%x) = %v, %v, want %v, %v", c.k, k1, k2, c.k1, c.k2)
		}
	}
	// The rounding in the split gives different integers for the edge and for the scalar below it.
	for _, s := range []string{"2a342063ee95071831addb3fec8e81f33", "8f8da4d57dc094c4ecdd5448564d85f6"} {
		_, above := SplitLambda(fromHex(s))
		_, below := SplitLambda(new(big.Int).Sub(fromHex(s), one))
		if above.Cmp(below) == 0 {
			t.Errorf("no step at %s", s)
		}
	}
}

// affineMul computes a product with Add and Double. The faster Mul must give the same product.
func affineMul(k *big.Int, p Point) (sum Point) {
	for i := k.BitLen() - 1; i >= 0; i-- {
		sum = sum.Double()
		if k.Bit(i) == 1 {
			sum = sum.Add(p)
		}
	}
	return sum
}

func TestGroup(t *testing.T) {
	r := New(t)
	for range 100 {
		p, q := r.PointPair()
		o := r.Point()
		sum := p.Add(q)
		if !sum.OnCurve() || !sum.Equal(q.Add(p)) || !sum.Add(o).Equal(p.Add(q.Add(o))) || !sum.Add(q.Neg()).Equal(p) {
			t.Fatalf("Add of %x, %x, %x", p, q, o)
		}
		if !p.Add(p).Equal(p.Double()) {
			t.Fatalf("Double of %x", p)
		}
	}
	for range 60 {
		p, k := r.Point(), r.Scalar()
		got := p.Mul(k)
		if !got.Equal(affineMul(k, p)) || !p.Mul(new(big.Int).Neg(k)).Equal(got.Neg()) || !p.Mul(new(big.Int).Add(k, N)).Equal(got) {
			t.Fatalf("%x · %x", k, p)
		}
	}
	for k := range int64(40) {
		for _, m := range []*big.Int{big.NewInt(k), new(big.Int).Sub(N, big.NewInt(k))} {
			if !G.Mul(m).Equal(affineMul(m, G)) {
				t.Errorf("%x·G", m)
			}
		}
	}
}

func TestSmallGroups(t *testing.T) {
	var file struct {
		Groups []struct {
			Order  int64 `json:"subgroup_order"`
			GX, GY string
			Lambda int64
		} `json:"libsecp256k1_exhaustive_groups"`
	}
	vectors.JSON(t, "libsecp256k1/exhaustive_groups.json", &file)
	if len(file.Groups) == 0 {
		t.Fatal("no groups")
	}
	for _, c := range file.Groups {
		g, sum := Point{fromHex(c.GX), fromHex(c.GY)}, Point{}
		for k := range 2*c.Order + 1 {
			if sum.IsInfinity() != (k%c.Order == 0) || !g.Mul(big.NewInt(k)).Equal(sum) {
				t.Errorf("order %d: wrong multiple %d", c.Order, k)
			}
			sum = sum.Add(g)
		}
	}
}

func TestEncoding(t *testing.T) {
	r := New(t)
	for range 100 {
		p := r.Point()
		for _, b := range [][]byte{p.Compressed(), p.Uncompressed()} {
			if q, ok := DecodePoint(b); !ok || !q.Equal(p) {
				t.Fatalf("%x does not survive", b)
			}
			for prefix := range 256 {
				b[0] = byte(prefix)
				q, ok := DecodePoint(b)
				if want := (len(b) == 33 && (prefix == 2 || prefix == 3)) || (len(b) == 65 && prefix == 4); ok != want {
					t.Fatalf("%x: %v", b, ok)
				}
				if ok && len(b) == 33 && !q.Equal(p.withParity(uint(prefix-2))) {
					t.Fatalf("%x: wrong parity", b)
				}
			}
			b[0] = 4
			b[len(b)-1] ^= 1
			if _, ok := DecodePoint(b); ok {
				t.Fatalf("off-curve %x accepted", b)
			}
		}
	}
	for n := range 101 {
		for prefix := range 8 {
			if _, ok := DecodePoint(append([]byte{byte(prefix)}, make([]byte, n)...)); ok {
				t.Errorf("%02x‖0^%d accepted", prefix, n)
			}
		}
	}
	if _, ok := DecodePoint(nil); ok {
		t.Error("empty encoding accepted")
	}
	for _, x := range BadX() {
		if _, ok := DecodePoint(append([]byte{2}, x[:]...)); ok {
			t.Errorf("x = %x accepted", x)
		}
	}
}

func BenchmarkMul(b *testing.B) {
	k := New(b).ValidScalar()
	for b.Loop() {
		G.Mul(k)
	}
}
