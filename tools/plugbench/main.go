// Command plugbench builds versions of libsecp256k1 and OpenSSL since 2019, times the same work in each of them and in
// this library, and draws the times.
//
//	go run ./tools/plugbench build
//	go run ./tools/plugbench run --plot plots --csv results.csv
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"p256k1.mleku.dev/v2/tools/bench/measure"
)

func main() {
	cmd := newCommand(measure.Again)
	cmd.SilenceErrors = true
	cmd.AddCommand(measure.Worker())
	err := cmd.Execute()
	switch {
	case errors.Is(err, context.Canceled):
		os.Exit(measure.StatusInterrupted)
	case err != nil:
		fmt.Fprintln(os.Stderr, "plugbench:", err)
		os.Exit(measure.StatusError)
	}
}

// newCommand returns the command. It uses the launcher to run the program again for each library.
func newCommand(launch measure.Launcher) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plugbench",
		Short: "Compare versions of libsecp256k1 and OpenSSL through the years",
		Long: `Loads one shared library after another, libsecp256k1 or OpenSSL's libcrypto of
any version, and times the same work in each and in this library.

"build" compiles the versions of a catalogue into the user's cache. "run" times
these versions and the system's libraries.`,
		Args:              cobra.NoArgs,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	cmd.AddCommand(newBuild(), newRun(launch))
	return cmd
}
