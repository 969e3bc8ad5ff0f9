//go:build amd64

package main

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"encoding/binary"
	"unsafe"

	"github.com/btcsuite/btcd/btcec/v2"
	btcEllswift "github.com/btcsuite/btcd/btcec/v2/ellswift"
	btcSchnorr "github.com/btcsuite/btcd/btcec/v2/schnorr"
	btcMuSig2 "github.com/btcsuite/btcd/btcec/v2/schnorr/musig2"
	dcrSchnorr "github.com/decred/dcrd/dcrec/secp256k1/v4/schnorr"
	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/compat/decred"
	decred "p256k1.mleku.dev/v2/compat/decred/ecdsa"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/internal/swift"
	"p256k1.mleku.dev/v2/keyformat"
	"p256k1.mleku.dev/v2/nostr/nip19"
	"p256k1.mleku.dev/v2/nostr/nip44"
	"p256k1.mleku.dev/v2/protocols/bip324"
	"p256k1.mleku.dev/v2/protocols/cashu"
	"p256k1.mleku.dev/v2/protocols/dleq"
	"p256k1.mleku.dev/v2/protocols/musig2"
	"p256k1.mleku.dev/v2/protocols/silentpayments"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/signer"
)

// operations are the calls of the library with secrets. A test in the folder above
// holds what this file calls against all exported functions; lint begins here.
var operations = []func(){scalars, points, keys, tweaks, publicTweaks, signECDSA, signSchnorr, agree, prove, multisign, pay, mint, signers, generators, formats, nostrKeys, transport, dropIn, dropInArithmetic, dropInBtcec, dropInMuSig2}

// must returns v, the result of an operation that succeeds.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// revealInt reveals 0 or 1.
func revealInt(v int) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(v))
	revealPart(b[:], 1)
}

// revealBool reveals false or true.
func revealBool(v bool) {
	reveal(unsafe.Slice((*byte)(unsafe.Pointer(&v)), 1)) // without a branch
}

func scalars() {
	var a, b, c curve.Scalar
	must(a.SetBytes(secret()))
	b.SetBytesReduced((*[32]byte)(secret()))
	reveal(b.Bytes())
	reveal(c.Set(&a).Bytes())
	revealPart(c.SetUint64(binary.LittleEndian.Uint64(secret())).Bytes(), 8)
	reveal(c.Add(&a, &b).Bytes())
	reveal(c.Sub(&a, &b).Bytes())
	reveal(c.Mul(&a, &b).Bytes())
	reveal(c.Negate(&a).Bytes())
	reveal(c.CondNegate(&a, secretBit()).Bytes())
	reveal(c.Invert(&a).Bytes())
	reveal(c.Select(&a, &b, secretBit()).Bytes())
	revealInt(a.Equal(&b))
	revealInt(a.IsZero())
	revealInt(a.IsHigh())
	a.Zero()
}

func points() {
	var k curve.Scalar
	must(k.SetBytes(secret()))
	var g, p, q, r curve.Point
	p.ScalarBaseMult(&k)
	q.ScalarMult(&k, g.SetGenerator())
	revealInt(p.Equal(&q))
	q.ScalarMult(&k, &p)
	revealInt(q.IsInfinity())
	reveal(must(r.Set(&p).BytesX()))
	reveal(r.Add(&p, &q).Bytes())
	reveal(r.Sub(&p, &q).Bytes())
	reveal(r.Double(&p).Bytes())
	revealPart(r.BytesUncompressed(), 64)
	reveal(r.Negate(&p).Bytes())
	reveal(r.CondNegate(&p, secretBit()).Bytes())
	reveal(r.Select(&p, &q, secretBit()).Bytes())
	reveal(r.Normalize().Bytes())
	revealInt(r.IsYOdd())
	reveal(must(q.SetBytes(r.Bytes())).Bytes())
	reveal(must(q.SetBytes(r.BytesUncompressed())).Bytes())
	reveal(must(q.LiftX(must(r.BytesX()))).Bytes())
	tag, uniform := []byte("tag"), make([]byte, 32)
	must(0, curve.ExpandMessageXMD(uniform, secret(), tag))
	reveal(uniform)
	reveal(must(q.HashToCurve(secret(), tag)).Bytes())
	reveal(must(q.EncodeToCurve(secret(), tag)).Bytes())
	p.Zero()
	batches()
}

// batches has as many as fill eight lanes, and some more.
func batches() {
	const n = 11
	scalars, points := make([]curve.Scalar, n), make([]curve.Point, n)
	x := make([][32]byte, n)
	for i := range scalars {
		must(scalars[i].SetBytes(secret()))
	}
	curve.ScalarBaseMultBatch(points, scalars)
	curve.ScalarMultBatch(points, &scalars[0], points)
	for i := range points {
		reveal(scalars[i].Bytes())
		points[i].Double(&points[i])
	}
	curve.NormalizeBatch(points)
	for i := range points {
		copy(x[i][:], must(points[i].BytesX()))
	}
	curve.LiftXBatch(points, x)
	for i := range points {
		reveal(points[i].Bytes())
	}
}

func keys() {
	k := must(p256k1.NewPrivateKey(secret()))
	reveal(k.Bytes())
	reveal(must(k.Scalar()).Bytes())
	must(0, k.Use(func(d curve.Scalar) error { reveal(d.Bytes()); return nil }))
	reveal(k.PublicKey().Bytes())
	reveal(k.Public().(*p256k1.PublicKey).Bytes())
	other := must(p256k1.NewPrivateKeyFromScalar(must(k.Scalar())))
	revealBool(k.Equal(other))
	reveal(must(p256k1.GenerateKey()).Bytes())
	n := other.Negate()
	reveal(n.Bytes())
	reveal(n.PublicKey().Bytes())
	other.Zero()
	for _, k := range must(p256k1.GenerateKeys(3)) {
		reveal(k.Bytes())
	}
	for _, k := range must(p256k1.NewPrivateKeys([][]byte{secret(), secret(), secret()})) {
		reveal(k.Bytes())
		reveal(k.PublicKey().Bytes())
	}
}

func tweaks() {
	k := must(p256k1.NewPrivateKey(secret()))
	reveal(must(k.TweakAdd(secret())).Bytes())
	reveal(must(k.TweakAddXOnly(secret())).Bytes())
	reveal(must(k.TweakMul(secret())).Bytes())
}

// publicTweaks has tweaks which are secret, of keys which are too.
func publicTweaks() {
	var k curve.Scalar
	var point curve.Point
	must(k.SetBytes(secret()))
	p := must(p256k1.NewPublicKeyFromPoint(point.ScalarBaseMult(&k)))
	reveal(must(p.TweakAdd(secret())).Bytes())
	reveal(must(p.TweakMul(secret())).Bytes())
	reveal(must(p.XOnly().TweakAdd(secret())).Bytes())
}

// digest is public, as a digest and as a message.
var digest = make([]byte, 32)

func signECDSA() {
	k := must(p256k1.NewPrivateKey(secret()))
	sig := must(ecdsa.Sign(k, digest))
	reveal(sig.Bytes())
	sig = must(ecdsa.SignWithEntropy(k, ecdsa.TruncateHash(digest), (*[32]byte)(secret())))
	reveal(sig.Bytes())
	recoverable := must(ecdsa.SignRecoverable(k, digest))
	reveal(recoverable.Bytes())
	sigs := make([]ecdsa.Signature, 3)
	must(0, ecdsa.SignBatch(sigs, []*p256k1.PrivateKey{k, must(p256k1.NewPrivateKey(secret())), k}, [][]byte{digest, digest, make([]byte, 32)}))
	for _, sig := range sigs {
		reveal(sig.Bytes())
	}
	s := ecdsa.NewSigner(k)
	reveal(s.Public().(*p256k1.PublicKey).Bytes())
	revealPart(must(s.Sign(nil, digest, crypto.SHA256)), 64)
	revealPart(must(s.Sign(rand.Reader, digest, nil)), 64)
}

func signSchnorr() {
	k := must(p256k1.NewPrivateKey(secret()))
	sig := must(schnorr.Sign(k, digest, (*[32]byte)(secret())))
	reveal(sig[:])
	sig = must(schnorr.Sign(k, digest, nil))
	reveal(sig[:])
	sigs := make([][64]byte, 3)
	must(0, schnorr.SignBatch(sigs, []*p256k1.PrivateKey{k, must(p256k1.NewPrivateKey(secret())), k}, [][]byte{digest, digest, nil}))
	for _, sig := range sigs {
		reveal(sig[:])
	}
	s := schnorr.NewSigner(k)
	reveal(s.Public().(*p256k1.XOnlyPublicKey).Bytes())
	reveal(must(s.Sign(nil, digest, crypto.SHA256)))
	reveal(must(s.SignMessage(rand.Reader, digest, crypto.SHA256)))
	tag := schnorr.NewTag("secret")
	for _, sum := range [][32]byte{tag.Sum(secret()), schnorr.TaggedHash("secret", secret())} {
		reveal(sum[:])
	}
}

// peer returns the public key of the other side of an agreement.
func peer() *p256k1.PublicKey {
	k := must(p256k1.NewPrivateKey(secret()))
	b := k.PublicKey().Bytes()
	reveal(b)
	return must(p256k1.NewPublicKey(b))
}

func agree() {
	k, p := must(p256k1.NewPrivateKey(secret())), peer()
	x := must(ecdh.X(k, p))
	reveal(x[:])
	x = must(ecdh.XFromXOnly(k, p.XOnly()))
	reveal(x[:])
	x = must(ecdh.SHA256(k, p))
	reveal(x[:])
	x = must(ecdh.NIP44ConversationKey(k, p.XOnly()))
	reveal(x[:])
	exchange()
}

// exchange has the encodings of public keys, which are public.
func exchange() {
	theirs := must(ellswift.Encode(peer(), new([32]byte)))
	for _, use := range []func(k *ellswift.PrivateKey) []byte{
		func(k *ellswift.PrivateKey) []byte { x := must(k.X(&theirs)); return x[:] },
		func(k *ellswift.PrivateKey) []byte { s := must(k.ECDH(&theirs, true)); return s[:] },
		func(k *ellswift.PrivateKey) []byte { s := must(k.ECDH(&theirs, false)); return s[:] },
	} {
		priv := must(p256k1.NewPrivateKey(secret()))
		pub := priv.PublicKey().Bytes()
		reveal(pub)
		ours := must(ellswift.Encode(must(p256k1.NewPublicKey(pub)), new([32]byte)))
		k := must(ellswift.NewPrivateKey(priv, &ours))
		reveal(use(k))
		k.Zero()
	}
	x := must(swift.ScalarMult(must(new(curve.Scalar).SetBytes(secret())), &theirs))
	reveal(x[:])
}

func signers() {
	s := signer.NewP256K1Signer()
	other := peer().XOnly().Bytes()
	for _, err := range []error{s.InitSec(secret()), s.Generate()} {
		if err != nil {
			panic(err)
		}
		reveal(s.Sec())
		reveal(s.Pub())
		reveal(must(s.Sign(digest)))
		reveal(must(s.ECDH(other)))
		reveal(must(s.ECDHRaw(other)))
	}
	s.Zero()
}

// Signing verifies what it signed, in variable time. So what comes before that is called by its name in the package.

//go:linkname partial p256k1.mleku.dev/v2/protocols/musig2.(*Session).partial
func partial(s *musig2.Session, nonce unsafe.Pointer, priv *p256k1.PrivateKey, key *[33]byte) (musig2.PartialSignature, error)

//go:linkname deterministic p256k1.mleku.dev/v2/protocols/musig2.deterministic
func deterministic(priv *p256k1.PrivateKey, others *musig2.AggregateNonce, q, msg []byte, aux *[32]byte) (unsafe.Pointer, error)

func multisign() {
	priv := must(p256k1.NewPrivateKey(secret()))
	pub := (*[33]byte)(priv.PublicKey().Bytes())
	reveal(pub[:])
	n, public, err := musig2.NewNonce(priv, nil, nil)
	must(0, err)
	revealNew(public.Bytes(), 64)
	sig, err := partial(ceremony.session, **(**unsafe.Pointer)(unsafe.Pointer(n)), priv, pub)
	must(0, err)
	revealNew(sig.Bytes(), 32)
	n.Zero()
	for _, aux := range []*[32]byte{nil, (*[32]byte)(secret())} {
		k, err := deterministic(priv, &ceremony.sum, pub[1:], digest, aux)
		must(0, err)
		sig, err := partial(ceremony.session, k, priv, pub)
		must(0, err)
		reveal(sig.Bytes())
	}
}

func prove() {
	k, b := must(p256k1.NewPrivateKey(secret())), peer()
	for _, opts := range []*dleq.Options{nil, {Generator: peer(), Message: (*[32]byte)(digest), AuxRand: (*[32]byte)(secret())}} {
		c, proof, err := dleq.Prove(k, b, opts)
		must(0, err)
		reveal(c.Bytes())
		reveal(proof[:])
	}
}

// public returns the public key of k, which is public.
func public(k *p256k1.PrivateKey) *p256k1.PublicKey {
	b := k.PublicKey().Bytes()
	reveal(b)
	return must(p256k1.NewPublicKey(b))
}

// pay is a payment to an address, to one with a label and to change, of which the recipient finds all.
func pay() {
	var keys []*p256k1.PrivateKey
	for _, b := range payment.keys {
		b = bytes.Clone(b)
		hide(b)
		keys = append(keys, must(p256k1.NewPrivateKey(b)))
	}
	spend := must(p256k1.NewPrivateKey(secret()))
	s := must(silentpayments.NewScanner(must(p256k1.NewPrivateKey(secret())), public(spend), 1, 2))
	to := []silentpayments.Recipient{{Scan: peer(), Spend: peer()}, s.Recipient(), must(s.Labeled(1)), s.Change()}
	for i := range to {
		for _, key := range []**p256k1.PublicKey{&to[i].Scan, &to[i].Spend} {
			b := (*key).Bytes()
			revealPart(b, 0) // some of it before
			*key = must(p256k1.NewPublicKey(b))
		}
	}
	var outputs [][32]byte
	var prefixes []uint64
	for _, key := range must(silentpayments.CreateOutputs(payment.inputs, keys, to)) {
		reveal(key.Bytes())
		outputs, prefixes = append(outputs, [32]byte(key.Bytes())), append(prefixes, binary.BigEndian.Uint64(key.Bytes()))
	}
	for _, f := range must(s.Scan(payment.tweak, outputs)) {
		reveal(must(f.PrivateKey(spend)).Bytes())
		reveal(f.Tweak[:])
	}
	other := [33]byte(peer().Bytes())
	tweaks := [][33]byte{other, [33]byte(payment.tweak.Bytes()), other}
	if hits := must(s.ScanTweaks(tweaks, [][]uint64{prefixes, prefixes, nil})); len(hits) != 1 || hits[0].Tweak != 1 {
		panic("not found")
	}
	s.Zero()
}

func mint() {
	k, r, x := must(p256k1.NewPrivateKey(secret())), must(p256k1.NewPrivateKey(secret())), secret()
	reveal(must(cashu.HashToCurve(x)).Bytes()[1:])
	blinded := must(cashu.Blind(x, r)).Bytes()
	reveal(blinded)
	b := must(p256k1.NewPublicKey(blinded))
	sig := must(cashu.Sign(k, b))
	reveal(sig.DLEQ.E[:])
	reveal(sig.DLEQ.S[:])
	reveal(sig.C.Bytes())
	reveal(must(cashu.UnblindWithoutProof(peer(), cashu.BlindSignature{C: peer()}, r)).Bytes())
	revealBool(cashu.Verify(k, []byte("secret"), b))
}

// formats writes keys, and reads DER of which the public half is revealed. The ends
// of lines and strings, which parsers of text look for, depend on all of it: memcheck
// would not see more, so the texts are revealed, and only lint reads these parsers.
func formats() {
	k := must(p256k1.NewPrivateKey(secret()))
	der := must(keyformat.MarshalPKCS8PrivateKey(k))
	reveal(der[len(der)-64:])
	reveal(must(keyformat.ParsePKCS8PrivateKey(der)).Bytes())
	der = must(keyformat.MarshalECPrivateKey(k))
	reveal(der[len(der)-64:])
	reveal(must(keyformat.ParseECPrivateKey(der)).Bytes())
	text := must(keyformat.MarshalPrivateKeyPEM(k))
	revealPart(text, 128) // digits: 96 bytes of 135
	must(keyformat.ParsePrivateKeyPEM(text))
	text = must(keyformat.MarshalPrivateKeyJWK(k))
	revealPart(text, 3*43)
	must(keyformat.ParsePrivateKeyJWK(text))
}

// nostrKeys writes and reads an nsec, and encrypts. The payload comes from a table, out of which memcheck takes it for public. Of what
// is decrypted the length decides how much memory there is, so that this key is no secret to memcheck, and only lint reads Decrypt.
func nostrKeys() {
	k := must(p256k1.NewPrivateKey(secret()))
	nsec := must(nip19.AppendPrivateKey(make([]byte, 0, 63), k))
	reveal(must(nip19.ParsePrivateKey(nsec)).Bytes())
	var id [32]byte
	must(0, nip19.Decode(&id, nip19.Secret, nsec))
	revealPart(nip19.AppendEncode(nil, nip19.Secret, &id), 58)
	must(nip44.New(k, peer().XOnly())).Zero()
	must(nip44.FromKey((*[32]byte)(secret())).Encrypt(nil, secret()))
	c := nip44.FromKey(new([32]byte))
	must(c.Decrypt(nil, must(c.Encrypt(nil, []byte("a message")))))
}

// transport is a connection of BIP-324, with packets until the keys change. What it does with packets depends on their lengths
// and on whether they are authentic, which is public. So its keys are no secrets to memcheck, and only lint reads it.
func transport() {
	secrets := rand.Reader
	rand.Reader = publicReader{}
	defer func() { rand.Reader = secrets }()
	a, b := must(bip324.NewInitiator(nil)), must(bip324.NewResponder(nil))
	for range 3 {
		must(b.Receive(a.Send()))
		must(a.Receive(b.Send()))
	}
	from, to := a.Session(), b.Session()
	var buf [64]byte
	for range 300 {
		packet := must(from.Sealer.Seal(buf[:0], digest, false))
		must(to.Opener.Length(packet[:3]))
		contents, _, err := to.Opener.Open(packet[3:])
		must(contents, err)
	}
	for _, s := range []*bip324.Session{from, to} {
		s.Sealer.Zero()
		s.Opener.Zero()
	}
	a.Zero()
	b.Zero()
}

func generators() {
	g := signer.NewP256K1Gen()
	reveal(must(g.Generate()))
	g.Negate()
	sec, pub := g.KeyPairBytes()
	reveal(sec)
	reveal(pub)
}

// dropIn has what programs on Decred's API give private keys to.
func dropIn() {
	k := secp256k1.PrivKeyFromBytes(secret())
	reveal(k.Serialize())
	reveal(k.PubKey().SerializeCompressed())
	reveal(k.PubKey().SerializeUncompressed()[1:])
	other := must(secp256k1.ParsePubKey(peer().Bytes()))
	reveal(secp256k1.GenerateSharedSecret(k, other))
	var point, product secp256k1.JacobianPoint
	other.AsJacobian(&point)
	secp256k1.ScalarMultNonConst(&k.Key, &point, &product)
	product.ToAffine()
	reveal(product.X.Bytes()[:])
	secp256k1.ScalarBaseMultNonConst(&k.Key, &product)
	product.ToAffine()
	reveal(product.Y.Bytes()[:])
	sig := decred.Sign(k, digest)
	r, s := sig.R(), sig.S()
	for _, v := range []*secp256k1.ModNScalar{&r, &s, secp256k1.NonceRFC6979(secret(), digest, nil, nil, 0)} {
		b := v.Bytes()
		reveal(b[:])
	}
	reveal(decred.SignCompact(k, digest, true)[1:])
	reveal(must(secp256k1.GeneratePrivateKey()).Serialize())
	k.Zero()
}

// dropInArithmetic has the arithmetic of Decred's API, with which programs make schemes of their own.
func dropInArithmetic() {
	var s, a, b secp256k1.ModNScalar
	a.SetByteSlice(secret())
	b.SetByteSlice(secret())
	revealBool(s.SetByteSlice(secret()))
	for _, v := range []*secp256k1.ModNScalar{
		s.Set(&a).Add(&b), s.Set(&a).Mul(&b), s.Set(&a).Square(), s.Set(&a).Negate(), s.Set(&a).InverseNonConst(),
		secp256k1.NonceRFC6979(secret(), digest, secret(), secret()[:16], 1),
	} {
		c := v.Bytes()
		reveal(c[:])
	}
	for _, v := range []bool{a.IsZero(), a.IsOdd(), a.IsOverHalfOrder(), a.Equals(&b)} {
		revealBool(v)
	}

	var f, x, y secp256k1.FieldVal
	x.SetByteSlice(secret())
	y.SetByteSlice(secret())
	revealBool(f.SetByteSlice(secret()))
	for _, v := range []*secp256k1.FieldVal{
		f.Set(&x).Add(&y), f.Set(&x).AddInt(7), f.Set(&x).Mul(&y), f.Set(&x).MulInt(7), f.Set(&x).Square(), f.Set(&x).Negate(1), f.Set(&x).Inverse(),
	} {
		reveal(v.Normalize().Bytes()[:])
	}
	revealBool(f.SquareRootVal(&x))
	reveal(f.Bytes()[:])
	for _, v := range []bool{x.IsZero(), x.IsOne(), x.IsOdd(), x.Equals(&y), x.IsGtOrEqPrimeMinusOrder()} {
		revealBool(v)
	}
	revealBool(secp256k1.DecompressY(&x, secretBit() == 1, &y))
	reveal(y.Bytes()[:])

	var p, q secp256k1.JacobianPoint
	secp256k1.ScalarBaseMultNonConst(&a, &p)
	secp256k1.ScalarBaseMultNonConst(&b, &q)
	secp256k1.DoubleNonConst(&q, &q)
	same := secp256k1.MakeJacobianPoint(&p.X, &p.Y, &q.Z) // of no point, but the sum has a formula of its own
	secp256k1.AddNonConst(&same, &q, &same)
	reveal(same.X.Bytes()[:])
	secp256k1.AddNonConst(&p, &q, &p)
	secp256k1.AddNonConst(&p, &p, &p)
	revealBool(p.EquivalentNonConst(&q))
	p.ToAffine()
	reveal(p.X.Bytes()[:])
}

// dropInBtcec has what programs on btcec's API give private keys to, and Decred's Schnorr signatures: the subject is built with
// our modules in their place. What ecdsa has there is Decred's. FastSign leaves out the verification, which is of public values.
func dropInBtcec() {
	k, pub := btcec.PrivKeyFromBytes(secret())
	reveal(pub.SerializeCompressed())
	reveal(must(btcec.NewPrivateKey()).Serialize())
	reveal(must(dcrSchnorr.Sign(k, digest)).Serialize())
	reveal(must(btcSchnorr.Sign(k, digest, btcSchnorr.FastSign())).Serialize())
	reveal(must(btcSchnorr.Sign(k, digest, btcSchnorr.FastSign(), btcSchnorr.CustomNonce([32]byte(secret())))).Serialize())
	theirs := must(ellswift.Encode(peer(), new([32]byte)))
	for _, initiating := range []bool{true, false} {
		secret := must(btcEllswift.V2Ecdh(k, theirs, theirs, initiating))
		reveal(secret.CloneBytes())
	}
	x := must(btcEllswift.EllswiftECDHXOnly(theirs, k))
	reveal(x[:])
}

// dropInMuSig2 signs with a key and with nonces, of which the public halves are revealed.
func dropInMuSig2() {
	k, pub := btcec.PrivKeyFromBytes(secret())
	b := pub.SerializeCompressed()
	reveal(b)
	pub = must(btcec.ParsePubKey(b))
	keys := []*btcec.PublicKey{pub, btcec.Generator()}
	nonces := must(btcMuSig2.GenNonces(btcMuSig2.WithCustomRand(secretReader{}), btcMuSig2.WithPublicKey(pub), btcMuSig2.WithNonceSecretKeyAux(k),
		btcMuSig2.WithNonceCombinedKeyAux(pub), btcMuSig2.WithNonceMessageAux([32]byte(digest))))
	revealPart(nonces.PubNonce[:], 66)
	sig := must(btcMuSig2.Sign(nonces.SecNonce, k, ceremony.nonce, keys, [32]byte(digest), btcMuSig2.WithFastSign()))
	s := sig.S.Bytes()
	reveal(s[:])
	c := must(btcMuSig2.NewContext(k, true, btcMuSig2.WithKnownSigners(keys), btcMuSig2.WithBip86TweakCtx()))
	session := must(c.NewSession(btcMuSig2.WithPreGeneratedNonce(nonces)))
	must(0, session.RegisterCombinedNonce(ceremony.nonce))
	sig = must(session.Sign([32]byte(digest), btcMuSig2.WithFastSign()))
	s = sig.S.Bytes()
	reveal(s[:])
}
