package field

import "math/bits"

// Products of four limbs of 64 bits, for machines that multiply them to 128.

func mulGeneric(v, a, b *Element) {
	x0, x1, x2, x3 := a.l0, a.l1, a.l2, a.l3
	y0, y1, y2, y3 := b.l0, b.l1, b.l2, b.l3

	// The 512-bit product, row by row: low halves, then high halves.
	h0, r0 := bits.Mul64(x0, y0)
	h1, l1 := bits.Mul64(x0, y1)
	h2, l2 := bits.Mul64(x0, y2)
	h3, l3 := bits.Mul64(x0, y3)
	r1, cy := bits.Add64(h0, l1, 0)
	r2, cy := bits.Add64(h1, l2, cy)
	r3, cy := bits.Add64(h2, l3, cy)
	r4, _ := bits.Add64(h3, 0, cy)

	h0, l0 := bits.Mul64(x1, y0)
	h1, l1 = bits.Mul64(x1, y1)
	h2, l2 = bits.Mul64(x1, y2)
	h3, l3 = bits.Mul64(x1, y3)
	r1, cy = bits.Add64(r1, l0, 0)
	r2, cy = bits.Add64(r2, l1, cy)
	r3, cy = bits.Add64(r3, l2, cy)
	r4, cy = bits.Add64(r4, l3, cy)
	r5, _ := bits.Add64(h3, 0, cy)
	r2, cy = bits.Add64(r2, h0, 0)
	r3, cy = bits.Add64(r3, h1, cy)
	r4, cy = bits.Add64(r4, h2, cy)
	r5, _ = bits.Add64(r5, 0, cy)

	h0, l0 = bits.Mul64(x2, y0)
	h1, l1 = bits.Mul64(x2, y1)
	h2, l2 = bits.Mul64(x2, y2)
	h3, l3 = bits.Mul64(x2, y3)
	r2, cy = bits.Add64(r2, l0, 0)
	r3, cy = bits.Add64(r3, l1, cy)
	r4, cy = bits.Add64(r4, l2, cy)
	r5, cy = bits.Add64(r5, l3, cy)
	r6, _ := bits.Add64(h3, 0, cy)
	r3, cy = bits.Add64(r3, h0, 0)
	r4, cy = bits.Add64(r4, h1, cy)
	r5, cy = bits.Add64(r5, h2, cy)
	r6, _ = bits.Add64(r6, 0, cy)

	h0, l0 = bits.Mul64(x3, y0)
	h1, l1 = bits.Mul64(x3, y1)
	h2, l2 = bits.Mul64(x3, y2)
	h3, l3 = bits.Mul64(x3, y3)
	r3, cy = bits.Add64(r3, l0, 0)
	r4, cy = bits.Add64(r4, l1, cy)
	r5, cy = bits.Add64(r5, l2, cy)
	r6, cy = bits.Add64(r6, l3, cy)
	r7, _ := bits.Add64(h3, 0, cy)
	r4, cy = bits.Add64(r4, h0, 0)
	r5, cy = bits.Add64(r5, h1, cy)
	r6, cy = bits.Add64(r6, h2, cy)
	r7, _ = bits.Add64(r7, 0, cy)

	// First fold: the high half times c.
	h0, l0 = bits.Mul64(r4, c)
	h1, l1 = bits.Mul64(r5, c)
	h2, l2 = bits.Mul64(r6, c)
	h3, l3 = bits.Mul64(r7, c)
	r0, cy = bits.Add64(r0, l0, 0)
	r1, cy = bits.Add64(r1, l1, cy)
	r2, cy = bits.Add64(r2, l2, cy)
	r3, cy = bits.Add64(r3, l3, cy)
	r4, _ = bits.Add64(h3, 0, cy)
	r1, cy = bits.Add64(r1, h0, 0)
	r2, cy = bits.Add64(r2, h1, cy)
	r3, cy = bits.Add64(r3, h2, cy)
	r4, _ = bits.Add64(r4, 0, cy)

	// Second fold: r4 ≤ 2³³, so r4·c < 2⁶⁷.
	h0, l0 = bits.Mul64(r4, c)
	r0, cy = bits.Add64(r0, l0, 0)
	r1, cy = bits.Add64(r1, h0, cy)
	r2, cy = bits.Add64(r2, 0, cy)
	r3, cy = bits.Add64(r3, 0, cy)

	// A carry leaves less than 2⁶⁷, and folding it in may still carry once
	// within the two lowest limbs.
	r0, cy = bits.Add64(r0, c&-cy, 0)
	r1 += cy
	v.l0, v.l1, v.l2, v.l3 = r0, r1, r2, r3
}

func squareGeneric(v, a *Element) {
	x0, x1, x2, x3 := a.l0, a.l1, a.l2, a.l3

	// Products of different limbs, once.
	h01, r1 := bits.Mul64(x0, x1)
	h02, l02 := bits.Mul64(x0, x2)
	h03, l03 := bits.Mul64(x0, x3)
	h12, l12 := bits.Mul64(x1, x2)
	h13, l13 := bits.Mul64(x1, x3)
	h23, l23 := bits.Mul64(x2, x3)
	r2, cy := bits.Add64(h01, l02, 0)
	r3, cy := bits.Add64(h02, l03, cy)
	r4, cy := bits.Add64(h03, l13, cy)
	r5, cy := bits.Add64(h13, l23, cy)
	r6, _ := bits.Add64(h23, 0, cy)
	r3, cy = bits.Add64(r3, l12, 0)
	r4, cy = bits.Add64(r4, h12, cy)
	r5, cy = bits.Add64(r5, 0, cy)
	r6, _ = bits.Add64(r6, 0, cy)

	// Twice that, and the squares of the limbs.
	r1, cy = bits.Add64(r1, r1, 0)
	r2, cy = bits.Add64(r2, r2, cy)
	r3, cy = bits.Add64(r3, r3, cy)
	r4, cy = bits.Add64(r4, r4, cy)
	r5, cy = bits.Add64(r5, r5, cy)
	r6, cy = bits.Add64(r6, r6, cy)
	r7 := cy
	h0, r0 := bits.Mul64(x0, x0)
	h1, l1 := bits.Mul64(x1, x1)
	h2, l2 := bits.Mul64(x2, x2)
	h3, l3 := bits.Mul64(x3, x3)
	r1, cy = bits.Add64(r1, h0, 0)
	r2, cy = bits.Add64(r2, l1, cy)
	r3, cy = bits.Add64(r3, h1, cy)
	r4, cy = bits.Add64(r4, l2, cy)
	r5, cy = bits.Add64(r5, h2, cy)
	r6, cy = bits.Add64(r6, l3, cy)
	r7, _ = bits.Add64(r7, h3, cy)

	// The folds of mulGeneric.
	h0, l0 := bits.Mul64(r4, c)
	h1, l1 = bits.Mul64(r5, c)
	h2, l2 = bits.Mul64(r6, c)
	h3, l3 = bits.Mul64(r7, c)
	r0, cy = bits.Add64(r0, l0, 0)
	r1, cy = bits.Add64(r1, l1, cy)
	r2, cy = bits.Add64(r2, l2, cy)
	r3, cy = bits.Add64(r3, l3, cy)
	r4, _ = bits.Add64(h3, 0, cy)
	r1, cy = bits.Add64(r1, h0, 0)
	r2, cy = bits.Add64(r2, h1, cy)
	r3, cy = bits.Add64(r3, h2, cy)
	r4, _ = bits.Add64(r4, 0, cy)
	h0, l0 = bits.Mul64(r4, c)
	r0, cy = bits.Add64(r0, l0, 0)
	r1, cy = bits.Add64(r1, h0, cy)
	r2, cy = bits.Add64(r2, 0, cy)
	r3, cy = bits.Add64(r3, 0, cy)
	r0, cy = bits.Add64(r0, c&-cy, 0)
	r1 += cy
	v.l0, v.l1, v.l2, v.l3 = r0, r1, r2, r3
}
