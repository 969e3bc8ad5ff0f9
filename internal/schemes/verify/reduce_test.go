package verify

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestSchnorrReduced judges true claims k·A + g·G = R whose A or R has an x coordinate so small that x + p fits in 32
// bytes. It then replaces x by x + p, which is congruent to x modulo p and must be refused. Tests of package schnorr
// cannot make such claims, because the challenge is a hash of the encodings.
func TestSchnorrReduced(t *testing.T) {
	r := oracle.New(t)
	plusP := func(x *big.Int) [32]byte { return oracle.Bytes(new(big.Int).Add(x, oracle.P)) }
	others, tried := claims(r, 300, 40), 0
	for x := int64(1); tried < 24; x++ {
		small, ok := oracle.LiftX(big.NewInt(x))
		if !ok {
			continue
		}
		k, g := r.ValidScalar(), r.ValidScalar()
		A, R := small, small.Mul(k).Add(oracle.G.Mul(g))
		if tried%2 == 1 { // R is the point with the small x
			A, R = small.Add(oracle.G.Mul(fn.Neg(g))).Mul(fn.Inv(k)), small
		}
		if A.IsInfinity() || R.IsInfinity() {
			continue
		}
		if R.Y.Bit(0) == 1 { // negate the claim
			R, k, g = R.Neg(), fn.Neg(k), fn.Neg(g)
		}
		if A.Y.Bit(0) == 1 {
			A, k = A.Neg(), fn.Neg(k)
		}
		tried++
		a, rx := oracle.Bytes(A.X), oracle.Bytes(R.X)
		claimed(t, others, k, g, a, rx, A, true)
		if A.X.Cmp(small.X) == 0 {
			claimed(t, others, k, g, plusP(A.X), rx, oracle.Point{}, false)
		} else {
			claimed(t, others, k, g, a, plusP(R.X), A, false)
		}
	}
}

// claimed fails the test unless every function returns the verdict want on the claim that k·A + g·G has the x
// coordinate r: for the encoding of A and, unless A is infinity, for the point A.
func claimed(t *testing.T, others []claim, k, g *big.Int, a, r [32]byte, A oracle.Point, want bool) {
	t.Helper()
	ks, gs := toScalar(k), toScalar(g)
	if EvenYOfBytesVartime(ks, a[:], gs, r[:]) != want {
		t.Errorf("EvenYOfBytesVartime with A %x, R %x: %v", a, r, !want)
	}
	if !A.IsInfinity() {
		var p curve.Point
		if _, err := p.SetBytes(A.Compressed()); err != nil {
			t.Fatal(err)
		}
		if EvenYVartime(ks, &p, gs, r[:]) != want {
			t.Errorf("EvenYVartime with A %x, R %x: %v", a, r, !want)
		}
	}
	for _, n := range []int{1, 2, 9, 49, 300} { // judged one by one, and combined
		var b Schnorr
		b.addClaims(others[:n-1])
		b.Add(ks, &a, gs, &r)
		invalid := b.InvalidVartime(nil)
		if b.AllVartime() != want || (len(invalid) == 0) != want || (!want && invalid[0] != n-1) {
			t.Errorf("a batch of %d with A %x, R %x: %v are not true", n, a, r, invalid)
		}
	}
}

// TestECDSAReduced judges true claims k·A + g·G = R whose A has an x coordinate so small that x + p fits in 32 bytes.
// The encoding with x + p must be refused both by itself and in batches.
func TestECDSAReduced(t *testing.T) {
	r := oracle.New(t)
	for x, tried := int64(1), 0; tried < 24; x++ {
		A, ok := oracle.LiftX(big.NewInt(x))
		if !ok {
			continue
		}
		if tried%2 == 1 {
			A = A.Neg()
		}
		ki, gi := r.ValidScalar(), r.ValidScalar()
		R := A.Mul(ki).Add(oracle.G.Mul(gi))
		if R.IsInfinity() {
			continue
		}
		tried++
		k, g, rx := toScalar(ki), toScalar(gi), toScalar(fn.Reduce(R.X))
		good := [33]byte(A.Compressed())
		plusP := oracle.Bytes(new(big.Int).Add(A.X, oracle.P))
		bad := [33]byte(append([]byte{good[0]}, plusP[:]...))
		if !XModNOfBytesVartime(k, good[:], g, rx) || XModNOfBytesVartime(k, bad[:], g, rx) {
			t.Errorf("alone, %x or %x has the wrong verdict", good, bad)
		}
		for _, n := range []int{1, 2, 9, 49, 300} { // the true claim comes before, after or between refused claims
			has, xs, ks, gs, encoded := make([]bool, n), make([]curve.Scalar, n), make([]curve.Scalar, n), make([]curve.Scalar, n), make([][33]byte, n)
			place := r.IntN(n + 1) // if place is n, there is no true claim
			for i := range encoded {
				xs[i].Set(rx)
				ks[i].Set(k)
				gs[i].Set(g)
				encoded[i] = bad
				if i == place {
					encoded[i] = good
				}
			}
			judge(has, xs, ks, nil, encoded, gs, nil)
			for i := range has {
				if has[i] != (i == place) {
					t.Fatalf("a batch of %d, item %d, %x: %v", n, i, encoded[i], has[i])
				}
			}
		}
	}
}
