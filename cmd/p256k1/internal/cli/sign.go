package cli

import (
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/schnorr"
)

// signing holds the arguments of the command sign.
type signing struct {
	scheme      string
	encoding    string
	recoverable bool
	json        bool
	key         string
	digest      digestFlags
}

func newSign(s Streams) *cobra.Command {
	var o signing
	cmd := &cobra.Command{
		Use:   "sign",
		Short: "Sign a digest or a file",
		Long: `Sign signs a 32-byte digest, or the SHA-256 of a file, and prints the signature
in hex. With --scheme ecdsa the nonce follows RFC 6979 and s is low. With
schnorr the signature follows BIP-340, with the digest as the message and fresh
auxiliary randomness.`,
		Example: `  p256k1 sign --key my.key --file contract.pdf
  p256k1 sign --key my.key --file contract.pdf --json | p256k1 verify
  p256k1 verify --file contract.pdf --pub 02… --sig 30…`,
		Args: noArguments,
	}
	flags := cmd.Flags()
	flags.StringVar(&o.scheme, "scheme", "ecdsa", "ecdsa or schnorr")
	flags.StringVar(&o.encoding, "encoding", "der", "encoding of an ECDSA signature: der, or compact for r‖s")
	flags.BoolVar(&o.recoverable, "recoverable", false, "sign with ECDSA so that the public key can be recovered: r‖s‖v, 65 bytes")
	flags.BoolVar(&o.json, "json", false, `print a row that "p256k1 verify" reads`)
	o.digest.add(cmd)
	cmd.PreRunE = o.digest.check
	keyFlag(cmd, &o.key)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := o.check(cmd); err != nil {
			return usageError(cmd, err)
		}
		return o.run(cmd, s)
	}
	return cmd
}

// check returns an error if flags contradict each other.
func (o *signing) check(cmd *cobra.Command) error {
	encoding := cmd.Flags().Changed("encoding")
	switch {
	case o.scheme != "ecdsa" && o.scheme != "schnorr":
		return fmt.Errorf(`--scheme is %q, want "ecdsa" or "schnorr"`, o.scheme)
	case o.encoding != "der" && o.encoding != "compact":
		return fmt.Errorf(`--encoding is %q, want "der" or "compact"`, o.encoding)
	case o.scheme == "schnorr" && o.recoverable:
		return errors.New("--recoverable is for ECDSA: no key can be recovered from a BIP-340 signature")
	case o.scheme == "schnorr" && encoding:
		return errors.New("--encoding is for ECDSA: BIP-340 has one encoding")
	case o.recoverable && encoding:
		return errors.New("--encoding is not for recoverable signatures, which have only one encoding")
	case o.key == "-" && o.digest.file == "-":
		return errors.New("the key and the file cannot both come from standard input; give --key a file")
	}
	return nil
}

// signedRow is a row in the form that verify reads. verify ignores the field Recoverable.
type signedRow struct {
	T           string `json:"t"`
	Pub         string `json:"pub"`
	H           string `json:"h"`
	Sig         string `json:"sig"`
	Recoverable string `json:"recoverable,omitempty"`
}

func (o *signing) run(cmd *cobra.Command, s Streams) error {
	digest, err := o.digest.read(cmd.Context(), s)
	if err != nil {
		return err
	}
	priv, err := readSecret(cmd.Context(), s, o.key)
	if err != nil {
		return err
	}
	defer priv.Zero()
	sig, recoverable, err := o.sign(priv, digest)
	if err != nil {
		return err
	}
	if !o.json {
		if o.recoverable {
			return printHex(s.Out, recoverable)
		}
		return printHex(s.Out, sig)
	}
	pub := priv.PublicKey().Bytes()
	if o.scheme == "schnorr" {
		pub = pub[1:]
	}
	return printJSON(s.Out, signedRow{
		T: o.scheme, Pub: hex.EncodeToString(pub), H: hex.EncodeToString(digest),
		Sig: hex.EncodeToString(sig), Recoverable: hex.EncodeToString(recoverable),
	})
}

// sign returns the signature and, with --recoverable, also the recoverable signature.
func (o *signing) sign(priv *p256k1.PrivateKey, digest []byte) (sig, recoverable []byte, err error) {
	if o.scheme == "schnorr" {
		sig, err := schnorr.Sign(priv, digest, nil)
		return sig[:], nil, err
	}
	r, err := ecdsa.SignRecoverable(priv, digest, nil)
	if err != nil {
		return nil, nil, err
	}
	if o.recoverable {
		recoverable = r.Bytes()
	}
	if o.encoding == "compact" {
		return r.Signature().Bytes(), recoverable, nil
	}
	return r.Signature().DER(), recoverable, nil
}

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
