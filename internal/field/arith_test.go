package field

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// operation is an operation on two elements, together with the correct result modulo p.
type operation struct {
	name string
	do   func(v, a, b *Element) *Element
	want func(a, b *big.Int) *big.Int
}

var (
	fp    = oracle.Fp
	opAdd = operation{"Add", (*Element).Add, fp.Add}
	opSub = operation{"Sub", (*Element).Sub, fp.Sub}
	opMul = operation{"Mul", (*Element).Mul, fp.Mul}

	opSquare  = operation{"Square", unary((*Element).Square), squared}
	opSquareN = operation{"SquareN", unary(func(v, a *Element) *Element { return v.SquareN(a, 1) }), squared}

	// sums lists Add and Sub, and the functions that implement them for both word sizes.
	sums = []operation{
		opAdd, opSub,
		{"add32", returning(add32), fp.Add}, {"sub32", returning(sub32), fp.Sub},
		{"add64", returning(add64), fp.Add}, {"sub64", returning(sub64), fp.Sub},
	}

	operations = append(sums, []operation{
		opMul, opSquare, opSquareN,
		{"Negate", unary((*Element).Negate), negative},
		{"Half", unary((*Element).Half), func(a, _ *big.Int) *big.Int { return fp.Mul(a, half) }},
		{"Set", unary((*Element).Set), first},
		{"Normalize", unary((*Element).Normalize), first},
		{"CondNegate 1", func(v, a, _ *Element) *Element { return v.CondNegate(a, mask(true)) }, negative},
		{"CondNegate 0", func(v, a, _ *Element) *Element { return v.CondNegate(a, mask(false)) }, first},
		{"Select 1", func(v, a, b *Element) *Element { return v.Select(a, b, mask(true)) }, first},
		{"Select 0", func(v, a, b *Element) *Element { return v.Select(b, a, mask(false)) }, first},
	}...)

	half = new(big.Int).Rsh(new(big.Int).Add(oracle.P, big.NewInt(1)), 1)
)

func returning(f func(v, a, b *Element)) func(v, a, b *Element) *Element {
	return func(v, a, b *Element) *Element {
		f(v, a, b)
		return v
	}
}

func unary(f func(v, a *Element) *Element) func(v, a, b *Element) *Element {
	return func(v, a, _ *Element) *Element { return f(v, a) }
}
func squared(a, _ *big.Int) *big.Int  { return fp.Mul(a, a) }
func first(a, _ *big.Int) *big.Int    { return fp.Reduce(a) }
func negative(a, _ *big.Int) *big.Int { return fp.Neg(a) }

func (op *operation) check(t *testing.T, x, y *big.Int) {
	t.Helper()
	var v Element
	a, b := elem(x), elem(y)
	if got := op.do(&v, &a, &b); got != &v {
		t.Fatalf("%s does not return its receiver", op.name)
	}
	if fp.Reduce(value(&v)).Cmp(op.want(x, y)) != 0 {
		t.Fatalf("%s(%x, %x) = %x, want %x", op.name, x, y, v.Limbs(), op.want(x, y))
	}
}

func TestOperations(t *testing.T) {
	r := oracle.New(t)
	for range oracle.Cases(20000) {
		x, y := r.Pair(fp)
		for _, op := range operations {
			op.check(t, x, y)
		}
	}
	for _, b := range oracle.FieldEdges() {
		for _, op := range operations {
			op.check(t, oracle.Int(b[:]), oracle.Int(b[:]))
		}
	}
	t.Logf("result: %d cases of each of the field's operations with math/big", oracle.Cases(20000))
}

// TestLimbEdges tests all pairs of elements whose limbs generate, propagate or absorb carries. In some sums, adding c
// for the first carry causes a second carry.
func TestLimbEdges(t *testing.T) {
	var edges []*big.Int
	for _, l := range oracle.LimbEdges() {
		edges = append(edges, oracle.FromLimbs(l))
	}
	twice := 0
	for _, x := range edges {
		for _, y := range edges {
			for _, op := range sums {
				op.check(t, x, y)
			}
			opMul.check(t, x, y)
			if s := new(big.Int).Add(x, y); s.Sub(s, two256).Add(s, fold).Cmp(two256) >= 0 {
				twice++
			}
		}
		for _, op := range operations {
			op.check(t, x, x)
		}
	}
	if twice == 0 {
		t.Error("no sum carried twice")
	}
}

// TestFolds multiplies elements whose products are close to a multiple of p, so that the second fold carries out of
// 2²⁵⁶. The last fold adds c for this carry, and may carry into the second limb. The test requires that both carries
// occur.
func TestFolds(t *testing.T) {
	carried, ran := 0, 0
	check := func(x, y *big.Int) {
		t.Helper()
		checkProduct(t, x, y)
		v := new(big.Int).Mul(x, y)
		for range 2 {
			high := new(big.Int).Rsh(v, 256)
			v.And(v, new(big.Int).Sub(two256, big.NewInt(1))).Add(v, high.Mul(high, fold))
		}
		if v.Cmp(two256) >= 0 {
			carried++
			if v.Uint64()+c < c {
				ran++
			}
		}
	}
	for _, b := range oracle.FoldEdges() { // (p−k)²
		x := oracle.Int(b[:])
		check(x, x)
		checkSquare(t, x)
	}
	r := oracle.New(t)
	for range oracle.Cases(10000) {
		x, y := r.SmallProduct(fp)
		check(x, y)
	}
	for range oracle.Cases(1000) {
		check(r.LateCarry(fp))
	}
	x := new(big.Int).Sub(oracle.P, big.NewInt(1<<32)) // of the (p−k)², k < 2¹²⁸, only this has the second carry
	check(x, x)
	checkSquare(t, x)
	// The squares of these roots are congruent to small numbers, so the folds carry as they do for small products.
	for range oracle.Cases(10000) {
		if root, ok := oracle.Sqrt(new(big.Int).Rsh(r.Field(), uint(122+r.IntN(134)))); ok {
			checkSquare(t, root)
			checkSquare(t, fp.Neg(root))
		}
	}
	t.Logf("%d carries of the second fold, of which %d ran into the second limb", carried, ran)
	if carried < 1000 || ran < 50 {
		t.Error("the rare branches were hardly reached")
	}
}
