// Package params has the constants of secp256k1: the constants of the curve y² = x³ + B over the field of package
// field, of its group and of its endomorphism.
package params

// Limb is the mask of the lowest 64 bits of a constant.
const Limb = 1<<64 - 1

// Beta is a cube root of unity in the field, with (Beta·x, y) = Lambda·(x, y).
const Beta = 0x7ae96a2b_657c0710_6e64479e_ac3434e9_9cf04975_12f58995_c1396c28_719501ee

// These constants define the curve, its generator G and the order of its group (SEC 2, section 2.4.1).
const (
	B  = 7
	Gx = 0x79be667e_f9dcbbac_55a06295_ce870b07_029bfcdb_2dce28d9_59f2815b_16f81798
	Gy = 0x483ada77_26a3c465_5da4fbfc_0e1108a8_fd17b448_a6855419_9c47d08f_fb10d4b8
	N  = 0xffffffff_ffffffff_ffffffff_fffffffe_baaedce6_af48a03b_bfd25e8c_d0364141
)

// Lambda is a cube root of unity modulo N.
const Lambda = 0x5363ad4c_c05c30e0_a5261c02_8812645a_122e22ea_20816678_df02967c_1b23bd72

// A1 and B1 are a short vector of the lattice of all (x, y) with x + y·Lambda ≡ 0 mod N (Guide to Elliptic Curve
// Cryptography, algorithm 3.74). Since Lambda² + Lambda + 1 ≡ 0, (A1 − B1, A1) is a second vector of the lattice, which
// is not much longer.
const (
	A1 = 0x3086d221_a7d46bcd_e86c90e4_9284eb15
	B1 = -0xe4437ed6_010e8828_6f547fa9_0abfe4c3
)

// There is an isogeny of degree 3 from the curve E′: y² = x³ + IsogenousA·x + IsogenousB to secp256k1 (RFC 9380,
// section 8.7). SWUZ is −Z for the Z of section 8.7, and SWURoot is a square root of SWUZ. The points of order 3 that
// the isogeny maps to infinity have the x coordinate KernelX, and the constant k₍₂,₁₎ of appendix E.1 is −2·KernelX.
const (
	IsogenousA = 0x3f8731ab_dd661adc_a08a5558_f0f5d272_e953d363_cb6f0e5d_405447c0_1a444533
	IsogenousB = 1771
	SWUZ       = 11
	SWURoot    = 0x31fdf302_724013e5_7ad13fb3_8f842afe_ec184f00_a74789dd_286729c8_303c4a59
	KernelT    = 0x731b09ef_2c479ef8_ece87778_30312a16_fb772a47_28afcfac_4010db26_0540d91d // IsogenousA/5
	KernelX    = 0x89291c84_de3e11f1_041da695_7255eed5_fc964a4d_f050df22_1d6ad4ce_6ab9c5a5
)
