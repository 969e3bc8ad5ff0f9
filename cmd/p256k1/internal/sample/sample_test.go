package sample

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/check"
	"p256k1.mleku.dev/v2/internal/libtest"
)

func write(t *testing.T, o Options) string {
	t.Helper()
	var b bytes.Buffer
	libtest.Check(t, Write(t.Context(), &b, o))
	if n := len(slices.Compact(slices.Sorted(strings.Lines(b.String())))); int64(n) != o.Lines {
		t.Fatalf("%d different lines, want %d", n, o.Lines)
	}
	return b.String()
}

func TestWrite(t *testing.T) {
	for _, kind := range Kinds {
		for _, c := range []struct{ lines, bad int64 }{{0, 0}, {1, 0}, {1, 1}, {300, 0}, {300, 7}, {130, 130}, {129, 128}} {
			text := write(t, Options{Lines: c.lines, Bad: c.bad, Kind: kind})
			var checker check.Checker
			var bad int64
			shapes := map[check.Shape]int{}
			for line := range strings.Lines(text) {
				r := checker.Line([]byte(line))
				shapes[r.Shape]++
				switch r.Verdict {
				case check.Bad:
					bad++
				case check.Unreadable:
					t.Errorf("%s: %s: %s", kind, r.Reason, line)
				}
			}
			if bad != c.bad {
				t.Errorf("%s: %d bad of %d, want %d", kind, bad, c.lines, c.bad)
			}
			want := map[Kind]int{Nostr: 1, ECDSA: 1, Schnorr: 1, Recoverable: 1, Mixed: 3}[kind]
			if c.lines > 100 && len(shapes) != want {
				t.Errorf("%s: shapes %v", kind, shapes)
			}
		}
	}
}
