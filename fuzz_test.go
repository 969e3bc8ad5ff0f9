package p256k1_test

import (
	"bytes"
	"math/big"
	"testing"

	"p256k1.mleku.dev"
	"p256k1.mleku.dev/internal/oracle"
)

func FuzzNewPublicKey(f *testing.F) {
	for _, p := range oracle.EdgePoints()[:40] {
		f.Add(p.Compressed())
		f.Add(p.Uncompressed())
		hybrid := p.Uncompressed()
		hybrid[0] = 6 | byte(p.Y.Bit(0))
		f.Add(hybrid)
	}
	for _, x := range oracle.BadX() {
		f.Add(append([]byte{2}, x[:]...))
		f.Add(append(append([]byte{4}, x[:]...), x[:]...))
	}
	f.Add([]byte(nil))
	f.Add([]byte{0})
	f.Fuzz(func(t *testing.T, b []byte) {
		k, err := p256k1.NewPublicKey(b)
		want, ok := oracle.DecodePoint(b)
		if (err == nil) != ok || (k != nil) != ok {
			t.Fatalf("%x: %v, %v, want %v", b, k, err, ok)
		}
		if !ok {
			return
		}
		if !bytes.Equal(k.Bytes(), want.Compressed()) || !bytes.Equal(k.BytesUncompressed(), want.Uncompressed()) {
			t.Fatalf("%x: %x", b, k.BytesUncompressed())
		}
		if !bytes.Equal(b, k.Bytes()) && !bytes.Equal(b, k.BytesUncompressed()) {
			t.Fatalf("%x is not an encoding of what it is parsed as", b)
		}
	})
}

func FuzzNewXOnlyPublicKey(f *testing.F) {
	for _, p := range oracle.EdgePoints()[:40] {
		f.Add(p.Compressed()[1:])
	}
	for _, x := range append(oracle.BadX(), oracle.FieldEdges()...) {
		f.Add(x[:])
	}
	f.Add([]byte(nil))
	f.Add(oracle.G.Compressed())
	f.Fuzz(func(t *testing.T, b []byte) {
		k, err := p256k1.NewXOnlyPublicKey(b)
		// Not by the oracle, whose square roots are slow under the instrumentation.
		x := oracle.Int(b)
		y2 := oracle.Fp.Add(oracle.Fp.Mul(oracle.Fp.Mul(x, x), x), oracle.B)
		ok := len(b) == 32 && x.Cmp(oracle.P) < 0 && big.Jacobi(y2, oracle.P) == 1
		if (err == nil) != ok || (k != nil) != ok {
			t.Fatalf("%x: %v, %v, want %v", b, k, err, ok)
		}
		if !ok {
			return
		}
		xy := k.PublicKey().BytesUncompressed()[1:]
		y := oracle.Int(xy[32:])
		if !bytes.Equal(k.Bytes(), b) || !bytes.Equal(xy[:32], b) || oracle.Fp.Mul(y, y).Cmp(y2) != 0 || y.Bit(0) != 0 {
			t.Fatalf("%x: %x", b, xy)
		}
	})
}

func FuzzNewPrivateKey(f *testing.F) {
	for _, b := range append(oracle.RangeEdges(), oracle.LambdaSplitEdges()...) {
		f.Add(b[:])
	}
	f.Add([]byte(nil))
	f.Add(make([]byte, 33))
	f.Fuzz(func(t *testing.T, b []byte) {
		k, err := p256k1.NewPrivateKey(b)
		d := oracle.Int(b)
		ok := len(b) == 32 && d.Sign() > 0 && d.Cmp(oracle.N) < 0
		if (err == nil) != ok || (k != nil) != ok {
			t.Fatalf("%x: %v, %v, want %v", b, k, err, ok)
		}
		if ok && (!bytes.Equal(k.Bytes(), b) || !bytes.Equal(k.PublicKey().Bytes(), oracle.G.Mul(d).Compressed())) {
			t.Fatalf("%x: %x with public key %x", b, k.Bytes(), k.PublicKey().Bytes())
		}
	})
}
