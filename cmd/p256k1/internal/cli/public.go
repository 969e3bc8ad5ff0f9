package cli

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"p256k1.mleku.dev"
	"p256k1.mleku.dev/cmd/p256k1/internal/nip19"
)

// keyForms are the ways to write a key, those of the secret only if wanted.
type keyForms struct {
	Secret       string `json:"secret,omitempty"`
	Nsec         string `json:"nsec,omitempty"`
	Public       string `json:"public"`
	Uncompressed string `json:"uncompressed"`
	XOnly        string `json:"x_only"`
	Npub         string `json:"npub"`
}

func publicForms(pub *p256k1.PublicKey) (f keyForms, err error) {
	x := pub.XOnly().Bytes()
	f.Public = hex.EncodeToString(pub.Bytes())
	f.Uncompressed = hex.EncodeToString(pub.BytesUncompressed())
	f.XOnly = hex.EncodeToString(x)
	f.Npub, err = nip19.Encode(nip19.Public, x)
	return f, err
}

func secretForms(priv *p256k1.PrivateKey) (keyForms, error) {
	f, err := publicForms(priv.PublicKey())
	if err != nil {
		return f, err
	}
	secret := priv.Bytes()
	defer clear(secret)
	f.Secret = hex.EncodeToString(secret)
	f.Nsec, err = nip19.Encode(nip19.Secret, secret)
	return f, err
}

func (f keyForms) print(w io.Writer, asJSON bool) error {
	if asJSON {
		return printJSON(w, f)
	}
	var b strings.Builder
	for _, line := range []struct{ name, value string }{
		{"secret", f.Secret},
		{"nsec", f.Nsec},
		{"public", f.Public},
		{"uncompressed", f.Uncompressed},
		{"x-only", f.XOnly},
		{"npub", f.Npub},
	} {
		if line.value != "" {
			fmt.Fprintf(&b, "%-14s%s\n", line.name, line.value)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// parsePublic returns the key with this text: the hexadecimal digits of 33 or
// 65 bytes, or of 32 or an npub for a key of which only the x coordinate is
// known, and then pub is nil.
func parsePublic(text string) (pub *p256k1.PublicKey, xOnly *p256k1.XOnlyPublicKey, err error) {
	b, err := publicBytes(text)
	if err != nil {
		return nil, nil, err
	}
	if len(b) == 32 {
		xOnly, err = p256k1.NewXOnlyPublicKey(b)
		return nil, xOnly, err
	}
	pub, err = p256k1.NewPublicKey(b)
	if err != nil {
		return nil, nil, err
	}
	return pub, pub.XOnly(), nil
}

func publicBytes(text string) ([]byte, error) {
	if strings.HasPrefix(text, nip19.Public+"1") {
		return nip19.Decode(nip19.Public, text)
	}
	if strings.HasPrefix(text, nip19.Secret+"1") {
		return nil, errors.New("it is a secret key, which everybody on this machine can see now")
	}
	b, err := hex.DecodeString(text)
	if err == nil && len(b) != 32 && len(b) != 33 && len(b) != 65 {
		err = fmt.Errorf("%d bytes, want 33 or 65, or 32 for an x coordinate", len(b))
	}
	return b, err
}
