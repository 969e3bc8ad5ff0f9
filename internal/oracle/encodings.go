package oracle

import "math/big"

// encoding returns a prefix and 32 bytes for each coordinate.
func encoding(prefix byte, coordinates ...*big.Int) []byte {
	b := []byte{prefix}
	for _, c := range coordinates {
		v := Bytes(c)
		b = append(b, v[:]...)
	}
	return b
}

// congruent returns encodings of p with P added to a coordinate, if the sum has 32 bytes.
func congruent(p Point) (all [][]byte) {
	if x := new(big.Int).Add(p.X, P); x.Cmp(two256) < 0 {
		all = append(all, encoding(2+byte(p.Y.Bit(0)), x), encoding(4, x, p.Y))
	}
	if y := new(big.Int).Add(p.Y, P); y.Cmp(two256) < 0 {
		all = append(all, encoding(4, p.X, y))
	}
	return all
}

// BadEncodingsOf returns byte strings that a careless parser takes for p, which are among the kinds of BadEncodings.
func BadEncodingsOf(p Point) [][]byte {
	all := congruent(p)
	for prefix := range byte(8) {
		if prefix&^1 != 2 {
			all = append(all, encoding(prefix, p.X))
		}
		if prefix != 4 {
			all = append(all, encoding(prefix, p.X, p.Y))
		}
	}
	for _, d := range []int64{1, 2, -2} { // also a wrong y of the same parity, unless P is passed
		all = append(all, encoding(4, p.X, Fp.Add(p.Y, Fp.Reduce(big.NewInt(d)))))
	}
	return append(all, encoding(4, p.X, p.X), p.Compressed()[:32], append(p.Compressed(), 0), p.Uncompressed()[:64], append(p.Uncompressed(), 0))
}

// BadEncodings returns byte strings that resemble encodings of points but are invalid. They have the hybrid form,
// another prefix, a byte too few or a byte too many, or encode infinity or a point that is not on the curve. In some of
// them P was added to a coordinate, which gives a congruent integer.
func BadEncodings() (all [][]byte) {
	for i, p := range EdgePoints()[:40] {
		if i < 4 {
			all = append(all, BadEncodingsOf(p)...)
		} else {
			all = append(all, congruent(p)...)
		}
	}
	for _, b := range BadX() {
		x := Int(b[:])
		all = append(all, encoding(2, x), encoding(3, x), encoding(4, x, x))
	}
	zero := new(big.Int)
	return append(all, []byte{0}, []byte{4}, encoding(0, zero), encoding(0, zero, zero), encoding(4, zero, zero), nil)
}
