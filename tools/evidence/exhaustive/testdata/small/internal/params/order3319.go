//go:build order3319

package params

// A group of order 3319: the group on y² = x³ + 2, in coordinates in which its generator has x = 1.
const (
	N      = 3319
	Lambda = 1791
	Gy     = 0x01162647_d3d59c8c_4833cafa_92be0aa9_4e000113_ffaf920e_aceb8e27_49bd0996
)
