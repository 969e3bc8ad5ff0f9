package scalar

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/vectors"
)

var (
	fn     = oracle.Fn
	one    = big.NewInt(1)
	two256 = new(big.Int).Lsh(one, 256)
	fold   = new(big.Int).Sub(two256, oracle.N)
	low256 = new(big.Int).Sub(two256, one)
)

// scalarOf returns x mod n.
func scalarOf(x *big.Int) Scalar {
	l := oracle.Limbs(fn.Reduce(x))
	return FromLimbs(l[0], l[1], l[2], l[3])
}

func (v *Scalar) integer() *big.Int { return oracle.FromLimbs(v.Limbs()) }

// mask returns all ones for true and zero for false, as Equal and IsZero do.
func mask(cond bool) uint64 {
	if cond {
		return ^uint64(0)
	}
	return 0
}

func number(t *testing.T, s string) *big.Int {
	t.Helper()
	x, ok := new(big.Int).SetString(s, 16)
	if !ok {
		t.Fatalf("not a number: %q", s)
	}
	return x
}

// operation is an operation on two scalars, together with the correct result modulo n.
type operation struct {
	name string
	do   func(v, a, b *Scalar) *Scalar
	want func(a, b *big.Int) *big.Int
}

var (
	add   = operation{"Add", (*Scalar).Add, fn.Add}
	sub   = operation{"Sub", (*Scalar).Sub, fn.Sub}
	opMul = operation{"Mul", (*Scalar).Mul, fn.Mul}

	operations = []operation{
		add, sub, opMul,
		{"Negate", unary((*Scalar).Negate), negative},
		{"Half", unary((*Scalar).Half), func(a, _ *big.Int) *big.Int { return fn.Mul(a, fn.Inv(big.NewInt(2))) }},
		{"CondNegate 1", func(v, a, _ *Scalar) *Scalar { return v.CondNegate(a, mask(true)) }, negative},
		{"CondNegate 0", func(v, a, _ *Scalar) *Scalar { return v.CondNegate(a, mask(false)) }, first},
		{"Select 1", func(v, a, b *Scalar) *Scalar { return v.Select(a, b, mask(true)) }, first},
		{"Select 0", func(v, a, b *Scalar) *Scalar { return v.Select(b, a, mask(false)) }, first},
	}
	inversions = []operation{
		{"Invert", unary((*Scalar).Invert), func(a, _ *big.Int) *big.Int { return fn.Inv(a) }},
		{"InvertVartime", unary((*Scalar).InvertVartime), func(a, _ *big.Int) *big.Int { return fn.Inv(a) }},
	}
)

func unary(f func(v, a *Scalar) *Scalar) func(v, a, b *Scalar) *Scalar {
	return func(v, a, _ *Scalar) *Scalar { return f(v, a) }
}
func first(a, _ *big.Int) *big.Int    { return fn.Reduce(a) }
func negative(a, _ *big.Int) *big.Int { return fn.Neg(a) }

// check compares the limbs of the operation's result with the correct result, which is below n.
func (op *operation) check(t *testing.T, x, y *big.Int) {
	t.Helper()
	var v Scalar
	a, b := scalarOf(x), scalarOf(y)
	if got := op.do(&v, &a, &b); got != &v {
		t.Fatalf("%s does not return its receiver", op.name)
	}
	if v.integer().Cmp(op.want(x, y)) != 0 {
		t.Fatalf("%s(%x, %x) = %x, want %x", op.name, x, y, v.Limbs(), op.want(x, y))
	}
}

func TestOperations(t *testing.T) {
	r := oracle.New(t)
	for range oracle.Cases(20000) {
		x, y := r.Pair(fn)
		for _, op := range operations {
			op.check(t, x, y)
		}
	}
	for _, b := range oracle.ScalarEdges() {
		x := oracle.Int(b[:])
		for _, op := range append(operations, inversions...) {
			op.check(t, x, x)
			op.check(t, x, one)
			op.check(t, x, fn.Neg(x))
		}
	}
	t.Logf("result: %d cases of each of the scalars' operations with math/big", oracle.Cases(20000))
}

// TestLimbEdges tests all pairs of scalars whose limbs generate, propagate or absorb carries.
func TestLimbEdges(t *testing.T) {
	var edges []*big.Int
	for _, l := range oracle.LimbEdges() {
		edges = append(edges, oracle.FromLimbs(l))
	}
	for _, x := range edges {
		for _, y := range edges {
			add.check(t, x, y)
			sub.check(t, x, y)
			opMul.check(t, x, y)
		}
	}
}

// TestFolds follows the three folds of products. Every possible value of the bits from 2³⁸⁴ on must occur after the
// first fold, and every possible value of the bits from 2²⁵⁶ on after the second. The results of the third fold must
// occur in every range: below n, in [n, 2²⁵⁶), and from 2²⁵⁶ on.
func TestFolds(t *testing.T) {
	var above384, above256 [3]int
	var below, between, carried int
	check := func(x, y *big.Int) {
		t.Helper()
		opMul.check(t, x, y)
		v := new(big.Int).Mul(fn.Reduce(x), fn.Reduce(y))
		for i := range 3 {
			high := new(big.Int).Rsh(v, 256)
			v.And(v, low256).Add(v, new(big.Int).Mul(high, fold))
			switch high := new(big.Int).Rsh(v, 256); i {
			case 0:
				above384[high.Rsh(high, 128).Uint64()]++
			case 1:
				above256[high.Uint64()]++
			}
		}
		switch {
		case v.Cmp(oracle.N) < 0:
			below++
		case v.Cmp(two256) < 0:
			between++
		default:
			carried++
		}
	}
	r := oracle.New(t)
	for range oracle.Cases(20000) {
		check(r.SmallProduct(fn))
		check(r.Scalar(), r.Scalar())
	}
	for k := range int64(2000) { // (n−k)², the first of which is (n−1)² = 1
		x := new(big.Int).Sub(oracle.N, big.NewInt(k+1))
		check(x, x)
	}
	for range oracle.Cases(1000) {
		check(r.LateCarry(fn))
	}
	t.Logf("after the first fold %v, after the second %v; at the end %d below n, %d below 2²⁵⁶, %d above",
		above384, above256, below, between, carried)
	for _, n := range []int{above384[0], above384[1], above256[0], above256[1], above256[2], below, between, carried} {
		if n < 10 {
			t.Error("a branch was hardly reached")
		}
	}
}

func TestInvert(t *testing.T) {
	r := oracle.New(t)
	for range oracle.Cases(5000) {
		x := r.Scalar()
		for _, op := range inversions {
			op.check(t, x, x)
		}
	}
	t.Logf("result: %d cases of both of the scalars' inversions with math/big", oracle.Cases(5000))
}

func TestVectors(t *testing.T) {
	var file struct {
		Modinv []struct{ X, Modulus, Inv string }
		Pairs  [][2]string                     `json:"scalar_inverse_pairs"`
		Mul    []struct{ X, Y, XY, XX string } `json:"scalar_mul"`
	}
	vectors.JSON(t, "libsecp256k1/tests_constants.json", &file)
	if len(file.Pairs) != 37 || len(file.Mul) != 33 {
		t.Errorf("%d pairs and %d products", len(file.Pairs), len(file.Mul))
	}
	for _, c := range file.Modinv {
		if number(t, c.Modulus).Cmp(oracle.N) == 0 {
			file.Pairs = append(file.Pairs, [2]string{c.X, c.Inv})
		}
	}
	for _, p := range file.Pairs {
		x, inverse := number(t, p[0]), number(t, p[1])
		if fn.Inv(x).Cmp(inverse) != 0 {
			t.Fatalf("in the file the inverse of %x is %x", x, inverse)
		}
		for _, op := range inversions {
			op.check(t, x, x)
			op.check(t, inverse, x)
		}
	}
	for _, c := range file.Mul {
		x, y := number(t, c.X), number(t, c.Y)
		if fn.Mul(x, y).Cmp(number(t, c.XY)) != 0 || fn.Mul(x, x).Cmp(number(t, c.XX)) != 0 {
			t.Fatalf("the file multiplies %x and %x to %s and %s", x, y, c.XY, c.XX)
		}
		opMul.check(t, x, y)
		opMul.check(t, x, x)
	}
}

// TestBytes checks encoding and decoding, and the reduction of integers that are n or more.
func TestBytes(t *testing.T) {
	check := func(b [32]byte) {
		t.Helper()
		var v Scalar
		x := oracle.Int(b[:])
		if got := v.SetBytes(&b); got != mask(x.Cmp(oracle.N) < 0) || v.integer().Cmp(fn.Reduce(x)) != 0 {
			t.Fatalf("SetBytes(%x) = %x, mask %x", b, v.Limbs(), got)
		}
		w, l := scalarOf(big.NewInt(5)), oracle.Limbs(x)
		if w.SetLimbs(&l) != &w || w.Limbs() != v.Limbs() {
			t.Fatalf("SetLimbs(%x) = %x", l, w.Limbs())
		}
		v.FillBytes(&b)
		if b != oracle.Bytes(fn.Reduce(x)) {
			t.Fatalf("FillBytes(%x) = %x", v.Limbs(), b)
		}
	}
	for _, edges := range [][][32]byte{oracle.ScalarEdges(), oracle.RangeEdges(), oracle.FieldEdges()} {
		for _, b := range edges {
			check(b)
		}
	}
	r := oracle.New(t)
	for range oracle.Cases(20000) {
		check(r.ScalarBytes())
	}
	t.Logf("result: %d cases of the scalars' encodings with math/big", oracle.Cases(20000))
}

// TestSetWide reduces pairs of edge cases, the first of which is multiplied by 2²⁵⁶.
func TestSetWide(t *testing.T) {
	r := oracle.New(t)
	edges := append(oracle.ScalarEdges(), append(oracle.RangeEdges(), r.ScalarBytes())...)
	for _, high := range edges {
		for _, low := range edges {
			b := [64]byte(append(high[:], low[:]...))
			var v Scalar
			if got := v.SetWide(&b); got != &v || v.integer().Cmp(fn.Reduce(oracle.Int(b[:]))) != 0 {
				t.Fatalf("SetWide(%x) = %x", b, v.Limbs())
			}
		}
	}
}

// TestPredicates compares all pairs of edge cases, and edge cases with values that differ in one bit.
func TestPredicates(t *testing.T) {
	var all []*big.Int
	for _, b := range oracle.ScalarEdges() { // (n−1)/2 and its neighbours are among them
		all = append(all, fn.Reduce(oracle.Int(b[:])))
	}
	high := 0
	for i, x := range all {
		a := scalarOf(x)
		isHigh := x.Cmp(oracle.HalfN) > 0
		if a.IsZero() != mask(x.Sign() == 0) || a.IsHigh() != mask(isHigh) {
			t.Fatalf("%x: IsZero %x, IsHigh %x", x, a.IsZero(), a.IsHigh())
		}
		if isHigh {
			high++
		}
		for _, y := range append(all[:i+1:i+1], flips(x)...) {
			b := scalarOf(y)
			if a.Equal(&b) != mask(x.Cmp(y) == 0) || b.Equal(&a) != mask(x.Cmp(y) == 0) {
				t.Fatalf("Equal(%x, %x) = %x", x, y, a.Equal(&b))
			}
		}
	}
	if high < 100 || high > len(all)-100 {
		t.Errorf("%d of %d are high", high, len(all))
	}
	// In these numbers, the upper limbs are greater than the limbs of (n−1)/2 and the lower limbs are less, or the
	// reverse.
	for i := range uint(255) {
		for j := range i {
			d := new(big.Int).Sub(new(big.Int).Lsh(one, i), new(big.Int).Lsh(one, j))
			for _, x := range []*big.Int{new(big.Int).Add(oracle.HalfN, d), new(big.Int).Sub(oracle.HalfN, d)} {
				if a := scalarOf(x); a.IsHigh() != mask(x.Cmp(oracle.HalfN) > 0) {
					t.Fatalf("IsHigh(%x) = %x", x, a.IsHigh())
				}
			}
		}
	}
	var v Scalar
	if v.SetUint64(1<<64-1) != &v || v.Limbs() != [4]uint64{1<<64 - 1} {
		t.Errorf("SetUint64: %x", v.Limbs())
	}
}

// flips returns the scalars that differ from x in one bit.
func flips(x *big.Int) (all []*big.Int) {
	for i := range 256 {
		if y := new(big.Int).SetBit(x, i, x.Bit(i)^1); y.Cmp(oracle.N) < 0 {
			all = append(all, y)
		}
	}
	return all
}
