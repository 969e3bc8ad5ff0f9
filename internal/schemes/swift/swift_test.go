package swift

import (
	"bytes"
	"errors"
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// decoded returns the point to which the oracle decodes b.
func decoded(b *[64]byte) oracle.Point {
	t := oracle.Int(b[32:])
	p, _ := oracle.LiftX(oracle.XSwiftEC(oracle.Int(b[:32]), t))
	if oracle.Fp.Reduce(t).Bit(0) == 1 {
		p = p.Neg()
	}
	return p
}

// point returns the result of DecodeVartime for b.
func point(b *[64]byte) *curve.Point {
	p := new(curve.Point).SetGenerator() // DecodeVartime must overwrite it
	DecodeVartime(p, b)
	return p
}

// toPoint returns p in Jacobian coordinates with Z ≠ 1.
func toPoint(p oracle.Point) *curve.Point {
	v := new(curve.Point)
	if !p.IsInfinity() {
		if _, err := v.SetBytes(p.Uncompressed()); err != nil {
			panic(err)
		}
	}
	return v.Add(v, new(curve.Point).SetGenerator()).Sub(v, new(curve.Point).SetGenerator())
}

// encode tries to encode p. It decodes the encoding, compares it with want, and reports whether an encoding was found.
func encode(t *testing.T, p *curve.Point, want oracle.Point, random *[32]byte, way int) bool {
	t.Helper()
	b, before := [64]byte{1, 2, 3}, *random
	found := EncodeVartime(&b, p, random, way)
	if *random != before {
		t.Fatalf("the randomness %x is changed", before)
	}
	if !found {
		if b != [64]byte{1, 2, 3} {
			t.Fatalf("%x by %x, %d: no encoding, but %x", want, before, way, b)
		}
		return false
	}
	if want.IsInfinity() || !decoded(&b).Equal(want) || point(&b).Equal(p) != 1 {
		t.Fatalf("%x by %x, %d: %x is %x", want, before, way, b, decoded(&b))
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
		p := toPoint(want)
		for way := range found {
			if encode(t, p, want, (*[32]byte)(r.Bytes(32)), way) {
				found[way]++
			}
		}
	}
	// A quarter of the attempts succeed for way 0, a quarter for way 1, and half for way 2, within six standard
	// deviations.
	for way, share := range []float64{0.25, 0.25, 0.5} {
		if d := float64(found[way]) - share*each; d*d > 36*each*share*(1-share) {
			t.Errorf("way %d: %d of %d", way, found[way], each)
		}
	}
	var infinity curve.Point
	p := toPoint(r.Point())
	for _, way := range []int{-1, 3, 1 << 30} {
		if EncodeVartime(new([64]byte), p, &[32]byte{1}, way) {
			t.Errorf("way %d leads to an encoding", way)
		}
	}
	for way := range 3 {
		for range 20 {
			if EncodeVartime(new([64]byte), &infinity, (*[32]byte)(r.Bytes(32)), way) {
				t.Errorf("way %d leads to an encoding of infinity", way)
			}
		}
	}
}

// FuzzElligatorSwift decodes random bytes, multiplies the point, and encodes it again.
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
		p := point(&encoding)
		if want := decoded(&encoding); oracle.Int(p.BytesUncompressed()).Cmp(oracle.Int(want.Uncompressed())) != 0 {
			t.Fatalf("%x is %x, want %x", b, p.BytesUncompressed(), want)
		}
		want := decoded(&encoding)
		k := new(curve.Scalar).SetBytesReduced((*[32]byte)(random))
		product := want.Mul(oracle.Int(k.Bytes()))
		if x, err := ScalarMult(k, &encoding); (err != nil) != product.IsInfinity() || (err == nil && oracle.Int(x[:]).Cmp(product.X) != 0) {
			t.Fatalf("%x·%x: %x, %v, want %x", k.Bytes(), b, x, err, product.X)
		}
		if encode(t, p, want, (*[32]byte)(random), way) {
			return
		}
		// If encode finds no encoding, BIP-324's XSwiftECInv must give none in the same case: in case 0 or 1 for these
		// ways, and in one of the cases 2 and 3 for way 2.
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

func TestScalarMult(t *testing.T) {
	r := oracle.New(t)
	for range 200 {
		var b [64]byte
		copy(b[:], r.Bytes(64))
		scalar := r.ScalarBytes()
		k := new(curve.Scalar).SetBytesReduced(&scalar)
		if k.IsZero() == 1 {
			continue
		}
		got, err := ScalarMult(k, &b)
		p := point(&b)
		want, wantErr := p.ScalarMult(k, p).BytesX()
		if err != nil || wantErr != nil || !bytes.Equal(got[:], want) {
			t.Fatalf("%x·%x: %x, %v, want %x, %v", k.Bytes(), b, got, err, want, wantErr)
		}
	}
	if x, err := ScalarMult(new(curve.Scalar), new([64]byte)); !errors.Is(err, curve.ErrInfinity) || x != [32]byte{} {
		t.Errorf("zero times a point: %x, %v", x, err)
	}
}

func TestAllocations(t *testing.T) {
	r := oracle.New(t)
	p, s := toPoint(r.Point()), r.ScalarBytes()
	k := new(curve.Scalar).SetBytesReduced(&s)
	var b [64]byte
	for name, f := range map[string]func(){
		"DecodeVartime": func() { DecodeVartime(p, &b) },
		"EncodeVartime": func() { EncodeVartime(&b, p, &s, 0); EncodeVartime(&b, p, &s, 2) },
		"ScalarMult":    func() { ScalarMult(k, &b) },
	} {
		if n := testing.AllocsPerRun(5, f); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
