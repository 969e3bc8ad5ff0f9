package main

import (
	"math"
	"testing"
)

func TestParseTable(t *testing.T) {
	// As run_benchmark prints it. The first row's name contains the second's.
	const table = "Benchmark                               ,    Min(us)    ,    Avg(us)    ,    Max(us)    \n" +
		"\n" +
		"ellswift_ecdh                           ,       38.0       ,       38.1       ,       38.5    \n" +
		"ecdh                                    ,        0.00328   ,       34.25      ,       35.0    \n"
	got, err := parseTable([]byte(table), "ecdh")
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(got.min-3.28) > 1e-9 || math.Abs(got.avg-34250) > 1e-9 {
		t.Errorf("parseTable = %+v, want 3.28 and 34250 ns", got)
	}
	for _, bad := range []string{"", table[:100], "ecdh, x, 1, 2\n", "ecdh, 1, ERR, 2\n"} {
		if got, err := parseTable([]byte(bad), "ecdh"); err == nil {
			t.Errorf("parseTable(%q) = %+v, want an error", bad, got)
		}
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{3}, 3},
		{[]float64{3, 1}, 2},
		{[]float64{9, 1, 5}, 5},
		{[]float64{4, 1, 3, 2}, 2.5},
	} {
		if got := median(c.values); got != c.want {
			t.Errorf("median(%v) = %v, want %v", c.values, got, c.want)
		}
	}
}

func TestSelectOperations(t *testing.T) {
	if got, err := selectOperations(""); err != nil || len(got) != len(operations) {
		t.Errorf("selectOperations of nothing = %d operations, %v", len(got), err)
	}
	got, err := selectOperations("ecdh,ecdsa_sign")
	if err != nil || len(got) != 2 || got[0].name != "ecdh" || got[1].name != "ecdsa_sign" {
		t.Errorf("selectOperations = %v, %v", got, err)
	}
	if _, err := selectOperations("ecdsa"); err == nil {
		t.Error("selectOperations accepted a name that is not there")
	}
}

// Every input is valid for every operation.
func TestOperations(t *testing.T) {
	c, err := newCorpus()
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range operations {
		for i := range corpusSize {
			if err := op.step(c, i); err != nil {
				t.Fatalf("%s, input %d: %v", op.name, i, err)
			}
		}
	}
}
