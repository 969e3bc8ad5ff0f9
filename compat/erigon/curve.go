package secp256k1

import (
	"crypto/elliptic"
	"math/big"

	p256k1 "p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/secret"
)

// A BitCurve is a curve y² = x³ + B over the integers modulo P, with the methods of elliptic.Curve. (0, 0) stands for
// infinity. ScalarMult and ScalarBaseMult always compute on secp256k1, whatever the fields are. The other methods
// compute on the curve that the fields define, with math/big, which is not constant-time.
type BitCurve struct {
	P       *big.Int // the order of the field
	N       *big.Int // the order of the group
	B       *big.Int // the constant of the equation
	Gx, Gy  *big.Int // the generator
	BitSize int      // the number of bits of P
}

// secp256k1 has the constants of SEC 2, section 2.4.1.
var secp256k1 = &BitCurve{
	P:       hexadecimal("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f"),
	N:       hexadecimal("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"),
	B:       big.NewInt(7),
	Gx:      hexadecimal("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"),
	Gy:      hexadecimal("483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"),
	BitSize: 256,
}

func hexadecimal(s string) *big.Int {
	v, _ := new(big.Int).SetString(s, 16)
	return v
}

// S256 returns the curve secp256k1. It always returns the same pointer.
func S256() *BitCurve { return secp256k1 }

// Params returns the constants of the curve.
func (BitCurve *BitCurve) Params() *elliptic.CurveParams {
	return &elliptic.CurveParams{
		P: BitCurve.P, N: BitCurve.N, B: BitCurve.B, Gx: BitCurve.Gx, Gy: BitCurve.Gy, BitSize: BitCurve.BitSize,
	}
}

// IsOnCurve reports whether y² = x³ + B modulo P and both coordinates are below P. It does not check whether a
// coordinate is negative.
func (BitCurve *BitCurve) IsOnCurve(x, y *big.Int) bool {
	if x.Cmp(BitCurve.P) >= 0 || y.Cmp(BitCurve.P) >= 0 {
		return false
	}
	cube := new(big.Int).Mul(x, x)
	cube.Mul(cube, x).Add(cube, BitCurve.B)
	square := new(big.Int).Mul(y, y)
	return BitCurve.reduce(square.Sub(square, cube)).Sign() == 0
}

// Add returns (x1, y1) + (x2, y2).
func (BitCurve *BitCurve) Add(x1, y1, x2, y2 *big.Int) (*big.Int, *big.Int) {
	switch {
	case x1.Sign() == 0 && y1.Sign() == 0:
		return x2, y2
	case x2.Sign() == 0 && y2.Sign() == 0:
		return x1, y1
	case x1.Cmp(x2) == 0 && y1.Cmp(y2) == 0:
		return BitCurve.Double(x1, y1)
	}
	// The chord through the points has the slope (y2 − y1)/(x2 − x1).
	return BitCurve.line(x1, y1, x2, new(big.Int).Sub(y2, y1), new(big.Int).Sub(x2, x1))
}

// Double returns 2·(x1, y1).
func (BitCurve *BitCurve) Double(x1, y1 *big.Int) (*big.Int, *big.Int) {
	// The tangent at the point has the slope 3·x1²/(2·y1).
	rise := new(big.Int).Mul(x1, x1)
	rise.Mul(rise, big.NewInt(3))
	return BitCurve.line(x1, y1, x1, rise, new(big.Int).Lsh(y1, 1))
}

// line returns the sum of (x1, y1) and a point with the x coordinate x2, if the line through the two points has the
// slope rise/run. The sum is the negative of the third point in which the line meets the curve: x = slope² − x1 − x2, y
// = slope·(x1 − x) − y1. If the line is vertical, the sum is infinity.
func (BitCurve *BitCurve) line(x1, y1, x2, rise, run *big.Int) (x, y *big.Int) {
	if BitCurve.reduce(run).Sign() == 0 {
		return new(big.Int), new(big.Int)
	}
	slope := run.ModInverse(run, BitCurve.P)
	BitCurve.reduce(slope.Mul(slope, rise))
	x = new(big.Int).Mul(slope, slope)
	BitCurve.reduce(x.Sub(x, x1).Sub(x, x2))
	y = new(big.Int).Sub(x1, x)
	BitCurve.reduce(y.Mul(y, slope).Sub(y, y1))
	return x, y
}

// reduce sets v = v mod P and returns v.
func (BitCurve *BitCurve) reduce(v *big.Int) *big.Int { return v.Mod(v, BitCurve.P) }

// ScalarBaseMult returns scalar·(Gx, Gy), under the same conditions as ScalarMult.
func (BitCurve *BitCurve) ScalarBaseMult(scalar []byte) (*big.Int, *big.Int) {
	return BitCurve.ScalarMult(BitCurve.Gx, BitCurve.Gy, scalar)
}

// ScalarMult returns scalar·(Bx, By) on secp256k1, for a big-endian integer scalar of at most 32 bytes. It returns nil
// if the scalar is not in [1, n−1], or if the last 32 bytes of Bx and By are not the coordinates of a point of the
// curve. It panics if the scalar is longer. It is constant-time until the result is converted to two integers of
// math/big, and wipes its copies of the scalar and the stack that it has used.
func (BitCurve *BitCurve) ScalarMult(Bx, By *big.Int, scalar []byte) (*big.Int, *big.Int) {
	if len(scalar) > 32 {
		panic("can't handle scalars > 256 bits")
	}
	var b [65]byte
	b[0] = 4
	fill(b[1:33], Bx)
	fill(b[33:], By)
	var p curve.Point
	if _, err := p.SetBytes(b[:]); err != nil {
		return nil, nil
	}
	k := secret.Make[byte](32)
	defer clear(k)
	copy(k[32-len(scalar):], scalar)
	key, err := p256k1.ParsePrivateKey(k)
	if err != nil {
		return nil, nil
	}
	defer key.Zero()
	product := key.PublicKey().BytesUncompressed()
	if p.Equal(new(curve.Point).SetGenerator()) == 0 {
		err = key.Use(func(d curve.Scalar) error {
			var q curve.Point
			product = q.ScalarMult(&d, &p).BytesUncompressed()
			return nil
		})
		if err != nil {
			return nil, nil
		}
	}
	defer clear(product)
	return integers(product)
}

// Marshal returns the encoding of (x, y): a byte 4, then the absolute values of x and y, each in as many bytes as P
// has. Values that are too long lose their leading bytes.
func (BitCurve *BitCurve) Marshal(x, y *big.Int) []byte {
	size := (BitCurve.BitSize + 7) >> 3
	b := make([]byte, 1+2*size)
	b[0] = 4
	fill(b[1:1+size], x)
	fill(b[1+size:], y)
	return b
}

// fill sets b to the last bytes of the absolute value of v, big-endian.
func fill(b []byte, v *big.Int) {
	if v.BitLen() <= 8*len(b) {
		v.FillBytes(b)
		return
	}
	digits := v.Bytes()
	copy(b, digits[len(digits)-len(b):])
}

// Unmarshal returns the coordinates in an encoding that Marshal returned, or nil if data has another length or does not
// begin with 4. It does not check whether the point is on the curve.
func (BitCurve *BitCurve) Unmarshal(data []byte) (x, y *big.Int) {
	size := (BitCurve.BitSize + 7) >> 3
	if len(data) != 1+2*size || data[0] != 4 {
		return nil, nil
	}
	return new(big.Int).SetBytes(data[1 : 1+size]), new(big.Int).SetBytes(data[1+size:])
}
