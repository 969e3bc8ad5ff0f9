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
		b, err := hex.DecodeString(c.key)
		if err != nil {
			t.Fatal(err)
		}
		key := [32]byte(b)
		if text := string(AppendEncode([]byte("x"), c.prefix, &key)); text != "x"+c.text {
			t.Error(text)
		}
		for _, text := range []string{c.text, strings.ToUpper(c.text)} {
			var got [32]byte
			if err := Decode(&got, c.prefix, []byte(text)); got != key || err != nil {
				t.Errorf("%s: %x, %v", text, got, err)
			}
			inPlace := []byte(text)
			if err := Decode((*[32]byte)(inPlace), c.prefix, inPlace); [32]byte(inPlace) != key || err != nil {
				t.Errorf("%s, in place: %x, %v", text, inPlace, err)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	const nsec = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"
	short, err := bech32.EncodeFromBase256(Secret, make([]byte, 31))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		short, "", "nsec1", nsec[:62], nsec + "q", nsec[:10] + "b" + nsec[11:], strings.Replace(nsec, "v", "w", 1), "Nsec" + nsec[4:],
		"npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg",
		"日本",
	} {
		key := [32]byte{1}
		err := Decode(&key, Secret, []byte(text))
		if err == nil {
			t.Errorf("%s: %x", text, key)
		} else if len(text) > 5 && strings.Contains(err.Error(), text[5:]) {
			t.Errorf("%s: the error repeats it: %v", text, err)
		}
	}
}

// TestPadding refuses a text with another last value and a right checksum.
func TestPadding(t *testing.T) {
	values, err := bech32.ConvertBits(make([]byte, 32), 8, 5, true)
	if err != nil {
		t.Fatal(err)
	}
	for v := range byte(32) {
		values[51] = v
		text, err := bech32.Encode(Secret, values)
		if err != nil {
			t.Fatal(err)
		}
		var key [32]byte
		if err := Decode(&key, Secret, []byte(text)); (err == nil) != (v&15 == 0) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestIs(t *testing.T) {
	for text, want := range map[string]bool{"nsec1": true, "NSEC1x": true, "nSec1": true, "nsec": false, "npub1x": false, "": false, "nsec2": false} {
		if Is(Secret, []byte(text)) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
