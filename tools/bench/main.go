// Command bench compares this library with others, on this machine, and, as
// "bench plug", with libsecp256k1 and OpenSSL through the years.
//
//	go run ./tools/bench
//	go run ./tools/bench --against-c
//	go run ./tools/bench plug build
//	go run ./tools/bench plug run --plot plots
package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/bench/measure"
	"p256k1.mleku.dev/v2/tools/bench/native"
	"p256k1.mleku.dev/v2/tools/bench/plug"
	"p256k1.mleku.dev/v2/tools/bench/report"
	"p256k1.mleku.dev/v2/tools/internal/progress"
)

type options struct {
	engines, ops []string
	rounds       int
	time         time.Duration
	least        bool
	baseline     string
	againstC     bool
	json         bool
	format       string
	output       string
	page         string
	seed         string
	corpus       int
}

// defaultPage is where a run that prints its tables writes the page.
const defaultPage = "p256k1-bench.html"

// Exit statuses.
const (
	statusError       = 2
	statusInterrupted = 130 // as shells report SIGINT
)

func main() {
	err := newCommand().Execute()
	switch {
	case errors.Is(err, context.Canceled): // a command says by itself what it has by then
		os.Exit(statusInterrupted)
	case err != nil:
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(statusError)
	}
}

func newCommand() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Compare this library with others, on this machine",
		Long: `bench runs the operations of this library and of others in turns, on fresh random
keys and messages, and reports medians with confidence intervals, ratios
and allocations, with all that the figures depend on.

It compares with what it finds: btcec and decred are built in. For
libsecp256k1 and OpenSSL, it says how to add them if they are absent.

Unless told otherwise it prints tables and writes a page with charts to
` + defaultPage + `. Ctrl-C ends it with what there is by then.`,
		Example: `  go run ./tools/bench
  go run ./tools/bench --ops ecdsa-verify,schnorr-verify --rounds 20
  go run ./tools/bench --against-c
  go run ./tools/bench --format gobench -o new.txt && benchstat old.txt new.txt
  go run ./tools/bench plug run --plot plots`,
		Args:              cobra.NoArgs,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return run(cmd, o)
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.engines, "engines", nil, "engines to run: "+strings.Join(engine.Names(), ", ")+" (default all but those on p256k1: others' APIs on this library)")
	f.StringSliceVar(&o.ops, "ops", nil, "operations to run: "+strings.Join(measure.Names(), ", ")+" (default all)")
	f.IntVar(&o.rounds, "rounds", 10, "how often each engine gets its turn; an interval takes 6")
	f.DurationVar(&o.time, "time", 30*time.Millisecond, "how long a turn lasts")
	f.BoolVar(&o.least, "least", false, "take the quickest tenth of each turn instead of all of it: for busy machines")
	f.StringVar(&o.baseline, "baseline", "", "engine that ratios are to (default libsecp256k1 if it is there, else btcec)")
	f.BoolVar(&o.againstC, "against-c", false, "also run libsecp256k1's own benchmark program, building it if need be with cargo and a C compiler, and judge by the targets of the design")
	f.BoolVar(&o.json, "json", false, "print JSON, one object a line: --format json")
	f.StringVar(&o.format, "format", "text", "text, json or gobench, which benchstat reads")
	f.StringVarP(&o.output, "output", "o", "", "write to this file instead of the standard output")
	f.StringVar(&o.page, "page", "", "write the page with charts to this file, too (default "+defaultPage+" with the tables, else none; none for none)")
	f.StringVar(&o.seed, "seed", "", "make the inputs of an earlier run again (default random)")
	f.IntVar(&o.corpus, "corpus", measure.CorpusSize, "how many different inputs there are")
	cmd.AddCommand(plug.New(launch), newWorker())
	return cmd
}

// newWorker returns the command that the program runs itself again with.
func newWorker() *cobra.Command {
	return &cobra.Command{
		Use: "worker", Hidden: true, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			// Ctrl-C reaches the whole group of processes; the parent decides.
			signal.Ignore(os.Interrupt)
			return measure.Serve(context.WithoutCancel(cmd.Context()), cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
}

// launch runs this program again with the command worker.
func launch(ctx context.Context) (*exec.Cmd, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("to run this program again: %w", err)
	}
	return exec.CommandContext(ctx, program, "worker"), nil
}

// choices are what is left of the options once they are checked.
type choices struct {
	ops    []measure.Op
	format report.Format
	page   string
}

func (o options) choose() (c choices, err error) {
	if o.rounds < 1 || o.time <= 0 || o.corpus < 1 {
		return c, errors.New("--rounds, --time and --corpus must be positive")
	}
	if c.ops, err = measure.SelectOps(o.ops...); err != nil {
		return c, err
	}
	if o.json {
		o.format = "json"
	}
	if c.format, err = report.FormatByName(o.format); err != nil {
		return c, err
	}
	c.page = o.page
	if c.page == "" && o.output == "" && o.format == "text" {
		c.page = defaultPage
	}
	if c.page == "none" {
		c.page = ""
	}
	return c, nil
}

func run(cmd *cobra.Command, o options) error {
	c, err := o.choose()
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
	defer stop()
	// A second Ctrl-C ends the program as usual.
	defer context.AfterFunc(ctx, stop)()

	var program native.Build
	if o.againstC {
		// Before engines are looked for, so that they find what this builds.
		if program, err = native.Ensure(ctx, cmd.ErrOrStderr()); err != nil {
			return fmt.Errorf("--against-c: %w", err)
		}
	}
	found, err := engine.Find(o.engines...)
	if err != nil {
		return err
	}
	if o.seed == "" {
		var b [8]byte
		rand.Read(b[:])
		o.seed = fmt.Sprintf("%x", b)
	}
	bar := progress.Start(cmd.ErrOrStderr(), "making keys and signatures")
	defer bar.Stop()
	corpus, err := measure.NewCorpus(o.seed, o.corpus)
	if err != nil {
		return err
	}
	like := measure.Child{Launch: launch, Seed: o.seed, Size: o.corpus}
	var runners []measure.Runner
	defer func() {
		for _, r := range runners {
			r.Close()
		}
	}()
	var absent []measure.Absent
	var warnings []string
	dropIns := dropInBuilder{}
	defer dropIns.remove()
	for _, f := range found {
		if f.Err != nil && slices.Contains(engine.DropIns, f.Name) {
			child := like
			child.Engine = f.Name
			if child.Launch, f.Err = dropIns.launcher(ctx); f.Err == nil {
				f.Err = child.Start(ctx)
			}
			if f.Err == nil {
				runners = append(runners, &child)
				continue
			}
		}
		if f.Err != nil {
			absent = append(absent, measure.Absent{Name: f.Name, Reason: reason(f.Err), Provide: f.Provide})
			continue
		}
		runners = append(runners, measure.NewLocal(f.Engine, corpus))
		if o.againstC && f.Name == "libsecp256k1" {
			if f.Engine.Info().Path == program.Library {
				runners = append(runners, measure.NewOneInput(f.Engine, corpus))
			} else {
				warnings = append(warnings, "The libsecp256k1 that is called is not the one that its own benchmark program was built with, so the two are not compared.")
			}
		}
		if f.Name == "p256k1" {
			more, err := measure.Backends(ctx, f.Engine.Info().Backend, like)
			for _, child := range more {
				runners = append(runners, child)
			}
			if err != nil && ctx.Err() == nil {
				warnings = append(warnings, "Other backends: "+err.Error())
			}
		}
	}
	if o.againstC {
		runners = append(runners, measure.NewCProgram(program))
	}
	if len(runners) == 0 {
		return fmt.Errorf("none of the engines is there: %w", errors.Join(errorsOf(found)...))
	}
	if o.baseline == "" {
		o.baseline = baseline(runners)
	} else if !has(runners, o.baseline) {
		return fmt.Errorf("--baseline %q is not among the engines that run", o.baseline)
	}

	options := measure.Options{
		Ops: c.ops, Rounds: o.rounds, Time: o.time, Least: o.least, Baseline: o.baseline,
		CorpusSize: o.corpus, Seed: o.seed, Progress: bar.Set,
	}
	r, err := measure.Run(ctx, runners, options)
	bar.Stop()
	if err != nil {
		return err
	}
	r.Absent = absent
	r.Warnings = append(r.Warnings, warnings...)
	if warning, ok := busy(r); ok {
		r.Warnings = append(r.Warnings, warning)
	}
	if err := deliver(cmd, o, c, r); err != nil {
		return err
	}
	if r.Incomplete {
		return ctx.Err()
	}
	return nil
}

// deliver writes the report, and says on the standard error what the chosen
// format has no room for.
func deliver(cmd *cobra.Command, o options, c choices, r *measure.Report) error {
	if err := save(o.output, cmd.OutOrStdout(), c.format, r); err != nil {
		return err
	}
	stderr := cmd.ErrOrStderr()
	if c.page != "" {
		if err := save(c.page, nil, report.Format{Write: report.HTML}, r); err != nil {
			return err
		}
		fmt.Fprintf(stderr, "page with charts: %s\n", c.page)
	}
	if c.format.Name != "text" {
		for _, a := range r.Absent {
			fmt.Fprintf(stderr, "absent: %s (%s). To add it: %s\n", a.Name, a.Reason, a.Provide)
		}
		for _, w := range r.Warnings {
			fmt.Fprintln(stderr, w)
		}
	}
	if r.Incomplete {
		fmt.Fprintln(stderr, "interrupted: the report is incomplete, and says so")
	}
	return nil
}

// save writes all or nothing to a file, or to w if it has no name.
func save(file string, w io.Writer, f report.Format, r *measure.Report) error {
	var b bytes.Buffer
	if err := f.Write(&b, r); err != nil {
		return err
	}
	if file == "" {
		_, err := w.Write(b.Bytes())
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o644)
}

// reason is an error without what says that it is about an absent engine.
func reason(err error) string {
	return strings.TrimPrefix(err.Error(), engine.ErrAbsent.Error()+": ")
}

func errorsOf(found []engine.Found) []error {
	var errs []error
	for _, f := range found {
		errs = append(errs, f.Err)
	}
	return errs
}

func has(runners []measure.Runner, name string) bool {
	for _, r := range runners {
		if r.Info().Name == name {
			return true
		}
	}
	return false
}

func baseline(runners []measure.Runner) string {
	for _, name := range []string{"libsecp256k1", "libsecp256k1-cgo", "btcec"} {
		if has(runners, name) {
			return name
		}
	}
	return runners[0].Info().Name
}
