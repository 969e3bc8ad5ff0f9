package field

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestIsSquare compares IsSquareVartime with Euler's criterion. It tests edge cases, powers of two, which the loops
// shift by whole limbs, numbers close to powers of two, and random numbers of all lengths.
func TestIsSquare(t *testing.T) {
	squares, others := 0, 0
	exponent := new(big.Int).Rsh(oracle.P, 1)
	check := func(x *big.Int) {
		t.Helper()
		a := elem(x)
		want := fp.Exp(x, exponent).Cmp(big.NewInt(1)) <= 0
		if want {
			squares++
		} else {
			others++
		}
		if got := a.IsSquareVartime(); got != want {
			t.Fatalf("IsSquareVartime(%x) = %v", x, got)
		}
	}
	for _, b := range oracle.FieldEdges() { // 0, p, 1, −1 and integers above p are among them
		check(oracle.Int(b[:]))
	}
	for _, l := range oracle.LimbEdges() {
		check(oracle.FromLimbs(l))
	}
	for i := range uint(256) {
		for _, d := range []int64{-3, -1, 0, 1, 5} {
			x := new(big.Int).Lsh(big.NewInt(1), i)
			check(fp.Reduce(x.Add(x, big.NewInt(d))))
			check(fp.Neg(x))
		}
	}
	// With this x, d becomes a multiple of 2⁶⁴ after all numbers are below 2¹²⁸.
	check(new(big.Int).SetBytes([]byte{0x0e, 0x65, 0x44, 0x8d, 0x7b, 0xb6, 0x93, 0x43, 0x01, 0x26, 0xf2, 0x35, 0xcf, 0x0d, 0xa5}))
	r := oracle.New(t)
	for range oracle.Cases(5000) {
		x := oracle.FromLimbs(r.Limbs())
		check(x)
		check(x.Rsh(x, uint(r.IntN(256))))
	}
	if squares < 100 || others < 100 {
		t.Errorf("only %d squares and %d others", squares, others)
	}
}

// TestJacobiEdges compares jacobi128Vartime and jacobi64Vartime with math/big, for numbers that no x is known to lead
// to.
func TestJacobiEdges(t *testing.T) {
	var edges []*big.Int
	for _, high := range []uint64{0, 1, 2, 3, 5, 1 << 63, 1<<63 + 1, ^uint64(0) - 1, ^uint64(0)} {
		for _, low := range []uint64{0, 1, 2, 3, 5, 6, 7, 1 << 63, 1<<63 + 1, 1<<63 - 1, ^uint64(0) - 2, ^uint64(0) - 1, ^uint64(0)} {
			edges = append(edges, oracle.FromLimbs([4]uint64{low, high}))
		}
	}
	n := 0
	for _, d := range edges {
		for _, b := range edges {
			if b.Bit(0) == 0 || new(big.Int).GCD(nil, nil, d, b).Cmp(big.NewInt(1)) != 0 {
				continue
			}
			n++
			x, y, want := oracle.Limbs(d), oracle.Limbs(b), big.Jacobi(d, b) == 1
			for opposite := range uint64(2) {
				if got := jacobi128Vartime(x[0], x[1], y[0], y[1], opposite); got != (want != (opposite == 1)) {
					t.Fatalf("the symbol of %x and %x is %t, opposite %d", d, b, got, opposite)
				}
				if x[1]|y[1] == 0 && jacobi64Vartime(x[0], y[0], opposite) != (want != (opposite == 1)) {
					t.Fatalf("the symbol of %x and %x, below 2⁶⁴, is wrong", d, b)
				}
			}
		}
	}
	if n < 3000 {
		t.Errorf("%d pairs", n)
	}
}

// TestInvertSqrt checks that the result of InvertSqrt is the inverse of a square root of a or of −a.
func TestInvertSqrt(t *testing.T) {
	one := big.NewInt(1)
	check := func(x *big.Int) {
		t.Helper()
		a := elem(x)
		var v Element
		is := v.InvertSqrt(&a)
		square := fp.Mul(fp.Mul(value(&v), value(&v)), x)
		switch jacobi := big.Jacobi(fp.Reduce(x), oracle.P); {
		case is != mask(jacobi == 1):
			t.Fatalf("InvertSqrt(%x): mask %x", x, is)
		case jacobi == 0 && fp.Reduce(value(&v)).Sign() != 0, jacobi == 1 && square.Cmp(one) != 0, jacobi == -1 && fp.Neg(square).Cmp(one) != 0:
			t.Fatalf("InvertSqrt(%x) = %x", x, v.Limbs())
		}
		if again := a.InvertSqrt(&a); again != is || a.Limbs() != v.Limbs() {
			t.Fatalf("InvertSqrt(%x) in its own place: %x", x, a.Limbs())
		}
	}
	for _, b := range oracle.FieldEdges() {
		x := oracle.Int(b[:])
		check(x)
		check(fp.Mul(x, x))
		check(fp.Neg(fp.Mul(x, x)))
	}
	r := oracle.New(t)
	for range oracle.Cases(3000) {
		check(oracle.FromLimbs(r.Limbs()))
	}
}
