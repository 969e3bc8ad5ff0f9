package shamir

import (
	"bytes"
	"math"
	"math/big"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

const largest = math.MaxUint32

// place returns id + 1, the place at which the share of participant id is the value of the polynomial.
func place(id uint32) *big.Int { return new(big.Int).SetUint64(uint64(id) + 1) }

// value returns Σ c[i]·xⁱ.
func value(c []*big.Int, x *big.Int) *big.Int {
	sum := new(big.Int)
	for i := range c {
		sum = oracle.Fn.Add(sum, oracle.Fn.Mul(c[i], oracle.Fn.Exp(x, big.NewInt(int64(i)))))
	}
	return sum
}

func scalars(t *testing.T, c []*big.Int) []curve.Scalar {
	t.Helper()
	s := make([]curve.Scalar, len(c))
	for i := range c {
		b := oracle.Bytes(c[i])
		if _, err := s[i].SetBytes(b[:]); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func multiples(s []curve.Scalar) []curve.Point {
	p := make([]curve.Point, len(s))
	for i := range s {
		p[i].ScalarBaseMult(&s[i])
	}
	return p
}

// integers returns the given integers modulo the group order.
func integers(list ...int64) (all []*big.Int) {
	for _, v := range list {
		all = append(all, oracle.Fn.Reduce(big.NewInt(v)))
	}
	return all
}

// TestEvaluate compares values with math/big, for thresholds from 0 to 6 and for the first and the last participant.
func TestEvaluate(t *testing.T) {
	r := oracle.New(t)
	polynomials := [][]*big.Int{nil, integers(0), integers(7), integers(-1), integers(0, 0, 1), integers(5, -1), integers(1, 2, 0), integers(-1, -1, -1)}
	for n := range 6 {
		var c []*big.Int
		for range n + 1 {
			c = append(c, r.Scalar())
		}
		polynomials = append(polynomials, c)
	}
	for _, f := range polynomials {
		c := scalars(t, f)
		points := multiples(c)
		for _, id := range []uint32{0, 1, 2, 255, 1 << 31, largest - 1, largest} {
			var v curve.Scalar
			v.SetUint64(9) // Evaluate replaces it
			Evaluate(&v, c, id)
			want := value(f, place(id))
			if oracle.Int(v.Bytes()).Cmp(want) != 0 {
				t.Errorf("%d of %v: %x, want %x", id, f, v.Bytes(), want)
			}
			if p := EvaluatePoints(points, id); p.Equal(new(curve.Point).ScalarBaseMult(&v)) != 1 {
				t.Errorf("%d of the points of %v: %x, want %x·G", id, f, p.Bytes(), want)
			}
		}
		for i := range c {
			if oracle.Int(c[i].Bytes()).Cmp(f[i]) != 0 || points[i].Equal(new(curve.Point).ScalarBaseMult(&c[i])) != 1 {
				t.Errorf("%v: coefficient %d has changed", f, i)
			}
		}
	}
}

// TestInterpolation checks that Σ λᵢ·xᵢᵈ = xᵈ for all d below the number of participants. No other factors have this
// property, because the vectors of powers of different xᵢ are linearly independent.
func TestInterpolation(t *testing.T) {
	twenty := make([]uint32, 20)
	for i := range twenty {
		twenty[i] = uint32(i)
	}
	for _, ids := range [][]uint32{nil, {0}, {1}, {largest}, {0, 1}, {1, 0}, {0, largest}, {largest, 0}, {largest, largest - 1}, {5, 2, 9, largest, 0}, twenty} {
		check := func(lambda []curve.Scalar, x *big.Int) {
			if len(lambda) != len(ids) {
				t.Errorf("%d factors for %d participants", len(lambda), len(ids))
				return
			}
			for d := range ids {
				sum, power := new(big.Int), big.NewInt(int64(d))
				for i, id := range ids {
					sum = oracle.Fn.Add(sum, oracle.Fn.Mul(oracle.Int(lambda[i].Bytes()), oracle.Fn.Exp(place(id), power)))
				}
				if want := oracle.Fn.Exp(x, power); sum.Cmp(want) != 0 {
					t.Errorf("%d at %d: the power %d is %x, want %x", ids, x, d, sum, want)
				}
			}
		}
		before := slices.Clone(ids)
		check(Interpolation(ids), new(big.Int))
		for _, id := range []uint32{0, 1, 3, 20, largest - 1, largest} {
			check(InterpolationAt(ids, id), place(id))
		}
		if !slices.Equal(ids, before) {
			t.Errorf("%d became %d", before, ids)
		}
	}
	for _, ids := range [][]uint32{{0, 0}, {3, 3}, {largest, largest}, {0, 5, 0, 7}, {0, 5, 7, 7}} {
		for _, l := range slices.Concat(Interpolation(ids), InterpolationAt(ids, 1)) {
			if l.IsZero() != 1 {
				t.Errorf("%d: a factor is %x, want 0", ids, l.Bytes())
			}
		}
	}
}

// pointers returns the addresses of all points.
func pointers(points []curve.Point) (all []*curve.Point) {
	for i := range points {
		all = append(all, &points[i])
	}
	return all
}

// TestOnPolynomial tests the values of polynomials of every degree, and the same values with one of them changed.
func TestOnPolynomial(t *testing.T) {
	r := oracle.New(t)
	for n := range 6 { // n + 1 points
		for degree := -1; degree <= n; degree++ { // −1 for the polynomial 0
			var c []*big.Int
			for i := range degree + 1 {
				c = append(c, new(big.Int))
				if i == degree || n%2 == 0 { // for odd n only the leading coefficient
					c[i] = r.ValidScalar()
				}
			}
			var f []*big.Int
			for x := range n + 1 {
				f = append(f, value(c, big.NewInt(int64(x))))
			}
			values := multiples(scalars(t, f))
			points := pointers(values)
			for threshold := range n + 2 {
				if OnPolynomial(points, threshold) != (degree < threshold) {
					t.Errorf("%d points of degree %d, threshold %d: %t", n+1, degree, threshold, degree >= threshold)
				}
				for i := range points {
					points[i] = new(curve.Point).Add(&values[i], new(curve.Point).SetGenerator())
					// One changed value raises the degree to n, unless it was n before.
					if degree < n && OnPolynomial(points, threshold) != (n < threshold) {
						t.Errorf("%d points of degree %d, threshold %d: %t if value %d is wrong", n+1, degree, threshold, n >= threshold, i)
					}
					points[i] = &values[i]
				}
			}
		}
	}
}

// TestOnPolynomialDraws checks that each of up to 299 coefficients is a random number, as one that is not drawn would
// be 0.
func TestOnPolynomialDraws(t *testing.T) {
	for _, n := range []int{2, 34, 258, 300} {
		stream := bytes.NewBuffer(bytes.Repeat([]byte{1}, 32*n))
		libtest.SetRandom(t, stream)
		if !OnPolynomial(slices.Repeat([]*curve.Point{new(curve.Point)}, n), 1) || stream.Len() != 32 {
			t.Errorf("%d points: %d bytes of %d are left, want 32", n, stream.Len(), 32*n)
		}
	}
}

// TestOnPolynomialCoefficients chooses values of no polynomial for which the sum is infinity, as the coefficients of c
// are known. So every coefficient of c is the number that is drawn for it.
func TestOnPolynomialCoefficients(t *testing.T) {
	r := oracle.New(t)
	for _, n := range []int{3, 8, 33} { // n + 1 points
		stream := r.Bytes(32 * (n - 1))
		var c []*big.Int
		for i := range n - 1 {
			stream[32*i] = 0 // below the order
			c = append(c, oracle.Int(stream[32*i:32*i+32]))
		}
		sum, factors := new(big.Int), make([]*big.Int, n+1)
		var f []*big.Int
		for x := range n + 1 {
			w := new(big.Int).Mul(new(big.Int).MulRange(1, int64(x)), new(big.Int).MulRange(1, int64(n-x)))
			if (n-x)%2 == 1 {
				w.Neg(w)
			}
			factors[x] = oracle.Fn.Mul(oracle.Fn.Inv(oracle.Fn.Reduce(w)), value(c, big.NewInt(int64(x))))
			if x < n {
				f = append(f, r.ValidScalar())
				sum = oracle.Fn.Add(sum, oracle.Fn.Mul(factors[x], f[x]))
			}
		}
		f = append(f, oracle.Fn.Mul(oracle.Fn.Sub(new(big.Int), sum), oracle.Fn.Inv(factors[n])))
		values := multiples(scalars(t, f))
		points := pointers(values)
		libtest.SetRandom(t, bytes.NewReader(stream))
		if !OnPolynomial(points, 2) {
			t.Errorf("%d points: other coefficients than were drawn", n+1)
		}
	}
}

// TestRandomScalar draws 2²⁵⁶ − 1 and n, which are refused, and then n − 1.
func TestRandomScalar(t *testing.T) {
	n, last := oracle.Bytes(oracle.N), oracle.Bytes(new(big.Int).Sub(oracle.N, big.NewInt(1)))
	libtest.SetRandom(t, bytes.NewReader(slices.Concat(bytes.Repeat([]byte{255}, 32), n[:], last[:])))
	var s curve.Scalar
	randomScalar(&s)
	if !bytes.Equal(s.Bytes(), last[:]) {
		t.Errorf("%x, want n − 1", s.Bytes())
	}
}
