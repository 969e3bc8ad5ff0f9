// Package ellswift takes the place of btcec's package of the same path: it implements BIP-324's encoding of public keys
// and its shared secrets. New programs should use p256k1.mleku.dev/v2/ellswift instead. Multiplication by secrets is
// constant-time.
package ellswift

import (
	"crypto/rand"
	"errors"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/chainhash/v2"
	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/schnorr"
)

// ErrPointNotOnCurve means that no point of the curve has the given x coordinate. No function returns it.
var ErrPointNotOnCurve = errors.New("point does not exist on secp256k1 curve")

var ecdhTag = schnorr.NewTag("bip324_ellswift_xonly_ecdh")

// XSwiftEC returns the x coordinate that u and t encode. The error is always nil. As in btcec, a u or t of 0 is set to
// 1, and t is doubled if u³ + t² + 7 is 0.
func XSwiftEC(u, t *btcec.FieldVal) (*btcec.FieldVal, error) {
	for _, v := range []*btcec.FieldVal{u, t} {
		if v.IsZero() {
			v.SetInt(1)
		}
	}
	var sum, tt btcec.FieldVal
	if sum.SquareVal(u).Mul(u).AddInt(7).Add(tt.SquareVal(t)).IsZero() {
		t.Add(t)
	}
	encoding := encode(u, t)
	x := new(btcec.FieldVal)
	x.SetByteSlice(ellswift.Decode(&encoding).BytesUncompressed()[1:33])
	return x, nil
}

// encode returns the 64 bytes of u and t.
func encode(u, t *btcec.FieldVal) (encoding [64]byte) {
	u.PutBytes((*[32]byte)(encoding[:32]))
	t.PutBytes((*[32]byte)(encoding[32:]))
	return encoding
}

// XSwiftECInv returns a t for which XSwiftEC(u, t) is x, or nil if there is no such t. caseNum, from 0 to 7, selects
// one of eight ways to compute t. x must be the x coordinate of a point, and u must not be 0.
func XSwiftECInv(u, x *btcec.FieldVal, caseNum int) *btcec.FieldVal {
	var g, uu, s, v, w, r btcec.FieldVal
	uu.SquareVal(u)
	g.Mul2(&uu, u).AddInt(7).Normalize()
	half := new(btcec.FieldVal).SetInt(2).Inverse()
	if caseNum&2 == 0 {
		var other btcec.FieldVal
		if hasY(other.Add2(u, x).Negate(2).Normalize()) {
			return nil
		}
		v.Set(x)
		// s = −g/(u² + ux + x²), where g = u³ + 7.
		s.Mul2(u, x).Add(&uu).Add(new(btcec.FieldVal).SquareVal(x)).Normalize()
		s.Inverse().Mul(&g).Negate(1).Normalize()
	} else {
		s.NegateVal(u, 1).Add(x).Normalize()
		if s.IsZero() {
			return nil
		}
		// r² = −s(4g + 3u²s), where s = x − u and g = u³ + 7.
		r.Mul2(&uu, &s).MulInt(3).Add(new(btcec.FieldVal).Set(&g).MulInt(4)).Normalize()
		r.Mul(&s).Negate(1).Normalize()
		if square := r; !r.SquareRootVal(&square) {
			return nil
		}
		r.Normalize()
		if caseNum&1 == 1 && r.IsZero() {
			return nil
		}
		v.NegateVal(u, 1).Add(new(btcec.FieldVal).Set(&s).Inverse().Mul(&r)).Normalize().Mul(half)
	}
	if !w.SquareRootVal(&s) {
		return nil
	}
	// t = ±w·(u·(1 ∓ √−3)/2 + v), where w² = s.
	t, root := new(btcec.FieldVal).SetInt(1), rootMinus3()
	if caseNum&1 == 0 {
		root.Negate(1)
	}
	t.Add(&root).Normalize().Mul(half).Mul(u).Add(&v).Normalize().Mul(&w)
	if caseNum&5 == 0 || caseNum&5 == 5 {
		t.Negate(1)
	}
	return t.Normalize()
}

// rootMinus3 returns the square root of −3 that is itself a square.
func rootMinus3() (root btcec.FieldVal) {
	var square btcec.FieldVal
	root.SquareRootVal(square.SetInt(3).Negate(1).Normalize())
	root.Normalize()
	return root
}

// hasY reports whether a point of the curve has the x coordinate x.
func hasY(x *btcec.FieldVal) bool {
	return btcec.DecompressY(x, false, new(btcec.FieldVal))
}

// XElligatorSwift returns random u and t for which XSwiftEC(u, t) is x. If no point has the x coordinate x, they encode
// another x, as in btcec. The error is always nil. The result depends on the bytes of rand.Reader as btcec's does.
func XElligatorSwift(x *btcec.FieldVal) (*btcec.FieldVal, *btcec.FieldVal, error) {
	for {
		var random [32]byte
		var way [1]byte
		u := new(btcec.FieldVal)
		rand.Read(random[:]) // never fails
		u.SetBytes(&random)
		u.Normalize()
		rand.Read(way[:])
		if t := XSwiftECInv(u, x, int(way[0]&7)); t != nil {
			return u, t, nil
		}
	}
}

// EllswiftCreate returns a new private key and an encoding of its public key. The error is always nil.
func EllswiftCreate() (*btcec.PrivateKey, [64]byte, error) {
	var random, x [32]byte
	rand.Read(random[:]) // never fails
	priv, pub := btcec.PrivKeyFromBytes(random[:])
	clear(random[:])
	copy(x[:], pub.SerializeCompressed()[1:])
	var f btcec.FieldVal
	f.SetBytes(&x)
	u, t, _ := XElligatorSwift(&f)
	return priv, encode(u, t), nil
}

// EllswiftECDHXOnly returns the x coordinate of privKey times the point that ellswiftTheirs encodes. The error is
// always nil.
func EllswiftECDHXOnly(ellswiftTheirs [64]byte, privKey *btcec.PrivateKey) ([32]byte, error) {
	var x, y btcec.FieldVal
	theirs := ellswift.Decode(&ellswiftTheirs).BytesUncompressed()
	x.SetByteSlice(theirs[1:33])
	y.SetByteSlice(theirs[33:])
	secret := btcec.GenerateSharedSecret(privKey, btcec.NewPublicKey(&x, &y))
	defer clear(secret)
	return [32]byte(secret), nil
}

// V2Ecdh returns BIP-324's shared secret: the tagged hash of the initiator's encoding, the responder's encoding and the
// shared x coordinate. The error is always nil.
func V2Ecdh(priv *btcec.PrivateKey, ellswiftTheirs, ellswiftOurs [64]byte, initiating bool) (*chainhash.Hash, error) {
	x, err := EllswiftECDHXOnly(ellswiftTheirs, priv)
	if err != nil {
		return nil, err
	}
	defer clear(x[:])
	first, second := &ellswiftTheirs, &ellswiftOurs
	if initiating {
		first, second = second, first
	}
	hash := chainhash.Hash(ecdhTag.Sum(first[:], second[:], x[:]))
	return &hash, nil
}
