package secp256k1_test

import (
	"bytes"
	"reflect"
	"testing"

	secp256k1 "p256k1.mleku.dev/compat/decred"
	"p256k1.mleku.dev/compat/decred/ecdsa"
	"p256k1.mleku.dev/internal/oracle"
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

// TestOffCurve has keys that are not on the curve.
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
		digest := r.Bytes(32)
		if ecdsa.Sign(private, digest).Verify(digest, key) {
			t.Fatal("a signature is valid")
		}
	}
	// With u₂·Q for infinity, x(u₁·G) = r: Decred's says yes for the key (0, 0).
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

// TestAffine wants canonical coordinates of products.
func TestAffine(t *testing.T) {
	r := oracle.New(t)
	for range 20 {
		k, l := scalarOf(r.Digest()), scalarOf(r.Digest())
		var p, q, kl secp256k1.JacobianPoint
		secp256k1.ScalarBaseMultNonConst(k, &p)
		secp256k1.ScalarMultNonConst(l, &p, &q)
		secp256k1.DoubleNonConst(&p, &p)
		secp256k1.ScalarMultNonConst(l, &p, &p) // from other coordinates
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

// TestNotNormalized has the same values in two representations.
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

// high31 returns b + v, for a v that overflows the lowest two bytes at most.
func high31(b [32]byte, v uint16) [32]byte {
	sum := uint32(b[31]) | uint32(b[30])<<8 | uint32(b[29])<<16 | uint32(b[28])<<24
	sum += uint32(v)
	b[31], b[30], b[29], b[28] = byte(sum), byte(sum>>8), byte(sum>>16), byte(sum>>24)
	return b
}

// TestNoRoot has an x without a point: what is left as y is not defined, in Decred's either, and is not of one here.
func TestNoRoot(t *testing.T) {
	var x, y secp256k1.FieldVal
	if secp256k1.DecompressY(x.SetInt(5), true, &y) {
		t.Error("5 is the x of a point")
	}
	if secp256k1.NewPublicKey(&x, &y).IsOnCurve() {
		t.Error("y is of a point")
	}
}

// TestTypePath: package reflect sees where the types are.
func TestTypePath(t *testing.T) {
	if got := reflect.TypeFor[secp256k1.PublicKey]().PkgPath(); got != "p256k1.mleku.dev/compat/decred" {
		t.Error(got)
	}
}

// TestSignNothing signs the hash 0 with the key 0, of which Decred's Sign never returns.
func TestSignNothing(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	ecdsa.Sign(new(secp256k1.PrivateKey), nil)
}

// TestAllocs allows what Decred's functions allocate, or less.
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
