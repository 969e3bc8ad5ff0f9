package cli

import (
	"github.com/spf13/cobra"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/replace"
)

func newReplace(s Streams) *cobra.Command {
	var o replace.Options
	var write bool
	cmd := &cobra.Command{
		Use:   "replace [DIR]",
		Short: "Use this library in place of Decred's, btcec's or Erigon's",
		Long: `Replace reads the go.mod of the Go program in DIR, or in the current folder. If
the folder has a go.work, it reads the go.work and the modules that the go.work
uses, unless GOWORK says otherwise. It refuses a folder that a go.work in
another folder uses.
It prints the lines that put this library in the place of these modules:
  github.com/decred/dcrd/dcrec/secp256k1/v4
  github.com/btcsuite/btcd/btcec/v2
  github.com/erigontech/secp256k1
It says which versions the program requires, what changes, and how to undo it.
The program's code stays as it is. The lines point to the release that this
command belongs to, or with --local to a clone.

With -w it also writes the lines, at the end of the file, and changes nothing
else there. A second run finds the lines and writes nothing. If other lines
replace btcec's or Erigon's module, or the go.work uses it, it stays as it is,
and only the other modules get lines: Decred's alone makes btcec faster, too. If
other lines replace Decred's module, replace names those lines and writes
nothing.

It asks the go command for its settings and, for a go.mod of Go 1.16 or earlier,
for the required modules. It needs no network.

Exit status: 0 if the lines are printed, written or already in a file; 1 if the
program requires nothing that can be replaced; 2 if something is wrong.`,
		Example: `  p256k1 replace --local ../p256k1
  p256k1 replace -w`,
		Args: atMostOne("folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := append(args, ".")[0] // the argument, or else the current folder
			if v := versionOf(buildInfo()); isRelease(v) {
				o.Release = v
			}
			plan, err := replace.Look(cmd.Context(), dir, o)
			if err != nil {
				return err
			}
			if write {
				if err := plan.Write(); err != nil {
					return err
				}
			}
			if err := plan.Report(s.Out, write); err != nil {
				return err
			}
			if !plan.Needed() {
				return errBad
			}
			return nil
		},
	}
	cmd.Flags().BoolVarP(&write, "write", "w", false, "write the lines into go.mod or go.work")
	cmd.Flags().BoolVar(&o.Decred, "decred", false, "replace Decred's module alone")
	cmd.Flags().StringVar(&o.Local, "local", "", "point to the clone of this library in `DIR`, not to a release")
	return cmd
}

// isRelease reports whether version is a tagged version. The other modules of such a commit have tags, too.
func isRelease(version string) bool {
	return semver.IsValid(version) && semver.Build(version) == "" && !module.IsPseudoVersion(version)
}
