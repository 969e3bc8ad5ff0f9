package scalar

// InvertBatch sets dst[i] = 1/a[i], or 0 if a[i] = 0, with one inversion for all scalars. The slices have the same
// length and do not overlap.
func InvertBatch(dst, a []Scalar) {
	all := multiply(dst, a)
	divide(dst, a, all.Invert(&all))
}

// InvertBatchVartime sets dst[i] like InvertBatch, in time that depends on a.
func InvertBatchVartime(dst, a []Scalar) {
	all := multiply(dst, a)
	divide(dst, a, all.InvertVartime(&all))
}

// Montgomery's trick (docs/inversion.md, I12): multiply sets before[i] = a[0]·…·a[i−1], and divide goes backwards.
// Before it comes to i, inverse is 1/(a[0]·…·a[i]), so that 1/a[i] = inverse·before[i]. In both, 1 takes the place of
// each 0, without a branch.

// multiply sets before[i] to the product of all a before a[i], and returns the product of all a.
func multiply(before, a []Scalar) Scalar {
	all, one := Scalar{l0: 1}, Scalar{l0: 1}
	var t Scalar
	for i := range a {
		before[i] = all
		all.Mul(&all, t.Select(&one, &a[i], a[i].IsZero()))
	}
	return all
}

// divide changes dst[i] from the product of all a before a[i] to 1/a[i], or to 0 if a[i] = 0. inverse is the inverse of
// the product of all a, and divide changes it.
func divide(dst, a []Scalar, inverse *Scalar) {
	var t Scalar
	one := Scalar{l0: 1}
	for i := len(a) - 1; i >= 0; i-- {
		zero := a[i].IsZero()
		dst[i].Mul(&dst[i], inverse)
		dst[i].Select(&Scalar{}, &dst[i], zero)
		inverse.Mul(inverse, t.Select(&one, &a[i], zero))
	}
}
