package main

import (
	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/ecdsa"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/txscript"
)

var (
	key, pub    = btcec.PrivKeyFromBytes(secret)
	_, otherPub = btcec.PrivKeyFromBytes(other)
	der         = ecdsa.Sign(key, digest).Serialize()
	compact     = ecdsa.SignCompact(key, digest, true)
	k           = &key.Key
)

// point returns the encoding of a point.
func point(p *btcec.JacobianPoint) []byte {
	p.ToAffine()
	return btcec.NewPublicKey(&p.X, &p.Y).SerializeCompressed()
}

// What stands before and after the cells of some rows, if … is the cell:
//
//	generate a key: …; len(key.Serialize())
//	parse a private key: …; key.Serialize()
//	derive the public key: …; pub.SerializeCompressed()
//	parse a public key: b := pub.SerializeUncompressed(); …; pub.SerializeCompressed()
//	parse a BIP-340 public key: b := schnorr.SerializePubKey(pub); …; schnorr.SerializePubKey(pub)
//	sign with ECDSA: …; sig.Serialize()
//	encode a signature in DER: sig := ecdsa.Sign(key, digest); …
//	parse a signature in DER: …; sig.Serialize()
//	compare two signatures: sig, other := ecdsa.Sign(key, digest), ecdsa.Sign(key, digest); …
//	verify with ECDSA: sig := ecdsa.Sign(key, digest); …
//	recover the signer of a Bitcoin message: b := compact; …; append(pub.SerializeCompressed(), map[bool]byte{true: 1}[compressed])
//	sign with BIP-340: …; sig.Verify(digest, pub)
//	sign with BIP-340 and given randomness: …; sig.Serialize()
//	encode a BIP-340 signature in 64 bytes: sig, err := schnorr.Sign(key, digest, schnorr.CustomNonce(aux)); …
//	verify with BIP-340: signed, err := schnorr.Sign(key, digest); b := signed.Serialize(); …
//	derive a Taproot output key: …; output.SerializeCompressed()
//	derive the private key of a Taproot output key: …; output.Serialize()
//	derive a child of a private key (BIP-32): var t btcec.ModNScalar; …; child.Serialize()
//	derive a child of a public key (BIP-32): var t btcec.ModNScalar; overflow := t.SetByteSlice(tweak); var p, q btcec.JacobianPoint; pub.AsJacobian(&p); …; child.SerializeCompressed()
//	parse a scalar: var k btcec.ModNScalar; …; b := k.Bytes(); b[:]
//	k·G: var p btcec.JacobianPoint; …; point(&p)
//	k·P: var p, q btcec.JacobianPoint; …; point(&q)
//	P + Q: var p, q btcec.JacobianPoint; pub.AsJacobian(&p); otherPub.AsJacobian(&q); …; point(&p)
//	wipe a private key: key, _ := btcec.PrivKeyFromBytes(secret); …; key.Key.IsZero()
