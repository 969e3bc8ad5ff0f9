package cli

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/check"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/report"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/show"
)

// claim is the signature that the flags of verify describe.
type claim struct {
	digestFlags
	pub, sig, scheme string
}

func (c *claim) add(cmd *cobra.Command) {
	c.digestFlags.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&c.pub, "pub", "", "public key of --sig: 33 or 65 bytes in `HEX`; for schnorr also 32 bytes or an npub")
	flags.StringVar(&c.sig, "sig", "", "verify this one signature of --file or --digest: `HEX` as sign prints it")
	flags.StringVar(&c.scheme, "scheme", "ecdsa", "scheme of --sig: ecdsa or schnorr")
}

// verify makes a row from the flags, and judges the row as if it had been read from a file.
func (c *claim) verify(cmd *cobra.Command, s Streams, lowS, asJSON bool) error {
	if err := c.check(cmd, nil); err != nil {
		return err
	}
	row, err := c.row()
	if err != nil {
		return usageError(cmd, err)
	}
	digest, err := c.read(cmd.Context(), s)
	if err != nil {
		return err
	}
	row.H = hex.EncodeToString(digest)
	line, err := json.Marshal(row)
	if err != nil {
		return err
	}
	of := row.H
	if c.file != "" {
		of = show.Name(c.file)
	}
	checker := check.Checker{LowS: lowS}
	r := checker.Line(line)
	if asJSON {
		if err := report.NewJSON(s.Out).Signature(c.file, row.Pub, row.H, r); err != nil {
			return err
		}
	} else if r.Verdict == check.Good {
		_, err = fmt.Fprintf(s.Out, "good %s signature of %s by %s\n", row.T, of, row.Pub)
		return err
	} else {
		fmt.Fprintf(s.Out, "bad %s signature of %s: %s\n", row.T, of, show.Text(r.Reason))
	}
	if r.Verdict != check.Good {
		return errBad
	}
	return nil
}

// row returns the row that the flags describe, without its digest.
func (c *claim) row() (row signedRow, err error) {
	row = signedRow{T: c.scheme, Sig: c.sig}
	pub, xOnly, err := parsePublic(c.pub)
	switch {
	case c.pub == "" || c.sig == "":
		return row, errors.New("--pub and --sig must be given together, with --file or --digest; files of lines are arguments")
	case err != nil:
		return row, fmt.Errorf("--pub: %w", err)
	case c.scheme == "schnorr":
		row.Pub = hex.EncodeToString(xOnly.Bytes())
		return row, nil
	case c.scheme != "ecdsa":
		return row, fmt.Errorf(`--scheme is %q, want "ecdsa" or "schnorr"`, c.scheme)
	case pub == nil:
		return row, errors.New("--scheme ecdsa needs the y coordinate: --pub must have 33 or 65 bytes")
	}
	row.Pub = hex.EncodeToString(pub.Bytes())
	if b, _ := decodeHex(c.sig); len(b) == 65 {
		row.T = "recoverable"
	}
	return row, nil
}
