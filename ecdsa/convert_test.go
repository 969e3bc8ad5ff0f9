package ecdsa

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"p256k1.mleku.dev"
	"p256k1.mleku.dev/curve"
	"p256k1.mleku.dev/internal/oracle"
)

func private(t testing.TB, d *big.Int) *p256k1.PrivateKey {
	t.Helper()
	b := oracle.Bytes(d)
	k, err := p256k1.NewPrivateKey(b[:])
	if err != nil {
		t.Fatal(err)
	}
	return k
}

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

// raw returns a signature without looking at the range of r and s.
func raw(r, s *big.Int) Signature {
	return Signature{oracle.Signature{R: r, S: s}.Compact()}
}

// rawRecoverable is raw with a recovery id.
func rawRecoverable(r, s *big.Int, id int) RecoverableSignature {
	sig := raw(r, s)
	return RecoverableSignature{[65]byte(append(sig.rs[:], byte(id)))}
}

func inRange(v *big.Int) bool { return v.Sign() > 0 && v.Cmp(oracle.N) < 0 }

func add(a *big.Int, b int64) *big.Int { return new(big.Int).Add(a, big.NewInt(b)) }

// checkError fails t unless err is of the kind want and its text has the words.
func checkError(t testing.TB, err, want error, words ...string) {
	t.Helper()
	if !errors.Is(err, want) || want == nil && err != nil {
		t.Errorf("error %q, want %q", err, want)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not say %q", err, w)
		}
	}
}
