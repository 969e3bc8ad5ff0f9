package engine

import (
	"math"
	"runtime"
	"time"
	"unsafe"

	"p256k1.mleku.dev/v2/tools/bench/internal/dl"
)

// An Overhead is what calling C costs, whatever is called.
type Overhead struct {
	What string
	NS   float64 // the quickest of some batches
}

// Overheads measures a call of a C function that does next to nothing, without
// cgo and, where it is built in, with cgo, and a C function's call of a Go
// function. It returns what this machine can do.
func Overheads() []Overhead {
	var all []Overhead
	if labs, err := dl.Global("labs"); err == nil {
		args := make([]uintptr, 1, 10)
		call := quickest(func() { dl.Call(labs, args) })
		all = append(all, Overhead{"calling a C function without cgo (labs)", call})
		if dl.ViaCgo != nil {
			all = append(all, Overhead{"calling a C function through cgo (labs)", quickest(func() { dl.ViaCgo(labs, args) })})
		}
		if search, err := dl.Global("bsearch"); err == nil {
			// The comparison, in Go, is called for the only element there is.
			element := new([1]byte)
			at := uintptr(unsafe.Pointer(element))
			args := []uintptr{at, at, 1, 1, dl.Callback(func(_, _ uintptr) uintptr { return 0 })}
			both := quickest(func() { dl.Call(search, args) })
			runtime.KeepAlive(element)
			all = append(all, Overhead{"calling back from C into Go (bsearch), which raw-x ECDH needs", max(0, both-call)})
		}
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
