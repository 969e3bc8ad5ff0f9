package cli

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/secrethex"
	"p256k1.mleku.dev/v2/nostr/nip19"
)

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
