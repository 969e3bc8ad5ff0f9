package field

// This file has products of elements in eight limbs of 32 bits, for 32-bit processors.
//
// Column k, held in the variable rk, has the weight 2³²ᵏ. Row i adds xi·b to the columns i to i+8, from right to left,
// and t>>32 is the carry to the next column:
//
//	       r15    …  r10   r9   r8   r7   r6   …    r2   r1   r0
//	row 0                       cy x0y7 x0y6    … x0y2 x0y1 x0y0
//	row 1                  cy x1y7 x1y6 x1y5    … x1y1 x1y0
//	row 2             cy x2y7 x2y6 x2y5 x2y4    … x2y0
//	…
//	row 7   cy    … x7y3 x7y2 x7y1 x7y0
//
// A step adds a product, a column and a carry in 64 bits: (2³² − 1)² + 2·(2³² − 1) = 2⁶⁴ − 1, so it does not overflow.
// After row i the columns hold (x0 + … + xi·2³²ⁱ)·b, and the last carry of the row is the new column i+8.
//
// The folds use 2²⁵⁶ ≡ c = 2³² + 977 modulo p. Column 8+i is therefore added to column i after multiplication by 977,
// and to column i+1 unchanged:
//
//	          above    r7    r6    r5     …    r1    r0
//	times 977         r15   r14   r13     …    r9    r8
//	times 2³²   r15   r14   r13   r12     …    r8
//
// As with 64-bit limbs (mul64.go), the number above r7 is at most c after the first fold, and a carry of 0 or 1 after
// the second. If the carry is 1, the limbs hold less than c² < 2⁶⁵.

// mul32 sets v = a · b.
func mul32(v, a, b *Element) {
	x0, x1, x2, x3 := uint32(a.l0), uint32(a.l0>>32), uint32(a.l1), uint32(a.l1>>32)
	x4, x5, x6, x7 := uint32(a.l2), uint32(a.l2>>32), uint32(a.l3), uint32(a.l3>>32)
	y0, y1, y2, y3 := uint32(b.l0), uint32(b.l0>>32), uint32(b.l1), uint32(b.l1>>32)
	y4, y5, y6, y7 := uint32(b.l2), uint32(b.l2>>32), uint32(b.l3), uint32(b.l3>>32)

	// Row 0 starts the columns 0 to 8.
	t := uint64(x0) * uint64(y0)
	r0 := uint32(t)
	t = uint64(x0)*uint64(y1) + t>>32
	r1 := uint32(t)
	t = uint64(x0)*uint64(y2) + t>>32
	r2 := uint32(t)
	t = uint64(x0)*uint64(y3) + t>>32
	r3 := uint32(t)
	t = uint64(x0)*uint64(y4) + t>>32
	r4 := uint32(t)
	t = uint64(x0)*uint64(y5) + t>>32
	r5 := uint32(t)
	t = uint64(x0)*uint64(y6) + t>>32
	r6 := uint32(t)
	t = uint64(x0)*uint64(y7) + t>>32
	r7 := uint32(t)
	r8 := uint32(t >> 32)
	// Row 1: add x1·b to columns 1 to 9.
	t = uint64(x1)*uint64(y0) + uint64(r1)
	r1 = uint32(t)
	t = uint64(x1)*uint64(y1) + uint64(r2) + t>>32
	r2 = uint32(t)
	t = uint64(x1)*uint64(y2) + uint64(r3) + t>>32
	r3 = uint32(t)
	t = uint64(x1)*uint64(y3) + uint64(r4) + t>>32
	r4 = uint32(t)
	t = uint64(x1)*uint64(y4) + uint64(r5) + t>>32
	r5 = uint32(t)
	t = uint64(x1)*uint64(y5) + uint64(r6) + t>>32
	r6 = uint32(t)
	t = uint64(x1)*uint64(y6) + uint64(r7) + t>>32
	r7 = uint32(t)
	t = uint64(x1)*uint64(y7) + uint64(r8) + t>>32
	r8 = uint32(t)
	r9 := uint32(t >> 32)
	// Row 2: add x2·b to columns 2 to 10.
	t = uint64(x2)*uint64(y0) + uint64(r2)
	r2 = uint32(t)
	t = uint64(x2)*uint64(y1) + uint64(r3) + t>>32
	r3 = uint32(t)
	t = uint64(x2)*uint64(y2) + uint64(r4) + t>>32
	r4 = uint32(t)
	t = uint64(x2)*uint64(y3) + uint64(r5) + t>>32
	r5 = uint32(t)
	t = uint64(x2)*uint64(y4) + uint64(r6) + t>>32
	r6 = uint32(t)
	t = uint64(x2)*uint64(y5) + uint64(r7) + t>>32
	r7 = uint32(t)
	t = uint64(x2)*uint64(y6) + uint64(r8) + t>>32
	r8 = uint32(t)
	t = uint64(x2)*uint64(y7) + uint64(r9) + t>>32
	r9 = uint32(t)
	r10 := uint32(t >> 32)
	// Row 3: add x3·b to columns 3 to 11.
	t = uint64(x3)*uint64(y0) + uint64(r3)
	r3 = uint32(t)
	t = uint64(x3)*uint64(y1) + uint64(r4) + t>>32
	r4 = uint32(t)
	t = uint64(x3)*uint64(y2) + uint64(r5) + t>>32
	r5 = uint32(t)
	t = uint64(x3)*uint64(y3) + uint64(r6) + t>>32
	r6 = uint32(t)
	t = uint64(x3)*uint64(y4) + uint64(r7) + t>>32
	r7 = uint32(t)
	t = uint64(x3)*uint64(y5) + uint64(r8) + t>>32
	r8 = uint32(t)
	t = uint64(x3)*uint64(y6) + uint64(r9) + t>>32
	r9 = uint32(t)
	t = uint64(x3)*uint64(y7) + uint64(r10) + t>>32
	r10 = uint32(t)
	r11 := uint32(t >> 32)
	// Row 4: add x4·b to columns 4 to 12.
	t = uint64(x4)*uint64(y0) + uint64(r4)
	r4 = uint32(t)
	t = uint64(x4)*uint64(y1) + uint64(r5) + t>>32
	r5 = uint32(t)
	t = uint64(x4)*uint64(y2) + uint64(r6) + t>>32
	r6 = uint32(t)
	t = uint64(x4)*uint64(y3) + uint64(r7) + t>>32
	r7 = uint32(t)
	t = uint64(x4)*uint64(y4) + uint64(r8) + t>>32
	r8 = uint32(t)
	t = uint64(x4)*uint64(y5) + uint64(r9) + t>>32
	r9 = uint32(t)
	t = uint64(x4)*uint64(y6) + uint64(r10) + t>>32
	r10 = uint32(t)
	t = uint64(x4)*uint64(y7) + uint64(r11) + t>>32
	r11 = uint32(t)
	r12 := uint32(t >> 32)
	// Row 5: add x5·b to columns 5 to 13.
	t = uint64(x5)*uint64(y0) + uint64(r5)
	r5 = uint32(t)
	t = uint64(x5)*uint64(y1) + uint64(r6) + t>>32
	r6 = uint32(t)
	t = uint64(x5)*uint64(y2) + uint64(r7) + t>>32
	r7 = uint32(t)
	t = uint64(x5)*uint64(y3) + uint64(r8) + t>>32
	r8 = uint32(t)
	t = uint64(x5)*uint64(y4) + uint64(r9) + t>>32
	r9 = uint32(t)
	t = uint64(x5)*uint64(y5) + uint64(r10) + t>>32
	r10 = uint32(t)
	t = uint64(x5)*uint64(y6) + uint64(r11) + t>>32
	r11 = uint32(t)
	t = uint64(x5)*uint64(y7) + uint64(r12) + t>>32
	r12 = uint32(t)
	r13 := uint32(t >> 32)
	// Row 6: add x6·b to columns 6 to 14.
	t = uint64(x6)*uint64(y0) + uint64(r6)
	r6 = uint32(t)
	t = uint64(x6)*uint64(y1) + uint64(r7) + t>>32
	r7 = uint32(t)
	t = uint64(x6)*uint64(y2) + uint64(r8) + t>>32
	r8 = uint32(t)
	t = uint64(x6)*uint64(y3) + uint64(r9) + t>>32
	r9 = uint32(t)
	t = uint64(x6)*uint64(y4) + uint64(r10) + t>>32
	r10 = uint32(t)
	t = uint64(x6)*uint64(y5) + uint64(r11) + t>>32
	r11 = uint32(t)
	t = uint64(x6)*uint64(y6) + uint64(r12) + t>>32
	r12 = uint32(t)
	t = uint64(x6)*uint64(y7) + uint64(r13) + t>>32
	r13 = uint32(t)
	r14 := uint32(t >> 32)
	// Row 7: add x7·b to columns 7 to 15.
	t = uint64(x7)*uint64(y0) + uint64(r7)
	r7 = uint32(t)
	t = uint64(x7)*uint64(y1) + uint64(r8) + t>>32
	r8 = uint32(t)
	t = uint64(x7)*uint64(y2) + uint64(r9) + t>>32
	r9 = uint32(t)
	t = uint64(x7)*uint64(y3) + uint64(r10) + t>>32
	r10 = uint32(t)
	t = uint64(x7)*uint64(y4) + uint64(r11) + t>>32
	r11 = uint32(t)
	t = uint64(x7)*uint64(y5) + uint64(r12) + t>>32
	r12 = uint32(t)
	t = uint64(x7)*uint64(y6) + uint64(r13) + t>>32
	r13 = uint32(t)
	t = uint64(x7)*uint64(y7) + uint64(r14) + t>>32
	r14 = uint32(t)
	r15 := uint32(t >> 32)

	// First fold: fold r8 to r15 times 2²⁵⁶. Every sum t stays below 979·2³² + 2¹⁰ < 2⁴².
	t = uint64(r8)*977 + uint64(r0)
	r0 = uint32(t)
	t = uint64(r9)*977 + uint64(r1) + uint64(r8) + t>>32
	r1 = uint32(t)
	t = uint64(r10)*977 + uint64(r2) + uint64(r9) + t>>32
	r2 = uint32(t)
	t = uint64(r11)*977 + uint64(r3) + uint64(r10) + t>>32
	r3 = uint32(t)
	t = uint64(r12)*977 + uint64(r4) + uint64(r11) + t>>32
	r4 = uint32(t)
	t = uint64(r13)*977 + uint64(r5) + uint64(r12) + t>>32
	r5 = uint32(t)
	t = uint64(r14)*977 + uint64(r6) + uint64(r13) + t>>32
	r6 = uint32(t)
	t = uint64(r15)*977 + uint64(r7) + uint64(r14) + t>>32
	r7 = uint32(t)

	// Second fold: the number above r7 is h1·2³² + h0 ≤ c, so h1 ≤ 1. Multiplied by 2³² + 977 it is h0·977 in column 0,
	// h0 + h1·977 in column 1 and h1 in column 2.
	t = t>>32 + uint64(r15)
	h0, h1 := uint32(t), t>>32
	t = uint64(h0)*977 + uint64(r0)
	r0 = uint32(t)
	t = t>>32 + uint64(r1) + uint64(h0) + h1*977
	r1 = uint32(t)
	t = t>>32 + uint64(r2) + h1
	r2 = uint32(t)
	t = t>>32 + uint64(r3)
	r3 = uint32(t)
	t = t>>32 + uint64(r4)
	r4 = uint32(t)
	t = t>>32 + uint64(r5)
	r5 = uint32(t)
	t = t>>32 + uint64(r6)
	r6 = uint32(t)
	t = t>>32 + uint64(r7)
	r7 = uint32(t)

	// Last fold: add cy·c. If cy is 1, r2 is 0 or 1 and the limbs above r2 are 0, so no carry goes beyond r2.
	cy := t >> 32
	t = uint64(r0) + cy*977
	r0 = uint32(t)
	t = t>>32 + uint64(r1) + cy
	r1 = uint32(t)
	r2 += uint32(t >> 32)
	v.l0 = uint64(r0) | uint64(r1)<<32
	v.l1 = uint64(r2) | uint64(r3)<<32
	v.l2 = uint64(r4) | uint64(r5)<<32
	v.l3 = uint64(r6) | uint64(r7)<<32
}

// square32 sets v = a². It computes each product of two different limbs once and doubles their sum S, which takes 36
// products of limbs instead of 64. Row i of S begins in column 2i+1:
//
//	       r14  r13    …  r10   r9   r8   r7   r6   r5   r4   r3   r2   r1
//	row 0                            cy x0x7 x0x6 x0x5 x0x4 x0x3 x0x2 x0x1
//	row 1                       cy x1x7 x1x6 x1x5 x1x4 x1x3 x1x2
//	row 2                  cy x2x7 x2x6 x2x5 x2x4 x2x3
//	…
//	row 6   cy x6x7
//
// Then one pass from right to left adds 2S and the squares.
func square32(v, a *Element) {
	x0, x1, x2, x3 := uint32(a.l0), uint32(a.l0>>32), uint32(a.l1), uint32(a.l1>>32)
	x4, x5, x6, x7 := uint32(a.l2), uint32(a.l2>>32), uint32(a.l3), uint32(a.l3>>32)

	// The sum S begins with row 0: columns 1 to 8.
	t := uint64(x0) * uint64(x1)
	r1 := uint32(t)
	t = uint64(x0)*uint64(x2) + t>>32
	r2 := uint32(t)
	t = uint64(x0)*uint64(x3) + t>>32
	r3 := uint32(t)
	t = uint64(x0)*uint64(x4) + t>>32
	r4 := uint32(t)
	t = uint64(x0)*uint64(x5) + t>>32
	r5 := uint32(t)
	t = uint64(x0)*uint64(x6) + t>>32
	r6 := uint32(t)
	t = uint64(x0)*uint64(x7) + t>>32
	r7 := uint32(t)
	r8 := uint32(t >> 32)
	// Row 1: add its products to columns 3 to 9.
	t = uint64(x1)*uint64(x2) + uint64(r3)
	r3 = uint32(t)
	t = uint64(x1)*uint64(x3) + uint64(r4) + t>>32
	r4 = uint32(t)
	t = uint64(x1)*uint64(x4) + uint64(r5) + t>>32
	r5 = uint32(t)
	t = uint64(x1)*uint64(x5) + uint64(r6) + t>>32
	r6 = uint32(t)
	t = uint64(x1)*uint64(x6) + uint64(r7) + t>>32
	r7 = uint32(t)
	t = uint64(x1)*uint64(x7) + uint64(r8) + t>>32
	r8 = uint32(t)
	r9 := uint32(t >> 32)
	// Row 2: add its products to columns 5 to 10.
	t = uint64(x2)*uint64(x3) + uint64(r5)
	r5 = uint32(t)
	t = uint64(x2)*uint64(x4) + uint64(r6) + t>>32
	r6 = uint32(t)
	t = uint64(x2)*uint64(x5) + uint64(r7) + t>>32
	r7 = uint32(t)
	t = uint64(x2)*uint64(x6) + uint64(r8) + t>>32
	r8 = uint32(t)
	t = uint64(x2)*uint64(x7) + uint64(r9) + t>>32
	r9 = uint32(t)
	r10 := uint32(t >> 32)
	// Row 3: add its products to columns 7 to 11.
	t = uint64(x3)*uint64(x4) + uint64(r7)
	r7 = uint32(t)
	t = uint64(x3)*uint64(x5) + uint64(r8) + t>>32
	r8 = uint32(t)
	t = uint64(x3)*uint64(x6) + uint64(r9) + t>>32
	r9 = uint32(t)
	t = uint64(x3)*uint64(x7) + uint64(r10) + t>>32
	r10 = uint32(t)
	r11 := uint32(t >> 32)
	// Row 4: add its products to columns 9 to 12.
	t = uint64(x4)*uint64(x5) + uint64(r9)
	r9 = uint32(t)
	t = uint64(x4)*uint64(x6) + uint64(r10) + t>>32
	r10 = uint32(t)
	t = uint64(x4)*uint64(x7) + uint64(r11) + t>>32
	r11 = uint32(t)
	r12 := uint32(t >> 32)
	// Row 5: add its products to columns 11 to 13.
	t = uint64(x5)*uint64(x6) + uint64(r11)
	r11 = uint32(t)
	t = uint64(x5)*uint64(x7) + uint64(r12) + t>>32
	r12 = uint32(t)
	r13 := uint32(t >> 32)
	// Row 6: add its products to columns 13 to 14.
	t = uint64(x6)*uint64(x7) + uint64(r13)
	r13 = uint32(t)
	r14 := uint32(t >> 32)

	// Add 2S and the squares. The halves of xi² belong to the columns 2i and 2i+1. A step adds a doubled column, one
	// half of a square and a carry, so t is below 2³⁴. The result is a² < 2⁵¹², so r15 does not overflow.
	s := uint64(x0) * uint64(x0)
	r0 := uint32(s)
	t = uint64(r1)<<1 + s>>32
	r1 = uint32(t)
	s = uint64(x1) * uint64(x1)
	t = uint64(r2)<<1 + uint64(uint32(s)) + t>>32
	r2 = uint32(t)
	t = uint64(r3)<<1 + s>>32 + t>>32
	r3 = uint32(t)
	s = uint64(x2) * uint64(x2)
	t = uint64(r4)<<1 + uint64(uint32(s)) + t>>32
	r4 = uint32(t)
	t = uint64(r5)<<1 + s>>32 + t>>32
	r5 = uint32(t)
	s = uint64(x3) * uint64(x3)
	t = uint64(r6)<<1 + uint64(uint32(s)) + t>>32
	r6 = uint32(t)
	t = uint64(r7)<<1 + s>>32 + t>>32
	r7 = uint32(t)
	s = uint64(x4) * uint64(x4)
	t = uint64(r8)<<1 + uint64(uint32(s)) + t>>32
	r8 = uint32(t)
	t = uint64(r9)<<1 + s>>32 + t>>32
	r9 = uint32(t)
	s = uint64(x5) * uint64(x5)
	t = uint64(r10)<<1 + uint64(uint32(s)) + t>>32
	r10 = uint32(t)
	t = uint64(r11)<<1 + s>>32 + t>>32
	r11 = uint32(t)
	s = uint64(x6) * uint64(x6)
	t = uint64(r12)<<1 + uint64(uint32(s)) + t>>32
	r12 = uint32(t)
	t = uint64(r13)<<1 + s>>32 + t>>32
	r13 = uint32(t)
	s = uint64(x7) * uint64(x7)
	t = uint64(r14)<<1 + uint64(uint32(s)) + t>>32
	r14 = uint32(t)
	r15 := uint32(s>>32 + t>>32)

	// The three folds are the same as in mul32. First fold: fold r8 to r15.
	t = uint64(r8)*977 + uint64(r0)
	r0 = uint32(t)
	t = uint64(r9)*977 + uint64(r1) + uint64(r8) + t>>32
	r1 = uint32(t)
	t = uint64(r10)*977 + uint64(r2) + uint64(r9) + t>>32
	r2 = uint32(t)
	t = uint64(r11)*977 + uint64(r3) + uint64(r10) + t>>32
	r3 = uint32(t)
	t = uint64(r12)*977 + uint64(r4) + uint64(r11) + t>>32
	r4 = uint32(t)
	t = uint64(r13)*977 + uint64(r5) + uint64(r12) + t>>32
	r5 = uint32(t)
	t = uint64(r14)*977 + uint64(r6) + uint64(r13) + t>>32
	r6 = uint32(t)
	t = uint64(r15)*977 + uint64(r7) + uint64(r14) + t>>32
	r7 = uint32(t)

	// Second fold: the number above r7, which is at most c.
	t = t>>32 + uint64(r15)
	h0, h1 := uint32(t), t>>32
	t = uint64(h0)*977 + uint64(r0)
	r0 = uint32(t)
	t = t>>32 + uint64(r1) + uint64(h0) + h1*977
	r1 = uint32(t)
	t = t>>32 + uint64(r2) + h1
	r2 = uint32(t)
	t = t>>32 + uint64(r3)
	r3 = uint32(t)
	t = t>>32 + uint64(r4)
	r4 = uint32(t)
	t = t>>32 + uint64(r5)
	r5 = uint32(t)
	t = t>>32 + uint64(r6)
	r6 = uint32(t)
	t = t>>32 + uint64(r7)
	r7 = uint32(t)

	// Last fold: add c for the carry.
	cy := t >> 32
	t = uint64(r0) + cy*977
	r0 = uint32(t)
	t = t>>32 + uint64(r1) + cy
	r1 = uint32(t)
	r2 += uint32(t >> 32)
	v.l0 = uint64(r0) | uint64(r1)<<32
	v.l1 = uint64(r2) | uint64(r3)<<32
	v.l2 = uint64(r4) | uint64(r5)<<32
	v.l3 = uint64(r6) | uint64(r7)<<32
}
