// Package bulk checks files of any size line by line on all cores. The memory that it uses does not depend on the sizes
// of the files.
//
// One goroutine reads files and divides them into batches of whole lines, several workers judge the batches, and the
// caller's goroutine collects the findings in the order of the files.
package bulk

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/check"
)

// Input is a file to check.
type Input struct {
	Name string
	Open func() (io.ReadCloser, error)
}

// Finding is a line whose verdict is not Good.
type Finding struct {
	File   string
	Line   int64 // number of the line, from 1
	Result check.Result
	Run    int64 // number of consecutive unreadable lines up to and including this line

	afterGood bool // whether there is a good line between the previous finding of the batch and this finding
}

// Tally counts the good and the bad lines of some shapes.
type Tally struct {
	Good int64 `json:"good"`
	Bad  int64 `json:"bad"`
}

// Counts holds the numbers of verdicts in all files.
type Counts struct {
	Signatures Tally `json:"signatures"`
	Tweaks     Tally `json:"tweaks"`
	Unreadable int64 `json:"unreadable"` // lines
	Failed     int64 `json:"failed"`     // files that could not be read to the end
	Empty      int64 `json:"empty"`      // files that were read but have no lines except empty ones and a CSV header
	Rows       int64 `json:"-"`          // number of signatures whose digest is given in the line
}

// Lines returns the number of lines that were judged.
func (c *Counts) Lines() int64 { return c.Signatures.Good + c.Tweaks.Good + c.NotGood() }

// NotGood returns the number of bad or unreadable lines.
func (c *Counts) NotGood() int64 { return c.Signatures.Bad + c.Tweaks.Bad + c.Unreadable }

// Add adds the counts of other files.
func (c *Counts) Add(d *Counts) {
	c.Signatures.Good += d.Signatures.Good
	c.Signatures.Bad += d.Signatures.Bad
	c.Tweaks.Good += d.Tweaks.Good
	c.Tweaks.Bad += d.Tweaks.Bad
	c.Unreadable += d.Unreadable
	c.Failed += d.Failed
	c.Empty += d.Empty
	c.Rows += d.Rows
}

// ErrEmpty means that a file has nothing to check.
var ErrEmpty = errors.New("nothing to check: no lines, or only empty ones")

func (c *Counts) add(r check.Result) {
	tally := &c.Signatures
	if r.Shape == check.Tweak {
		tally = &c.Tweaks
	}
	if r.Shape == check.ECDSA || r.Shape == check.Schnorr || r.Shape == check.Recoverable {
		c.Rows++
	}
	switch r.Verdict {
	case check.Good:
		tally.Good++
	case check.Bad:
		tally.Bad++
	case check.Unreadable:
		c.Unreadable++
	}
}

// Observer receives the findings, in the order of the files and their lines. If a method returns an error, the run
// ends.
type Observer interface {
	// Findings is called with the lines whose verdict is not Good.
	Findings([]Finding) error
	// Failure is called for a file that could not be read, and with ErrEmpty for a file that has nothing to check.
	Failure(file string, err error) error
	// Progress is called after every few lines with the counts so far.
	Progress(*Counts)
}

// Options say how to check files.
type Options struct {
	Workers int  // at least 1
	MaxLine int  // largest length of a line in bytes; longer lines are unreadable
	LowS    bool // as in check.Checker
	Inner   bool // the inputs are lines from the middle of files: not compressed, and without a byte order mark

	Header string // header of the CSV file from which inner lines come, or empty for JSON
}

// Verify checks the inputs one after another, and returns the counts of everything that it reported to o. Inputs may be
// compressed in the formats that package unpack reads. The error is the error of o or of ctx, or is about
// Options.Header. Verify returns promptly when ctx is done, although a pending Read of an input may continue.
func Verify(ctx context.Context, inputs iter.Seq[Input], options Options, o Observer) (Counts, error) {
	c := collector{o: o}
	r := &reader{maxLine: options.MaxLine, inner: options.Inner, long: make(chan struct{}, 1)}
	if options.Inner && options.Header != "" {
		var err error
		if r.header, err = check.NewHeader([]byte(options.Header)); err != nil {
			return Counts{}, err
		}
	}
	worker := func() func(*batch) {
		j := judge{checker: check.Checker{LowS: options.LowS}, maxLine: options.MaxLine}
		return j.check
	}
	read := func(ctx context.Context, put func(*batch) bool) { r.files(ctx, inputs, put) }
	err := run(ctx, options.Workers, read, worker, func(b *batch) error {
		if b.long {
			<-r.long
		}
		return c.collect(b)
	})
	return c.counts, err
}

// Header returns the first line of a text if Verify would take it as a CSV header, and "" otherwise. maxLine is the
// same limit as Options.MaxLine. Header reads at most 64 KiB and a few bytes.
func Header(r io.Reader, maxLine int) (string, error) {
	data := make([]byte, len(byteOrderMark)+check.MaxHeader+len("\r\n"))
	n, err := io.ReadFull(r, data)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return "", err
	}
	b := batch{data: bytes.TrimPrefix(data[:n], []byte(byteOrderMark))}
	line, _, _ := bytes.Cut(b.data, newline)
	if header, err := b.takeHeader(maxLine); header == nil {
		return "", err
	}
	return string(bytes.TrimSuffix(line, []byte{'\r'})), nil
}

// A collector adds up the counts of batches, and reports their findings to o.
type collector struct {
	o      Observer
	counts Counts
	before int64 // number of lines in the files before the current one
	run    int64 // number of unreadable lines since the last readable line
}

func (c *collector) collect(b *batch) error {
	for i := range b.findings {
		f := &b.findings[i]
		if f.afterGood || f.Result.Verdict != check.Unreadable {
			c.run = 0
		}
		if f.Result.Verdict == check.Unreadable {
			c.run++
		}
		f.Run, f.afterGood = c.run, false
	}
	if b.good {
		c.run = 0
	}
	if len(b.findings) > 0 {
		if err := c.o.Findings(b.findings); err != nil {
			return err
		}
	}
	c.counts.Add(&b.counts)
	c.o.Progress(&c.counts)
	if !b.end {
		return nil
	}
	lines := c.counts.Lines() - c.before
	c.before += lines
	switch {
	case b.err != nil:
		c.counts.Failed++
		return c.o.Failure(b.file, b.err)
	case lines == 0:
		c.counts.Empty++
		return c.o.Failure(b.file, ErrEmpty)
	}
	return nil
}
