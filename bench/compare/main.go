// Command compare runs the benchmark program of libsecp256k1, the C library, and
// the same operations of this library in turns, and prints the ratios of their
// times. Under 1, this library is faster than C.
//
//	go run ./bench/compare
//	go run -tags purego ./bench/compare -rounds 15
//	go run ./bench/compare -ops ecdsa_verify,ecdh -json
//
// The two take turns, because the speed of a machine changes more from one minute
// to the next than a ratio does from one round to the next. The first run builds
// libsecp256k1, for which it needs cargo and a C compiler (package native).
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"p256k1.mleku.dev/bench/native"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

type options struct {
	rounds  int
	time    time.Duration
	ops     string
	least   bool
	targets string
	json    bool
}

func run(ctx context.Context, args []string) error {
	var o options
	flags := flag.NewFlagSet("compare", flag.ExitOnError)
	flags.IntVar(&o.rounds, "rounds", 7, "how often the two take turns")
	flags.DurationVar(&o.time, "time", 300*time.Millisecond, "how long each runs an operation in a round")
	flags.StringVar(&o.ops, "ops", "", "operations to run, separated by commas (default all)")
	flags.BoolVar(&o.least, "min", false, "take the quickest of the ten batches of a round instead of their average: for busy machines")
	flags.StringVar(&o.targets, "targets", "purego", `targets to judge by, "purego" or "asm"`)
	flags.BoolVar(&o.json, "json", false, "print JSON")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if o.rounds < 1 || o.time <= 0 {
		return fmt.Errorf("-rounds and -time must be positive")
	}
	if o.targets != "purego" && o.targets != "asm" {
		return fmt.Errorf("-targets %q: want purego or asm", o.targets)
	}
	selected, err := selectOperations(o.ops)
	if err != nil {
		return err
	}

	build, err := native.Ensure(ctx, os.Stderr)
	if err != nil {
		return err
	}
	corpus, err := newCorpus()
	if err != nil {
		return fmt.Errorf("preparing the inputs: %w", err)
	}
	report := report{Setup: describe(build), Rounds: o.rounds, Statistic: "average of 10 batches", Targets: o.targets}
	if o.least {
		report.Statistic = "least of 10 batches"
	}
	for _, op := range selected {
		r, err := compare(ctx, op, build.Bench, corpus, o)
		if err != nil {
			return fmt.Errorf("%s: %w", op.name, err)
		}
		report.Results = append(report.Results, r)
	}
	if o.json {
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", "\t")
		return e.Encode(report)
	}
	return report.print(os.Stdout)
}

func selectOperations(names string) ([]operation, error) {
	if names == "" {
		return operations, nil
	}
	var selected []operation
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(operations, func(op operation) bool { return op.name == name })
		if i < 0 {
			var known []string
			for _, op := range operations {
				known = append(known, op.name)
			}
			return nil, fmt.Errorf("no operation %q: there are %s", name, strings.Join(known, ", "))
		}
		selected = append(selected, operations[i])
	}
	return selected, nil
}

// A report is what a run found.
type report struct {
	Setup     setup    `json:"setup"`
	Rounds    int      `json:"rounds"`
	Statistic string   `json:"statistic"`
	Targets   string   `json:"targets"`
	Results   []result `json:"results"`
}

// A result is what a run found for one operation.
type result struct {
	Operation string  `json:"operation"`
	C         float64 `json:"libsecp256k1_ns"` // median over the rounds
	Go        float64 `json:"p256k1_ns"`       // median over the rounds
	Ratio     float64 `json:"ratio"`           // median of the rounds' ratios
	RatioMin  float64 `json:"ratio_min"`
	RatioMax  float64 `json:"ratio_max"`
	Allocs    float64 `json:"allocs_per_op"`
	Target    float64 `json:"target"`
	Pass      bool    `json:"pass"`
}

func compare(ctx context.Context, op operation, program string, corpus *corpus, o options) (result, error) {
	loop := goLoop{corpus, op.step}
	subjects := [2]subject{cProgram{program, op.name}, loop}
	var iters [2]int
	for i, s := range subjects {
		var err error
		if iters[i], err = iterationsFor(ctx, s, o.time); err != nil {
			return result{}, err
		}
	}
	var times [2][]float64
	var ratios []float64
	for round := range o.rounds {
		var t [2]float64
		for turn := range subjects {
			// Who goes first alternates, so that a steady drift cancels out.
			i := (turn + round) % 2
			if err := ctx.Err(); err != nil {
				return result{}, err
			}
			s, err := subjects[i].sample(ctx, iters[i])
			if err != nil {
				return result{}, err
			}
			t[i] = s.avg
			if o.least {
				t[i] = s.min
			}
			times[i] = append(times[i], t[i])
		}
		ratios = append(ratios, t[1]/t[0])
	}
	r := result{
		Operation: op.name,
		C:         median(times[0]),
		Go:        median(times[1]),
		Ratio:     median(ratios),
		RatioMin:  slices.Min(ratios),
		RatioMax:  slices.Max(ratios),
		Allocs:    loop.allocations(),
		Target:    op.purego,
	}
	if o.targets == "asm" {
		r.Target = op.asm
	}
	r.Pass = r.Ratio <= r.Target
	return r, nil
}

func (r report) print(w io.Writer) error {
	s := r.Setup
	fmt.Fprintf(w, "processor      %s\n", s.Processor)
	if s.Features != "" {
		fmt.Fprintf(w, "               %s\n", s.Features)
	}
	fmt.Fprintf(w, "p256k1         %s, %s, %s\n", s.Commit, s.Go, s.Build)
	fmt.Fprintf(w, "libsecp256k1   %s, %s\n", s.Libsecp, s.Compiler)
	fmt.Fprintf(w, "method         %d rounds in turns, %s, median of rounds; targets: %s\n\n", r.Rounds, r.Statistic, r.Targets)
	fmt.Fprintf(w, "%-18s %12s %10s %7s %13s %7s %7s\n",
		"operation", "libsecp256k1", "p256k1", "ratio", "min–max", "allocs", "target")
	for _, x := range r.Results {
		mark := "pass"
		if !x.Pass {
			mark = "MISS"
		}
		fmt.Fprintf(w, "%-18s %9.0f ns %7.0f ns %7.3f %13s %7.4g %7.2f  %s\n",
			x.Operation, x.C, x.Go, x.Ratio, fmt.Sprintf("%.3f–%.3f", x.RatioMin, x.RatioMax),
			x.Allocs, x.Target, mark)
	}
	return nil
}
