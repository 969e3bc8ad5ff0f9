package p256k1_test

import (
	"bytes"
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

func FuzzParsePublicKey(f *testing.F) {
	for _, p := range oracle.EdgePoints()[:40] {
		f.Add(p.Compressed())
		f.Add(p.Uncompressed())
	}
	for _, b := range oracle.BadEncodings() {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		k, err := p256k1.ParsePublicKey(b)
		want, ok := oracle.DecodePoint(b)
		if (err == nil) != ok || (k != nil) != ok {
			t.Fatalf("%x: %v, %v, want %v", b, k, err, ok)
		}
		libtest.CheckError(t, err, whyNoPoint(b, ok))
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

// whyNoPoint returns the error that the parser must return for the encoding b. If ok is true, b is valid, and
// whyNoPoint returns nil.
func whyNoPoint(b []byte, ok bool) error {
	switch {
	case ok:
		return nil
	case len(b) != 33 && len(b) != 65:
		return p256k1.ErrLength
	case len(b) == 33 && b[0] != 2 && b[0] != 3, len(b) == 65 && b[0] != 4:
		return p256k1.ErrPrefix
	case oracle.Int(b[1:33]).Cmp(oracle.P) >= 0, oracle.Int(b[33:]).Cmp(oracle.P) >= 0:
		return p256k1.ErrRange
	}
	return p256k1.ErrNotOnCurve
}

func FuzzParseXOnlyPublicKey(f *testing.F) {
	for _, p := range oracle.EdgePoints()[:40] {
		f.Add(p.Compressed()[1:])
	}
	for _, x := range append(oracle.BadX(), oracle.FieldEdges()...) {
		f.Add(x[:])
	}
	f.Add([]byte(nil))
	f.Add(oracle.G.Compressed())
	f.Fuzz(func(t *testing.T, b []byte) {
		k, err := p256k1.ParseXOnlyPublicKey(b)
		// The oracle is not used for this comparison, because its square roots are slow under the fuzzer's
		// instrumentation.
		x := oracle.Int(b)
		y2 := oracle.Fp.Add(oracle.Fp.Mul(oracle.Fp.Mul(x, x), x), oracle.B)
		ok := len(b) == 32 && x.Cmp(oracle.P) < 0 && big.Jacobi(y2, oracle.P) == 1
		if (err == nil) != ok || (k != nil) != ok {
			t.Fatalf("%x: %v, %v, want %v", b, k, err, ok)
		}
		if !ok {
			want := p256k1.ErrLength
			if len(b) == 32 {
				want = whyNoPoint(append([]byte{2}, b...), false)
			}
			libtest.CheckError(t, err, want)
			return
		}
		xy := k.PublicKey().BytesUncompressed()[1:]
		y := oracle.Int(xy[32:])
		if !bytes.Equal(k.Bytes(), b) || !bytes.Equal(xy[:32], b) || oracle.Fp.Mul(y, y).Cmp(y2) != 0 || y.Bit(0) != 0 {
			t.Fatalf("%x: %x", b, xy)
		}
	})
}

func FuzzParsePrivateKey(f *testing.F) {
	for _, b := range append(oracle.RangeEdges(), oracle.LambdaSplitEdges()...) {
		f.Add(b[:])
	}
	f.Add([]byte(nil))
	f.Add(make([]byte, 33))
	f.Fuzz(func(t *testing.T, b []byte) {
		k, err := p256k1.ParsePrivateKey(b)
		d := oracle.Int(b)
		ok := len(b) == 32 && d.Sign() > 0 && d.Cmp(oracle.N) < 0
		if (err == nil) != ok || (k != nil) != ok {
			t.Fatalf("%x: %v, %v, want %v", b, k, err, ok)
		}
		one := make([]byte, 32)
		one[31] = 1
		keys, err2 := p256k1.ParsePrivateKeys([][]byte{one, b, one})
		if (err2 == nil) != ok || (keys[1] != nil) != ok || (ok && !keys[1].Equal(k)) || !keys[0].Equal(keys[2]) {
			t.Fatalf("%x: %v, %v in a batch, want %v", b, keys, err2, ok)
		}
		switch {
		case len(b) != 32:
			libtest.CheckError(t, err, p256k1.ErrLength)
		case !ok:
			libtest.CheckError(t, err, p256k1.ErrRange)
		}
		if ok && (!bytes.Equal(k.Bytes(), b) || !bytes.Equal(k.PublicKey().Bytes(), oracle.G.Mul(d).Compressed())) {
			t.Fatalf("%x: %x with public key %x", b, k.Bytes(), k.PublicKey().Bytes())
		}
	})
}

// FuzzTweak tweaks a private key and its public key, and compares the results.
func FuzzTweak(f *testing.F) {
	r := oracle.NewSeeded("tweak")
	for _, d := range []*big.Int{big.NewInt(1), big.NewInt(6), oracle.Fn.Neg(big.NewInt(1)), r.ValidScalar()} {
		secret := oracle.Bytes(d)
		tweaks := append(oracle.RangeEdges(), secret, oracle.Bytes(oracle.Fn.Neg(d)), r.ScalarBytes())
		for _, b := range tweaks {
			f.Add(secret[:], b[:])
		}
	}
	secret := oracle.Bytes(big.NewInt(5))
	f.Add(secret[:], []byte(nil))
	f.Add(secret[:], make([]byte, 31))
	f.Add(secret[:], make([]byte, 33))
	f.Fuzz(func(t *testing.T, secret, tweak []byte) {
		d := oracle.Int(secret)
		if len(secret) == 32 && d.Sign() > 0 && d.Cmp(oracle.N) < 0 { // FuzzParsePrivateKey tests invalid keys
			checkTweaks(t, d, tweak)
		}
	})
}

// FuzzCheckTweakAdd compares the verdict with the sum that the oracle computes.
func FuzzCheckTweakAdd(f *testing.F) {
	r := oracle.NewSeeded("check")
	for _, d := range []*big.Int{big.NewInt(1), r.ValidScalar()} {
		x := oracle.Bytes(oracle.G.Mul(d).X)
		for _, b := range append(oracle.RangeEdges(), r.ScalarBytes()) {
			if sum := oracle.G.Mul(oracle.Fn.Add(evenKey(d), oracle.Int(b[:]))); !sum.IsInfinity() {
				f.Add(x[:], b[:], sum.Compressed()[1:], sum.Y.Bit(0) == 1) // must be refused if the tweak is n or more
				f.Add(x[:], b[:], sum.Compressed()[1:], sum.Y.Bit(0) == 0)
				f.Add(x[:], b[:], sum.Compressed(), sum.Y.Bit(0) == 1)
			}
		}
	}
	f.Add([]byte(nil), []byte(nil), []byte(nil), false)
	minus := oracle.Bytes(oracle.Fn.Neg(big.NewInt(1)))
	f.Add(oracle.G.Compressed()[1:], minus[:], []byte{}, false)
	f.Fuzz(func(t *testing.T, x, tweak, output []byte, odd bool) {
		k, err := p256k1.ParseXOnlyPublicKey(x)
		if err != nil {
			return
		}
		var sum oracle.Point
		if b := oracle.Int(tweak); len(tweak) == 32 && b.Cmp(oracle.N) < 0 {
			p, _ := oracle.LiftX(oracle.Int(x))
			sum = oracle.G.Mul(b).Add(p)
		}
		want := !sum.IsInfinity() && bytes.Equal(output, sum.Compressed()[1:]) && odd == (sum.Y.Bit(0) == 1)
		if k.CheckTweakAdd(tweak, output, odd) != want {
			t.Fatalf("%x by %x to %x, odd %v: want %v", x, tweak, output, odd, want)
		}
		// Random outputs are never correct, so outputs near the correct one are tried too.
		if !sum.IsInfinity() {
			right, isOdd := sum.Compressed()[1:], sum.Y.Bit(0) == 1
			if !k.CheckTweakAdd(tweak, right, isOdd) || k.CheckTweakAdd(tweak, right, !isOdd) {
				t.Fatalf("%x by %x: the sum %x is refused, or accepted with both parities", x, tweak, right)
			}
		}
	})
}
