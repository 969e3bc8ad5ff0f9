package main

import "p256k1.mleku.dev"

var (
	v1Pair, _ = p256k1.KeyPairCreate(secret)
	v1Pub     = v1Pair.Pubkey()
	v1Other   p256k1.PublicKey
	_         = p256k1.ECPubkeyCreate(&v1Other, other)
)

func v1Bytes(pub *p256k1.PublicKey) []byte {
	b := make([]byte, 33)
	return b[:p256k1.ECPubkeySerialize(b, pub, p256k1.ECCompressed)]
}

var v1Rows = []row{
	{"parse a private key", func() any {
		pair, err := p256k1.KeyPairCreate(secret)
		check(err)
		return pair.Seckey()
	}},
	{"parse a public key", func() any {
		var pub p256k1.PublicKey
		b := v1Bytes(v1Pub)
		err := p256k1.ECPubkeyParse(&pub, b)
		check(err)
		return v1Bytes(&pub)
	}},
	{"encode a public key in 33 bytes", func() any {
		pub, b := v1Pub, make([]byte, 33)
		p256k1.ECPubkeySerialize(b, pub, p256k1.ECCompressed)
		return b
	}},
	{"parse a BIP-340 public key", func() any {
		b := v1Bytes(v1Pub)[1:]
		x, err := p256k1.XOnlyPubkeyParse(b)
		check(err)
		serialized := x.Serialize()
		return serialized[:]
	}},
	{"sign with BIP-340 and given randomness", func() any {
		pair, sig := v1Pair, make([]byte, 64)
		err := p256k1.SchnorrSign(sig, digest, pair, aux[:])
		check(err)
		return sig
	}},
	{"verify with BIP-340", func() any {
		x, err := v1Pair.XOnlyPubkey()
		check(err)
		b := make([]byte, 64)
		check(p256k1.SchnorrSign(b, digest, v1Pair, nil))
		return p256k1.SchnorrVerify(b, digest, x)
	}},
	{"sign with ECDSA", func() any {
		der, err := p256k1.ECDSASignDER(digest, secret)
		check(err)
		return der
	}},
	{"verify a signature in DER", func() any {
		der, err := p256k1.ECDSASignDER(digest, secret)
		check(err)
		pub := v1Pub
		return p256k1.ECDSAVerifyDER(der, digest, pub)
	}},
	{"compute a shared secret", func() any {
		otherPub, b := &v1Other, make([]byte, 32)
		err := p256k1.ECDH(b, otherPub, secret, nil)
		check(err)
		return b
	}},
	{"compute a shared x coordinate", func() any {
		otherPub, b := &v1Other, make([]byte, 32)
		err := p256k1.ECDHXOnly(b, otherPub, secret)
		check(err)
		return b
	}},
}
