// Command dudect measures whether the time of an operation distinguishes a fixed secret from random secrets (O.
// Reparaz, J. Balasch, I. Verbauwhede, "Dude, is my code constant time?", DATE 2017). P256K1_CASES sets the number of
// measurements of each operation in a round, 25,000 by default and at least 1,000.
package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/tools/evidence/consttime"
	"p256k1.mleku.dev/v2/tools/evidence/operations"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

func main() { consttime.Command("dudect", run) }

// A leak is reported only if the median of |t| over the batches is at least the paper's threshold in each round, so
// that other load on the machine does not cause a report.
const (
	rounds    = 3
	batches   = 5
	threshold = 4.5
)

func run(ctx context.Context, _ string) {
	n := max(1000, oracle.CasesOr(25000)) / batches
	debug.SetGCPercent(-1)
	runtime.LockOSThread()
	report(n, func(o *operations.Op) (t float64, leak bool) { return judge(ctx, o, n) })
}

// report prints the verdicts of judge on batches of n measurements. It fails unless judge sees the planted leaks, and
// no others.
func report(n int, judge func(o *operations.Op) (t float64, leak bool)) {
	wrong := 0
	for _, list := range []struct {
		operations []operations.Op
		leak       bool
	}{{timed, false}, {planted, true}} {
		for _, o := range list.operations {
			t, leak := judge(&o)
			verdict := "no leak seen"
			if leak {
				verdict = fmt.Sprintf("a leak, seen %d times", rounds)
			}
			if leak != list.leak {
				wrong++
				verdict += ", which is wrong"
			}
			fmt.Printf("result: dudect: %s (%s): |t| = %.1f, median of %d batches of %d measurements: %s\n",
				o.Name, platform.Name(), t, batches, n, verdict)
		}
	}
	if wrong > 0 || len(planted) == 0 {
		must.Fail("%d operations have the wrong verdict, and %d leaks are planted", wrong, len(planted))
	}
}

// judge returns the median of |t| in the last round, and whether there is a leak.
func judge(ctx context.Context, o *operations.Op, n int) (t float64, leak bool) {
	for range rounds {
		var all []float64
		for range batches {
			all = append(all, math.Abs(distinguish(measure(ctx, o, n))))
		}
		slices.Sort(all)
		if t = all[batches/2]; t < threshold {
			return t, false
		}
	}
	return t, true
}

// measure returns n measurements of o, each with the fixed secret or with a random secret, chosen at random. Before
// these measurements it makes n/10 more, which it discards.
func measure(ctx context.Context, o *operations.Op, n int) []sample {
	runtime.GC()
	samples, out := make([]sample, 0, n), operations.NewOut()
	for i := -n / 10; i < n; i++ {
		fixed := rand.IntN(2) == 0
		secret := random(rand.Uint64())
		if fixed {
			secret = one
		}
		in := prepare(&secret)
		out.Reset()
		start := time.Now()
		o.Run(in, out)
		elapsed := time.Since(start)
		if i >= 0 {
			samples = append(samples, sample{fixed, float64(elapsed)})
		}
		if i%1000 == 0 {
			runtime.GC() // frees the inputs of the previous measurements, because garbage collection is off
			must.Do(ctx.Err())
		}
	}
	return samples
}
