// Package verify exports the verification of "p256k1 verify", for programs that distribute the work themselves. It
// gives the same verdicts as the command. The command p256k1.mleku.dev/v2/scale is such a program.
package verify

import (
	"context"
	"io"
	"iter"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/bulk"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/check"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/report"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/show"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/unpack"
)

// These are the types of the arguments of Files, and of the values that Files reports to its observer.
type (
	Input    = bulk.Input    // a file, or some of its lines
	Options  = bulk.Options  // how to check the lines
	Observer = bulk.Observer // receives the findings, in the order of the lines
	Counts   = bulk.Counts   // the numbers of verdicts
	Tally    = bulk.Tally    // numbers of good and bad lines
	Finding  = bulk.Finding  // a line that is not good
	Result   = check.Result  // the judgment of a line
	Verdict  = check.Verdict // good, bad or unreadable
	Shape    = check.Shape   // the kind of contents of a line
	Checker  = check.Checker // judges many lines together, without files
)

// These are the verdicts, and the shapes of lines.
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

// ErrEmpty means that a file has nothing to check.
var ErrEmpty = bulk.ErrEmpty

// Files checks the inputs one after another, with as many workers as the options say, and returns the counts of
// everything that it reported to o. The error is the error of o or of ctx, or is about Options.Header.
func Files(ctx context.Context, inputs iter.Seq[Input], options Options, o Observer) (Counts, error) {
	return bulk.Verify(ctx, inputs, options, o)
}

// IsText reports whether a file that begins like r is read as text. Other files are compressed, or in a format that is
// not supported. IsText reads at most 16 bytes.
func IsText(r io.Reader) bool { return unpack.IsText(r) }

// Header returns the first line of a text if it is a CSV header, and "" otherwise. Set Options.Header to the result in
// order to check later lines of the same file. maxLine is the same limit as Options.MaxLine. Header reads at most 64
// KiB and a few bytes.
func Header(r io.Reader, maxLine int) (string, error) { return bulk.Header(r, maxLine) }

// Count formats a number with its noun as in reports, such as "1,234 lines".
func Count(n int64, one string) string { return show.Count(n, one) }

// These types write the findings, and the summary at the end.
type (
	JSON    = report.JSON // in the form of "p256k1 verify --json"
	Text    = report.Text // in the form of "p256k1 verify"
	Summary = report.Summary
)

// NewJSON returns a JSON that writes to w.
func NewJSON(w io.Writer) *JSON { return report.NewJSON(w) }

// NewText returns a Text that writes to w.
func NewText(w io.Writer) *Text { return report.NewText(w) }
