package check

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/vectors"
)

// TestLines compares lines together with lines one at a time, of all shapes, good and
// spoilt, in all orders.
func TestLines(t *testing.T) {
	var lines [][]byte
	for _, file := range []string{"bitcoin-block-300025-sigs.jsonl", "nostr-events-sigs.jsonl", "bitcoin-block866342-taptweaks.jsonl"} {
		vectors.Lines(t, "realworld/"+file, func(i int, line []byte) {
			if i > 200 {
				return
			}
			lines = append(lines, slices.Clone(line))
			for range 2 {
				spoilt := slices.Clone(line)
				spoilt[rand.IntN(len(line))] = "0123456789abcdef"[rand.IntN(16)]
				lines = append(lines, spoilt)
			}
		})
	}
	for _, lowS := range []bool{false, true} {
		one, together := Checker{LowS: lowS}, Checker{LowS: lowS}
		rand.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		var counts [3]int
		for rest := lines; len(rest) > 0; {
			n := min(len(rest), rand.IntN(300))
			results := together.Lines([]Result{{Reason: "stays"}}, rest[:n])
			if len(results) != n+1 || results[0].Reason != "stays" {
				t.Fatalf("%d results for %d lines", len(results)-1, n)
			}
			for i, got := range results[1:] {
				if want := one.Line(rest[i]); got != want {
					t.Errorf("%s:\ntogether %+v\nalone %+v", rest[i], got, want)
				}
				counts[got.Verdict]++
			}
			rest = rest[n:]
		}
		if counts[Good] < len(lines)/4 || counts[Bad] < len(lines)/4 {
			t.Errorf("%d lines are good, %d bad, %d unreadable: one of these is not tested", counts[0], counts[1], counts[2])
		}
	}
}

// TestLinesTogether has signatures by which a key signed the digest of another line.
func TestLinesTogether(t *testing.T) {
	for name, row := range map[string]object{"ecdsa": ecdsaRow(t), "schnorr": schnorrRow(t, testDigest()), "recoverable": recoverableRow(t)} {
		other := row.with("h", strings.Repeat("42", 32))
		var c Checker
		for want, lines := range map[string][][]byte{
			"good bad good": {row.line(t), other.line(t), row.line(t)}, "bad good bad": {other.line(t), row.line(t), other.line(t)},
		} {
			var got []string
			for _, r := range c.Lines(nil, lines) {
				got = append(got, r.Verdict.String())
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s: %q, want %s", name, got, want)
			}
		}
	}
}
