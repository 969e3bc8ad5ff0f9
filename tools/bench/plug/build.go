package plug

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"p256k1.mleku.dev/v2/tools/bench/plug/catalogue"
)

func newBuild() *cobra.Command {
	var only []string
	var list bool
	cmd := &cobra.Command{
		Use:   "build",
		Short: "Build the versions of the catalogue",
		Long: `Builds shared libraries of the versions in the catalogue into the user's cache.
It needs cargo, which fetches the crates that carry the source, and a C compiler
($CC, or cc); for OpenSSL also perl and make. A crate is used only if its archive
has the SHA-256 that the catalogue says.

What is built already is left alone, so an interrupted build is resumed by
running it again. libsecp256k1 takes seconds a version, OpenSSL some minutes.
build.json beside each library says with which settings it was compiled.`,
		Example: `  go run ./tools/bench plug build --only 'secp256k1*'
  go run ./tools/bench plug build --only 'openssl 3.*' --only '*0.8.0'`,
		Args:         cobra.NoArgs,
		SilenceUsage: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			entries, err := catalogue.Select(catalogue.Entries(), func(e catalogue.Entry) string { return e.Label }, only)
			if err != nil {
				return err
			}
			if list {
				return printCatalogue(cmd.OutOrStdout(), entries)
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer stop()
			return build(ctx, cmd.OutOrStdout(), cmd.ErrOrStderr(), entries)
		},
	}
	cmd.Flags().StringArrayVar(&only, "only", nil, "only versions whose label this glob matches; may be repeated")
	cmd.Flags().BoolVar(&list, "list", false, "print the catalogue and what is built of it, build nothing")
	return cmd
}

// build goes on after a failure and reports all of them in the end.
func build(ctx context.Context, out, log io.Writer, entries []catalogue.Entry) error {
	var failed []string
	for i, e := range entries {
		prefix := fmt.Sprintf("[%d/%d] %s", i+1, len(entries), e.Label)
		start := time.Now()
		before, cachedErr := e.Release.Cached()
		b, err := e.Release.Ensure(ctx, &prefixer{log, prefix + ": "})
		switch {
		case ctx.Err() != nil:
			fmt.Fprintln(log, "interrupted; run it again to resume")
			return ctx.Err()
		case err != nil:
			fmt.Fprintf(log, "%s: FAILED: %v\n", prefix, err)
			failed = append(failed, e.Label)
		case cachedErr == nil && before.SHA256 == b.SHA256:
			fmt.Fprintf(out, "%s: there already, %s\n", prefix, b.Library)
		default:
			fmt.Fprintf(out, "%s: built in %v, %s\n", prefix, time.Since(start).Round(time.Second), b.Library)
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d failed: %s", len(failed), len(entries), strings.Join(failed, ", "))
	}
	return nil
}

// A prefixer puts a prefix before what is written to it, which is whole lines.
type prefixer struct {
	w      io.Writer
	prefix string
}

func (p *prefixer) Write(b []byte) (int, error) {
	if _, err := fmt.Fprintf(p.w, "%s%s", p.prefix, b); err != nil {
		return 0, err
	}
	return len(b), nil
}

func printCatalogue(w io.Writer, entries []catalogue.Entry) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "label\tdate\tBitcoin Core\tcrate\tbuilt")
	for _, e := range entries {
		built := "no"
		if b, err := e.Release.Cached(); err == nil {
			built = filepath.Base(filepath.Dir(b.Library))
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s %s\t%s\n", e.Label, e.Date.Format(time.DateOnly), e.BitcoinCore,
			e.Release.Crate, e.Release.Release, built)
	}
	return t.Flush()
}
