// Package cpu implements the command "bench cpu", which measures how many cycles a processor needs for the library's
// routines. Package model runs the same routines in an emulator.
package cpu

import (
	"p256k1.mleku.dev/v2/internal/ecmult"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/modinv"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// A Kernel is a routine from which operations are composed.
type Kernel struct {
	Name string
	// Count is the number of times that package model runs the kernel.
	Count int
	// Run runs the kernel n times. Except for k*G, each run waits for the result of the previous run.
	Run func(n int)
}

// Kernels lists the routines that determine how long operations take.
var Kernels = []Kernel{
	{"field multiplication", 64, func(n int) {
		x, y := group.Generator.X, group.Generator.Y
		for range n {
			x.Mul(&x, &y)
		}
	}},
	{"squaring in a run of 64", 64, func(n int) {
		x := group.Generator.X
		for ; n > 0; n -= 64 {
			x.SquareN(&x, min(n, 64))
		}
	}},
	{"doubling in a run of 16", 64, func(n int) {
		p := jacobian()
		for ; n > 0; n -= 16 {
			p.DoubleN(&p, min(n, 16))
		}
	}},
	{"mixed addition", 64, func(n int) {
		p := jacobian()
		for range n {
			p.AddMixedVartime(&p, &group.Generator.X, &group.Generator.Y)
		}
	}},
	{"XYZZ addition", 64, func(n int) {
		var p group.XYZZ
		p.SetAffine(&group.Generator)
		p.AddMixedComplete(&p, &group.Generator)
		for range n {
			p.AddMixed(&p, &group.Generator)
		}
	}},
	{"inversion: 600 divsteps", 2, func(n int) {
		x := group.Generator.X.Limbs()
		for range n {
			x = modinv.Invert(&x, &modinv.P)
			x[0]++ // otherwise the next inversion would lead back to the previous number
		}
	}},
	{"k*G: 43 look-ups, 42 additions", 1, func(n int) {
		p, k := jacobian(), scalar.FromLimbs(1, 2, 3, 4)
		for range n {
			ecmult.Base(&p, &k)
		}
	}},
}

// jacobian returns a point whose Z is not 1.
func jacobian() (p group.Jacobian) {
	p.SetAffine(&group.Generator)
	p.Double(&p)
	return p
}
