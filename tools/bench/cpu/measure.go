package cpu

import (
	"context"
	"math"
	"runtime"
	"time"

	"p256k1.mleku.dev/v2/internal/platform"
)

// Figures are the measurements of one process.
type Figures struct {
	Backend string // the result of platform.Name
	GHz     float64
	Kernels []float64 // the cycles that each of Kernels takes
}

// turns is the number of times that a figure is measured. The least time counts: a measurement takes the duration turn,
// which is shorter than the time for which the system runs a program without interruption.
const turns = 60

// Measure measures all kernels. It takes some seconds, unless ctx ends earlier.
func Measure(ctx context.Context, turn time.Duration) (f Figures, err error) {
	runtime.LockOSThread() // so that Go does not move the goroutine to another thread and core
	defer runtime.UnlockOSThread()
	clock := &stopwatch{turn: turn, links: calls(chain, turn), least: math.Inf(1)}
	f.Backend = platform.Name()
	for _, k := range Kernels {
		f.Kernels = append(f.Kernels, clock.cycles(ctx, k.Run))
	}
	f.GHz = 1 / clock.least
	return f, ctx.Err()
}

// A stopwatch counts cycles by a chain of operations. The chain is timed next to each measurement, because clock
// frequencies change.
type stopwatch struct {
	turn  time.Duration
	links int     // the n for which chain(n) takes the duration turn
	least float64 // the least number of nanoseconds per cycle in all measurements
}

// unrolled is the number of operations in an iteration of chain.
const unrolled = 8

// chain makes unrolled·n operations, each of which takes one cycle and waits for the result of the previous one. The
// compiler can merge additions with additions, but not with exclusive ors. The instructions of the loop take no
// additional time on processors that execute out of order.
func chain(n int) {
	a, b := uint(1), uint(n)
	for range n {
		a += b
		a ^= b
		a += b
		a ^= b
		a += b
		a ^= b
		a += b
		a ^= b
	}
	runtime.KeepAlive(a)
}

// calls returns the n for which run(n) takes about the duration turn.
func calls(run func(n int), turn time.Duration) int {
	n := 1
	for n < 1<<30 {
		t := turn
		for range 3 { // an interruption of one of them must not end the search
			begin := time.Now()
			run(n)
			t = min(t, time.Since(begin))
		}
		if t >= turn/2 {
			return max(1, int(float64(n)*float64(turn)/float64(t)))
		}
		n *= 2
	}
	return n
}

// cycles returns the number of cycles that run(n) takes, divided by n.
func (s *stopwatch) cycles(ctx context.Context, run func(n int)) float64 {
	n := calls(run, s.turn)
	cycle, one := math.Inf(1), math.Inf(1)
	for range turns {
		if ctx.Err() != nil {
			return 0
		}
		begin := time.Now()
		chain(s.links)
		middle := time.Now()
		run(n)
		end := time.Now()
		cycle = min(cycle, float64(middle.Sub(begin))/float64(unrolled*s.links))
		one = min(one, float64(end.Sub(middle))/float64(n))
	}
	s.least = min(s.least, cycle)
	return one / cycle
}
