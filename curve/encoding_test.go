package curve

import (
	"bytes"
	"errors"
	"math/big"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// refuses checks that a parser of points returns the error want for b and leaves the receiver unchanged.
func refuses(t *testing.T, parse func(*Point, []byte) (*Point, error), b []byte, want error) {
	t.Helper()
	r := oracle.NewSeeded("refuses")
	for _, p := range []*Point{new(Point), new(Point).SetGenerator(), withZ(jacobian(r, oracle.G))} {
		before := *p
		got, err := parse(p, b)
		if got != nil || !errors.Is(err, want) {
			t.Fatalf("%x: point %v, error %v, want %v", b, got != nil, err, want)
		}
		for _, other := range []error{ErrLength, ErrPrefix, ErrRange, ErrNotOnCurve, ErrInfinity} {
			if other != want && errors.Is(err, other) {
				t.Fatalf("%x: error %v is %v as well", b, err, other)
			}
		}
		if p.known().Normalized != before.known().Normalized || p.p().X.Limbs() != before.p().X.Limbs() || p.p().Y.Limbs() != before.p().Y.Limbs() ||
			p.p().Z.Limbs() != before.p().Z.Limbs() {
			t.Fatalf("%x: the receiver was changed", b)
		}
	}
}

func accepts(t *testing.T, parse func(*Point, []byte) (*Point, error), b []byte, want oracle.Point) {
	t.Helper()
	var p Point
	if got, err := parse(&p, b); err != nil || got != &p || !p.is(want) {
		t.Fatalf("%x: %x, %v, want %x", b, p.BytesUncompressed(), err, want)
	}
}

func setBytes(p *Point, b []byte) (*Point, error) { return p.SetBytes(b) }
func liftXOf(p *Point, b []byte) (*Point, error)  { return p.LiftX(b) }

// TestEncoding encodes points, in random representations, in every format, and decodes them again.
func TestEncoding(t *testing.T) {
	r := oracle.New(t)
	check := func(p oracle.Point) {
		t.Helper()
		a := newPoint(r, p)
		x, err := a.BytesX()
		if p.IsInfinity() {
			if x != nil || !errors.Is(err, ErrInfinity) || a.IsYOdd() != 0 ||
				!bytes.Equal(a.Bytes(), []byte{0}) || !bytes.Equal(a.BytesUncompressed(), []byte{0}) {
				t.Fatalf("infinity: x %x, %v; y odd %d; %x, %x", x, err, a.IsYOdd(), a.Bytes(), a.BytesUncompressed())
			}
			return
		}
		if !bytes.Equal(a.Bytes(), p.Compressed()) || !bytes.Equal(a.BytesUncompressed(), p.Uncompressed()) ||
			!bytes.Equal(x, p.Compressed()[1:]) || err != nil || a.IsYOdd() != int(p.Y.Bit(0)) {
			t.Fatalf("%x: %x, %x, x %x, %v, y odd %d", p, a.Bytes(), a.BytesUncompressed(), x, err, a.IsYOdd())
		}
		accepts(t, setBytes, a.Bytes(), p)
		accepts(t, setBytes, a.BytesUncompressed(), p)
		even, _ := oracle.LiftX(p.X)
		accepts(t, liftXOf, x, even)
	}
	for _, p := range oracle.EdgePoints() {
		check(p)
	}
	for range oracle.Cases(500) {
		check(oracle.Point{})
		check(r.Point())
	}
}

func TestLengths(t *testing.T) {
	for n := range 101 {
		for _, full := range [][]byte{oracle.G.Compressed(), oracle.G.Uncompressed(), make([]byte, 1), oracle.G.Compressed()[1:]} {
			b := append(slices.Clone(full), make([]byte, 100)...)[:n]
			if n != 33 && n != 65 {
				refuses(t, setBytes, b, ErrLength)
			}
			if n != 32 {
				refuses(t, liftXOf, b, ErrLength)
			}
		}
	}
	refuses(t, setBytes, nil, ErrLength)
	refuses(t, liftXOf, nil, ErrLength)
}

func TestPrefixes(t *testing.T) {
	p := oracle.G
	for prefix := range 256 {
		compressed, uncompressed := p.Compressed(), p.Uncompressed()
		compressed[0], uncompressed[0] = byte(prefix), byte(prefix)
		switch prefix {
		case 2:
			accepts(t, setBytes, compressed, p) // y is even
		case 3:
			accepts(t, setBytes, compressed, p.Neg())
		default:
			refuses(t, setBytes, compressed, ErrPrefix)
		}
		if prefix == 4 {
			accepts(t, setBytes, uncompressed, p)
		} else { // including the hybrid form, for both parities
			refuses(t, setBytes, uncompressed, ErrPrefix)
		}
	}
}

// TestCoordinates checks that coordinates which are not below p, or are not on the curve, are refused.
func TestCoordinates(t *testing.T) {
	encode := func(prefix byte, coordinates ...*big.Int) []byte {
		b := []byte{prefix}
		for _, v := range coordinates {
			c := oracle.Bytes(v)
			b = append(b, c[:]...)
		}
		return b
	}
	for _, b := range oracle.BadX() { // 0 among them
		x, want := oracle.Int(b[:]), ErrNotOnCurve
		if x.Cmp(oracle.P) >= 0 {
			want = ErrRange
		}
		refuses(t, setBytes, encode(2, x), want)
		refuses(t, setBytes, encode(3, x), want)
		refuses(t, liftXOf, b[:], want)
		for _, y := range []*big.Int{new(big.Int), one, oracle.G.Y} {
			refuses(t, setBytes, encode(4, x, y), want)
			if want == ErrRange {
				refuses(t, setBytes, encode(4, oracle.G.X, x), want)
			}
		}
	}
	small := 0
	plusP := func(x *big.Int) (*big.Int, bool) {
		v := new(big.Int).Add(x, oracle.P)
		return v, v.BitLen() <= 256
	}
	for i, p := range oracle.EdgePoints() {
		if x, ok := plusP(p.X); ok {
			small++
			refuses(t, setBytes, encode(2, x), ErrRange)
			refuses(t, setBytes, encode(4, x, p.Y), ErrRange)
		}
		if y, ok := plusP(p.Y); ok {
			small++
			refuses(t, setBytes, encode(4, p.X, y), ErrRange)
		}
		for bit := i % 8; bit < 256; bit += 8 {
			x, y := new(big.Int).SetBit(p.X, bit, p.X.Bit(bit)^1), new(big.Int).SetBit(p.Y, bit, p.Y.Bit(bit)^1)
			if x.Cmp(oracle.P) < 0 {
				refuses(t, setBytes, encode(4, x, p.Y), ErrNotOnCurve)
			}
			if y.Cmp(oracle.P) < 0 {
				refuses(t, setBytes, encode(4, p.X, y), ErrNotOnCurve)
			}
		}
		if y := fp.Neg(p.Y); p.X.Cmp(p.Y) != 0 {
			refuses(t, setBytes, encode(4, p.Y, p.X), ErrNotOnCurve)
			refuses(t, setBytes, encode(4, y, p.X), ErrNotOnCurve)
		}
	}
	if small < 13 {
		t.Errorf("only %d coordinates have a second representation", small)
	}
}
