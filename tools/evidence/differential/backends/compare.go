package main

import (
	"fmt"
	"strings"
)

// compare runs one chunk on all sides, one of which checks with math/big, and returns what there is to count. Its error says in
// full what differs, or is wrong.
func compare(op *operation, chunk int, sides []side) (n tally, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s, chunk %d: %w", op.name, chunk, err)
		}
	}()
	var digests []uint64
	for i, s := range sides {
		check := chunk%len(sides) == i
		r, err := s.run(job{Operation: op.name, Chunk: chunk, Check: check, Show: -1})
		switch {
		case err != nil:
			return n, err
		case r.Wrong >= 0:
			return n, fmt.Errorf("%s: %w", s.name, show(op, chunk, r.Wrong, sides))
		case r.Tally.Cases != chunkCases*op.often || check && r.Tally.Checked+r.Tally.Outside == 0:
			return n, fmt.Errorf("%s: %+v", s.name, r.Tally)
		}
		digests = append(digests, r.Digest)
		if check {
			n = r.Tally
		}
	}
	for i, s := range sides[1:] {
		if digests[i+1] == digests[0] {
			continue
		}
		first, err := firstDifference(op, chunk, sides[0], s)
		if err != nil {
			return n, err
		}
		return n, fmt.Errorf("%s and %s differ: %w", sides[0].name, s.name, show(op, chunk, first, sides))
	}
	return n, nil
}

// firstDifference returns the first case in which two sides differ.
func firstDifference(op *operation, chunk int, a, b side) (first int, err error) {
	var traces [2][]uint64
	for i, s := range []side{a, b} {
		r, err := s.run(job{Operation: op.name, Chunk: chunk, Trace: true, Show: -1})
		if err != nil {
			return 0, err
		}
		traces[i] = r.Trace
	}
	for i := range traces[0] {
		if traces[0][i] != traces[1][i] {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%s and %s differed once, and did not again", a.name, b.name)
}

// show returns one case as an error, as all sides have it.
func show(op *operation, chunk, i int, sides []side) error {
	var b strings.Builder
	for n, s := range sides {
		r, err := s.run(job{Operation: op.name, Chunk: chunk, Show: i})
		if err != nil {
			return err
		}
		if n == 0 {
			fmt.Fprintf(&b, "case %d, aliasing %#x", i, r.Shown.Way&0xff)
			words(&b, "in", r.Shown.In)
		}
		fmt.Fprintf(&b, "\n  %s: %s", s.name, r.Shown.Verdict)
		words(&b, "out", r.Shown.Out)
	}
	return fmt.Errorf("%s", b.String())
}

func words(b *strings.Builder, name string, all []word) {
	for _, w := range all {
		fmt.Fprintf(b, "\n    %-3s %016x %016x %016x %016x", name, w[3], w[2], w[1], w[0])
	}
}
