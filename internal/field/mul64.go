package field

import "math/bits"

// This file has products of elements in four limbs of 64 bits, for processors that multiply two limbs to 128 bits. Both
// functions compute the product in eight limbs and then fold it to four.
//
// Column k, held in the variable rk, has the weight 2⁶⁴ᵏ. The product of xi and yj has the weight 2⁶⁴⁽ⁱ⁺ʲ⁾, so its low
// half belongs to column i+j and its high half to column i+j+1. Below, "xiyj" stands for one of these halves:
//
//	              r7   r6   r5   r4   r3   r2   r1   r0
//	row 0, low                        x0y3 x0y2 x0y1 x0y0
//	       high                  x0y3 x0y2 x0y1 x0y0
//	row 1, low                   x1y3 x1y2 x1y1 x1y0
//	       high             x1y3 x1y2 x1y1 x1y0
//	row 2, low              x2y3 x2y2 x2y1 x2y0
//	       high        x2y3 x2y2 x2y1 x2y0
//	row 3, low         x3y3 x3y2 x3y1 x3y0
//	       high   x3y3 x3y2 x3y1 x3y0
//
// After row i the columns hold (x0 + … + xi·2⁶⁴ⁱ)·b, which is below 2⁶⁴⁽ⁱ⁺⁵⁾ and so fits in the columns up to i+4. No
// carry can leave column i+4, so the carries that the code discards are 0.
//
// The folds use 2²⁵⁶ ≡ c modulo p, where c = 2³² + 977:
//
//   - First fold. The columns r4 to r7 are a number H < 2²⁵⁶, and r0 to r3 a number L < 2²⁵⁶. L + H·c replaces L +
//     H·2²⁵⁶. It is at most (2²⁵⁶ − 1)·(c + 1), so its part above 2²⁵⁶, which becomes the new r4, is at most c.
//   - Second fold. r4·c replaces r4·2²⁵⁶. As r4·c ≤ c² < 2⁶⁵, the sum is below 2²⁵⁶ + 2⁶⁵, and its part above 2²⁵⁶ is a
//     single carry.
//   - Last fold. c replaces the carry. If there was a carry, the other limbs hold a number below 2⁶⁵, so r1 is 0 or 1,
//     and adding c changes nothing above r1.

// mulGeneric sets v = a · b. On x86-64 and ARM64 the assembly returns the same limbs.
func mulGeneric(v, a, b *Element) {
	x0, x1, x2, x3 := a.l0, a.l1, a.l2, a.l3
	y0, y1, y2, y3 := b.l0, b.l1, b.l2, b.l3

	// Row 0: the high halves belong one column to the left of the low halves.
	h0, r0 := bits.Mul64(x0, y0)
	h1, l1 := bits.Mul64(x0, y1)
	h2, l2 := bits.Mul64(x0, y2)
	h3, l3 := bits.Mul64(x0, y3)
	r1, cy := bits.Add64(h0, l1, 0)
	r2, cy := bits.Add64(h1, l2, cy)
	r3, cy := bits.Add64(h2, l3, cy)
	r4, _ := bits.Add64(h3, 0, cy)

	// Row 1: add the low halves from column 1 on, then the high halves from column 2 on. The last high half, h3, starts
	// column 5.
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

	// Row 2 is added in the same way, to columns 2 to 6.
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

	// Row 3 is added to columns 3 to 7.
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

	// First fold: add (r7, r6, r5, r4)·c, a row like the rows above.
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

	// Second fold: add r4·c < 2⁶⁵, whose high half h0 is 0 or 1.
	h0, l0 = bits.Mul64(r4, c)
	r0, cy = bits.Add64(r0, l0, 0)
	r1, cy = bits.Add64(r1, h0, cy)
	r2, cy = bits.Add64(r2, 0, cy)
	r3, cy = bits.Add64(r3, 0, cy)

	// Last fold: add c if there was a carry. Then r1 ≤ 1, so r1 + cy does not overflow.
	r0, cy = bits.Add64(r0, c&-cy, 0)
	r1 += cy
	v.l0, v.l1, v.l2, v.l3 = r0, r1, r2, r3
}

// squareGeneric sets v = a². It computes the six products of different limbs once and doubles their sum S, which takes
// 10 products of limbs instead of 16:
//
//	              r7   r6   r5   r4   r3   r2   r1   r0
//	S, low                  x2x3 x1x3 x0x3 x0x2 x0x1
//	   high            x2x3 x1x3 x0x3 x0x2 x0x1
//	   low                            x1x2
//	   high                      x1x2
//	squares, low       x3x3      x2x2      x1x1      x0x0
//	         high x3x3      x2x2      x1x1      x0x0
//
// The products with x3 contribute at most (2⁶⁴ − 1)·2³⁸⁴ to S, and the other products less than 2³²⁰. So S is below
// 2⁴⁴⁸ and needs only columns 1 to 6. 2S needs one bit of column 7, and 2S + Σ xi²·2¹²⁸ⁱ = a² fits in eight columns, so
// the carries that the code discards are 0.
func squareGeneric(v, a *Element) {
	x0, x1, x2, x3 := a.l0, a.l1, a.l2, a.l3

	// S: five of the products are added in one row, and x1·x2 is a separate row.
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

	// 2S. The carry out of column 6 is column 7.
	r1, cy = bits.Add64(r1, r1, 0)
	r2, cy = bits.Add64(r2, r2, cy)
	r3, cy = bits.Add64(r3, r3, cy)
	r4, cy = bits.Add64(r4, r4, cy)
	r5, cy = bits.Add64(r5, r5, cy)
	r6, cy = bits.Add64(r6, r6, cy)
	r7 := cy

	// The square of xi is added to the columns 2i and 2i+1, so the four squares do not overlap.
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

	// The three folds are the same as in mulGeneric.
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
