// The program btcec calls every exported function of btcec's packages but musig2, and every method of the types that
// they declare, with random, edge-weighted and mutated arguments. It prints the results, errors with their kinds, and
// panics. With the replacement it must print the same as without the replacement.
package main

import (
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io"
	"math/big"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/ecdsa"
	"github.com/btcsuite/btcd/btcec/v2/ellswift"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
)

func show(v any) any {
	switch v := v.(type) {
	case *btcec.PublicKey:
		if v != nil {
			return fmt.Sprintf("%x", v.SerializeUncompressed())
		}
	case *ecdsa.Signature:
		if v != nil {
			return fmt.Sprint(v.R(), v.S())
		}
	case *schnorr.Signature:
		if v != nil {
			return fmt.Sprintf("%x", v.Serialize())
		}
	}
	return v
}

func play() {
	points()
	key := keys()
	signatures(key)
	xOnly(key)
	encodings(key)
}

// element returns a normalized element.
func element() *btcec.FieldVal {
	f := new(btcec.FieldVal)
	f.SetByteSlice(number())
	return f.Normalize()
}

func integer() *btcec.ModNScalar {
	s := new(btcec.ModNScalar)
	s.SetByteSlice(number())
	return s
}

// point returns a point of the curve, with Z = 1 or another Z, or infinity.
func point() *btcec.JacobianPoint {
	q := new(btcec.JacobianPoint)
	if r.IntN(16) == 0 {
		return q
	}
	btcec.ScalarBaseMultNonConst(integer(), q)
	q.ToAffine()
	if z := element(); r.IntN(2) == 0 && !z.IsZero() {
		var zz btcec.FieldVal
		zz.SquareVal(z)
		q.X.Mul(&zz).Normalize()
		q.Y.Mul(&zz).Mul(z).Normalize()
		q.Z.Mul(z).Normalize()
	}
	return q
}

// affine prints a point independently of its representation.
func affine(q btcec.JacobianPoint) string {
	if q.ToAffine(); q.X.IsZero() && q.Y.IsZero() {
		return "infinity"
	}
	return fmt.Sprint(q)
}

func points() {
	a, b, k := point(), point(), integer()
	if r.IntN(4) == 0 {
		*b = *a
	}
	say("MakeJacobianPoint", btcec.MakeJacobianPoint(&a.X, &b.Y, &a.Z))
	var q btcec.JacobianPoint
	btcec.AddNonConst(a, b, &q)
	say("AddNonConst", q)
	btcec.DoubleNonConst(a, &q)
	say("DoubleNonConst", q)
	btcec.ScalarBaseMultNonConst(k, &q)
	say("ScalarBaseMultNonConst", affine(q))
	btcec.ScalarMultNonConst(k, a, &q)
	say("ScalarMultNonConst", affine(q))
	btcec.GeneratorJacobian(&q)
	say("GeneratorJacobian", affine(q))
	say("Generator", btcec.Generator())
	c := btcec.S256()
	say("S256", c == btcec.S256(), c.Params().Name, *btcec.Params(), btcec.Params() == btcec.Params())
	kb := k.Bytes()
	x, y := c.ScalarBaseMult(kb[:])
	say("S256.ScalarBaseMult", x, y, c.IsOnCurve(x, y), c.IsOnCurve(x, new(big.Int).Add(y, x)))

	encoded := btcec.JacobianToByteSlice(*a)
	say("JacobianToByteSlice", encoded)
	// Arbitrary coordinates, mostly not on the curve.
	say("JacobianToByteSlice", btcec.JacobianToByteSlice(btcec.MakeJacobianPoint(element(), element(), element())))
	encoded = mutate(encoded)
	q, err := btcec.ParseJacobian(encoded)
	say("ParseJacobian", encoded, q, err)
	q, err = btcec.ParseJacobian(append([]byte{byte(r.IntN(5))}, number()...))
	say("ParseJacobian", q, err)
	f := new(btcec.FieldVal)
	say("DecompressY", btcec.DecompressY(element(), r.IntN(2) == 0, f), f.Normalize())
}

func keys() *btcec.PrivateKey {
	t := text()
	key, pub := btcec.PrivKeyFromBytes(t)
	say("PrivKeyFromBytes", t, key.Serialize(), pub, *btcec.PrivKeyFromScalar(&key.Key))
	say("PrivKeyFromScalar", *btcec.PrivKeyFromScalar(integer()))
	fresh, err := btcec.NewPrivateKey()
	say("NewPrivateKey", fresh.Key.IsZero(), len(fresh.Serialize()), err)
	_, other := btcec.PrivKeyFromBytes(number())
	if pub.IsOnCurve() && other.IsOnCurve() {
		say("GenerateSharedSecret", btcec.GenerateSharedSecret(key, other))
	}
	say("NonceRFC6979", btcec.NonceRFC6979(text(), text(), text(), number()[:16*r.IntN(2)+r.IntN(2)], uint32(r.IntN(3))))
	say("NewPublicKey", btcec.NewPublicKey(element(), element()))

	b := pub.SerializeCompressed()
	if r.IntN(2) == 0 {
		b = pub.SerializeUncompressed()
		if r.IntN(3) == 0 {
			b[0] = 6 | byte(r.IntN(2))
		}
	}
	b = mutate(b)
	parsed, err := btcec.ParsePubKey(b)
	say("ParsePubKey", b, parsed, err)
	say("IsCompressedPubKey", btcec.IsCompressedPubKey(b), btcec.IsCompressedPubKey(append([]byte{byte(r.IntN(6))}, number()...)), btcec.IsCompressedPubKey(nil))
	if r.IntN(8) == 0 {
		pub = btcec.NewPublicKey(element(), element())
	}
	s := btcec.ToSerialized(pub)
	say("ToSerialized", s, s == btcec.ToSerialized(other))
	if r.IntN(2) == 0 {
		s[r.IntN(33)] ^= 1 << r.IntN(8)
	}
	c := s.CopyBytes()
	say("SerializedKey", s.SchnorrSerialized(), c)
	c[0]++
	say("SerializedKey.CopyBytes", s)
	parsed, err = s.ToPubKey()
	say("SerializedKey.ToPubKey", parsed, err)
	return key
}

// parse parses a signature with every parser.
func parse(b []byte) *ecdsa.Signature {
	lax, err := ecdsa.ParseSignature(b)
	say("ecdsa.ParseSignature", b, lax, err)
	sig, err := ecdsa.ParseDERSignature(b)
	say("ecdsa.ParseDERSignature", sig, err)
	if verifyLowS != nil {
		err := verifyLowS(b)
		say("ecdsa.VerifyLowS", err)
	}
	return lax
}

func signatures(key *btcec.PrivateKey) {
	hash, pub := text(), key.PubKey()
	var e btcec.ModNScalar
	e.SetByteSlice(hash)
	parse(der())
	parse(text())
	made := ecdsa.NewSignature(integer(), integer())
	say("ecdsa.NewSignature", made, made.Serialize())
	parse(made.Serialize())
	if key.Key.IsZero() && e.IsZero() { // Decred's Sign does not terminate if both are 0
		return
	}
	sig := ecdsa.Sign(key, hash)
	say("ecdsa.Sign", sig)
	parsed := parse(mutate(sig.Serialize()))
	if parsed != nil && pub.IsOnCurve() {
		say("ecdsa.Signature.Verify", sig.Verify(hash, pub), parsed.Verify(hash, pub), parsed.IsEqual(sig))
	}
	compact := ecdsa.SignCompact(key, hash, r.IntN(2) == 0)
	say("ecdsa.SignCompact", compact)
	compact = mutate(compact)
	q, compressed, err := ecdsa.RecoverCompact(compact, hash)
	say("ecdsa.RecoverCompact", compact, q, compressed, err)
	try("ecdsa.Sign of nil", func() { ecdsa.Sign(nil, hash) })
	try("ecdsa.NewSignature of nil", func() { ecdsa.NewSignature(nil, &e) })
	try("ecdsa.ParseSignature of nil", func() { parse(nil) })
}

// encodings calls the functions of package ellswift.
func encodings(key *btcec.PrivateKey) {
	u, t := element(), element()
	if r.IntN(4) == 0 { // u³ + t² + 7 = 0
		var g btcec.FieldVal
		g.SquareVal(u).Mul(u).AddInt(7).Negate(2).Normalize()
		t.SquareRootVal(&g)
		t.Normalize()
	}
	theirs := [64]byte(append(number(), number()...))
	if r.IntN(2) == 0 {
		theirs = [64]byte(append(u.Bytes()[:], t.Bytes()[:]...))
	}
	ours := [64]byte(append(number(), number()...))
	x, err := ellswift.XSwiftEC(u, t)
	say("ellswift.XSwiftEC", u, t, x, err)
	if !u.IsZero() && r.IntN(4) == 0 { // an x with or without a point, or −2·u, −u or u, which are edge cases of the formulas
		switch x = element(); r.IntN(4) {
		case 0:
			x.NegateVal(u, 1).MulInt(2).Normalize()
		case 1:
			x.NegateVal(u, 1).Normalize()
		case 2:
			x.Set(u)
		}
	}
	for way := range 8 {
		say("ellswift.XSwiftECInv", way, ellswift.XSwiftECInv(u, x, way), u, x)
	}
	shared, err := ellswift.EllswiftECDHXOnly(theirs, key)
	say("ellswift.EllswiftECDHXOnly", shared, err)
	hash, err := ellswift.V2Ecdh(key, theirs, ours, r.IntN(2) == 0)
	say("ellswift.V2Ecdh", hash[:], err)

	if r.IntN(8) == 0 { // encodings of an x with or without a point, from known bytes
		defer func(reader io.Reader) { rand.Reader = reader }(rand.Reader)
		rand.Reader = source{}
		x, _ := ellswift.XSwiftEC(element(), element())
		if r.IntN(2) == 0 {
			x = element()
		}
		u, t, err := ellswift.XElligatorSwift(x)
		say("ellswift.XElligatorSwift", u, t, err)
		fresh, encoding, err := ellswift.EllswiftCreate()
		say("ellswift.EllswiftCreate", fresh.Serialize(), encoding[:], err)
	}
}

// source is a reader of the bytes of r.
type source struct{}

func (source) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return len(b), nil
}

// xOnly calls the functions of package schnorr.
func xOnly(key *btcec.PrivateKey) {
	hash := number()
	if r.IntN(8) == 0 {
		hash = text()
	}
	pub := key.PubKey()
	x := schnorr.SerializePubKey(pub)
	say("schnorr.SerializePubKey", x, schnorr.SerializePubKey(btcec.NewPublicKey(element(), element())))
	x = mutate(x)
	parsed, err := schnorr.ParsePubKey(x)
	say("schnorr.ParsePubKey", x, parsed, err)
	parsed, err = schnorr.ParsePubKey(nil)
	say("schnorr.ParsePubKey of nil", parsed, err)

	var options []schnorr.SignOption
	for range r.IntN(3) {
		switch r.IntN(3) {
		case 0:
			options = append(options, schnorr.FastSign())
		default:
			options = append(options, schnorr.CustomNonce([32]byte(number())))
		}
	}
	before := *key
	sig, err := schnorr.Sign(key, hash, options...)
	say("schnorr.Sign", len(options), hash, sig, err, *key == before)
	if err != nil {
		sig = schnorr.NewSignature(element(), integer())
	}
	// An r that is not normalized.
	f := element()
	say("schnorr.NewSignature", schnorr.NewSignature(new(btcec.FieldVal).NegateVal(f, 1).Add(element()).Add(f), integer()))
	_, other := btcec.PrivKeyFromBytes(number())
	minus := minusOf(pub)
	say("schnorr.Signature.Verify", sig.Verify(hash, pub), sig.Verify(hash, minus), sig.Verify(hash, other), sig.Verify(mutate(append(hash, 0)), pub),
		sig.Verify(nil, pub))
	// Keys with another y coordinate, and with another x coordinate.
	var p btcec.JacobianPoint
	pub.AsJacobian(&p)
	say("schnorr.Signature.Verify", sig.Verify(hash, btcec.NewPublicKey(&p.X, element())), sig.Verify(hash, btcec.NewPublicKey(element(), &p.Y)))

	b := mutate(sig.Serialize())
	if !reduces || len(b) != 64 || new(big.Int).SetBytes(b[32:]).Cmp(n) < 0 {
		parsed, err := schnorr.ParseSignature(b)
		say("schnorr.ParseSignature", b, parsed, err)
		if err == nil {
			say("schnorr.Signature.Verify", parsed.Verify(hash, pub), parsed.IsEqual(sig), *parsed == *sig)
		}
	}
	b = append(number(), number()...)
	if !reduces || new(big.Int).SetBytes(b[32:]).Cmp(n) < 0 {
		parsed, err := schnorr.ParseSignature(b)
		say("schnorr.ParseSignature", parsed, err)
	}
	exceptional()

	try("schnorr.Sign of nil", func() { schnorr.Sign(nil, hash) })
	try("schnorr.Sign with nil", func() { schnorr.Sign(key, hash, nil) })
	try("schnorr.Verify with nil", func() { say("schnorr.Verify with nil", sig.Verify(hash, nil)) })
	for _, pub := range []*btcec.PublicKey{pub, btcec.NewPublicKey(element(), element())} {
		try("schnorr.Verify of nil", func() { say("schnorr.Verify of nil", (*schnorr.Signature)(nil).Verify(hash, pub)) })
	}
	try("schnorr.IsEqual of nil", func() { say("schnorr.IsEqual of nil", sig.IsEqual(nil)) })
	try("schnorr.NewSignature of nil", func() { schnorr.NewSignature(nil, nil) })
	try("schnorr.SerializePubKey of nil", func() { schnorr.SerializePubKey(nil) })
}

// minusOf returns −p.
func minusOf(p *btcec.PublicKey) *btcec.PublicKey {
	var j btcec.JacobianPoint
	p.AsJacobian(&j)
	j.Y.Negate(1).Normalize()
	return btcec.NewPublicKey(&j.X, &j.Y)
}

// exceptional verifies a signature that byHand makes, and then the same signature with another s.
func exceptional() {
	d := integer()
	if d.IsZero() {
		return
	}
	key := btcec.PrivKeyFromScalar(d)
	message := text()
	b := byHand(key, message).Serialize() // messages of any length, whereas Sign and Verify take 32 bytes
	var x btcec.FieldVal
	var s btcec.ModNScalar
	x.SetByteSlice(b[:32])
	s.SetByteSlice(b[32:])
	say("schnorr.Signature.Verify by hand", message, schnorr.NewSignature(&x, &s).Verify(message, key.PubKey()))
	switch r.IntN(4) {
	case 0:
		s.Negate()
	case 1:
		s.SetInt(0)
	case 2:
		s.Set(d)
	case 3:
		s.Add(d)
	}
	say("schnorr.Signature.Verify by hand", schnorr.NewSignature(&x, &s).Verify(message, key.PubKey()))
}

// byHand returns the BIP-340 signature of a message, with any nonce, and at times an R with odd y, which is not valid.
func byHand(key *btcec.PrivateKey, message []byte) *schnorr.Signature {
	d, k, pub := key.Key, integer(), key.PubKey()
	if pub.SerializeCompressed()[0] == 3 {
		d.Negate()
	}
	var R btcec.JacobianPoint
	btcec.ScalarBaseMultNonConst(k, &R)
	R.ToAffine()
	if R.Y.IsOdd() && r.IntN(4) > 0 {
		k.Negate()
	}
	tag := sha256.Sum256([]byte("BIP0340/challenge"))
	h := sha256.New()
	for _, b := range [][]byte{tag[:], tag[:], R.X.Bytes()[:], schnorr.SerializePubKey(pub), message} {
		h.Write(b)
	}
	var e btcec.ModNScalar
	e.SetByteSlice(h.Sum(nil))
	return schnorr.NewSignature(&R.X, e.Mul(&d).Add(k))
}
