package lanes

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"p256k1.mleku.dev/v2/internal/platform"
)

// A count holds the numbers of instructions in a routine, for one pass of its loop. Intel's processors begin two vector
// instructions in a cycle, whether products or others, so the sum products + others predicts the time. Zen 4 begins one
// product in a cycle, and other instructions at the same time, and a store takes 4/3 cycles, so products + 4/3·stores
// predicts the time in cycles. Zen 5 begins two products in a cycle.
type count struct{ products, others, stores int }

// counts lists the counts of the routines that BenchmarkCounts measures. If a change lowers the count of a routine,
// lower the count in this list too.
var counts = map[string]count{
	"mul":           {63, 18, 5},
	"doubleNegateN": {348, 162, 11},
	"addMixed":      {620, 260, 24},
	"addCoZ":        {341, 228, 29},
	"addMixedXYZZ":  {577, 250, 30},
	"addXYZZ":       {829, 279, 48},
}

var (
	routine = regexp.MustCompile(`(?m)^TEXT ·?(\w+)(?:<>)?\(SB\)`)
	vector  = regexp.MustCompile(`(?m)^\t(VP?\w+(?:\.\w+)*) +(.*)$`)
	zeroing = regexp.MustCompile(`^(Z\d+), (Z\d+), (Z\d+)$`)
)

// add counts the instructions in a routine's text.
func (c *count) add(text string) {
	for _, m := range vector.FindAllStringSubmatch(text, -1) {
		name, operands := m[1], m[2]
		z := zeroing.FindStringSubmatch(operands)
		switch {
		case strings.HasPrefix(name, "VPMADD52"):
			c.products++
		case name == "VMOVDQU64" && strings.HasSuffix(operands, ")"):
			c.stores++
		case name == "VMOVDQU64", name == "VMOVDQA64", name == "VPBROADCASTQ", z != nil && name == "VPXORQ" && z[1] == z[2] && z[1] == z[3]:
			// Loads, copies and zeroing are not counted.
		default:
			c.others++
		}
	}
}

// TestCounts counts the instructions in the assembly and compares them with counts.
func TestCounts(t *testing.T) {
	text, err := os.ReadFile("lanes_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	starts, found := routine.FindAllStringSubmatchIndex(string(text), -1), 0
	for i, s := range starts {
		name, ifma := strings.CutSuffix(string(text[s[2]:s[3]]), "IFMA")
		want, is := counts[name]
		if !ifma || !is {
			continue
		}
		found++
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		body := string(text[s[0]:end])
		if _, loop, is := strings.Cut(body, "loop:"); is {
			body, _, _ = strings.Cut(loop, "JNE")
		}
		var got count
		got.add(body)
		if got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	if found != len(counts) {
		t.Errorf("%d routines, want %d", found, len(counts))
	}
}

// BenchmarkCounts reports the times of routines divided by the times that their counts predict for a processor which
// begins one product in a cycle. The unit is the time of a product in mul.
func BenchmarkCounts(b *testing.B) {
	if !platform.IFMA {
		b.Skip("twins")
	}
	w, e := new(points), elements()
	heldPoints = w
	perProduct := least(func() { mul(&e[2], &e[0], &e[1]) }) / float64(counts["mul"].products)
	for _, c := range []struct {
		name  string
		times int
		run   func()
	}{
		{"doubleNegateN", 16, func() { doubleNegateN(&w.j, 16) }},
		{"addMixed", 1, func() { addMixed(&w.j, &w.a.X, &w.a.Y, 255) }},
		{"addCoZ", 1, func() { addCoZ(&w.d, &w.a, &w.b, &w.c) }},
		{"addMixedXYZZ", 1, func() { addMixedXYZZ(&w.s, &w.a.X, &w.a.Y, 0, 255) }},
		{"addXYZZ", 1, func() { addXYZZ(&w.s, &w.q) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			var time float64
			for b.Loop() {
				time = least(c.run) / float64(c.times)
			}
			n := counts[c.name]
			b.ReportMetric(time/perProduct/(float64(n.products)+4.0/3*float64(n.stores)), "of-prediction")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// least returns the shortest time of a call, in nanoseconds.
func least(run func()) float64 {
	best := time.Hour
	for range 50 {
		begin := time.Now()
		for range 200 {
			run()
		}
		best = min(best, time.Since(begin))
	}
	return float64(best.Nanoseconds()) / 200
}
