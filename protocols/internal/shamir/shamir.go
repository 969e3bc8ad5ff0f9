// Package shamir evaluates and interpolates polynomials modulo the group order for threshold protocols (A. Shamir, "How
// to share a secret", 1979). The secret is the value of the polynomial at 0. Participants are numbered from 0, and the
// share of participant i is the value at i + 1.
package shamir

import (
	"crypto/rand"
	"fmt"

	"p256k1.mleku.dev/v2/curve"
)

// CheckSizes returns an error that says which number is out of range, unless any t of n participants can have the key.
// There may be at most most participants, or 2³² − 1 if large is true.
func CheckSizes(t, n, most int, large bool) error {
	switch {
	case n < 1:
		return fmt.Errorf("%d participants, want at least 1", n)
	case n > most && !large:
		return fmt.Errorf("%d participants, want at most %d unless frost.Options.Large is set", n, most)
	case int64(n) >= 1<<32:
		return fmt.Errorf("%d participants, want at most %d", n, int64(1)<<32-1)
	case t < 1 || t > n:
		return fmt.Errorf("a threshold of %d, want 1 to %d, the number of participants", t, n)
	}
	return nil
}

// Evaluate sets v to f(id + 1) for the polynomial f with the coefficients c, where c[0] is the value at 0. It is
// constant-time with respect to the coefficients. v must not be one of the coefficients.
func Evaluate(v *curve.Scalar, c []curve.Scalar, id uint32) { evaluate(v, c, uint64(id)+1) }

// evaluate sets v to the value of a polynomial at x, which is public. coefficients[0] is the value at 0.
func evaluate(v *curve.Scalar, coefficients []curve.Scalar, x uint64) {
	var position curve.Scalar
	position.SetUint64(x)
	v.SetUint64(0)
	for i := len(coefficients) - 1; i >= 0; i-- {
		v.Mul(v, &position)
		v.Add(v, &coefficients[i])
	}
}

// EvaluatePoints returns f(id + 1)·G for the polynomial f, given the points cᵢ·G of its coefficients cᵢ.
func EvaluatePoints(c []curve.Point, id uint32) *curve.Point {
	powers, terms, points := make([]curve.Scalar, len(c)), make([]*curve.Scalar, len(c)), make([]*curve.Point, len(c))
	var x, sum = new(curve.Scalar).SetUint64(uint64(id) + 1), new(curve.Point)
	for i := range c {
		if i == 0 {
			powers[i].SetUint64(1)
		} else {
			powers[i].Mul(&powers[i-1], x)
		}
		terms[i], points[i] = &powers[i], &c[i]
	}
	return sum.MultiScalarMultVartime(terms, points)
}

// Interpolation returns the factors λᵢ with Σ λᵢ·f(idᵢ + 1) = f(0), for every polynomial f whose degree is below the
// number of ids (DeriveInterpolatingValue of BIP-445). All ids must be different. For equal ids, all factors are zero.
func Interpolation(ids []uint32) []curve.Scalar { return interpolation(ids, 0) }

// InterpolationAt returns the factors λᵢ with Σ λᵢ·f(idᵢ + 1) = f(id + 1), for every polynomial f whose degree is below
// the number of ids. If id is among ids, its factor is 1 and all other factors are 0.
func InterpolationAt(ids []uint32, id uint32) []curve.Scalar { return interpolation(ids, uint64(id)+1) }

// interpolation returns the factors λᵢ with Σ λᵢ·f(idᵢ + 1) = f(x).
func interpolation(ids []uint32, x uint64) []curve.Scalar {
	var position, place, difference curve.Scalar
	position.SetUint64(x)
	denominators, lambda := make([]curve.Scalar, len(ids)), make([]curve.Scalar, len(ids))
	for i := range ids {
		lambda[i].SetUint64(1)
		denominators[i].SetUint64(1)
		for j := range ids {
			if j == i {
				continue
			}
			place.SetUint64(uint64(ids[j]) + 1)
			lambda[i].Mul(&lambda[i], difference.Sub(&place, &position))
			denominators[i].Mul(&denominators[i], difference.Sub(&place, difference.SetUint64(uint64(ids[i])+1)))
		}
		if denominators[i].IsZero() == 1 {
			return make([]curve.Scalar, len(ids))
		}
	}
	curve.InvertBatch(denominators, denominators)
	for i := range lambda {
		lambda[i].Mul(&lambda[i], &denominators[i])
	}
	return lambda
}

// OnPolynomial reports whether the n + 1 points are f(0)·G, f(1)·G, …, f(n)·G for some polynomial f of degree below t.
// It chooses a random polynomial c of degree below n + 1 − t, and then computes Σ c(x)·f(x)·G/Π(x − y) over x = 0, …,
// n, where the product is over all y ≠ x in the same range. This sum is the coefficient of xⁿ in the polynomial that
// interpolates c·f, multiplied by G. If deg f < t, then c·f has degree below n and the sum is infinity (I. Cascudo and
// B. David, "SCRAPE", section 2.1). If there is no such f, the sum is infinity with a probability of 2⁻²⁵⁶.
func OnPolynomial(points []*curve.Point, t int) bool {
	c := make([]curve.Scalar, len(points)-t)
	for i := range c {
		randomScalar(&c[i])
	}
	terms, weights := make([]*curve.Scalar, len(points)), make([]curve.Scalar, len(points))
	// Π(x − y) is x!·(n − x)! with the sign of n − x.
	n := len(points) - 1
	factorials := make([]curve.Scalar, n+1)
	factorials[0].SetUint64(1)
	var x curve.Scalar
	for i := 1; i <= n; i++ {
		factorials[i].Mul(&factorials[i-1], x.SetUint64(uint64(i)))
	}
	for i := range weights {
		w := &weights[i]
		w.Mul(&factorials[i], &factorials[n-i])
		w.CondNegate(w, (n-i)&1)
	}
	curve.InvertBatch(weights, weights)
	for i := range weights {
		var value curve.Scalar
		evaluate(&value, c, uint64(i))
		weights[i].Mul(&weights[i], &value)
		terms[i] = &weights[i]
	}
	var sum curve.Point
	return sum.MultiScalarMultVartime(terms, points).IsInfinity() == 1
}

// randomScalar sets s to a random number that is not secret.
func randomScalar(s *curve.Scalar) {
	var b [32]byte
	for {
		rand.Read(b[:]) // never fails
		if _, err := s.SetBytes(b[:]); err == nil {
			return
		}
	}
}
