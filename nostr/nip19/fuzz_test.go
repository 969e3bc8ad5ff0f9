package nip19

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/decred/dcrd/bech32"
)

// FuzzDecode compares Decode with a second implementation. Encoding the result must return the accepted text again.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{
		"npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg", "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5",
		"NSEC1VL029MGPSPEDVA04G90VLTKH6FVH240ZQTV9K0T9AF8935KE9LAQSNLFE5", "npub1", "1", "", "A12UEL5L", "nsec1\x7f", "nsec1qqqqqqq",
		"Nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5", padded(f),
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, prefix := range []string{Public, Secret} {
			var key [32]byte
			err := Decode(&key, prefix, []byte(text))
			want, ok := decode(prefix, text)
			if (err == nil) != ok || (ok && !bytes.Equal(key[:], want)) || (!ok && key != [32]byte{}) {
				t.Fatalf("%q: %x, %v, want %x, %v", text, key, err, want, ok)
			}
			if !ok {
				if len(text) > 8 && strings.Contains(err.Error(), text) {
					t.Fatalf("%q: the error repeats it: %v", text, err)
				}
				continue
			}
			if again := string(AppendEncode(nil, prefix, &key)); again != strings.ToLower(text) {
				t.Fatalf("%q is decoded as %x and encoded as %q", text, key, again)
			}
		}
	})
}

// FuzzEncode checks that Decode accepts the text that AppendEncode returns, and refuses this text with one character
// changed.
func FuzzEncode(f *testing.F) {
	f.Add(make([]byte, 32), uint8(7), byte('q'))
	f.Add(bytes.Repeat([]byte{0xff}, 32), uint8(62), byte('Q'))
	f.Add([]byte{1}, uint8(0), byte('1'))
	f.Fuzz(func(t *testing.T, seed []byte, place, char byte) {
		var key, got [32]byte
		copy(key[:], seed)
		text := AppendEncode(nil, Secret, &key)
		if want, err := bech32.EncodeFromBase256(Secret, key[:]); err != nil || string(text) != want {
			t.Fatalf("%x is encoded as %q, want %q, %v", key, text, want, err)
		}
		if err := Decode(&got, Secret, text); err != nil || got != key {
			t.Fatalf("%x is encoded as %q and decoded as %x, %v", key, text, got, err)
		}
		changed := bytes.Clone(text)
		changed[int(place)%len(changed)] = char
		if err := Decode(&got, Secret, changed); (err == nil) != bytes.Equal(changed, text) {
			t.Fatalf("%q, changed from %q, is decoded as %x, %v", changed, text, got, err)
		}
	})
}

// padded returns a text whose last value has one padding bit set, with a correct checksum.
func padded(f *testing.F) string {
	values, err := bech32.ConvertBits(make([]byte, 32), 8, 5, true)
	if err != nil {
		f.Fatal(err)
	}
	values[len(values)-1] ^= 1
	text, err := bech32.Encode(Secret, values)
	if err != nil {
		f.Fatal(err)
	}
	return text
}

// decode returns the 32 bytes that a bech32 text with the given prefix encodes (BIP-173).
func decode(prefix, text string) (key []byte, ok bool) {
	lower := strings.ToLower(text)
	if text != lower && text != strings.ToUpper(text) {
		return nil, false
	}
	data, ok := strings.CutPrefix(lower, prefix+"1")
	if !ok {
		return nil, false
	}
	var values []byte
	for _, char := range []byte(data) {
		v := strings.IndexByte("qpzry9x8gf2tvdw0s3jn54khce6mua7l", char)
		if v < 0 {
			return nil, false
		}
		values = append(values, byte(v))
	}
	var expanded []byte
	for _, char := range []byte(prefix) {
		expanded = append(expanded, char>>5)
	}
	expanded = append(expanded, 0)
	for _, char := range []byte(prefix) {
		expanded = append(expanded, char&31)
	}
	if len(values) != 52+6 || polymod(slices.Concat(expanded, values)) != 1 {
		return nil, false
	}
	var acc, bits uint
	for _, v := range values[:52] {
		acc, bits = acc<<5|uint(v), bits+5
		if bits >= 8 {
			bits -= 8
			key = append(key, byte(acc>>bits))
		}
	}
	return key, acc&(1<<bits-1) == 0
}

// polymod computes bech32_polymod of BIP-173.
func polymod(values []byte) uint32 {
	chk := uint32(1)
	for _, v := range values {
		top := chk >> 25
		chk = chk&0x1ffffff<<5 ^ uint32(v)
		for i, g := range []uint32{0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3} {
			if top>>i&1 == 1 {
				chk ^= g
			}
		}
	}
	return chk
}
