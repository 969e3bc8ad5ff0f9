// Package report writes the results of a verification, for people or for machines.
package report

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/bulk"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/check"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/show"
)

// Summary holds the totals that are reported at the end.
type Summary struct {
	Counts      bulk.Counts
	Elapsed     time.Duration
	Workers     int // 0 if the number is not known
	Interrupted bool
}

// PerSecond returns the rate of signatures, good and bad.
func (s *Summary) PerSecond() float64 {
	seconds := s.Elapsed.Seconds()
	if seconds <= 0 {
		return 0
	}
	return float64(s.Counts.Signatures.Good+s.Counts.Signatures.Bad) / seconds
}

// Writer writes a report. Each method writes whole lines at once. Names and reasons may contain any bytes. A Writer
// escapes bytes that are not printable.
type Writer interface {
	Findings([]bulk.Finding) error
	Failure(file, reason string) error
	Summary(*Summary) error
}

// Text writes a line for each finding, in the form that compilers use for error messages:
//
//	file:line: verdict [shape]: reason
//
// where the name of the file is in the form of show.Name. Of consecutive unreadable lines, Text shows only the first
// hundred.
type Text struct{ w io.Writer }

// NewText returns a Text that writes to w.
func NewText(w io.Writer) *Text { return &Text{w} }

func (t *Text) Findings(findings []bulk.Finding) error {
	var b []byte
	for _, f := range findings {
		if f.Run > longRun+1 {
			continue
		}
		if f.Run > longRun {
			b = fmt.Appendf(b, "%s:%d: unreadable, like the %d lines before: this does not look like signatures; the rest is only counted (--json names all)\n",
				show.Name(f.File), f.Line, longRun)
			continue
		}
		b = fmt.Appendf(b, "%s:%d: %s", show.Name(f.File), f.Line, f.Result.Verdict)
		if shape := f.Result.Shape.String(); shape != "" {
			b = append(b, ' ')
			b = append(b, shape...)
		}
		b = fmt.Appendf(b, ": %s\n", show.Text(f.Result.Reason))
	}
	if len(b) == 0 {
		return nil
	}
	_, err := t.w.Write(b)
	return err
}

// longRun is the largest number of consecutive unreadable lines that are shown.
const longRun = 100

// Failure implements Writer. It writes nothing, because errors go to another stream.
func (t *Text) Failure(string, string) error { return nil }

func (t *Text) Summary(s *Summary) error {
	c := &s.Counts
	var b strings.Builder
	if s.Interrupted {
		b.WriteString("interrupted; so far:\n")
	}
	fmt.Fprintf(&b, "%s good, %s bad, %s\n", show.Count(c.Signatures.Good, "signature"),
		show.Grouped(c.Signatures.Bad), show.Count(c.Unreadable, "unreadable line"))
	if c.Tweaks.Good+c.Tweaks.Bad > 0 {
		fmt.Fprintf(&b, "%s good, %s bad\n", show.Count(c.Tweaks.Good, "tweak"), show.Grouped(c.Tweaks.Bad))
	}
	if c.Failed > 0 {
		fmt.Fprintf(&b, "%s could not be read\n", show.Count(c.Failed, "file"))
	}
	if c.Empty > 0 {
		fmt.Fprintf(&b, "%s with nothing to check\n", show.Count(c.Empty, "file"))
	}
	fmt.Fprintf(&b, "%s per second (%.2f s", show.Count(int64(s.PerSecond()), "signature"), s.Elapsed.Seconds())
	if s.Workers > 0 {
		fmt.Fprintf(&b, ", %d at a time", s.Workers)
	}
	b.WriteString(")\n")
	if c.Rows > 0 {
		b.WriteString("rows were checked with the digests h that they contain; no file was hashed (--file hashes one)\n")
	}
	_, err := io.WriteString(t.w, b.String())
	return err
}

// JSONHelp describes what JSON writes.
const JSONHelp = `Each line is one JSON object, and "type" says which kind of object it is:
  {"type":"finding","file":"a.jsonl","line":7,"verdict":"bad","shape":"ecdsa",
   "reason":"…"}
      verdict is "bad" or "unreadable"; shape is "event", "ecdsa", "schnorr",
      "recoverable" or "tweak", and absent where the line has none; file is "-"
      for standard input; "file_hex" has the bytes of a name that is not UTF-8
  {"type":"failure","file":"b.jsonl","reason":"…"}
      a file that could not be read to the end, or has nothing to check
  {"type":"summary","signatures":{"good":1,"bad":0},"tweaks":{"good":0,"bad":0},
   "unreadable":0,"failed":0,"empty":0,"seconds":0.5,"per_second":2,"workers":2,
   "interrupted":false}
      written once, at the end`

// JSON writes one object for each finding and failure, and a summary object at the end; see JSONHelp.
type JSON struct{ w io.Writer }

// NewJSON returns a JSON that writes to w.
func NewJSON(w io.Writer) *JSON { return &JSON{w} }

// name is the name of a file. JSON cannot represent a name that is not UTF-8, so it is also written in hexadecimal.
type name struct {
	File    string `json:"file"`
	FileHex string `json:"file_hex,omitempty"`
}

func nameOf(file string) name {
	if utf8.ValidString(file) {
		return name{File: file}
	}
	return name{file, hex.EncodeToString([]byte(file))}
}

type finding struct {
	Type string `json:"type"`
	name
	Line    int64  `json:"line"`
	Verdict string `json:"verdict"`
	Shape   string `json:"shape,omitempty"`
	Reason  string `json:"reason"`
}

type signature struct {
	Type    string `json:"type"`
	Verdict string `json:"verdict"`
	Shape   string `json:"shape"`
	Pub     string `json:"pub"`
	H       string `json:"h"`
	File    string `json:"file,omitempty"`
	FileHex string `json:"file_hex,omitempty"`
	Reason  string `json:"reason,omitempty"`
}

type failure struct {
	Type string `json:"type"`
	name
	Reason string `json:"reason"`
}

type summary struct {
	Type string `json:"type"`
	bulk.Counts
	Seconds     float64 `json:"seconds"`
	PerSecond   float64 `json:"per_second"`
	Workers     int     `json:"workers"`
	Interrupted bool    `json:"interrupted"`
}

func (j *JSON) Findings(findings []bulk.Finding) error {
	var all []any
	for _, f := range findings {
		r := f.Result
		all = append(all, finding{"finding", nameOf(f.File), f.Line, r.Verdict.String(), r.Shape.String(), r.Reason})
	}
	return j.write(all...)
}

// Signature writes the result for one signature of a file or, if file is empty, of the digest h.
func (j *JSON) Signature(file, pub, h string, r check.Result) error {
	n, reason := nameOf(file), ""
	if r.Verdict != check.Good {
		reason = r.Reason
	}
	return j.write(signature{"signature", r.Verdict.String(), r.Shape.String(), pub, h, n.File, n.FileHex, reason})
}

func (j *JSON) Failure(file, reason string) error {
	return j.write(failure{"failure", nameOf(file), reason})
}

func (j *JSON) Summary(s *Summary) error {
	return j.write(summary{"summary", s.Counts, s.Elapsed.Seconds(), math.Round(s.PerSecond()), s.Workers, s.Interrupted})
}

// write writes all values in one call of Write, each on its own line.
func (j *JSON) write(values ...any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, v := range values {
		if err := e.Encode(v); err != nil {
			return err
		}
	}
	_, err := j.w.Write(show.JSON(b.Bytes()))
	return err
}
