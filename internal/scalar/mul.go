package scalar

import "math/bits"

// Mul sets v = a · b.
func (v *Scalar) Mul(a, b *Scalar) *Scalar {
	mul(v, a, b)
	return v
}

// mulGeneric sets v = a · b. The product has eight limbs. It is folded three times with 2²⁵⁶ ≡ c modulo n, where c =
// 2²⁵⁶ − n has the limbs 1, c1 and c0 and is below 1.28·2¹²⁸. A fold replaces H·2²⁵⁶ + L by H·c + L, where H holds the
// limbs from 2²⁵⁶ on, and L holds the four limbs below them. The first fold adds these columns:
//
//	              t6   t5   t4   t3   t2   t1   t0
//	L                            w3   w2   w1   w0
//	H·c0                    a4   a3   a2   a1   a0
//	H·c1·2⁶⁴           b4   b3   b2   b1   b0
//	H·2¹²⁸        cy   w7   w6   w5   w4
func mulGeneric(v, a, b *Scalar) {
	var w [8]uint64
	mulWide(&w, a, b)

	// First fold: H < 2²⁵⁶ and L < 2²⁵⁶, so the result is below 1.28·2³⁸⁴ + 2²⁵⁶, and t6 ≤ 1.
	w4, w5, w6, w7 := w[4], w[5], w[6], w[7]
	a0, a1, a2, a3, a4 := mul4x1(w4, w5, w6, w7, c0)
	b0, b1, b2, b3, b4 := mul4x1(w4, w5, w6, w7, c1)
	t0, cy := bits.Add64(w[0], a0, 0)
	t1, cy := bits.Add64(w[1], a1, cy)
	t2, cy := bits.Add64(w[2], a2, cy)
	t3, cy := bits.Add64(w[3], a3, cy)
	t4, _ := bits.Add64(a4, 0, cy)
	t1, cy = bits.Add64(t1, b0, 0)
	t2, cy = bits.Add64(t2, b1, cy)
	t3, cy = bits.Add64(t3, b2, cy)
	t4, cy = bits.Add64(t4, b3, cy)
	t5, _ := bits.Add64(b4, 0, cy)
	t2, cy = bits.Add64(t2, w4, 0)
	t3, cy = bits.Add64(t3, w5, cy)
	t4, cy = bits.Add64(t4, w6, cy)
	t5, cy = bits.Add64(t5, w7, cy)
	t6 := cy

	// Second fold: H = (t6, t5, t4) is below 1.28·2¹²⁸, so H·c + L is below 1.64·2²⁵⁶ + 2²⁵⁶, and r4 ≤ 2. The limbs a4
	// and b4 would be 0, since H has only a few bits more than two limbs.
	a0, a1, a2, a3, _ = mul4x1(t4, t5, t6, 0, c0)
	b0, b1, b2, b3, _ = mul4x1(t4, t5, t6, 0, c1)
	r0, cy := bits.Add64(t0, a0, 0)
	r1, cy := bits.Add64(t1, a1, cy)
	r2, cy := bits.Add64(t2, a2, cy)
	r3, cy := bits.Add64(t3, a3, cy)
	r4 := b3 + cy
	r1, cy = bits.Add64(r1, b0, 0)
	r2, cy = bits.Add64(r2, b1, cy)
	r3, cy = bits.Add64(r3, b2, cy)
	r4 += cy
	r2, cy = bits.Add64(r2, t4, 0)
	r3, cy = bits.Add64(r3, t5, cy)
	r4 += t6 + cy

	// Third fold: H = r4 ≤ 2. The products r4·c0 and r4·c1 fit in a limb, since c0 and c1 are below 2⁶³. The result is
	// below 2²⁵⁶ + 2·c < 2n, as reduce requires.
	r0, cy = bits.Add64(r0, r4*c0, 0)
	r1, cy = bits.Add64(r1, r4*c1, cy)
	r2, cy = bits.Add64(r2, r4, cy)
	r3, cy = bits.Add64(r3, 0, cy)
	v.reduce(r0, r1, r2, r3, cy)
}

// mulWide sets w to the product of a and b. Row i, from mul4x1, is a·b.lᵢ and begins in column i. After row i the
// columns up to i+4 hold a·(b.l0 + … + b.lᵢ·2⁶⁴ⁱ), which fits in these columns, so the carries that the code discards
// are 0.
func mulWide(w *[8]uint64, a, b *Scalar) {
	x0, x1, x2, x3 := a.l0, a.l1, a.l2, a.l3
	r0, r1, r2, r3, r4 := mul4x1(x0, x1, x2, x3, b.l0)
	p0, p1, p2, p3, r5 := mul4x1(x0, x1, x2, x3, b.l1)
	r1, cy := bits.Add64(r1, p0, 0)
	r2, cy = bits.Add64(r2, p1, cy)
	r3, cy = bits.Add64(r3, p2, cy)
	r4, cy = bits.Add64(r4, p3, cy)
	r5, _ = bits.Add64(r5, 0, cy)
	p0, p1, p2, p3, r6 := mul4x1(x0, x1, x2, x3, b.l2)
	r2, cy = bits.Add64(r2, p0, 0)
	r3, cy = bits.Add64(r3, p1, cy)
	r4, cy = bits.Add64(r4, p2, cy)
	r5, cy = bits.Add64(r5, p3, cy)
	r6, _ = bits.Add64(r6, 0, cy)
	p0, p1, p2, p3, r7 := mul4x1(x0, x1, x2, x3, b.l3)
	r3, cy = bits.Add64(r3, p0, 0)
	r4, cy = bits.Add64(r4, p1, cy)
	r5, cy = bits.Add64(r5, p2, cy)
	r6, cy = bits.Add64(r6, p3, cy)
	r7, _ = bits.Add64(r7, 0, cy)
	*w = [8]uint64{r0, r1, r2, r3, r4, r5, r6, r7}
}

// mul4x1 returns the five limbs of (x3, x2, x1, x0)·y.
func mul4x1(x0, x1, x2, x3, y uint64) (r0, r1, r2, r3, r4 uint64) {
	h0, r0 := bits.Mul64(x0, y)
	h1, r1 := bits.Mul64(x1, y)
	h2, r2 := bits.Mul64(x2, y)
	h3, r3 := bits.Mul64(x3, y)
	r1, cy := bits.Add64(r1, h0, 0)
	r2, cy = bits.Add64(r2, h1, cy)
	r3, cy = bits.Add64(r3, h2, cy)
	r4, _ = bits.Add64(h3, 0, cy)
	return r0, r1, r2, r3, r4
}
