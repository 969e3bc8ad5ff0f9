package cli

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/decred/dcrd/bech32"

	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/nostr/nip19"
)

// FuzzParseSecret checks that only secret keys in one of the forms are accepted, and that errors do not repeat other
// inputs.
func FuzzParseSecret(f *testing.F) {
	for _, b := range append(oracle.RangeEdges(), oracle.NewSeeded("secret").ScalarBytes()) {
		text := hex.EncodeToString(b[:])
		nsec := string(nip19.AppendEncode(nil, nip19.Secret, &b))
		f.Add([]byte(text))
		f.Add([]byte("0x" + text))
		f.Add([]byte("0X" + text[2:]))
		f.Add([]byte(strings.ToUpper(nsec)))
		f.Add([]byte(" " + strings.ToUpper(text) + "\r\n"))
		f.Add([]byte(text[1:]))
		f.Add([]byte(nsec + "\n"))
		f.Add([]byte(nsec[:60]))
	}
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, text []byte) {
		trimmed := bytes.TrimSpace(text)
		want, err := decodeText("nsec", string(trimmed))
		d := oracle.Int(want)
		ok := err == nil && len(want) == 32 && d.Sign() > 0 && d.Cmp(oracle.N) < 0
		key, err := parseSecret(bytes.Clone(text), "here")
		if (err == nil) != ok || (ok && !bytes.Equal(key.Bytes(), want)) {
			t.Fatalf("%q: %v, want %x, %v", text, err, want, ok)
		}
		if err != nil && len(trimmed) > 20 && strings.Contains(err.Error(), string(trimmed)) {
			t.Fatalf("%q: the error repeats it: %v", text, err)
		}
	})
}

// decodeText returns the bytes that text encodes, in hexadecimal or in bech32 with the given prefix.
func decodeText(prefix, text string) ([]byte, error) {
	if lower := strings.ToLower(text); !strings.HasPrefix(lower, prefix+"1") {
		if strings.HasPrefix(lower, "0x") {
			text = text[2:]
		}
		return hex.DecodeString(text)
	}
	found, b, err := bech32.DecodeToBase256(text)
	if err == nil && (found != prefix || len(b) != 32) {
		err = errors.New("another prefix or length")
	}
	return b, err
}

// FuzzParsePublic checks with the oracle whether parsePublic accepts exactly the texts that are public keys.
func FuzzParsePublic(f *testing.F) {
	for _, p := range append(oracle.EdgePoints()[:20], oracle.G) {
		npub := string(nip19.AppendEncode(nil, nip19.Public, (*[32]byte)(p.Compressed()[1:])))
		f.Add(npub)
		f.Add(strings.ToUpper(npub))
		f.Add("0x" + hex.EncodeToString(p.Compressed()))
		f.Add(hex.EncodeToString(p.Compressed()))
		f.Add(strings.ToUpper(hex.EncodeToString(p.Uncompressed())))
		f.Add(hex.EncodeToString(p.Compressed()[1:]))
	}
	for _, x := range oracle.BadX() {
		f.Add(hex.EncodeToString(x[:]))
	}
	for _, b := range oracle.BadEncodings() {
		f.Add(hex.EncodeToString(b))
	}
	f.Add("npub1")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := decodeText("npub", text)
		var want oracle.Point // infinity for bytes that are not a key
		switch {
		case err != nil:
		case len(b) == 32:
			want, _ = oracle.LiftX(oracle.Int(b))
		default:
			want, _ = oracle.DecodePoint(b)
		}
		pub, xOnly, err := parsePublic(text)
		if (err == nil) == want.IsInfinity() || (pub != nil) != (err == nil && len(b) != 32) || (xOnly != nil) != (err == nil) {
			t.Fatalf("%q: %v, %v, %v, want %x", text, pub, xOnly, err, want)
		}
		if (pub != nil && !bytes.Equal(pub.BytesUncompressed(), want.Uncompressed())) || (xOnly != nil && !bytes.Equal(xOnly.Bytes(), want.Compressed()[1:])) {
			t.Fatalf("%q: %v, %v, want %x", text, pub, xOnly, want)
		}
	})
}
