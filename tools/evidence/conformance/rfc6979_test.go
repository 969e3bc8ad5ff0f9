package conformance

import (
	"bytes"
	"crypto/sha256"
	"testing"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/vectors"
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
		t.Run(f.name, func(t *testing.T) {
			var file [][3]string
			vectors.JSON(t, "haskoin/"+f.name, &file)
			count := tally{}
			for i, row := range file {
				count.add("signatures")
				priv := privateKey(unhex(row[0]))
				nonces, digest := generatorOf(priv.Bytes(), row[1], f.additional)
				var k [32]byte
				nonces.Next(&k)
				x := must(new(curve.Point).ScalarBaseMult(scalarOf(k[:])).BytesX())
				sig, ok := f.parse(t, unhex(row[2]))
				r := new(curve.Scalar).SetBytesReduced((*[32]byte)(x))
				if !ok || !bytes.Equal(sig.Bytes()[:32], r.Bytes()) || !sig.IsLowS() {
					t.Errorf("%d: %q: r is %x, want %s with low s", i, row[1], r.Bytes(), row[2])
				}
				checkValidECDSA(t, priv.PublicKey(), digest, sig)
				if f.additional == nil {
					checkSignECDSA(t, priv, digest, sig)
				}
			}
			count.want(t, f.want)
		})
	}
}

// TestNobleRFC6979 tests noble/rfc6979.json, which has the first, second and sixteenth nonce for a key and a message.
func TestNobleRFC6979(t *testing.T) {
	var file []struct{ Message, D, K0, K1, K15 string }
	vectors.JSON(t, "noble/rfc6979.json", &file)
	count := tally{}
	for _, test := range file {
		count.add("generators")
		g, _ := generatorOf(unhex(test.D), test.Message, nil)
		for i := range 16 {
			var k [32]byte
			g.Next(&k)
			if want, ok := map[int]string{0: test.K0, 1: test.K1, 15: test.K15}[i]; ok {
				count.add("nonces")
				if !bytes.Equal(k[:], unhex(want)) {
					t.Errorf("%q: nonce %d is %x, want %s", test.Message, i, k, want)
				}
			}
		}
	}
	count.want(t, "10 generators, 30 nonces")
}
