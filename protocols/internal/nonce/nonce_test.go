package nonce

import (
	"bytes"
	"testing"

	"p256k1.mleku.dev/v2/curve"
)

// TestEncodeInfinity encodes points a second time, after one of them became infinity.
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
