// Package transform implements the verification of "p256k1 verify" as Apache Beam transforms, for pipelines on any
// runner.
//
// Verifying a signature in a batch takes only a few microseconds, which is less than a pipeline spends on handling an
// element. Therefore, files are read and verified in parts of many lines, and transforms of single elements collect the
// elements of a bundle into batches. The examples are in example_test.go.
package transform

import (
	"bytes"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"p256k1.mleku.dev/v2/cmd/p256k1/verify"
)

func init() {
	register.DoFn3x0[[]byte, func([]byte), func(Refused)](&linesFn{})
	register.Emitter1[[]byte]()
	register.Emitter1[Refused]()
}

// group is the number of elements of a bundle that are verified together. It is large enough for the full speed of
// batch verification.
const group = 256

// mustBeGlobal panics if the collection is windowed, because results are emitted for a whole bundle, without the
// windows of its elements.
func mustBeGlobal(c beam.PCollection, name string) {
	if kind := c.WindowingStrategy().Fn.Kind; kind != window.GlobalWindows {
		panic(fmt.Sprintf("transform: %s of a collection with windows (%s), want the global one", name, kind))
	}
}

// Refused is a line that is not a valid event, or not a valid row.
type Refused struct {
	Line    []byte
	Verdict int64 // verify.Bad or verify.Unreadable
	Shape   int64 // verify.Shape
	Reason  string
}

// VerifyEvents verifies Nostr events. events is a PCollection of []byte, each of which is an event in JSON.
// VerifyEvents returns a PCollection of the good events, unchanged, and a PCollection of Refused. Verdicts and reasons
// are the same as in "p256k1 verify", except that the verdict on a line of another shape is "unreadable". VerifyEvents
// panics if the collection is windowed.
func VerifyEvents(s beam.Scope, events beam.PCollection) (good, refused beam.PCollection) {
	mustBeGlobal(events, "VerifyEvents")
	return beam.ParDo2(s.Scope("p256k1.VerifyEvents"), &linesFn{EventsOnly: true}, events)
}

// VerifyRows is like VerifyEvents, but accepts JSON of all shapes that "p256k1 verify" reads. If lowS is true, it
// refuses ECDSA signatures with s above (n−1)/2.
func VerifyRows(s beam.Scope, rows beam.PCollection, lowS bool) (good, refused beam.PCollection) {
	mustBeGlobal(rows, "VerifyRows")
	return beam.ParDo2(s.Scope("p256k1.VerifyRows"), &linesFn{LowS: lowS}, rows)
}

// linesFn verifies the lines of a bundle, many lines at a time.
type linesFn struct {
	EventsOnly, LowS bool

	checker verify.Checker
	lines   [][]byte // unchanged
	texts   [][]byte // without surrounding white space
	results []verify.Result
}

func (f *linesFn) StartBundle(func([]byte), func(Refused)) {
	f.lines, f.texts = f.lines[:0], f.texts[:0] // a bundle that failed may have left lines
}

func (f *linesFn) ProcessElement(line []byte, good func([]byte), refused func(Refused)) {
	f.lines, f.texts = append(f.lines, line), append(f.texts, bytes.Trim(line, " \t\r\n"))
	if len(f.lines) == group {
		f.FinishBundle(good, refused)
	}
}

func (f *linesFn) FinishBundle(good func([]byte), refused func(Refused)) {
	f.checker.LowS = f.LowS
	f.results = f.checker.Lines(f.results[:0], f.texts)
	for i, r := range f.results {
		switch {
		case f.EventsOnly && r.Verdict != verify.Unreadable && r.Shape != verify.Event:
			refused(Refused{f.lines[i], int64(verify.Unreadable), int64(r.Shape), "no event"})
		case r.Verdict != verify.Good:
			refused(Refused{f.lines[i], int64(r.Verdict), int64(r.Shape), r.Reason})
		default:
			good(f.lines[i])
		}
	}
	clear(f.lines)
	clear(f.texts)
	f.lines, f.texts = f.lines[:0], f.texts[:0]
}
