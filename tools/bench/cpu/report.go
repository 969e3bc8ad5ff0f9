package cpu

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"p256k1.mleku.dev/v2/tools/bench/measure"
)

// A Report holds the results that the command prints.
type Report struct {
	Machine    measure.Machine
	Cores      string
	Figures    []Figures       // one for each set of routines, beginning with the default set
	Operations *measure.Report // nil if they were not measured
	Ops        []measure.Op
	Warnings   []string
}

// Write writes the report as a block of text that can be pasted into an issue.
func (r *Report) Write(w io.Writer) error {
	var b strings.Builder
	b.WriteString("Please paste this into an issue of the project, with the name of the machine.\n\n```\n")
	fmt.Fprintf(&b, "processor  %s\n", r.Machine.Processor)
	if r.Cores != "" {
		fmt.Fprintf(&b, "cores      %s\n", r.Cores)
	}
	fmt.Fprintf(&b, "system     %s, %s", r.Machine.System, r.Machine.Go)
	for _, s := range r.Machine.Settings {
		fmt.Fprintf(&b, ", %s", s)
	}
	fmt.Fprintf(&b, "\ncommit     %s\n", r.Machine.Commit)
	if len(r.Figures) > 0 {
		fmt.Fprintf(&b, "clock      %.2f GHz, from a chain of additions\n", r.Figures[0].GHz)
		r.kernels(&b)
	}
	if r.Operations != nil {
		r.operations(&b)
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(&b, "%s\n", warning)
	}
	b.WriteString("```\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// letter returns the letter that stands for set i of routines in the tables.
func letter(i int) string { return string(rune('A' + i)) }

func (r *Report) kernels(b *strings.Builder) {
	fmt.Fprintf(b, "\n%-34s", "cycles of a routine, chained")
	for i := range r.Figures {
		fmt.Fprintf(b, " %10s", letter(i))
	}
	b.WriteString("\n")
	for i, k := range Kernels {
		fmt.Fprintf(b, "%-34s", k.Name)
		for _, f := range r.Figures {
			fmt.Fprintf(b, " %10.0f", f.Kernels[i])
		}
		b.WriteString("\n")
	}
	for i, f := range r.Figures {
		chosen := ""
		if i == 0 {
			chosen = ", which this machine uses by default"
		}
		fmt.Fprintf(b, "%s: %s%s\n", letter(i), f.Backend, chosen)
	}
}

// operations writes a column for each set of routines, headed by its letter, and a column for each other library.
func (r *Report) operations(b *strings.Builder) {
	fmt.Fprintf(b, "\n%-15s", "operation, µs")
	for _, e := range r.Operations.Engines {
		name := e.Name
		if i := slices.IndexFunc(r.Figures, func(f Figures) bool { return f.Backend == e.Backend }); name == "p256k1" && i >= 0 {
			name = letter(i)
		}
		fmt.Fprintf(b, " %12s", name)
	}
	b.WriteString("\n")
	for _, op := range r.Ops {
		fmt.Fprintf(b, "%-15s", op.Name)
		for _, e := range r.Operations.Engines {
			if result, ok := r.Operations.Result(e.Label(), op.Name); ok {
				fmt.Fprintf(b, " %12.1f", result.NS/1000)
			} else {
				fmt.Fprintf(b, " %12s", "-")
			}
		}
		b.WriteString("\n")
	}
	for _, e := range r.Operations.Engines {
		if e.Name != "p256k1" {
			fmt.Fprintf(b, "%s %s\n", e.Name, e.Version)
		}
	}
	for _, a := range r.Operations.Absent {
		fmt.Fprintf(b, "%s is absent: go run ./tools/bench/native/build adds it\n", a.Name)
	}
	if r.Operations.Incomplete {
		b.WriteString("Interrupted: the operations are incomplete.\n")
	}
}
