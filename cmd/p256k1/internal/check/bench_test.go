package check

import (
	"testing"

	"p256k1.mleku.dev/v2/internal/vectors"
)

// The benchmarks say what a line costs, and what of it is not the verification.
func BenchmarkLine(b *testing.B) {
	for _, file := range []string{"bitcoin-block-300025-sigs.jsonl", "nostr-events-sigs.jsonl", "bitcoin-block866342-taptweaks.jsonl"} {
		b.Run("file="+file, func(b *testing.B) {
			var lines [][]byte
			vectors.Lines(b, "realworld/"+file, func(_ int, line []byte) { lines = append(lines, line) })
			var c Checker
			var bytes int64
			n := 0
			b.ReportAllocs()
			for b.Loop() {
				line := lines[n%len(lines)]
				n++
				bytes += int64(len(line))
				if r := c.Line(line); r.Verdict != Good {
					b.Fatal(r)
				}
			}
			b.SetBytes(bytes / int64(n))
		})
	}
}
