package main

import (
	"math"
	"slices"
)

// sample is one measurement: the class of its input and the time.
type sample struct {
	fixed bool
	time  float64
}

// crops are the parts of the fastest measurements that a test is done with: what
// interrupts a measurement makes it longer, and so the shorter ones say more.
// 1 − 2^(−k/2), and all of them.
var crops = func() (all []float64) {
	for k := 1.0; k <= 10; k++ {
		all = append(all, 1-math.Exp2(-k/2))
	}
	return append(all, 1)
}()

// distinguish returns the t of B. L. Welch's test for whether the two classes have
// the same mean time, for the crop that gives the largest.
func distinguish(samples []sample) (t float64) {
	times := make([]float64, len(samples))
	for i, s := range samples {
		times[i] = s.time
	}
	slices.Sort(times)
	for _, crop := range crops {
		limit := times[int(crop*float64(len(times)-1))]
		var fixed, random moments
		for _, s := range samples {
			switch {
			case s.time > limit:
			case s.fixed:
				fixed.add(s.time)
			default:
				random.add(s.time)
			}
		}
		if u := welch(fixed, random); math.Abs(u) > math.Abs(t) {
			t = u
		}
	}
	return t
}

// welch returns the difference of two means by its standard deviation, and infinity
// for a difference without any.
func welch(a, b moments) float64 {
	difference := a.mean - b.mean
	if difference == 0 || a.n < 2 || b.n < 2 {
		return 0
	}
	return difference / math.Sqrt(a.variance()/a.n+b.variance()/b.n)
}

// moments are the mean and the squared deviations from it of n values (B. P.
// Welford, 1962).
type moments struct{ n, mean, squares float64 }

func (m *moments) add(x float64) {
	m.n++
	d := x - m.mean
	m.mean += d / m.n
	m.squares += d * (x - m.mean)
}

func (m *moments) variance() float64 { return m.squares / (m.n - 1) }
