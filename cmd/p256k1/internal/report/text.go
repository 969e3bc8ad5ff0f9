package report

import (
	"fmt"
	"io"
	"strings"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/bulk"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/decimal"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/show"
)

// Text writes a line for each finding, in the form that compilers use for error messages:
//
//	file:line: verdict [shape]: reason
//
// where the name of the file is in the form of show.Name. Of consecutive unreadable lines, Text shows only the first
// hundred.
type Text struct{ w io.Writer }

// NewText returns a Text that writes to w.
func NewText(w io.Writer) *Text {
	return &Text{w}
}

// Findings implements Writer.
func (t *Text) Findings(findings []bulk.Finding) error {
	var b []byte
	for _, f := range findings {
		if f.Run > longRun+1 {
			continue
		}
		if f.Run > longRun {
			b = fmt.Appendf(b, "%s:%d: unreadable, like the %d lines before: this does not look like signatures; the rest is only counted (--json names all)\n",
				show.Name(f.File), f.Line, longRun)
			continue
		}
		b = fmt.Appendf(b, "%s:%d: %s", show.Name(f.File), f.Line, f.Result.Verdict)
		if shape := f.Result.Shape.String(); shape != "" {
			b = append(b, ' ')
			b = append(b, shape...)
		}
		b = fmt.Appendf(b, ": %s\n", show.Text(f.Result.Reason))
	}
	if len(b) == 0 {
		return nil
	}
	_, err := t.w.Write(b)
	return err
}

// longRun is the largest number of consecutive unreadable lines that are shown.
const longRun = 100

// Failure implements Writer. It writes nothing, because errors go to another stream.
func (t *Text) Failure(string, string) error { return nil }

// Summary implements Writer.
func (t *Text) Summary(s *Summary) error {
	c := &s.Counts
	var b strings.Builder
	if s.Interrupted {
		b.WriteString("interrupted; so far:\n")
	}
	fmt.Fprintf(&b, "%s good, %s bad, %s\n", decimal.Count(c.Signatures.Good, "signature"),
		decimal.Grouped(c.Signatures.Bad), decimal.Count(c.Unreadable, "unreadable line"))
	if c.Tweaks.Good+c.Tweaks.Bad > 0 {
		fmt.Fprintf(&b, "%s good, %s bad\n", decimal.Count(c.Tweaks.Good, "tweak"), decimal.Grouped(c.Tweaks.Bad))
	}
	if c.Failed > 0 {
		fmt.Fprintf(&b, "%s could not be read\n", decimal.Count(c.Failed, "file"))
	}
	if c.Empty > 0 {
		fmt.Fprintf(&b, "%s with nothing to check\n", decimal.Count(c.Empty, "file"))
	}
	fmt.Fprintf(&b, "%s per second (%.2f s", decimal.Count(int64(s.PerSecond()), "signature"), s.Elapsed.Seconds())
	if s.Workers > 0 {
		fmt.Fprintf(&b, ", %d at a time", s.Workers)
	}
	b.WriteString(")\n")
	if c.Rows > 0 {
		b.WriteString("rows were checked with the digests h that they contain; no file was hashed (--file hashes one)\n")
	}
	_, err := io.WriteString(t.w, b.String())
	return err
}
