package main

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestWelch has the first example of B. L. Welch's test on Wikipedia.
func TestWelch(t *testing.T) {
	var a, b moments
	for _, x := range []float64{27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4} {
		a.add(x)
	}
	for _, x := range []float64{27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 30.0, 23.9} {
		b.add(x)
	}
	if math.Abs(a.mean-20.82) > 0.05 || math.Abs(b.mean-23.59) > 0.05 || math.Abs(welch(a, b)+2.70) > 0.3 {
		t.Errorf("means %.2f and %.2f, t = %.2f", a.mean, b.mean, welch(a, b))
	}
}

// TestDistinguish has times like those of a busy machine: with and without a
// difference of 1 % between the classes, which the raw mean drowns.
func TestDistinguish(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		difference float64
		leak       bool
	}{{0, false}, {10, true}, {-10, true}} {
		samples := make([]sample, 10000)
		for i := range samples {
			s := sample{fixed: r.IntN(2) == 0, time: 1000 + 30*r.NormFloat64()}
			if s.fixed {
				s.time += c.difference
			}
			if r.IntN(20) == 0 {
				s.time += 100000 * r.ExpFloat64()
			}
			samples[i] = s
		}
		got := distinguish(samples)
		if leak := math.Abs(got) >= threshold; leak != c.leak || leak && got*c.difference < 0 {
			t.Errorf("with a difference of %v, t = %.1f", c.difference, got)
		}
	}
	if got := distinguish([]sample{{true, 5}, {false, 5}, {true, 5}, {false, 5}}); got != 0 {
		t.Errorf("t = %v for equal times", got)
	}
}
