package main

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/tools/evidence/operations"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// TestDistinguish tests times like those of a busy machine, with and without a difference of 1 % between the classes.
// The means of all times do not show this difference.
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
		if leak := math.Abs(got) >= threshold; leak != c.leak || (leak && got*c.difference < 0) {
			t.Errorf("with a difference of %v, t = %.1f", c.difference, got)
		}
	}
	if got := distinguish([]sample{{true, 5}, {false, 5}, {true, 5}, {false, 5}}); got != 0 {
		t.Errorf("t = %v for equal times", got)
	}
}

// TestReport sees leaks in operations whose names begin alike.
func TestReport(t *testing.T) {
	for begin, want := range map[string]bool{"planted: ": true, planted[0].Name: false, "": false, "none": false} {
		err := must.Catch(func() {
			report(1, func(o *operations.Op) (float64, bool) { return 0, strings.HasPrefix(o.Name, begin) })
		})
		if (err == nil) != want {
			t.Errorf("if all operations leak that begin with %q: %v", begin, err)
		}
	}
}
