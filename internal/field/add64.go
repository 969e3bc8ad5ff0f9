package field

import "math/bits"

func add64(v, a, b *Element) {
	r0, cy := bits.Add64(a.l0, b.l0, 0)
	r1, cy := bits.Add64(a.l1, b.l1, cy)
	r2, cy := bits.Add64(a.l2, b.l2, cy)
	r3, cy := bits.Add64(a.l3, b.l3, cy)
	r0, cy = bits.Add64(r0, c&-cy, 0)
	r1, cy = bits.Add64(r1, 0, cy)
	r2, cy = bits.Add64(r2, 0, cy)
	r3, cy = bits.Add64(r3, 0, cy)
	// A second carry leaves less than c, so this cannot carry again.
	r0 += c & -cy
	v.l0, v.l1, v.l2, v.l3 = r0, r1, r2, r3
}

func sub64(v, a, b *Element) {
	r0, cy := bits.Sub64(a.l0, b.l0, 0)
	r1, cy := bits.Sub64(a.l1, b.l1, cy)
	r2, cy := bits.Sub64(a.l2, b.l2, cy)
	r3, cy := bits.Sub64(a.l3, b.l3, cy)
	r0, cy = bits.Sub64(r0, c&-cy, 0)
	r1, cy = bits.Sub64(r1, 0, cy)
	r2, cy = bits.Sub64(r2, 0, cy)
	r3, cy = bits.Sub64(r3, 0, cy)
	// A second borrow leaves at least 2²⁵⁶ − c, so this cannot borrow again.
	r0 -= c & -cy
	v.l0, v.l1, v.l2, v.l3 = r0, r1, r2, r3
}
