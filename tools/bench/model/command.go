package model

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"

	"github.com/spf13/cobra"

	"p256k1.mleku.dev/v2/tools/bench/cpu"
	"p256k1.mleku.dev/v2/tools/bench/native"
	"p256k1.mleku.dev/v2/tools/internal/progress"
)

// Operations are the operations whose instructions are counted.
var Operations = []string{"derive", "ecdsa-sign", "ecdsa-verify", "schnorr-verify", "ecdh", "recover"}

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
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer stop()
			err := run(ctx, cmd)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return err
		},
	}
}

func run(ctx context.Context, cmd *cobra.Command) error {
	if err := Available(); err != nil {
		return err
	}
	if _, err := predictor(); err != nil {
		return err
	}
	bar := progress.Start(cmd.ErrOrStderr(), "building")
	defer bar.Stop()
	dir, err := os.MkdirTemp("", "p256k1-model-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program, err := Build(ctx, dir)
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	var base [][]float64
	// table prints the predictions for each part. If counts has the number of calls in each part, they are for one
	// call.
	table := func(title string, names []string, counts []int, args ...string) ([][]float64, error) {
		bar.Set(0, 1, title)
		parts, err := Trace(ctx, program, 1, args...)
		if err != nil {
			return nil, err
		}
		var rows [][]float64
		for i, part := range parts {
			bar.Set(i, len(parts), title)
			row, err := predict(ctx, part, counts[i])
			if err != nil {
				return nil, err
			}
			rows = append(rows, row)
		}
		bar.Stop()
		fmt.Fprintf(w, "\n%-31s %11s %9s %9s %9s\n", title, "instr.", "N1", "V1", "V2")
		for i, row := range rows {
			fmt.Fprintf(w, "%-31s %11.0f %9.0f %9.0f %9.0f\n", names[i], row[0], row[1], row[2], row[3])
			if base != nil && args[0] == "p256k1" {
				over := base[i]
				fmt.Fprintf(w, "%-31s %11.2f %9.2f %9.2f %9.2f\n", "  / libsecp256k1", row[0]/over[0], row[1]/over[1], row[2]/over[2], row[3]/over[3])
			}
		}
		return rows, nil
	}
	once := slices.Repeat([]int{1}, len(Operations))
	var kernels []string
	var counts []int
	for _, k := range cpu.Kernels {
		kernels, counts = append(kernels, k.Name), append(counts, k.Count)
	}
	fmt.Fprintln(w, "Predictions by an emulator and llvm-mca, not measurements: cycles of one call.")
	library, err := native.ForARM64(ctx, cmd.ErrOrStderr())
	if err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "without libsecp256k1: %v\n", err)
	} else if base, err = table("libsecp256k1 "+library.Version, Operations, once, append([]string{library.Library}, Operations...)...); err != nil {
		return err
	}
	if _, err := table("p256k1", Operations, once, append([]string{"p256k1"}, Operations...)...); err != nil {
		return err
	}
	_, err = table("routines", kernels, counts, "kernels")
	return err
}

// predict returns the number of instructions and the cycles on each core, both for one of the count runs in part.
func predict(ctx context.Context, part []string, count int) ([]float64, error) {
	row := []float64{float64(len(part)) / float64(count)}
	for _, core := range Cores {
		n, err := Cycles(ctx, core, part)
		if err != nil {
			return nil, err
		}
		row = append(row, float64(n)/float64(count))
	}
	return row, nil
}
