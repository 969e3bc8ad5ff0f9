package curve

import (
	"bytes"
	"testing"

	"p256k1.mleku.dev/internal/oracle"
)

// FuzzPointSetBytes compares SetBytes and LiftX with the oracle. What they accept they write again.
func FuzzPointSetBytes(f *testing.F) {
	for i, p := range oracle.EdgePoints() {
		if i < 40 {
			f.Add(p.Compressed())
			f.Add(p.Uncompressed())
		}
	}
	for _, x := range oracle.BadX() {
		f.Add(append([]byte{2}, x[:]...))
		f.Add(append(append([]byte{4}, x[:]...), x[:]...))
		f.Add(x[:])
	}
	f.Add([]byte{})
	f.Add([]byte{0})
	f.Fuzz(func(t *testing.T, b []byte) {
		var p Point
		want, valid := oracle.DecodePoint(b)
		if _, err := p.SetBytes(b); (err == nil) != valid {
			t.Fatalf("SetBytes(%x): %v, want valid: %v", b, err, valid)
		}
		if valid && (!p.is(want) || !bytes.Equal(b, p.Bytes()) && !bytes.Equal(b, p.BytesUncompressed())) {
			t.Fatalf("SetBytes(%x) = %x, want %x", b, p.BytesUncompressed(), want)
		}
		if want, valid = oracle.LiftX(oracle.Int(b)); len(b) != 32 {
			valid = false
		}
		if _, err := p.LiftX(b); (err == nil) != valid || valid && !p.is(want) {
			t.Fatalf("LiftX(%x): %v, want valid: %v", b, err, valid)
		}
	})
}

// FuzzScalarSetBytes compares both ways to read a scalar with the oracle.
func FuzzScalarSetBytes(f *testing.F) {
	for _, b := range append(oracle.RangeEdges(), oracle.FieldEdges()...) {
		f.Add(b[:])
	}
	f.Add([]byte{})
	f.Add(make([]byte, 31))
	f.Add(make([]byte, 33))
	f.Fuzz(func(t *testing.T, b []byte) {
		var s Scalar
		x := oracle.Int(b)
		valid := len(b) == 32 && x.Cmp(oracle.N) < 0
		if _, err := s.SetBytes(b); (err == nil) != valid || valid && !bytes.Equal(s.Bytes(), b) {
			t.Fatalf("SetBytes(%x) = %x, %v", b, s.Bytes(), err)
		}
		if len(b) == 32 && s.SetBytesReduced((*[32]byte)(b)).integer().Cmp(fn.Reduce(x)) != 0 {
			t.Fatalf("SetBytesReduced(%x) = %x", b, s.Bytes())
		}
	})
}
