package cli

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/secrethex"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/show"
	"p256k1.mleku.dev/v2/nostr/nip19"
	"p256k1.mleku.dev/v2/secret"
)

// printJSON writes v on a line of its own.
func printJSON(w io.Writer, v any) error {
	return json.NewEncoder(w).Encode(v)
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
		return nil, fmt.Errorf("--%s has %s, want %d", flag, show.Count(int64(len(b)), "byte"), size)
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
		return nil, fmt.Errorf("%s, an odd number", show.Count(int64(len(digits)), "hexadecimal digit"))
	}
	return hex.DecodeString(digits)
}

// has0x reports whether text begins with 0x or 0X.
func has0x(text string) bool { return strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0X") }

// publicKey holds a public key in all forms that are printed.
type publicKey struct {
	Public       string `json:"public"`
	Uncompressed string `json:"uncompressed"`
	XOnly        string `json:"x_only"`
	Npub         string `json:"npub"`
}

func publicForms(pub *p256k1.PublicKey) publicKey {
	x := [32]byte(pub.XOnly().Bytes())
	return publicKey{
		Public:       hex.EncodeToString(pub.Bytes()),
		Uncompressed: hex.EncodeToString(pub.BytesUncompressed()),
		XOnly:        hex.EncodeToString(x[:]),
		Npub:         string(nip19.AppendEncode(nil, nip19.Public, &x)),
	}
}

// print writes the forms one per line, or as JSON.
func (f publicKey) print(w io.Writer, asJSON bool) error {
	if asJSON {
		return printJSON(w, f)
	}
	_, err := fmt.Fprintf(w, "%-14s%s\n%-14s%s\n%-14s%s\n%-14s%s\n",
		"public", f.Public, "uncompressed", f.Uncompressed, "x-only", f.XOnly, "npub", f.Npub)
	return err
}

// printWithSecret writes the forms of a secret key, followed by the forms of its public key.
func printWithSecret(w io.Writer, priv *p256k1.PrivateKey, asJSON bool) error {
	var public bytes.Buffer
	if err := publicForms(priv.PublicKey()).print(&public, asJSON); err != nil {
		return err
	}
	layout := []string{"secret        ", "\nnsec          ", "\n", public.String()}
	if asJSON {
		layout = []string{`{"secret":"`, `","nsec":"`, `",`, public.String()[1:]} // without the opening brace
	}
	return printSecret(w, func(text []byte) ([]byte, error) {
		key := priv.Bytes()
		defer clear(key)
		text = secrethex.AppendEncode(append(text, layout[0]...), key)
		text = nip19.AppendEncode(append(text, layout[1]...), nip19.Secret, (*[32]byte)(key))
		return append(append(text, layout[2]...), layout[3]...), nil
	})
}

// parsePublic parses a public key: 33, 65 or 32 bytes in hexadecimal, or an npub. For 32 bytes or an npub only the x
// coordinate is known, so pub is nil.
func parsePublic(text string) (pub *p256k1.PublicKey, xOnly *p256k1.XOnlyPublicKey, err error) {
	b, err := publicBytes(text)
	if err != nil {
		return nil, nil, err
	}
	if len(b) == 32 {
		xOnly, err = p256k1.ParseXOnlyPublicKey(b)
		return nil, xOnly, err
	}
	pub, err = p256k1.ParsePublicKey(b)
	if err != nil {
		return nil, nil, err
	}
	return pub, pub.XOnly(), nil
}

func publicBytes(text string) ([]byte, error) {
	if nip19.Is(nip19.Public, []byte(text)) {
		var key [32]byte
		err := nip19.Decode(&key, nip19.Public, []byte(text))
		return key[:], err
	}
	if nip19.Is(nip19.Secret, []byte(text)) {
		return nil, errors.New("it is a secret key, and everybody on this machine can now see it")
	}
	b, err := decodeHex(text)
	if err == nil && len(b) != 32 && len(b) != 33 && len(b) != 65 {
		err = fmt.Errorf("%d bytes, want 33 or 65, or 32 for an x coordinate", len(b))
	}
	return b, err
}
