package field

import (
	"testing"

	"p256k1.mleku.dev/internal/oracle"
)

// multiplications are those of all platforms, whatever this one uses.
var multiplications = []struct {
	name   string
	mul    func(v, a, b *Element)
	square func(v, a *Element)
}{
	{"four limbs of 64 bits", mulGeneric, squareGeneric},
	{"eight limbs of 32 bits", mul32, square32},
	{"nine limbs of 29 bits", mul29, square29},
}

// TestMultiplications checks each against math/big, with limbs and halves of limbs at their edges, and v = a, v = b and a = b.
func TestMultiplications(t *testing.T) {
	r := oracle.New(t)
	for range rounds(100000) {
		x, y := oracle.FromLimbs(r.Limbs()), oracle.FromLimbs(r.Limbs())
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
		}
	}
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
