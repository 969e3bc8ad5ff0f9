package report

import (
	"io"
	"strings"

	"golang.org/x/perf/benchfmt"

	"p256k1.mleku.dev/v2/tools/bench/measure"
)

// GoBench writes the samples in the format of Go's benchmarks, which benchstat
// reads: BenchmarkEcdsaVerify/p256k1, and /p256k1/asm for a backend other than the
// engine's first.
func GoBench(w io.Writer, r *measure.Report) error {
	b := benchfmt.NewWriter(w)
	config := []benchfmt.Config{}
	set := func(key, value string) {
		config = append(config, benchfmt.Config{Key: key, Value: []byte(strings.ReplaceAll(value, "\n", " ")), File: true})
	}
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
		set(benchName(r, e.Name, e.Backend), provenance(e))
	}
	for _, op := range r.Ops {
		for _, x := range results(r, op) {
			for _, s := range x.Samples {
				v := s.Average
				if r.Least {
					v = s.Least
				}
				result := &benchfmt.Result{
					Config: config,
					Name:   benchfmt.Name(camel(op.Name) + "/" + benchName(r, x.Engine, x.Backend)),
					Iters:  s.N,
					// Seconds are what benchfmt holds times in; it writes what they were.
					Values: []benchfmt.Value{
						{Value: v / 1e9, Unit: "sec/op", OrigValue: v, OrigUnit: "ns/op"},
						{Value: s.Bytes, Unit: "B/op"},
						{Value: s.Allocs, Unit: "allocs/op"},
					},
				}
				if err := b.Write(result); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// camel makes "EcdsaVerify" of "ecdsa-verify": benchmarks have names like tests.
func camel(name string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(name, "-") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// benchName is an engine's name in benchmarks, with its backend if it is not the
// first of that name.
func benchName(r *measure.Report, name, backend string) string {
	short := strings.ReplaceAll(name, " ", "-")
	for _, e := range r.Engines {
		if e.Name == name {
			if e.Backend != backend {
				return short + "/" + strings.ReplaceAll(backend, " ", "-")
			}
			break
		}
	}
	return short
}
