package p256k1_test

import (
	"encoding/hex"
	"errors"
	"math/big"
	"strings"
	"testing"

	"p256k1.mleku.dev"
	"p256k1.mleku.dev/curve"
	"p256k1.mleku.dev/internal/oracle"
)

// private returns the private key d.
func private(t testing.TB, d *big.Int) *p256k1.PrivateKey {
	t.Helper()
	b := oracle.Bytes(d)
	k, err := p256k1.NewPrivateKey(b[:])
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// public returns the public key at p.
func public(t testing.TB, p oracle.Point) *p256k1.PublicKey {
	t.Helper()
	k, err := p256k1.NewPublicKey(p.Uncompressed())
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func scalar(t testing.TB, k *big.Int) *curve.Scalar {
	t.Helper()
	b := oracle.Bytes(k)
	s, err := new(curve.Scalar).SetBytes(b[:])
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// scalarOf returns the private key k as a scalar.
func scalarOf(k *p256k1.PrivateKey) *curve.Scalar {
	d, err := k.Scalar()
	if err != nil {
		panic(err)
	}
	return d
}

func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

// checkError fails t unless err is of the kind want, and of no other of the
// library's, and its text has the words. A want of nil is no error.
func checkError(t testing.TB, err, want error, words ...string) {
	t.Helper()
	if want == nil && err != nil {
		t.Errorf("error %q", err)
	}
	for _, kind := range []error{
		p256k1.ErrLength, p256k1.ErrPrefix, p256k1.ErrRange, p256k1.ErrNotOnCurve, p256k1.ErrInfinity,
	} {
		if errors.Is(err, kind) != (kind == want) {
			t.Errorf("error %q: is %q: %v", err, kind, kind != want)
		}
	}
	for _, w := range words {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not say %q", err, w)
		}
	}
}
