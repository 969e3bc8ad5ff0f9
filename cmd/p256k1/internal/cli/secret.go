package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/secrethex"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/show"
	"p256k1.mleku.dev/v2/keyformat"
	"p256k1.mleku.dev/v2/nostr/nip19"
	"p256k1.mleku.dev/v2/secret"
)

// keyFlag adds the flag that names the file from which the secret key is read. The key itself is never an argument,
// because everybody on the machine can see arguments.
func keyFlag(cmd *cobra.Command, path *string) {
	cmd.Flags().StringVarP(path, "key", "k", "-", "read the secret key, in hex, as an nsec or as PEM, from `FILE`; - is standard input")
}

// maxSecret is the largest number of bytes that are read as a secret key.
const maxSecret = 1 << 10

// readSecret reads a secret key from a file or, if path is "-", from standard input. Errors do not repeat the input.
// Apart from the returned key, which the caller must wipe, no reachable memory contains the key afterwards.
func readSecret(ctx context.Context, s Streams, path string) (*p256k1.PrivateKey, error) {
	in, origin, read := s.In, "from standard input", readFull
	switch {
	case path != "-":
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in, origin = f, "in "+show.Name(path)
	case isTerminal(s.In):
		restore, err := hide(s.In.(*os.File), s.Err)
		if err != nil {
			return nil, err
		}
		defer restore()
		origin, read = "that was typed", readLine
	}
	var found *p256k1.PrivateKey
	err := interruptible(ctx, nil, func() error {
		// The buffer is large enough that it need not grow. io.ReadAll would leave copies behind.
		text := secret.Make[byte](maxSecret)
		defer clear(text)
		n, err := read(in, text)
		switch {
		case err != nil:
			return err
		case n == len(text):
			return fmt.Errorf("the secret key %s: more than %d bytes, want 64 hexadecimal digits, an nsec or PEM", origin, maxSecret-1)
		}
		if found, err = parseSecret(text[:n], origin); err == nil && ctx.Err() != nil {
			found.Zero() // nobody will use the key
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// readFull reads until the end of the input, or until text is full.
func readFull(r io.Reader, text []byte) (n int, err error) {
	n, err = io.ReadFull(r, text)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return n, err
}

// hide prompts for a line on a terminal, and keeps the terminal from showing the typed characters until restore is
// called. It switches the terminal to raw mode, so that readLine has the only copy of the line. term.ReadPassword is
// not used, because it leaves prefixes of the line in memory.
func hide(terminal *os.File, prompt io.Writer) (restore func(), err error) {
	fd := int(terminal.Fd())
	state, err := term.MakeRaw(fd)
	if err != nil {
		return nil, err
	}
	fmt.Fprint(prompt, "Secret key, in hex or as an nsec (not shown): ")
	return func() {
		term.Restore(fd, state)
		fmt.Fprintln(prompt)
	}, nil
}

// These are the bytes that keys of the keyboard send to a program whose terminal is in raw mode.
const (
	keyCtrlC     = 0x03
	keyCtrlD     = 0x04
	keyCtrlH     = 0x08
	keyCtrlU     = 0x15
	keyBackspace = 0x7f
)

// readLine reads a line from a terminal in raw mode into line, and returns its length.
func readLine(terminal io.Reader, line []byte) (n int, err error) {
	for n < len(line) {
		if _, err := io.ReadFull(terminal, line[n:n+1]); err != nil {
			return n, err
		}
		switch line[n] {
		case '\r', '\n', keyCtrlD:
			return n, nil
		case keyCtrlC:
			return n, errInterrupted
		case keyCtrlH, keyBackspace:
			n = max(n-1, 0)
		case keyCtrlU:
			n = 0
		default:
			n++
		}
	}
	return n, nil
}

// parseSecret returns the private key that text encodes. It may overwrite text. Error messages contain origin, which
// says where the text comes from.
func parseSecret(text []byte, origin string) (key *p256k1.PrivateKey, err error) {
	if trimmed := bytes.TrimSpace(text); bytes.Contains(trimmed, []byte("-----BEGIN")) {
		key, err = keyformat.ParsePrivateKeyPEM(trimmed) // wipes the memory that it uses for decoding
	} else {
		secret.Do(func() {
			var b []byte
			if b, err = decodeSecret(trimmed); err == nil {
				key, err = p256k1.ParsePrivateKey(b)
			}
		})
	}
	if err != nil {
		return nil, fmt.Errorf("the secret key %s: %w", origin, err)
	}
	return key, nil
}

// decodeSecret decodes the 32 bytes that text encodes. It decodes in place, so that only text has to be wiped.
func decodeSecret(text []byte) ([]byte, error) {
	if nip19.Is(nip19.Secret, text) {
		key := new([32]byte)
		if len(text) > len(key) { // decodes in place; no shorter text is an nsec
			key = (*[32]byte)(text)
		}
		err := nip19.Decode(key, nip19.Secret, text)
		return key[:], err
	}
	digits := text
	if has0x(string(text[:min(len(text), 2)])) {
		digits = text[2:]
	}
	if len(digits) != 64 {
		return nil, fmt.Errorf("%d characters, want 64 hexadecimal digits, an nsec or PEM", len(text))
	}
	if !secrethex.Decode(text[:32], digits) {
		return nil, errors.New("a character is not a hexadecimal digit")
	}
	return text[:32], nil
}

// interruptible returns the result of f, or the error of ctx if ctx is done first. Meanwhile the bar shows how many
// bytes are done. Only this goroutine draws the bar, so that nothing is drawn after interruptible has returned.
func interruptible(ctx context.Context, b *bar, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	var tick <-chan time.Time
	if b != nil {
		ticker := time.NewTicker(often)
		defer ticker.Stop()
		defer b.clear()
		tick = ticker.C
	}
	for {
		select {
		case err := <-done:
			return err
		case <-ctx.Done():
			return ctx.Err()
		case <-tick:
			b.show(b.done.Load()/1e6, "megabyte")
		}
	}
}
