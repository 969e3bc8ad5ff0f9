package curve

import (
	"bytes"
	"errors"
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// swift is the point that the oracle decodes b to.
func swift(b *[64]byte) oracle.Point {
	t := oracle.Int(b[32:])
	p, _ := oracle.LiftX(oracle.XSwiftEC(oracle.Int(b[:32]), t))
	if oracle.Fp.Reduce(t).Bit(0) == 1 {
		p = p.Neg()
	}
	return p
}

// fillSwift tries to encode p, and checks what comes of it. It reports whether there is an encoding.
func fillSwift(t *testing.T, p *Point, want oracle.Point, random *[32]byte, way int) bool {
	t.Helper()
	b, before := [64]byte{1, 2, 3}, *random
	found := p.FillElligatorSwiftVartime(&b, random, way)
	if *random != before {
		t.Fatalf("the randomness %x is changed", before)
	}
	if !found {
		if b != [64]byte{1, 2, 3} {
			t.Fatalf("%x by %x, %d: no encoding, but %x", want, before, way, b)
		}
		return false
	}
	if want.IsInfinity() || !swift(&b).Equal(want) || new(Point).SetElligatorSwiftVartime(&b).Equal(p) != 1 {
		t.Fatalf("%x by %x, %d: %x is %x", want, before, way, b, swift(&b))
	}
	for _, half := range [][]byte{b[:32], b[32:]} {
		if oracle.Int(half).Cmp(oracle.P) >= 0 {
			t.Fatalf("%x by %x, %d: %x is not reduced", want, before, way, half)
		}
	}
	return true
}

func TestElligatorSwift(t *testing.T) {
	r := oracle.New(t)
	var found [3]int
	const each = 400
	for range each {
		want := r.Point()
		p := newPoint(r, want)
		for way := range found {
			if fillSwift(t, p, want, (*[32]byte)(r.Bytes(32)), way) {
				found[way]++
			}
		}
	}
	// A quarter, a quarter and a half, within six standard deviations.
	for way, share := range []float64{0.25, 0.25, 0.5} {
		if d := float64(found[way]) - share*each; d*d > 36*each*share*(1-share) {
			t.Errorf("way %d: %d of %d", way, found[way], each)
		}
	}
	var infinity Point
	p := newPoint(r, r.Point())
	for _, way := range []int{-1, 3, 1 << 30} {
		if p.FillElligatorSwiftVartime(new([64]byte), &[32]byte{1}, way) {
			t.Errorf("way %d leads to an encoding", way)
		}
	}
	for way := range 3 {
		for range 20 {
			if infinity.FillElligatorSwiftVartime(new([64]byte), (*[32]byte)(r.Bytes(32)), way) {
				t.Errorf("way %d leads to an encoding of infinity", way)
			}
		}
	}
}

// FuzzElligatorSwift decodes any bytes, multiplies what comes out, and encodes it.
func FuzzElligatorSwift(f *testing.F) {
	r := oracle.NewSeeded("swift")
	edges := oracle.FieldEdges()
	for i, u := range edges {
		t := edges[(5*i+2)%len(edges)]
		f.Add(append(u[:], t[:]...), r.Bytes(32), i%3)
		f.Add(append(u[:], make([]byte, 32)...), u[:], i%3)
	}
	f.Fuzz(func(t *testing.T, b, random []byte, way int) {
		if len(b) != 64 || len(random) != 32 {
			return
		}
		encoding := [64]byte(b)
		var p Point
		if want := swift(&encoding); p.SetElligatorSwiftVartime(&encoding) != &p || oracle.Int(p.BytesUncompressed()).Cmp(oracle.Int(want.Uncompressed())) != 0 {
			t.Fatalf("%x is %x, want %x", b, p.BytesUncompressed(), want)
		}
		want := swift(&encoding)
		k := new(Scalar).SetBytesReduced((*[32]byte)(random))
		product := want.Mul(k.integer())
		if x, err := ElligatorSwiftScalarMult(k, &encoding); (err != nil) != product.IsInfinity() || err == nil && oracle.Int(x[:]).Cmp(product.X) != 0 {
			t.Fatalf("%x·%x: %x, %v, want %x", k.Bytes(), b, x, err, product.X)
		}
		if fillSwift(t, &p, want, (*[32]byte)(random), way) {
			return
		}
		// None of the eight ways of BIP-324 leads to one, then.
		random256 := oracle.Fp.Reduce(oracle.Int(random))
		u, ways := random256, []int{way & 1}
		switch {
		case way < 0 || way > 2 || random256.Sign() == 0:
			return
		case way == 2:
			u, ways = oracle.Fp.Sub(want.X, oracle.Fp.Mul(random256, random256)), []int{2, 3}
		}
		if u.Sign() == 0 {
			return
		}
		missed := new(big.Int)
		for _, way := range ways {
			if missed = oracle.XSwiftECInv(want.X, u, way); missed == nil {
				return
			}
		}
		t.Fatalf("%x by %x, %d: no encoding, but there is %x", want, random, way, missed)
	})
}

func TestElligatorSwiftScalarMult(t *testing.T) {
	r := oracle.New(t)
	for range 200 {
		var b [64]byte
		copy(b[:], r.Bytes(64))
		k := scalarOf(r.ValidScalar())
		got, err := ElligatorSwiftScalarMult(k, &b)
		p := new(Point).SetElligatorSwiftVartime(&b)
		want, wantErr := p.ScalarMult(k, p).BytesX()
		if err != nil || wantErr != nil || !bytes.Equal(got[:], want) {
			t.Fatalf("%x·%x: %x, %v, want %x, %v", k.Bytes(), b, got, err, want, wantErr)
		}
	}
	if x, err := ElligatorSwiftScalarMult(new(Scalar), new([64]byte)); !errors.Is(err, ErrInfinity) || x != [32]byte{} {
		t.Errorf("zero times a point: %x, %v", x, err)
	}
}
