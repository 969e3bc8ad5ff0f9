// Package verify is "p256k1 verify" for programs which spread the work themselves: the same verdicts on the same lines.
// The module p256k1.mleku.dev/v2/scale is one.
package verify

import (
	"context"
	"io"
	"iter"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/bulk"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/check"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/decimal"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/report"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/unpack"
)

// The types of the arguments of Files, and of the events that it reports to its observer.
type (
	Input    = bulk.Input    // a file, or some lines of one
	Options  = bulk.Options  // how to check
	Observer = bulk.Observer // is told what happens, in the order of the lines
	Counts   = bulk.Counts   // what was found
	Tally    = bulk.Tally    // good and bad ones
	Finding  = bulk.Finding  // a line that is not good
	Result   = check.Result  // the judgment of a line
	Verdict  = check.Verdict // good, bad or unreadable
	Shape    = check.Shape   // what a line holds
	Checker  = check.Checker // judges lines without their files, many together
)

// The verdicts, and what may be judged.
const (
	Good       = check.Good
	Bad        = check.Bad
	Unreadable = check.Unreadable

	None        = check.None
	Event       = check.Event
	ECDSA       = check.ECDSA
	Schnorr     = check.Schnorr
	Recoverable = check.Recoverable
	Tweak       = check.Tweak
)

// ErrEmpty is the failure of a file in which there is nothing to check.
var ErrEmpty = bulk.ErrEmpty

// Files checks the inputs one after another on as many goroutines as the options say, and returns the counts of what o
// was told. The error is that of o or of ctx.
func Files(ctx context.Context, inputs iter.Seq[Input], options Options, o Observer) (Counts, error) {
	return bulk.Verify(ctx, inputs, options, o)
}

// IsText reports whether a file that begins as r does is read as it is. Others are compressed, or are not read. It reads
// at most 512 bytes.
func IsText(r io.Reader) bool { return unpack.IsText(r) }

// Header returns the first line of a text if that is the header of CSV, which Options has for lines that come later, and
// otherwise nothing. MaxLine is the limit in Options. It reads little more than 64 KiB.
func Header(r io.Reader, maxLine int) (string, error) { return bulk.Header(r, maxLine) }

// Count writes a number as reports do, with the word of what it counts: "1,234 lines".
func Count(n int64, one string) string { return decimal.Count(n, one) }

// Writers of findings and of the summary at the end.
type (
	JSON    = report.JSON // as "p256k1 verify --json" writes
	Text    = report.Text // as "p256k1 verify" writes
	Summary = report.Summary
)

// NewJSON returns a JSON that writes to w.
func NewJSON(w io.Writer) *JSON { return report.NewJSON(w) }

// NewText returns a Text that writes to w.
func NewText(w io.Writer) *Text { return report.NewText(w) }
