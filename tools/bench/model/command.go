package model

import (
	"cmp"
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"p256k1.mleku.dev/v2/tools/bench/cpu"
	"p256k1.mleku.dev/v2/tools/bench/measure"
	"p256k1.mleku.dev/v2/tools/bench/native"
	"p256k1.mleku.dev/v2/tools/internal/must"
	"p256k1.mleku.dev/v2/tools/internal/progress"
)

// New returns the command model.
func New() *cobra.Command {
	return &cobra.Command{
		Use:   "model",
		Short: "Predict the cycles of operations on ARM64, with an emulator",
		Long: `model counts the instructions of operations on ARM64 under qemu-aarch64, and has
llvm-mca predict their cycles on Neoverse N1, V1 and V2: for this library and,
if the compiler aarch64-linux-gnu-gcc is installed, for libsecp256k1. For
Cortex-A72, A76 and Apple's cores, LLVM's tables are wrong, so nothing is
predicted.

Predictions leave out cache misses and branch mispredictions. Ratios of
predictions are accurate to some 0.07. "bench cpu" measures a real processor.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := measure.Interruptible(cmd)
			defer stop()
			err := must.Catch(func() { run(ctx, cmd) })
			return cmp.Or(ctx.Err(), err)
		},
	}
}

func run(ctx context.Context, cmd *cobra.Command) {
	must.Do(Available())
	must.Get(predictor())
	bar := progress.Start(cmd.ErrOrStderr(), "building")
	defer bar.Stop()
	dir := must.Get(os.MkdirTemp("", "p256k1-model-"))
	defer os.RemoveAll(dir)
	program := Build(ctx, dir)
	w := cmd.OutOrStdout()
	// table prints the predictions for one call of each part, and divides them by the predictions in base, if there are
	// any.
	table := func(title string, list []cpu.Kernel, base [][]float64, args ...string) (rows [][]float64) {
		bar.Set(0, 1, title)
		parts := Trace(ctx, program, 1, args...)
		for i, part := range parts {
			bar.Set(i, len(parts), title)
			rows = append(rows, predict(ctx, part, list[i].Count))
		}
		bar.Stop()
		fmt.Fprintf(w, "\n%-31s %11s %9s %9s %9s\n", title, "instr.", "N1", "V1", "V2")
		for i, row := range rows {
			fmt.Fprintf(w, "%-31s %11.0f %9.0f %9.0f %9.0f\n", list[i].Name, row[0], row[1], row[2], row[3])
			if base != nil {
				over := base[i]
				fmt.Fprintf(w, "%-31s %11.2f %9.2f %9.2f %9.2f\n", "  / libsecp256k1", row[0]/over[0], row[1]/over[1], row[2]/over[2], row[3]/over[3])
			}
		}
		return rows
	}
	var operations []cpu.Kernel
	for _, op := range cpu.Operations {
		operations = append(operations, cpu.Kernel{Name: op, Count: 1})
	}
	var base [][]float64
	fmt.Fprintln(w, "Predictions by an emulator and llvm-mca, not measurements: cycles of one call.")
	release := native.Current
	release.Arch = "arm64"
	library, err := release.Ensure(ctx, cmd.ErrOrStderr())
	if err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "without libsecp256k1: %v\n", err)
	} else {
		args := append([]string{library.Library}, cpu.Operations...)
		base = table("libsecp256k1 "+library.Version, operations, nil, args...)
	}
	table("p256k1", operations, base, append([]string{"p256k1"}, cpu.Operations...)...)
	table("routines", cpu.Kernels, nil, "kernels")
}

// predict returns the number of instructions and the cycles on each core, both for one of the count runs in part.
func predict(ctx context.Context, part []string, count int) []float64 {
	row := []float64{float64(len(part)) / float64(count)}
	for _, core := range Cores {
		row = append(row, float64(Cycles(ctx, core, part))/float64(count))
	}
	return row
}
