package engine

import (
	"math"
	"time"

	"p256k1.mleku.dev/v2/tools/bench/internal/dl"
)

// An Overhead is what calling C costs, whatever is called.
type Overhead struct {
	What string
	NS   float64 // the quickest of some batches
}

// Overheads measures a call of a C function that does next to nothing, in the ways
// that this program has.
func Overheads() (all []Overhead) {
	labs, err := dl.Global("labs")
	if err != nil {
		return nil
	}
	args := make([]uintptr, 1, 10)
	all = append(all, Overhead{"calling a C function without cgo (labs)", quickest(func() { dl.Call(labs, args) })})
	if dl.ViaCgo != nil {
		all = append(all, Overhead{"calling a C function through cgo (labs)", quickest(func() { dl.ViaCgo(labs, args) })})
	}
	return all
}

func quickest(f func()) float64 {
	best := math.Inf(1)
	for range 20 {
		const calls = 2000
		begin := time.Now()
		for range calls {
			f()
		}
		best = min(best, float64(time.Since(begin).Nanoseconds())/calls)
	}
	return best
}
