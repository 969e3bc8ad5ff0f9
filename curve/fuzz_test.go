package curve

import (
	"bytes"
	"math/big"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// FuzzPointSetBytes compares Point.SetBytes and LiftX with the oracle, and encodes accepted points again.
func FuzzPointSetBytes(f *testing.F) {
	for i, p := range oracle.EdgePoints() {
		if i < 40 {
			f.Add(p.Compressed())
			f.Add(p.Uncompressed())
		}
	}
	for _, b := range oracle.BadEncodings() {
		f.Add(b)
	}
	for _, x := range oracle.BadX() {
		f.Add(x[:])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var p Point
		want, valid := oracle.DecodePoint(b)
		if _, err := p.SetBytes(b); (err == nil) != valid {
			t.Fatalf("SetBytes(%x): %v, want valid: %v", b, err, valid)
		}
		if valid && (!p.is(want) || (!bytes.Equal(b, p.Bytes()) && !bytes.Equal(b, p.BytesUncompressed()))) {
			t.Fatalf("SetBytes(%x) = %x, want %x", b, p.BytesUncompressed(), want)
		}
		want, valid = oracle.LiftX(oracle.Int(b))
		if len(b) != 32 {
			valid = false
		}
		if _, err := p.LiftX(b); (err == nil) != valid || (valid && !p.is(want)) {
			t.Fatalf("LiftX(%x): %v, want valid: %v", b, err, valid)
		}
		if len(b) != 32 {
			return
		}
		for _, lift := range []func([]Point, [][32]byte){LiftXBatch, LiftXBatchVartime} {
			batch := make([]Point, 6) // at least 5, so that they are lifted in any kind of lanes
			lift(batch, slices.Repeat([][32]byte{oracle.Bytes(oracle.G.X), [32]byte(b)}, 3))
			if batch[0].IsInfinity() == 1 || (batch[5].IsInfinity() == 0) != valid || (valid && !batch[5].is(want)) {
				t.Fatalf("x = %x is lifted in a batch to %x", b, batch[5].Bytes())
			}
		}
	})
}

// FuzzScalarSetBytes compares Scalar.SetBytes, SetBytesReduced, SetUniformBytes and SetWeight with the oracle.
func FuzzScalarSetBytes(f *testing.F) {
	for _, b := range append(oracle.RangeEdges(), oracle.FieldEdges()...) {
		f.Add(b[:])
	}
	f.Add([]byte{})
	f.Add(make([]byte, 31))
	f.Add(make([]byte, 33))
	f.Add([]byte("a, and b, weight"))
	f.Add(bytes.Repeat([]byte{0xff}, 48))
	f.Add(bytes.Repeat([]byte{0xff}, 64))
	f.Fuzz(func(t *testing.T, b []byte) {
		var s Scalar
		x := oracle.Int(b)
		valid := len(b) == 32 && x.Cmp(oracle.N) < 0
		if _, err := s.SetBytes(b); (err == nil) != valid || (valid && !bytes.Equal(s.Bytes(), b)) {
			t.Fatalf("SetBytes(%x) = %x, %v", b, s.Bytes(), err)
		}
		if len(b) == 32 && s.SetBytesReduced((*[32]byte)(b)).integer().Cmp(fn.Reduce(x)) != 0 {
			t.Fatalf("SetBytesReduced(%x) = %x", b, s.Bytes())
		}
		if _, err := s.SetUniformBytes(b); (err == nil) != (len(b) >= 48 && len(b) <= 64) || (err == nil && s.integer().Cmp(fn.Reduce(x)) != 0) {
			t.Fatalf("SetUniformBytes(%x) = %x, %v", b, s.Bytes(), err)
		}
		if len(b) == 16 {
			want := fn.Add(oracle.Int(b[:8]), fn.Add(big.NewInt(1), fn.Mul(oracle.Int(b[8:]), oracle.Lambda)))
			if s.SetWeight((*[16]byte)(b)).integer().Cmp(want) != 0 {
				t.Fatalf("SetWeight(%x) = %x, want %x", b, s.Bytes(), want)
			}
		}
	})
}

// FuzzMultiply compares all methods that multiply points with the oracle.
func FuzzMultiply(f *testing.F) {
	for _, s := range oracle.NewSeeded("multiply").SumEdges() {
		f.Add(s.K[:], s.Point.Compressed(), s.G[:])
	}
	f.Add([]byte{1}, []byte(nil), []byte{1})
	f.Fuzz(func(t *testing.T, kb, pb, gb []byte) {
		var k, g Scalar
		var a, p, ka, gG Point
		var k32, g32 [32]byte
		copy(k32[:], kb)
		copy(g32[:], gb)
		k.SetBytesReduced(&k32)
		g.SetBytesReduced(&g32)
		base, ok := oracle.DecodePoint(pb) // infinity for an invalid encoding
		if _, err := a.SetBytes(pb); (err == nil) != ok {
			t.Fatalf("SetBytes(%x): %v", pb, err)
		}
		ki, gi := k.integer(), g.integer()
		wantK, wantG := base.Mul(ki), oracle.G.Mul(gi)
		want := wantK.Add(wantG)
		if !ka.ScalarMult(&k, &a).is(wantK) || !gG.ScalarBaseMult(&g).is(wantG) {
			t.Fatalf("%x · %x = %x, %x · G = %x", ki, pb, ka.Bytes(), gi, gG.Bytes())
		}
		if !p.Add(&ka, &gG).is(want) || !p.DoubleScalarBaseMultVartime(&k, &a, &g).is(want) {
			t.Fatalf("%x · %x + %x · G = %x, want %x", ki, pb, gi, p.Bytes(), want)
		}
		var generator, sum Point
		generator.SetGenerator()
		if !sum.MultiScalarMultVartime([]*Scalar{&k, &g}, []*Point{&a, &generator}).is(want) {
			t.Fatalf("%x · %x + %x · G = %x in a sum, want %x", ki, pb, gi, sum.Bytes(), want)
		}
	})
}

// FuzzExpandMessageXMD compares ExpandMessageXMD with its definition, and checks that HashToCurve and EncodeToCurve
// return points of the curve.
func FuzzExpandMessageXMD(f *testing.F) {
	f.Add([]byte("abc"), []byte("tag"), uint16(96))
	f.Add([]byte{}, bytes.Repeat([]byte{1}, 256), uint16(8160))
	f.Add([]byte{}, []byte{}, uint16(0))
	f.Fuzz(func(t *testing.T, msg, dst []byte, n uint16) {
		out := make([]byte, n)
		if err := ExpandMessageXMD(out, msg, dst); (err == nil) != (len(dst) > 0 && n > 0 && n <= 8160) {
			t.Fatalf("%d bytes by a tag of %d: %v", n, len(dst), err)
		} else if err != nil {
			return
		}
		if !bytes.Equal(out, expanded(int(n), msg, dst)) {
			t.Fatalf("%d bytes of %x by %x: %x", n, msg, dst, out)
		}
		for _, hash := range []func(*Point, []byte, []byte) (*Point, error){(*Point).HashToCurve, (*Point).EncodeToCurve} {
			var p Point
			if _, err := hash(&p, msg, dst); err != nil {
				t.Fatal(err)
			}
			if q, ok := oracle.DecodePoint(p.BytesUncompressed()); !ok || !q.OnCurve() {
				t.Fatalf("%x by %x becomes %x", msg, dst, p.Bytes())
			}
		}
	})
}
