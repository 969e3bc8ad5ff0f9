package cpu

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"p256k1.mleku.dev/v2/tools/bench/measure"
)

// A Report holds the results that the command prints.
type Report struct {
	Machine    measure.Machine
	Cores      string
	Figures    []Figures // one for each set of routines, beginning with the default set
	Operations *measure.Report
	Warning    error // why a set of routines is missing, or nil
}

// Write writes the report as a block of text that can be pasted into an issue.
func (r *Report) Write(w io.Writer) error {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("Please paste this into an issue of the project, with the name of the machine.\n\n```")
	line("processor  %s", r.Machine.Processor)
	if r.Cores != "" {
		line("cores      %s", r.Cores)
	}
	line("system     %s", strings.Join(append([]string{r.Machine.System, r.Machine.Go}, r.Machine.Settings...), ", "))
	line("commit     %s", r.Machine.Commit)
	if len(r.Figures) > 0 {
		line("clock      %.2f GHz, from a chain of additions", r.Figures[0].GHz)
		r.kernels(line)
	}
	r.operations(line)
	if r.Warning != nil {
		line("%v", r.Warning)
	}
	line("```")
	_, err := io.WriteString(w, b.String())
	return err
}

// letter returns the letter that stands for set i of routines in the tables.
func letter(i int) string { return string(rune('A' + i)) }

func (r *Report) kernels(line func(format string, args ...any)) {
	var head string
	for i := range r.Figures {
		head += fmt.Sprintf(" %10s", letter(i))
	}
	line("\n%-34s%s", "cycles of a routine, chained", head)
	for i, k := range Kernels {
		var cells string
		for _, f := range r.Figures {
			cells += fmt.Sprintf(" %10.0f", f.Kernels[i])
		}
		line("%-34s%s", k.Name, cells)
	}
	chosen := ", which this machine uses by default"
	for i, f := range r.Figures {
		line("%s: %s%s", letter(i), f.Backend, chosen)
		chosen = ""
	}
}

// operations writes a column for each set of routines, headed by its letter, and a column for each other library.
func (r *Report) operations(line func(format string, args ...any)) {
	var head string
	for _, e := range r.Operations.Engines {
		i := slices.IndexFunc(r.Figures, func(f Figures) bool { return f.Backend == e.Backend })
		if e.Name == "p256k1" && i >= 0 {
			e.Name = letter(i)
		}
		head += fmt.Sprintf(" %12s", e.Name)
	}
	line("\n%-15s%s", "operation, µs", head)
	for _, op := range Operations {
		var cells string
		for _, e := range r.Operations.Engines {
			cell := "-"
			result, ok := r.Operations.Result(e.Label(), op)
			if ok {
				cell = fmt.Sprintf("%.1f", result.NS/1000)
			}
			cells += fmt.Sprintf(" %12s", cell)
		}
		line("%-15s%s", op, cells)
	}
	for _, e := range r.Operations.Engines {
		if e.Name != "p256k1" {
			line("%s %s", e.Name, e.Version)
		}
	}
	for _, a := range r.Operations.Absent {
		line("%s is absent: go run ./tools/bench/native/build adds it", a.Name)
	}
	if r.Operations.Incomplete {
		line("Interrupted: the operations are incomplete.")
	}
}

// cores returns the kinds of cores that Linux lists on ARM64, which often has no name for the processor, with the
// number of each kind. A kind is two fields of the register MIDR_EL1, the implementer and the part: "4 of 0x41/0xd08"
// are four Cortex-A72. cores returns "" on other systems and on x86-64.
func cores() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	return coresOf(string(info))
}

var midr = regexp.MustCompile(`(?s)CPU implementer\s*: (\S+).*?CPU part\s*: (\S+)`)

func coresOf(info string) string {
	var kinds []string
	count := map[string]int{}
	for _, fields := range midr.FindAllStringSubmatch(info, -1) {
		kind := fields[1] + "/" + fields[2]
		count[kind]++
		if count[kind] == 1 {
			kinds = append(kinds, kind)
		}
	}
	for i, kind := range kinds {
		kinds[i] = fmt.Sprintf("%d of %s", count[kind], kind)
	}
	return strings.Join(kinds, ", ")
}
