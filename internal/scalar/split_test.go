package scalar

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

func (h *Signed128) integer() *big.Int {
	x := oracle.FromLimbs([4]uint64{h.Lo, h.Hi})
	if h.Neg != 0 {
		x.Neg(x)
	}
	return x
}

// split checks that the result of Split has the documented form, and compares it with the result of oracle.SplitLambda.
// The oracle divides by n, but Split multiplies by a rounded quotient, so they may round differently if the exact
// quotient is within 2⁻¹²⁸ of an integer plus ½.
func split(t *testing.T, k *big.Int) (k1, k2 *big.Int) {
	t.Helper()
	v := scalarOf(k)
	h1, h2 := v.Split()
	k1, k2 = h1.integer(), h2.integer()
	for _, h := range []Signed128{h1, h2} {
		if h.Neg != mask(h.Neg != 0) || (h.Neg != 0 && h.Lo|h.Hi == 0) {
			t.Fatalf("Split(%x) has a part %x, sign %x", k, h.integer(), h.Neg)
		}
		l0, l1, l2 := h.Limbs()
		x := oracle.FromLimbs([4]uint64{l0, l1, l2})
		if x.Bit(191) != 0 {
			x.Sub(x, new(big.Int).Lsh(one, 192))
		}
		if x.Cmp(h.integer()) != 0 {
			t.Fatalf("the limbs of %x are %x", h.integer(), x)
		}
	}
	if fn.Add(k1, fn.Mul(k2, oracle.Lambda)).Cmp(fn.Reduce(k)) != 0 {
		t.Fatalf("Split(%x) = %x, %x, whose sum is another", k, k1, k2)
	}
	if w1, w2 := oracle.SplitLambda(k); !nearHalf(k) && (w1.Cmp(k1) != 0 || w2.Cmp(k2) != 0) {
		t.Fatalf("Split(%x) = %x, %x, want %x, %x", k, k1, k2, w1, w2)
	}
	return k1, k2
}

// nearHalf reports whether k·b1/n or k·b2/n is within 2⁻¹²⁸ of an integer plus ½.
func nearHalf(k *big.Int) bool {
	for _, b := range []*big.Int{oracle.B1, oracle.B2} {
		d := fn.Mul(k, b)
		d.Lsh(d, 1).Sub(d, oracle.N) // 2n times the distance to the nearest half
		if d.BitLen() <= 129 {
			return true
		}
	}
	return false
}

func TestSplit(t *testing.T) {
	// most1 and most2 are the largest absolute values of k1 and k2, which edge cases reach. Both are below 2¹²⁸, as
	// Signed128 requires.
	most1, most2 := number(t, "a2a8918ca85bafe22016d0b917e4dd76"), number(t, "8a65287bd47179fb2be08846cea267eb")
	reached := make(map[string]bool)
	check := func(k *big.Int) {
		t.Helper()
		k1, k2 := split(t, k)
		for _, c := range []struct {
			name    string
			k, most *big.Int
		}{{"k1", k1, most1}, {"k2", k2, most2}} {
			switch c.k.CmpAbs(c.most) {
			case 0:
				reached[c.name+[]string{"−", "", "+"}[c.k.Sign()+1]] = true
			case 1:
				t.Fatalf("Split(%x): %s = %x", k, c.name, c.k)
			}
		}
	}
	for _, edges := range [][][32]byte{oracle.LambdaSplitEdges(), oracle.ScalarEdges()} {
		for _, b := range edges {
			check(oracle.Int(b[:]))
		}
	}
	for _, sign := range []string{"k1+", "k1−", "k2+", "k2−"} {
		if !reached[sign] {
			t.Errorf("the extreme %s was not reached", sign)
		}
	}
	r := oracle.New(t)
	// Around these scalars the rounded quotient ends in 64 zero bits, so that rounding up either has just carried into
	// the next limb or has just not carried.
	for _, g := range []Scalar{g1, g2} {
		for range oracle.Cases(1000) {
			x := new(big.Int).Lsh(new(big.Int).SetUint64(1+r.Uint64N(g.l3)), 65)
			x.Sub(x, one).Lsh(x, 383).Div(x, g.integer()) // (m·2⁶⁴ − ½)·2³⁸⁴/g
			for d := range int64(3) {
				check(fn.Add(x, big.NewInt(d)))
			}
		}
	}
	halves := 0
	for range oracle.Cases(50000) {
		k := r.Scalar()
		check(k)
		if nearHalf(k) {
			halves++
		}
	}
	if halves < oracle.Cases(1000) {
		t.Errorf("only %d scalars at which the rounding steps", halves)
	}
	t.Logf("result: %d cases of the split by λ with math/big", oracle.Cases(50000))
}

// TestSplitNamed splits scalars whose halves are known in advance.
func TestSplitNamed(t *testing.T) {
	lambda2 := fn.Mul(oracle.Lambda, oracle.Lambda)
	for _, c := range []struct {
		k      *big.Int
		k1, k2 int64
	}{
		{new(big.Int), 0, 0},
		{one, 1, 0},
		{fn.Neg(one), -1, 0},
		{oracle.Lambda, 0, 1},
		{fn.Neg(oracle.Lambda), 0, -1},
		{lambda2, -1, -1},
		{fn.Neg(lambda2), 1, 1},
	} {
		if k1, k2 := split(t, c.k); k1.Cmp(big.NewInt(c.k1)) != 0 || k2.Cmp(big.NewInt(c.k2)) != 0 {
			t.Errorf("Split(%x) = %x, %x, want %d, %d", c.k, k1, k2, c.k1, c.k2)
		}
	}
}

// TestConstants checks λ and the limbs of n, and derives the basis of the lattice and its quotients by n.
func TestConstants(t *testing.T) {
	lambda := Lambda.integer()
	if lambda.Cmp(one) == 0 || fn.Exp(lambda, big.NewInt(3)).Cmp(one) != 0 {
		t.Errorf("λ³ ≠ 1")
	}
	// Euclid's algorithm on n and λ, up to the first remainder below √n: r = s·n + t·λ gives the vectors (r, −t).
	r0, r1 := oracle.N, lambda
	t0, t1 := new(big.Int), one
	for new(big.Int).Mul(r1, r1).Cmp(oracle.N) >= 0 {
		q, r := new(big.Int).DivMod(r0, r1, new(big.Int))
		r0, r1 = r1, r
		t0, t1 = t1, new(big.Int).Sub(t0, q.Mul(q, t1))
	}
	q, r2 := new(big.Int).DivMod(r0, r1, new(big.Int))
	t2 := new(big.Int).Sub(t0, q.Mul(q, t1))
	shorter := func(r, t, s, u *big.Int) bool {
		norm := func(a, b *big.Int) *big.Int { return new(big.Int).Add(new(big.Int).Mul(a, a), new(big.Int).Mul(b, b)) }
		return norm(r, t).Cmp(norm(s, u)) < 0
	}
	a1, b1, a2, b2 := r1, new(big.Int).Neg(t1), r0, new(big.Int).Neg(t0)
	if shorter(r2, t2, r0, t0) {
		a2, b2 = r2, new(big.Int).Neg(t2)
	}
	limbs := func(x *big.Int) [4]uint64 { return oracle.Limbs(x) }
	quotient := func(x *big.Int) [4]uint64 { // x·2³⁸⁴/n, rounded
		q := new(big.Int).Lsh(x, 385)
		return limbs(q.Add(q, oracle.N).Div(q, new(big.Int).Lsh(oracle.N, 1)))
	}
	for _, c := range []struct {
		name      string
		got, want [4]uint64
	}{
		{"a1", [4]uint64{a1lo, a1hi}, limbs(a1)},
		{"b2", [4]uint64{a1lo, a1hi}, limbs(b2)},
		{"−b1", [4]uint64{m1lo, m1hi}, limbs(new(big.Int).Neg(b1))},
		{"a2", [4]uint64{a2lo, a2hi, 1}, limbs(a2)},
		{"g1", g1.Limbs(), quotient(b2)},
		{"g2", g2.Limbs(), quotient(new(big.Int).Neg(b1))},
		{"n", [4]uint64{n0, n1, n2, n3}, limbs(oracle.N)},
		{"2²⁵⁶ − n", [4]uint64{c0, c1, 1}, limbs(fold)},
	} {
		if c.got != c.want {
			t.Errorf("%s is %x, want %x", c.name, c.got, c.want)
		}
	}
}

func TestSigned128Limbs(t *testing.T) {
	const ones = 1<<64 - 1
	for h, want := range map[Signed128][3]uint64{
		{0, 0, 0}:          {0, 0, 0},
		{0, 0, ones}:       {0, 0, 0},
		{1, 0, ones}:       {ones, ones, ones},
		{0, 1, ones}:       {0, ones, ones},
		{ones, ones, 0}:    {ones, ones, 0},
		{ones, ones, ones}: {1, 0, ones},
	} {
		l0, l1, l2 := h.Limbs()
		if got := [3]uint64{l0, l1, l2}; got != want {
			t.Errorf("%x: %x, want %x", h, got, want)
		}
	}
}

// TestModel compares Split with k1 and k2 of tools/evidence/grouplaw/Digits.v, about which S6 is proved.
func TestModel(t *testing.T) {
	rows := oracle.Rows(t, "testdata/split.txt")
	for _, row := range rows {
		k1, k2 := split(t, row[0][0])
		if k1.Cmp(row[1][0]) != 0 || k2.Cmp(row[1][1]) != 0 {
			t.Fatalf("Split(%x) = %x, %x, want %x", row[0][0], k1, k2, row[1])
		}
	}
	if len(rows) != 205 {
		t.Errorf("%d rows", len(rows))
	}
}
