package secp256k1

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"math/big"
	"sync"
)

// CurveParams are the constants of the curve (SEC 2, section 2.4.1).
type CurveParams struct {
	P, N     *big.Int // the orders of the field and of the group
	Gx, Gy   *big.Int // the generator
	BitSize  int      // the number of bits of P
	H        int      // the cofactor
	ByteSize int      // the number of bytes of P
}

// KoblitzCurve implements the interface elliptic.Curve. Its arguments and results are integers of math/big, whose
// arithmetic is not constant-time.
type KoblitzCurve struct{ *elliptic.CurveParams }

// curve makes the only CurveParams and the only KoblitzCurve when it is first called.
var curve = sync.OnceValues(func() (*CurveParams, *KoblitzCurve) {
	hex := func(s string) *big.Int {
		v, _ := new(big.Int).SetString(s, 16)
		return v
	}
	c := &CurveParams{
		P:        hex("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f"),
		N:        hex("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"),
		Gx:       hex("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"),
		Gy:       hex("483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"),
		BitSize:  256,
		H:        1,
		ByteSize: 32,
	}
	return c, &KoblitzCurve{&elliptic.CurveParams{
		P: c.P, N: c.N, B: big.NewInt(7), Gx: c.Gx, Gy: c.Gy, BitSize: c.BitSize, Name: "secp256k1",
	}}
})

// Params returns the constants of the curve. It always returns the same pointer.
func Params() *CurveParams {
	c, _ := curve()
	return c
}

// S256 returns the curve secp256k1. It always returns the same pointer.
//
// Deprecated: its methods take and return integers of math/big. Use the functions on JacobianPoint.
func S256() *KoblitzCurve {
	_, c := curve()
	return c
}

// setBig sets p to the affine point (x, y), whose coordinates it reduces modulo the field prime.
func (p *JacobianPoint) setBig(x, y *big.Int) {
	prime := Params().P
	p.X.SetByteSlice(new(big.Int).Mod(x, prime).Bytes())
	p.Y.SetByteSlice(new(big.Int).Mod(y, prime).Bytes())
	p.Z.SetInt(1)
}

// big returns the affine coordinates of p, or (0, 0) for infinity.
func (p *JacobianPoint) big() (x, y *big.Int) {
	p.ToAffine()
	return p.X.big(), p.Y.big()
}

func (f *FieldVal) big() *big.Int { return new(big.Int).SetBytes(f.Bytes()[:]) }

// setBig sets s to the big-endian integer b of any length, modulo n.
func (s *ModNScalar) setBig(b []byte) {
	if len(b) > 32 {
		v := new(big.Int).SetBytes(b)
		b = v.Mod(v, Params().N).Bytes()
	}
	s.SetByteSlice(b)
}

// Params returns the parameters of the curve.
func (curve *KoblitzCurve) Params() *elliptic.CurveParams { return curve.CurveParams }

// IsOnCurve reports whether (x, y) modulo p is a point of the curve other than infinity.
//
// Deprecated: use PublicKey.IsOnCurve.
func (curve *KoblitzCurve) IsOnCurve(x, y *big.Int) bool {
	var p JacobianPoint
	p.setBig(x, y)
	return isOnCurve(&p.X, &p.Y)
}

// Add returns (x1, y1) + (x2, y2), where (0, 0) is infinity.
//
// Deprecated: use AddNonConst.
func (curve *KoblitzCurve) Add(x1, y1, x2, y2 *big.Int) (*big.Int, *big.Int) {
	switch {
	case x1.Sign() == 0 && y1.Sign() == 0:
		return x2, y2
	case x2.Sign() == 0 && y2.Sign() == 0:
		return x1, y1
	}
	var p, q JacobianPoint
	p.setBig(x1, y1)
	q.setBig(x2, y2)
	AddNonConst(&p, &q, &p)
	return p.big()
}

// Double returns 2·(x1, y1), where (0, 0) is infinity.
//
// Deprecated: use DoubleNonConst.
func (curve *KoblitzCurve) Double(x1, y1 *big.Int) (*big.Int, *big.Int) {
	if y1.Sign() == 0 {
		return new(big.Int), new(big.Int)
	}
	var p JacobianPoint
	p.setBig(x1, y1)
	DoubleNonConst(&p, &p)
	return p.big()
}

// ScalarMult returns k·(bx, by) for a big-endian integer k of any length.
//
// Deprecated: use ScalarMultNonConst.
func (curve *KoblitzCurve) ScalarMult(bx, by *big.Int, k []byte) (*big.Int, *big.Int) {
	var s ModNScalar
	s.setBig(k)
	var p JacobianPoint
	p.setBig(bx, by)
	ScalarMultNonConst(&s, &p, &p)
	return p.big()
}

// ScalarBaseMult returns k·G for a big-endian integer k of any length.
//
// Deprecated: use ScalarBaseMultNonConst.
func (curve *KoblitzCurve) ScalarBaseMult(k []byte) (*big.Int, *big.Int) {
	var s ModNScalar
	s.setBig(k)
	var p JacobianPoint
	ScalarBaseMultNonConst(&s, &p)
	return p.big()
}

// X returns the x coordinate.
func (p *PublicKey) X() *big.Int { return p.x.big() }

// Y returns the y coordinate.
func (p *PublicKey) Y() *big.Int { return p.y.big() }

// ToECDSA returns p as a public key of package crypto/ecdsa.
func (p *PublicKey) ToECDSA() *ecdsa.PublicKey {
	//lint:ignore SA1019 there is no other way to make a key of this curve
	return &ecdsa.PublicKey{Curve: S256(), X: p.X(), Y: p.Y()}
}

// ToECDSA returns p as a private key of package crypto/ecdsa, together with its public key.
func (p *PrivateKey) ToECDSA() *ecdsa.PrivateKey {
	b := p.Key.Bytes()
	defer clear(b[:])
	var j JacobianPoint
	ScalarBaseMultNonConst(&p.Key, &j)
	x, y := j.big()
	//lint:ignore SA1019 there is no other way to make a key of this curve
	return &ecdsa.PrivateKey{PublicKey: ecdsa.PublicKey{Curve: S256(), X: x, Y: y}, D: new(big.Int).SetBytes(b[:])}
}
