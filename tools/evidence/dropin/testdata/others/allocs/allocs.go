// The program allocs calls every exported function and method of Decred's module and of btcec's module, except for
// package musig2, and prints the number of allocations of each.
package main

import (
	"bytes"
	"fmt"
	"math/big"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	becdsa "github.com/btcsuite/btcd/btcec/v2/ecdsa"
	"github.com/btcsuite/btcd/btcec/v2/ellswift"
	bschnorr "github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/schnorr"
)

// Results are stored here, so that the compiler cannot remove the calls. Small results are stored by value, as by most
// callers.
var (
	yes  bool
	bits uint32
	arr  [32]byte
	any_ any
)

// count prints the number of allocations of f.
func count(name string, f func()) {
	fmt.Fprintf(out, "%v %s\n", testing.AllocsPerRun(20, f), name)
}

// least prints the number of allocations of f when its first random number fits, which is the least of 200 runs: a
// number fits with a probability of more than 1/5.
func least(name string, f func()) {
	allocs := testing.AllocsPerRun(1, f)
	for range 200 {
		allocs = min(allocs, testing.AllocsPerRun(1, f))
	}
	fmt.Fprintf(out, "%v %s\n", allocs, name)
}

// show is not used, but calls.go needs it.
func show(v any) any { return v }

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func play() {
	digest := bytes.Repeat([]byte{8}, 32)
	key := secp256k1.PrivKeyFromBytes(bytes.Repeat([]byte{7}, 32))
	pub := key.PubKey()
	fields(pub, digest)
	scalars(&key.Key, digest)
	points(key, pub)
	curve(key, pub)
	keys(key, pub, digest)
	signatures(key, pub, digest)
	btcecs(key, pub, digest)
	encodings(key)
}

func fields(pub *secp256k1.PublicKey, digest []byte) {
	var j secp256k1.JacobianPoint
	pub.AsJacobian(&j)
	a, b := j.X, j.Y
	var f secp256k1.FieldVal
	var buffer [32]byte
	count("FieldVal.Add", func() { f.Add(&a) })
	count("FieldVal.Add2", func() { f.Add2(&a, &b) })
	count("FieldVal.AddInt", func() { f.AddInt(3) })
	count("FieldVal.Bytes", func() { arr = *a.Bytes() })
	count("FieldVal.Bytes, a slice", func() { copy(arr[:], a.Bytes()[:]) })
	count("FieldVal.Equals", func() { yes = a.Equals(&b) })
	count("FieldVal.Inverse", func() { f.Set(&a).Inverse() })
	count("FieldVal.IsGtOrEqPrimeMinusOrder", func() { yes = a.IsGtOrEqPrimeMinusOrder() })
	count("FieldVal.IsOdd", func() { yes = a.IsOdd() })
	count("FieldVal.IsOddBit", func() { bits = a.IsOddBit() })
	count("FieldVal.IsOne", func() { yes = a.IsOne() })
	count("FieldVal.IsOneBit", func() { bits = a.IsOneBit() })
	count("FieldVal.IsZero", func() { yes = a.IsZero() })
	count("FieldVal.IsZeroBit", func() { bits = a.IsZeroBit() })
	count("FieldVal.Mul", func() { f.Mul(&a) })
	count("FieldVal.Mul2", func() { f.Mul2(&a, &b) })
	count("FieldVal.MulInt", func() { f.Set(&a).MulInt(3) })
	count("FieldVal.Negate", func() { f.Set(&a).Negate(1) })
	count("FieldVal.NegateVal", func() { f.NegateVal(&a, 1) })
	count("FieldVal.Normalize", func() { f.Normalize() })
	count("FieldVal.PutBytes", func() { a.PutBytes(&buffer) })
	count("FieldVal.PutBytesUnchecked", func() { a.PutBytesUnchecked(buffer[:]) })
	count("FieldVal.Set", func() { f.Set(&a) })
	count("FieldVal.SetByteSlice", func() { yes = f.SetByteSlice(digest) })
	count("FieldVal.SetBytes", func() { bits = f.SetBytes(&buffer) })
	count("FieldVal.SetInt", func() { f.SetInt(3) })
	count("FieldVal.Square", func() { f.Square() })
	count("FieldVal.SquareVal", func() { f.SquareVal(&a) })
	count("FieldVal.SquareRootVal", func() { yes = f.SquareRootVal(&a) })
	count("FieldVal.String", func() { any_ = a.String() })
	count("FieldVal.Zero", func() { f.Zero() })
	count("new(FieldVal)", func() { yes = new(secp256k1.FieldVal).Mul2(&a, &b).Normalize().IsOdd() })
}

func scalars(a *secp256k1.ModNScalar, digest []byte) {
	var s, b secp256k1.ModNScalar
	var buffer [32]byte
	b.SetByteSlice(digest)
	count("ModNScalar.Add", func() { s.Add(a) })
	count("ModNScalar.Add2", func() { s.Add2(a, &b) })
	count("ModNScalar.Bytes", func() { arr = a.Bytes() })
	count("ModNScalar.Equals", func() { yes = a.Equals(&b) })
	count("ModNScalar.InverseNonConst", func() { s.Set(a).InverseNonConst() })
	count("ModNScalar.InverseValNonConst", func() { s.InverseValNonConst(a) })
	count("ModNScalar.IsOdd", func() { yes = a.IsOdd() })
	count("ModNScalar.IsOverHalfOrder", func() { yes = a.IsOverHalfOrder() })
	count("ModNScalar.IsZero", func() { yes = a.IsZero() })
	count("ModNScalar.IsZeroBit", func() { bits = a.IsZeroBit() })
	count("ModNScalar.Mul", func() { s.Mul(a) })
	count("ModNScalar.Mul2", func() { s.Mul2(a, &b) })
	count("ModNScalar.Negate", func() { s.Negate() })
	count("ModNScalar.NegateVal", func() { s.NegateVal(a) })
	count("ModNScalar.PutBytes", func() { a.PutBytes(&buffer) })
	count("ModNScalar.PutBytesUnchecked", func() { a.PutBytesUnchecked(buffer[:]) })
	count("ModNScalar.Set", func() { s.Set(a) })
	count("ModNScalar.SetByteSlice", func() { yes = s.SetByteSlice(digest) })
	count("ModNScalar.SetBytes", func() { bits = s.SetBytes(&buffer) })
	count("ModNScalar.SetInt", func() { s.SetInt(3) })
	count("ModNScalar.Square", func() { s.Square() })
	count("ModNScalar.SquareVal", func() { s.SquareVal(a) })
	count("ModNScalar.String", func() { any_ = a.String() })
	count("ModNScalar.Zero", func() { s.Zero() })
	count("new(ModNScalar)", func() { yes = new(secp256k1.ModNScalar).Mul2(a, &b).IsOdd() })
}

func points(key *secp256k1.PrivateKey, pub *secp256k1.PublicKey) {
	var a, b, q secp256k1.JacobianPoint
	pub.AsJacobian(&a)
	secp256k1.DoubleNonConst(&a, &b)
	var y secp256k1.FieldVal
	count("AddNonConst", func() { secp256k1.AddNonConst(&a, &b, &q) })
	count("DecompressY", func() { yes = secp256k1.DecompressY(&a.X, true, &y) })
	count("DoubleNonConst", func() { secp256k1.DoubleNonConst(&b, &q) })
	count("JacobianPoint.EquivalentNonConst", func() { yes = a.EquivalentNonConst(&b) })
	count("JacobianPoint.Set", func() { q.Set(&a) })
	count("JacobianPoint.ToAffine", func() { q.Set(&b); q.ToAffine() })
	count("MakeJacobianPoint", func() { q = secp256k1.MakeJacobianPoint(&a.X, &a.Y, &a.Z) })
	count("ScalarBaseMultNonConst", func() { secp256k1.ScalarBaseMultNonConst(&key.Key, &q) })
	count("ScalarMultNonConst", func() { secp256k1.ScalarMultNonConst(&key.Key, &b, &q) })
	count("btcec.AddNonConst", func() { btcec.AddNonConst(&a, &b, &q) })
	count("btcec.DecompressY", func() { yes = btcec.DecompressY(&a.X, true, &y) })
	count("btcec.DoubleNonConst", func() { btcec.DoubleNonConst(&b, &q) })
	count("btcec.Generator", func() { yes = btcec.Generator().IsOnCurve() })
	count("btcec.GeneratorJacobian", func() { btcec.GeneratorJacobian(&q) })
	count("btcec.JacobianToByteSlice", func() { any_ = btcec.JacobianToByteSlice(b) })
	count("btcec.MakeJacobianPoint", func() { q = btcec.MakeJacobianPoint(&a.X, &a.Y, &a.Z) })
	encoded := pub.SerializeCompressed()
	count("btcec.ParseJacobian", func() { q = must(btcec.ParseJacobian(encoded)) })
	count("btcec.ScalarBaseMultNonConst", func() { btcec.ScalarBaseMultNonConst(&key.Key, &q) })
	count("btcec.ScalarMultNonConst", func() { btcec.ScalarMultNonConst(&key.Key, &b, &q) })
}

func curve(key *secp256k1.PrivateKey, pub *secp256k1.PublicKey) {
	c := secp256k1.S256()
	x, y, k := pub.X(), pub.Y(), key.Serialize()
	x2, y2 := c.Double(x, y)
	two := func(a, b *big.Int) { any_ = a; any_ = b }
	count("KoblitzCurve.Add", func() { two(c.Add(x, y, x2, y2)) })
	count("KoblitzCurve.Double", func() { two(c.Double(x, y)) })
	count("KoblitzCurve.IsOnCurve", func() { yes = c.IsOnCurve(x, y) })
	count("KoblitzCurve.Params", func() { any_ = c.Params() })
	count("KoblitzCurve.ScalarBaseMult", func() { two(c.ScalarBaseMult(k)) })
	count("KoblitzCurve.ScalarMult", func() { two(c.ScalarMult(x, y, k)) })
	long := append(k, k...)
	count("KoblitzCurve.ScalarBaseMult, of 64 bytes", func() { two(c.ScalarBaseMult(long)) })
	count("Params", func() { any_ = secp256k1.Params() })
	count("S256", func() { any_ = secp256k1.S256() })
	count("btcec.Params", func() { any_ = btcec.Params() })
	count("btcec.S256", func() { any_ = btcec.S256() })
	count("PrivateKey.ToECDSA", func() { any_ = key.ToECDSA() })
	count("PublicKey.ToECDSA", func() { any_ = pub.ToECDSA() })
	count("PublicKey.X", func() { any_ = pub.X() })
	count("PublicKey.Y", func() { any_ = pub.Y() })
}

func keys(key *secp256k1.PrivateKey, pub *secp256k1.PublicKey, digest []byte) {
	var j secp256k1.JacobianPoint
	k := key.Serialize()
	compressed, uncompressed := pub.SerializeCompressed(), pub.SerializeUncompressed()
	serialized := btcec.ToSerialized(pub)
	random := bytes.NewReader(k)
	count("GeneratePrivateKey", func() { any_ = must(secp256k1.GeneratePrivateKey()) })
	count("GeneratePrivateKeyFromRand", func() { random.Reset(k); any_ = must(secp256k1.GeneratePrivateKeyFromRand(random)) })
	count("GenerateSharedSecret", func() { any_ = secp256k1.GenerateSharedSecret(key, pub) })
	count("NewPrivateKey", func() { any_ = secp256k1.NewPrivateKey(&key.Key) })
	count("NewPublicKey", func() { any_ = secp256k1.NewPublicKey(&j.X, &j.Y) })
	count("NonceRFC6979", func() { any_ = secp256k1.NonceRFC6979(k, digest, nil, nil, 0) })
	count("NonceRFC6979, all", func() { any_ = secp256k1.NonceRFC6979(k, digest, k, k[:16], 1) })
	count("ParsePubKey", func() { any_ = must(secp256k1.ParsePubKey(compressed)) })
	count("ParsePubKey, uncompressed", func() { any_ = must(secp256k1.ParsePubKey(uncompressed)) })
	count("PrivKeyFromBytes", func() { any_ = secp256k1.PrivKeyFromBytes(k) })
	count("PrivKeyFromBytes, kept", func() { bits = secp256k1.PrivKeyFromBytes(k).Key.IsZeroBit() })
	count("PrivateKey.PubKey", func() { any_ = key.PubKey() })
	count("PrivateKey.PubKey, kept", func() { yes = key.PubKey().IsOnCurve() })
	count("PrivateKey.Serialize", func() { any_ = key.Serialize() })
	count("PrivateKey.Serialize, kept", func() { copy(arr[:], key.Serialize()) })
	count("PrivateKey.Zero", func() { other := *key; other.Zero(); yes = other.Key.IsOdd() })
	count("PublicKey.AsJacobian", func() { pub.AsJacobian(&j) })
	count("PublicKey.IsEqual", func() { yes = pub.IsEqual(pub) })
	count("PublicKey.IsOnCurve", func() { yes = pub.IsOnCurve() })
	count("PublicKey.SerializeCompressed", func() { any_ = pub.SerializeCompressed() })
	count("PublicKey.SerializeCompressed, kept", func() { copy(arr[:], pub.SerializeCompressed()) })
	count("PublicKey.SerializeUncompressed", func() { any_ = pub.SerializeUncompressed() })
	count("PublicKey.SerializeUncompressed, kept", func() { copy(arr[:], pub.SerializeUncompressed()) })
	count("schnorr.ParsePubKey", func() { any_ = must(schnorr.ParsePubKey(compressed)) })
	count("ParsePubKey, an error", func() { _, any_ = secp256k1.ParsePubKey(k) })
	count("ParsePubKey, no point", func() { _, any_ = secp256k1.ParsePubKey(append([]byte{2, 31: 0}, 5)) })
	count("btcec.GenerateSharedSecret", func() { any_ = btcec.GenerateSharedSecret(key, pub) })
	count("btcec.IsCompressedPubKey", func() { yes = btcec.IsCompressedPubKey(compressed) })
	count("btcec.NewPrivateKey", func() { any_ = must(btcec.NewPrivateKey()) })
	count("btcec.NewPublicKey", func() { any_ = btcec.NewPublicKey(&j.X, &j.Y) })
	count("btcec.NonceRFC6979", func() { any_ = btcec.NonceRFC6979(k, digest, nil, nil, 0) })
	count("btcec.ParsePubKey", func() { any_ = must(btcec.ParsePubKey(compressed)) })
	count("btcec.PrivKeyFromBytes", func() { a, b := btcec.PrivKeyFromBytes(k); any_ = a; any_ = b })
	count("btcec.PrivKeyFromScalar", func() { any_ = btcec.PrivKeyFromScalar(&key.Key) })
	count("btcec.SerializedKey.CopyBytes", func() { any_ = serialized.CopyBytes() })
	count("btcec.SerializedKey.CopyBytes, kept", func() { copy(arr[:], serialized.CopyBytes()) })
	count("btcec.SerializedKey.SchnorrSerialized", func() { arr = serialized.SchnorrSerialized() })
	count("btcec.SerializedKey.ToPubKey", func() { any_ = must(serialized.ToPubKey()) })
	count("btcec.ToSerialized", func() { serialized = btcec.ToSerialized(pub) })
}

func signatures(key *secp256k1.PrivateKey, pub *secp256k1.PublicKey, digest []byte) {
	sig, compact := ecdsa.Sign(key, digest), ecdsa.SignCompact(key, digest, true)
	r, s := sig.R(), sig.S()
	der := sig.Serialize()
	count("ecdsa.NewSignature", func() { any_ = ecdsa.NewSignature(&r, &s) })
	count("ecdsa.ParseDERSignature", func() { any_ = must(ecdsa.ParseDERSignature(der)) })
	count("ecdsa.ParseDERSignature, an error", func() { _, any_ = ecdsa.ParseDERSignature(digest) })
	count("ecdsa.RecoverCompact", func() { q, _, err := ecdsa.RecoverCompact(compact, digest); any_ = must(q, err) })
	count("ecdsa.Sign", func() { any_ = ecdsa.Sign(key, digest) })
	count("ecdsa.SignCompact", func() { any_ = ecdsa.SignCompact(key, digest, true) })
	count("ecdsa.Signature.IsEqual", func() { yes = sig.IsEqual(sig) })
	count("ecdsa.Signature.R", func() { r = sig.R() })
	count("ecdsa.Signature.S", func() { s = sig.S() })
	count("ecdsa.Signature.Serialize", func() { any_ = sig.Serialize() })
	count("ecdsa.Signature.Verify", func() { yes = sig.Verify(digest, pub) })

	own := must(schnorr.Sign(key, digest))
	encoded := own.Serialize()
	x := own.R()
	count("schnorr.NewSignature", func() { any_ = schnorr.NewSignature(&x, &s) })
	count("schnorr.ParseSignature", func() { any_ = must(schnorr.ParseSignature(encoded)) })
	count("schnorr.Sign", func() { any_ = must(schnorr.Sign(key, digest)) })
	count("schnorr.Signature.IsEqual", func() { yes = own.IsEqual(own) })
	count("schnorr.Signature.R", func() { x = own.R() })
	count("schnorr.Signature.S", func() { s = own.S() })
	count("schnorr.Signature.Serialize", func() { any_ = own.Serialize() })
	count("schnorr.Signature.Serialize, kept", func() { copy(arr[:], own.Serialize()) })
	count("schnorr.Signature.Verify", func() { yes = own.Verify(digest, pub) })
}

func btcecs(key *secp256k1.PrivateKey, pub *secp256k1.PublicKey, digest []byte) {
	sig, compact := becdsa.Sign(key, digest), becdsa.SignCompact(key, digest, true)
	r, s := sig.R(), sig.S()
	der := sig.Serialize()
	count("btcec/ecdsa.NewSignature", func() { any_ = becdsa.NewSignature(&r, &s) })
	count("btcec/ecdsa.ParseDERSignature", func() { any_ = must(becdsa.ParseDERSignature(der)) })
	count("btcec/ecdsa.ParseDERSignature, an error", func() { _, any_ = becdsa.ParseDERSignature(digest) })
	count("btcec/ecdsa.ParseSignature", func() { any_ = must(becdsa.ParseSignature(der)) })
	count("btcec/ecdsa.RecoverCompact", func() { q, _, err := becdsa.RecoverCompact(compact, digest); any_ = must(q, err) })
	count("btcec/ecdsa.Sign", func() { any_ = becdsa.Sign(key, digest) })
	count("btcec/ecdsa.SignCompact", func() { any_ = becdsa.SignCompact(key, digest, true) })
	count("btcec/ecdsa.VerifyLowS", func() { any_ = becdsa.VerifyLowS(der) })

	own := must(bschnorr.Sign(key, digest))
	encoded, x := own.Serialize(), bschnorr.SerializePubKey(pub)
	var j secp256k1.JacobianPoint
	pub.AsJacobian(&j)
	count("btcec/schnorr.NewSignature", func() { any_ = bschnorr.NewSignature(&j.X, &s) })
	count("btcec/schnorr.ParsePubKey", func() { any_ = must(bschnorr.ParsePubKey(x)) })
	count("btcec/schnorr.ParseSignature", func() { any_ = must(bschnorr.ParseSignature(encoded)) })
	count("btcec/schnorr.SerializePubKey", func() { any_ = bschnorr.SerializePubKey(pub) })
	count("btcec/schnorr.SerializePubKey, kept", func() { copy(arr[:], bschnorr.SerializePubKey(pub)) })
	count("btcec/schnorr.Sign", func() { any_ = must(bschnorr.Sign(key, digest)) })
	count("btcec/schnorr.Sign, FastSign", func() { any_ = must(bschnorr.Sign(key, digest, bschnorr.FastSign())) })
	count("btcec/schnorr.Sign, CustomNonce", func() { any_ = must(bschnorr.Sign(key, digest, bschnorr.CustomNonce([32]byte{}))) })
	count("btcec/schnorr.Sign, both", func() { any_ = must(bschnorr.Sign(key, digest, bschnorr.FastSign(), bschnorr.CustomNonce([32]byte{}))) })
	count("btcec/schnorr.Signature.IsEqual", func() { yes = own.IsEqual(own) })
	count("btcec/schnorr.Signature.Serialize", func() { any_ = own.Serialize() })
	count("btcec/schnorr.Signature.Serialize, kept", func() { copy(arr[:], own.Serialize()) })
	count("btcec/schnorr.Signature.Verify", func() { yes = own.Verify(digest, pub) })
}

func encodings(key *secp256k1.PrivateKey) {
	encoding := [64]byte(bytes.Repeat([]byte{9}, 64))
	var u, t secp256k1.FieldVal
	u.SetByteSlice(encoding[:32])
	t.SetByteSlice(encoding[32:])
	x := must(ellswift.XSwiftEC(&u, &t))
	least("ellswift.EllswiftCreate", func() { a, b, _ := ellswift.EllswiftCreate(); any_ = a; arr = [32]byte(b[:]) })
	count("ellswift.EllswiftECDHXOnly", func() { arr = must(ellswift.EllswiftECDHXOnly(encoding, key)) })
	count("ellswift.V2Ecdh", func() { any_ = must(ellswift.V2Ecdh(key, encoding, encoding, true)) })
	least("ellswift.XElligatorSwift", func() { a, b, _ := ellswift.XElligatorSwift(x); any_ = a; any_ = b })
	count("ellswift.XSwiftEC", func() { any_ = must(ellswift.XSwiftEC(&u, &t)) })
	for way := range 8 {
		count(fmt.Sprintf("ellswift.XSwiftECInv, %d", way), func() { any_ = ellswift.XSwiftECInv(&u, x, way) })
	}
}
