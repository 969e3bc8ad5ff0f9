package schnorr

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/internal/oracle"
)

func FuzzVerifyBytes(f *testing.F) {
	r := oracle.NewSeeded("fuzz")
	for _, d := range []*big.Int{big.NewInt(5), big.NewInt(6), r.ValidScalar()} {
		pub := oracle.G.Mul(d).Compressed()[1:]
		for _, msg := range [][]byte{nil, {0}, r.Bytes(32), r.Bytes(100)} {
			sig, _ := oracle.SignSchnorr(d, msg, [32]byte{})
			f.Add(pub, msg, sig[:])
			f.Add(pub, append([]byte{1}, msg...), sig[:])
			f.Add(pub, msg, sig[:63])
		}
		for _, x := range append(oracle.BadX(), oracle.RangeEdges()...) {
			f.Add(pub, []byte(nil), append(oracle.G.Compressed()[1:], x[:]...))
			f.Add(pub, []byte(nil), append(x[:], pub...))
			f.Add(x[:], []byte(nil), append(oracle.G.Compressed()[1:], pub...))
		}
	}
	f.Add([]byte(nil), []byte(nil), []byte(nil))
	f.Fuzz(func(t *testing.T, pub, msg, sig []byte) {
		if got, want := VerifyBytes(pub, msg, sig), oracle.VerifySchnorr(pub, msg, sig); got != want {
			t.Fatalf("key %x, message %x, signature %x: %v", pub, msg, sig, got)
		}
	})
}
