package keyformat

import (
	"bytes"
	"encoding/base64"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

func TestBase64(t *testing.T) {
	r := oracle.New(t)
	for _, c := range []struct {
		alphabet
		want *base64.Encoding
	}{
		{base64std, base64.RawStdEncoding.Strict()}, {base64url, base64.RawURLEncoding.Strict()},
	} {
		// Three bytes are encoded of which one has every value. Four characters are decoded of which one has every
		// value, so that every digit is read at each place.
		for place := range 4 {
			for v := range 256 {
				b := make([]byte, 3)
				b[place%3] = byte(v)
				if got := string(c.appendBase64(nil, b)); got != c.want.EncodeToString(b) {
					t.Errorf("%x: %q", b, got)
				}
				text := []byte("AAAA")
				text[place] = byte(v)
				checkBytes(t, c.alphabet, c.want, text)
				checkBytes(t, c.alphabet, c.want, text[:place+1]) // the last digit may have bits that belong to no byte
			}
		}
		for n := range 100 {
			b := r.Bytes(n)
			text := c.appendBase64([]byte("x"), b)
			if want := "x" + c.want.EncodeToString(b); string(text) != want {
				t.Errorf("%x: %q, want %q", b, text, want)
			}
			text = text[1:]
			checkBytes(t, c.alphabet, c.want, text)
			if got, ok := c.appendBytes(bytes.Clone(text)[:0], text); !ok || !bytes.Equal(got, b) {
				t.Errorf("%q: %x", text, got)
			}
			if got, ok := c.appendBytes(text[:0], text); !ok || !bytes.Equal(got, b) { // the output overwrites the input
				t.Errorf("%x in place: %x", b, got)
			}
		}
	}
}

func checkBytes(t *testing.T, a alphabet, e *base64.Encoding, text []byte) {
	t.Helper()
	want, err := e.DecodeString(string(text))
	if bytes.ContainsAny(text, "\r\n") { // the standard library skips these
		want, err = nil, base64.CorruptInputError(0)
	}
	got, ok := a.appendBytes([]byte{1}, text)
	if ok != (err == nil) || (ok && !bytes.Equal(got[1:], want)) {
		t.Errorf("%q: %x, %v, want %x, %v", text, got, ok, want, err)
	}
}
