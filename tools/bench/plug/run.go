package plug

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"p256k1.mleku.dev/v2/tools/bench/measure"
	"p256k1.mleku.dev/v2/tools/internal/progress"
)

// scenarios are the operations that libraries are timed at, the classic one first.
var scenarios = []string{"ecdsa-verify", "ecdsa-sign", "schnorr-verify", "schnorr-sign", "ecdh", "ecdh-x", "derive", "recover", "parse"}

type runFlags struct {
	libs      []string
	only      []string
	scenarios []string
	n, rounds int
	csv, plot string
	timeout   time.Duration
}

func newRun(launch measure.Launcher) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Time the same work in every library",
		Long: `Times the same work in this library, in all that "plug build" made, and in the
libraries given by --lib, such as those that the system has.

The inputs come from a fixed seed and are made by this library; every library must
give the right answers to them before it is timed. Each round starts a process for
each library; the figure is the median over the rounds of the CPU time.

The CSV has a line for each library and scenario. Its columns runtime, min and max
are seconds of CPU time for n operations, us_per_op is microseconds for one. These
are empty, and status says why, if a library failed.`,
		Example: `  go run ./tools/bench plug run --csv results.csv --plot plots
  go run ./tools/bench plug run --scenario all --only 'p256k1*' --only '*0.8.0'
  go run ./tools/bench plug run --lib 'mine,2026-01-31,./libsecp256k1.so'`,
		Args:         cobra.NoArgs,
		SilenceUsage: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer stop()
			err := run(ctx, cmd, launch, &f)
			if ctx.Err() != nil {
				fmt.Fprintln(cmd.ErrOrStderr(), "interrupted; nothing was written")
				return ctx.Err()
			}
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.libs, "lib", nil, "another library, as LABEL,DATE,PATH with the date as 2006-01-02 or empty; may be repeated")
	flags.StringArrayVar(&f.only, "only", nil, "only libraries whose label this glob matches; may be repeated")
	flags.StringSliceVar(&f.scenarios, "scenario", scenarios[:1], "what to time: operations of bench --ops, or all for "+strings.Join(scenarios, ", "))
	flags.IntVarP(&f.n, "n", "n", 5000, "operations a round")
	flags.IntVar(&f.rounds, "rounds", 5, "rounds through all libraries")
	flags.StringVar(&f.csv, "csv", "", "write the results to this `file`")
	flags.StringVar(&f.plot, "plot", "", "draw the results into this `directory`")
	flags.DurationVar(&f.timeout, "timeout", 2*time.Minute, "limit for one scenario of one library in one round")
	return cmd
}

func run(ctx context.Context, cmd *cobra.Command, launch measure.Launcher, f *runFlags) error {
	log := cmd.ErrOrStderr()
	if slices.Contains(f.scenarios, "all") {
		f.scenarios = scenarios
	}
	ops, err := measure.SelectOps(f.scenarios...)
	if err != nil {
		return err
	}
	if f.n < 2 || f.rounds < 1 || f.timeout <= 0 {
		return errors.New("there must be at least 2 operations (-n), a round (--rounds) and some time (--timeout)")
	}
	bar := progress.Start(log, "looking for libraries")
	libraries, err := gather(ctx, log, newFinder(launch, f.n, f.timeout), f)
	bar.Stop()
	if err != nil {
		return err
	}
	var runners []measure.Runner
	for _, l := range libraries {
		if l.child != nil {
			runners = append(runners, l.child)
			defer l.child.Close()
		}
	}
	bar = progress.Start(log, "starting")
	report, err := measure.Run(ctx, runners, measure.Options{
		Ops: ops, Rounds: f.rounds, N: f.n, CPU: true, Timeout: f.timeout, GoOn: true, Progress: bar.Set,
	})
	bar.Stop()
	if err := errors.Join(err, ctx.Err()); err != nil {
		return err
	}
	rows := rowsOf(libraries, ops, f.n, report)
	printTables(cmd.OutOrStdout(), rows)
	if f.csv != "" {
		if err := writeCSV(f.csv, rows); err != nil {
			return err
		}
		fmt.Fprintf(log, "wrote %s\n", f.csv)
	}
	if f.plot != "" {
		files, err := draw(f.plot, caption(report), rows)
		if err != nil {
			return err
		}
		fmt.Fprintf(log, "wrote %s\n", strings.Join(files, ", "))
	}
	if !slices.ContainsFunc(rows, func(r *row) bool { return r.err == nil }) {
		return errors.New("no library could do any of it")
	}
	return nil
}

// gather returns the libraries that take part, in the order of the table. It says
// on the log what there could be besides them.
func gather(ctx context.Context, log io.Writer, find *finder, f *runFlags) ([]*library, error) {
	libraries, err := find.own(ctx)
	if err != nil {
		return nil, err
	}
	built := find.built(ctx)
	libraries = append(libraries, built...)
	for _, value := range f.libs {
		l, err := find.given(ctx, value)
		if err != nil {
			return nil, err
		}
		libraries = append(libraries, l)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	chosen, err := choose(libraries, func(l *library) string { return l.label }, f.only)
	if err != nil {
		return nil, err
	}
	if all := len(entries()); len(built) < all {
		fmt.Fprintf(log, "%d of the %d versions in the catalogue are built: \"go run ./tools/bench plug build\" builds the others, given cargo and a C compiler.\n", len(built), all)
	}
	return chosen, nil
}

// A row is a library in a scenario.
type row struct {
	*library
	op                measure.Op
	n, rounds         int
	median, low, high float64 // microseconds of processor time for one operation: over the rounds
	err               error   // why there is no time
}

func rowsOf(libraries []*library, ops []measure.Op, n int, report *measure.Report) (rows []*row) {
	for _, op := range ops {
		for _, l := range libraries {
			r := &row{library: l, op: op, n: n, err: l.err}
			if x, ok := report.Result(l.label, op.Name); ok {
				r.median, r.rounds, r.low, r.high = x.NS/1e3, len(x.Samples), x.Samples[0].CPU/1e3, 0
				for _, s := range x.Samples {
					r.low, r.high = min(r.low, s.CPU/1e3), max(r.high, s.CPU/1e3)
				}
			}
			for _, failure := range report.Failures {
				if failure.Label == l.label && failure.Op == op.Name {
					r.err = failure.Err
				}
			}
			rows = append(rows, r)
		}
	}
	return rows
}

func (l *library) day() string {
	if l.date.IsZero() {
		return ""
	}
	return l.date.Format(time.DateOnly)
}

// detail is the error on one line.
func (r *row) detail() string {
	if r.err == nil {
		return ""
	}
	return strings.Join(strings.Fields(r.err.Error()), " ")
}

// byScenario returns the rows of each operation.
func byScenario(rows []*row) (all [][]*row) {
	for i, r := range rows {
		if i == 0 || rows[i-1].op.Name != r.op.Name {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], r)
	}
	return all
}

// printTables prints a table for each scenario.
func printTables(w io.Writer, rows []*row) {
	for _, table := range byScenario(rows) {
		fmt.Fprintf(w, "%s, µs of CPU time, median over the rounds of %d operations\n", table[0].op.Name, table[0].n)
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "library\treleased\tin Core\tµs\tlow…high\ttimes p256k1's")
		baseline := math.NaN()
		for _, r := range table {
			fmt.Fprintf(t, "%s\t%s\t%s\t", r.label, r.day(), r.bitcoinCore)
			if r.err != nil {
				fmt.Fprintf(t, "–\t%s\t%s\n", status(r.err), r.detail())
				continue
			}
			if r.family == own && math.IsNaN(baseline) {
				baseline = r.median
			}
			fmt.Fprintf(t, "%.1f\t%.1f…%.1f\t%.2f\n", r.median, r.low, r.high, r.median/baseline)
		}
		t.Flush()
		fmt.Fprintln(w)
	}
}

// columns are those of writeCSV.
var columns = []string{"version", "date", "runtime", "scenario", "n", "rounds", "min", "max", "us_per_op",
	"kind", "status", "detail", "bitcoin_core", "path"}

func writeCSV(name string, rows []*row) error {
	lines := [][]string{columns}
	for _, r := range rows {
		var runtime, low, high, each string
		if r.err == nil {
			seconds := func(us float64) string { return strconv.FormatFloat(us*float64(r.n)/1e6, 'f', 6, 64) }
			runtime, low, high, each = seconds(r.median), seconds(r.low), seconds(r.high), strconv.FormatFloat(r.median, 'f', 3, 64)
		}
		lines = append(lines, []string{r.label, r.day(), runtime, r.op.Name, strconv.Itoa(r.n), strconv.Itoa(r.rounds),
			low, high, each, familyNames[r.family], status(r.err), r.detail(), r.bitcoinCore, r.path})
	}
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(csv.NewWriter(file).WriteAll(lines), file.Close())
}

// caption says below a chart where its figures come from.
func caption(r *measure.Report) string {
	return fmt.Sprintf("%s, %s, %s; median of %d rounds, each in a fresh process; p256k1's bench plug, %s",
		r.Machine.Processor, r.Machine.System, r.Machine.Go, r.Rounds, r.Date.Format(time.DateOnly))
}
