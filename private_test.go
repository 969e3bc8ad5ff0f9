package p256k1_test

import (
	"bytes"
	"crypto"
	"errors"
	"fmt"
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

func TestNewPrivateKeyLength(t *testing.T) {
	for n := range 101 {
		k, err := p256k1.ParsePrivateKey(bytes.Repeat([]byte{1}, n))
		if n == 32 {
			libtest.CheckError(t, err, nil)
			continue
		}
		libtest.CheckError(t, err, p256k1.ErrLength, "private key", fmt.Sprintf("%d bytes, want 32", n))
		if k != nil {
			t.Errorf("%d bytes: a key beside the error", n)
		}
	}
}

func TestNewPrivateKeyRange(t *testing.T) {
	r := oracle.New(t)
	values := oracle.RangeEdges()
	for range 40 {
		values = append(values, r.ScalarBytes())
	}
	for _, b := range values {
		d := oracle.Int(b[:])
		k, err := p256k1.ParsePrivateKey(b[:])
		if d.Sign() == 0 || d.Cmp(oracle.N) >= 0 {
			libtest.CheckError(t, err, p256k1.ErrRange, "private key")
			if k != nil {
				t.Errorf("%x: a key beside the error", b)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%x: %v", b, err)
		}
		want := oracle.G.Mul(d)
		if !bytes.Equal(k.Bytes(), b[:]) || !bytes.Equal(k.PublicKey().BytesUncompressed(), want.Uncompressed()) {
			t.Errorf("%x: key %x, public key %x", b, k.Bytes(), k.PublicKey().BytesUncompressed())
		}
		same, err := p256k1.NewPrivateKey(libtest.ScalarOf(k))
		if err != nil || !same.Equal(k) || !same.PublicKey().Equal(k.PublicKey()) {
			t.Errorf("%x does not survive as a scalar: %v", b, err)
		}
		if !k.PublicKey().Equal(k.Public()) {
			t.Errorf("%x: Public and PublicKey differ", b)
		}
	}
	_, err := p256k1.NewPrivateKey(new(curve.Scalar))
	libtest.CheckError(t, err, p256k1.ErrRange, "private key", "zero")
}

func TestGenerateKey(t *testing.T) {
	seen := make(map[string]bool)
	for range 8 {
		k, err := p256k1.GenerateKey()
		if err != nil {
			t.Fatal(err)
		}
		b := k.Bytes()
		if d := oracle.Int(b); d.Sign() == 0 || d.Cmp(oracle.N) >= 0 || d.BitLen() < 128 || seen[string(b)] {
			t.Fatalf("generated %x", b)
		}
		seen[string(b)] = true
		if !libtest.Public(t, oracle.G.Mul(oracle.Int(b))).Equal(k.PublicKey()) {
			t.Fatalf("%x has the public key %x", b, k.PublicKey().Bytes())
		}
	}
}

// TestAccessorsCopy changes the results of the accessors and the argument of the constructor, and checks that the key
// is unchanged.
func TestAccessorsCopy(t *testing.T) {
	in := bytes.Repeat([]byte{7}, 32)
	k, err := p256k1.ParsePrivateKey(in)
	if err != nil {
		t.Fatal(err)
	}
	pub, x := k.PublicKey(), k.PublicKey().XOnly()
	want := [][]byte{k.Bytes(), pub.Bytes(), pub.BytesUncompressed(), x.Bytes()}

	clear(in)
	clear(k.Bytes())
	clear(pub.Bytes())
	clear(pub.BytesUncompressed())
	clear(x.Bytes())
	libtest.ScalarOf(k).Zero()
	pub.Point().Zero()
	x.Point().Zero()
	*k.PublicKey() = p256k1.PublicKey{}
	*pub.XOnly() = p256k1.XOnlyPublicKey{}
	*x.PublicKey() = p256k1.PublicKey{}
	for i, got := range [][]byte{k.Bytes(), pub.Bytes(), pub.BytesUncompressed(), x.Bytes()} {
		if !bytes.Equal(got, want[i]) {
			t.Errorf("accessor %d shares memory with the key", i)
		}
	}
	if !bytes.Equal(k.PublicKey().Bytes(), want[1]) {
		t.Error("PublicKey shares memory with the key")
	}

	d := libtest.Scalar(t, big.NewInt(5))
	k, _ = p256k1.NewPrivateKey(d)
	d.Zero()
	if k.Bytes()[31] != 5 {
		t.Error("NewPrivateKey shares memory with its argument")
	}
}

func TestPrivateKeyEqual(t *testing.T) {
	k, one := libtest.Private(t, big.NewInt(5)), libtest.Private(t, big.NewInt(1))
	for _, c := range []struct {
		x    crypto.PrivateKey
		want bool
	}{
		{k, true},
		{libtest.Private(t, big.NewInt(5)), true},
		{one, false},
		{k.Negate(), false}, // −d has the same x coordinate
		{new(p256k1.PrivateKey), false},
		{(*p256k1.PrivateKey)(nil), false},
		{nil, false},
		{*k, false}, // keys are pointers, as in crypto/ecdsa
		{k.PublicKey(), false},
		{k.Bytes(), false},
	} {
		if k.Equal(c.x) != c.want {
			t.Errorf("Equal(%T): %v", c.x, !c.want)
		}
	}
	wiped := libtest.Private(t, big.NewInt(5))
	wiped.Zero()
	for _, none := range []*p256k1.PrivateKey{new(p256k1.PrivateKey), wiped} {
		if none.Equal(k) || none.Equal(none) || none.Equal(new(p256k1.PrivateKey)) {
			t.Error("what is no key equals something")
		}
	}

	var keys []*p256k1.PrivateKey
	for _, l := range oracle.LimbEdges() {
		if d := oracle.FromLimbs(l); d.Sign() > 0 && d.Cmp(oracle.N) < 0 {
			keys = append(keys, libtest.Private(t, d))
		}
	}
	for i, a := range keys {
		for j, b := range keys {
			if a.Equal(b) != (i == j) {
				t.Fatalf("%x.Equal(%x): %v", a.Bytes(), b.Bytes(), i != j)
			}
		}
	}
}

func TestPrivateKeyNegate(t *testing.T) {
	r := oracle.New(t)
	for range 8 {
		d := r.ValidScalar()
		k := libtest.Private(t, d)
		neg := k.Negate()
		if want := libtest.Private(t, oracle.Fn.Neg(d)); !neg.Equal(want) || !neg.PublicKey().Equal(want.PublicKey()) {
			t.Errorf("−%x = %x with public key %x", d, neg.Bytes(), neg.PublicKey().Bytes())
		}
		if !neg.PublicKey().Equal(k.PublicKey().Negate()) || !neg.Negate().Equal(k) {
			t.Errorf("%x: negating the halves disagrees, or twice is not the key", d)
		}
	}
}

func TestPrivateKeyZero(t *testing.T) {
	k, same := libtest.Private(t, big.NewInt(5)), libtest.Private(t, big.NewInt(5))
	pub, d, copied := k.PublicKey(), libtest.ScalarOf(k), *k
	k.Zero()
	if k.Bytes() != nil {
		t.Errorf("wiped key is %x", k.Bytes())
	}
	for _, wiped := range []*p256k1.PrivateKey{k, new(p256k1.PrivateKey)} {
		if d, err := wiped.Scalar(); d != nil {
			t.Errorf("the scalar of a wiped key is %x", d.Bytes())
		} else {
			libtest.CheckError(t, err, p256k1.ErrNoKey, "wiped or never set")
		}
		libtest.CheckError(t, wiped.Use(func(curve.Scalar) error {
			t.Error("Use calls its function with a wiped key")
			return nil
		}), p256k1.ErrNoKey, "wiped or never set")
	}
	if !k.PublicKey().Equal(pub) {
		t.Error("the public key did not stay")
	}
	if d.IsZero() == 1 || k.Equal(same) || same.Equal(k) {
		t.Error("Zero reached another key, or the wiped key equals one")
	}
	if copied.Bytes() != nil {
		t.Error("a copy of the key is not wiped with it")
	}
	k.Zero()
}

func TestPrivateKeyUse(t *testing.T) {
	r := oracle.New(t)
	for range 20 {
		x := r.ValidScalar()
		k := libtest.Private(t, x)
		var got []byte
		failure := errors.New("of the caller")
		for _, want := range []error{nil, failure} {
			err := k.Use(func(d curve.Scalar) error {
				got = d.Bytes()
				d.Zero() // d is a copy, so k must keep its value
				return want
			})
			if err != want || !bytes.Equal(got, k.Bytes()) || oracle.Int(got).Cmp(x) != 0 {
				t.Fatalf("%x: Use gave %x, error %v, want %v", x, got, err, want)
			}
		}
	}
}
