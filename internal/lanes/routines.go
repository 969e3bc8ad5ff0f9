package lanes

// isZero returns the lanes in which a ≡ 0.
func isZero(a *Element) (k uint8) {
	var least Element
	normalize(&least, a)
	for i := range N {
		l := least[0][i] | least[1][i] | least[2][i] | least[3][i] | least[4][i]
		k |= uint8(^(l|-l)>>63) << i
	}
	return k
}
