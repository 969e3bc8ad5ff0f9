//go:build order10903

package params

// A group of order 10903: the group on y² = x³ + 6, in coordinates in which its generator has x = 1.
const (
	N      = 10903
	Lambda = 10424
	Gy     = 0xad2f19ce_b3d7e608_0d97cae9_897259f0_28ea2f1b_72e51dfb_afc271bd_97ac12f8
)
