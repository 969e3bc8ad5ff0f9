package main

import (
	"math"
	"slices"

	"github.com/aclements/go-moremath/stats"
)

// sample is one measurement: the class of the secret, and the time.
type sample struct {
	fixed bool
	time  float64
}

// crops lists the fractions of the measurements that are tested, the fastest measurements first: 1 − 2^(−k/2) for each
// k, and all. Interrupts make measurements longer, so the shorter measurements are more informative.
var crops = func() (all []float64) {
	for k := 1.0; k <= 10; k++ {
		all = append(all, 1-math.Exp2(-k/2))
	}
	return append(all, 1)
}()

// distinguish returns the statistic t of B. L. Welch's test of whether the two classes have the same mean time, for the
// crop with the largest |t|.
func distinguish(samples []sample) (t float64) {
	times := make([]float64, len(samples))
	for i, s := range samples {
		times[i] = s.time
	}
	slices.Sort(times)
	for _, crop := range crops {
		limit := times[int(crop*float64(len(times)-1))]
		var fixed, random stats.StreamStats
		for _, s := range samples {
			switch {
			case s.time > limit:
			case s.fixed:
				fixed.Add(s.time)
			default:
				random.Add(s.time)
			}
		}
		// TwoSampleWelchTTest returns an error if the crop has too few samples, or if all samples are equal.
		if r, err := stats.TwoSampleWelchTTest(&fixed, &random, stats.LocationDiffers); err == nil && math.Abs(r.T) > math.Abs(t) {
			t = r.T
		}
	}
	return t
}
