// Package plug is the command "bench plug": it builds a decade of C libraries and
// times the same work in each, and in this library.
package plug

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"p256k1.mleku.dev/v2/tools/bench/plug/turns"
)

// New returns the command, to be run as it is or as a part of another.
func New() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plug",
		Short: "Compare versions of libsecp256k1 and OpenSSL through the years",
		Long: `Loads one shared library after another, libsecp256k1 or OpenSSL's libcrypto of
any version, and times the same work in each and in this library.

"build" compiles the versions of a catalogue into the user's cache, "run" times
them and those that the system has.`,
		Args: cobra.NoArgs,
	}
	cmd.AddCommand(newBuild(), newRun(), newChild())
	return cmd
}

const childName = "child"

// newChild is what run starts for each library and round.
func newChild() *cobra.Command {
	return &cobra.Command{
		Use: childName, Hidden: true, Args: cobra.NoArgs, SilenceUsage: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return turns.Child(cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
}

// childCommand is how to start newChild beside cmd.
func childCommand(cmd *cobra.Command) ([]string, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	names := strings.Fields(cmd.Parent().CommandPath())
	return append(append([]string{program}, names[1:]...), childName), nil
}
