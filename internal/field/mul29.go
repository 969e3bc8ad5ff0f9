package field

import "math/bits"

// This file has products for WebAssembly, which has no multiplication with a result of 128 bits. An element has nine
// limbs: eight of 29 bits, and a last limb of 24 bits. The functions call only bits.Add64, which the compiler inlines,
// because calls are slow on WebAssembly. With the eight limbs of mul32.go, a product takes a quarter longer than with
// nine limbs on WebAssembly, but a third less on 386.
//
// The limb xi has the weight 2²⁹ⁱ. The nine limbs lie in the four words of an element like this:
//
//	limb   x0    x1     x2     x3      x4       x5       x6       x7       x8
//	bits   0–28  29–57  58–86  87–115  116–144  145–173  174–202  203–231  232–255
//	words  l0    l0     l0 l1  l1      l1 l2    l2       l2 l3    l3       l3
//
// Column tk, which has the weight 2²⁹ᵏ, is the sum of the products xi·yj with i + j = k:
//
//	  t16  t15  t14    …  t10   t9   t8   t7   …    t2   t1   t0
//	                               x0y8 x0y7    … x0y2 x0y1 x0y0
//	                          x1y8 x1y7 x1y6    … x1y1 x1y0
//	                     x2y8 x2y7 x2y6 x2y5    … x2y0
//	                   …         …
//	 x8y8 x8y7 x8y6    … x8y2 x8y1 x8y0
//
// A product is below 2⁵⁸, or 2⁵³ with x8 or y8 in it. Column 7 has eight large products, column 8 has seven large and
// two small ones, and all other columns have fewer. So every column is below 2⁶¹, and fits in one word without a carry.
//
// Two folds reduce the 17 columns to nine limbs. Counted in columns:
//
//   - 2²⁶¹ ≡ 2⁵·c = 2⁸·2²⁹ + c261, so a limb h of column 9 + i counts h·c261 in column i and h·2⁸ in column i + 1.
//   - 2²⁵⁶ ≡ c = 2³·2²⁹ + 977, so a number q from bit 24 of column 8 on counts q·977 in column 0 and q·2³ in column 1.

const (
	mask29 = 1<<29 - 1
	mask24 = 1<<24 - 1

	c261 = 32 * 977 // 2²⁶¹ ≡ 2³⁷ + c261 mod p, and c261 < 2¹⁵
)

// mul29 sets v = a · b.
func mul29(v, a, b *Element) {
	x0, x1, x2 := a.l0&mask29, a.l0>>29&mask29, (a.l0>>58|a.l1<<6)&mask29
	x3, x4, x5 := a.l1>>23&mask29, (a.l1>>52|a.l2<<12)&mask29, a.l2>>17&mask29
	x6, x7, x8 := (a.l2>>46|a.l3<<18)&mask29, a.l3>>11&mask29, a.l3>>40
	y0, y1, y2 := b.l0&mask29, b.l0>>29&mask29, (b.l0>>58|b.l1<<6)&mask29
	y3, y4, y5 := b.l1>>23&mask29, (b.l1>>52|b.l2<<12)&mask29, b.l2>>17&mask29
	y6, y7, y8 := (b.l2>>46|b.l3<<18)&mask29, b.l3>>11&mask29, b.l3>>40

	// Compute the columns, one on each line.
	t0 := x0 * y0
	t1 := x0*y1 + x1*y0
	t2 := x0*y2 + x1*y1 + x2*y0
	t3 := x0*y3 + x1*y2 + x2*y1 + x3*y0
	t4 := x0*y4 + x1*y3 + x2*y2 + x3*y1 + x4*y0
	t5 := x0*y5 + x1*y4 + x2*y3 + x3*y2 + x4*y1 + x5*y0
	t6 := x0*y6 + x1*y5 + x2*y4 + x3*y3 + x4*y2 + x5*y1 + x6*y0
	t7 := x0*y7 + x1*y6 + x2*y5 + x3*y4 + x4*y3 + x5*y2 + x6*y1 + x7*y0
	t8 := x0*y8 + x1*y7 + x2*y6 + x3*y5 + x4*y4 + x5*y3 + x6*y2 + x7*y1 + x8*y0
	t9 := x1*y8 + x2*y7 + x3*y6 + x4*y5 + x5*y4 + x6*y3 + x7*y2 + x8*y1
	t10 := x2*y8 + x3*y7 + x4*y6 + x5*y5 + x6*y4 + x7*y3 + x8*y2
	t11 := x3*y8 + x4*y7 + x5*y6 + x6*y5 + x7*y4 + x8*y3
	t12 := x4*y8 + x5*y7 + x6*y6 + x7*y5 + x8*y4
	t13 := x5*y8 + x6*y7 + x7*y6 + x8*y5
	t14 := x6*y8 + x7*y7 + x8*y6
	t15 := x7*y8 + x8*y7
	t16 := x8 * y8

	// Carry the columns 9 to 16 into limbs h0 to h7 of 29 bits. The limb h8 holds the bits above h7. Because a·b <
	// 2⁵¹², the number with the limbs h8, …, h0 is below 2²⁵¹, so h8 < 2¹⁹.
	h0 := t9 & mask29
	t10 += t9 >> 29
	h1 := t10 & mask29
	t11 += t10 >> 29
	h2 := t11 & mask29
	t12 += t11 >> 29
	h3 := t12 & mask29
	t13 += t12 >> 29
	h4 := t13 & mask29
	t14 += t13 >> 29
	h5 := t14 & mask29
	t15 += t14 >> 29
	h6 := t15 & mask29
	t16 += t15 >> 29
	h7 := t16 & mask29
	h8 := t16 >> 29

	// First fold: fold h0 to h8 times 2²⁶¹. The products h·c261 are below 2⁴⁴ and the products h·2⁸ below 2³⁷, so the
	// columns stay below 2⁶².
	t0 += h0 * c261
	t1 += h1*c261 + h0<<8
	t2 += h2*c261 + h1<<8
	t3 += h3*c261 + h2<<8
	t4 += h4*c261 + h3<<8
	t5 += h5*c261 + h4<<8
	t6 += h6*c261 + h5<<8
	t7 += h7*c261 + h6<<8
	t8 += h8*c261 + h7<<8
	// h8·2⁸ belongs to column 9, which is folded into column 0 in the same way.
	t0 += h8 << 8 * c261
	t1 += h8 << 16

	// Second fold: q = t8>>24, the part of column 8 from 2²⁵⁶ on. Column 7 is carried into column 8 first, so that
	// afterwards columns 7 and 8 have only their 29 and 24 bits. Then q < 2³⁸, and q·977 < 2⁴⁸.
	t8 += t7 >> 29
	t7 &= mask29
	t0 += t8 >> 24 * 977
	t1 += t8 >> 24 << 3
	t8 &= mask24

	// Carry from column 0 to column 8. The code below masks the limbs when it packs them into words.
	t1 += t0 >> 29
	t2 += t1 >> 29
	t3 += t2 >> 29
	t4 += t3 >> 29
	t5 += t4 >> 29
	t6 += t5 >> 29
	t7 += t6 >> 29
	t8 += t7 >> 29

	// Last fold. Before the carries, columns 7 and 8 had 29 and 24 bits, and columns 0 to 6, each below 2⁶², summed to
	// less than 2²³⁷. So the number is below 2²⁵⁶ + 2²³⁷, and cy is 0 or 1. If cy is 1, bits 237 to 255 are 0, and
	// adding c does not carry out of the last word.
	cy := t8 >> 24
	r0 := t0&mask29 | t1&mask29<<29 | t2<<58
	r1 := t2&mask29>>6 | t3&mask29<<23 | t4<<52
	r2 := t4&mask29>>12 | t5&mask29<<17 | t6<<46
	r3 := t6&mask29>>18 | t7&mask29<<11 | t8<<40
	r0, cy = bits.Add64(r0, c&-cy, 0)
	r1, cy = bits.Add64(r1, 0, cy)
	r2, cy = bits.Add64(r2, 0, cy)
	v.l0, v.l1, v.l2, v.l3 = r0, r1, r2, r3+cy
}

// square29 sets v = a². It computes each product of two different limbs once, with one factor doubled: di = 2·xi. The
// columns have the same values as in mul29, so the bounds of mul29 hold.
func square29(v, a *Element) {
	x0, x1, x2 := a.l0&mask29, a.l0>>29&mask29, (a.l0>>58|a.l1<<6)&mask29
	x3, x4, x5 := a.l1>>23&mask29, (a.l1>>52|a.l2<<12)&mask29, a.l2>>17&mask29
	x6, x7, x8 := (a.l2>>46|a.l3<<18)&mask29, a.l3>>11&mask29, a.l3>>40
	d0, d1, d2, d3, d4, d5, d6, d7 := 2*x0, 2*x1, 2*x2, 2*x3, 2*x4, 2*x5, 2*x6, 2*x7

	// Compute the columns. Each column with an even number contains a square.
	t0 := x0 * x0
	t1 := d0 * x1
	t2 := d0*x2 + x1*x1
	t3 := d0*x3 + d1*x2
	t4 := d0*x4 + d1*x3 + x2*x2
	t5 := d0*x5 + d1*x4 + d2*x3
	t6 := d0*x6 + d1*x5 + d2*x4 + x3*x3
	t7 := d0*x7 + d1*x6 + d2*x5 + d3*x4
	t8 := d0*x8 + d1*x7 + d2*x6 + d3*x5 + x4*x4
	t9 := d1*x8 + d2*x7 + d3*x6 + d4*x5
	t10 := d2*x8 + d3*x7 + d4*x6 + x5*x5
	t11 := d3*x8 + d4*x7 + d5*x6
	t12 := d4*x8 + d5*x7 + x6*x6
	t13 := d5*x8 + d6*x7
	t14 := d6*x8 + x7*x7
	t15 := d7 * x8
	t16 := x8 * x8

	// The three folds are the same as in mul29. First fold: fold h0 to h8 times 2²⁶¹.
	h0 := t9 & mask29
	t10 += t9 >> 29
	h1 := t10 & mask29
	t11 += t10 >> 29
	h2 := t11 & mask29
	t12 += t11 >> 29
	h3 := t12 & mask29
	t13 += t12 >> 29
	h4 := t13 & mask29
	t14 += t13 >> 29
	h5 := t14 & mask29
	t15 += t14 >> 29
	h6 := t15 & mask29
	t16 += t15 >> 29
	h7 := t16 & mask29
	h8 := t16 >> 29
	t0 += h0 * c261
	t1 += h1*c261 + h0<<8
	t2 += h2*c261 + h1<<8
	t3 += h3*c261 + h2<<8
	t4 += h4*c261 + h3<<8
	t5 += h5*c261 + h4<<8
	t6 += h6*c261 + h5<<8
	t7 += h7*c261 + h6<<8
	t8 += h8*c261 + h7<<8
	t0 += h8 << 8 * c261
	t1 += h8 << 16

	// Second fold: fold the part of column 8 from 2²⁵⁶ on.
	t8 += t7 >> 29
	t7 &= mask29
	t0 += t8 >> 24 * 977
	t1 += t8 >> 24 << 3
	t8 &= mask24
	t1 += t0 >> 29
	t2 += t1 >> 29
	t3 += t2 >> 29
	t4 += t3 >> 29
	t5 += t4 >> 29
	t6 += t5 >> 29
	t7 += t6 >> 29
	t8 += t7 >> 29

	// Last fold: add c for the carry.
	cy := t8 >> 24
	r0 := t0&mask29 | t1&mask29<<29 | t2<<58
	r1 := t2&mask29>>6 | t3&mask29<<23 | t4<<52
	r2 := t4&mask29>>12 | t5&mask29<<17 | t6<<46
	r3 := t6&mask29>>18 | t7&mask29<<11 | t8<<40
	r0, cy = bits.Add64(r0, c&-cy, 0)
	r1, cy = bits.Add64(r1, 0, cy)
	r2, cy = bits.Add64(r2, 0, cy)
	v.l0, v.l1, v.l2, v.l3 = r0, r1, r2, r3+cy
}
