package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A sample is the state of the program at some time.
type sample struct {
	at         time.Duration // since the start
	turns      int64
	resident   int64 // bytes of memory that the system has given, 0 where that is not known
	live       int64 // bytes on the heap that something refers to
	goroutines int
}

func takeSample(start time.Time, turns int64) sample {
	runtime.GC() // so that live is not that of a time before
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return sample{time.Since(start), turns, resident(), int64(live[0].Value.Uint64()), runtime.NumGoroutine()}
}

// resident reads /proc/self/statm, which Linux has.
func resident() int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

// Bounds of what may change after the warm-up, the first quarter of a run.
const (
	maxLive     = 512 << 10 // growth of what is live, from the median of the first third to that of the last
	maxResident = 4 << 20   // the same of resident memory
	maxPeak     = 16 << 20  // of resident memory at any time, above the most of the warm-up
	minSamples  = 20        // for a judgement
	slower      = 10        // percent that are worth a note
)

// A verdict is what the samples show.
type verdict struct {
	text     []string
	failures []string
}

func judge(samples []sample) (v verdict) {
	if len(samples) < minSamples {
		v.text = append(v.text, fmt.Sprintf("memory: not judged, for want of time: %d samples", len(samples)))
		return v
	}
	before, after := samples[:len(samples)/4], samples[len(samples)/4:]
	third := len(after) / 3
	first, rest := after[:third], after[len(after)-third:]
	grown := func(of func(sample) int64) int64 { return median(rest, of) - median(first, of) }

	live := func(s sample) int64 { return s.live }
	if g := grown(live); g > maxLive {
		v.failures = append(v.failures, fmt.Sprintf("live memory grew by %s", kib(g)))
	}
	v.text = append(v.text, fmt.Sprintf("live memory: %s, %s at most, %s from the first third after the warm-up to the last (bound %s)",
		kib(median(first, live)), kib(most(after, live)), signed(grown(live)), signed(maxLive)))

	size := func(s sample) int64 { return s.resident }
	if most(samples, size) == 0 {
		v.text = append(v.text, "resident memory: not known on this system")
	} else {
		peak := most(after, size) - most(before, size)
		if g := grown(size); g > maxResident {
			v.failures = append(v.failures, fmt.Sprintf("resident memory grew by %s", kib(g)))
		}
		if peak > maxPeak {
			v.failures = append(v.failures, fmt.Sprintf("resident memory rose %s above the most of the warm-up", kib(peak)))
		}
		v.text = append(v.text, fmt.Sprintf("resident memory: %s, %s at most, which is %s to the warm-up (bound %s); %s from the first third to the last (bound %s)",
			kib(median(first, size)), kib(most(after, size)), signed(peak), signed(maxPeak), signed(grown(size)), signed(maxResident)))
	}

	count := func(s sample) int64 { return int64(s.goroutines) }
	if g := grown(count); g != 0 || most(after, count) > most(before, count) {
		v.failures = append(v.failures, fmt.Sprintf("goroutines: %d at first, %d at last, %d at most", median(first, count), median(rest, count), most(after, count)))
	}
	v.text = append(v.text, fmt.Sprintf("goroutines: %d, %d at most", median(after, count), most(after, count)))
	v.text = append(v.text, throughput(after))
	return v
}

// throughput compares the turns per second between samples of the first third and
// of the last, and with how much these differ anyway. It is a report only: others
// may use the machine.
func throughput(samples []sample) string {
	var rates []float64
	for i := 1; i < len(samples); i++ {
		a, b := samples[i-1], samples[i]
		rates = append(rates, float64(b.turns-a.turns)/(b.at-a.at).Seconds())
	}
	third := len(rates) / 3
	first, last := slices.Sorted(slices.Values(rates[:third])), slices.Sorted(slices.Values(rates[len(rates)-third:]))
	was, is := first[len(first)/2], last[len(last)/2]
	noise := func(sorted []float64) float64 { return sorted[len(sorted)*3/4] - sorted[len(sorted)/4] }
	change := 100 * (is - was) / was
	text := fmt.Sprintf("turns a second: %.0f at first, %.0f at last (%+.1f %%; half of all samples differ by %.1f %% or less)", was, is, change, 100*noise(first)/was)
	if change < -slower && was-is > max(noise(first), noise(last)) {
		text += ": SLOWER by more than the noise"
	}
	return text
}

func median(samples []sample, of func(sample) int64) int64 {
	var all []int64
	for _, s := range samples {
		all = append(all, of(s))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

func most(samples []sample, of func(sample) int64) (m int64) {
	for _, s := range samples {
		m = max(m, of(s))
	}
	return m
}

func kib(n int64) string    { return fmt.Sprintf("%d KiB", n/1024) }
func signed(n int64) string { return fmt.Sprintf("%+d KiB", n/1024) }
