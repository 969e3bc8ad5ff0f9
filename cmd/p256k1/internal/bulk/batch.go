package bulk

import (
	"bytes"

	"p256k1.mleku.dev/cmd/p256k1/internal/check"
)

const (
	// batchBytes and batchLines are how much work goes to a worker at once:
	// enough that handing it over costs nothing beside it, and little enough
	// that findings come soon. Their signatures are verified together, which is
	// the quicker the more there are.
	batchBytes = 128 << 10
	batchLines = 256

	// maxKept is how large the buffer of a batch may be that is used again.
	maxKept = 2 * batchBytes
)

// A batch is a number of whole lines on its way from the reader to a worker and
// then to the collector.
type batch struct {
	file    string
	line    int64  // number of its first line
	data    []byte // the lines, each with its newline, which the last may lack
	size    int64  // how many bytes of the file were read for it
	tooLong bool   // it stands for a line that was not kept
	end     bool   // it stands for the end of the file, or err for the rest of it
	err     error  // why the rest was not read

	counts   Counts
	findings []Finding
}

// A judge is a worker's checker, with room for the lines of a batch.
type judge struct {
	checker check.Checker
	numbers []int64
	lines   [][]byte
	results []check.Result
}

// reset empties the batch for the next lines of a file.
func (b *batch) reset(file string) {
	data := b.data[:0]
	if cap(data) > maxKept {
		data = nil
	}
	clear(b.findings)
	*b = batch{file: file, data: data, findings: b.findings[:0]}
}

// weight returns how much of the memory for long lines the batch takes.
func (b *batch) weight() int64 {
	if len(b.data) <= maxKept {
		return 0
	}
	return int64(len(b.data))
}

// check judges the lines of the batch.
func (j *judge) check(b *batch) {
	j.numbers, j.lines = j.numbers[:0], j.lines[:0]
	number := b.line
	for line := range bytes.Lines(b.data) {
		if line = bytes.Trim(line, " \t\r\n"); len(line) > 0 {
			j.numbers, j.lines = append(j.numbers, number), append(j.lines, line)
		}
		number++
	}
	j.results = j.checker.Lines(j.results[:0], j.lines)
	for i, r := range j.results {
		b.add(j.numbers[i], r)
	}
	clear(j.lines) // they lie in the batch
}

// add counts a result and keeps it if somebody has to be told.
func (b *batch) add(number int64, r check.Result) {
	b.counts.add(r)
	if r.Verdict != check.Good {
		b.findings = append(b.findings, Finding{b.file, number, r})
	}
}
