package nip19

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/decred/dcrd/bech32"
)

// The examples of NIP-19.
func TestExamples(t *testing.T) {
	for _, c := range []struct{ prefix, key, text string }{
		{Public, "7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e", "npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg"},
		{Secret, "67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa", "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"},
	} {
		key, err := hex.DecodeString(c.key)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := Encode(c.prefix, key); text != c.text || err != nil {
			t.Errorf("%s, %v", text, err)
		}
		for _, text := range []string{c.text, strings.ToUpper(c.text)} {
			if b, err := Decode(c.prefix, text); string(b) != string(key) || err != nil {
				t.Errorf("%s: %x, %v", text, b, err)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	const nsec = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"
	short, err := Encode(Secret, make([]byte, 31))
	if short != "" || err == nil {
		t.Errorf("31 bytes: %s, %v", short, err)
	}
	short, err = bech32.EncodeFromBase256(Secret, make([]byte, 31))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		short, "", "nsec1", nsec[:62], nsec + "q", nsec[:10] + "b" + nsec[11:], strings.Replace(nsec, "v", "w", 1), "Nsec" + nsec[4:],
		"npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg",
		"日本",
	} {
		b, err := Decode(Secret, text)
		if err == nil {
			t.Errorf("%s: %x", text, b)
		} else if len(text) > 5 && strings.Contains(err.Error(), text[5:]) {
			t.Errorf("%s: the error repeats it: %v", text, err)
		}
	}
}
