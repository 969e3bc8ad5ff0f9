// Package oracle is a second implementation of secp256k1, with which tests compare this library. Only tests and tools
// may import it. It implements the curve and its signature schemes with math/big, straight from the specifications and
// as plainly as possible. It is slow, allocates memory and takes variable time, so it must never see a secret that
// matters. It shares no code with the library.
//
// The package also holds the inputs that tests pass to both implementations: lists of named edge cases, and [Rand], a
// reproducible generator that often returns edge cases.
//
// Callers and functions never change a *big.Int that is passed in or returned, nor the variables below.
package oracle

import (
	"encoding/binary"
	"math/big"
)

// The curve is y² = x³ + B over the integers mod P. Its group has the prime order N and the generator [G] (SEC 2,
// §2.4.1).
var (
	P = fromHex("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f")
	N = fromHex("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
	B = big.NewInt(7)
	G = Point{
		fromHex("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"),
		fromHex("483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"),
	}

	// Beta³ = 1 mod P, Lambda³ = 1 mod N, and Lambda·(x, y) = (Beta·x, y).
	Beta   = fromHex("7ae96a2b657c07106e64479eac3434e99cf0497512f58995c1396c28719501ee")
	Lambda = fromHex("5363ad4cc05c30e0a5261c028812645a122e22ea20816678df02967c1b23bd72")
)

// (A1, B1) and (A2, B2) are the reduced basis of the lattice of all (a, b) with a + b·Lambda = 0 mod N.
var (
	A1 = fromHex("3086d221a7d46bcde86c90e49284eb15")
	B1 = new(big.Int).Neg(fromHex("e4437ed6010e88286f547fa90abfe4c3"))
	A2 = fromHex("114ca50f7a8e2f3f657c1108d9d44cfd8")
	B2 = A1
)

// Fp is the field of the coordinates, and Fn is the field of the scalars.
var (
	Fp = Ring{P}
	Fn = Ring{N}
)

// Ring is the integers mod M. Operands may be any integers; results are in [0, M).
type Ring struct{ M *big.Int }

func (r Ring) Reduce(a *big.Int) *big.Int { return new(big.Int).Mod(a, r.M) }
func (r Ring) Add(a, b *big.Int) *big.Int { return r.mod(new(big.Int).Add(a, b)) }
func (r Ring) Sub(a, b *big.Int) *big.Int { return r.mod(new(big.Int).Sub(a, b)) }
func (r Ring) Neg(a *big.Int) *big.Int    { return r.mod(new(big.Int).Neg(a)) }
func (r Ring) Mul(a, b *big.Int) *big.Int { return r.mod(new(big.Int).Mul(a, b)) }
func (r Ring) Exp(a, e *big.Int) *big.Int { return new(big.Int).Exp(a, e, r.M) }

// mod reduces a in place.
func (r Ring) mod(a *big.Int) *big.Int { return a.Mod(a, r.M) }

// Inv returns 1/a, or 0 if a is 0.
func (r Ring) Inv(a *big.Int) *big.Int {
	if a = r.Reduce(a); a.Sign() == 0 {
		return a
	}
	return a.ModInverse(a, r.M)
}

// Sqrt returns a^((P+1)/4) mod P, and whether a is a square. If a is a square, root is the square root of a that is
// itself a square.
func Sqrt(a *big.Int) (root *big.Int, ok bool) {
	e := new(big.Int).Add(P, big.NewInt(1))
	root = Fp.Exp(a, e.Rsh(e, 2))
	return root, Fp.Mul(root, root).Cmp(Fp.Reduce(a)) == 0
}

// SplitLambda returns integers k1 and k2 with k = k1 + k2·Lambda mod N, both below 2¹²⁸ in absolute value. (k1, k2) is
// the difference of (k, 0) and a lattice point near it, c1·(A1, B1) + c2·(A2, B2).
func SplitLambda(k *big.Int) (k1, k2 *big.Int) {
	k = Fn.Reduce(k)
	c1 := roundDiv(new(big.Int).Mul(B2, k), N)
	c2 := roundDiv(new(big.Int).Neg(new(big.Int).Mul(B1, k)), N)
	dot := func(u, v *big.Int) *big.Int {
		return new(big.Int).Add(new(big.Int).Mul(c1, u), new(big.Int).Mul(c2, v))
	}
	k1 = dot(A1, A2)
	k2 = dot(B1, B2)
	return k1.Sub(k, k1), k2.Neg(k2)
}

// roundDiv returns the integer nearest to a/b, for a ≥ 0 and odd b.
func roundDiv(a, b *big.Int) *big.Int {
	q := new(big.Int).Lsh(a, 1)
	return q.Div(q.Add(q, b), new(big.Int).Lsh(b, 1))
}

// Int returns the big-endian integer b.
func Int(b []byte) *big.Int { return new(big.Int).SetBytes(b) }

// Bytes returns a as 32 bytes, big-endian. It panics unless 0 ≤ a < 2²⁵⁶.
func Bytes(a *big.Int) (b [32]byte) {
	if a.Sign() < 0 {
		panic("oracle: Bytes of a negative integer")
	}
	a.FillBytes(b[:])
	return b
}

// Limbs returns a as four 64-bit limbs, the least significant first. It panics unless 0 ≤ a < 2²⁵⁶.
func Limbs(a *big.Int) (l [4]uint64) {
	b := Bytes(a)
	for i := range l {
		l[i] = binary.BigEndian.Uint64(b[24-8*i:])
	}
	return l
}

// FromLimbs returns the integer whose 64-bit limbs are l, the least significant first.
func FromLimbs(l [4]uint64) *big.Int {
	var b [32]byte
	for i := range l {
		binary.BigEndian.PutUint64(b[24-8*i:], l[i])
	}
	return Int(b[:])
}

func fromHex(s string) *big.Int {
	v, ok := new(big.Int).SetString(s, 16)
	if !ok {
		panic("oracle: bad constant " + s)
	}
	return v
}
