package cli

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"p256k1.mleku.dev"
	"p256k1.mleku.dev/cmd/p256k1/internal/nip19"
	"p256k1.mleku.dev/cmd/p256k1/internal/progress"
)

// keyFlag adds the flag that says where the secret key is. The key itself is
// never an argument, because everybody on the machine can see those.
func keyFlag(cmd *cobra.Command, path *string) {
	cmd.Flags().StringVarP(path, "key", "k", "-", "read the secret key, in hex or as an nsec, from `FILE`; - is standard input")
}

// maxSecret is how much is read where a secret key should be.
const maxSecret = 1 << 10

// readSecret reads a secret key from a file or, if path is "-", from standard
// input. Its errors tell nothing of what it read.
func readSecret(ctx context.Context, s Streams, path string) (*p256k1.PrivateKey, error) {
	var text []byte
	err := interruptible(ctx, func() (err error) {
		text, err = readSecretText(ctx, s, path)
		return err
	})
	if err != nil {
		return nil, err
	}
	defer clear(text)
	key, err := parseSecret(text)
	if err != nil {
		return nil, fmt.Errorf("the secret key: %w", err)
	}
	return key, nil
}

func readSecretText(ctx context.Context, s Streams, path string) ([]byte, error) {
	in := s.In
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	} else if progress.IsTerminal(s.In) {
		return readHidden(ctx, s.In.(*os.File), s.Err)
	}
	// Of a size that io.ReadAll would leave copies behind to reach.
	text := make([]byte, maxSecret)
	n, err := io.ReadFull(in, text)
	switch {
	case err == nil:
		clear(text)
		return nil, fmt.Errorf("the secret key: more than %d bytes, want 64 hexadecimal digits or an nsec", maxSecret-1)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return text[:n], nil
	}
	return nil, err
}

// readHidden reads a line from a terminal that does not show it.
func readHidden(ctx context.Context, terminal *os.File, prompt io.Writer) ([]byte, error) {
	fd := int(terminal.Fd())
	state, err := term.GetState(fd)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { term.Restore(fd, state) })
	defer stop()
	fmt.Fprint(prompt, "Secret key, in hex or as an nsec (not shown): ")
	text, err := term.ReadPassword(fd)
	fmt.Fprintln(prompt)
	return text, err
}

// parseSecret returns the private key that is written in text.
func parseSecret(text []byte) (*p256k1.PrivateKey, error) {
	text = bytes.TrimSpace(text)
	var secret []byte
	if bytes.HasPrefix(text, []byte(nip19.Secret+"1")) {
		var err error
		secret, err = nip19.Decode(nip19.Secret, string(text))
		if err != nil {
			return nil, err
		}
	} else {
		if len(text) != 64 {
			return nil, fmt.Errorf("%d characters, want 64 hexadecimal digits or an nsec", len(text))
		}
		secret = make([]byte, 32)
		if _, err := hex.Decode(secret, text); err != nil {
			return nil, errors.New("a character is not a hexadecimal digit")
		}
	}
	defer clear(secret)
	return p256k1.NewPrivateKey(secret)
}

// interruptible returns what f returns, or the error of ctx if that is done
// before.
func interruptible(ctx context.Context, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
