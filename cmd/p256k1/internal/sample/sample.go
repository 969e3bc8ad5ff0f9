// Package sample makes lines for package check, from throw-away keys.
package sample

import (
	"context"
	"fmt"
	"io"
	"math/bits"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/check"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/ordered"
)

// Kind is what the lines hold.
type Kind string

// The kinds.
const (
	Nostr   Kind = "nostr"   // events
	ECDSA   Kind = "ecdsa"   // rows
	Schnorr Kind = "schnorr" // rows
	Mixed   Kind = "mixed"   // each of these at random

	Recoverable Kind = "recoverable" // rows
)

// Kinds returns all kinds.
func Kinds() []Kind {
	return []Kind{Nostr, ECDSA, Schnorr, Mixed, Recoverable}
}

// Options are which lines to make.
type Options struct {
	Lines   int64
	Bad     int64 // how many of them are bad, spread evenly
	Kind    Kind
	Seed    [32]byte // decides everything else
	Workers int
}

// batchLines is how many lines a worker makes at once.
const batchLines = 64

// batch is some lines on their way from a worker to the writer.
type batch struct {
	first int64 // number of the first line, from 0
	lines int64
	text  []byte
	err   error
}

// Write writes lines to w. The error is that of w or ctx.
func Write(ctx context.Context, w io.Writer, o Options) error {
	return ordered.Run(ctx, o.Workers, ordered.Stages[batch]{
		Produce: func(f *ordered.Feed[batch]) {
			for first := int64(0); first < o.Lines; first += batchLines {
				b := f.Next()
				if b == nil {
					return
				}
				b.first, b.lines = first, min(batchLines, o.Lines-first)
				f.Put()
			}
		},
		Worker: func() func(*batch) {
			var checker check.Checker
			return func(b *batch) { b.make(&o, &checker) }
		},
		Collect: func(b *batch) error {
			if b.err != nil {
				return b.err
			}
			_, err := w.Write(b.text)
			return err
		},
	})
}

// make makes the lines of the batch.
func (b *batch) make(o *Options, checker *check.Checker) {
	b.text, b.err = b.text[:0], nil
	m, err := newMaker(o.Seed, b.first)
	if err != nil {
		b.err = err
		return
	}
	for n := b.first; n < b.first+b.lines; n++ {
		line, err := m.line(o, n, checker)
		if err != nil {
			b.err = fmt.Errorf("line %d: %w", n+1, err)
			return
		}
		b.text = append(b.text, line...)
		b.text = append(b.text, '\n')
	}
}

// isBad reports whether line n, from 0, is to be bad.
func (o *Options) isBad(n int64) bool {
	return o.badBefore(n+1) > o.badBefore(n)
}

// badBefore returns how many of the first n lines are bad: their share, rounded
// down.
func (o *Options) badBefore(n int64) uint64 {
	hi, lo := bits.Mul64(uint64(n), uint64(o.Bad))
	share, _ := bits.Div64(hi, lo, uint64(o.Lines))
	return share
}
