package conformance

import (
	"crypto/sha256"
	"testing"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/rfc6979"
)

// generatorOf returns the nonces for a private key and the SHA-256 of a message.
func generatorOf(key []byte, message string, additional []byte) (g *rfc6979.Generator, digest []byte) {
	hash := sha256.Sum256([]byte(message))
	z := oracle.Bytes(oracle.Fn.Reduce(oracle.Int(hash[:])))
	g = new(rfc6979.Generator)
	g.Init((*[32]byte)(key), &z, additional)
	return g, hash[:]
}

// TestHaskoinRFC6979 tests rows with a private key, a message, whose SHA-256 is signed, and the signature. The files
// are named after Bitcoin Core and Bitcoin ABC. The nonces of Bitcoin ABC use 16 bytes of additional data, but the
// library's API takes 32. The test therefore computes r from the nonce; for each r exactly one valid s is low.
func TestHaskoinRFC6979(t *testing.T) {
	for _, f := range []struct {
		name       string
		parse      sigParser
		additional []byte
		want       string
	}{
		{"rfc6979core.json", parseCompact, nil, "12 signatures"},
		{"rfc6979DERcore.json", parseDER, nil, "20 signatures"},
		{"rfc6979abc.json", parseCompact, []byte("ECDSA+DER       "), "12 signatures"},
		{"rfc6979DERabc.json", parseDER, []byte("ECDSA+DER       "), "20 signatures"},
	} {
		each(t, "haskoin/"+f.name, f.want, func(r *report, row [3]string) {
			r.add("signatures")
			priv := privateKey(unhex(row[0]))
			nonces, digest := generatorOf(priv.Bytes(), row[1], f.additional)
			var k [32]byte
			nonces.Next(&k)
			x := must(new(curve.Point).ScalarBaseMult(scalarOf(k[:])).BytesX())
			sig, ok := f.parse(r, unhex(row[2]))
			r.is(ok && sig.IsLowS(), "the signature has a low s")
			r.same("r", new(curve.Scalar).SetBytesReduced((*[32]byte)(x)), sig.Bytes()[:32])
			checkValidECDSA(r, priv.PublicKey(), digest, sig)
			if f.additional == nil {
				checkSignECDSA(r, priv, digest, sig)
			}
		})
	}
}

// TestNobleRFC6979 tests noble/rfc6979.json, which has the first, second and sixteenth nonce for a key and a message.
func TestNobleRFC6979(t *testing.T) {
	type nonces struct{ Message, D, K0, K1, K15 string }
	each(t, "noble/rfc6979.json", "10 generators, 30 nonces", func(r *report, c nonces) {
		r.add("generators")
		g, _ := generatorOf(unhex(c.D), c.Message, nil)
		for i := range 16 {
			var k [32]byte
			g.Next(&k)
			if want, ok := map[int]string{0: c.K0, 1: c.K1, 15: c.K15}[i]; ok {
				r.add("nonces")
				r.same("nonce", k, unhex(want))
			}
		}
	})
}
