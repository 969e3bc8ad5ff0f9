//go:build order7

package params

// The group of order 7 of libsecp256k1's exhaustive tests (src/group_impl.h, on y² = x³ + 6), in other coordinates, in
// which its generator has x = 1.
const (
	N      = 7
	Lambda = 2
	Gy     = 0xadd8bbef_e19991c7_d63e7bd3_78ae9f66_dc940171_8548ecc4_798eeab0_20d06582
)
