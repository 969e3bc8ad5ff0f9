//go:build order13

package params

// The group of order 13 of libsecp256k1's exhaustive tests (src/group_impl.h, on y² = x³ + 2), in other coordinates, in
// which its generator has x = 1.
const (
	N      = 13
	Lambda = 9
	Gy     = 0x3c915051_a5fb60b4_fec49de6_e4385101_59f30035_b6502bc0_f5edba86_9753a96c
)
