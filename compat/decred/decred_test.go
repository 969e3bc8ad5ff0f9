package secp256k1_test

import (
	"bytes"
	"fmt"
	"math/big"
	"reflect"
	"testing"
	"unsafe"

	secp256k1 "p256k1.mleku.dev/v2/compat/decred"
	"p256k1.mleku.dev/v2/compat/decred/ecdsa"
	"p256k1.mleku.dev/v2/internal/oracle"
)

func scalarOf(b [32]byte) *secp256k1.ModNScalar {
	s := new(secp256k1.ModNScalar)
	s.SetBytes(&b)
	return s
}

func fieldOf(b [32]byte) *secp256k1.FieldVal {
	f := new(secp256k1.FieldVal)
	f.SetBytes(&b)
	return f.Normalize()
}

// TestOffCurve tries keys that are not on the curve.
func TestOffCurve(t *testing.T) {
	r := oracle.New(t)
	for range 50 {
		key := secp256k1.NewPublicKey(fieldOf(r.Digest()), fieldOf(r.Digest()))
		private := secp256k1.PrivKeyFromBytes(r.Bytes(32))
		if key.IsOnCurve() {
			t.Fatal("on the curve")
		}
		if secret := secp256k1.GenerateSharedSecret(private, key); !bytes.Equal(secret, make([]byte, 32)) {
			t.Fatalf("the secret %x", secret)
		}
		var p secp256k1.JacobianPoint
		key.AsJacobian(&p)
		secp256k1.ScalarMultNonConst(&private.Key, &p, &p)
		if p != (secp256k1.JacobianPoint{}) {
			t.Fatalf("the product %v", p)
		}
		if x, y := secp256k1.S256().ScalarMult(key.X(), key.Y(), private.Serialize()); x.Sign() != 0 || y.Sign() != 0 {
			t.Fatalf("the product (%v, %v)", x, y)
		}
		digest := r.Bytes(32)
		if ecdsa.Sign(private, digest).Verify(digest, key) {
			t.Fatal("a signature is valid")
		}
	}
	// As in Decred's module, EquivalentNonConst compares only the x coordinates, unless the y coordinates are opposite.
	var one, two, minus secp256k1.FieldVal
	one.SetInt(1)
	two.SetInt(2)
	minus.SetInt(1).Negate(1).Normalize()
	p, q, r2 := secp256k1.MakeJacobianPoint(&two, &one, &one), secp256k1.MakeJacobianPoint(&two, &two, &one),
		secp256k1.MakeJacobianPoint(&two, &minus, &one)
	if !p.EquivalentNonConst(&q) || p.EquivalentNonConst(&r2) {
		t.Error("(2, 1) is not (2, 2), or is (2, −1)")
	}
	// For the key (0, 0), Decred's Verify treats u₂·Q as infinity, so it accepts a signature with r = x(u₁·G).
	var s, e secp256k1.ModNScalar
	var R secp256k1.JacobianPoint
	s.SetInt(1)
	secp256k1.ScalarBaseMultNonConst(e.SetInt(5), &R)
	sig := ecdsa.NewSignature(scalarOf(*R.X.Bytes()), &s)
	digest := e.Bytes()
	if none := new(secp256k1.PublicKey); sig.Verify(digest[:], none) {
		t.Error("valid with the key (0, 0)")
	}
}

// TestAffine checks that products have canonical affine coordinates.
func TestAffine(t *testing.T) {
	r := oracle.New(t)
	for range 20 {
		k, l := scalarOf(r.Digest()), scalarOf(r.Digest())
		var p, q, kl secp256k1.JacobianPoint
		secp256k1.ScalarBaseMultNonConst(k, &p)
		secp256k1.ScalarMultNonConst(l, &p, &q)
		secp256k1.DoubleNonConst(&p, &p)
		secp256k1.ScalarMultNonConst(l, &p, &p) // p is not affine
		secp256k1.ScalarBaseMultNonConst(k.Mul(l), &kl)
		if q != kl || !q.Z.IsOne() {
			t.Fatalf("%v, want %v", q, kl)
		}
		secp256k1.ScalarBaseMultNonConst(k.Add(k), &kl)
		if p != kl {
			t.Fatalf("%v, want %v", p, kl)
		}
		secp256k1.ScalarMultNonConst(k.SetInt(0), &p, &q)
		if q != (secp256k1.JacobianPoint{}) {
			t.Fatalf("infinity is %v", q)
		}
	}
}

// TestNotNormalized compares values in two representations.
func TestNotNormalized(t *testing.T) {
	r := oracle.New(t)
	differ := 0
	for range 200 {
		a := fieldOf(r.Digest())
		b := *a
		for range 40 { // beyond any magnitude that Decred allows
			b.Add(a).Negate(1).Add(a).MulInt(255).Negate(1)
		}
		c := b
		c.Normalize()
		if !b.Equals(&c) || *b.Bytes() != *c.Bytes() || b.IsZero() != c.IsZero() {
			t.Fatalf("%v is not %v", b, c)
		}
		var high secp256k1.FieldVal // p + v for a small v
		v := uint16(1 + r.IntN(900))
		high.SetInt(0)
		raw := oracle.Bytes(oracle.P)
		high.SetBytes(&raw)
		high.AddInt(0)
		low := new(secp256k1.FieldVal).SetInt(v)
		raw = high31(raw, v)
		high.SetBytes(&raw)
		if high != *low {
			differ++
		}
		if !high.Equals(low) || *high.Bytes() != *low.Bytes() {
			t.Fatalf("%v is not %v", high, low)
		}
		p := secp256k1.MakeJacobianPoint(&high, a, &b)
		q := secp256k1.MakeJacobianPoint(low, a, &c)
		var twice, same secp256k1.JacobianPoint
		secp256k1.DoubleNonConst(&p, &twice)
		secp256k1.DoubleNonConst(&q, &same)
		if twice != same {
			t.Fatal("doublings differ")
		}
		secp256k1.AddNonConst(&p, &twice, &p)
		secp256k1.AddNonConst(&q, &twice, &q)
		if p != q {
			t.Fatal("sums differ")
		}
	}
	if differ == 0 {
		t.Error("all were normalized")
	}
}

// high31 returns b + v. The sum must not change more than the lowest four bytes of b.
func high31(b [32]byte, v uint16) [32]byte {
	sum := uint32(b[31]) | uint32(b[30])<<8 | uint32(b[29])<<16 | uint32(b[28])<<24
	sum += uint32(v)
	b[31], b[30], b[29], b[28] = byte(sum), byte(sum>>8), byte(sum>>16), byte(sum>>24)
	return b
}

// TestIsOne tries values that differ from 0 or from 1 in one bit.
func TestIsOne(t *testing.T) {
	for i := range 256 {
		for low := range uint16(2) {
			var b [32]byte
			b[31] = byte(low)
			b[31-i/8] ^= 1 << (i % 8)
			var f secp256k1.FieldVal
			var s secp256k1.ModNScalar
			f.SetBytes(&b)
			s.SetBytes(&b)
			isZero, isOne := low == 1 && i == 0, low == 0 && i == 0
			if f.IsOne() != isOne || f.IsZero() != isZero || s.IsZero() != isZero {
				t.Errorf("%x: IsOne %v, IsZero %v, %v", b, f.IsOne(), f.IsZero(), s.IsZero())
			}
		}
	}
}

// TestIsGtOrEqPrimeMinusOrder tries p − n, powers of 2, p − n plus and minus a power of 2, and p + 5, which is not
// normalized.
func TestIsGtOrEqPrimeMinusOrder(t *testing.T) {
	bound := new(big.Int).Sub(oracle.P, oracle.N)
	check := func(v *big.Int, want bool) {
		b := oracle.Bytes(v)
		var f secp256k1.FieldVal
		f.SetBytes(&b)
		if f.IsGtOrEqPrimeMinusOrder() != want {
			t.Errorf("%x: %v", v, !want)
		}
	}
	check(bound, true)
	for i := range uint(255) {
		d := new(big.Int).Lsh(big.NewInt(1), i)
		check(d, d.Cmp(bound) >= 0)
		check(new(big.Int).Add(bound, d), true)
		if d.Cmp(bound) <= 0 {
			check(new(big.Int).Sub(bound, d), false)
		}
	}
	check(new(big.Int).Add(oracle.P, big.NewInt(5)), false)
}

// TestNoRoot passes an x that is not the x coordinate of a point, and checks the y that Decred's function leaves, whose
// square is −(x³ + 7).
func TestNoRoot(t *testing.T) {
	var x, y secp256k1.FieldVal
	const want = "350ae3b48047adacdeea49fb8a0b289a94f726801078408aba79631fa7a1b6ba"
	for _, odd := range []bool{true, false} {
		if secp256k1.DecompressY(x.SetInt(5), odd, &y) || y.String() != want {
			t.Errorf("5 is the x of a point, or y is %v", y)
		}
	}
}

// TestSquareRootOfItself computes a root in place. In this case Decred's SquareRootVal compares the square of the root
// with the root, so that it returns false unless the root is 0 or 1.
func TestSquareRootOfItself(t *testing.T) {
	var v, three secp256k1.FieldVal
	v.SetInt(9)
	if v.SquareRootVal(&v) || !v.Equals(three.SetInt(3).Negate(1).Normalize()) {
		t.Errorf("true, or the root of 9 is %v", v)
	}
	for i := range uint16(2) {
		v.SetInt(i)
		if !v.SquareRootVal(&v) || !v.Equals(three.SetInt(i)) {
			t.Errorf("false, or the root of %d is %v", i, v)
		}
	}
}

// TestLimbs checks what fmt and unsafe show of unexported fields, of which fmt calls no methods.
func TestLimbs(t *testing.T) {
	var x secp256k1.FieldVal
	var s secp256k1.ModNScalar
	for got, want := range map[string]string{
		fmt.Sprint(secp256k1.NewPublicKey(x.SetInt(3), &x)): "&{{[3 0 0 0]} {[3 0 0 0]}}",
		fmt.Sprint(ecdsa.NewSignature(s.SetInt(4), &s)):     "&{{[4 0 0 0]} {[4 0 0 0]}}",
		fmt.Sprintf("%#v", x):                               "secp256k1.FieldVal{limbs:[4]uint64{0x3, 0x0, 0x0, 0x0}}",
		fmt.Sprint(unsafe.Sizeof(x)):                        "32",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestTypePath checks the import path of the types, which package reflect shows.
func TestTypePath(t *testing.T) {
	if got := reflect.TypeFor[secp256k1.PublicKey]().PkgPath(); got != "p256k1.mleku.dev/v2/compat/decred" {
		t.Error(got)
	}
}

// TestSignNothing signs the hash 0 with the key 0. In this case Decred's Sign never returns, whereas Sign of this
// package panics.
func TestSignNothing(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	ecdsa.Sign(new(secp256k1.PrivateKey), nil)
}

// TestAllocs checks that functions allocate no more often than the table says. TestAllocations of package dropin
// compares the functions with Decred's.
func TestAllocs(t *testing.T) {
	key := secp256k1.PrivKeyFromBytes(bytes.Repeat([]byte{7}, 32))
	pub, digest := key.PubKey(), bytes.Repeat([]byte{8}, 32)
	sig, compact := ecdsa.Sign(key, digest), ecdsa.SignCompact(key, digest, true)
	der, encoded := sig.Serialize(), pub.SerializeCompressed()
	var p secp256k1.JacobianPoint
	pub.AsJacobian(&p)
	for name, c := range map[string]struct {
		most float64
		do   func()
	}{
		"Verify":                 {0, func() { sig.Verify(digest, pub) }},
		"Sign":                   {2, func() { ecdsa.Sign(key, digest) }},
		"SignCompact":            {3, func() { ecdsa.SignCompact(key, digest, true) }},
		"RecoverCompact":         {1, func() { ecdsa.RecoverCompact(compact, digest) }},
		"ParseDERSignature":      {1, func() { ecdsa.ParseDERSignature(der) }},
		"ParsePubKey":            {1, func() { secp256k1.ParsePubKey(encoded) }},
		"PubKey":                 {1, func() { key.PubKey() }},
		"GenerateSharedSecret":   {1, func() { secp256k1.GenerateSharedSecret(key, pub) }},
		"ScalarMultNonConst":     {0, func() { secp256k1.ScalarMultNonConst(&key.Key, &p, &p) }},
		"ScalarBaseMultNonConst": {0, func() { secp256k1.ScalarBaseMultNonConst(&key.Key, &p) }},
		"AddNonConst":            {0, func() { secp256k1.AddNonConst(&p, &p, &p) }},
		"NonceRFC6979":           {1, func() { secp256k1.NonceRFC6979(digest, digest, nil, nil, 0) }},
	} {
		if got := testing.AllocsPerRun(10, c.do); got > c.most {
			t.Errorf("%s allocates %v times, want at most %v", name, got, c.most)
		}
	}
}
