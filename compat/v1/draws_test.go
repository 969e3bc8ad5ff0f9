package p256k1_test

import (
	"bytes"
	"crypto/rand"
	"io"
	"testing"

	"p256k1.mleku.dev"
	"p256k1.mleku.dev/keys"
	"p256k1.mleku.dev/schnorr"
	"p256k1.mleku.dev/signer"
	v2 "p256k1.mleku.dev/v2"
)

// TestDraws makes keys with known randomness. The public keys must be those of the private key that was drawn.
func TestDraws(t *testing.T) {
	defer func(system io.Reader) { rand.Reader = system }(rand.Reader)
	pair := func(generate func() (*p256k1.KeyPair, error)) func() []byte {
		return func() []byte {
			k, err := generate()
			if err != nil {
				t.Fatal(err)
			}
			return k.Seckey()
		}
	}
	for name, secret := range map[string]func() []byte{
		"p256k1.mleku.dev.KeyPairGenerate":         pair(p256k1.KeyPairGenerate),
		"p256k1.mleku.dev/keys.Generate":           pair(keys.Generate),
		"p256k1.mleku.dev/schnorr.GenerateKeyPair": pair(schnorr.GenerateKeyPair),
		"p256k1.mleku.dev.ECSeckeyGenerate":        func() []byte { b, _ := p256k1.ECSeckeyGenerate(); return b },
		"p256k1.mleku.dev.ECKeyPairGenerate":       func() []byte { b, _, _ := p256k1.ECKeyPairGenerate(); return b },
		"p256k1.mleku.dev/signer.P256K1Gen.Generate": func() []byte {
			var g signer.P256K1Gen
			g.Generate()
			b, _ := g.KeyPairBytes()
			return b
		},
		"p256k1.mleku.dev/signer.P256K1Signer.Generate": func() []byte {
			var s signer.P256K1Signer
			s.Generate()
			return s.Sec()
		},
	} {
		for i := range byte(4) {
			b := bytes.Repeat([]byte{2*i + 9}, 32)
			drawn := bytes.NewReader(b)
			rand.Reader = drawn
			got := secret()
			want, err := v2.ParsePrivateKey(b)
			if err != nil {
				t.Fatal(err)
			}
			if negated := want.Negate().Bytes(); drawn.Len() != 0 || (!bytes.Equal(got, b) && !bytes.Equal(got, negated)) {
				t.Errorf("%s: %x after drawing %x", name, got, b[:32-drawn.Len()])
			}
		}
	}
}
