package cli

import (
	"bytes"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/bulk"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/report"
)

// TestBar checks that the bar is removed before findings and failures are written, and is shown again after them.
func TestBar(t *testing.T) {
	var b bytes.Buffer
	o := observer{report: report.NewText(&b), errs: &b, bar: &bar{terminal: &b}}
	o.Progress(&bulk.Counts{Unreadable: 1234})
	shown := b.String()
	if !strings.HasPrefix(shown, "1,234 lines, ") || !strings.HasSuffix(shown, "/s") {
		t.Fatalf("%q", shown)
	}
	o.Progress(&bulk.Counts{Unreadable: 1235}) // too soon for an update
	o.Findings([]bulk.Finding{{File: "a", Line: 1}})
	o.Progress(&bulk.Counts{Unreadable: 1236})
	o.Failure("-", bulk.ErrEmpty)
	blank := "\r" + strings.Repeat(" ", len(shown)+2) + "\r"
	if rest, ok := strings.CutPrefix(b.String(), shown+blank+"a:1: good: \n1,236 lines, "); !ok || !strings.Contains(rest, "\rp256k1: standard input: ") {
		t.Errorf("%q", b.String())
	}
}

// TestNoBar checks that there is no bar if a stream is not a terminal.
func TestNoBar(t *testing.T) {
	b := newBar(Streams{Err: new(bytes.Buffer), Out: new(bytes.Buffer)})
	b.show(1)
	b.clear()
	if b != nil || isTerminal(nil) {
		t.Error("a bar in a buffer")
	}
}
