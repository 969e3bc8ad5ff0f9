package params

// Limb masks the lowest 64 bits of a constant.
const Limb = 1<<64 - 1

// Beta is that of secp256k1, whose field this is.
const Beta = 0x7ae96a2b_657c0710_6e64479e_ac3434e9_9cf04975_12f58995_c1396c28_719501ee

// The generator has x = 1. N, Lambda and Gy are in the file of the order.
const (
	B  = (Gy*Gy - 1) % p
	Gx = 1

	p = 1<<256 - 1<<32 - 977
)

// A1 and B1 are no short vector of the small lattice but one like that of
// secp256k1, so that splitting a scalar of 256 bits gives halves as long as
// there: B1 is the same, and A1 the next below that makes A1 + B1·Lambda a
// multiple of N.
const (
	A1 = a1 - ((a1+B1*Lambda)%N+N)%N
	B1 = -0xe4437ed6_010e8828_6f547fa9_0abfe4c3

	a1 = 0x3086d221_a7d46bcd_e86c90e4_9284eb15
)
