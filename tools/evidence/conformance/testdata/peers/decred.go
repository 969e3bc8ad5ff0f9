package main

import (
	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
)

var decredRows = []row{
	{"generate a key", func() any {
		key, err := secp256k1.GeneratePrivateKey()
		check(err)
		return len(key.Serialize())
	}},
	{"parse a private key", func() any {
		key := secp256k1.PrivKeyFromBytes(secret)
		return key.Serialize()
	}},
	{"make a private key from a scalar", func() any {
		key := secp256k1.NewPrivateKey(k)
		return key.Serialize()
	}},
	{"parse a public key", func() any {
		b := pub.SerializeUncompressed()
		pub, err := secp256k1.ParsePubKey(b)
		check(err)
		return pub.SerializeCompressed()
	}},
	{"get r and s of a signature", func() any {
		sig := ecdsa.Sign(key, digest)
		r, s := sig.R(), sig.S()
		rb, sb := r.Bytes(), s.Bytes()
		return append(rb[:], sb[:]...)
	}},
	{"compute a shared x coordinate", func() any {
		return secp256k1.GenerateSharedSecret(key, otherPub)
	}},
}
