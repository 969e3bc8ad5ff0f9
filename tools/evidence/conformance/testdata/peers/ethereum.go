package main

import "github.com/ethereum/go-ethereum/crypto"

var ethereumRows = []row{
	{"generate a key", func() any {
		key, err := crypto.GenerateKey()
		check(err)
		return len(crypto.FromECDSA(key))
	}},
	{"parse a private key", func() any {
		key, err := crypto.ToECDSA(secret)
		check(err)
		return crypto.FromECDSA(key)
	}},
	{"encode a private key in 32 bytes", func() any {
		key, err := crypto.ToECDSA(secret)
		check(err)
		return crypto.FromECDSA(key)
	}},
	{"parse a public key of 65 bytes", func() any {
		b := pub.SerializeUncompressed()
		pub, err := crypto.UnmarshalPubkey(b)
		check(err)
		return crypto.CompressPubkey(pub)
	}},
	{"parse a public key of 33 bytes", func() any {
		b := pub.SerializeCompressed()
		pub, err := crypto.DecompressPubkey(b)
		check(err)
		return crypto.FromECDSAPub(pub)
	}},
	{"encode a public key in 65 bytes", func() any {
		pub := pub.ToECDSA()
		return crypto.FromECDSAPub(pub)
	}},
	{"encode a public key in 33 bytes", func() any {
		pub := pub.ToECDSA()
		return crypto.CompressPubkey(pub)
	}},
	{"sign a digest", func() any {
		key, err := crypto.ToECDSA(secret)
		check(err)
		b, err := crypto.Sign(digest, key)
		check(err)
		return b
	}},
	{"sign a digest as wallets do", func() any {
		key, err := crypto.ToECDSA(secret)
		check(err)
		b, err := crypto.Sign(digest, key)
		check(err)
		b[64] += 27
		return b
	}},
	{"recover the signer", func() any {
		key, err := crypto.ToECDSA(secret)
		check(err)
		b, err := crypto.Sign(digest, key)
		check(err)
		pub, err := crypto.SigToPub(digest, b)
		check(err)
		return crypto.FromECDSAPub(pub)
	}},
	{"recover the signer of a wallet's signature", func() any {
		key, err := crypto.ToECDSA(secret)
		check(err)
		b, err := crypto.Sign(digest, key)
		check(err)
		b[64] += 27
		b[64] -= 27
		pub, err := crypto.Ecrecover(digest, b)
		check(err)
		return pub
	}},
	{"verify a signature of 64 bytes", func() any {
		key, err := crypto.ToECDSA(secret)
		check(err)
		b, err := crypto.Sign(digest, key)
		check(err)
		b, pub := b[:64], pub.SerializeCompressed()
		return crypto.VerifySignature(pub, digest, b)
	}},
	{"compute the address of a public key", func() any {
		pub := pub.ToECDSA()
		address := crypto.PubkeyToAddress(*pub)
		return address[:]
	}},
}
