package main

import (
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/tools/bench/measure"
)

func TestBusy(t *testing.T) {
	result := func(reach float64, rounds int) measure.Result {
		return measure.Result{Engine: "p256k1", Backend: "portable", Op: "derive", NS: 100, Low: 99, High: 100 * (1 + reach), Samples: make([]measure.Sample, rounds)}
	}
	for _, c := range []struct {
		results []measure.Result
		want    string
	}{
		{nil, ""},
		{[]measure.Result{result(0.02, 10), result(0.04, 10)}, ""},
		{[]measure.Result{result(0.5, 5), result(0.5, 2)}, ""},
		{[]measure.Result{result(0.2, 10), result(0.02, 10), result(0.02, 10), result(0.02, 10), result(0.02, 10)}, ""},
		{[]measure.Result{result(0.2, 10), result(0.02, 10), result(0.02, 10), result(0.02, 10)}, "1 of 4 intervals reach more than 5 % from the median, the widest 20 %"},
		{[]measure.Result{{NS: 100, Low: 80, High: 101, Samples: make([]measure.Sample, 6)}}, "1 of 1 intervals"},
	} {
		got, ok := busy(&measure.Report{Results: c.results, Rounds: 10})
		if ok != (c.want != "") || !strings.Contains(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
