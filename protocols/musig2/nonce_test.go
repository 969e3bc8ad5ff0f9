package musig2

import (
	"bytes"
	"testing"

	"p256k1.mleku.dev/v2/curve"
)

// TestEncodeInfinity encodes points a second time, after one of them became infinity.
func TestEncodeInfinity(t *testing.T) {
	var p points
	p.r[0].SetGenerator()
	p.r[1].SetGenerator()
	p.encode()
	p.r[0].Zero()
	p.encode()
	if want := append(make([]byte, 33), new(curve.Point).SetGenerator().Bytes()...); !bytes.Equal(p.encoded[:], want) {
		t.Errorf("%x, want %x", p.encoded, want)
	}
}
