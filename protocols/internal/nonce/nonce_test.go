package nonce

import (
	"bytes"
	"errors"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
)

// TestEncodeInfinity encodes points again after one of them has become infinity.
func TestEncodeInfinity(t *testing.T) {
	var p Pair
	p.R[0].SetGenerator()
	p.R[1].SetGenerator()
	p.Encode()
	p.R[0].Zero()
	p.Encode()
	if want := append(make([]byte, 33), new(curve.Point).SetGenerator().Bytes()...); !bytes.Equal(p.Encoded[:], want) {
		t.Errorf("%x, want %x", p.Encoded, want)
	}
}

// TestDecodeText decodes digits of both cases, other characters, and texts of a wrong length.
func TestDecodeText(t *testing.T) {
	for text, want := range map[string]error{"00ff": nil, "abcd": nil, "00fF": p256k1.ErrHex, "AB00": p256k1.ErrHex, "00fg": p256k1.ErrHex,
		"": p256k1.ErrLength, "00f": p256k1.ErrLength, "00ff0": p256k1.ErrLength, "00ff00": p256k1.ErrLength} {
		if b, err := DecodeText("a test", []byte(text), 2); !errors.Is(err, want) || (len(b) == 2) != (want == nil) {
			t.Errorf("%q: %x, %v, want %v", text, b, err, want)
		}
	}
}

// TestParseAgain parses the encoding of infinity into a pair that held a finite point.
func TestParseAgain(t *testing.T) {
	var p Pair
	g := new(curve.Point).SetGenerator().Bytes()
	for _, b := range [][]byte{append(g[:33:33], g...), append(make([]byte, 33), g...)} {
		if err := p.Parse(b, true); err != nil {
			t.Fatal(err)
		}
	}
	if p.R[0].IsInfinity() != 1 || p.R[1].IsInfinity() != 0 {
		t.Error("the point of the first pair is still there")
	}
}
