package field

// This file has sums and differences for 32-bit processors, which have no instruction for bits.Add64. The functions add
// a limb as two halves of 32 bits, each in a word of 64 bits, so that bit 32 of the word is the carry. Carries out of
// the last limb are folded as in add64.go.

// add32 sets v = a + b.
func add32(v, a, b *Element) {
	r0, cy := addHalves(a.l0, b.l0, 0)
	r1, cy := addHalves(a.l1, b.l1, cy)
	r2, cy := addHalves(a.l2, b.l2, cy)
	r3, cy := addHalves(a.l3, b.l3, cy)
	r0, cy = addHalves(r0, c&-cy, 0)
	r1, cy = addHalves(r1, 0, cy)
	r2, cy = addHalves(r2, 0, cy)
	r3, cy = addHalves(r3, 0, cy)
	// If adding c carried again, the limbs now hold at most c − 2 (see add64), so r0 + c is below 2⁶⁴.
	r0 += c & -cy
	v.l0, v.l1, v.l2, v.l3 = r0, r1, r2, r3
}

// sub32 sets v = a − b. The mask m is all ones if a limb borrowed, and zero if not.
func sub32(v, a, b *Element) {
	r0, m := subHalves(a.l0, b.l0, 0)
	r1, m := subHalves(a.l1, b.l1, m)
	r2, m := subHalves(a.l2, b.l2, m)
	r3, m := subHalves(a.l3, b.l3, m)
	r0, m = subHalves(r0, c&m, 0)
	r1, m = subHalves(r1, 0, m)
	r2, m = subHalves(r2, 0, m)
	r3, m = subHalves(r3, 0, m)
	// If subtracting c borrowed again, r0 is more than c (see sub64), so this subtraction does not borrow.
	r0 -= c & m
	v.l0, v.l1, v.l2, v.l3 = r0, r1, r2, r3
}

// addHalves returns x + y + cy mod 2⁶⁴ and the carry, for a carry cy of 0 or 1. The sum of two halves and a carry is
// below 2³³, so l>>32 and h>>32 are the carries of the halves.
func addHalves(x, y, cy uint64) (sum, carry uint64) {
	l := uint64(uint32(x)) + uint64(uint32(y)) + cy
	h := x>>32 + y>>32 + l>>32
	return uint64(uint32(l)) | h<<32, h >> 32
}

// subHalves returns x − y + m mod 2⁶⁴ and the borrow. The borrows m and borrow are masks: all ones, which is −1, or
// zero. The difference of two halves and a borrow is in [−2³², 2³²), so an arithmetic shift right by 32 bits gives its
// borrow.
func subHalves(x, y, m uint64) (difference, borrow uint64) {
	l := uint64(uint32(x)) - uint64(uint32(y)) + m
	h := x>>32 - y>>32 + uint64(int64(l)>>32)
	return uint64(uint32(l)) | h<<32, uint64(int64(h) >> 32)
}
