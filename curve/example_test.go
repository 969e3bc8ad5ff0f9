package curve_test

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"log"

	"p256k1.mleku.dev/curve"
)

// random returns a random scalar.
func random() *curve.Scalar {
	var b [32]byte
	rand.Read(b[:])
	return new(curve.Scalar).SetBytesReduced(&b)
}

// hash returns the hash of some bytes as a scalar.
func hash(data ...[]byte) *curve.Scalar {
	h := sha256.New()
	for _, b := range data {
		h.Write(b)
	}
	return new(curve.Scalar).SetBytesReduced((*[32]byte)(h.Sum(nil)))
}

// hashToPoint returns a point of which nobody knows the discrete logarithm, by
// trying x coordinates.
func hashToPoint(label string) *curve.Point {
	x := sha256.Sum256([]byte(label))
	for {
		if p, err := new(curve.Point).LiftX(x[:]); err == nil {
			return p
		}
		x = sha256.Sum256(x[:])
	}
}

// The proof of Schnorr that one knows the x in X = x·G.
func Example() {
	var X, R curve.Point
	x, k := random(), random()
	defer x.Zero()
	defer k.Zero()
	X.ScalarBaseMult(x)

	// The prover commits to a nonce, and the hash stands in for the verifier:
	// s = k + e·x.
	R.ScalarBaseMult(k)
	e := hash(R.Bytes(), X.Bytes())
	var s curve.Scalar
	s.Mul(e, x).Add(&s, k)

	// The verifier tests that s·G − e·X = R. All of that is public.
	var V curve.Point
	V.DoubleScalarBaseMultVartime(e.Negate(e), &X, &s)
	fmt.Println(V.Equal(&R))
	// Output: 1
}

// Commitments of Pedersen, v·G + r·H, add up to the commitment to the sum.
func ExamplePoint_MultiScalarMultVartime() {
	var G curve.Point
	G.SetGenerator()
	H := hashToPoint("H")
	commit := func(v uint64, r *curve.Scalar) *curve.Point {
		// In constant time, as v and r are secret.
		var vG, rH curve.Point
		vG.ScalarBaseMult(new(curve.Scalar).SetUint64(v))
		rH.ScalarMult(r, H)
		return vG.Add(&vG, &rH)
	}
	r1, r2 := random(), random()
	c1, c2 := commit(20, r1), commit(22, r2)

	// Opened, they are public: 1·C₁ + 1·C₂ − 42·G − (r₁ + r₂)·H = 0.
	var one, v, r curve.Scalar
	one.SetUint64(1)
	v.SetUint64(42).Negate(&v)
	r.Add(r1, r2).Negate(&r)
	var sum curve.Point
	sum.MultiScalarMultVartime([]*curve.Scalar{&one, &one, &v, &r}, []*curve.Point{c1, c2, &G, H})
	fmt.Println(sum.IsInfinity())
	// Output: 1
}

// ElGamal's encryption of a point M: (k·G, M + k·X).
func ExamplePoint_ScalarMult() {
	x := random()
	var X curve.Point
	X.ScalarBaseMult(x)
	M := hashToPoint("a message")

	k := random()
	var A, B curve.Point
	A.ScalarBaseMult(k)
	B.ScalarMult(k, &X)
	B.Add(&B, M)

	// The owner of x subtracts x·A = k·X.
	var D curve.Point
	D.ScalarMult(x, &A)
	D.Sub(&B, &D)
	fmt.Println(D.Equal(M))

	// Anyone makes another encryption of it, with a nonce j more.
	j := random()
	var A2, B2, T curve.Point
	A2.Add(&A, T.ScalarBaseMult(j))
	B2.Add(&B, T.ScalarMult(j, &X))
	D.Sub(&B2, T.ScalarMult(x, &A2))
	fmt.Println(D.Equal(M), A2.Equal(&A))

	// Output:
	// 1
	// 1 0
}

// The secret of Shamir in three shares, of which any two restore it.
func ExampleScalar_Invert() {
	secret, slope := random(), random()
	share := func(i uint64) *curve.Scalar { // secret + slope·i
		s := new(curve.Scalar).SetUint64(i)
		return s.Mul(s, slope).Add(s, secret)
	}
	// Lagrange's interpolation at 0 from i and j: (s_i·j − s_j·i)/(j − i).
	restore := func(i, j uint64) *curve.Scalar {
		a, b := new(curve.Scalar).SetUint64(i), new(curve.Scalar).SetUint64(j)
		var numerator, right, denominator curve.Scalar
		numerator.Mul(share(i), b)
		right.Mul(share(j), a)
		numerator.Sub(&numerator, &right)
		denominator.Sub(b, a)
		return numerator.Mul(&numerator, denominator.Invert(&denominator))
	}
	fmt.Println(restore(1, 2).Equal(secret), restore(3, 1).Equal(secret))
	// Output: 1 1
}

// Selections do not show which value was taken.
func ExamplePoint_Select() {
	var G, P, Q curve.Point
	var k, one, two curve.Scalar
	G.SetGenerator()
	one.SetUint64(1)
	two.SetUint64(2)
	for bit := range 2 {
		// −2·G if the bit is set, G if not.
		P.Double(&G)
		P.Select(&P, &G, bit)
		P.CondNegate(&P, bit)

		k.Select(&two, &one, bit)
		k.CondNegate(&k, bit)
		fmt.Println(P.Equal(Q.ScalarBaseMult(&k)), P.Equal(&G))
	}
	// Output:
	// 1 1
	// 1 0
}

func ExamplePoint_SetBytes() {
	var P, Q curve.Point
	P.SetGenerator()
	fmt.Printf("%x\n", P.Bytes())
	if _, err := Q.SetBytes(P.BytesUncompressed()); err != nil {
		log.Fatal(err)
	}
	fmt.Println(P.Equal(&Q), Q.IsYOdd())

	// Infinity has an encoding of its own, which is not accepted.
	P.Sub(&P, &Q)
	fmt.Printf("%x\n", P.Bytes())
	_, err := Q.SetBytes(P.Bytes())
	fmt.Println(errors.Is(err, curve.ErrLength), err)
	_, err = P.BytesX()
	fmt.Println(errors.Is(err, curve.ErrInfinity), err)

	// Output:
	// 0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798
	// 1 0
	// 00
	// true curve: point: wrong length: 1 bytes, want 33 or 65
	// true curve: x coordinate of the point at infinity
}

func ExampleScalar_SetBytes() {
	var s curve.Scalar
	_, err := s.SetBytes(bytes.Repeat([]byte{0xff}, 32))
	fmt.Println(errors.Is(err, curve.ErrRange), err)

	// A hash is reduced instead.
	digest := sha256.Sum256([]byte("a message"))
	s.SetBytesReduced(&digest)
	fmt.Printf("%x\n", s.Bytes())

	// Output:
	// true curve: scalar: out of range: not below the group order
	// f53c09ca39717a45c62d9aca8f8113eddbfd5f81dcab0b33b1c1834075225e68
}

// The test at the end of a verification of ECDSA. Infinity, which the zero value
// is, has no x coordinate.
func ExamplePoint_EqualXModNVartime() {
	var R curve.Point
	R.SetGenerator()
	x, err := R.BytesX()
	if err != nil {
		log.Fatal(err)
	}
	r := new(curve.Scalar).SetBytesReduced((*[32]byte)(x))
	fmt.Println(R.EqualXModNVartime(r), new(curve.Point).EqualXModNVartime(r), R.EqualXModNVartime(r.Negate(r)))
	// Output: true false false
}
