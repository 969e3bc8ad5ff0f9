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

// What stands before and after the cells of some rows, if … is the cell:
//
//	parse a private key: …; pair.Seckey()
//	parse a public key: var pub p256k1.PublicKey; b := v1Bytes(v1Pub); …; v1Bytes(&pub)
//	encode a public key in 33 bytes: pub, b := v1Pub, make([]byte, 33); …; b
//	parse a BIP-340 public key: b := v1Bytes(v1Pub)[1:]; …; serialized := x.Serialize(); serialized[:]
//	sign with BIP-340 and given randomness: pair, sig := v1Pair, make([]byte, 64); …; sig
//	verify with BIP-340: x, err := v1Pair.XOnlyPubkey(); b := make([]byte, 64); check(p256k1.SchnorrSign(b, digest, v1Pair, nil)); …
//	verify a signature in DER: der, err := p256k1.ECDSASignDER(digest, secret); pub := v1Pub; …
//	compute a shared secret: otherPub, b := &v1Other, make([]byte, 32); …; b
//	compute a shared x coordinate: otherPub, b := &v1Other, make([]byte, 32); …; b
