// Command bench compares this library with other libraries on this machine.
//
//	go run ./tools/bench
//	go run ./tools/bench --against-c
//	go run ./tools/bench cpu
//	go run ./tools/bench model
//	go run ./tools/bench flood
//	go run ./tools/bench senders
//	go run ./tools/bench pool
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"p256k1.mleku.dev/v2/tools/bench/cpu"
	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/bench/flood"
	"p256k1.mleku.dev/v2/tools/bench/measure"
	"p256k1.mleku.dev/v2/tools/bench/model"
	"p256k1.mleku.dev/v2/tools/bench/native"
	"p256k1.mleku.dev/v2/tools/bench/report"
	"p256k1.mleku.dev/v2/tools/bench/senders"
	"p256k1.mleku.dev/v2/tools/internal/must"
	"p256k1.mleku.dev/v2/tools/internal/progress"
)

type options struct {
	engines, ops []string
	rounds       int
	time         time.Duration
	least        bool
	baseline     string
	againstC     bool
	format       string
	seed         string
	corpus       int
}

func main() {
	measure.Worker()
	measure.Exit("bench", newCommand().Execute())
}

func newCommand() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Compare this library with others, on this machine",
		Long: `bench runs the operations of this library and of others in turns, on fresh random
keys and messages, and reports medians with confidence intervals, ratios
and allocations, and everything that the figures depend on.

btcec and decred are built in. If libsecp256k1 or OpenSSL is absent, the
report says how to add it.

Ctrl-C ends the run and prints the results so far.`,
		Example: `  go run ./tools/bench
  go run ./tools/bench --ops ecdsa-verify,schnorr-verify --rounds 20
  go run ./tools/bench --against-c
  go run ./tools/bench --format gobench >new.txt && benchstat old.txt new.txt`,
		Args:              cobra.NoArgs,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return run(cmd, o)
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.engines, "engines", nil, "engines to run: "+strings.Join(engine.Names(), ", ")+" (default all but libsecp256k1-cgo and others' APIs on this library)")
	f.StringSliceVar(&o.ops, "ops", nil, "operations to run: "+strings.Join(measure.Names(), ", ")+" (default all)")
	f.IntVar(&o.rounds, "rounds", 10, "number of rounds, in which each engine has a turn; an interval needs 6")
	f.DurationVar(&o.time, "time", 30*time.Millisecond, "duration of a turn")
	f.BoolVar(&o.least, "least", false, "count the quickest tenth of each turn instead of all of it, for busy machines")
	f.StringVar(&o.baseline, "baseline", "", "engine that ratios refer to (default libsecp256k1 if installed, else btcec)")
	f.BoolVar(&o.againstC, "against-c", false, "also run libsecp256k1's own benchmark program, building it if need be with cargo and a C compiler, and judge this library by the targets of its design")
	f.StringVar(&o.format, "format", "text", "text or gobench, which benchstat reads")
	f.StringVar(&o.seed, "seed", "", "seed of an earlier run, to repeat its inputs (default random)")
	f.IntVar(&o.corpus, "corpus", measure.CorpusSize, "number of different inputs")
	cmd.AddCommand(cpu.New(), model.New(), flood.New(), flood.NewPool(), senders.New())
	cmd.SetUsageTemplate(strings.ReplaceAll(cmd.UsageTemplate(), ".FlagUsages", ".FlagUsagesWrapped 80"))
	return cmd
}

func run(cmd *cobra.Command, o options) (err error) {
	defer must.Recover(&err)
	if o.rounds < 1 || o.time <= 0 || o.corpus < 1 {
		return errors.New("--rounds, --time and --corpus must be positive")
	}
	ops := must.Get(measure.SelectOps(o.ops...))
	write := must.Get(report.FormatByName(o.format))
	if o.seed == "" {
		o.seed = rand.Text()[:16]
	}
	ctx, stop := measure.Interruptible(cmd)
	defer stop()

	fmt.Fprintf(cmd.ErrOrStderr(), "%d operations in %d rounds; the report follows at the end\n", len(ops), o.rounds)
	f := field{options: o, dir: must.Get(os.MkdirTemp("", "p256k1-bench-"))}
	defer f.close()
	if o.againstC {
		// The build comes before the search for engines, so that the search finds the built library.
		if f.program, err = native.Current.Ensure(ctx, cmd.ErrOrStderr()); err != nil {
			return fmt.Errorf("--against-c: %w", err)
		}
	}
	bar := progress.Start(cmd.ErrOrStderr(), "making keys and signatures")
	defer bar.Stop()
	f.gather(ctx)
	if o.baseline == "" {
		o.baseline = f.baseline()
	} else if !f.has(o.baseline) {
		return fmt.Errorf("--baseline %q is not among the engines that run", o.baseline)
	}
	r, err := measure.Run(ctx, f.runners, measure.Options{
		Ops: ops, Rounds: o.rounds, Time: o.time, Least: o.least, Baseline: o.baseline,
		CorpusSize: o.corpus, Seed: o.seed, Progress: bar.Set,
	})
	bar.Stop()
	must.Do(err)
	r.Absent, r.Warnings = f.absent, append(r.Warnings, f.warnings...)
	must.Do(write(cmd.OutOrStdout(), r))
	if r.Incomplete {
		fmt.Fprintln(cmd.ErrOrStderr(), "interrupted: the report is incomplete, and says so")
		return ctx.Err()
	}
	return nil
}

// A field holds the engines that take part in a run.
type field struct {
	options
	program  native.Build // libsecp256k1's own benchmark program, if --against-c is set
	dir      string       // directory for a program that is built
	runners  []measure.Runner
	absent   []engine.Found
	warnings []string
}

func (f *field) close() {
	for _, r := range f.runners {
		r.Close()
	}
	os.RemoveAll(f.dir)
}

// gather finds and starts the engines.
func (f *field) gather(ctx context.Context) {
	found := must.Get(engine.Find(f.engines...))
	corpus := measure.NewCorpus(f.seed, f.corpus)
	like := measure.Child{Launch: measure.Relaunch, Seed: f.seed, Size: f.corpus}
	dropIn := sync.OnceValues(func() (measure.Launcher, error) { return buildDropIn(ctx, f.dir) })
	for _, e := range found {
		if e.Err != nil && slices.Contains(engine.DropIns, e.Name) {
			child := like
			child.Engine = e.Name
			if child.Launch, e.Err = dropIn(); e.Err == nil {
				e.Err = child.Start(ctx)
			}
			if e.Err == nil {
				f.runners = append(f.runners, &child)
				continue
			}
		}
		if e.Err != nil {
			f.absent = append(f.absent, e)
			continue
		}
		f.runners = append(f.runners, measure.NewLocal(e.Engine, corpus))
		switch {
		case e.Name == "p256k1":
			more, err := measure.Backends(ctx, e.Engine.Info().Backend, like)
			for _, child := range more {
				f.runners = append(f.runners, child)
			}
			if err != nil && ctx.Err() == nil {
				f.warnings = append(f.warnings, "Other backends: "+err.Error())
			}
		case e.Name == "libsecp256k1" && f.againstC && e.Engine.Info().Path == f.program.Library:
			f.runners = append(f.runners, measure.NewOneInput(e.Engine, corpus))
		case e.Name == "libsecp256k1" && f.againstC:
			f.warnings = append(f.warnings, "The loaded libsecp256k1 is not the version that its own benchmark program was built from, so the two are not compared.")
		}
	}
	if f.againstC {
		f.runners = append(f.runners, measure.CProgram{Build: f.program})
	}
	if len(f.runners) == 0 {
		must.Fail("none of the engines can be opened: %v", f.absent)
	}
}

func (f *field) has(name string) bool {
	return slices.ContainsFunc(f.runners, func(r measure.Runner) bool { return r.Info().Name == name })
}

// baseline returns the engine that ratios refer to if no option names one.
func (f *field) baseline() string {
	for _, name := range []string{"libsecp256k1", "libsecp256k1-cgo", "btcec"} {
		if f.has(name) {
			return name
		}
	}
	return f.runners[0].Info().Name
}
