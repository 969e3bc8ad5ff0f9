//go:build amd64

package main

import (
	"github.com/btcsuite/btcd/btcec/v2"
	btcEllswift "github.com/btcsuite/btcd/btcec/v2/ellswift"
	btcSchnorr "github.com/btcsuite/btcd/btcec/v2/schnorr"
	btcMuSig2 "github.com/btcsuite/btcd/btcec/v2/schnorr/musig2"
	dcrSchnorr "github.com/decred/dcrd/dcrec/secp256k1/v4/schnorr"

	"p256k1.mleku.dev/v2/compat/decred"
	decred "p256k1.mleku.dev/v2/compat/decred/ecdsa"
	"p256k1.mleku.dev/v2/tools/evidence/operations"
)

// dropIns lists operations on secrets of the modules in the folder compat that have their own code for secrets.
var dropIns = []operations.Op{
	{Name: "compat/decred", Run: dropIn},
	{Name: "compat/decred, arithmetic", Run: dropInArithmetic},
	{Name: "compat/btcec", Run: dropInBtcec},
	{Name: "compat/btcec, musig2", Run: dropInMuSig2},
}

// must returns v, the result of an operation that succeeds.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// dropIn calls the functions to which programs on Decred's API pass private keys.
func dropIn(in *operations.In, out *operations.Out) {
	k := secp256k1.PrivKeyFromBytes(in.Secret)
	out.Bytes(k.Serialize(), k.PubKey().SerializeCompressed(), k.PubKey().SerializeUncompressed()[1:])
	other := must(secp256k1.ParsePubKey(in.Peer().Bytes()))
	out.Bytes(secp256k1.GenerateSharedSecret(k, other))
	var point, product secp256k1.JacobianPoint
	other.AsJacobian(&point)
	secp256k1.ScalarMultNonConst(&k.Key, &point, &product)
	product.ToAffine()
	out.Bytes(product.X.Bytes()[:])
	secp256k1.ScalarBaseMultNonConst(&k.Key, &product)
	product.ToAffine()
	out.Bytes(product.Y.Bytes()[:])
	sig := decred.Sign(k, in.Digest)
	r, s := sig.R(), sig.S()
	for _, v := range []*secp256k1.ModNScalar{&r, &s, secp256k1.NonceRFC6979(in.Secret, in.Digest, nil, nil, 0)} {
		b := v.Bytes()
		out.Bytes(b[:])
	}
	out.Bytes(decred.SignCompact(k, in.Digest, true)[1:], must(secp256k1.GeneratePrivateKey()).Serialize())
	k.Zero()
}

// dropInArithmetic calls the arithmetic of Decred's API, on which programs build their own schemes.
func dropInArithmetic(in *operations.In, out *operations.Out) {
	var s, a, b secp256k1.ModNScalar
	a.SetByteSlice(in.Secret)
	b.SetByteSlice(in.OtherSecret)
	out.Bool(s.SetByteSlice(in.Tweak))
	for _, v := range []*secp256k1.ModNScalar{
		s.Set(&a).Add(&b), s.Set(&a).Mul(&b), s.Set(&a).Square(), s.Set(&a).Negate(), s.Set(&a).InverseNonConst(),
		secp256k1.NonceRFC6979(in.Secret, in.Digest, in.Tweak, in.OtherSecret[:16], 1), s.SquareVal(&a), &secp256k1.NewPrivateKey(&a).Key,
	} {
		c := v.Bytes()
		out.Bytes(c[:])
		v.PutBytes(&c)
		v.PutBytesUnchecked(c[:])
		out.Bytes(c[:])
	}
	out.Bit(int(a.IsZeroBit()))
	out.Bool(a.IsZero(), a.IsOdd(), a.IsOverHalfOrder(), a.Equals(&b))

	var f, x, y secp256k1.FieldVal
	x.SetByteSlice(in.Secret)
	y.SetByteSlice(in.OtherSecret)
	out.Bool(f.SetByteSlice(in.Tweak))
	for _, v := range []*secp256k1.FieldVal{
		f.Set(&x).Add(&y), f.Set(&x).AddInt(7), f.Set(&x).Mul(&y), f.Set(&x).MulInt(7), f.Set(&x).Square(), f.Set(&x).Negate(1), f.Set(&x).Inverse(),
	} {
		out.Bytes(v.Normalize().Bytes()[:])
	}
	out.Bool(f.SquareRootVal(&x))
	out.Bytes(f.Bytes()[:])
	var unchecked [32]byte
	x.PutBytesUnchecked(unchecked[:])
	out.Bytes(unchecked[:])
	out.Bit(int(x.IsOddBit()), int(x.IsOneBit()))
	out.Bool(x.IsZero(), x.IsOne(), x.IsOdd(), x.Equals(&y), x.IsGtOrEqPrimeMinusOrder())
	out.Bool(secp256k1.DecompressY(&x, int(in.Secret[31]&1) == 1, &y))
	out.Bytes(y.Bytes()[:])

	var p, q secp256k1.JacobianPoint
	secp256k1.ScalarBaseMultNonConst(&a, &p)
	secp256k1.ScalarBaseMultNonConst(&b, &q)
	secp256k1.DoubleNonConst(&q, &q)
	same := secp256k1.MakeJacobianPoint(&p.X, &p.Y, &q.Z) // not a point of the curve, but makes AddNonConst use the formula for equal Z
	secp256k1.AddNonConst(&same, &q, &same)
	out.Bytes(same.X.Bytes()[:])
	secp256k1.AddNonConst(&p, &q, &p)
	secp256k1.AddNonConst(&p, &p, &p)
	out.Bool(p.EquivalentNonConst(&q))
	p.ToAffine()
	out.Bytes(p.X.Bytes()[:])
}

// dropInBtcec calls the functions to which programs on btcec's API pass private keys, and makes Decred's Schnorr
// signatures. The subject is built with this project's modules in place of Decred's module and btcec's module. It
// leaves out btcec's package ecdsa, whose functions that take private keys only call Decred's functions. FastSign
// leaves out the verification, whose inputs are public.
func dropInBtcec(in *operations.In, out *operations.Out) {
	k, pub := btcec.PrivKeyFromBytes(in.Secret)
	out.Bytes(pub.SerializeCompressed(), must(btcec.NewPrivateKey()).Serialize())
	out.Bytes(must(dcrSchnorr.Sign(k, in.Digest)).Serialize(), must(btcSchnorr.Sign(k, in.Digest, btcSchnorr.FastSign())).Serialize())
	out.Bytes(must(btcSchnorr.Sign(k, in.Digest, btcSchnorr.FastSign(), btcSchnorr.CustomNonce([32]byte(in.Tweak)))).Serialize())
	theirs := *in.Theirs()
	for _, initiating := range []bool{true, false} {
		secret := must(btcEllswift.V2Ecdh(k, theirs, theirs, initiating))
		out.Bytes(secret.CloneBytes())
	}
	x := must(btcEllswift.EllswiftECDHXOnly(theirs, k))
	out.Bytes(x[:])
}

// dropInMuSig2 signs with a key and with nonces, whose public halves are revealed.
func dropInMuSig2(in *operations.In, out *operations.Out) {
	k, pub := btcec.PrivKeyFromBytes(in.Secret)
	b := pub.SerializeCompressed()
	operations.Declassify(b, 33)
	pub = must(btcec.ParsePubKey(b))
	keys := []*btcec.PublicKey{pub, btcec.Generator()}
	nonces := must(btcMuSig2.GenNonces(btcMuSig2.WithCustomRand(secretReader{}), btcMuSig2.WithPublicKey(pub), btcMuSig2.WithNonceSecretKeyAux(k),
		btcMuSig2.WithNonceCombinedKeyAux(pub), btcMuSig2.WithNonceMessageAux([32]byte(in.Digest))))
	operations.Declassify(nonces.PubNonce[:], 66)
	ceremony := [66]byte(in.Ceremony().Others.Bytes())
	sig := must(btcMuSig2.Sign(nonces.SecNonce, k, ceremony, keys, [32]byte(in.Digest), btcMuSig2.WithFastSign()))
	s := sig.S.Bytes()
	out.Bytes(s[:])
	c := must(btcMuSig2.NewContext(k, true, btcMuSig2.WithKnownSigners(keys), btcMuSig2.WithBip86TweakCtx()))
	session := must(c.NewSession(btcMuSig2.WithPreGeneratedNonce(nonces)))
	must(0, session.RegisterCombinedNonce(ceremony))
	sig = must(session.Sign([32]byte(in.Digest), btcMuSig2.WithFastSign()))
	s = sig.S.Bytes()
	out.Bytes(s[:])
}
