package field

// Sums and differences by halves of limbs in words of 64 bits, for 32-bit
// processors, which have no instructions for bits.Add64.

func add32(v, a, b *Element) {
	r0, k := addHalves(a.l0, b.l0, 0)
	r1, k := addHalves(a.l1, b.l1, k)
	r2, k := addHalves(a.l2, b.l2, k)
	r3, k := addHalves(a.l3, b.l3, k)
	r0, k = addHalves(r0, c&-k, 0)
	r1, k = addHalves(r1, 0, k)
	r2, k = addHalves(r2, 0, k)
	r3, k = addHalves(r3, 0, k)
	// A second carry leaves less than c, so this cannot carry again.
	r0 += c & -k
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

// addHalves returns x + y + k mod 2⁶⁴ and the carry.
func addHalves(x, y, k uint64) (sum, carry uint64) {
	l := uint64(uint32(x)) + uint64(uint32(y)) + k
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
