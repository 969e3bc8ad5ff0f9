package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"p256k1.mleku.dev/cmd/p256k1/internal/bulk"
	"p256k1.mleku.dev/cmd/p256k1/internal/progress"
	"p256k1.mleku.dev/cmd/p256k1/internal/report"
)

const verifyHelp = `Verify checks every line of the files, or of standard input if there are none or
the name is "-". Lines are JSON objects of any of these shapes, which it tells
apart by their fields; other fields are ignored:

  {"id":…,"pubkey":…,"created_at":…,"kind":…,"tags":…,"content":…,"sig":…}
      a Nostr event (NIP-01): the id must be the SHA-256 of the event, and sig a
      BIP-340 signature of the id by pubkey
  {"t":"ecdsa","pub":…,"h":…,"sig":…}
      pub of 33 or 65 bytes, digest h of 32, sig in strict DER or 64 bytes r‖s
  {"t":"schnorr","pub":…,"h":…,"sig":…}
      BIP-340: pub of 32 bytes, message h of any length, sig of 64
  {"internal":…,"tweak":…,"output":…,"parity":…}
      BIP-341: whether output is internal + tweak·G, and its y odd if parity is 1

Bytes are lower-case hexadecimal digits. Empty lines are skipped. A line is bad if
it has one of the shapes, but bytes in it are malformed or what it says is not
true; it is unreadable if it is not JSON, not UTF-8, has a name twice, or has none
of the shapes. Each such line is named with its file, number and reason, then come
the counts. Files may have any size: they are not held in memory.

Exit status: 0 if everything is good, 1 if a line is bad or unreadable, 2 if a
file cannot be read or the usage is wrong, 130 after Ctrl-C, with the counts so
far.

With --json, output is for machines. ` + report.JSONHelp

func newVerify(s Streams) *cobra.Command {
	var asJSON bool
	options := bulk.Options{Workers: runtime.GOMAXPROCS(0), MaxLine: 16 << 20}
	cmd := &cobra.Command{
		Use:   "verify [FILE…]",
		Short: "Verify signatures, one a line, on all cores",
		Long:  verifyHelp,
		Example: `  p256k1 verify events.jsonl
  zcat dump.jsonl.gz | p256k1 verify --json | jq .reason`,
	}
	flags := cmd.Flags()
	flags.BoolVar(&asJSON, "json", false, "write JSON")
	flags.BoolVar(&options.LowS, "low-s", false, "refuse ECDSA signatures with s above (n-1)/2")
	flags.Var((*size)(&options.MaxLine), "max-line", "the longest line to read, in bytes or with K, M or G")
	flags.IntVarP(&options.Workers, "jobs", "j", options.Workers, "how many lines to verify at the same time")
	cmd.RunE = func(cmd *cobra.Command, names []string) error {
		if options.Workers < 1 {
			return usageError(cmd, fmt.Errorf("--jobs is %d, want at least 1", options.Workers))
		}
		return verify(cmd.Context(), s, names, options, asJSON)
	}
	return cmd
}

func verify(ctx context.Context, s Streams, names []string, options bulk.Options, asJSON bool) error {
	if len(names) == 0 {
		names = []string{"-"}
	}
	var bar *progress.Bar
	if progress.Wanted(s.Err, s.Out) {
		if progress.IsTerminal(s.In) && usesStdin(names) {
			fmt.Fprintln(s.Err, "p256k1: reading lines from the terminal")
		} else {
			bar = progress.Start(s.Err, totalSize(s.In, names), "lines")
		}
	}
	out := bar.Over(s.Out)
	newWriter := func(w io.Writer) report.Writer {
		if asJSON {
			return report.NewJSON(w)
		}
		return report.NewText(w)
	}
	o := &observer{Writer: newWriter(out), errs: bar.Over(s.Err), bar: bar}

	start := time.Now()
	counts, err := bulk.Verify(ctx, inputs(s.In, names), options, o)
	elapsed := time.Since(start)
	bar.Stop()
	interrupted := ctx.Err() != nil && errors.Is(err, ctx.Err())
	if err != nil && !interrupted {
		return err
	}
	if err := newWriter(s.Out).Summary(&report.Summary{
		Counts: counts, Elapsed: elapsed, Workers: options.Workers, Interrupted: interrupted,
	}); err != nil {
		return err
	}
	switch {
	case interrupted:
		return err
	case counts.Failed > 0:
		return errReported
	case counts.Signatures.Bad+counts.Tweaks.Bad+counts.Unreadable > 0:
		return errBad
	}
	return nil
}

// observer passes on what is found.
type observer struct {
	report.Writer
	errs io.Writer
	bar  *progress.Bar
}

// Failure implements bulk.Observer.
func (o *observer) Failure(file string, err error) error {
	message := err.Error()
	var path *os.PathError
	if !errors.As(err, &path) { // which says the name itself
		message = file + ": " + message
	}
	fmt.Fprintln(o.errs, "p256k1: "+message)
	return o.Writer.Failure(file, err)
}

// Progress implements bulk.Observer.
func (o *observer) Progress(bytes int64, c *bulk.Counts) {
	lines := c.Signatures.Good + c.Signatures.Bad + c.Tweaks.Good + c.Tweaks.Bad + c.Unreadable
	o.bar.Advance(bytes, lines)
}

// inputs returns the files with these names.
func inputs(stdin io.Reader, names []string) []bulk.Input {
	in := make([]bulk.Input, len(names))
	for i, name := range names {
		in[i] = bulk.Input{Name: name, Open: func() (io.ReadCloser, error) {
			if name == "-" {
				return io.NopCloser(stdin), nil
			}
			return os.Open(name)
		}}
	}
	return in
}

func usesStdin(names []string) bool {
	for _, name := range names {
		if name == "-" {
			return true
		}
	}
	return false
}

// totalSize returns how many bytes there are to read, or 0 if that is not known.
func totalSize(stdin io.Reader, names []string) int64 {
	var total int64
	for _, name := range names {
		var info os.FileInfo
		var err error
		if name != "-" {
			info, err = os.Stat(name)
		} else if f, ok := stdin.(*os.File); ok {
			info, err = f.Stat()
		}
		switch {
		case err != nil, info != nil && info.IsDir(): // nothing will be read
		case info == nil || !info.Mode().IsRegular():
			return 0
		default:
			total += info.Size()
		}
	}
	return total
}
