// Package cli implements the command line: it converts arguments to calls, and results to text and exit statuses.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/show"
)

// These are the exit statuses.
const (
	StatusGood        = 0
	StatusBad         = 1   // a signature or other checked input is invalid
	StatusError       = 2   // wrong usage, or input or output failed
	StatusInterrupted = 130 // the status with which shells report SIGINT
	StatusPipe        = 141 // the status with which shells report SIGPIPE
)

// Streams are the standard streams of a command.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// Run runs the command with the given arguments, which do not include the program's name, and returns the exit status.
// It returns soon after ctx is done.
func Run(ctx context.Context, args []string, s Streams) int {
	root := newRoot(s)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if _, said := errors.AsType[*wrongUsage](err); err != nil && !said && cmd.ValidateRequiredFlags() != nil {
		err = usageError(cmd, missingFlags(cmd)) // cobra's error does not say what a missing flag means
	}
	status := statusOf(ctx, err)
	if status == StatusError && !errors.Is(err, errReported) {
		complain(s.Err, err)
		if usage, ok := errors.AsType[*wrongUsage](err); ok {
			fmt.Fprintf(s.Err, "Run \"%s --help\" for help.\n", usage.command)
		}
	}
	return status
}

func newRoot(s Streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "p256k1",
		Short: "Keys and signatures of secp256k1, and their verification in bulk",
		Long: `p256k1 verifies signatures in bulk, and makes keys, signatures and shared
secrets. Its curve is secp256k1, as in Bitcoin, Nostr, Ethereum and Cosmos.

  p256k1 sample > sample.jsonl && p256k1 verify sample.jsonl

Exit status: 0 if all is well; 1 if a signature or anything else that was
checked is bad; 2 if the usage is wrong or something cannot be read or written;
130 after Ctrl-C. Malformed input gives 1 where it is what verify checks, a line
of a file or the value of --sig. It gives 2 where it is anything else: a key, a
digest, the --sig of recover, a CSV header, compressed data.

Hexadecimal digits may be in upper or lower case and begin with 0x in all input
except Nostr events, for which NIP-01 wants lower case. Output is in lower case.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       versionOf(buildInfo()),
		Args:          subcommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usageError(cmd, flagError(err)) })
	root.SetHelpCommand(newHelp())
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", ".FlagUsagesWrapped 80"))
	root.AddCommand(
		newVerify(s), newSample(s),
		newKey(s), newSign(s), newRecover(s), newECDH(s),
		newReplace(s), newVersion(s),
	)
	return root
}

var (
	// errBad means that a command has found something bad and reported it.
	errBad = errors.New("bad")
	// errReported means that a command has failed and already reported why.
	errReported = errors.New("reported")
	// errInterrupted means that a command has read a Ctrl-C.
	errInterrupted = errors.New("interrupted")
)

func statusOf(ctx context.Context, err error) int {
	switch {
	case err == nil:
		return StatusGood
	case errors.Is(err, errBad):
		return StatusBad
	case ctx.Err() != nil && errors.Is(err, ctx.Err()), errors.Is(err, errInterrupted):
		return StatusInterrupted
	case isPipeError(err):
		return StatusPipe
	}
	return StatusError
}

// isPipeError reports whether a write failed because nobody reads the pipe.
func isPipeError(err error) bool {
	var path *os.PathError
	return errors.Is(err, io.ErrClosedPipe) || (errors.As(err, &path) && path.Op == "write" && isEPIPE(path.Err))
}

// wrongUsage is an error in the usage of a command.
type wrongUsage struct {
	error
	command string
}

func (e *wrongUsage) Unwrap() error { return e.error }

// usageError returns err as a wrongUsage, which makes Run print how to get help for the command.
func usageError(cmd *cobra.Command, err error) error { return &wrongUsage{err, cmd.CommandPath()} }

// flagError returns err, but names what a flag wants if err is about its value: pflag's error names Go functions.
func flagError(err error) error {
	invalid, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return err
	}
	why := "want a whole number"
	switch {
	case invalid.GetFlag().Value.Type() == "bool":
		why = "want true or false"
	case errors.Is(err, strconv.ErrRange):
		why = "value out of range"
	}
	return fmt.Errorf("invalid argument %q for --%s: %s", invalid.GetValue(), invalid.GetFlag().Name, why)
}

// missingFlags returns an error that names the missing required flags and their meanings.
func missingFlags(cmd *cobra.Command) error {
	var missing []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Annotations[cobra.BashCompOneRequiredFlag] != nil && !f.Changed {
			_, values := pflag.UnquoteUsage(f)
			missing = append(missing, fmt.Sprintf("--%s is missing (%s)", f.Name, values))
		}
	})
	return errors.New(strings.Join(missing, ", "))
}

// noArguments refuses arguments, like cobra.NoArgs, but its message does not repeat an argument, which may be a secret.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError(cmd, fmt.Errorf("%s takes no arguments, but was given %d", cmd.Name(), len(args)))
	}
	return nil
}

// atMostOne refuses more than one argument, which is a file, for example.
func atMostOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usageError(cmd, fmt.Errorf("%s takes one %s, and was given %d", cmd.Name(), what, len(args)))
		}
		return nil
	}
}

// subcommand refuses arguments of a command that has only subcommands.
func subcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := fmt.Errorf("%s has no command %q", cmd.Name(), args[0])
	cmd.SuggestionsMinimumDistance = 2 // edits
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		err = fmt.Errorf("%w; did you mean %q?", err, near[0])
	}
	return usageError(cmd, err)
}

// complain writes an error on a line of its own. It redacts text in the error that looks like a secret key, because the
// user may have typed a key in place of a file name or a command.
func complain(w io.Writer, err error) { fmt.Fprintln(w, "p256k1: "+show.Redact(show.Error(err))) }

// newHelp returns the command help, which refuses unknown arguments. It replaces cobra's own help command, which
// accepts any argument and repeats it.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND…]",
		Short: "Print the help of a command",
		Long:  "Help prints the help of a command, for example help verify or help key new.",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, _ := cmd.Root().Find(args) // all commands refuse arguments themselves, so there is no error
			if len(rest) > 0 {
				return subcommand(found, rest)
			}
			found.InitDefaultHelpFlag()
			found.InitDefaultVersionFlag()
			return found.Help()
		},
	}
}
