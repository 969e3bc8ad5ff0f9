// Command plugbench builds versions of libsecp256k1 and OpenSSL since 2019, times the same work in each of them and in
// this library, and draws the results.
//
//	go run ./tools/plugbench build
//	go run ./tools/plugbench run --csv results.csv --plot plots
package main

import (
	"context"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"p256k1.mleku.dev/v2/tools/bench/measure"
)

func main() {
	measure.Worker()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	measure.Exit("plugbench", newCommand().ExecuteContext(ctx))
}

func newCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plugbench",
		Short: "Compare versions of libsecp256k1 and OpenSSL through the years",
		Long: `Loads one shared library after another, libsecp256k1 or OpenSSL's libcrypto of
any version, and times the same work in each and in this library.

"build" compiles the versions of a catalogue into the user's cache. "run" times
these versions and the system's libraries.`,
		Args:              cobra.NoArgs,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	cmd.AddCommand(newBuild(), newRun())
	return cmd
}
