// Package libtest helps to test the packages that build on package curve. It converts integers and points of package
// oracle to keys and scalars of the library, and checks errors.
package libtest

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/iotest"
	"unicode"
	"unsafe"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// Must returns v. It panics if err is not nil.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Check ends the test if err is not nil.
func Check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Untested ends the test, because what it would test is missing on this machine. With CI=true, the test fails.
func Untested(t testing.TB, why ...any) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(why...)
	}
	t.Skip(append([]any{"NOT TESTED: "}, why...)...)
}

// Need calls Untested if a program is missing.
func Need(t testing.TB, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		Untested(t, err)
	}
}

// Misread changes the secret scalar of a key in memory, as a hardware error could. The public key stays.
func Misread(t testing.TB, key *p256k1.PrivateKey) {
	t.Helper()
	type keyPair struct { // the beginning of p256k1's type
		_, _ uintptr
		d    curve.Scalar
	}
	pub, d := key.PublicKey(), &(**(***keyPair)(unsafe.Pointer(key))).d
	d.Negate(d)
	if changed, err := key.Scalar(); err != nil || changed.Equal(d) != 1 || !key.PublicKey().Equal(pub) {
		t.Fatalf("not a change of the scalar: %v", err)
	}
}

// Readers returns readers of data, by how the data arrive. Whoever reads them must get the same from all of them.
func Readers(data []byte) map[string]io.Reader {
	return map[string]io.Reader{
		"at once":      bytes.NewReader(data),
		"byte by byte": iotest.OneByteReader(bytes.NewReader(data)),
		"by halves":    iotest.HalfReader(bytes.NewReader(data)),
		"with the end": iotest.DataErrReader(bytes.NewReader(data)),
	}
}

// Private returns the private key d.
func Private(t testing.TB, d *big.Int) *p256k1.PrivateKey {
	t.Helper()
	b := oracle.Bytes(d)
	k, err := p256k1.ParsePrivateKey(b[:])
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// Public returns the public key whose point is p.
func Public(t testing.TB, p oracle.Point) *p256k1.PublicKey {
	t.Helper()
	k, err := p256k1.ParsePublicKey(p.Uncompressed())
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// Scalar returns k as a scalar of package curve.
func Scalar(t testing.TB, k *big.Int) *curve.Scalar {
	t.Helper()
	b := oracle.Bytes(k)
	s, err := new(curve.Scalar).SetBytes(b[:])
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ScalarOf returns the private key k as a scalar of package curve.
func ScalarOf(k *p256k1.PrivateKey) *curve.Scalar {
	d, err := k.Scalar()
	if err != nil {
		panic(err)
	}
	return d
}

// Unhex returns the bytes of a hexadecimal constant.
func Unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

// CheckError checks err as CheckErrorIs does, and also fails t if errors.Is finds another sentinel error for keys in
// err.
func CheckError(t testing.TB, err, want error, words ...string) {
	t.Helper()
	CheckErrorIs(t, err, want, words...)
	for _, kind := range []error{
		p256k1.ErrLength, p256k1.ErrPrefix, p256k1.ErrRange, p256k1.ErrNotOnCurve, p256k1.ErrInfinity, p256k1.ErrNoKey,
	} {
		if errors.Is(err, kind) != (kind == want) {
			t.Errorf("error %q: is %q: %v", err, kind, kind != want)
		}
	}
}

// CheckErrorIs fails t unless err is of the kind want, its text contains the words, and CheckErrorText accepts err. If
// want is nil, err must be nil.
func CheckErrorIs(t testing.TB, err, want error, words ...string) {
	t.Helper()
	CheckErrorText(t, err)
	if !errors.Is(err, want) {
		t.Errorf("error %q, want %q", err, want)
	}
	for _, w := range words {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not say %q", err, w)
		}
	}
}

// CheckFailures fails t unless err is a p256k1.Failures with these reasons for these indexes, or nil for no reasons.
func CheckFailures(t testing.TB, err error, reasons map[int]error) {
	t.Helper()
	var all p256k1.Failures
	if errors.As(err, &all) == (len(reasons) == 0) || (err != nil && len(all) != len(reasons)) {
		t.Fatalf("%v, want %d failures", err, len(reasons))
	}
	for i, f := range all {
		if (i > 0 && f.Index <= all[i-1].Index) || reasons[f.Index] == nil {
			t.Fatalf("item %d is among the failures %v, which should be %v", f.Index, all[:i+1], reasons)
		}
		CheckErrorIs(t, f, reasons[f.Index], fmt.Sprintf("(index %d)", f.Index))
	}
}

// CheckErrorText fails t if the text of err has the name of one of the packages below twice between colons.
func CheckErrorText(t testing.TB, err error) {
	t.Helper()
	if err == nil {
		return
	}
	seen := map[string]bool{}
	for part := range strings.SplitSeq(err.Error(), ": ") {
		switch part {
		case "p256k1", "curve", "ecdsa", "schnorr", "ecdh", "keyformat", "signer", "hextext", "rfc6979":
			if seen[part] {
				t.Errorf("error %q names %s twice", err, part)
			}
			seen[part] = true
		}
	}
}

// Formats returns formats for package fmt: every ASCII letter as a verb, alone and with flags, a width or a precision.
func Formats() (all []string) {
	for verb := 'A'; verb <= 'z'; verb++ {
		if !unicode.IsLetter(verb) {
			continue
		}
		for _, flags := range []string{"", "+", "#", " ", "+#", "# ", "0", "64", ".40"} {
			all = append(all, "%"+flags+string(verb))
		}
	}
	return all
}

// SecretKey returns a private key whose bytes do not occur in a text by chance.
func SecretKey(t testing.TB) *p256k1.PrivateKey {
	return Private(t, oracle.Int(Unhex("c3a1f7e29b5d8460d9e8b7a6958473624f3e2d1c9a8b7c6d11f2e3d4c5b6a798")))
}
