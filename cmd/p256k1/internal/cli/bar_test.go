package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/bulk"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/report"
	"p256k1.mleku.dev/v2/internal/libtest"
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
	o.bar.drawn = time.Now().Add(time.Hour)
	o.Progress(&bulk.Counts{Unreadable: 1235}) // too soon for an update
	o.Findings([]bulk.Finding{{File: "a", Line: 1}})
	o.Progress(&bulk.Counts{Unreadable: 1236})
	o.Failure("-", bulk.ErrEmpty)
	blank := "\r" + strings.Repeat(" ", len(shown)+2) + "\r"
	if rest, ok := strings.CutPrefix(b.String(), shown+blank+"a:1: good: \n1,236 lines, "); !ok || !strings.Contains(rest, "\rp256k1: standard input: ") {
		t.Errorf("%q", b.String())
	}
}

// TestPercentage verifies files whose sizes are known, and one whose size is not known.
func TestPercentage(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.jsonl")
	text := run(t, "", "sample", "-n", "100").out
	libtest.Check(t, os.WriteFile(name, []byte(text), 0o600))
	stdin := libtest.Must(os.Open(name))
	defer stdin.Close()
	for _, c := range []struct {
		stdin io.Reader
		names []string
		want  string
	}{
		{nil, []string{name}, "1 line, 0/s, 99 %"},
		{nil, []string{dir, name}, "1 line, 0/s, 99 %"},
		{stdin, []string{"-"}, "1 line, 0/s, 99 %"},
		{strings.NewReader(text), []string{name, "-"}, "1 line, 0/s"},
		{nil, []string{name, dir + "/missing"}, "1 line, 0/s"},
	} {
		var out bytes.Buffer
		b := &bar{terminal: &out, start: time.Now().Add(-time.Hour)}
		o := &observer{report: report.NewText(io.Discard), errs: io.Discard}
		b.expect(c.stdin, b.inputs(c.stdin, c.names))
		counts, err := bulk.Verify(t.Context(), b.inputs(c.stdin, c.names), bulk.Options{Workers: 1, MaxLine: 1 << 20}, o)
		b.show(1, "line")
		if err != nil || counts.Lines() != int64(100*len(c.names))-100*counts.Failed || out.String() != c.want {
			t.Errorf("%q: %q, want %q; %v, %+v", c.names, out.String(), c.want, err, counts)
		}
	}
}
