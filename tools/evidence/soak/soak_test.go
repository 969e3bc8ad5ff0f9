package main

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"p256k1.mleku.dev/v2/tools/evidence/operations"
)

// TestTurn runs a turn twice. Every operation must run, and the oracle must compute as many results again in both runs.
func TestTurn(t *testing.T) {
	a, err1 := turn("test", 1)
	b, err2 := turn("test", 1)
	if err1 != nil || err2 != nil || a != b || a.operations != int64(len(operations.All)) || a.recomputed < 10 {
		t.Errorf("%+v, %v and %+v, %v", a, err1, b, err2)
	}
}

// leaked keeps the memory that planted turns leak.
var leaked [][]byte

// TestPlanted runs turns with planted errors. Each error must be found.
func TestPlanted(t *testing.T) {
	stop := make(chan struct{})
	t.Cleanup(func() { close(stop) })
	for name, c := range map[string]struct {
		turn   func(n int64) error
		status int
		want   string
	}{
		"nothing":        {func(int64) error { return nil }, statusGood, "0 wrong"},
		"leak":           {func(int64) error { leaked = append(leaked, make([]byte, 20<<10)); return nil }, statusBad, "FAILED: live memory: "},
		"goroutine leak": {func(int64) error { go func() { <-stop }(); return nil }, statusBad, "FAILED: goroutines: "},
		"wrong result": {func(n int64) error {
			if n == 50 {
				return errors.New("planted")
			}
			return nil
		}, statusBad, "WRONG: turn 50, to repeat with -seed test -turn 50: planted"},
	} {
		t.Run(name, func(t *testing.T) {
			var out, stderr bytes.Buffer
			status := soak(t.Context(), 2*time.Second, "test", func(_ string, n int64) (counts, error) {
				time.Sleep(10 * time.Millisecond)
				between.Lock() // because several turns may write to leaked at the same time
				defer between.Unlock()
				return counts{turns: 1}, c.turn(n)
			}, &out, &stderr)
			leaked = nil
			if status != c.status || !strings.Contains(out.String(), c.want) {
				t.Errorf("status %d, want %d and %q in\n%s", status, c.status, c.want, &out)
			}
		})
	}
}

func TestJudge(t *testing.T) {
	const mib = 1 << 20
	for name, c := range map[string]struct {
		change func(i int, s *sample) // changes sample i of 400
		want   string                 // text expected in the failures, or in the summary
		good   bool
	}{
		"flat":                  {func(int, *sample) {}, "goroutines: 5 at first, 5 at last, 5 at most", true},
		"high while warming up": {func(i int, s *sample) { s.resident += int64(max(0, 60-i)) * mib; s.live += int64(max(0, 60-i)) * mib }, "live memory", true},
		"slow growth":           {func(i int, s *sample) { s.live += int64(i) * 4 << 10 }, "live memory: ", false},
		"resident":              {func(i int, s *sample) { s.resident += int64(i) * 30 << 10 }, "resident memory: ", false},
		"peak": {func(i int, s *sample) {
			if i == 300 {
				s.resident += 40 * mib
			}
		}, "resident memory: ", false},
		"goroutines":     {func(i int, s *sample) { s.goroutines += int64(i / 200) }, "goroutines: 5 at first, 6 at last", false},
		"one goroutine":  {func(i int, s *sample) { s.goroutines += int64(i / 390) }, "6 at most", false},
		"no /proc":       {func(_ int, s *sample) { s.resident = 0 }, "not known on this system", true},
		"a little lower": {func(i int, s *sample) { s.resident -= int64(i) * 10 << 10 }, "resident memory", true},
	} {
		r := rand.New(rand.NewPCG(1, 2))
		samples := make([]sample, 400)
		for i := range samples {
			samples[i] = sample{resident: 20*mib + r.Int64N(mib), live: mib + r.Int64N(mib/4), goroutines: 5}
			c.change(i, &samples[i])
		}
		text, failures := judge(samples)
		if len(failures) == 0 != c.good || !strings.Contains(strings.Join(append(failures, text...), "\n"), c.want) {
			t.Errorf("%s: failures %q, %q, want %q", name, failures, text, c.want)
		}
	}
	if text, failures := judge(make([]sample, minSamples-1)); len(failures) > 0 || len(text) != 1 || !strings.Contains(text[0], "not judged") {
		t.Errorf("few samples: %q, %q", text, failures)
	}
}

func TestRun(t *testing.T) {
	for args, want := range map[string]int{
		"-time 0s": statusUsage, "-time many": statusUsage, "-turn 5": statusUsage, "-turn -5 -seed x": statusUsage, "extra": statusUsage,
		"-turn 5 -seed x": statusGood, "-time 1h": statusInterrupted,
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		var out, err bytes.Buffer
		if status := run(ctx, strings.Fields(args), &out, &err); status != want || (err.Len() > 0) != (want == statusUsage || want == statusInterrupted) {
			t.Errorf("%s: status %d, want %d\n%s%s", args, status, want, &out, &err)
		}
		cancel()
	}
}
