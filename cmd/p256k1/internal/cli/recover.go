package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"p256k1.mleku.dev/v2/ecdsa"
)

func newRecover(s Streams) *cobra.Command {
	var digest digestFlags
	var sig, form string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "recover",
		Short: "Recover the public key from a recoverable signature",
		Long: `Recover computes the signer's public key from a recoverable ECDSA signature of a
digest, or of the SHA-256 of a file, and prints it. For any digest, about
half of all signatures lead to some key, so check that the key is the expected
one.

Exit status: 1 if no key can be recovered.`,
		Example: "  p256k1 recover --file contract.pdf \\\n    --sig $(p256k1 sign --recoverable --key my.key --file contract.pdf)",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			encoded, err := parseHex("sig", sig, 65)
			if err != nil {
				return usageError(cmd, err)
			}
			parsed, err := parseRecoverable(form, encoded)
			if err != nil {
				return usageError(cmd, err)
			}
			hash, err := digest.read(cmd.Context(), s)
			if err != nil {
				return err
			}
			pub, err := ecdsa.Recover(hash, parsed)
			if err != nil {
				complain(s.Err, err)
				return errBad
			}
			return publicForms(pub).print(s.Out, asJSON)
		},
	}
	digest.add(cmd)
	cmd.PreRunE = digest.check
	flags := cmd.Flags()
	flags.StringVar(&sig, "sig", "", "the signature, 65 bytes in `HEX`")
	flags.StringVar(&form, "form", "rsv", "form of the signature: rsv for r‖s‖v with v from 0 to 3, or from 27 to 30 as in Ethereum's wallets; bitcoin for a header byte before r‖s")
	flags.BoolVar(&asJSON, "json", false, "print JSON")
	cmd.MarkFlagRequired("sig")
	return cmd
}

func parseRecoverable(form string, b []byte) (sig ecdsa.RecoverableSignature, err error) {
	switch form {
	case "rsv":
		if 27 <= b[64] && b[64] <= 30 {
			b[64] -= 27
		}
		sig, err = ecdsa.ParseRecoverable(b)
	case "bitcoin":
		sig, _, err = ecdsa.ParseRecoverableBitcoin(b)
	default:
		return sig, fmt.Errorf(`--form is %q, want "rsv" or "bitcoin"`, form)
	}
	if err != nil {
		err = fmt.Errorf("--sig: %w", err)
	}
	return sig, err
}
