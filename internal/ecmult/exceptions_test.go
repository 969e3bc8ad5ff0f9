package ecmult

import (
	"maps"
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/recode"
)

// digitsOf returns the signed odd digits that n windows of w bits stand for (docs/digits.md, S10).
func digitsOf(w, n int, window func(int) uint64) []*big.Int {
	digits := make([]*big.Int, n)
	for i := range digits {
		digits[i] = big.NewInt(2*int64(window(i)) - (1<<w - 1))
	}
	return digits
}

// resum returns Σ digits[i]·2ʷⁱ over all i ≥ first.
func resum(digits []*big.Int, w uint, first int) *big.Int {
	sum := new(big.Int)
	for i := len(digits) - 1; i >= 0; i-- {
		sum.Lsh(sum, w)
		if i >= first {
			sum.Add(sum, digits[i])
		}
	}
	return sum
}

func baseDigits(k *big.Int) []*big.Int {
	s := scalarOf(k)
	d := recode.Base(&s)
	return digitsOf(recode.BaseWidth, recode.BaseDigits, d.BaseWindow)
}

// TestBaseExceptions finds the scalars for which the points of base's last addition are equal or opposite. Let D be the
// digit of the last window. If the sum of the other windows is ±D·2²⁵² mod n, then k is 2·D·2²⁵² or 0.
func TestBaseExceptions(t *testing.T) {
	const last = recode.BaseDigits - 1
	top := pow2(recode.BaseWidth * last)
	if top.Cmp(oracle.N) >= 0 { // then earlier additions could be exceptional too
		t.Error("the sums before the last window exceed n")
	}
	candidates := []*big.Int{new(big.Int)}
	for digit := int64(1 - 1<<recode.BaseWidth); digit < 1<<recode.BaseWidth; digit += 2 {
		candidates = append(candidates, fn.Mul(big.NewInt(2*digit), top))
	}
	equal, opposite := 0, 0
	for _, k := range candidates {
		digits := baseDigits(k)
		if fn.Sub(resum(digits, recode.BaseWidth, 0), k).Sign() != 0 {
			t.Fatalf("the digits of %x are %v", k, digits)
		}
		added := new(big.Int).Mul(digits[last], top)
		before := resum(digits[:last], recode.BaseWidth, 0)
		if fn.Sub(before, added).Sign() == 0 {
			equal++
			t.Logf("%x·G is a doubling of %d·2²⁵²·G", k, digits[last])
		}
		if fn.Add(before, added).Sign() == 0 {
			opposite++
			t.Logf("%x·G subtracts %d·2²⁵²·G from itself", k, digits[last])
		}
		var v group.Jacobian
		s := scalarOf(k)
		base(&v, &s)
		if !point(&v).Equal(oracle.G.Mul(k)) {
			t.Errorf("%x·G = %x", k, point(&v))
		}
	}
	if equal != 1 || opposite != 1 {
		t.Errorf("%d doublings and %d differences, want one each", equal, opposite)
	}
}

func variableDigits(k *big.Int) (d1, d2 []*big.Int) {
	s := scalarOf(k)
	k1, k2 := recode.Variable(&s)
	return digitsOf(recode.VariableWidth, recode.VariableDigits, k1.VariableWindow),
		digitsOf(recode.VariableWidth, recode.VariableDigits, k2.VariableWindow)
}

// TestVariableExceptions finds the scalars for which the points of an addition in Variable's last window are equal or
// opposite. If the sum before the first addition is ±d1 for the digit d1, then k is 2·d1 + d2·λ or d2·λ. If the sum
// before the second addition is ±d2·λ, then k is 2·d2·λ or 0. Earlier windows have no exceptions, because the numbers a
// + b·λ ≡ 0 mod n form a lattice without short vectors.
func TestVariableExceptions(t *testing.T) {
	dot := func(x, y, u, v *big.Int) *big.Int {
		return new(big.Int).Add(new(big.Int).Mul(x, u), new(big.Int).Mul(y, v))
	}
	a, b := dot(oracle.A1, oracle.B1, oracle.A1, oracle.B1), dot(oracle.A2, oracle.B2, oracle.A2, oracle.B2)
	if ab := dot(oracle.A1, oracle.B1, oracle.A2, oracle.B2); ab.Lsh(ab, 1).CmpAbs(a) > 0 || a.Cmp(b) > 0 {
		t.Error("the basis of the lattice is not reduced, and its first vector not the shortest of all")
	}
	if a.Cmp(pow2(2*126+1)) <= 0 {
		t.Error("there is a vector with coefficients below 2¹²⁶")
	}

	r := oracle.New(t)
	p := r.Point()
	// multiples holds m·p and m·λ·p for |m| ≤ size, at index m + size.
	const size = 2 << recode.VariableWidth
	var multiples [2][2*size + 1]group.Jacobian
	for i, q := range []oracle.Point{p, p.Endo()} {
		a := jacobian(r, q)
		for m := 1; m <= size; m++ {
			multiples[i][size+m].AddVartime(&multiples[i][size+m-1], &a)
			multiples[i][size-m].Negate(&multiples[i][size+m])
		}
	}
	exceptions := make(map[string]int)
	check := func(m1, m2 int64) {
		lambda := func(x *big.Int) *big.Int { return fn.Mul(x, oracle.Lambda) }
		k := fn.Add(big.NewInt(m1), lambda(big.NewInt(m2)))
		d1, d2 := variableDigits(k)
		sum := fn.Add(resum(d1, recode.VariableWidth, 1), lambda(resum(d2, recode.VariableWidth, 1)))
		for i, added := range []*big.Int{d1[0], lambda(d2[0])} {
			if fn.Sub(sum, added).Sign() == 0 {
				exceptions[[]string{"first equal", "second equal"}[i]]++
			}
			if sum = fn.Add(sum, added); sum.Sign() == 0 {
				exceptions[[]string{"first opposite", "second opposite"}[i]]++
			}
		}
		if sum.Cmp(k) != 0 {
			t.Fatalf("the digits of %x are %v and %v", k, d1, d2)
		}
		var v, want group.Jacobian
		s, a := scalarOf(k), jacobian(r, p)
		Variable(&v, &s, &a)
		want.AddVartime(&multiples[0][size+m1], &multiples[1][size+m2])
		if v.Equal(&want) == 0 {
			t.Errorf("(%d + %d·λ)·%x = %x, want %x", m1, m2, p, point(&v), point(&want))
		}
	}
	const most = 1<<recode.VariableWidth - 1
	check(0, 0)
	for d2 := int64(-most); d2 <= most; d2 += 2 {
		check(0, d2)
		check(0, 2*d2)
		for d1 := int64(-most); d1 <= most; d1 += 2 {
			check(2*d1, d2)
		}
	}
	// The first addition has no exceptions. The second addition has two: its points are equal for one scalar, and
	// opposite for the scalar 0.
	if want := map[string]int{"second equal": 1, "second opposite": 1}; !maps.Equal(exceptions, want) {
		t.Errorf("exceptions: %v, want %v", exceptions, want)
	}
}
