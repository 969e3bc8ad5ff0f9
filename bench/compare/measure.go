package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// batches is how often the C program times its iterations (run_benchmark in
// bench.h is always called with 10). The Go loop does the same.
const batches = 10

// A sample is the time of one iteration in nanoseconds, over the batches.
type sample struct{ min, avg float64 }

// A subject is something that runs an operation iters times in each batch.
type subject interface {
	sample(ctx context.Context, iters int) (sample, error)
}

// iterationsFor finds how many iterations make all batches of s together last
// about d. The first run also warms up.
func iterationsFor(ctx context.Context, s subject, d time.Duration) (int, error) {
	const trial = 50
	t, err := s.sample(ctx, trial)
	if err != nil {
		return 0, err
	}
	return max(1, int(float64(d.Nanoseconds())/batches/t.min)), nil
}

// cProgram is an operation in the benchmark program of libsecp256k1.
type cProgram struct {
	path string
	name string
}

func (p cProgram) sample(ctx context.Context, iters int) (sample, error) {
	cmd := exec.CommandContext(ctx, p.path, p.name)
	cmd.Env = append(os.Environ(), "SECP256K1_BENCH_ITERS="+strconv.Itoa(iters))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return sample{}, fmt.Errorf("%s %s: %w", p.path, p.name, err)
	}
	return parseTable(out, p.name)
}

// parseTable finds an operation in the table that the C program prints: name,
// least, average and greatest time in microseconds, separated by commas. The
// program knows prefixes ("ecdsa" is three operations), so only the whole name
// counts.
func parseTable(table []byte, name string) (sample, error) {
	lines := bufio.NewScanner(bytes.NewReader(table))
	for lines.Scan() {
		columns := strings.Split(lines.Text(), ",")
		if len(columns) != 4 || strings.TrimSpace(columns[0]) != name {
			continue
		}
		least, err1 := strconv.ParseFloat(strings.TrimSpace(columns[1]), 64)
		avg, err2 := strconv.ParseFloat(strings.TrimSpace(columns[2]), 64)
		if err := cmp.Or(err1, err2); err != nil {
			return sample{}, fmt.Errorf("in the C program's table: %w", err)
		}
		return sample{min: least * 1000, avg: avg * 1000}, nil
	}
	return sample{}, fmt.Errorf("no row %q in what the C program printed:\n%s", name, table)
}

// goLoop is an operation in this library.
type goLoop struct {
	corpus *corpus
	step   func(c *corpus, i int) error
}

func (g goLoop) sample(_ context.Context, iters int) (sample, error) {
	// What others left behind is not to be collected on this one's time.
	runtime.GC()
	s := sample{}
	next := 0
	for batch := range batches {
		begin := time.Now()
		for range iters {
			if err := g.step(g.corpus, next); err != nil {
				return sample{}, err
			}
			next++
		}
		t := float64(time.Since(begin).Nanoseconds()) / float64(iters)
		s.avg += t / batches
		if batch == 0 || t < s.min {
			s.min = t
		}
	}
	return s, nil
}

// allocations returns how often an iteration allocates, on average.
func (g goLoop) allocations() float64 {
	i := 0
	return testing.AllocsPerRun(100, func() {
		_ = g.step(g.corpus, i) // sample reports errors
		i++
	})
}

func median(values []float64) float64 {
	s := slices.Sorted(slices.Values(values))
	n := len(s)
	if n%2 == 1 {
		return s[n/2]
	}
	return (s[n/2-1] + s[n/2]) / 2
}
