package report

import (
	"encoding/json"
	"io"

	"p256k1.mleku.dev/v2/tools/bench/measure"
)

// row is one line of JSON.
type row struct {
	Engine     string  `json:"engine"`
	Backend    string  `json:"backend"`
	Op         string  `json:"op"`
	Group      string  `json:"group,omitempty"`
	NS         float64 `json:"ns"`
	Low        float64 `json:"ns_low"`
	High       float64 `json:"ns_high"`
	Allocs     float64 `json:"allocs"`
	Bytes      float64 `json:"bytes"`
	N          int     `json:"n"`
	Incomplete bool    `json:"incomplete,omitempty"`
}

// JSON writes one object a line for each engine and operation: the median time of
// a call in nanoseconds with its confidence interval, what a call allocates, and
// of how many rounds. Lines of a run that was interrupted have "incomplete".
// Protocols have "group".
func JSON(w io.Writer, r *measure.Report) error {
	e := json.NewEncoder(w)
	for _, x := range r.Results {
		if err := e.Encode(row{x.Engine, x.Backend, x.Op, group(r, x.Op), x.NS, x.Low, x.High, x.Allocs, x.Bytes, len(x.Samples), r.Incomplete}); err != nil {
			return err
		}
	}
	return nil
}

// group is that of an operation.
func group(r *measure.Report, name string) string {
	for _, op := range r.Ops {
		if op.Name == name {
			return op.Group
		}
	}
	return ""
}
