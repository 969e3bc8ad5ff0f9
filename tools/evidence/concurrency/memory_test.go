package concurrency

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/metrics"
	"slices"
	"time"
)

// A sample is the use of memory and the number of goroutines at some time.
type sample struct {
	elapsed    time.Duration // time since the start
	resident   int64         // bytes of resident memory, or 0 if the system does not tell
	live       int64         // bytes on the heap that are reachable
	goroutines int64
}

func takeSample(start time.Time) sample {
	runtime.GC() // so that live is current
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return sample{time.Since(start), resident(), int64(live[0].Value.Uint64()), int64(runtime.NumGoroutine())}
}

// resident returns the resident memory from Linux's /proc/self/statm, or 0 on other systems.
func resident() (bytesOfAll int64) {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, pages int64
	fmt.Fscan(bytes.NewReader(text), &size, &pages)
	return pages * int64(os.Getpagesize())
}

const minSamples = 20 // samples needed to judge

// bounds limit the changes after the warm-up, which is the first quarter of a run.
var bounds = []struct {
	what  string
	value func(sample) int64
	show  func(int64) string
	grown int64 // growth from the lowest tenth of the first third to the lowest tenth of the last third
	peak  int64 // excess at any time over the largest value of the warm-up
}{
	{"live memory", func(s sample) int64 { return s.live }, kib, 256 << 10, 1 << 40},
	{"resident memory", func(s sample) int64 { return s.resident }, kib, 4 << 20, 16 << 20},
	{"goroutines", func(s sample) int64 { return s.goroutines }, plain, 0, 0},
}

// judge returns a summary of the samples, and the values that are out of bounds. Too few samples are a failure.
func judge(samples []sample) (text, failures []string) {
	if len(samples) < minSamples {
		return nil, []string{fmt.Sprintf("memory: not judged, because the run was too short: %d samples", len(samples))}
	}
	before, after := samples[:len(samples)/4], samples[len(samples)/4:]
	third := len(after) / 3
	for _, b := range bounds {
		values := func(samples []sample) (sorted []int64) {
			for _, s := range samples {
				sorted = append(sorted, b.value(s))
			}
			slices.Sort(sorted)
			return sorted
		}
		// What leaks is in all samples. Most of them also count the inputs of unfinished turns, up to 3 MiB.
		low := func(samples []sample) int64 { return values(samples)[len(samples)/10] }
		first, last, most := low(after[:third]), low(after[len(after)-third:]), slices.Max(values(after))
		if most == 0 {
			text = append(text, b.what+": not known on this system")
			continue
		}
		line := fmt.Sprintf("%s: %s at first, %s at last, %s at most, %s at most in the warm-up", b.what, b.show(first), b.show(last), b.show(most), b.show(slices.Max(values(before))))
		text = append(text, line)
		if last-first > b.grown || most-slices.Max(values(before)) > b.peak {
			failures = append(failures, fmt.Sprintf("%s; the bounds are %s from first to last and %s above the warm-up", line, b.show(b.grown), b.show(b.peak)))
		}
	}
	return text, failures
}

func kib(n int64) string   { return fmt.Sprintf("%d KiB", n/1024) }
func plain(n int64) string { return fmt.Sprint(n) }
