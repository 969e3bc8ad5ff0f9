package cli

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"
)

// digestFlags are the flags that determine the digest to be signed.
type digestFlags struct {
	digest, file string
}

func (d *digestFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&d.digest, "digest", "", "the hash that is signed, 32 bytes in `HEX`")
	cmd.Flags().StringVar(&d.file, "file", "", "take the SHA-256 of `FILE` as the hash; - is standard input")
}

// check returns an error unless exactly one of the two flags is set. It is the PreRunE of commands that need a digest.
func (d *digestFlags) check(cmd *cobra.Command, _ []string) error {
	switch {
	case d.digest != "" && d.file != "":
		return usageError(cmd, errors.New("both --digest and --file are given, want one of them"))
	case d.digest == "" && d.file == "":
		return usageError(cmd, errors.New("no digest is given, want --digest or --file"))
	}
	return nil
}

// read returns the digest, 32 bytes.
func (d *digestFlags) read(ctx context.Context, s Streams) ([]byte, error) {
	if d.file == "" {
		return parseHex("digest", d.digest, sha256.Size)
	}
	h := sha256.New()
	b := newBar(s)
	if d.file == "-" && isTerminal(s.In) {
		b = nil // somebody types
	}
	err := interruptible(ctx, b, func() error {
		in := s.In
		if d.file != "-" {
			f, err := os.Open(d.file)
			if err != nil {
				return err
			}
			defer f.Close()
			in = f
		}
		if f, ok := in.(*os.File); ok && b != nil {
			size, _ := isFile(f)
			b.total.Store(size)
			in = counted{f, b}
		}
		_, err := io.Copy(h, in)
		return err
	})
	if err != nil {
		return nil, err
	}
	return h.Sum(nil), nil
}
