package conformance

import (
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/vectors"
)

// unhex returns the bytes of a hexadecimal string, which may begin with 0x.
func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.TrimPrefix(s, "0x"))
	if err != nil {
		t.Fatalf("the vector %q is not hexadecimal: %v", s, err)
	}
	return b
}

// unhex32 returns the 32 bytes of a hexadecimal string.
func unhex32(t testing.TB, s string) *[32]byte {
	t.Helper()
	b := unhex(t, s)
	if len(b) != 32 {
		t.Fatalf("the vector %q is not 32 bytes", s)
	}
	return (*[32]byte)(b)
}

// flip returns b with bit number i flipped.
func flip(b []byte, i int) []byte {
	b = slices.Clone(b)
	b[i/8] ^= 1 << (i % 8)
	return b
}

// readCSV returns the rows of a file of vectors, without the header.
func readCSV(t testing.TB, name string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(vectors.Open(t, name)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

// pad32 returns the big-endian integer b in 32 bytes. b may be shorter, or longer with leading zeros.
func pad32(t testing.TB, b []byte) []byte {
	t.Helper()
	v := oracle.Int(b)
	if v.BitLen() > 256 {
		t.Fatalf("the vector %x does not fit into 32 bytes", b)
	}
	return v.FillBytes(make([]byte, 32))
}

// decimal32 returns a decimal number in 32 bytes.
func decimal32(t testing.TB, s string) []byte {
	t.Helper()
	v, ok := new(big.Int).SetString(s, 10)
	if !ok {
		t.Fatalf("the vector %q is not a decimal number", s)
	}
	return pad32(t, v.Bytes())
}

// must returns the result of a parser of the library for bytes that the parser must accept.
func must[T any](t testing.TB, parse func([]byte) (T, error), b []byte) T {
	t.Helper()
	v, err := parse(b)
	if err != nil {
		t.Fatalf("%T %x of a vector: %v", v, b, err)
	}
	return v
}

func privateKey(t testing.TB, b []byte) *p256k1.PrivateKey {
	t.Helper()
	return must(t, p256k1.ParsePrivateKey, b)
}

func publicKey(t testing.TB, b []byte) *p256k1.PublicKey {
	t.Helper()
	return must(t, p256k1.ParsePublicKey, b)
}

func scalarOf(t testing.TB, b []byte) *curve.Scalar {
	t.Helper()
	return must(t, new(curve.Scalar).SetBytes, b)
}

// isOneOf reports whether err is one of the errors that the library documents for a function.
func isOneOf(err error, documented ...error) bool {
	return slices.ContainsFunc(documented, func(target error) bool { return errors.Is(err, target) })
}

// The errors that the parsers document.
var (
	publicKeyErrors = []error{p256k1.ErrLength, p256k1.ErrPrefix, p256k1.ErrRange, p256k1.ErrNotOnCurve}
	xOnlyErrors     = []error{p256k1.ErrLength, p256k1.ErrRange, p256k1.ErrNotOnCurve}
	scalarErrors    = []error{p256k1.ErrLength, p256k1.ErrRange}
)

// parse calls a parser of the library. If the parser fails, its error must be documented.
func parse[T any](t testing.TB, parse func([]byte) (T, error), b []byte, documented ...error) (T, bool) {
	t.Helper()
	v, err := parse(b)
	if err != nil && !isOneOf(err, documented...) {
		t.Errorf("%T %x: error %q is not documented", v, b, err)
	}
	return v, err == nil
}

func parsePublicKey(t testing.TB, b []byte) (*p256k1.PublicKey, bool) {
	t.Helper()
	return parse(t, p256k1.ParsePublicKey, b, publicKeyErrors...)
}

func parsePrivateKey(t testing.TB, b []byte) (*p256k1.PrivateKey, bool) {
	t.Helper()
	return parse(t, p256k1.ParsePrivateKey, b, scalarErrors...)
}

// parseDER parses a signature in DER, and checks that it encodes to the same bytes.
func parseDER(t testing.TB, b []byte) (ecdsa.Signature, bool) {
	t.Helper()
	sig, ok := parse(t, ecdsa.ParseDER, b, ecdsa.ErrDER, p256k1.ErrRange)
	if ok && string(sig.DER()) != string(b) {
		t.Errorf("DER signature %x becomes %x", b, sig.DER())
	}
	return sig, ok
}

// parseCompact parses a signature in the compact encoding, and checks that it encodes to the same bytes.
func parseCompact(t testing.TB, b []byte) (ecdsa.Signature, bool) {
	t.Helper()
	sig, ok := parse(t, ecdsa.ParseCompact, b, scalarErrors...)
	if ok && string(sig.Bytes()) != string(b) {
		t.Errorf("compact signature %x becomes %x", b, sig.Bytes())
	}
	return sig, ok
}

// A parser is parseDER, parseLaxDER or parseCompact.
type parser = func(testing.TB, []byte) (ecdsa.Signature, bool)

// onAllCores calls f with each number from 0 to n − 1, on all cores.
func onAllCores(n int, f func(i int)) {
	workers := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < n; i += workers {
				f(i)
			}
		})
	}
	wg.Wait()
}

// A tally counts the cases of a test by kind.
type tally struct {
	t testing.TB
	n map[string]int
}

func newTally(t testing.TB) *tally { return &tally{t, map[string]int{}} }

func (c *tally) add(kind string) { c.n[kind]++ }

// addResult counts a case as valid or invalid.
func (c *tally) addResult(valid bool) {
	if valid {
		c.add("valid")
	} else {
		c.add("invalid")
	}
}

// want logs the counts and fails the test unless they equal the given counts, such as "12 valid, 3 invalid", in any
// order.
func (c *tally) want(counts string) {
	c.t.Helper()
	var got []string
	for kind, n := range c.n {
		got = append(got, fmt.Sprint(n, " ", kind))
	}
	want := strings.Split(counts, ", ")
	slices.Sort(got)
	slices.Sort(want)
	c.t.Log(strings.Join(got, ", "))
	if !slices.Equal(got, want) {
		c.t.Errorf("counted %q, want %q", got, want)
	}
}
