package cli

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/decimal"
	"p256k1.mleku.dev/v2/secret"
)

// printJSON writes v on a line of its own.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// printHex writes b on a line of its own.
func printHex(w io.Writer, b []byte) error {
	_, err := io.WriteString(w, hex.EncodeToString(b)+"\n")
	return err
}

// maxPrinted is the largest length of a text that printSecret writes.
const maxPrinted = 1 << 10

// printSecret writes the bytes that add appends to its argument, in one call of Write, and then wipes them. If add
// fails, nothing is written.
func printSecret(w io.Writer, add func(text []byte) ([]byte, error)) error {
	text := secret.Make[byte](maxPrinted)[:0]
	defer func() { clear(text[:maxPrinted]) }()
	var err error
	secret.Do(func() { text, err = add(text) })
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// parseHex parses the value of a flag, which must have the given number of bytes.
func parseHex(flag, text string, size int) ([]byte, error) {
	b, err := decodeHex(text)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", flag, err)
	}
	if len(b) != size {
		return nil, fmt.Errorf("--%s has %s, want %d", flag, decimal.Count(int64(len(b)), "byte"), size)
	}
	return b, nil
}

// decodeHex parses hexadecimal digits in either case, which may begin with 0x.
func decodeHex(text string) ([]byte, error) {
	digits := text
	if has0x(text) {
		digits = text[2:]
	}
	for i, r := range digits {
		if !strings.ContainsRune("0123456789abcdefABCDEF", r) {
			return nil, fmt.Errorf("%q at position %d is not a hexadecimal digit", r, len(text)-len(digits)+i+1)
		}
	}
	if len(digits)%2 != 0 {
		return nil, fmt.Errorf("%s, an odd number", decimal.Count(int64(len(digits)), "hexadecimal digit"))
	}
	return hex.DecodeString(digits)
}

// has0x reports whether text begins with 0x or 0X.
func has0x(text string) bool { return strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0X") }
