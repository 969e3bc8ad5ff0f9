package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestTurns has the same turns twice, and as many counts as results.
func TestTurns(t *testing.T) {
	var with, without counts
	for n := range int64(15) {
		a, err1 := runTurn("test", n, true)
		b, err2 := runTurn("test", n, false)
		if err1 != nil || err2 != nil {
			t.Fatalf("turn %d: %v, %v", n, err1, err2)
		}
		with.add(a)
		without.add(b)
	}
	if with.recomputed < 15*12 || without.recomputed != 0 {
		t.Errorf("%d and %d values by the oracle", with.recomputed, without.recomputed)
	}
	if with.refused < 15*20 || without.refused < 15*20 {
		t.Errorf("%d and %d refused", with.refused, without.refused)
	}
	// How many forgeries there are depends on a key that is random in spite of the seed.
	with.recomputed, with.refused, without.refused = 0, 0, 0
	if with != without || with.turns != 15 || with.signatures != 15*6 || with.secrets != 15*5 || with.keys < 13*7 {
		t.Errorf("%+v and %+v", with, without)
	}
}

// TestTry shows that a wrong result, an error and a panic end a turn.
func TestTry(t *testing.T) {
	for want, part := range map[string]func(*turn){
		": accepted: 7":    func(tr *turn) { tr.refused(false, "%d", 7) },
		": refused":        func(tr *turn) { must(1, errors.New("refused")) },
		": panic: planted": func(tr *turn) { panic("planted") },
	} {
		tr := &turn{Rand: oracle.NewSeeded("test")}
		err := tr.try(tr.makeKeys, func() { part(tr) }, func() { t.Error("the turn goes on") })
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("key %x%s", tr.d, want)) || tr.counts.turns != 0 {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// leaked keeps what planted turns leak.
var leaked [][]byte

// TestPlanted runs with turns that are as they must not be.
func TestPlanted(t *testing.T) {
	stop := make(chan struct{})
	t.Cleanup(func() { close(stop) })
	for name, c := range map[string]struct {
		turn       func(n int64) error
		goroutines int
		status     int
		want       string
	}{
		"nothing":        {func(int64) error { return nil }, 3, statusGood, "0 wrong"},
		"leak":           {func(int64) error { leaked = append(leaked, make([]byte, 20<<10)); return nil }, 1, statusBad, "FAILED: live memory grew by "},
		"goroutine leak": {func(int64) error { go func() { <-stop }(); return nil }, 2, statusBad, "FAILED: goroutines: "},
		"wrong result": {func(n int64) error {
			if n == 50 {
				return errors.New("planted")
			}
			return nil
		}, 2, statusBad, "WRONG: turn 50, to repeat with -seed test -turn 50: planted"},
	} {
		t.Run(name, func(t *testing.T) {
			var out, stderr bytes.Buffer
			o := options{time: 2 * time.Second, seed: "test", goroutines: c.goroutines, every: 1}
			status := soak(t.Context(), o, func(_ string, n int64, _ bool) (counts, error) {
				time.Sleep(10 * time.Millisecond)
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
		change func(i int, s *sample) // of sample i of 400
		want   string                 // in the failures, or in the texts
		good   bool
	}{
		"flat":                  {func(int, *sample) {}, "goroutines: 5, 5 at most", true},
		"high while warming up": {func(i int, s *sample) { s.resident += int64(max(0, 60-i)) * mib; s.live += int64(max(0, 60-i)) * mib }, "live memory", true},
		"a hair a turn":         {func(i int, s *sample) { s.live += int64(i) * 4 << 10 }, "live memory grew by ", false},
		"resident":              {func(i int, s *sample) { s.resident += int64(i) * 30 << 10 }, "resident memory grew by ", false},
		"peak": {func(i int, s *sample) {
			if i == 300 {
				s.resident += 40 * mib
			}
		}, "resident memory rose ", false},
		"goroutines":     {func(i int, s *sample) { s.goroutines += i / 200 }, "goroutines: 5 at first, 6 at last", false},
		"one goroutine":  {func(i int, s *sample) { s.goroutines += i / 390 }, "6 at most", false},
		"slower":         {func(i int, s *sample) { s.turns -= int64(i*i) / 200 * 2 }, "SLOWER", true},
		"no /proc":       {func(_ int, s *sample) { s.resident = 0 }, "not known on this system", true},
		"a little lower": {func(i int, s *sample) { s.resident -= int64(i) * 10 << 10 }, "-", true},
	} {
		r := rand.New(rand.NewPCG(1, 2))
		samples := make([]sample, 400)
		for i := range samples {
			samples[i] = sample{
				at: time.Duration(i+1) * 100 * time.Millisecond, turns: int64(i*10) + r.Int64N(3),
				resident: 20*mib + r.Int64N(mib), live: mib + r.Int64N(mib/4), goroutines: 5,
			}
			c.change(i, &samples[i])
		}
		v := judge(samples)
		if len(v.failures) == 0 != c.good || !strings.Contains(strings.Join(append(v.failures, v.text...), "\n"), c.want) {
			t.Errorf("%s: failures %q, %q, want %q", name, v.failures, v.text, c.want)
		}
	}
	for _, n := range []int{0, 1, minSamples - 1} {
		samples := make([]sample, n)
		for i := range samples {
			samples[i].at = time.Duration(i + 1)
		}
		if v := judge(samples); len(v.failures) > 0 || len(v.text) != 1 || !strings.Contains(v.text[0], "not judged") {
			t.Errorf("%d samples: %+v", n, v)
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	var out, err bytes.Buffer
	if status := run(ctx, []string{"-time", "1h"}, &out, &err); status != statusInterrupted || !strings.Contains(out.String(), "0 wrong") || !strings.Contains(err.String(), "interrupted") {
		t.Errorf("status %d\n%s%s", status, &out, &err)
	}
}

func TestFlags(t *testing.T) {
	for _, c := range []struct {
		args   string
		status int
	}{
		{"-time 0s", statusUsage}, {"-time many", statusUsage}, {"-goroutines 0", statusUsage}, {"-oracle 0", statusUsage}, {"-turn 5", statusUsage},
		{"-turn -5 -seed x", statusUsage}, {"extra", statusUsage}, {"-turn 5 -seed x", statusGood}, {"-time 200ms -goroutines 1 -oracle 1", statusGood},
	} {
		var out, err bytes.Buffer
		if status := run(t.Context(), strings.Fields(c.args), &out, &err); status != c.status || (status == statusUsage) != (err.Len() > 0) {
			t.Errorf("%s: status %d, want %d\n%s%s", c.args, status, c.status, &out, &err)
		}
	}
}
