package oracle

import (
	"math/big"
	"strings"
	"testing"
)

func has(list [][32]byte, v *big.Int) bool {
	for _, b := range list {
		if Int(b[:]).Cmp(v) == 0 {
			return true
		}
	}
	return false
}

func TestEdges(t *testing.T) {
	sub := func(a *big.Int, b int64) *big.Int { return new(big.Int).Sub(a, big.NewInt(b)) }
	for _, v := range []*big.Int{
		new(big.Int), one, sub(P, 1), P, sub(P, -1), sub(two256, 1), sub(P, 65536), sub(P, 65537),
		fromHex("fffffffffffffffffffffffffffffffffffffffffffffffffffffffdffffffff"), fromHex("1000003d0"), fromHex("1000003d1"),
		fromHex("14551231950b75fc4402da1722fc9baee"),
	} {
		if !has(FieldEdges(), v) {
			t.Errorf("FieldEdges lacks %x", v)
		}
	}
	want := []*big.Int{
		new(big.Int), one, sub(N, 1), N, sub(N, -1), sub(two256, 1), fromHex("14551231950b75fc4402da1732fc9bebf"),
		fromHex("7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0"),
		fromHex("7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a1"),
	}
	for i := range uint(256) {
		want = append(want, pow2(i), sub(pow2(i), 1))
	}
	for _, v := range want {
		if !has(ScalarEdges(), v) {
			t.Errorf("ScalarEdges lacks %x", v)
		}
	}
	if n := len(FoldEdges()); n != 4464 {
		t.Errorf("%d FoldEdges", n)
	}
	if n := len(RangeEdges()); n != 6 {
		t.Errorf("%d RangeEdges", n)
	}
	seen := make(map[[4]uint64]bool)
	for _, l := range LimbEdges() {
		seen[l] = true
	}
	if len(seen) != 256 {
		t.Errorf("%d different LimbEdges", len(seen))
	}
	for _, b := range LambdaSplitEdges() {
		if Int(b[:]).Cmp(N) >= 0 {
			t.Errorf("LambdaSplitEdges has %x", b)
		}
	}
}

func TestEdgePoints(t *testing.T) {
	points := make(map[string]bool)
	for i, p := range EdgePoints() {
		if p.IsInfinity() || !p.OnCurve() {
			t.Errorf("point %d, %x, is infinite or off the curve", i, p)
		}
		points[string(p.Compressed())] = true
	}
	if !points[string(G.Mul(Lambda).Compressed())] || !points[string(G.Mul(pow2(255)).Neg().Compressed())] {
		t.Error("a multiple of G is missing")
	}
	for _, x := range BadX() {
		if _, ok := LiftX(Int(x[:])); ok {
			t.Errorf("x = %x is the x coordinate of a point", x)
		}
	}
	// Check the claims in the comment of WrapR: its values include the first and the last r for which r + n is an x
	// coordinate, and its first four values are x coordinates themselves.
	wraps := func(r *big.Int) bool {
		_, ok := LiftX(new(big.Int).Add(r, N))
		return ok
	}
	list := WrapR()
	for i, b := range list {
		r := Int(b[:])
		if _, ok := LiftX(r); !wraps(r) || (!ok && i < 4) {
			t.Errorf("WrapR has %x", r)
		}
	}
	last := Int(list[len(list)-1][:])
	if wraps(one) || wraps(new(big.Int).Add(last, one)) || wraps(new(big.Int).Add(last, big.NewInt(2))) {
		t.Error("WrapR does not have the first or the last")
	}
}

func TestBadEncodings(t *testing.T) {
	seen := make(map[string]bool)
	for _, b := range BadEncodings() {
		if p, ok := DecodePoint(b); ok {
			t.Errorf("%x is the point %x", b, p)
		}
		seen[string(b)] = true
	}
	for _, s := range []string{ // x = 1 plus P, y = 1 plus P, hybrid
		"\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xfc\x30",
		"\x06",
	} {
		found := false
		for b := range seen {
			found = found || strings.HasPrefix(b, s)
		}
		if !found {
			t.Errorf("nothing begins with %x", s)
		}
	}
	last := false
	for b := range seen {
		last = last || (len(b) == 65 && strings.HasSuffix(b, "\xfc\x30") && b[33] == 0xff)
	}
	if !last {
		t.Error("no y of P + 1")
	}
}

func TestRand(t *testing.T) {
	a, b := New(t), New(t)
	high, exact := 0, make(map[[4]uint64]int)
	for range 20000 {
		l := a.Limbs()
		if l != b.Limbs() {
			t.Fatal("not reproducible")
		}
		exact[l]++
		if FromLimbs(l).Cmp(P) >= 0 {
			high++
		}
	}
	if high < 200 {
		t.Errorf("only %d of 20000 values are P or more", high)
	}
	for _, v := range []*big.Int{new(big.Int), one, P, new(big.Int).Sub(P, one), N, new(big.Int).Sub(two256, one), below33} {
		if exact[Limbs(v)] == 0 {
			t.Errorf("%x never drawn", v)
		}
	}
	first := New(t).Uint64()
	t.Setenv(SeedEnv, "another")
	if New(t).Uint64() == first {
		t.Error("the seed has no effect")
	}

	zero, low := 0, 0
	for range 5000 {
		if k := a.ValidScalar(); k.Sign() <= 0 || k.Cmp(N) >= 0 {
			t.Fatalf("ValidScalar %x", k)
		} else if k.TrailingZeroBits() >= 128 {
			low++
		}
		if f := a.Field(); f.Sign() < 0 || f.Cmp(P) >= 0 {
			t.Fatalf("Field %x", f)
		}
		b := a.ScalarBytes()
		if Fn.Reduce(Int(b[:])).Sign() == 0 {
			zero++
		}
		if n := len(a.Message(100)); n > 100 {
			t.Fatalf("message of %d bytes", n)
		}
		x, y := a.SmallProduct(Fn)
		if p := Fn.Mul(x, y); p.BitLen() > 134 && Fn.Neg(p).BitLen() > 134 {
			t.Fatalf("SmallProduct %x · %x = %x", x, y, p)
		}
	}
	if zero == 0 || low < 50 {
		t.Errorf("%d scalars ≡ 0, %d with 128 low zeros", zero, low)
	}

	kinds := make(map[string]bool)
	for range 300 {
		p, q := a.PointPair()
		if !p.OnCurve() || !q.OnCurve() {
			t.Fatalf("PointPair %x, %x", p, q)
		}
		switch {
		case p.IsInfinity() && q.IsInfinity():
			kinds["O+O"] = true
		case p.IsInfinity():
			kinds["O+Q"] = true
		case q.IsInfinity():
			kinds["P+O"] = true
		case p.Equal(q):
			kinds["P+P"] = true
		case p.Equal(q.Neg()):
			kinds["P−P"] = true
		case p.Y.Cmp(q.Y) == 0:
			kinds["same y"] = true
		case p.Y.Cmp(Fp.Neg(q.Y)) == 0:
			kinds["opposite y"] = true
		}
	}
	if len(kinds) != 7 {
		t.Errorf("PointPair gave only %v", kinds)
	}
}

// TestFolds shows that the generators produce a carry that random values practically never produce: a second fold that
// overflows 2²⁵⁶.
func TestFolds(t *testing.T) {
	overflows := func(a, b, fold *big.Int) bool {
		mask := new(big.Int).Sub(two256, one)
		v := new(big.Int).Mul(a, b)
		for range 2 {
			high := new(big.Int).Rsh(v, 256)
			if v.And(v, mask).Add(v, high.Mul(high, fold)).BitLen() <= 256 {
				return false
			}
		}
		return true
	}
	for i, b := range FoldEdges() {
		if v := Int(b[:]); overflows(v, v, foldP) != (i > 0) {
			t.Fatalf("the square of %x, number %d", v, i)
		}
	}
	r := New(t)
	inP, inN := 0, 0
	for range 10000 {
		if a, b := r.SmallProduct(Fp); overflows(a, b, foldP) {
			inP++
		}
		if a, b := r.SmallProduct(Fn); overflows(a, b, foldN) {
			inN++
		}
	}
	t.Logf("of 10000: %d mod P, %d mod N", inP, inN)
	if inP < 100 || inN < 100 {
		t.Errorf("of 10000 small products only %d mod P and %d mod N overflow the second fold", inP, inN)
	}
}
