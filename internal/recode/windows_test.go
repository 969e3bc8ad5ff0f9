package recode

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// TestWindowClasses checks that every class has one digit in the hexagon (S19).
func TestWindowClasses(t *testing.T) {
	for width := MinWindow; width <= MaxWindow; width++ {
		w := WindowsOf(width)
		size := 1 << width
		if want := (size*size-4)/6 + 1; len(w.U) != want || len(w.V) != want {
			t.Errorf("width %d: %d pairs, want %d", width, len(w.U), want)
		}
		for x := range size {
			for y := range size {
				c := w.class(x, y)
				a, b := int(c.a), int(c.b)
				if (a-x)%size != 0 || (b-y)%size != 0 || max(abs(2*a-b), abs(a+b), abs(a-2*b)) > size {
					t.Fatalf("width %d: the digit of %d + %d·λ is %d + %d·λ", width, x, y, a, b)
				}
				if c.digit == 0 {
					if x != 0 || y != 0 {
						t.Fatalf("width %d: %d + %d·λ has no digit", width, x, y)
					}
					continue
				}
				u, v := int(w.U[c.digit.Pair()]), int(w.V[c.digit.Pair()])
				if u <= 0 || max(u, v) > w.Max {
					t.Fatalf("width %d: the pair (%d, %d)", width, u, v)
				}
				p, q := u+v, v
				for range c.digit.Power() {
					p, q = -q, p-q
				}
				if c.digit.Sign() != 0 {
					p, q = -p, -q
				}
				if p != a || q != b {
					t.Fatalf("width %d: the digit %x is %d + %d·λ, not %d + %d·λ", width, c.digit, p, q, a, b)
				}
			}
		}
	}
}

func abs(a int) int { return max(a, -a) }

// TestWindows checks that the digits of a scalar sum to the scalar, and that there are no more digits than S22 says.
func TestWindows(t *testing.T) {
	r := oracle.New(t)
	for width := MinWindow; width <= MaxWindow; width++ {
		w := WindowsOf(width)
		most := 0
		for i := range 20000 {
			k := r.Scalar()
			if i%4 == 0 { // a weight a + b·λ, with a and b of 64 bits
				k = oracle.Fn.Add(oracle.Int(r.Bytes(8)), oracle.Fn.Mul(oracle.Int(r.Bytes(8)), oracle.Lambda))
			}
			l := oracle.Limbs(k)
			s := scalar.FromLimbs(l[0], l[1], l[2], l[3])
			digits := make([]WindowDigit, 2*MaxWindows)
			k1, k2 := s.Split()
			n := w.DigitsVartime(digits, 2, k1, k2)
			if i%4 == 0 && n > 66/width+1 {
				t.Fatalf("width %d: %d digits of the weight %x", width, n, k)
			}
			most = max(most, n)
			if n > 0 && digits[2*n-2] == 0 {
				t.Fatalf("width %d: the last of %d digits of %x is zero", width, n, k)
			}
			sum := new(big.Int)
			for i := n - 1; i >= 0; i-- {
				sum.Lsh(sum, uint(width))
				if d := digits[2*i]; d != 0 {
					u, v := big.NewInt(int64(w.U[d.Pair()])), big.NewInt(int64(w.V[d.Pair()]))
					e := new(big.Int).Add(oracle.Lambda, big.NewInt(1))
					e.Mul(e, v).Add(e, u)
					for range d.Power() {
						e.Mul(e, oracle.Lambda)
					}
					if d.Sign() != 0 {
						e.Neg(e)
					}
					sum.Add(sum, e)
				}
			}
			if oracle.Fn.Reduce(sum).Cmp(k) != 0 {
				t.Fatalf("width %d: the digits of %x sum to %x", width, k, sum)
			}
		}
		if want := map[int]int{3: 44, 4: 33, 5: 26, 6: 22}[width]; most > want || want > MaxWindows {
			t.Errorf("width %d: up to %d digits, want %d", width, most, want)
		} else {
			t.Logf("width %d: up to %d digits", width, most)
		}
	}
}
