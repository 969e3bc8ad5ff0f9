package ecdh_test

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// FuzzECDH computes shared secrets with random bytes as keys, and compares them with the oracle's results.
func FuzzECDH(f *testing.F) {
	r := oracle.NewSeeded("ecdh")
	secrets := append(oracle.RangeEdges(), r.ScalarBytes())
	for i, p := range append(oracle.EdgePoints()[:40], r.Point()) {
		f.Add(secrets[i%len(secrets)][:], p.Compressed())
		f.Add(secrets[i%len(secrets)][:], p.Uncompressed())
		f.Add(secrets[6][:], p.Compressed()[1:])
	}
	for _, x := range oracle.BadX() { // some are x coordinates of points on the twist
		f.Add(secrets[6][:], x[:])
	}
	for _, b := range oracle.BadEncodings() {
		f.Add(secrets[6][:], b)
	}
	for _, d := range oracle.LambdaSplitEdges()[:20] {
		f.Add(d[:], oracle.G.Mul(big.NewInt(7)).Compressed())
	}
	f.Fuzz(func(t *testing.T, secret, peer []byte) {
		d := oracle.Int(secret)
		p, _ := oracle.DecodePoint(peer) // infinity for an invalid encoding
		if len(peer) == 32 {
			p, _ = oracle.LiftX(oracle.Int(peer))
		}
		want, ok := oracle.ECDHX(d, p)
		if len(secret) != 32 {
			want, ok = [32]byte{}, false
		}
		if got, err := agree(secret, peer); (err == nil) != ok || got != want {
			t.Fatalf("%x and %x: %x, %v, want %x, %v", secret, peer, got, err, want, ok)
		}
		if ok {
			check(t, d, p)
		}
	})
}

// agree returns the shared x coordinate of a private and a public key in bytes.
func agree(secret, peer []byte) (x [32]byte, err error) {
	k, err := p256k1.ParsePrivateKey(secret)
	if err != nil {
		return x, err
	}
	if len(peer) == 32 {
		xOnly, err := p256k1.ParseXOnlyPublicKey(peer)
		if err != nil {
			return x, err
		}
		return ecdh.XFromXOnly(k, xOnly)
	}
	pub, err := p256k1.ParsePublicKey(peer)
	if err != nil {
		return x, err
	}
	return ecdh.X(k, pub)
}
