package conformance

import (
	"fmt"
	"math/big"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
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

// slice returns the bytes of an array.
func slice(b [32]byte) []byte { return b[:] }

// addN adds n to an integer of 32 bytes, if the sum fits.
func addN(b []byte) {
	v := new(big.Int).Add(oracle.Int(b), oracle.N)
	if v.BitLen() <= 256 {
		v.FillBytes(b)
	}
}

// pad32 returns the big-endian integer b in 32 bytes. b may be shorter, or longer with leading zeros.
func pad32(b []byte) []byte { return oracle.Int(b).FillBytes(make([]byte, 32)) }

// pad64 returns two hexadecimal integers in 32 bytes each.
func pad64(a, b string) []byte { return append(pad32(unhex(a)), pad32(unhex(b))...) }

// decimal32 returns a decimal number in 32 bytes.
func decimal32(s string) []byte {
	v, _ := new(big.Int).SetString(s, 10)
	return pad32(v.Bytes())
}

func privateKey(b []byte) *p256k1.PrivateKey { return must(p256k1.ParsePrivateKey(b)) }

func publicKey(b []byte) *p256k1.PublicKey { return must(p256k1.ParsePublicKey(b)) }

func scalarOf(b []byte) *curve.Scalar { return must(new(curve.Scalar).SetBytes(b)) }

// The errors that the parsers document.
var (
	publicKeyErrors = []error{p256k1.ErrLength, p256k1.ErrPrefix, p256k1.ErrRange, p256k1.ErrNotOnCurve}
	xOnlyErrors     = []error{p256k1.ErrLength, p256k1.ErrRange, p256k1.ErrNotOnCurve}
	scalarErrors    = []error{p256k1.ErrLength, p256k1.ErrRange}
)

// parse calls a parser of the library. If the parser fails, its error must be documented.
func parse[T any](r *report, parse func([]byte) (T, error), b []byte, documented ...error) (T, bool) {
	v, err := parse(b)
	if err != nil {
		r.fails(fmt.Sprintf("parsing the %T %x", v, b), err, documented...)
	}
	return v, err == nil
}

func parsePublicKey(r *report, b []byte) (*p256k1.PublicKey, bool) {
	return parse(r, p256k1.ParsePublicKey, b, publicKeyErrors...)
}

func parsePrivateKey(r *report, b []byte) (*p256k1.PrivateKey, bool) {
	return parse(r, p256k1.ParsePrivateKey, b, scalarErrors...)
}

// A sigParser is parseDER or parseCompact.
type sigParser = func(r *report, b []byte) (ecdsa.Signature, bool)

// parseDER parses a signature in DER, and checks that it encodes to the same bytes.
func parseDER(r *report, b []byte) (ecdsa.Signature, bool) {
	sig, ok := parse(r, ecdsa.ParseDER, b, ecdsa.ErrDER, p256k1.ErrRange)
	if ok {
		r.same("DER signature, encoded again", sig.DER(), b)
	}
	return sig, ok
}

// parseCompact parses a signature in the compact encoding, and checks that it encodes to the same bytes.
func parseCompact(r *report, b []byte) (ecdsa.Signature, bool) {
	sig, ok := parse(r, ecdsa.ParseCompact, b, scalarErrors...)
	if ok {
		r.same("compact signature, encoded again", sig, b)
	}
	return sig, ok
}

// onAllCores calls f with each number from 0 to n − 1, on all cores.
func onAllCores(n int, f func(i int)) {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		group.Go(func() error { f(i); return nil })
	}
	group.Wait()
}
