package conformance

import (
	"encoding/csv"
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
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/vectors"
)

// unhex returns the bytes of a hexadecimal string, which may begin with 0x.
func unhex(s string) []byte { return libtest.Unhex(strings.TrimPrefix(s, "0x")) }

// unhexExactly is unhex for a string of n bytes.
func unhexExactly(s string, n int) []byte {
	b := unhex(s)
	if len(b) != n {
		panic(fmt.Sprintf("the vector %q is not %d bytes", s, n))
	}
	return b
}

func unhex32(s string) *[32]byte { return (*[32]byte)(unhexExactly(s, 32)) }

func unhex64(s string) *[64]byte { return (*[64]byte)(unhexExactly(s, 64)) }

// flip returns b with bit number i flipped.
func flip(b []byte, i int) []byte {
	b = slices.Clone(b)
	b[i/8] ^= 1 << (i % 8)
	return b
}

// readCSV returns the rows of a file of vectors, without the header.
func readCSV(t testing.TB, name string) [][]string {
	t.Helper()
	return must(csv.NewReader(vectors.Open(t, name)).ReadAll())[1:]
}

// pad32 returns the big-endian integer b in 32 bytes. b may be shorter, or longer with leading zeros.
func pad32(b []byte) []byte { return oracle.Int(b).FillBytes(make([]byte, 32)) }

// decimal32 returns a decimal number in 32 bytes.
func decimal32(s string) []byte {
	v, _ := new(big.Int).SetString(s, 10)
	return pad32(v.Bytes())
}

func privateKey(b []byte) *p256k1.PrivateKey { return must(p256k1.ParsePrivateKey(b)) }

func publicKey(b []byte) *p256k1.PublicKey { return must(p256k1.ParsePublicKey(b)) }

func scalarOf(b []byte) *curve.Scalar { return must(new(curve.Scalar).SetBytes(b)) }

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

// A sigParser is parseDER, parseLaxDER or parseCompact.
type sigParser = func(testing.TB, []byte) (ecdsa.Signature, bool)

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
