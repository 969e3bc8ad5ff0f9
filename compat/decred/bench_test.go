package secp256k1_test

import (
	"bytes"
	"testing"

	"p256k1.mleku.dev/v2"
	secp256k1 "p256k1.mleku.dev/v2/compat/decred"
	"p256k1.mleku.dev/v2/compat/decred/ecdsa"
	"p256k1.mleku.dev/v2/ecdh"
	own "p256k1.mleku.dev/v2/ecdsa"
)

// BenchmarkOwn compares the functions of this package with this library's own functions.
func BenchmarkOwn(b *testing.B) {
	d, digest := bytes.Repeat([]byte{7}, 32), bytes.Repeat([]byte{8}, 32)
	key := secp256k1.PrivKeyFromBytes(d)
	pub, sig, compact := key.PubKey(), ecdsa.Sign(key, digest), ecdsa.SignCompact(key, digest, true)
	ownKey, err := p256k1.ParsePrivateKey(d)
	if err != nil {
		b.Fatal(err)
	}
	ownPub := ownKey.PublicKey()
	ownSig, err := own.ParseDER(sig.Serialize())
	if err != nil {
		b.Fatal(err)
	}
	recoverable, err := own.SignRecoverable(ownKey, digest, nil)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name string
		do   func()
	}{
		{"verify/compat", func() { sig.Verify(digest, pub) }},
		{"verify/own", func() { own.Verify(ownPub, digest, ownSig) }},
		{"sign/compat", func() { ecdsa.Sign(key, digest) }},
		{"sign/own", func() { own.Sign(ownKey, digest, nil) }},
		{"recover/compat", func() { ecdsa.RecoverCompact(compact, digest) }},
		{"recover/own", func() { own.Recover(digest, recoverable) }},
		{"ecdh/compat", func() { secp256k1.GenerateSharedSecret(key, pub) }},
		{"ecdh/own", func() { ecdh.X(ownKey, ownPub) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.do()
			}
		})
	}
}
