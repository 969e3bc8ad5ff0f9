package wire

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

// decodesAlike compares the result of decodeHex with encoding/hex, which also accepts upper-case digits.
func decodesAlike(t testing.TB, text string) {
	t.Helper()
	want, err := hex.DecodeString(text)
	good := err == nil && strings.ToLower(text) == text
	got := make([]byte, len(text)/2)
	err = decodeHex(got, "x", []byte(text))
	if (err == nil) != good || (good && !bytes.Equal(got, want)) {
		t.Fatalf("%q: %x, %v, want %x, %v", text, got, err, want, good)
	}
}

// TestHex tries every byte at every position among digits.
func TestHex(t *testing.T) {
	for c := range 256 {
		for _, others := range []string{"00000000", "99999999", "aaaaaaaa", "ffffffff", "0123456789abcdef0123", "09af"} {
			for place := range len(others) {
				text := []byte(others)
				text[place] = byte(c)
				decodesAlike(t, string(text))
			}
		}
	}
	err := decodeHex(make([]byte, 9), "x", []byte("0123456789abcdeG89"))
	if fmt.Sprint(err) != `x has "G" at 16, want a hexadecimal digit` {
		t.Error(err)
	}
}

func FuzzHex(f *testing.F) {
	for _, text := range []string{"", "0", "00", "0123456789abcdef", "0123456789abcdeF", "0123456789Abcdef", "/0:9`agf@", "\xb0\xe10000000000\x10\x7f", "0123456789"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { decodesAlike(t, text) })
}
