package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"p256k1.mleku.dev/v2/tools/bench/measure"
	"p256k1.mleku.dev/v2/tools/bench/report"
	"p256k1.mleku.dev/v2/tools/internal/must"
	"p256k1.mleku.dev/v2/tools/internal/progress"
)

// scenarios are the operations for which libraries are timed, the classic one first.
var scenarios = []string{"ecdsa-verify", "ecdsa-sign", "schnorr-verify", "schnorr-sign", "ecdh", "ecdh-x", "derive", "recover", "parse"}

// loading stands for an operation in the failure of a library that cannot be loaded.
const loading = "loading"

type runFlags struct {
	libs      []string
	only      []string
	scenarios []string
	n, rounds int
	format    string
	csv, plot string
	timeout   time.Duration
}

func newRun() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Time the same work in every library",
		Long: `Times the same work in this library, in all versions that "plugbench build"
has built, and in the libraries given by --lib, such as the system's.

This library makes the inputs from a fixed seed. Every library must give the right
answers before it is timed. Each round starts a process for each library. The
figure is the median CPU time over the rounds.

The CSV has a line for each library and scenario. Its columns runtime, min and max
are seconds of CPU time for n operations, us_per_op is microseconds for one. These
are empty, and status says why, if a library has no result. date is the day of the
release, as 2006-01-02, or empty.`,
		Example: `  go run ./tools/plugbench run --csv results.csv --plot plots
  go run ./tools/plugbench run --scenario all --only 'p256k1*' --only '*0.8.0'
  go run ./tools/plugbench run --lib 'mine,2026-01-31,./libsecp256k1.so'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := must.Catch(func() { run(cmd.Context(), cmd, &f) })
			if cmd.Context().Err() != nil {
				fmt.Fprintln(cmd.ErrOrStderr(), "interrupted; nothing was written")
			}
			return cmp.Or(cmd.Context().Err(), err)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.libs, "lib", nil, "another library, as LABEL,DATE,PATH with the date as 2006-01-02 or empty; may be repeated")
	flags.StringArrayVar(&f.only, "only", nil, "only libraries whose label this glob matches; may be repeated")
	flags.StringSliceVar(&f.scenarios, "scenario", scenarios[:1], "operations to time, as in bench --ops, or all for "+strings.Join(scenarios, ", "))
	flags.IntVarP(&f.n, "n", "n", 5000, "number of calls in a round")
	flags.IntVar(&f.rounds, "rounds", 5, "number of rounds through all libraries")
	flags.StringVar(&f.format, "format", "text", "text or gobench, which benchstat reads")
	flags.StringVar(&f.csv, "csv", "", "also write the results to this `file`, as CSV")
	flags.StringVar(&f.plot, "plot", "", "draw the results into this `directory`, or into its folder part if versions of the catalogue are missing")
	flags.DurationVar(&f.timeout, "timeout", 2*time.Minute, "time limit of one operation of one library in one round")
	return cmd
}

func run(ctx context.Context, cmd *cobra.Command, f *runFlags) {
	log := cmd.ErrOrStderr()
	write := must.Get(report.FormatByName(f.format))
	must.Do(os.MkdirAll(filepath.Dir(f.csv), 0o755)) // now, not after the measurement
	r, libraries := compare(ctx, log, f)
	if f.csv != "" {
		replace(f.csv, table(r, libraries))
		fmt.Fprintf(log, "wrote %s\n", f.csv)
	}
	must.Do(write(cmd.OutOrStdout(), r))
	if len(r.Results) == 0 {
		must.Fail("no library supports any of the operations")
	}
	if f.plot != "" {
		dir := f.plot
		others := slices.DeleteFunc(slices.Clone(libraries), func(l *library) bool { return l.child == nil || l.family == own })
		if len(others) < len(entries()) { // partial figures must not replace complete figures
			dir = filepath.Join(dir, "part")
		}
		fmt.Fprintf(log, "wrote %s\n", strings.Join(draw(dir, r, libraries), ", "))
	}
}

// compare times the libraries that take part, in the order of the tables. If a library cannot be loaded, the report
// lists it among the failures.
func compare(ctx context.Context, log io.Writer, f *runFlags) (*measure.Report, []*library) {
	if slices.Contains(f.scenarios, "all") {
		f.scenarios = scenarios
	}
	ops := must.Get(measure.SelectOps(f.scenarios...))
	if f.n < 2 || f.rounds < 1 || f.timeout <= 0 {
		must.Fail("want at least 2 calls (-n), one round (--rounds) and a positive --timeout")
	}
	find := newFinder(f.n, f.timeout)
	libraries := gather(ctx, log, find, f)
	var runners []measure.Runner
	var failures []measure.Failure
	for _, l := range libraries {
		if l.child == nil {
			failures = append(failures, measure.Failure{Label: l.label, Op: loading, Err: l.err})
		} else {
			runners = append(runners, l.child)
			defer l.child.Close()
		}
	}
	bar := progress.Start(log, "starting")
	r, err := measure.Run(ctx, runners, measure.Options{
		Ops: ops, Rounds: f.rounds, N: f.n, CPU: true, Timeout: f.timeout, GoOn: true, Baseline: "p256k1",
		CorpusSize: find.like.Size, Seed: find.like.Seed, Progress: bar.Set,
	})
	bar.Stop()
	must.Do(errors.Join(err, ctx.Err()))
	r.Failures = append(failures, r.Failures...)
	return r, libraries
}

// gather returns the libraries that take part. It logs how to add more versions.
func gather(ctx context.Context, log io.Writer, find *finder, f *runFlags) []*library {
	bar := progress.Start(log, "looking for libraries")
	defer bar.Stop()
	libraries := find.own(ctx)
	built := find.built(ctx)
	libraries = append(libraries, built...)
	for _, value := range f.libs {
		libraries = append(libraries, find.given(ctx, value))
	}
	must.Do(ctx.Err())
	if all := len(entries()); len(built) < all {
		fmt.Fprintf(log, "%d of the %d versions in the catalogue are built: \"go run ./tools/plugbench build\" builds the others, given cargo and a C compiler.\n", len(built), all)
	}
	return choose(libraries, f.only)
}
