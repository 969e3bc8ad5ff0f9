package cli

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"p256k1.mleku.dev/cmd/p256k1/internal/decimal"
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

// parseHex returns the bytes that a flag holds, which must be so many.
func parseHex(flag, text string, size int) ([]byte, error) {
	b, err := hex.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", flag, err)
	}
	if len(b) != size {
		return nil, fmt.Errorf("--%s has %s, want %d", flag, decimal.Count(int64(len(b)), "byte"), size)
	}
	return b, nil
}
