package cpu

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/bench/measure"
	"p256k1.mleku.dev/v2/tools/internal/must"
	"p256k1.mleku.dev/v2/tools/internal/progress"
)

// Operations lists the operations to measure. They are few enough to be measured in two minutes. Package model counts
// their instructions.
var Operations = []string{"derive", "ecdsa-sign", "ecdsa-verify", "schnorr-verify", "ecdh", "recover"}

// New returns the command cpu, of a program that calls measure.Worker first.
func New() *cobra.Command {
	var figures bool
	var turn time.Duration
	cmd := &cobra.Command{
		Use:   "cpu",
		Short: "Measure the library's routines and operations on this processor",
		Long: `cpu measures, in less than two minutes, the cycles of the library's routines on
this processor and the times of whole operations, also with the routines that
the library would choose on another processor. It compares with btcec, and with
libsecp256k1 if it is installed.

The result is a block of text to paste into an issue. For processors that the
developers do not have, above all ARM64, such reports are the only measurements.

A cycle is the time of an addition or exclusive or that waits for the result of
the previous one. Each figure is the least of 60 turns. If the machine runs
other programs, or saves power, run the command twice and compare.`,
		Example: "  go run ./tools/bench cpu\n  go run ./tools/bench cpu >report.txt",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			defer must.Recover(&err)
			if figures {
				signal.Ignore(os.Interrupt) // Ctrl-C reaches the whole process group, and the parent decides what to do
				return json.NewEncoder(cmd.OutOrStdout()).Encode(must.Get(Measure(cmd.Context(), turn)))
			}
			return run(cmd, turn)
		},
	}
	cmd.Flags().DurationVar(&turn, "turn", time.Millisecond, "duration of a turn; each figure is the least of 60 turns")
	cmd.Flags().BoolVar(&figures, "figures", false, "measure one set of routines, and print JSON")
	cmd.Flags().MarkHidden("figures")
	return cmd
}

func run(cmd *cobra.Command, turn time.Duration) error {
	if turn <= 0 {
		return fmt.Errorf("--turn must be positive")
	}
	ctx, stop := measure.Interruptible(cmd)
	defer stop()
	bar := progress.Start(cmd.ErrOrStderr(), "measuring routines")
	defer bar.Stop()
	r := Report{Machine: measure.DescribeMachine(), Cores: cores()}
	r.Figures, r.Warning = sets(ctx, turn)
	if ctx.Err() != nil {
		bar.Stop()
		fmt.Fprintln(cmd.ErrOrStderr(), "interrupted before there was a result")
		return ctx.Err()
	}
	r.Operations = compare(ctx, 20*turn, bar.Set)
	bar.Stop()
	return cmp.Or(r.Write(cmd.OutOrStdout()), ctx.Err())
}

// sets measures each set of routines that this machine can run: the default set in this process, and each other set in
// a separate process. If a process fails, it returns the figures so far with the error.
func sets(ctx context.Context, turn time.Duration) (all []Figures, err error) {
	defer must.Recover(&err)
	all = []Figures{must.Get(Measure(ctx, turn))}
	for _, setting := range engine.Switches {
		f := other(ctx, turn, setting)
		if !slices.ContainsFunc(all, func(before Figures) bool { return before.Backend == f.Backend }) {
			all = append(all, f)
		}
	}
	return all, nil
}

// other measures in a separate process that runs with the given setting of GODEBUG.
func other(ctx context.Context, turn time.Duration, setting string) (f Figures) {
	child := exec.CommandContext(ctx, must.Get(os.Executable()), "cpu", "--figures", "--turn", turn.String())
	child.Env = append(os.Environ(), "GODEBUG="+strings.TrimPrefix(os.Getenv("GODEBUG")+","+setting, ","))
	out, err := child.Output()
	if err != nil {
		must.Do(cmp.Or(ctx.Err(), fmt.Errorf("no process with GODEBUG=%s: %w", setting, err)))
	}
	must.Do(json.Unmarshal(out, &f))
	return f
}

// compare measures operations of this library with each set of routines, operations of btcec, and, if the machine has
// libsecp256k1, operations of libsecp256k1.
func compare(ctx context.Context, turn time.Duration, progress func(int, int, string)) *measure.Report {
	const seed, size = "cpu", 256
	ops, corpus := must.Get(measure.SelectOps(Operations...)), measure.NewCorpus(seed, size)
	var runners []measure.Runner
	var absent []engine.Found
	for _, e := range must.Get(engine.Find("p256k1", "btcec", "libsecp256k1")) {
		if e.Err != nil {
			absent = append(absent, e)
			continue
		}
		runners = append(runners, measure.NewLocal(e.Engine, corpus))
	}
	backends, _ := measure.Backends(ctx, platform.Name(), measure.Child{Launch: measure.Relaunch, Seed: seed, Size: size})
	// The error is ignored, because sets has reported it: sets starts processes with the same settings.
	for i, b := range backends {
		runners = slices.Insert(runners, 1+i, measure.Runner(b))
	}
	for _, r := range runners {
		defer r.Close()
	}
	r := must.Get(measure.Run(ctx, runners, measure.Options{Ops: ops, Rounds: measure.FewestRounds, Time: turn, Least: true,
		Baseline: "btcec", CorpusSize: size, Seed: seed, Progress: progress}))
	r.Absent = absent
	return r
}
