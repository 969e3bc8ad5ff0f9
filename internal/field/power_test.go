package field

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/vectors"
)

// TestSquareNPanics checks that SquareN panics for counts below 1, since the assembly counts down to 0.
func TestSquareNPanics(t *testing.T) {
	for _, n := range []int{0, -1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("SquareN of %d does not panic", n)
				}
			}()
			new(Element).SquareN(new(Element), n)
		}()
	}
}

func TestSquareN(t *testing.T) {
	r := oracle.New(t)
	for i := range oracle.Cases(3000) {
		n := 1 + i%300
		x := oracle.FromLimbs(r.Limbs())
		a := elem(x)
		var v Element
		v.SquareN(&a, n)
		if fp.Reduce(value(&v)).Cmp(fp.Exp(x, new(big.Int).Lsh(big.NewInt(1), uint(n)))) != 0 {
			t.Fatalf("SquareN(%x, %d) = %x", x, n, v.Limbs())
		}
	}
}

// checkInvert compares the results of Invert and InvertVartime for x with the inverse. x may be p or more.
func checkInvert(t *testing.T, x, inverse *big.Int) {
	t.Helper()
	a := elem(x)
	var v, w Element
	if v.Invert(&a) != &v || w.InvertVartime(&a) != &w {
		t.Fatal("an inversion does not return its receiver")
	}
	if value(&v).Cmp(inverse) != 0 || v.Limbs() != w.Limbs() { // reduced
		t.Fatalf("Invert(%x) = %x, Vartime %x, want %x", x, v.Limbs(), w.Limbs(), inverse)
	}
}

func TestInvert(t *testing.T) {
	check := func(x *big.Int) { t.Helper(); checkInvert(t, x, fp.Inv(x)) }
	for _, b := range oracle.FieldEdges() { // 0 and p among them, which give 0
		check(oracle.Int(b[:]))
	}
	for i := range uint(256) {
		x := new(big.Int).Lsh(big.NewInt(1), i)
		check(x)
		check(fp.Neg(x))
		check(x.Sub(x, big.NewInt(1)))
	}
	r := oracle.New(t)
	for range oracle.Cases(5000) {
		check(oracle.FromLimbs(r.Limbs()))
	}
	t.Logf("result: %d cases of both of the field's inversions with math/big", oracle.Cases(5000))
}

func TestInvertVectors(t *testing.T) {
	var file struct {
		Modinv []struct{ X, Modulus, Inv string }
		Pairs  [][2]string `json:"field_inverse_pairs"`
	}
	vectors.JSON(t, "libsecp256k1/tests_constants.json", &file)
	pairs := file.Pairs
	for _, c := range file.Modinv {
		if number(t, c.Modulus).Cmp(oracle.P) == 0 {
			pairs = append(pairs, [2]string{c.X, c.Inv})
		}
	}
	if len(pairs) != 46+8 {
		t.Errorf("%d pairs", len(pairs))
	}
	for _, p := range pairs {
		x, inverse := number(t, p[0]), number(t, p[1])
		checkInvert(t, x, inverse)
		checkInvert(t, inverse, x)
		checkInvert(t, fp.Neg(x), fp.Neg(inverse))
	}
}

func number(t *testing.T, s string) *big.Int {
	t.Helper()
	x, ok := new(big.Int).SetString(s, 16)
	if !ok {
		t.Fatalf("not a number: %q", s)
	}
	return x
}

// TestSqrt checks that Sqrt finds a root of each square and a root of −a for every other a, and that SqrtPair finds the
// same roots.
func TestSqrt(t *testing.T) {
	squares, others := 0, 0
	var both [2]Element
	var last Element
	masks := [2]uint64{1: ^uint64(0)} // 0 is a square
	check := func(x *big.Int) {
		t.Helper()
		a := elem(x)
		var v Element
		square, want := big.Jacobi(fp.Reduce(x), oracle.P) >= 0, fp.Reduce(x)
		if square {
			squares++
		} else {
			others++
			want = fp.Neg(x)
		}
		if got := v.Sqrt(&a); got != mask(square) || fp.Mul(value(&v), value(&v)).Cmp(want) != 0 {
			t.Fatalf("Sqrt(%x) = %x, mask %x", x, v.Limbs(), got)
		}
		// Call SqrtPair with this element and the previous one.
		both, masks = [2]Element{both[1], a}, [2]uint64{masks[1], mask(square)}
		roots := both
		if got := SqrtPair(&roots, &roots); got != masks || roots[0].Limbs() != last.Limbs() || roots[1].Limbs() != v.Limbs() {
			t.Fatalf("SqrtPair(%x, %x) = %x, %x, masks %x", both[0].Limbs(), both[1].Limbs(), roots[0].Limbs(), roots[1].Limbs(), got)
		}
		last = v
	}
	for _, b := range oracle.FieldEdges() { // 0, 1, −1 among them
		x := oracle.Int(b[:])
		check(x)
		check(fp.Mul(x, x))
		check(fp.Neg(fp.Mul(x, x)))
	}
	r := oracle.New(t)
	for range oracle.Cases(3000) {
		check(oracle.FromLimbs(r.Limbs()))
	}
	t.Logf("result: %d cases of square roots with math/big", oracle.Cases(3000))
	if squares < 100 || others < 100 {
		t.Errorf("only %d squares and %d others", squares, others)
	}
}
