package field

// Sums and differences by halves of limbs in words of 64 bits, for 32-bit
// processors, which have no instructions for bits.Add64.

func add32(v, a, b *Element) {
	r0, cy := addHalves(a.l0, b.l0, 0)
	r1, cy := addHalves(a.l1, b.l1, cy)
	r2, cy := addHalves(a.l2, b.l2, cy)
	r3, cy := addHalves(a.l3, b.l3, cy)
	r0, cy = addHalves(r0, c&-cy, 0)
	r1, cy = addHalves(r1, 0, cy)
	r2, cy = addHalves(r2, 0, cy)
	r3, cy = addHalves(r3, 0, cy)
	// A second carry leaves less than c, so this cannot carry again.
	r0 += c & -cy
	v.l0, v.l1, v.l2, v.l3 = r0, r1, r2, r3
}

func sub32(v, a, b *Element) {
	r0, m := subHalves(a.l0, b.l0, 0)
	r1, m := subHalves(a.l1, b.l1, m)
	r2, m := subHalves(a.l2, b.l2, m)
	r3, m := subHalves(a.l3, b.l3, m)
	r0, m = subHalves(r0, c&m, 0)
	r1, m = subHalves(r1, 0, m)
	r2, m = subHalves(r2, 0, m)
	r3, m = subHalves(r3, 0, m)
	// A second borrow leaves at least 2²⁵⁶ − c, so this cannot borrow again.
	r0 -= c & m
	v.l0, v.l1, v.l2, v.l3 = r0, r1, r2, r3
}

// addHalves returns x + y + cy mod 2⁶⁴ and the carry.
func addHalves(x, y, cy uint64) (sum, carry uint64) {
	l := uint64(uint32(x)) + uint64(uint32(y)) + cy
	h := x>>32 + y>>32 + l>>32
	return uint64(uint32(l)) | h<<32, h >> 32
}

// subHalves returns x − y + m mod 2⁶⁴ and all ones if it borrows, else zero,
// which is what m must be.
func subHalves(x, y, m uint64) (difference, borrow uint64) {
	l := uint64(uint32(x)) - uint64(uint32(y)) + m
	h := x>>32 - y>>32 + uint64(int64(l)>>32)
	return uint64(uint32(l)) | h<<32, uint64(int64(h) >> 32)
}
