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
	Goroutines int     `json:"goroutines,omitempty"`
	Incomplete bool    `json:"incomplete,omitempty"`
}

// JSON writes one object a line for each engine and operation: the median time of
// a call in nanoseconds with its confidence interval, what a call allocates, and
// of how many rounds. Lines with "goroutines" are of the throughput: the time
// between two operations done, with nothing counted of allocations. Lines of a run
// that was interrupted have "incomplete". Protocols have "group".
func JSON(w io.Writer, r *measure.Report) error {
	e := json.NewEncoder(w)
	for _, x := range r.Results {
		if err := e.Encode(row{x.Engine, x.Backend, x.Op, group(r, x.Op), x.NS, x.Low, x.High, x.Allocs, x.Bytes, len(x.Samples), 0, r.Incomplete}); err != nil {
			return err
		}
	}
	for _, t := range r.Throughput {
		if err := e.Encode(row{t.Engine, t.Backend, t.Op, group(r, t.Op), t.NS, t.Low, t.High, 0, 0, t.Rounds, t.Goroutines, r.Incomplete}); err != nil {
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
