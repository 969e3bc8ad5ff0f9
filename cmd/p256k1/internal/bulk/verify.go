// Package bulk checks files of any size line by line on all cores, in memory
// that does not depend on the files.
//
// One goroutine reads and cuts batches of whole lines, workers judge them, and
// the caller's goroutine collects what they found in the order of the files.
package bulk

import (
	"context"
	"io"

	"golang.org/x/sync/semaphore"

	"p256k1.mleku.dev/cmd/p256k1/internal/check"
	"p256k1.mleku.dev/cmd/p256k1/internal/ordered"
)

// Input is a file to check.
type Input struct {
	Name string
	Open func() (io.ReadCloser, error)
}

// Finding is a line that is not good.
type Finding struct {
	File   string
	Line   int64 // from 1
	Result check.Result
}

// Tally counts the lines of some shapes.
type Tally struct {
	Good, Bad int64
}

// Counts is what was found in all files.
type Counts struct {
	Signatures Tally
	Tweaks     Tally
	Unreadable int64 // lines
	Failed     int64 // files that could not be read, or not to the end
}

func (c *Counts) add(r check.Result) {
	tally := &c.Signatures
	if r.Shape == check.Tweak {
		tally = &c.Tweaks
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

func (c *Counts) addAll(d *Counts) {
	c.Signatures.Good += d.Signatures.Good
	c.Signatures.Bad += d.Signatures.Bad
	c.Tweaks.Good += d.Tweaks.Good
	c.Tweaks.Bad += d.Tweaks.Bad
	c.Unreadable += d.Unreadable
	c.Failed += d.Failed
}

// Observer is told what happens, in the order of the files and their lines. An
// error ends the run.
type Observer interface {
	// Findings is called with lines that are not good.
	Findings([]Finding) error
	// Failure is called for a file that could not be read.
	Failure(file string, err error) error
	// Progress is called after every few lines with how many bytes they had,
	// and the counts up to them.
	Progress(bytes int64, counts *Counts)
}

// Options are how to check.
type Options struct {
	Workers int  // at least 1
	MaxLine int  // bytes of a line; longer ones are unreadable
	LowS    bool // as in check.Checker
}

// Verify checks the inputs one after another and returns the counts of what o
// was told. The error is that of o or of ctx; Verify returns promptly when ctx
// is done, and then an input may go on being read until its Read returns.
func Verify(ctx context.Context, inputs []Input, options Options, o Observer) (Counts, error) {
	var counts Counts
	r := &reader{
		maxLine: options.MaxLine,
		buf:     make([]byte, batchBytes),
		large:   semaphore.NewWeighted(max(largeBatches, int64(options.MaxLine)+batchBytes)),
	}
	err := ordered.Run(ctx, options.Workers, ordered.Stages[batch]{
		Produce: func(f *ordered.Feed[batch]) { r.files(inputs, f) },
		Worker: func() func(*batch) {
			c := &check.Checker{LowS: options.LowS}
			return func(b *batch) { b.check(c) }
		},
		Collect: func(b *batch) error {
			defer r.large.Release(b.weight())
			return b.report(&counts, o)
		},
	})
	return counts, err
}

// report adds a batch to the counts and tells o about it.
func (b *batch) report(counts *Counts, o Observer) error {
	if b.err != nil {
		b.counts.Failed++
		if err := o.Failure(b.file, b.err); err != nil {
			return err
		}
	}
	if len(b.findings) > 0 {
		if err := o.Findings(b.findings); err != nil {
			return err
		}
	}
	counts.addAll(&b.counts)
	o.Progress(b.size, counts)
	return nil
}
