package cli

import (
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/sample"
)

func newSample(s Streams) *cobra.Command {
	var options sample.Options
	var seed string
	cmd := &cobra.Command{
		Use:   "sample",
		Short: "Write a file of signatures to try verify with",
		Long: `Sample writes lines for "p256k1 verify" to standard output, signed with
throw-away keys. A bad line is a good line with one bit changed, or a good event
with its time changed. Bad lines are spread evenly.`,
		Example: `  p256k1 sample > sample.jsonl && p256k1 verify sample.jsonl
  p256k1 sample -n 1000 --bad 3 --kind nostr | p256k1 verify`,
		Args: noArguments,
	}
	flags := cmd.Flags()
	flags.Int64VarP(&options.Lines, "lines", "n", 10000, "number of lines")
	flags.Int64Var(&options.Bad, "bad", 0, "number of bad lines among them")
	flags.StringVar((*string)(&options.Kind), "kind", string(sample.Mixed), "contents of the lines: nostr, ecdsa, schnorr, mixed (of these) or recoverable")
	flags.StringVar(&seed, "seed", "", "any text: the same text makes the same lines (default random)")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if options.Lines < 0 {
			return usageError(cmd, fmt.Errorf("-n is %d, want 0 or more", options.Lines))
		}
		if options.Bad < 0 || options.Bad > options.Lines {
			return usageError(cmd, fmt.Errorf("--bad is %d, want 0 to the number of lines, %d", options.Bad, options.Lines))
		}
		if !slices.Contains(sample.Kinds, options.Kind) {
			return usageError(cmd, fmt.Errorf("--kind is %q, want one of %q", options.Kind, sample.Kinds))
		}
		options.Seed = sha256.Sum256([]byte(seed))
		if !cmd.Flags().Changed("seed") {
			rand.Read(options.Seed[:]) // never fails
		}
		if b := newBar(s); b != nil && !isTerminal(s.Out) { // the lines must not hide the bar
			b.total.Store(options.Lines)
			options.Progress = func(n int64) {
				b.done.Store(n)
				b.show(n, "line")
			}
			defer b.clear()
		}
		return sample.Write(cmd.Context(), s.Out, options)
	}
	return cmd
}
