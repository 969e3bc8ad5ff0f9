// Package plug implements the command "bench plug": it builds C libraries of the last decade, and times the same work
// in each of them and in this library.
package plug

import (
	"github.com/spf13/cobra"

	"p256k1.mleku.dev/v2/tools/bench/measure"
)

// New returns the command. It uses the launcher to run the program again for each library.
func New(launch measure.Launcher) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plug",
		Short: "Compare versions of libsecp256k1 and OpenSSL through the years",
		Long: `Loads one shared library after another, libsecp256k1 or OpenSSL's libcrypto of
any version, and times the same work in each and in this library.

"build" compiles the versions of a catalogue into the user's cache. "run" times
these versions and the system's libraries.`,
		Args: cobra.NoArgs,
	}
	cmd.AddCommand(newBuild(), newRun(launch))
	return cmd
}
