package field

// Montgomery's trick computes the inverses of many elements with one inversion (docs/inversion.md, I12). Append takes
// the elements d₀, d₁, … one after the other, and keeps dᵢ₋₁·…·d₀ for each of them. Then the product of all elements is
// inverted. Remove takes the same elements in the opposite order, and separates the inverse of each from the inverse of
// the product. An element that is 0 would make the product 0, so callers leave it out or replace it by 1.

// Append multiplies product by d: it sets before = product and product = product·d. The product of no element is 1.
func Append(product, before, d *Element) {
	before.Set(product)
	product.Mul(product, d)
}

// Remove removes d, which was appended last, from product, which is inverted: it sets inverse = product·before, which
// is 1/d, and product = product·d. inverse may be before.
func Remove(product, inverse, before, d *Element) {
	inverse.Mul(product, before)
	product.Mul(product, d)
}
