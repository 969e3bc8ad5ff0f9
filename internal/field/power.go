package field

import "p256k1.mleku.dev/v2/internal/modinv"

// SquareN sets v = a^(2ⁿ) for n > 0.
func (v *Element) SquareN(a *Element, n int) *Element {
	if n < 1 {
		panic("field: SquareN of n < 1")
	}
	squareN(v, a, n)
	return v
}

// Invert sets v = a⁻¹, or v = 0 if a ≡ 0.
func (v *Element) Invert(a *Element) *Element {
	v.Normalize(a)
	r := modinv.Invert(&[4]uint64{v.l0, v.l1, v.l2, v.l3}, &modinv.P)
	v.l0, v.l1, v.l2, v.l3 = r[0], r[1], r[2], r[3]
	return v
}

// InvertVartime sets v = a⁻¹, or v = 0 if a ≡ 0, in time that depends on a.
func (v *Element) InvertVartime(a *Element) *Element {
	v.Normalize(a)
	r := modinv.InvertVartime(&[4]uint64{v.l0, v.l1, v.l2, v.l3}, &modinv.P)
	v.l0, v.l1, v.l2, v.l3 = r[0], r[1], r[2], r[3]
	return v
}

// Sqrt sets v to a square root of a and returns all ones if a is a square. Otherwise it sets v to a square root of −a
// and returns zero.
//
// The root is r = a^((p+1)/4), whose exponent is an integer because p ≡ 3 mod 4. Then r² = a·a^((p−1)/2), which is a
// for squares and −a for all others, by Euler's criterion.
func (v *Element) Sqrt(a *Element) (isSquare uint64) {
	var x, t Element
	x.Set(a)
	rootPower(v, a)
	return t.Square(v).Equal(&x)
}

// InvertSqrt sets v to the inverse of a square root of a and returns all ones if a is a square other than 0. Otherwise
// it sets v to the inverse of a square root of −a, or to 0 if a ≡ 0, and returns zero.
//
// v is a^((p−3)/4), so v²·a = a^((p−1)/2) is 1, −1 or 0. If a is a square, one exponentiation thus gives both a root of
// a, which is a·v, and 1/a, which is v².
func (v *Element) InvertSqrt(a *Element) (isSquare uint64) {
	var x, x2, t, one Element
	x.Set(a)
	rootChain(&t, &x2, a)
	// The exponent continues with the bits 00001 and 011.
	t.SquareN(&t, 5).Mul(&t, &x)
	t.SquareN(&t, 3)
	v.Mul(&t, &x2)
	one.SetUint64(1)
	return t.Square(v).Mul(&t, &x).Equal(&one)
}

// rootPower sets v = a^((p+1)/4).
func rootPower(v, a *Element) {
	var x2, t Element
	rootChain(&t, &x2, a)
	t.SquareN(&t, 6).Mul(&t, &x2) // the exponent continues with 000011
	v.SquareN(&t, 2)              // and ends with 00
}

// rootChain sets x2 to a³, and t to the power of a whose exponent is 1₂₂₃ 0 1₂₂, the first 246 bits of both (p+1)/4 and
// (p−3)/4. In binary, where 1ₖ stands for k ones:
//
//	(p+1)/4 = 2²⁵⁴ − 2³⁰ − 244 = 1₂₂₃ 0 1₂₂ 0000 11 00
//	(p−3)/4 = 2²⁵⁴ − 2³⁰ − 245 = 1₂₂₃ 0 1₂₂ 0000 1 0 11
//
// Squaring appends a zero to the exponent, and multiplying adds the exponents. So the power for j+k ones takes k
// squarings of the power for j ones, and one product with the power for k ones.
func rootChain(t, x2, a *Element) {
	// xₖ is a^(2ᵏ−1), whose exponent is k ones.
	var x3, x22, x44, x88 Element
	x2.Square(a).Mul(x2, a)
	x3.Square(x2).Mul(&x3, a)
	t.SquareN(&x3, 3).Mul(t, &x3)   // x6
	t.SquareN(t, 3).Mul(t, &x3)     // x9
	t.SquareN(t, 2).Mul(t, x2)      // x11
	x22.SquareN(t, 11).Mul(&x22, t) // x22
	x44.SquareN(&x22, 22).Mul(&x44, &x22)
	x88.SquareN(&x44, 44).Mul(&x88, &x44)
	t.SquareN(&x88, 88).Mul(t, &x88) // x176
	t.SquareN(t, 44).Mul(t, &x44)    // x220
	t.SquareN(t, 3).Mul(t, &x3)      // x223
	t.SquareN(t, 23).Mul(t, &x22)    // x223, a zero, x22
}

// SqrtPair sets v[i] to a square root of a[i], or of −a[i] if a[i] is not a square, and returns all ones for each
// square and zero for each other element. SqrtPair interleaves the operations on the two elements, so that the
// processor overlaps their squarings, and is 1.2 × as fast as two calls of Sqrt.
func SqrtPair(v, a *[2]Element) (areSquares [2]uint64) {
	x, r := pair(*a), (*pair)(v)
	var t pair
	r.rootPower(&x)
	t.squareN(r, 1)
	for i := range t {
		areSquares[i] = t[i].Equal(&x[i])
	}
	return areSquares
}

// pair is two elements. Each method applies the same operations to both, interleaved.
type pair [2]Element

// squareN sets v = a^(2ⁿ) for n > 0.
func (v *pair) squareN(a *pair, n int) {
	square(&v[0], &a[0])
	square(&v[1], &a[1])
	for range n - 1 {
		square(&v[0], &v[0])
		square(&v[1], &v[1])
	}
}

// power sets v = a^(2ⁿ)·b, for n > 0. b must not be v.
func (v *pair) power(a *pair, n int, b *pair) {
	v.squareN(a, n)
	mul(&v[0], &v[0], &b[0])
	mul(&v[1], &v[1], &b[1])
}

// rootPower sets v[i] = a[i]^((p+1)/4), by the same addition chain as rootChain and the function rootPower for one
// element.
func (v *pair) rootPower(a *pair) {
	var t, x2, x3, x22, x44, x88 pair
	x2.power(a, 1, a)
	x3.power(&x2, 1, a)
	t.power(&x3, 3, &x3)
	t.power(&t, 3, &x3)
	t.power(&t, 2, &x2)
	x22.power(&t, 11, &t)
	x44.power(&x22, 22, &x22)
	x88.power(&x44, 44, &x44)
	t.power(&x88, 88, &x88)
	t.power(&t, 44, &x44)
	t.power(&t, 3, &x3)
	t.power(&t, 23, &x22)
	t.power(&t, 6, &x2)
	v.squareN(&t, 2)
}
