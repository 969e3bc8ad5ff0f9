package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/bench/measure"
)

// GoBench writes the samples in the format of Go's benchmarks, which benchstat reads. A name is
// BenchmarkEcdsaVerify/p256k1, or BenchmarkEcdsaVerify/p256k1/asm for a backend that is not the engine's first.
func GoBench(w io.Writer, r *measure.Report) error {
	var b strings.Builder
	set := func(key, value string) { fmt.Fprintf(&b, "%s: %s\n", key, strings.ReplaceAll(value, "\n", " ")) }
	goos, goarch, _ := strings.Cut(r.Machine.System, "/")
	set("goos", goos)
	set("goarch", goarch)
	set("pkg", "p256k1.mleku.dev/v2/tools/bench")
	set("cpu", r.Machine.Processor)
	set("go", r.Machine.Go)
	set("commit", r.Machine.Commit)
	set("seed", r.Seed)
	if r.Incomplete {
		set("incomplete", "true")
	}
	for _, e := range r.Engines {
		set(strings.ToLower(benchName(r, e.Name, e.Backend)), provenance(e))
	}
	fmt.Fprintln(&b)
	for _, a := range r.Absent {
		fmt.Fprintln(&b, a)
	}
	for _, w := range r.Warnings {
		fmt.Fprintln(&b, w)
	}
	for _, op := range r.Ops {
		for _, x := range results(r, op) {
			for _, s := range x.Samples {
				fmt.Fprintf(&b, "Benchmark%s/%s\t%d\t%g ns/op\t%g B/op\t%g allocs/op\n",
					camel(op.Name), benchName(r, x.Engine, x.Backend), s.N, r.Value(s), s.Bytes, s.Allocs)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// camel turns "ecdsa-verify" into "EcdsaVerify", because the names of benchmarks have the form of the names of tests.
func camel(name string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(name, "-") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// benchName returns an engine's name in benchmarks. It includes the backend, except the engine's first.
func benchName(r *measure.Report, name, backend string) string {
	first := slices.IndexFunc(r.Engines, func(e engine.Info) bool { return e.Name == name })
	if first >= 0 && r.Engines[first].Backend != backend {
		name += "/" + backend
	}
	return strings.ReplaceAll(name, " ", "-")
}
