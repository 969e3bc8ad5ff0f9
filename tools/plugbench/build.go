package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

func newBuild() *cobra.Command {
	var only []string
	cmd := &cobra.Command{
		Use:   "build",
		Short: "Build the versions of the catalogue",
		Long: `Builds shared libraries of the versions in the catalogue into the user's cache.
It needs cargo, which fetches the crates that carry the source, and a C compiler
($CC, or cc); for OpenSSL also perl and make. A crate is used only if its archive
has the SHA-256 that the catalogue says.

Existing builds are kept, so running the command again resumes an interrupted
build. A version of libsecp256k1 takes seconds, one of OpenSSL some minutes.
build.json next to each library has the settings of its build.`,
		Example: `  go run ./tools/plugbench build --only 'secp256k1*'
  go run ./tools/plugbench build --only 'openssl 3.*' --only '*0.8.0'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			defer must.Recover(&err)
			return build(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), choose(entries(), only))
		},
	}
	cmd.Flags().StringArrayVar(&only, "only", nil, "only versions whose label this glob matches; may be repeated")
	return cmd
}

// build continues after a failure, and reports all failures at the end.
func build(ctx context.Context, out, log io.Writer, chosen []entry) error {
	var failed []string
	for i, e := range chosen {
		fmt.Fprintf(log, "[%d/%d] %s\n", i+1, len(chosen), e.label)
		b, err := e.release.Ensure(ctx, log)
		switch {
		case ctx.Err() != nil:
			fmt.Fprintln(log, "interrupted; run it again to resume")
			return ctx.Err()
		case err != nil:
			fmt.Fprintf(log, "FAILED: %v\n", err)
			failed = append(failed, e.label)
		default:
			fmt.Fprintf(out, "%s: %s\n", e.label, b.Library)
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d failed: %s", len(failed), len(chosen), strings.Join(failed, ", "))
	}
	return nil
}
