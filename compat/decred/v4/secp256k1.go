// Package secp256k1 takes the place of Decred's package of the same path. Its types are aliases of the types of package
// p256k1.mleku.dev/v2/compat/decred, and its functions call that package's functions. That package documents them.
package secp256k1

import (
	"io"

	"p256k1.mleku.dev/v2/compat/decred"
)

type (
	CurveParams   = secp256k1.CurveParams
	Error         = secp256k1.Error
	ErrorKind     = secp256k1.ErrorKind
	FieldVal      = secp256k1.FieldVal
	JacobianPoint = secp256k1.JacobianPoint
	KoblitzCurve  = secp256k1.KoblitzCurve
	ModNScalar    = secp256k1.ModNScalar
	PrivateKey    = secp256k1.PrivateKey
	PublicKey     = secp256k1.PublicKey
)

const (
	PrivKeyBytesLen            = secp256k1.PrivKeyBytesLen
	PubKeyBytesLenCompressed   = secp256k1.PubKeyBytesLenCompressed
	PubKeyBytesLenUncompressed = secp256k1.PubKeyBytesLenUncompressed
	PubKeyFormatCompressedEven = secp256k1.PubKeyFormatCompressedEven
	PubKeyFormatCompressedOdd  = secp256k1.PubKeyFormatCompressedOdd
	PubKeyFormatUncompressed   = secp256k1.PubKeyFormatUncompressed
	PubKeyFormatHybridEven     = secp256k1.PubKeyFormatHybridEven
	PubKeyFormatHybridOdd      = secp256k1.PubKeyFormatHybridOdd

	ErrPubKeyInvalidLen        = secp256k1.ErrPubKeyInvalidLen
	ErrPubKeyInvalidFormat     = secp256k1.ErrPubKeyInvalidFormat
	ErrPubKeyXTooBig           = secp256k1.ErrPubKeyXTooBig
	ErrPubKeyYTooBig           = secp256k1.ErrPubKeyYTooBig
	ErrPubKeyNotOnCurve        = secp256k1.ErrPubKeyNotOnCurve
	ErrPubKeyMismatchedOddness = secp256k1.ErrPubKeyMismatchedOddness
)

func AddNonConst(p1, p2, result *JacobianPoint) { secp256k1.AddNonConst(p1, p2, result) }

func DecompressY(x *FieldVal, odd bool, resultY *FieldVal) bool {
	return secp256k1.DecompressY(x, odd, resultY)
}

func DoubleNonConst(p, result *JacobianPoint) { secp256k1.DoubleNonConst(p, result) }

func GeneratePrivateKey() (*PrivateKey, error) { return secp256k1.GeneratePrivateKey() }

func GeneratePrivateKeyFromRand(rand io.Reader) (*PrivateKey, error) {
	return secp256k1.GeneratePrivateKeyFromRand(rand)
}

func GenerateSharedSecret(privkey *PrivateKey, pubkey *PublicKey) []byte {
	return secp256k1.GenerateSharedSecret(privkey, pubkey)
}

func MakeJacobianPoint(x, y, z *FieldVal) JacobianPoint { return secp256k1.MakeJacobianPoint(x, y, z) }

func NewPrivateKey(key *ModNScalar) *PrivateKey { return secp256k1.NewPrivateKey(key) }

func NewPublicKey(x, y *FieldVal) *PublicKey { return secp256k1.NewPublicKey(x, y) }

func NonceRFC6979(privKey []byte, hash []byte, extra []byte, version []byte, extraIterations uint32) *ModNScalar {
	return secp256k1.NonceRFC6979(privKey, hash, extra, version, extraIterations)
}

func Params() *CurveParams { return secp256k1.Params() }

func ParsePubKey(serialized []byte) (*PublicKey, error) { return secp256k1.ParsePubKey(serialized) }

func PrivKeyFromBytes(privKeyBytes []byte) *PrivateKey {
	return secp256k1.PrivKeyFromBytes(privKeyBytes)
}

// Deprecated: its methods take and return integers of math/big. Use the functions on JacobianPoint.
func S256() *KoblitzCurve { return secp256k1.S256() }

func ScalarBaseMultNonConst(k *ModNScalar, result *JacobianPoint) {
	secp256k1.ScalarBaseMultNonConst(k, result)
}

func ScalarMultNonConst(k *ModNScalar, point, result *JacobianPoint) {
	secp256k1.ScalarMultNonConst(k, point, result)
}

// inlined is never called. The compiler exports the body of a method for inlining only if the package itself inlines
// the method. Without the calls in inlined, programs could not inline the methods of the aliases, and Bytes and
// Serialize would allocate.
func inlined(f *FieldVal, s *ModNScalar, p *JacobianPoint, priv *PrivateKey, pub *PublicKey) {
	f.Set(f.SetInt(1)).Add(f).AddInt(1).Mul(f).MulInt(1).Negate(1).Square()
	f.PutBytesUnchecked(f.Bytes()[:])
	_ = f.IsZero() || f.IsOne() || f.IsOdd() || f.IsOneBit()|f.IsOddBit() == 0
	s.Set(s.SetInt(1)).Add(s).Mul(s).Negate().Square().SquareVal(s).InverseNonConst()
	b := s.Bytes()
	s.PutBytes(&b)
	s.PutBytesUnchecked(b[:])
	_ = s.IsZero() || s.IsOdd() || s.IsZeroBit() == 0
	p.Set(p)
	priv.Serialize()
	priv.Zero()
	pub.AsJacobian(p)
	_ = pub.IsOnCurve()
	pub.X()
	pub.Y()
	S256().Params()
}

var _ = inlined
