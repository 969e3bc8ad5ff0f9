package report

import (
	"bytes"
	"encoding/json"
	"io"
	"math"

	"p256k1.mleku.dev/cmd/p256k1/internal/bulk"
)

// JSONHelp describes what JSON writes.
const JSONHelp = `One JSON object a line, told apart by "type":
  {"type":"finding","file":"a.jsonl","line":7,"verdict":"bad","shape":"ecdsa","reason":"…"}
      verdict is "bad" or "unreadable"; shape is "event", "ecdsa", "schnorr" or
      "tweak", and absent where the line has none; file is "-" for standard input
  {"type":"failure","file":"b.jsonl","reason":"…"}
      a file that could not be read, or not to the end
  {"type":"summary","signatures":{"good":1,"bad":0},"tweaks":{"good":0,"bad":0},
   "unreadable":0,"failed":0,"seconds":0.5,"per_second":2,"workers":2,"interrupted":false}
      always the last, once`

// JSON writes an object for each finding and one at the end; see JSONHelp.
type JSON struct {
	w   io.Writer
	buf []byte
}

// NewJSON returns a JSON that writes to w.
func NewJSON(w io.Writer) *JSON {
	return &JSON{w: w}
}

type finding struct {
	Type    string `json:"type"`
	File    string `json:"file"`
	Line    int64  `json:"line"`
	Verdict string `json:"verdict"`
	Shape   string `json:"shape,omitempty"`
	Reason  string `json:"reason"`
}

type failure struct {
	Type   string `json:"type"`
	File   string `json:"file"`
	Reason string `json:"reason"`
}

type tally struct {
	Good int64 `json:"good"`
	Bad  int64 `json:"bad"`
}

type summary struct {
	Type        string  `json:"type"`
	Signatures  tally   `json:"signatures"`
	Tweaks      tally   `json:"tweaks"`
	Unreadable  int64   `json:"unreadable"`
	Failed      int64   `json:"failed"`
	Seconds     float64 `json:"seconds"`
	PerSecond   float64 `json:"per_second"`
	Workers     int     `json:"workers"`
	Interrupted bool    `json:"interrupted"`
}

// Findings implements Writer.
func (j *JSON) Findings(findings []bulk.Finding) error {
	b := bytes.NewBuffer(j.buf)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	for _, f := range findings {
		r := f.Result
		if err := e.Encode(finding{"finding", f.File, f.Line, r.Verdict.String(), r.Shape.String(), r.Reason}); err != nil {
			return err
		}
	}
	return writeAll(j.w, &j.buf, b.Bytes())
}

// Failure implements Writer.
func (j *JSON) Failure(file string, err error) error {
	return j.encode(failure{"failure", file, err.Error()})
}

// Summary implements Writer.
func (j *JSON) Summary(s *Summary) error {
	c := &s.Counts
	return j.encode(summary{
		Type:        "summary",
		Signatures:  tally(c.Signatures),
		Tweaks:      tally(c.Tweaks),
		Unreadable:  c.Unreadable,
		Failed:      c.Failed,
		Seconds:     s.Elapsed.Seconds(),
		PerSecond:   math.Round(s.PerSecond()),
		Workers:     s.Workers,
		Interrupted: s.Interrupted,
	})
}

func (j *JSON) encode(v any) error {
	e := json.NewEncoder(j.w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
