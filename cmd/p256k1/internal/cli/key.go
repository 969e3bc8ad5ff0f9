package cli

import (
	"errors"
	"os"

	"github.com/spf13/cobra"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/secrethex"
)

func newKey(s Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "key",
		Short: "Make and show keys",
		Args:  subcommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usageError(cmd, errors.New(`key: want one of its commands, "new" or "show"`))
		},
	}
	cmd.AddCommand(newKeyNew(s), newKeyShow(s))
	return cmd
}

func newKeyNew(s Streams) *cobra.Command {
	var out string
	var asJSON bool
	cmd := &cobra.Command{
		Use:        "new",
		SuggestFor: []string{"gen", "generate", "create"},
		Short:      "Make a secret key and print it with its public key",
		Long: `New makes a secret key from the system's randomness. It prints the secret key,
and the public key in several forms. With --out it prints only the public key,
and writes the secret key to a file that nobody else may read.`,
		Example: "  p256k1 key new --out my.key",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			toFile := cmd.Flags().Changed("out")
			priv, err := p256k1.GenerateKey()
			if err != nil {
				return err
			}
			defer priv.Zero()
			if toFile {
				if err := writeSecret(out, priv); err != nil {
					return err
				}
			}
			return printKey(s, priv, !toFile, asJSON)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "write the secret key to `FILE`, which must not exist yet")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func newKeyShow(s Streams) *cobra.Command {
	var secret, asJSON bool
	var path string
	cmd := &cobra.Command{
		Use:        "show [FILE]",
		SuggestFor: []string{"pub", "public", "pubkey", "derive"},
		Short:      "Print the public key of a secret key",
		Long: `Show reads a secret key, in hex, as an nsec or as PEM, from the file or from
standard input, and prints its public key in several forms. The argument is
never the key itself, because everybody on the machine can see arguments.`,
		Example: "  p256k1 key show my.key",
		Args:    atMostOne("file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && cmd.Flags().Changed("key") {
				return usageError(cmd, errors.New("show takes one file, as an argument or with --key"))
			}
			path = append(args, path)[0] // the argument, or else --key
			priv, err := readSecret(cmd.Context(), s, path)
			if err != nil {
				return err
			}
			defer priv.Zero()
			return printKey(s, priv, secret, asJSON)
		},
	}
	keyFlag(cmd, &path)
	cmd.Flags().BoolVar(&secret, "secret", false, "print the secret key as well")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printKey(s Streams, priv *p256k1.PrivateKey, secret, asJSON bool) error {
	if secret {
		return printWithSecret(s.Out, priv, asJSON)
	}
	return publicForms(priv.PublicKey()).print(s.Out, asJSON)
}

// writeSecret writes the key to a new file.
func writeSecret(path string, priv *p256k1.PrivateKey) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = printSecret(f, func(text []byte) ([]byte, error) {
		key := priv.Bytes()
		defer clear(key)
		return append(secrethex.AppendEncode(text, key), '\n'), nil
	})
	if err := errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(path)) // removes the incomplete file
	}
	return nil
}
