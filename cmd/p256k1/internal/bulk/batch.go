package bulk

import (
	"bytes"
	"fmt"
	"iter"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/check"
)

const (
	// batchBytes and batchLines limit the work that is passed to a worker at once, unless one line is longer. They are
	// large enough that the cost of passing a batch does not matter, and small enough that findings are reported soon.
	// The signatures of a batch are verified together, and the more signatures there are, the less time each takes.
	batchBytes = 256 << 10
	batchLines = 1024

	// maxUsual is the largest size of a buffer for a batch of lines that are not long.
	maxUsual = 2 * batchBytes
)

// A batch is a group of whole lines that pass from the reader to a worker and then to the collector.
type batch struct {
	file    string
	header  *check.Header // the CSV header, or nil for JSON
	line    int64         // number of the first line
	data    []byte        // the lines, each with its newline, which the last line may lack
	long    bool          // the memory for the lines is larger than maxUsual
	tooLong bool          // the batch stands for one line, which was too long to keep
	end     bool          // the batch has no lines, and is the last one of the file
	err     error         // why the rest of the file was not read

	counts   Counts
	findings []Finding
	good     bool          // a good line follows the last finding
	judged   chan struct{} // closed when a worker has judged the batch
}

// A judge is the checker of a worker, with scratch memory for the lines of a batch.
type judge struct {
	checker check.Checker
	maxLine int
	numbers []int64
	lines   [][]byte
	results []check.Result
}

// check judges the lines of the batch.
func (j *judge) check(b *batch) {
	if b.long {
		// A new checker replaces the old one, which would keep the large buffer that a long line needs.
		defer func() { j.checker = check.Checker{LowS: j.checker.LowS} }()
	}
	j.numbers, j.lines = j.numbers[:0], j.lines[:0]
	for number, line := range b.all(j.maxLine) {
		trimmed := bytes.Trim(line, " \t\r\n")
		if line != nil && len(trimmed) == 0 {
			continue
		}
		if b.header == nil {
			line = trimmed
		} else {
			line = bytes.TrimSuffix(line, []byte{'\r'}) // other white space is part of a CSV value
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
	clear(j.lines) // the lines would keep the batch's buffer in memory
}

// all returns an iterator over the numbers and the lines of the batch. In place of a line of more than max bytes, not
// counting the newline, it yields nil.
func (b *batch) all(max int) iter.Seq2[int64, []byte] {
	return func(yield func(int64, []byte) bool) {
		number := b.line
		for rest := b.data; len(rest) > 0; number++ {
			line, after, _ := bytes.Cut(rest, newline)
			rest = after
			if len(line) > max {
				line = nil
			}
			if !yield(number, line) {
				return
			}
		}
	}
}

// takeHeader removes the first line from the batch if it is a CSV header, and returns it.
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

// tooLong returns the result for a line of more than max bytes.
func tooLong(max int) check.Result {
	return check.Result{Verdict: check.Unreadable, Reason: fmt.Sprintf("longer than %d bytes", max)}
}

// add counts a result, and keeps it if it must be reported to the observer.
func (b *batch) add(number int64, r check.Result) {
	b.counts.add(r)
	if r.Verdict == check.Good {
		b.good = true
		return
	}
	b.findings = append(b.findings, Finding{File: b.file, Line: number, Result: r, afterGood: b.good})
	b.good = false
}
