package oracle

import "math/big"

// BadEncodings returns byte strings that resemble encodings of points but are invalid. They have the hybrid form,
// another prefix, a byte too few or a byte too many, or encode infinity or a point that is not on the curve. In some of
// them P was added to a coordinate, which gives a congruent integer.
func BadEncodings() (all [][]byte) {
	add := func(prefix byte, coordinates ...*big.Int) {
		b := []byte{prefix}
		for _, c := range coordinates {
			v := Bytes(c)
			b = append(b, v[:]...)
		}
		all = append(all, b)
	}
	for i, p := range EdgePoints()[:40] {
		if x := new(big.Int).Add(p.X, P); x.Cmp(two256) < 0 {
			add(2+byte(p.Y.Bit(0)), x)
			add(4, x, p.Y)
		}
		if y := new(big.Int).Add(p.Y, P); y.Cmp(two256) < 0 {
			add(4, p.X, y)
		}
		if i >= 4 {
			continue
		}
		for prefix := range byte(8) {
			if prefix&^1 != 2 {
				add(prefix, p.X)
			}
			if prefix != 4 {
				add(prefix, p.X, p.Y)
			}
		}
		add(4, p.X, Fp.Add(p.Y, one))
		add(4, p.X, p.X)
		all = append(all, p.Compressed()[:32], append(p.Compressed(), 0), p.Uncompressed()[:64], append(p.Uncompressed(), 0))
	}
	for _, b := range BadX() {
		x := Int(b[:])
		add(2, x)
		add(3, x)
		add(4, x, x)
	}
	add(0)
	add(4)
	add(0, new(big.Int))
	add(0, new(big.Int), new(big.Int))
	add(4, new(big.Int), new(big.Int))
	return append(all, nil)
}
