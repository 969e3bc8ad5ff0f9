package plug

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"p256k1.mleku.dev/v2/tools/bench/internal/progress"
	"p256k1.mleku.dev/v2/tools/bench/measure"
	"p256k1.mleku.dev/v2/tools/bench/plug/catalogue"
	"p256k1.mleku.dev/v2/tools/bench/plug/chart"
	"p256k1.mleku.dev/v2/tools/bench/plug/subject"
	"p256k1.mleku.dev/v2/tools/bench/plug/turns"
	"p256k1.mleku.dev/v2/tools/bench/plug/work"
)

type runFlags struct {
	libs      []string
	only      []string
	scenarios []string
	n, rounds int
	csv, plot string
	evp       bool
	timeout   time.Duration
}

func newRun() *cobra.Command {
	var f runFlags
	names := make([]string, len(work.Scenarios))
	for i, s := range work.Scenarios {
		names[i] = string(s)
	}
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Time the same work in every library",
		Long: `Times the same work in this library, in all that "plug build" made, in
libsecp256k1 and OpenSSL as the system has them, and in those given by --lib.

The inputs come from a fixed seed and are made by this library; every library must
give the right answers to them before it is timed. Each round starts a process for
each library; the figure is the median over the rounds of the CPU time.

The CSV has a line for each library and scenario. Its columns runtime, min and max
are seconds of CPU time for n operations, us_per_op is microseconds for one.`,
		Example: `  go run ./tools/bench plug run --csv results.csv --plot plots
  go run ./tools/bench plug run --scenario all --only 'p256k1*' --only '*0.8.0'
  go run ./tools/bench plug run --lib 'mine,2026-01-31,./libsecp256k1.so'`,
		Args:         cobra.NoArgs,
		SilenceUsage: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer stop()
			err := run(ctx, cmd, &f)
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
	flags.StringSliceVar(&f.scenarios, "scenario", []string{string(work.ECDSAVerify)}, "what to time: all, or of "+strings.Join(names, ", "))
	flags.IntVarP(&f.n, "n", "n", 5000, "operations a round, each on other inputs")
	flags.IntVar(&f.rounds, "rounds", 5, "rounds through all libraries")
	flags.StringVar(&f.csv, "csv", "", "write the results to this `file`")
	flags.StringVar(&f.plot, "plot", "", "draw the results into this `directory`")
	flags.BoolVar(&f.evp, "evp", false, "drive OpenSSL through EVP even where it has the low-level EC calls")
	flags.DurationVar(&f.timeout, "timeout", 2*time.Minute, "limit for one scenario of one library in one round")
	return cmd
}

func run(ctx context.Context, cmd *cobra.Command, f *runFlags) error {
	log := cmd.ErrOrStderr()
	r := &turns.Plan{N: f.n, Rounds: f.rounds, Timeout: f.timeout}
	var err error
	if r.Command, err = childCommand(cmd); err != nil {
		return err
	}
	if r.Scenarios, err = parseScenarios(f.scenarios); err != nil {
		return err
	}
	if f.n < 2 || f.rounds < 1 || f.timeout <= 0 {
		return errors.New("there must be at least 2 operations (-n), a round (--rounds) and some time (--timeout)")
	}
	bar := progress.Start(log, "looking for libraries")
	libraries, err := gather(ctx, r, f)
	bar.Stop()
	if err != nil {
		return err
	}
	if err := hint(log, libraries); err != nil {
		return err
	}
	bar = progress.Start(log, "making inputs")
	r.Progress = func(round, turn int, l turns.Library) {
		bar.Set(round*len(libraries)+turn, f.rounds*len(libraries), fmt.Sprintf("round %d of %d, %s", round+1, f.rounds, l.Label))
	}
	rows, overhead, err := r.Run(ctx, libraries)
	bar.Stop()
	if err != nil {
		return err
	}
	printTables(cmd.OutOrStdout(), rows, overhead)

	if f.csv != "" {
		if err := writeFile(f.csv, func(w io.Writer) error { return turns.WriteCSV(w, rows) }); err != nil {
			return err
		}
		fmt.Fprintf(log, "wrote %s\n", f.csv)
	}
	if f.plot != "" {
		files, err := chart.Write(f.plot, caption(f.rounds), rows)
		if err != nil {
			return err
		}
		fmt.Fprintf(log, "wrote %s\n", strings.Join(files, ", "))
	}
	if !slices.ContainsFunc(rows, func(r *turns.Result) bool { return r.Status == turns.OK }) {
		return errors.New("no library could do any of it")
	}
	return nil
}

func parseScenarios(values []string) ([]work.Scenario, error) {
	var scenarios []work.Scenario
	for _, v := range values {
		s := work.Scenario(v)
		switch {
		case v == "all":
			return work.Scenarios, nil
		case !slices.Contains(work.Scenarios, s):
			return nil, fmt.Errorf("no scenario %q: there are all, %v", v, work.Scenarios)
		case !slices.Contains(scenarios, s):
			scenarios = append(scenarios, s)
		}
	}
	return scenarios, nil
}

// gather returns the libraries that take part, in the order of the table.
func gather(ctx context.Context, r *turns.Plan, f *runFlags) ([]turns.Library, error) {
	entries, err := catalogue.Entries()
	if err != nil {
		return nil, err
	}
	libraries, err := own(ctx, r)
	if err != nil {
		return nil, err
	}
	libraries = append(libraries, built(entries)...)
	installed, err := system(ctx, r, entries)
	if err != nil {
		return nil, err
	}
	libraries = append(libraries, installed...)
	for _, value := range f.libs {
		l, err := given(value)
		if err != nil {
			return nil, err
		}
		libraries = append(libraries, l)
	}
	var chosen []turns.Library
	for _, l := range libraries {
		take := len(f.only) == 0
		for _, pattern := range f.only {
			ok, err := path.Match(strings.ToLower(pattern), strings.ToLower(l.Label))
			if err != nil {
				return nil, fmt.Errorf("--only %q: %w", pattern, err)
			}
			take = take || ok
		}
		if take {
			l.EVP = f.evp
			chosen = append(chosen, l)
		}
	}
	if len(chosen) == 0 {
		var labels []string
		for _, l := range libraries {
			labels = append(labels, l.Label)
		}
		return nil, fmt.Errorf("--only matches none of: %s", strings.Join(labels, ", "))
	}
	return chosen, nil
}

// hint says what there could be besides the libraries.
func hint(log io.Writer, libraries []turns.Library) error {
	entries, err := catalogue.Entries()
	if err != nil {
		return err
	}
	if missing := len(entries) - len(built(entries)); missing > 0 {
		fmt.Fprintf(log, "%d of the %d versions in the catalogue are not built: \"go run ./tools/bench plug build\" does that, given cargo and a C compiler.\n", missing, len(entries))
	}
	if !slices.ContainsFunc(libraries, func(l turns.Library) bool { return l.Path != "" }) {
		fmt.Fprintln(log, "There is no C library to compare with.")
	}
	return nil
}

// printTables prints a table for each scenario.
func printTables(w io.Writer, rows []*turns.Result, overhead time.Duration) {
	for _, scenario := range work.Scenarios {
		var baseline time.Duration
		var table []*turns.Result
		for _, r := range rows {
			if r.Scenario != scenario {
				continue
			}
			table = append(table, r)
			if baseline == 0 && r.Identity.Kind == subject.KindP256K1 && r.Status == turns.OK {
				baseline = r.Median()
			}
		}
		if len(table) == 0 {
			continue
		}
		fmt.Fprintf(w, "%s, CPU time, median of %d rounds of %d operations\n", scenario, len(longest(table).Times), table[0].N)
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "library\treleased\tin Bitcoin Core\tµs\tlow…high\ttimes p256k1's\t")
		for _, r := range table {
			date := ""
			if !r.Library.Date.IsZero() {
				date = r.Library.Date.Format(time.DateOnly)
			}
			fmt.Fprintf(t, "%s\t%s\t%s\t", r.Library.Label, date, r.Library.BitcoinCore)
			if r.Status == turns.Unsupported {
				fmt.Fprintf(t, "–\t\t\t%s\n", r.Status)
				continue
			}
			if r.Status != turns.OK {
				fmt.Fprintf(t, "–\t\t\t%s: %s\n", strings.ToUpper(string(r.Status)), abbreviate(r.Detail))
				continue
			}
			ratio := ""
			if baseline > 0 {
				ratio = fmt.Sprintf("%.2f", float64(r.Median())/float64(baseline))
			}
			fmt.Fprintf(t, "%.1f\t%.1f…%.1f\t%s\t%s\n", micro(r.Median(), r.N), micro(slices.Min(r.Times), r.N),
				micro(slices.Max(r.Times), r.N), ratio, note(r))
		}
		t.Flush()
		fmt.Fprintln(w)
	}
	if overhead > 0 {
		fmt.Fprintf(w, "Calling a C function that does next to nothing takes %d ns; an operation is 1 to 7 calls.\n", overhead.Nanoseconds())
	}
}

func longest(rows []*turns.Result) *turns.Result {
	return slices.MaxFunc(rows, func(a, b *turns.Result) int { return len(a.Times) - len(b.Times) })
}

func note(r *turns.Result) string {
	if r.Identity.Kind == subject.KindOpenSSL {
		return "by " + r.Identity.API
	}
	return ""
}

func micro(d time.Duration, n int) float64 { return float64(d.Nanoseconds()) / 1e3 / float64(n) }

func abbreviate(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 100 {
		return string(r[:99]) + "…"
	}
	return s
}

// caption says below a chart where its figures come from.
func caption(rounds int) string {
	m := measure.DescribeMachine()
	return fmt.Sprintf("%s, %s, %s; median of %d rounds, each in a fresh process; p256k1's bench plug, %s",
		m.Processor, m.System, m.Go, rounds, time.Now().Format(time.DateOnly))
}

// writeFile makes a file whole or not at all.
func writeFile(name string, write func(io.Writer) error) error {
	tmp := name + ".partial"
	file, err := os.Create(tmp)
	if err != nil {
		return err
	}
	if err := errors.Join(write(file), file.Close()); err != nil {
		os.Remove(tmp)
		return err
	}
	return os.Rename(tmp, name)
}
