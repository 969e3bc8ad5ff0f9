package scalar

// Montgomery's trick computes the inverses of many scalars with one inversion (docs/inversion.md, I12), as in package
// field: Append takes the scalars one after the other, the product of all scalars is inverted, and Remove takes them in
// the opposite order.

// Append multiplies product by d: it sets before = product and product = product·d. For the first scalar, product is 1.
func Append(product, before, d *Scalar) {
	*before = *product
	product.Mul(product, d)
}

// Remove removes d, which was appended last, from product, which is inverted: it sets inverse = product·before, which
// is 1/d, and product = product·d. inverse may be before.
func Remove(product, inverse, before, d *Scalar) {
	inverse.Mul(product, before)
	product.Mul(product, d)
}

// InvertBatch sets dst[i] = 1/a[i], or 0 if a[i] = 0, with one inversion for all scalars. The slices have the same
// length and do not overlap.
func InvertBatch(dst, a []Scalar) {
	// 1 takes the place of each 0, without a branch.
	all, one := Scalar{l0: 1}, Scalar{l0: 1}
	var t Scalar
	for i := range a {
		Append(&all, &dst[i], t.Select(&one, &a[i], a[i].IsZero()))
	}
	all.Invert(&all)
	for i := len(a) - 1; i >= 0; i-- {
		zero := a[i].IsZero()
		Remove(&all, &dst[i], &dst[i], t.Select(&one, &a[i], zero))
		dst[i].Select(&Scalar{}, &dst[i], zero)
	}
}
