package measure

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// Confidence is the confidence level of the intervals.
const Confidence = 0.95

// FewestRounds is the smallest number of samples that allows a confidence interval of the median.
const FewestRounds = 6

// summarize returns the median and its confidence interval. If there are too few values, the interval is their range.
func summarize(values []float64) (median, low, high float64) {
	if len(values) == 0 {
		return 0, 0, 0
	}
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds), Confidence)
	if math.IsInf(s.Lo, 0) || math.IsInf(s.Hi, 0) {
		s.Lo, s.Hi = slices.Min(values), slices.Max(values)
	}
	return s.Center, s.Lo, s.Hi
}
