package cpu

import (
	"context"
	"math"
	"runtime"
	"time"

	"p256k1.mleku.dev/v2/internal/platform"
)

// An instruction is a kind of machine instruction to measure. chained runs 32·n of them, each on the result of the
// previous one. free runs 32·n of them that do not depend on each other.
type instruction struct {
	name          string
	chained, free func(n int)
}

// unrolled is the number of instructions in an iteration of the loops in chain_amd64.s and chain_arm64.s.
const unrolled = 32

// Figures are the measurements of one process.
type Figures struct {
	Backend      string // the result of platform.Name
	GHz          float64
	Instructions []Cycles `json:",omitempty"`
	Kernels      []Cycles
}

// Cycles has the number of cycles that an instruction or a kernel takes.
type Cycles struct {
	Name    string
	Chained float64
	Free    float64 `json:",omitempty"` // of an instruction that does not wait for the previous one; 0 for a kernel
}

// turns is the number of times that a figure is measured. The least time counts: a measurement takes the duration turn,
// which is shorter than the time for which the system runs a program without interruption.
const turns = 60

// Measure measures all instructions and kernels. It takes some seconds, unless ctx ends earlier.
func Measure(ctx context.Context, turn time.Duration) (f Figures, err error) {
	runtime.LockOSThread() // so that Go does not move the goroutine to another thread and core
	defer runtime.UnlockOSThread()
	clock := newStopwatch(turn)
	f.Backend = platform.Name()
	for _, in := range instructions() {
		f.Instructions = append(f.Instructions, Cycles{in.name, clock.cycles(ctx, in.chained) / unrolled, clock.cycles(ctx, in.free) / unrolled})
	}
	for _, k := range Kernels {
		f.Kernels = append(f.Kernels, Cycles{Name: k.Name, Chained: clock.cycles(ctx, k.Run)})
	}
	f.GHz = 1 / clock.least
	return f, ctx.Err()
}

// A stopwatch counts cycles by a chain of additions, each of which takes one cycle and waits for the previous addition.
// The chain is timed next to each measurement, because clock frequencies change.
type stopwatch struct {
	turn      time.Duration
	additions int     // the n for which additions(n) takes the duration turn
	least     float64 // the least number of nanoseconds per cycle in all measurements
}

func newStopwatch(turn time.Duration) *stopwatch {
	return &stopwatch{turn: turn, additions: calls(additions, turn), least: math.Inf(1)}
}

// calls returns the n for which run(n) takes about the duration turn.
func calls(run func(n int), turn time.Duration) int {
	n := 1
	for n < 1<<30 {
		begin := time.Now()
		run(n)
		if t := time.Since(begin); t >= turn/2 {
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
		additions(s.additions)
		middle := time.Now()
		run(n)
		end := time.Now()
		cycle = min(cycle, float64(middle.Sub(begin))/float64(unrolled*s.additions))
		one = min(one, float64(end.Sub(middle))/float64(n))
	}
	s.least = min(s.least, cycle)
	return one / cycle
}
