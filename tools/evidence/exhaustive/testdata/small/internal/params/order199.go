//go:build order199

package params

// The group of order 199 of libsecp256k1's exhaustive tests (src/group_impl.h, on y² = x³ + 4), in other coordinates,
// in which its generator has x = 1.
const (
	N      = 199
	Lambda = 92
	Gy     = 0xfdc30503_346ccd7b_1774c240_ad5983a8_808e5acd_7655dfc9_7c827034_e7e6918c
)
