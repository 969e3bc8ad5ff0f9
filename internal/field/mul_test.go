package field

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// multiplications lists the functions that this platform uses and the Go functions of all platforms.
var multiplications = []struct {
	name   string
	mul    func(v, a, b *Element)
	square func(v, a *Element)
}{
	{"that in use", mul, square},
	{"four limbs of 64 bits", mulGeneric, squareGeneric},
	{"eight limbs of 32 bits", mul32, square32},
	{"nine limbs of 29 bits", mul29, square29},
}

// TestMultiplications compares each function with math/big, for elements whose limbs and half limbs are edge cases. It
// also calls the functions with v = a, v = b, a = b and v = a = b.
func TestMultiplications(t *testing.T) {
	r := oracle.New(t)
	const runs = 256
	for i := range runs + oracle.Cases(100000) {
		x, y := r.Pair(fp)
		if i < runs {
			// x is close to 2²⁵⁶, so that for most i a fold carries through a run of ones up to bit i. TestLastCarry
			// makes such carries for every eighth i from 64 to 216.
			x = new(big.Int).Sub(two256, big.NewInt(int64(1+r.IntN(4))))
			y = new(big.Int).Lsh(big.NewInt(1), uint(i))
		}
		product, xx := opMul.want(x, y), opSquare.want(x, x)
		for _, m := range multiplications {
			a, b := elem(x), elem(y)
			var v Element
			check := func(what string, got *Element, want Element) {
				t.Helper()
				if got.Limbs() != want.Limbs() {
					t.Fatalf("%s: %s of %x and %x: %x, want %x", m.name, what, x, y, got.Limbs(), want.Limbs())
				}
			}
			m.mul(&v, &a, &b)
			if fp.Reduce(value(&v)).Cmp(product) != 0 {
				t.Fatalf("%s: %x · %x = %x, want %x", m.name, x, y, v.Limbs(), product)
			}
			c := a
			m.mul(&c, &c, &b)
			check("a product in place of a", &c, v)
			c = b
			m.mul(&c, &a, &c)
			check("a product in place of b", &c, v)
			m.square(&v, &a)
			if fp.Reduce(value(&v)).Cmp(xx) != 0 {
				t.Fatalf("%s: %x² = %x, want %x", m.name, x, v.Limbs(), xx)
			}
			c = a
			m.square(&c, &c)
			check("a square in place", &c, v)
			m.mul(&c, &a, &a)
			if c.Equal(&v) == 0 {
				t.Fatalf("%s: %x·%x = %x, but %x²= %x", m.name, x, x, c.Limbs(), x, v.Limbs())
			}
			m.mul(&a, &a, &a)
			check("a product in place of both factors", &a, c)
		}
	}
}

// checkProduct compares Mul and every multiplication function with math/big.
func checkProduct(t *testing.T, x, y *big.Int) {
	t.Helper()
	opMul.check(t, x, y)
	for _, m := range multiplications {
		var v Element
		a, b := elem(x), elem(y)
		m.mul(&v, &a, &b)
		if fp.Reduce(value(&v)).Cmp(opMul.want(x, y)) != 0 {
			t.Fatalf("%s: %x · %x = %x, want %x", m.name, x, y, v.Limbs(), opMul.want(x, y))
		}
	}
}

// checkSquare compares Square, SquareN and every squaring function with math/big.
func checkSquare(t *testing.T, x *big.Int) {
	t.Helper()
	opSquare.check(t, x, x)
	opSquareN.check(t, x, x)
	for _, m := range multiplications {
		var v Element
		a := elem(x)
		m.square(&v, &a)
		if fp.Reduce(value(&v)).Cmp(opSquare.want(x, x)) != 0 {
			t.Fatalf("%s: %x² = %x, want %x", m.name, x, v.Limbs(), opSquare.want(x, x))
		}
	}
}

// TestLastCarry multiplies elements whose products are congruent to 2ⁱ·h + e, with small h and e < c. In mul29, with
// nine limbs, the number before the last fold is 2ⁱ·h + e − c. Adding c to it carries through the run of ones up to bit
// i, which spans three limbs for i ≥ 192.
func TestLastCarry(t *testing.T) {
	r := oracle.New(t)
	for range oracle.Cases(20) {
		for i := uint(64); i < 224; i += 8 {
			w := new(big.Int).Lsh(big.NewInt(1+r.Int64N(1000)), i)
			w.Add(w, big.NewInt(r.Int64N(c)))
			if x := fp.Reduce(r.Field()); x.Sign() != 0 {
				checkProduct(t, x, fp.Mul(w, fp.Inv(x)))
			}
			if root, ok := oracle.Sqrt(w); ok {
				checkSquare(t, root)
				checkSquare(t, fp.Neg(root))
			}
		}
	}
	checkSquare(t, new(big.Int).Sub(oracle.P, new(big.Int).Lsh(big.NewInt(1), 96))) // ≡ 2¹⁹²
}

func BenchmarkMultiplications(b *testing.B) {
	for _, m := range multiplications {
		b.Run("Mul/"+m.name, func(b *testing.B) {
			x, y := random(b)
			for b.Loop() {
				m.mul(&x, &x, &y)
			}
		})
		b.Run("Square/"+m.name, func(b *testing.B) {
			x, _ := random(b)
			for b.Loop() {
				m.square(&x, &x)
			}
		})
	}
}
