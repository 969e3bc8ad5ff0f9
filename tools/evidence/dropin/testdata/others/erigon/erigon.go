// The program erigon calls every exported function and method of Erigon's module, which is libsecp256k1 by cgo, with
// random, edge-weighted and mutated arguments. It prints the results, errors and panics. With the replacement it must
// print the same as without the replacement.
package main

import (
	"bytes"
	"crypto/elliptic"
	"fmt"
	"math/big"
	"runtime"

	"github.com/erigontech/secp256k1"
)

func show(v any) any {
	if params, ok := v.(*elliptic.CurveParams); ok {
		return fmt.Sprintf("%+v", *params)
	}
	return v
}

func play() {
	contexts()
	signatures()
	keys()
	curve(secp256k1.S256())
	curve(otherCurve())
	multiples()
}

// number32 returns 32 bytes, at times fewer, more or none.
func number32() []byte {
	switch r.IntN(24) {
	case 0:
		return nil
	case 1:
		return text()
	}
	return number()
}

// contexts calls the functions of contexts, also with invalid numbers of threads.
func contexts() {
	count := secp256k1.NumOfContexts()
	say("NumOfContexts", count, runtime.NumCPU())
	i := r.IntN(count+2) - 1
	try("ContextForThread", func() {
		a, b := secp256k1.ContextForThread(i), secp256k1.ContextForThread(i)
		say("ContextForThread", i, a == nil, a == b, *a == *b)
	})
	if r.IntN(5000) == 0 { // seldom, because the original builds a table
		a := secp256k1.NewContext()
		say("NewContext", a == nil, a == secp256k1.NewContext(), a == secp256k1.DefaultContext)
	}
}

// context returns a context, or nil, for which the original panics.
func context() *secp256k1.Context {
	switch r.IntN(8) {
	case 0:
		return nil
	case 1:
		return secp256k1.ContextForThread(r.IntN(secp256k1.NumOfContexts()))
	case 2:
		return new(secp256k1.Context)
	}
	return secp256k1.DefaultContext
}

// signature returns r‖s‖v that is valid, or nearly valid, for a hash and a key.
func signature(hash, key []byte) []byte {
	sig, err := secp256k1.Sign(hash, key)
	if err != nil {
		sig = append(append(number(), number()...), byte(r.IntN(5)))
	}
	s := new(big.Int).SetBytes(sig[32:64])
	switch r.IntN(8) {
	case 0: // n − s in place of s
		if s.Sign() > 0 && s.Cmp(n) < 0 {
			s.Sub(n, s).FillBytes(sig[32:64])
			sig[64] ^= 1
		}
	case 1: // the x coordinate may be r + n
		copy(sig, number())
		for i := range sig[:16] {
			sig[i] = 0
		}
		sig[64] = byte(r.IntN(4))
	case 2:
		copy(sig[r.IntN(2)*32:], number())
	case 3:
		sig[64] = byte(r.IntN(6))
	case 4:
		sig = mutate(sig)
	}
	return sig
}

func signatures() {
	hash, key := number32(), number32()
	sig, err := secp256k1.Sign(hash, key)
	say("Sign", sig, err)
	hash = number()
	for range 4 {
		sig := signature(hash, number())
		if r.IntN(8) == 0 {
			hash = number32()
		}
		public, err := secp256k1.RecoverPubkey(hash, sig)
		say("RecoverPubkey", public, err)
		verify(hash, sig, public)
		buffer := make([]byte, r.IntN(3)*r.IntN(70), 140)[: r.IntN(1+r.IntN(2)*70) : r.IntN(2)*70+70]
		arguments(hash, sig, buffer)
		// The result overlaps the hash and the signature.
		all := append(append(make([]byte, 0, 400), hash...), sig...)
		arguments(all[:len(hash)], all[len(hash):], all[:r.IntN(len(all)+1)])
	}
}

// arguments calls RecoverPubkeyWithContext, and prints the buffer, too.
func arguments(hash, sig, buffer []byte) {
	try("RecoverPubkeyWithContext", func() {
		public, err := secp256k1.RecoverPubkeyWithContext(context(), hash, sig, buffer)
		same := len(public) > 0 && cap(buffer) > 0 && &public[0] == &buffer[:1][0]
		say("RecoverPubkeyWithContext", public, err, same)
	})
	say("the buffer", buffer[:cap(buffer)])
}

// verify verifies a signature with a public key in all its encodings.
func verify(hash, sig, public []byte) {
	if len(sig) > 64 && r.IntN(8) > 0 {
		sig = sig[:64]
	}
	say("VerifySignature", secp256k1.VerifySignature(public, hash, sig))
	if len(public) != 65 {
		return
	}
	hybrid, compressed := bytes.Clone(public), append([]byte{2 + public[64]&1}, public[1:33]...)
	hybrid[0] = byte(5 + r.IntN(4))
	for _, b := range [][]byte{hybrid, compressed} {
		say("VerifySignature", secp256k1.VerifySignature(b, hash, sig), secp256k1.VerifySignature(mutate(b), hash, sig))
	}
	say("DecompressPubkey", fmt.Sprint(secp256k1.DecompressPubkey(mutate(compressed))))
}

// point returns a point of the curve.
func point() (x, y *big.Int) {
	for {
		b := number()
		if x, y = secp256k1.DecompressPubkey(append([]byte{byte(2 + r.IntN(2))}, b...)); x != nil {
			return x, y
		}
	}
}

func keys() {
	b := append([]byte{byte(r.IntN(6))}, number32()...)
	say("DecompressPubkey", fmt.Sprint(secp256k1.DecompressPubkey(b)))
	x, y := coordinates()
	try("CompressPubkey", func() { say("CompressPubkey", secp256k1.CompressPubkey(x, y)) })
}

// coordinates returns a point of the curve in about half of the calls. Otherwise coordinates are negative, too long,
// random, nil or both 0.
func coordinates() (x, y *big.Int) {
	x, y = point()
	for _, v := range []**big.Int{&x, &y} {
		switch r.IntN(16) {
		case 0:
			(*v).Neg(*v)
		case 1:
			*v = new(big.Int).Add(*v, new(big.Int).Lsh(big.NewInt(int64(r.IntN(5))), uint(256+r.IntN(300))))
		case 2:
			*v = new(big.Int).SetBytes(number())
		case 3:
			if *v = new(big.Int).Add(*v, p); r.IntN(2) == 0 {
				*v = nil
			}
		}
	}
	if r.IntN(16) == 0 {
		return new(big.Int), new(big.Int)
	}
	return x, y
}

// otherCurve returns a curve that is not secp256k1, on which math/big computes.
func otherCurve() *secp256k1.BitCurve {
	c := *secp256k1.S256()
	if r.IntN(2) == 0 {
		c.P, c.BitSize = big.NewInt(65521), r.IntN(40)
	}
	c.B = new(big.Int).SetBytes(number())
	return &c
}

// curve calls the methods that compute with math/big, with points on and off the curve.
func curve(c *secp256k1.BitCurve) {
	x, y := coordinates()
	u, v := coordinates()
	switch r.IntN(8) {
	case 0:
		u, v = x, y
	case 1:
		u = x
	case 2:
		if y != nil {
			u, v = x, new(big.Int).Sub(p, y)
		}
	case 3:
		if x != nil {
			u, v = new(big.Int).Add(x, c.P), y
		}
	}
	say("S256", c == secp256k1.S256(), c.Params(), c.Params() == c.Params())
	try("IsOnCurve", func() {
		if reduces && (x.Cmp(c.P) >= 0 || y.Cmp(c.P) >= 0) {
			return
		}
		say("IsOnCurve", c.IsOnCurve(x, y))
	})
	try("Add", func() {
		sumX, sumY := c.Add(x, y, u, v)
		say("Add", sumX, sumY, sumX == x || sumX == u, sumY == y || sumY == v)
	})
	try("Double", func() { say("Double", fmt.Sprint(c.Double(x, y))) })
	try("Marshal", func() {
		b := c.Marshal(x, y)
		say("Marshal", b)
		say("Unmarshal", fmt.Sprint(c.Unmarshal(b)), fmt.Sprint(c.Unmarshal(mutate(b))))
	})
	say("arguments", x, y, u, v)
}

// valid reports whether ScalarMult reads (x, y) as a point of the curve. The replacement refuses other points.
func valid(x, y *big.Int) bool {
	mask := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))
	x = new(big.Int).And(new(big.Int).Abs(x), mask)
	y = new(big.Int).And(new(big.Int).Abs(y), mask)
	if x.Cmp(p) >= 0 || y.Cmp(p) >= 0 {
		return !reduces
	}
	square := new(big.Int).Mul(y, y)
	cube := new(big.Int).Mul(x, x)
	cube.Mul(cube, x).Add(cube, big.NewInt(7))
	return square.Sub(square, cube).Mod(square, p).Sign() == 0
}

func multiples() {
	c := secp256k1.S256()
	if r.IntN(4) == 0 {
		c = otherCurve() // ScalarMult does not use the curve's parameters
	}
	k := number32()
	kept := bytes.Clone(k)
	try("ScalarBaseMult", func() { say("ScalarBaseMult", fmt.Sprint(c.ScalarBaseMult(k))) })
	x, y := coordinates()
	try("ScalarMult", func() {
		if x != nil && y != nil && !valid(x, y) {
			return
		}
		say("ScalarMult", fmt.Sprint(c.ScalarMult(x, y, k)))
	})
	say("the scalar", k, bytes.Equal(k, kept))
}
