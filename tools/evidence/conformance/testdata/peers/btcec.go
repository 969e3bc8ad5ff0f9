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

var btcecRows = []row{
	{"generate a key", func() any {
		key, err := btcec.NewPrivateKey()
		check(err)
		return len(key.Serialize())
	}},
	{"parse a private key", func() any {
		key, pub := btcec.PrivKeyFromBytes(secret)
		_ = pub
		return key.Serialize()
	}},
	{"encode a private key in 32 bytes", func() any {
		return key.Serialize()
	}},
	{"derive the public key", func() any {
		pub := key.PubKey()
		return pub.SerializeCompressed()
	}},
	{"parse a public key", func() any {
		b := pub.SerializeUncompressed()
		pub, err := btcec.ParsePubKey(b)
		check(err)
		return pub.SerializeCompressed()
	}},
	{"encode a public key in 33 bytes", func() any {
		return pub.SerializeCompressed()
	}},
	{"encode a public key in 65 bytes", func() any {
		return pub.SerializeUncompressed()
	}},
	{"encode a BIP-340 public key in 32 bytes", func() any {
		return schnorr.SerializePubKey(pub)
	}},
	{"parse a BIP-340 public key", func() any {
		b := schnorr.SerializePubKey(pub)
		pub, err := schnorr.ParsePubKey(b)
		check(err)
		return schnorr.SerializePubKey(pub)
	}},
	{"compare two public keys", func() any {
		return pub.IsEqual(otherPub)
	}},
	{"sign with ECDSA", func() any {
		sig := ecdsa.Sign(key, digest)
		return sig.Serialize()
	}},
	{"encode a signature in DER", func() any {
		sig := ecdsa.Sign(key, digest)
		return sig.Serialize()
	}},
	{"parse a signature in DER", func() any {
		sig, err := ecdsa.ParseDERSignature(der)
		check(err)
		return sig.Serialize()
	}},
	{"compare two signatures", func() any {
		sig, other := ecdsa.Sign(key, digest), ecdsa.Sign(key, digest)
		return sig.IsEqual(other)
	}},
	{"verify with ECDSA", func() any {
		sig := ecdsa.Sign(key, digest)
		return sig.Verify(digest, pub)
	}},
	{"sign a Bitcoin message", func() any {
		b := ecdsa.SignCompact(key, digest, true)
		return b
	}},
	{"recover the signer of a Bitcoin message", func() any {
		b := compact
		pub, compressed, err := ecdsa.RecoverCompact(b, digest)
		check(err)
		return append(pub.SerializeCompressed(), map[bool]byte{true: 1}[compressed])
	}},
	{"sign with BIP-340", func() any {
		sig, err := schnorr.Sign(key, digest)
		check(err)
		return sig.Verify(digest, pub)
	}},
	{"sign with BIP-340 and given randomness", func() any {
		sig, err := schnorr.Sign(key, digest, schnorr.CustomNonce(aux))
		check(err)
		return sig.Serialize()
	}},
	{"encode a BIP-340 signature in 64 bytes", func() any {
		sig, err := schnorr.Sign(key, digest, schnorr.CustomNonce(aux))
		check(err)
		return sig.Serialize()
	}},
	{"verify with BIP-340", func() any {
		signed, err := schnorr.Sign(key, digest)
		check(err)
		b := signed.Serialize()
		sig, err := schnorr.ParseSignature(b)
		check(err)
		return sig.Verify(digest, pub)
	}},
	{"compute a shared x coordinate", func() any {
		return btcec.GenerateSharedSecret(key, otherPub)
	}},
	{"derive a Taproot output key", func() any {
		output := txscript.ComputeTaprootOutputKey(pub, root)
		return output.SerializeCompressed()
	}},
	{"derive the private key of a Taproot output key", func() any {
		output := txscript.TweakTaprootPrivKey(*key, root)
		return output.Serialize()
	}},
	{"derive a child of a private key (BIP-32)", func() any {
		var t btcec.ModNScalar
		overflow := t.SetByteSlice(tweak)
		_ = overflow
		child := btcec.PrivKeyFromScalar(t.Add(&key.Key))
		return child.Serialize()
	}},
	{"derive a child of a public key (BIP-32)", func() any {
		var t btcec.ModNScalar
		overflow := t.SetByteSlice(tweak)
		_ = overflow
		var p, q btcec.JacobianPoint
		pub.AsJacobian(&p)
		btcec.ScalarBaseMultNonConst(&t, &q)
		btcec.AddNonConst(&p, &q, &p)
		p.ToAffine()
		child := btcec.NewPublicKey(&p.X, &p.Y)
		return child.SerializeCompressed()
	}},
	{"parse a scalar", func() any {
		var k btcec.ModNScalar
		overflow := k.SetByteSlice(tweak)
		_ = overflow
		b := k.Bytes()
		return b[:]
	}},
	{"k·G", func() any {
		var p btcec.JacobianPoint
		btcec.ScalarBaseMultNonConst(k, &p)
		return point(&p)
	}},
	{"k·P", func() any {
		var p, q btcec.JacobianPoint
		otherPub.AsJacobian(&p)
		btcec.ScalarMultNonConst(k, &p, &q)
		return point(&q)
	}},
	{"P + Q", func() any {
		var p, q btcec.JacobianPoint
		pub.AsJacobian(&p)
		otherPub.AsJacobian(&q)
		btcec.AddNonConst(&p, &q, &p)
		return point(&p)
	}},
	{"wipe a private key", func() any {
		key, _ := btcec.PrivKeyFromBytes(secret)
		key.Zero()
		return key.Key.IsZero()
	}},
}
