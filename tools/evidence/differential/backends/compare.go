package main

import (
	"fmt"
	"slices"
	"strings"
)

// A side is a backend with a runner for it.
type side struct {
	build  *build
	runner runner
}

// compare runs one chunk on all sides that take part in it, one of which checks with math/big, and returns what there is to
// count. Its error says in full what differs, or is wrong.
func compare(op *operation, chunk int, sides []side) (n *count, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s, chunk %d: %w", op.name, chunk, err)
		}
	}()
	sides = slices.DeleteFunc(slices.Clone(sides), func(s side) bool { return chunk%s.build.every != 0 })
	n = newCount()
	n.chunks = 1
	var digests []uint64
	for i, s := range sides {
		check := chunk%len(sides) == i
		r, err := s.runner.run(job{Operation: op.name, Chunk: chunk, Check: check, Show: -1})
		switch {
		case err != nil:
			return n, err
		case r.Wrong >= 0:
			return n, fmt.Errorf("%s: %w", s.build.name, show(op, chunk, r.Wrong, sides))
		case r.Cases != chunkCases*op.often || check && r.Checked+r.Outside == 0:
			return n, fmt.Errorf("%s: %d cases, %d checked", s.build.name, r.Cases, r.Checked)
		}
		digests = append(digests, r.Digest)
		n.cases[s.build.name] += r.Cases
		n.checked += r.Checked
		n.outside += r.Outside
	}
	for i, s := range sides[1:] {
		if digests[i+1] == digests[0] {
			continue
		}
		first, err := firstDifference(op, chunk, sides[0], s)
		if err != nil {
			return n, err
		}
		return n, fmt.Errorf("%s and %s differ: %w", sides[0].build.name, s.build.name, show(op, chunk, first, sides))
	}
	return n, nil
}

// firstDifference returns the first case in which two sides differ.
func firstDifference(op *operation, chunk int, a, b side) (first int, err error) {
	var traces [2][]uint64
	for i, s := range []side{a, b} {
		r, err := s.runner.run(job{Operation: op.name, Chunk: chunk, Trace: true, Show: -1})
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
	return 0, fmt.Errorf("%s and %s differed once, and did not again", a.build.name, b.build.name)
}

// show returns one case as an error, as all sides have it.
func show(op *operation, chunk, i int, sides []side) error {
	var b strings.Builder
	for n, s := range sides {
		r, err := s.runner.run(job{Operation: op.name, Chunk: chunk, Show: i})
		if err != nil {
			return err
		}
		if n == 0 {
			fmt.Fprintf(&b, "case %d, aliasing %#x", i, r.Shown.Way&0xff)
			words(&b, "in", r.Shown.In)
		}
		fmt.Fprintf(&b, "\n  %s: %s", s.build.name, r.Shown.Verdict)
		words(&b, "out", r.Shown.Out)
	}
	return fmt.Errorf("%s", b.String())
}

func words(b *strings.Builder, name string, all []word) {
	for _, w := range all {
		fmt.Fprintf(b, "\n    %-3s %016x %016x %016x %016x", name, w[3], w[2], w[1], w[0])
	}
}
