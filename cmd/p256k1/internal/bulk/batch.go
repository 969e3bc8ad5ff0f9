package bulk

import (
	"bytes"
	"fmt"
	"iter"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/check"
)

const (
	// batchBytes and batchLines limit the work that goes to a worker at once. It is so
	// much that the cost of handing it over does not matter, and so little that
	// findings come soon. Their signatures are verified together, which is the quicker
	// the more there are.
	batchBytes = 256 << 10
	batchLines = 1024

	// maxKept is the largest size of a batch's buffer that is used again.
	maxKept = 2 * batchBytes
)

// A batch is a number of whole lines on its way from the reader to a worker and
// then to the collector.
type batch struct {
	file    string
	header  *check.Header // of CSV
	line    int64         // number of its first line
	buf     []byte        // what was read for it
	data    []byte        // of buf the lines, each with its newline, which the last may lack
	long    bool          // it takes much memory
	tooLong bool          // it stands for a line that was not kept
	end     bool          // it stands for the end of the file, or err for the rest of it
	err     error         // why the rest was not read

	counts   Counts
	findings []Finding
	good     bool          // whether a line behind the last finding is good
	judged   chan struct{} // receives when a worker is done with it
}

// A judge is a worker's checker, with room for the lines of a batch.
type judge struct {
	checker check.Checker
	maxLine int
	numbers []int64
	lines   [][]byte
	results []check.Result
}

// reset empties the batch for the next lines of a file.
func (b *batch) reset(file string) {
	buf := b.buf[:0]
	if cap(buf) > maxKept {
		buf = nil
	}
	clear(b.findings)
	*b = batch{file: file, buf: buf, findings: b.findings[:0], judged: b.judged}
}

// check judges the lines of the batch.
func (j *judge) check(b *batch) {
	if b.long {
		// After a long line the checker would keep a large buffer.
		defer func() { j.checker = check.Checker{LowS: j.checker.LowS} }()
	}
	j.numbers, j.lines = j.numbers[:0], j.lines[:0]
	for number, line := range b.all(j.maxLine) {
		trimmed := trim(line)
		if line != nil && len(trimmed) == 0 {
			continue
		}
		if b.header == nil {
			line = trimmed
		} else {
			line = bytes.TrimSuffix(line, []byte{'\r'}) // space is part of a value
		}
		j.numbers, j.lines = append(j.numbers, number), append(j.lines, line)
	}
	j.checker.Header = b.header
	j.results = j.checker.Lines(j.results[:0], j.lines)
	for i, r := range j.results {
		if j.lines[i] == nil {
			r = tooLong(j.maxLine)
		}
		b.add(j.numbers[i], r)
	}
	clear(j.lines) // they lie in the batch
}

// all returns the lines of the batch with their numbers: nil for one of more than max bytes, the
// newline not counted.
func (b *batch) all(max int) iter.Seq2[int64, []byte] {
	return func(yield func(int64, []byte) bool) {
		number := b.line
		for rest := b.data; len(rest) > 0; number++ {
			line, after, _ := bytes.Cut(rest, newline)
			if rest = after; len(line) > max {
				line = nil
			}
			if !yield(number, line) {
				return
			}
		}
	}
}

// takeHeader takes the first line from the batch if that is the header of CSV, and returns it.
func (b *batch) takeHeader(max int) (*check.Header, error) {
	line, rest, _ := bytes.Cut(b.data, newline)
	if len(line) > max {
		return nil, nil
	}
	header, err := check.NewHeader(bytes.TrimSuffix(line, []byte{'\r'}))
	if header != nil {
		b.data = rest
		b.line++
	}
	return header, err
}

// trim returns a line without white space around it.
func trim(line []byte) []byte {
	for len(line) > 0 && isSpace(line[0]) {
		line = line[1:]
	}
	for len(line) > 0 && isSpace(line[len(line)-1]) {
		line = line[:len(line)-1]
	}
	return line
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\r' || c == '\n'
}

// tooLong is the result for a line of more than max bytes.
func tooLong(max int) check.Result {
	return check.Result{Verdict: check.Unreadable, Reason: fmt.Sprintf("longer than %d bytes", max)}
}

// add counts a result and keeps it if somebody has to be told.
func (b *batch) add(number int64, r check.Result) {
	b.counts.add(r)
	if r.Verdict == check.Good {
		b.good = true
		return
	}
	b.findings = append(b.findings, Finding{File: b.file, Line: number, Result: r, afterGood: b.good})
	b.good = false
}
