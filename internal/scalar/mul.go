package scalar

import "math/bits"

// Mul sets v = a · b.
func (v *Scalar) Mul(a, b *Scalar) *Scalar {
	mul(v, a, b)
	return v
}

func mulGeneric(v, a, b *Scalar) {
	var w [8]uint64
	mulWide(&w, a, b)

	// Replace 2²⁵⁶ by c = 2²⁵⁶ − n < 1.28·2¹²⁸ three times. First
	// t = w[4…7]·c + w[0…3] < 1.28·2³⁸⁴ + 2²⁵⁶, so t6 ≤ 1.
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

	// Then r = t[4…6]·c + t[0…3] < 1.64·2²⁵⁶ + 2²⁵⁶, so r4 ≤ 2.
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

	// Last r4·c, whose limbs do not overflow, leaves less than
	// 2²⁵⁶ + 2·c < 2n.
	r0, cy = bits.Add64(r0, r4*c0, 0)
	r1, cy = bits.Add64(r1, r4*c1, cy)
	r2, cy = bits.Add64(r2, r4, cy)
	r3, cy = bits.Add64(r3, 0, cy)
	v.reduce(r0, r1, r2, r3, cy)
}

// mulWide sets w to the product of a and b.
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
