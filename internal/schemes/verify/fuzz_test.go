package verify

import (
	"testing"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// FuzzSums compares k·A + g·G, and verdicts on it, with the oracle, for points and for encodings, judged one by one and
// in a batch.
func FuzzSums(f *testing.F) {
	for _, s := range oracle.NewSeeded("sums").SumEdges() {
		f.Add(s.K[:], s.Point.Compressed(), s.G[:])
	}
	f.Add([]byte{1}, []byte(nil), []byte{1})
	f.Fuzz(func(t *testing.T, kb, pb, gb []byte) {
		var k, g, x curve.Scalar
		var a, sum curve.Point
		var k32, g32, xBytes [32]byte
		copy(k32[:], kb)
		copy(g32[:], gb)
		k.SetBytesReduced(&k32)
		g.SetBytesReduced(&g32)
		base, ok := oracle.DecodePoint(pb) // base is infinity if the encoding is invalid
		if ok {
			a.SetBytes(pb)
		}
		ki, wantG := oracle.Int(k.Bytes()), oracle.G.Mul(oracle.Int(g.Bytes()))
		want := base.Mul(ki).Add(wantG)
		if !want.IsInfinity() {
			xBytes = oracle.Bytes(want.X)
		}
		x.SetBytesReduced(&xBytes)
		finite := !want.IsInfinity() && !base.IsInfinity() // no bytes encode infinity
		if err := SumOfBytesVartime(&sum, &k, pb, &g); (err == nil) != !base.IsInfinity() || (err == nil && !is(&sum, want)) {
			t.Fatalf("%x · %x + %x · G from bytes = %x, %v, want %x", ki, pb, g.Bytes(), sum.Bytes(), err, want)
		}
		if got := XModNOfBytesVartime(&k, pb, &g, &x); got != finite {
			t.Fatalf("%x · %x + %x · G from bytes: %v", ki, pb, g.Bytes(), got)
		}
		if XModNVartime(&k, &a, &g, &x) == want.IsInfinity() {
			t.Fatalf("%x · %x + %x · G = %x: not its own x", ki, pb, g.Bytes(), want)
		}
		if XModNVartime(&k, &a, &g, &k) != (!want.IsInfinity() && fn.Reduce(want.X).Cmp(ki) == 0) {
			t.Fatalf("%x · %x + %x · G = %x, compared with %x", ki, pb, g.Bytes(), want, ki)
		}
		if len(pb) != 33 {
			return
		}
		has := make([]bool, 2)
		two := func(s curve.Scalar) []curve.Scalar { return []curve.Scalar{s, s} }
		judge(has, two(x), two(k), nil, [][33]byte{[33]byte(pb), [33]byte(pb)}, two(g), nil)
		if has[0] != finite || has[1] != finite {
			t.Fatalf("%x · %x + %x · G from bytes in a batch: %v", ki, pb, g.Bytes(), has)
		}
		even, lifts := oracle.LiftX(oracle.Int(pb[1:]))
		if sum := even.Mul(ki).Add(wantG); lifts && !sum.IsInfinity() {
			rx := oracle.Bytes(sum.X)
			if got := EvenYOfBytesVartime(&k, pb[1:], &g, rx[:]); got != (sum.Y.Bit(0) == 0) {
				t.Fatalf("%x · lift_x(%x) + %x · G = %x: %v", ki, pb[1:], g.Bytes(), sum, got)
			}
		}
	})
}
