package hextext

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/curve"
)

type formatted []byte

func (b formatted) Format(f fmt.State, verb rune) { Format(f, verb, "T", b) }

// FuzzDecode compares Decode with encoding/hex, which accepts capitals and any even length.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{"", "00", "0x00", "AB", "ab", "a", "0g", "ab ", "\xffab", strings.Repeat("ab", 33)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lengths := []int{0, 1, 33}
		digits := strings.Trim(text, "0123456789abcdef") == ""
		want, _ := hex.DecodeString(text)
		got, err := Decode([]byte("before"), []byte(text), lengths...)
		switch {
		case !digits && errors.Is(err, ErrHex) && len(err.Error()) < 150:
		case (digits && !slices.Contains(lengths, len(text)/2)) || len(text)%2 != 0:
			if !errors.Is(err, curve.ErrLength) {
				t.Fatalf("%q: error %v", text, err)
			}
		case err != nil || !bytes.Equal(got, append([]byte("before"), want...)):
			t.Fatalf("%q: %x, error %v", text, got, err)
		case len(want) != 0 && (String("T", want) != text || fmt.Sprintf("%v %X", formatted(want), formatted(want)) != text+" "+strings.ToUpper(text)):
			t.Fatalf("%q is written as %s and %v", text, String("T", want), formatted(want))
		}
	})
}
