package check_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/check"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/sample"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// compare judges lines together, as the command does. It compares the results with the results for each line alone,
// with an added space, so that the code for unusual lines reads it. The space does not change the verdict.
func compare(t *testing.T, together, alone *check.Checker, lines [][]byte, counts *[3]int) {
	t.Helper()
	for i, got := range together.Lines([]check.Result{{}}, lines)[1:] { // Lines must append to earlier results
		counts[got.Verdict]++
		if len(lines[i]) == 0 || lines[i][0] != '{' {
			continue
		}
		want := alone.Line(append([]byte("{ "), lines[i][1:]...))
		// The space changes the numbers of all columns after it.
		if strings.HasPrefix(got.Reason, "column ") && strings.HasPrefix(want.Reason, "column ") {
			_, got.Reason, _ = strings.Cut(got.Reason, ": ")
			_, want.Reason, _ = strings.Cut(want.Reason, ": ")
		}
		if got != want {
			t.Fatalf("%q:\n%+v, slowly\n%+v", lines[i], got, want)
		}
	}
}

// TestAgree compares verdicts and reasons on $P256K1_CASES generated events, and on about a tenth as many rows. About
// half of these lines are changed.
func TestAgree(t *testing.T) {
	cases := oracle.CasesOr(4000)
	const part = 2000
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	var together, alone check.Checker
	var counts [3]int
	for done := 0; done < cases; done += part {
		var text bytes.Buffer
		for kind, n := range map[sample.Kind]int64{sample.Nostr: part, sample.Mixed: part / 10, sample.Recoverable: part / 20} {
			o := sample.Options{Lines: n, Bad: n / 50, Kind: kind}
			for i := range o.Seed {
				o.Seed[i] = byte(rng.Uint32())
			}
			libtest.Check(t, sample.Write(t.Context(), &text, o))
		}
		var lines [][]byte
		for line := range bytes.Lines(text.Bytes()) {
			line = bytes.TrimSpace(line)
			if rng.IntN(2) == 0 {
				line = bytes.TrimSpace(libtest.MutateJSON(rng, line))
			}
			lines = append(lines, line)
		}
		rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		for len(lines) > 0 {
			n := min(1+rng.IntN(1000), len(lines))
			together.LowS = rng.IntN(2) == 0
			alone.LowS = together.LowS
			compare(t, &together, &alone, lines[:n], &counts)
			lines = lines[n:]
		}
	}
	t.Logf("good, bad, unreadable: %d", counts)
	for verdict, n := range counts {
		if n < cases/10 {
			t.Errorf("%d lines are %s", n, check.Verdict(verdict))
		}
	}
}
