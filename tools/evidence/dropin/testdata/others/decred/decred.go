// The program decred calls every exported function and method of Decred's module but GeneratePrivateKey, with random,
// edge-weighted and mutated arguments. It prints the results, errors with their kinds, and panics. With the replacement
// it must print the same as without the replacement.
package main

import (
	"bytes"
	"fmt"
	"math/big"

	"github.com/decred/dcrd/crypto/blake256"
	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/schnorr"
)

type (
	field  = secp256k1.FieldVal
	scalar = secp256k1.ModNScalar
	point  = secp256k1.JacobianPoint
)

func show(v any) any {
	switch v := v.(type) {
	case *secp256k1.PublicKey:
		if v != nil {
			return fmt.Sprintf("%x", v.SerializeUncompressed())
		}
	case *ecdsa.Signature:
		if v != nil {
			return fmt.Sprint(v.R(), v.S())
		}
	case *schnorr.Signature:
		if v != nil {
			return fmt.Sprint(v.R(), v.S())
		}
	}
	return v
}

func play() {
	fields()
	scalars()
	points()
	curve()
	signatures(keys())
}

// element returns a normalized element.
func element() *field {
	f := new(field)
	f.SetByteSlice(number())
	return f.Normalize()
}

// loose returns f in another representation, of magnitude 4.
func loose(f *field) *field {
	g, minus := element(), new(field)
	minus.NegateVal(g, 1)
	return new(field).Add2(f, g).Add(minus)
}

// some returns three of the given values, which may coincide: two operands and the receiver of the result.
func some[T any](all []*T) (a, b, result *T) {
	return all[r.IntN(len(all))], all[r.IntN(len(all))], all[r.IntN(len(all))]
}

func integer() *scalar {
	s := new(scalar)
	s.SetByteSlice(number())
	return s
}

// onCurve returns a point of the curve, at times infinity in one of its representations.
func onCurve() *point {
	q := new(point)
	switch r.IntN(16) {
	case 0:
		return q
	case 1:
		q.Z.SetInt(1)
		return q
	case 2:
		q.X, q.Y = *element(), *element()
		return q
	}
	secp256k1.ScalarBaseMultNonConst(integer(), q)
	q.ToAffine()
	if r.IntN(3) > 0 && !(q.X.IsZero() && q.Y.IsZero()) { // another representation
		var zz field
		z := element()
		if !z.IsZero() {
			zz.SquareVal(z)
			q.X.Mul(&zz).Normalize()
			q.Y.Mul(&zz).Mul(z).Normalize()
			q.Z = *z
		}
	}
	return q
}

// affine prints a point independently of its representation.
func affine(q point) string {
	q.ToAffine()
	normal := q
	normal.X.Normalize()
	normal.Y.Normalize()
	if q.X.IsZero() && q.Y.IsZero() {
		return fmt.Sprint("infinity ", q == normal)
	}
	return fmt.Sprint(q, q == normal)
}

// valid reports whether q is infinity or on the curve. For other points the results of the replacement differ.
func valid(q point) bool {
	q.ToAffine()
	return q.X.IsZero() && q.Y.IsZero() || secp256k1.NewPublicKey(&q.X, &q.Y).IsOnCurve()
}

func fields() {
	a, b, m := element(), element(), uint8(r.Uint32())
	raw := number()
	var f, g field
	overflow := f.SetBytes((*[32]byte)(raw))
	say("FieldVal.SetBytes", overflow, f.Normalize())
	t := text()
	overflows := f.SetByteSlice(t)
	say("FieldVal.SetByteSlice", t, overflows, f.Normalize())
	f.SetInt(uint16(r.Uint32()))
	say("FieldVal.SetInt", f)
	say("FieldVal.Set", f.Set(a), f == *a)
	say("FieldVal.String", a.String(), a)
	say("FieldVal.Bytes", *a.Bytes())
	var whole [32]byte
	a.PutBytes(&whole)
	say("FieldVal.PutBytes", whole)
	short := make([]byte, r.IntN(40))
	try("FieldVal.PutBytesUnchecked", func() { a.PutBytesUnchecked(short); say("FieldVal.PutBytesUnchecked", short) })
	say("FieldVal.Is", a.IsZero(), a.IsZeroBit(), a.IsOne(), a.IsOneBit(), a.IsOdd(), a.IsOddBit(), a.IsGtOrEqPrimeMinusOrder())
	say("FieldVal.Equals", a.Equals(b), a.Equals(f.Set(a)), *a == *b)
	say("FieldVal.Add", f.Set(a).Add(b).Normalize().String(), f.Add2(a, b).Normalize().String(), f.Set(a).AddInt(uint16(m)).Normalize().String())
	say("FieldVal.Negate", f.Set(a).Negate(1).Normalize().String(), f.NegateVal(b, 1).Normalize().String())
	say("FieldVal.Mul", f.Set(a).Mul(b).Normalize().String(), f.Mul2(a, b).Normalize().String(), f.Set(a).MulInt(m%33).Normalize().String())
	say("FieldVal.Square", f.Set(a).Square().Normalize().String(), f.SquareVal(b).Normalize().String())
	say("FieldVal.Inverse", f.Set(a).Inverse().Normalize())
	// Elements that are not normalized, with allowed magnitudes.
	g.Add2(a, b).Add(a).MulInt(2).Negate(6).AddInt(7)
	say("FieldVal magnitudes", f.Set(&g).Mul(a).Negate(1).Add(&g).Normalize().String(), g.Normalize(), f.Equals(&g))
	square := f.SquareRootVal(a)
	say("FieldVal.SquareRootVal", square, f.Normalize(), a)
	l := loose(a)
	say("FieldVal, not normalized", f.Set(l).Normalize().String(), f.Set(l).Add(b).Normalize().String(), f.Set(l).AddInt(uint16(m)).Normalize().String(),
		f.NegateVal(l, 4).Normalize().String(), f.Mul2(l, l).Normalize().String(), f.Mul2(b, l).Normalize().String(), f.SquareVal(l).Normalize().String(),
		f.Set(l).Inverse().Normalize().String(), f.Set(l).MulInt(m%8).Normalize().String(), f.Set(l).Square().Normalize().String())
	square = f.SquareRootVal(l)
	say("FieldVal.SquareRootVal, not normalized", square, f.Normalize(), l, *l == *a)
	f.Set(a)
	say("FieldVal.SquareRootVal of itself", f.SquareRootVal(&f), f)
	all := []*field{element(), element(), element()}
	for range 4 {
		a, b, result := some(all)
		switch r.IntN(7) {
		case 0:
			result.Add2(a, b)
		case 1:
			result.Mul2(a, b)
		case 2:
			result.NegateVal(a, 1)
		case 3:
			result.SquareVal(a)
		case 4:
			result.Add(a)
		case 5:
			result.Mul(b)
		case 6:
			result.Set(a)
		}
		say("FieldVal, the same", result.Normalize(), *all[0], *all[1], *all[2])
	}
	f.Zero()
	say("FieldVal.Zero", f, f == field{})
}

func scalars() {
	a, b := integer(), integer()
	raw := number()
	var s scalar
	overflow := s.SetBytes((*[32]byte)(raw))
	say("ModNScalar.SetBytes", overflow, s)
	t := text()
	overflows := s.SetByteSlice(t)
	say("ModNScalar.SetByteSlice", overflows, s)
	say("ModNScalar.SetInt", s.SetInt(r.Uint32()).String(), s.Set(a), s == *a)
	say("ModNScalar.Bytes", a.Bytes(), a.String())
	var whole [32]byte
	a.PutBytes(&whole)
	say("ModNScalar.PutBytes", whole)
	short := make([]byte, r.IntN(40))
	try("ModNScalar.PutBytesUnchecked", func() { a.PutBytesUnchecked(short); say("ModNScalar.PutBytesUnchecked", short) })
	say("ModNScalar.Is", a.IsZero(), a.IsZeroBit(), a.IsOdd(), a.IsOverHalfOrder(), a.Equals(b), a.Equals(&s), *a == *b)
	say("ModNScalar.Add", s.Set(a).Add(b).String(), s.Add2(a, b).String(), *s.Add2(a, b) == *b)
	say("ModNScalar.Mul", s.Set(a).Mul(b).String(), s.Mul2(a, b).String(), s.Set(a).Square().String(), s.SquareVal(b))
	say("ModNScalar.Negate", s.Set(a).Negate().String(), s.NegateVal(b))
	say("ModNScalar.Inverse", s.Set(a).InverseNonConst().String(), s.InverseValNonConst(b))
	all := []*scalar{integer(), integer(), integer()}
	for range 4 {
		a, b, result := some(all)
		switch r.IntN(7) {
		case 0:
			result.Add2(a, b)
		case 1:
			result.Mul2(a, b)
		case 2:
			result.NegateVal(a)
		case 3:
			result.SquareVal(a)
		case 4:
			result.InverseValNonConst(a)
		case 5:
			result.Mul(b)
		case 6:
			result.Add(a)
		}
		say("ModNScalar, the same", *all[0], *all[1], *all[2])
	}
	s.Zero()
	say("ModNScalar.Zero", s, s == scalar{})
}

func points() {
	a, b, k := onCurve(), onCurve(), integer()
	switch r.IntN(5) {
	case 0:
		*b = *a
	case 1:
		*b = *a
		b.Y.Negate(1).Normalize()
	case 2:
		b.Z = a.Z
	case 3:
		secp256k1.DoubleNonConst(a, b)
	}
	say("JacobianPoint", secp256k1.MakeJacobianPoint(&a.X, &b.Y, &a.Z), *a == *b, affine(*a))
	var q point
	secp256k1.AddNonConst(a, b, &q)
	say("AddNonConst", q)
	secp256k1.DoubleNonConst(a, &q)
	say("DoubleNonConst", q)
	q.Set(a)
	secp256k1.AddNonConst(&q, b, &q)
	say("AddNonConst in place", q)
	say("EquivalentNonConst", a.EquivalentNonConst(b), a.EquivalentNonConst(&q), q.EquivalentNonConst(&q))
	secp256k1.ScalarBaseMultNonConst(k, &q)
	say("ScalarBaseMultNonConst", affine(q))
	secp256k1.ScalarMultNonConst(k, a, &q)
	say("ScalarMultNonConst", affine(q))
	if q.Set(b); valid(q) {
		secp256k1.ScalarMultNonConst(k, &q, &q)
		say("ScalarMultNonConst in place", affine(q))
	}
	// Coordinates that are not on the curve.
	off := secp256k1.MakeJacobianPoint(element(), element(), element())
	if r.IntN(4) == 0 {
		off.Z.SetInt(1)
	}
	secp256k1.AddNonConst(&off, a, &q)
	say("AddNonConst off the curve", q)
	secp256k1.DoubleNonConst(&off, &q)
	say("DoubleNonConst off the curve", q, off.EquivalentNonConst(a), off.EquivalentNonConst(&off))
	aside := secp256k1.MakeJacobianPoint(&off.X, element(), &off.Z)
	say("EquivalentNonConst off the curve", off.EquivalentNonConst(&aside))
	say("JacobianPoint.ToAffine", off, affine(off))
	q = secp256k1.MakeJacobianPoint(loose(&a.X), loose(&a.Y), loose(&a.Z))
	say("JacobianPoint.ToAffine, not normalized", affine(q))
	q = secp256k1.MakeJacobianPoint(loose(&off.X), loose(&off.Y), &off.Z)
	say("JacobianPoint.ToAffine off the curve", affine(q))
	all := []*point{onCurve(), onCurve(), onCurve()}
	for range 3 {
		a, b, result := some(all)
		switch r.IntN(4) {
		case 0:
			secp256k1.DoubleNonConst(a, result)
		case 1:
			result.Set(a)
		default:
			secp256k1.AddNonConst(a, b, result)
		}
		say("JacobianPoint, the same", *all[0], *all[1], *all[2])
	}

	x, y := element(), new(field)
	if r.IntN(2) == 0 {
		x = loose(x)
	}
	odd := r.IntN(2) == 0
	say("DecompressY", secp256k1.DecompressY(x, odd, y), y.Normalize())
}

func curve() {
	c := secp256k1.S256()
	say("S256", c == secp256k1.S256(), c.Params().Name, c.Params().B, c.P, c.N, c.Gx, c.Gy, c.BitSize, *secp256k1.Params(), secp256k1.Params() == secp256k1.Params())
	a, b := onCurve(), onCurve()
	if r.IntN(4) == 0 {
		*b = *a
	}
	a.ToAffine()
	b.ToAffine()
	int := func(f *field) *big.Int {
		v := new(big.Int).SetBytes(f.Bytes()[:])
		if r.IntN(8) == 0 {
			v.Add(v, p)
		} else if r.IntN(8) == 0 {
			v.Sub(v, p)
		} else if r.IntN(8) == 0 {
			v.Add(v, new(big.Int).Mul(p, new(big.Int).Lsh(big.NewInt(int64(r.IntN(9)-4)), uint(r.IntN(900)))))
		}
		return v
	}
	x1, y1, x2, y2 := int(&a.X), int(&a.Y), int(&b.X), int(&b.Y)
	x, y := c.Add(x1, y1, x2, y2)
	say("KoblitzCurve.Add", x, y)
	x, y = c.Double(x1, y1)
	say("KoblitzCurve.Double", x, y)
	x, y = c.Add(x1, y1, x1, y1)
	say("KoblitzCurve.Add, the same", x, y, x1, y1, x2, y2)
	k := text()
	x, y = c.ScalarMult(x1, y1, k)
	say("KoblitzCurve.ScalarMult", x, y)
	x, y = c.ScalarBaseMult(k)
	say("KoblitzCurve.ScalarBaseMult", x, y)
	say("KoblitzCurve.IsOnCurve", c.IsOnCurve(x, y), c.IsOnCurve(x1, y2), c.IsOnCurve(x1, y1))
}

func keys() (*secp256k1.PrivateKey, *secp256k1.PublicKey) {
	t := text()
	k := secp256k1.PrivKeyFromBytes(t)
	say("PrivKeyFromBytes", t, k.Serialize(), k.Key, secp256k1.NewPrivateKey(&k.Key).Key, *k)
	pub := k.PubKey()
	say("PubKey", pub.SerializeCompressed(), pub.SerializeUncompressed(), pub.X(), pub.Y(), pub.IsOnCurve(), pub)
	e, f := k.ToECDSA(), pub.ToECDSA()
	say("ToECDSA", e.D, e.X, e.Y, e.Curve == secp256k1.S256(), f.X, f.Y, f.Curve == secp256k1.S256())
	random := append(append(bytes.Repeat([]byte{byte(255 * r.IntN(2))}, 32*r.IntN(3)), number()...), number()...)
	g, err := secp256k1.GeneratePrivateKeyFromRand(bytes.NewReader(random[:r.IntN(len(random)+1)]))
	say("GeneratePrivateKeyFromRand", g, err == nil, fmt.Sprint(err))
	other := secp256k1.PrivKeyFromBytes(number())
	q := other.PubKey()
	say("GenerateSharedSecret", secp256k1.GenerateSharedSecret(k, q), secp256k1.GenerateSharedSecret(other, pub))
	say("IsEqual", pub.IsEqual(q), pub.IsEqual(pub), *pub == *q)
	var j point
	q.AsJacobian(&j)
	say("AsJacobian", j)
	b := pub.SerializeCompressed()
	if r.IntN(2) == 0 {
		b = pub.SerializeUncompressed()
		if r.IntN(3) == 0 {
			b[0] = 6 | byte(r.IntN(2))
		}
	}
	b = mutate(b)
	parsed, err := secp256k1.ParsePubKey(b)
	say("ParsePubKey", b, parsed, err)
	parsed, err = schnorr.ParsePubKey(b)
	say("schnorr.ParsePubKey", parsed, err)
	made := secp256k1.NewPublicKey(element(), element())
	off := secp256k1.NewPublicKey(loose(&j.X), loose(&j.Y))
	say("NewPublicKey, not normalized", off.IsOnCurve())
	off.AsJacobian(&j)
	say("AsJacobian, not normalized", affine(j))
	say("NewPublicKey", made.SerializeUncompressed(), made.SerializeCompressed(), made.IsOnCurve(), made.X())
	k2 := *k
	k2.Zero()
	say("PrivateKey.Zero", k2)
	say("NonceRFC6979", secp256k1.NonceRFC6979(text(), text(), text(), number()[:16*r.IntN(2)+r.IntN(2)], uint32(r.IntN(3))))
	return k, pub
}

func signatures(k *secp256k1.PrivateKey, pub *secp256k1.PublicKey) {
	hash := text()
	var e scalar
	e.SetByteSlice(hash)
	if !k.Key.IsZero() || !e.IsZero() { // Decred's Sign does not terminate if both are 0
		sig := ecdsa.Sign(k, hash)
		der := sig.Serialize()
		say("ecdsa.Sign", der, sig)
		compact := ecdsa.SignCompact(k, hash, r.IntN(2) == 0)
		say("ecdsa.SignCompact", compact)
		if pub.IsOnCurve() {
			say("ecdsa.Verify", sig.Verify(hash, pub), sig.Verify(mutate(append(hash, 0)), pub))
		}
		b := mutate(der)
		parsed, err := ecdsa.ParseDERSignature(b)
		say("ecdsa.ParseDERSignature", b, parsed, err)
		if parsed != nil && pub.IsOnCurve() {
			say("ecdsa.Verify", parsed.Verify(hash, pub), parsed.IsEqual(sig), *parsed == *sig)
		}
		b = mutate(compact)
		q, compressed, err := ecdsa.RecoverCompact(b, hash)
		say("ecdsa.RecoverCompact", b, q, compressed, err)
	}
	encoded := der()
	decoded, err := ecdsa.ParseDERSignature(encoded)
	say("ecdsa.ParseDERSignature", encoded, decoded, err)
	// Random r and s.
	any := ecdsa.NewSignature(integer(), integer())
	say("ecdsa.NewSignature", any.Serialize(), any.R(), any.S())
	if pub.IsOnCurve() {
		say("ecdsa.Verify", any.Verify(hash, pub))
	}
	// Signatures whose verification adds opposite points, or equal points.
	opposite, r1 := r.IntN(2) == 0, any.R()
	if e.Mul2(&k.Key, &r1); opposite {
		e.Negate()
	}
	eb := e.Bytes()
	if pub.IsOnCurve() {
		say("ecdsa.Verify, special", opposite, any.Verify(eb[:], pub))
	}
	x, s := any.R(), any.S()
	nonce := integer()
	var R point
	secp256k1.ScalarBaseMultNonConst(nonce, &R)
	R.ToAffine()
	if e.Mul2(nonce, &s); !opposite {
		e.Negate()
	}
	eb = e.Bytes()
	special := append([]byte{27 + byte(R.Y.IsOddBit())}, R.X.Bytes()[:]...)
	xb, sb := x.Bytes(), s.Bytes()
	q, compressed, err := ecdsa.RecoverCompact(append(special, sb[:]...), eb[:])
	say("ecdsa.RecoverCompact, special", opposite, q, compressed, err)
	b := append(append([]byte{byte(27 + r.IntN(8))}, xb[:]...), sb[:]...)
	q, compressed, err = ecdsa.RecoverCompact(b, hash)
	say("ecdsa.RecoverCompact", q, compressed, err)
	if err == nil && q.IsOnCurve() {
		say("ecdsa.Verify of a recovered key", any.Verify(hash, q))
	}

	signed, err := schnorr.Sign(k, hash)
	say("schnorr.Sign", err)
	if err != nil {
		signed = schnorr.NewSignature(loose(element()), integer())
	}
	b = signed.Serialize()
	say("schnorr.Signature", b, signed.R(), signed.S(), signed.Verify(hash, pub), signed.Verify(mutate(append(hash, 0)), pub))
	made := secp256k1.NewPublicKey(element(), element())
	say("schnorr.Verify", signed.Verify(hash, made))
	b = mutate(b)
	parsed, err := schnorr.ParseSignature(b)
	say("schnorr.ParseSignature", b, parsed, err)
	if err == nil {
		say("schnorr.Verify", parsed.Verify(hash, pub), parsed.IsEqual(signed), *parsed == *signed)
	}
	exceptional(k, pub)
}

// exceptional verifies Schnorr signatures with r = x(R) for which sG + eQ is R, with even or odd y, or infinity.
func exceptional(key *secp256k1.PrivateKey, pub *secp256k1.PublicKey) {
	hash, k := number(), integer()
	var R point
	secp256k1.ScalarBaseMultNonConst(k, &R)
	R.ToAffine()
	if r.IntN(3) == 0 {
		R.X = *element()
		k.SetInt(0)
	}
	h := blake256.Sum256(append(R.X.Bytes()[:], hash...))
	var s scalar
	s.SetBytes(&h)
	s.Mul(&key.Key).Negate().Add(k)
	say("schnorr.Verify by hand", schnorr.NewSignature(&R.X, &s).Verify(hash, pub), R.Y.IsOdd(), k.IsZero())
}
