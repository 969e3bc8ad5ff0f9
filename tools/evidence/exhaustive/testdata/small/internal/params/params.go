package params

// Limb masks the lowest 64 bits of a constant.
const Limb = 1<<64 - 1

// Beta is the beta of secp256k1, because the field is the same.
const Beta = 0x7ae96a2b_657c0710_6e64479e_ac3434e9_9cf04975_12f58995_c1396c28_719501ee

// The generator has x = 1. N, Lambda and Gy are in the file of the order.
const (
	B  = (Gy*Gy - 1) % p
	Gx = 1

	p = 1<<256 - 1<<32 - 977
)

// (A1, B1) is not a short vector of the small lattice. It is as long as in secp256k1, so that splitting a scalar of 256
// bits gives halves of the same length as in secp256k1. B1 is the same as in secp256k1, and A1 is the next smaller
// number that makes A1 + B1·Lambda a multiple of N.
const (
	A1 = a1 - ((a1+B1*Lambda)%N+N)%N
	B1 = -0xe4437ed6_010e8828_6f547fa9_0abfe4c3

	a1 = 0x3086d221_a7d46bcd_e86c90e4_9284eb15
)

// The constants of the map to the curve of secp256k1 are only needed to compile package group. In the small groups the
// map has no meaning.
const (
	IsogenousA = 0x3f8731ab_dd661adc_a08a5558_f0f5d272_e953d363_cb6f0e5d_405447c0_1a444533
	IsogenousB = 1771
	SWUZ       = 11
	SWURoot    = 0x31fdf302_724013e5_7ad13fb3_8f842afe_ec184f00_a74789dd_286729c8_303c4a59
	KernelT    = 0x731b09ef_2c479ef8_ece87778_30312a16_fb772a47_28afcfac_4010db26_0540d91d // IsogenousA/5
	KernelX    = 0x89291c84_de3e11f1_041da695_7255eed5_fc964a4d_f050df22_1d6ad4ce_6ab9c5a5
)
