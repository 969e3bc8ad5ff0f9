package nip19

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/decred/dcrd/bech32"
	"p256k1.mleku.dev/v2"
)

// TestExamples tests the examples of NIP-19.
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

// TestPadding tries every value of the last five bits of data, with a correct checksum. Decode must refuse a value
// whose padding bits are not zero.
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

// TestLengths decodes texts of all lengths, with correct checksums. Only texts of 52 values are keys or ids.
func TestLengths(t *testing.T) {
	for _, prefix := range []string{Public, Secret, Note} {
		for n := range 130 {
			text, err := bech32.Encode(prefix, make([]byte, n))
			if err != nil {
				t.Fatal(err)
			}
			key := [32]byte{1}
			err = Decode(&key, prefix, []byte(text))
			if good := n == keyValues; (err == nil) != good || (!good && !errors.Is(err, ErrFormat)) || (key == [32]byte{}) != good {
				t.Errorf("%s, %d values: %x, %v", prefix, n, key, err)
			}
		}
	}
}

// TestAlphabet replaces a q, whose value is 0, by each character that bech32 does not use.
func TestAlphabet(t *testing.T) {
	text := AppendEncode(nil, Secret, new([32]byte))
	place := bytes.LastIndexByte(text, 'q')
	for c := range 256 {
		text[place] = byte(c)
		var key [32]byte
		if err := Decode(&key, Secret, text); (err == nil) != (c == 'q') {
			t.Errorf("%q: %v", text, err)
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

func TestKeys(t *testing.T) {
	const nsec, npub = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5", "npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg"
	key, err := ParsePrivateKey([]byte(nsec))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := AppendPrivateKey([]byte("x"), key); string(text) != "x"+nsec || err != nil {
		t.Errorf("%s, %v", text, err)
	}
	pub, err := ParsePublicKey([]byte(strings.ToUpper(npub)))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := AppendPublicKey([]byte("x"), pub); string(text) != "x"+npub || err != nil {
		t.Errorf("%s, %v", text, err)
	}
	wiped, err := ParsePrivateKey([]byte(strings.ToUpper(nsec)))
	if err != nil {
		t.Fatal(err)
	}
	wiped.Zero()
	for _, key := range []*p256k1.PrivateKey{nil, new(p256k1.PrivateKey), wiped} {
		if text, err := AppendPrivateKey([]byte("x"), key); string(text) != "x" || !errors.Is(err, p256k1.ErrNoKey) {
			t.Errorf("%s, %v", text, err)
		}
	}
	for _, pub := range []*p256k1.XOnlyPublicKey{nil, new(p256k1.XOnlyPublicKey)} {
		if text, err := AppendPublicKey([]byte("x"), pub); string(text) != "x" || !errors.Is(err, p256k1.ErrNoKey) {
			t.Errorf("%s, %v", text, err)
		}
	}
	order, err := hex.DecodeString("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range [][32]byte{{}, [32]byte(order)} {
		_, err := ParsePrivateKey(AppendEncode(nil, Secret, &secret))
		if !errors.Is(err, p256k1.ErrRange) || !strings.HasPrefix(err.Error(), "nip19: nsec: ") {
			t.Errorf("%x: %v", secret, err)
		}
	}
	if _, err := ParsePublicKey(AppendEncode(nil, Public, &[32]byte{31: 5})); !errors.Is(err, p256k1.ErrNotOnCurve) {
		t.Errorf("a public key that is none: %v", err)
	}
	for text, want := range map[string]error{
		"": ErrPrefix, npub: ErrPrefix, "0x" + nsec: ErrPrefix,
		nsec[:62]: ErrFormat, nsec + "q": ErrFormat, strings.Replace(nsec, "v", "w", 1): ErrFormat,
	} {
		if key, err := ParsePrivateKey([]byte(text)); key != nil || !errors.Is(err, want) || (len(text) > 10 && strings.Contains(err.Error(), text[5:12])) {
			t.Errorf("%s: %v, %v", text, key, err)
		}
	}
}
