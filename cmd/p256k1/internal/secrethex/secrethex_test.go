package secrethex

import (
	"bytes"
	"encoding/hex"
	"testing"
)

// TestAll compares the results for all bytes and for all pairs of characters with the results of encoding/hex.
func TestAll(t *testing.T) {
	for b := range 256 {
		src := []byte{byte(b)}
		if got := string(AppendEncode([]byte("x"), src)); got != "x"+hex.EncodeToString(src) {
			t.Errorf("%x: %s", src, got)
		}
		for c := range 256 {
			text := []byte{byte(b), byte(c)}
			var got [1]byte
			want, err := hex.DecodeString(string(text))
			if ok := Decode(got[:], text); ok != (err == nil) || (ok && got[0] != want[0]) {
				t.Errorf("%q: %x, %v, want %x", text, got, ok, want)
			}
		}
	}
}

func TestLengths(t *testing.T) {
	for n := range 70 {
		if Decode(make([]byte, 32), bytes.Repeat([]byte("a"), n)) != (n == 64) {
			t.Errorf("%d digits", n)
		}
	}
	if !Decode(nil, nil) {
		t.Error("nothing")
	}
}
