package curve_test

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"log"

	"p256k1.mleku.dev/v2/curve"
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

// hashToPoint returns a point whose discrete logarithm nobody knows.
func hashToPoint(label string) *curve.Point {
	p, err := new(curve.Point).HashToCurve([]byte(label), []byte("example.org-V01-CS02-with-secp256k1_XMD:SHA-256_SSWU_RO_"))
	if err != nil {
		log.Fatal(err)
	}
	return p
}

// This is Schnorr's proof of knowledge of x for the point X = x·G.
func Example() {
	var X, R curve.Point
	x, k := random(), random()
	defer x.Zero()
	defer k.Zero()
	X.ScalarBaseMult(x)

	// The prover commits to a nonce k by R = k·G and answers with s = k + e·x. The hash e takes the place of a
	// challenge by the verifier.
	R.ScalarBaseMult(k)
	e := hash(R.Bytes(), X.Bytes())
	var s curve.Scalar
	s.Mul(e, x).Add(&s, k)

	// The verifier tests that s·G − e·X = R. The values s, e, X and R are public.
	var V curve.Point
	V.DoubleScalarBaseMultVartime(e.Negate(e), &X, &s)
	fmt.Println(V.Equal(&R))
	// Output: 1
}

// A verifier that uses the same point many times precomputes the point's multiples.
func ExamplePoint_PrecomputeVartime() {
	x := random()
	var P, sum, twice curve.Point
	P.ScalarBaseMult(x).PrecomputeVartime()
	fmt.Println(P.IsPrecomputed(), twice.Double(&P).IsPrecomputed())

	// x·P − x²·G = 0 and 1·P + x·G = 2·P.
	var one, square curve.Scalar
	one.SetUint64(1)
	square.Mul(x, x).Negate(&square)
	fmt.Println(sum.DoubleScalarBaseMultVartime(x, &P, &square).IsInfinity())
	fmt.Println(sum.DoubleScalarBaseMultVartime(&one, &P, x).Equal(&twice))
	// Output:
	// true false
	// 1
	// 1
}

// The sum of Pedersen commitments v·G + r·H is the commitment to the sum of the values.
func ExamplePoint_MultiScalarMultVartime() {
	var G curve.Point
	G.SetGenerator()
	H := hashToPoint("H")
	commit := func(v uint64, r *curve.Scalar) *curve.Point {
		// v and r are secret, so the products are computed in constant time.
		var vG, rH curve.Point
		vG.ScalarBaseMult(new(curve.Scalar).SetUint64(v))
		rH.ScalarMult(r, H)
		return vG.Add(&vG, &rH)
	}
	r1, r2 := random(), random()
	c1, c2 := commit(20, r1), commit(22, r2)

	// To open the sum, its value and randomness become public: 1·C₁ + 1·C₂ − 42·G − (r₁ + r₂)·H = 0.
	var one, v, r curve.Scalar
	one.SetUint64(1)
	v.SetUint64(42).Negate(&v)
	r.Add(r1, r2).Negate(&r)
	var sum curve.Point
	sum.MultiScalarMultVartime([]*curve.Scalar{&one, &one, &v, &r}, []*curve.Point{c1, c2, &G, H})
	fmt.Println(sum.IsInfinity())
	// Output: 1
}

// This is ElGamal encryption of a point M: (k·G, M + k·X).
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

	// Anyone can re-encrypt M with another nonce j.
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

// This is Shamir's secret sharing, with three shares, any two of which restore the secret.
func ExampleScalar_Invert() {
	secret, slope := random(), random()
	share := func(i uint64) *curve.Scalar { // secret + slope·i
		s := new(curve.Scalar).SetUint64(i)
		return s.Mul(s, slope).Add(s, secret)
	}
	// Lagrange interpolation at 0 from i and j gives (s_i·j − s_j·i)/(j − i).
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

// One of two values is selected in constant time.
func ExamplePoint_Select() {
	var G, P, Q curve.Point
	var k, one, two curve.Scalar
	G.SetGenerator()
	one.SetUint64(1)
	two.SetUint64(2)
	for bit := range 2 {
		// The result is −2·G if the bit is set, and G otherwise.
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

	// To make a scalar from a hash, reduce it.
	digest := sha256.Sum256([]byte("a message"))
	s.SetBytesReduced(&digest)
	fmt.Printf("%x\n", s.Bytes())

	// Output:
	// true curve: scalar: out of range: not below the group order
	// f53c09ca39717a45c62d9aca8f8113eddbfd5f81dcab0b33b1c1834075225e68
}

// The owner of a secret scalar computes the points that are shared with many senders, for example the senders of
// payments to one address.
func ExampleScalarMultBatch() {
	x := random()
	defer x.Zero()
	nonces, points, shared := make([]curve.Scalar, 3), make([]curve.Point, 3), make([]curve.Point, 3)
	for i := range nonces {
		nonces[i].Set(random())
	}
	curve.ScalarBaseMultBatch(points, nonces) // each sender computes one point

	curve.ScalarMultBatch(shared, x, points)
	var X, want curve.Point
	X.ScalarBaseMult(x)
	for i := range shared {
		fmt.Print(shared[i].Equal(want.ScalarMult(&nonces[i], &X)))
	}
	// Output: 111
}

func ExampleBackend() {
	fmt.Println(curve.Backend() != "") // for example "x86-64 (BMI2, ADX, AVX2)"
	// Output: true
}

// Some of the x coordinates belong to no point of the curve.
func ExampleLiftXBatch() {
	x := make([][32]byte, 3)
	for i := range x {
		x[i][31] = byte(3 + i)
	}
	points := make([]curve.Point, len(x))
	curve.LiftXBatch(points, x)
	for i := range points {
		fmt.Print(points[i].IsInfinity())
	}
	// Output: 001
}

// The outputs of a transaction are public, so the time may depend on them.
func ExampleLiftXBatchVartime() {
	outputs := make([][32]byte, 3)
	for i := range outputs {
		outputs[i][31] = byte(1 + i)
	}
	points := make([]curve.Point, len(outputs))
	curve.LiftXBatchVartime(points, outputs)
	for i := range points {
		fmt.Print(points[i].Bytes()[0]) // 2 for an even y, or 0 for infinity
	}
	// Output: 222
}

// Many Schnorr proofs of knowledge are verified in one call, with a verdict on each.
func ExampleDoubleScalarBaseMultBatchVartime() {
	const n = 3
	x, k, e, s := make([]curve.Scalar, n), make([]curve.Scalar, n), make([]curve.Scalar, n), make([]curve.Scalar, n)
	X, R, V := make([]curve.Point, n), make([]curve.Point, n), make([]curve.Point, n)
	for i := range n {
		x[i].Set(random())
		k[i].Set(random())
	}
	curve.ScalarBaseMultBatch(X, x)
	curve.ScalarBaseMultBatch(R, k)
	for i := range n {
		e[i].Set(hash(R[i].Bytes(), X[i].Bytes()))
		s[i].Mul(&e[i], &x[i]).Add(&s[i], &k[i])
		e[i].Negate(&e[i])
	}
	s[1].SetUint64(1)

	curve.DoubleScalarBaseMultBatchVartime(V, e, X, s)
	for i := range n {
		fmt.Print(V[i].Equal(&R[i]))
	}
	// Output: 101
}

// Many Schnorr proofs of knowledge are verified with one verdict: the sum of their equations, multiplied by random
// weights, must be infinity. The first weight can be 1.
func ExampleScalar_SetWeight() {
	var sum, X, R curve.Point
	var scalars []*curve.Scalar
	var points []*curve.Point
	var ofG curve.Scalar
	for range 3 {
		x, k := random(), random()
		X.ScalarBaseMult(x)
		R.ScalarBaseMult(k)
		e := hash(R.Bytes(), X.Bytes())
		var s, we, ws curve.Scalar
		s.Mul(e, x).Add(&s, k)

		var b [16]byte
		rand.Read(b[:])
		w := new(curve.Scalar).SetWeight(&b)
		ofG.Sub(&ofG, ws.Mul(w, &s)) // w·R + w·e·X − w·s·G
		scalars = append(scalars, w, we.Mul(w, e))
		points = append(points, new(curve.Point).Set(&R), new(curve.Point).Set(&X))
	}
	scalars, points = append(scalars, &ofG), append(points, new(curve.Point).SetGenerator())
	fmt.Println(sum.MultiScalarMultVartime(scalars, points).IsInfinity())
	// Output: 1
}

// Many points are normalized together before they are encoded, with few inversions.
func ExampleNormalizeBatch() {
	var G curve.Point
	G.SetGenerator()
	multiples := make([]curve.Point, 4)
	for i := range multiples[1:] {
		multiples[i+1].Add(&multiples[i], &G)
	}
	curve.NormalizeBatch(multiples)
	for i := range multiples {
		fmt.Printf("%.8x\n", multiples[i].Bytes())
	}
	// Output:
	// 00
	// 0279be667ef9dcbb
	// 02c6047f9441ed7d
	// 02f9308a019258c3
}

// Many scalars are inverted together, with one inversion.
func ExampleInvertBatch() {
	s := make([]curve.Scalar, 3)
	for i := range s {
		s[i].SetUint64(uint64(i + 1))
	}
	inverses := make([]curve.Scalar, len(s))
	curve.InvertBatch(inverses, s)
	var product curve.Scalar
	for i := range s {
		fmt.Println(product.Mul(&s[i], &inverses[i]).Bytes()[31])
	}
	// Output:
	// 1
	// 1
	// 1
}

func ExamplePoint_HashToCurve() {
	// The tag names the protocol, its version and the suite (RFC 9380, section 3.1).
	p, err := new(curve.Point).HashToCurve([]byte("abc"), []byte("QUUX-V01-CS02-with-secp256k1_XMD:SHA-256_SSWU_RO_"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", p.Bytes())
	// Output: 023377e01eab42db296b512293120c6cee72b6ecf9f9205760bd9ff11fb3cb2c4b
}

func ExamplePoint_EncodeToCurve() {
	p, err := new(curve.Point).EncodeToCurve([]byte("abc"), []byte("QUUX-V01-CS02-with-secp256k1_XMD:SHA-256_SSWU_NU_"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", p.Bytes())
	// Output: 033f3b5842033fff837d504bb4ce2a372bfeadbdbd84a1d2b678b6e1d7ee426b9d
}

// A message is hashed to a scalar. An integer of 48 pseudorandom bytes, reduced modulo the order, is practically
// uniform.
func ExampleScalar_SetUniformBytes() {
	var uniform [48]byte
	if err := curve.ExpandMessageXMD(uniform[:], []byte("abc"), []byte("example.org-V01 scalars")); err != nil {
		log.Fatal(err)
	}
	s, err := new(curve.Scalar).SetUniformBytes(uniform[:])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", s.Bytes())
	// Output: d20f5e064831530fc369a63050e275ab141b4198cf26b20d6d37cda86b7b56d1
}

// Many proofs of knowledge of x for C = x·B, each with its own base B, are verified by R = s·B − e·C.
func ExampleDoubleScalarMultBatchVartime() {
	n := 3
	s, minusE, b, c := make([]curve.Scalar, n), make([]curve.Scalar, n), make([]curve.Point, n), make([]curve.Point, n)
	nonces, R, want := make([]curve.Scalar, n), make([]curve.Point, n), make([]curve.Point, n)
	for i := range n {
		x, base := random(), random()
		nonces[i].Set(random())
		b[i].ScalarBaseMult(base)
		c[i].ScalarMult(x, &b[i])
		want[i].ScalarMult(&nonces[i], &b[i])
		e := hash(want[i].Bytes())
		s[i].Mul(e, x).Add(&s[i], &nonces[i])
		minusE[i].Negate(e)
	}
	curve.DoubleScalarMultBatchVartime(R, s, b, minusE, c)
	for i := range R {
		fmt.Print(R[i].Equal(&want[i]))
	}
	// Output: 111
}

// The aggregate key of a set of signers is a sum of their keys, multiplied by coefficients. The aggregate keys of
// several sets are computed in one call.
func ExampleMultiScalarMultBatchVartime() {
	const sets, signers = 3, 4
	sums, k, a := make([]curve.Point, sets), make([][]*curve.Scalar, sets), make([][]*curve.Point, sets)
	for i := range sums {
		for range signers {
			k[i], a[i] = append(k[i], random()), append(a[i], new(curve.Point).ScalarBaseMult(random()))
		}
	}
	curve.MultiScalarMultBatchVartime(sums, k, a)
	for i := range sums {
		var one curve.Point
		fmt.Print(sums[i].Equal(one.MultiScalarMultVartime(k[i], a[i])))
	}
	// Output: 111
}

// A public point is normalized once and encoded many times.
func ExamplePoint_NormalizeVartime() {
	var p curve.Point
	p.SetGenerator()
	p.Double(&p).NormalizeVartime()
	fmt.Println(p.IsYOdd(), len(p.Bytes()))
	// Output: 0 33
}
