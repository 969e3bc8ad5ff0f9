package conformance

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"runtime"
	"strings"
	"sync"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// unhex returns the bytes of a hexadecimal string, in which 0x may stand first.
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

// pad32 returns the big-endian integer b, which may have leading zeros or fewer than 32 bytes, in 32 bytes.
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

func privateKey(t testing.TB, b []byte) *p256k1.PrivateKey {
	t.Helper()
	k, err := p256k1.NewPrivateKey(b)
	if err != nil {
		t.Fatalf("private key of a vector: %v", err)
	}
	return k
}

func publicKey(t testing.TB, b []byte) *p256k1.PublicKey {
	t.Helper()
	k, err := p256k1.NewPublicKey(b)
	if err != nil {
		t.Fatalf("public key %x of a vector: %v", b, err)
	}
	return k
}

// secretOf returns the private key as a scalar.
func secretOf(t testing.TB, priv *p256k1.PrivateKey) *curve.Scalar {
	t.Helper()
	d, err := priv.Scalar()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func scalarOf(t testing.TB, b []byte) *curve.Scalar {
	t.Helper()
	s, err := new(curve.Scalar).SetBytes(b)
	if err != nil {
		t.Fatalf("scalar %x of a vector: %v", b, err)
	}
	return s
}

// isOneOf reports whether err is one of the errors that the library documents for the function it comes from.
func isOneOf(err error, documented ...error) bool {
	for _, target := range documented {
		if errors.Is(err, target) {
			return true
		}
	}
	return false
}

// The errors which the parsers document.
var (
	publicKeyErrors = []error{p256k1.ErrLength, p256k1.ErrPrefix, p256k1.ErrRange, p256k1.ErrNotOnCurve}
	xOnlyErrors     = []error{p256k1.ErrLength, p256k1.ErrRange, p256k1.ErrNotOnCurve}
	scalarErrors    = []error{p256k1.ErrLength, p256k1.ErrRange}
	derErrors       = []error{ecdsa.ErrDER, p256k1.ErrRange}
)

// parsePublicKey is p256k1.NewPublicKey, which must fail with a documented error if it fails.
func parsePublicKey(t testing.TB, b []byte) (*p256k1.PublicKey, bool) {
	t.Helper()
	k, err := p256k1.NewPublicKey(b)
	if err != nil && !isOneOf(err, publicKeyErrors...) {
		t.Errorf("public key %x: error %q is not documented", b, err)
	}
	return k, err == nil
}

// parsePrivateKey is p256k1.NewPrivateKey in the same way.
func parsePrivateKey(t testing.TB, b []byte) (*p256k1.PrivateKey, bool) {
	t.Helper()
	k, err := p256k1.NewPrivateKey(b)
	if err != nil && !isOneOf(err, scalarErrors...) {
		t.Errorf("private key %x: error %q is not documented", b, err)
	}
	return k, err == nil
}

// parseDER is ecdsa.ParseDER in the same way. The encoding of what is parsed must be what was parsed.
func parseDER(t testing.TB, b []byte) (ecdsa.Signature, bool) {
	t.Helper()
	sig, err := ecdsa.ParseDER(b)
	if err != nil && !isOneOf(err, derErrors...) {
		t.Errorf("DER signature %x: error %q is not documented", b, err)
	}
	if err == nil && string(sig.DER()) != string(b) {
		t.Errorf("DER signature %x becomes %x", b, sig.DER())
	}
	return sig, err == nil
}

// parseCompact is ecdsa.ParseCompact in the same way.
func parseCompact(t testing.TB, b []byte) (ecdsa.Signature, bool) {
	t.Helper()
	sig, err := ecdsa.ParseCompact(b)
	if err != nil && !isOneOf(err, p256k1.ErrLength, p256k1.ErrRange) {
		t.Errorf("compact signature %x: error %q is not documented", b, err)
	}
	if err == nil && string(sig.Bytes()) != string(b) {
		t.Errorf("compact signature %x becomes %x", b, sig.Bytes())
	}
	return sig, err == nil
}

// A parser is parseDER or parseCompact.
type parser = func(testing.TB, []byte) (ecdsa.Signature, bool)

// recoveryIDs returns for which recovery ids the signature leads to the key, of the ids that lead to any key.
func recoveryIDs(t testing.TB, digest []byte, sig ecdsa.Signature, pub *p256k1.PublicKey) (ids []int) {
	t.Helper()
	var together [4]*p256k1.PublicKey // what RecoverBatch finds
	var all [4]ecdsa.RecoverableSignature
	for v := range all {
		var err error
		if all[v], err = ecdsa.ParseRecoverable(append(sig.Bytes(), byte(v))); err != nil {
			t.Errorf("recoverable signature %x, %d: %v", sig.Bytes(), v, err)
			return nil
		}
	}
	ecdsa.RecoverBatch(together[:], [][]byte{digest, digest, digest, digest}, all[:])
	for v, recoverable := range all {
		k, err := ecdsa.Recover(digest, recoverable)
		if (err == nil) != (together[v] != nil) || err == nil && !together[v].Equal(k) {
			t.Errorf("recovery from %x, %d: %v, RecoverBatch finds %v (%v)", sig.Bytes(), v, k, together[v], err)
		}
		switch {
		case err == nil && k.Equal(pub):
			ids = append(ids, v)
		case err != nil && !errors.Is(err, ecdsa.ErrRecover):
			t.Errorf("recovery from %x, %d: error %q is not documented", sig.Bytes(), v, err)
		}
	}
	return ids
}

// checkValidECDSA makes sure that a signature is valid, and all that follows from it: of s and n − s only one is low, both are
// valid, and the key can be recovered by one recovery id, which it returns.
func checkValidECDSA(t testing.TB, pub *p256k1.PublicKey, digest []byte, sig ecdsa.Signature) (id int) {
	t.Helper()
	low := sig.NormalizeS()
	if !low.IsLowS() || (low == sig) != sig.IsLowS() {
		t.Errorf("%x: NormalizeS gives %x", sig.Bytes(), low.Bytes())
	}
	if !ecdsa.VerifyLowS(pub, digest, low) || ecdsa.VerifyLowS(pub, digest, sig) != sig.IsLowS() {
		t.Errorf("%x is valid, but VerifyLowS refuses %x or does not look at s", sig.Bytes(), low.Bytes())
	}
	for _, sig := range []ecdsa.Signature{sig, low} {
		if !ecdsa.Verify(pub, digest, sig) {
			t.Errorf("%x is not valid", sig.Bytes())
		}
		if !ecdsa.VerifyDER(pub.Bytes(), digest, sig.DER()) || !ecdsa.VerifyCompact(pub.BytesUncompressed(), digest, sig.Bytes()) ||
			ecdsa.VerifyDER(pub.Bytes(), digest, sig.Bytes()) || ecdsa.VerifyCompact(pub.Bytes(), digest, sig.DER()) {
			t.Errorf("%x is valid, but not so from bytes", sig.Bytes())
		}
	}
	ids := recoveryIDs(t, digest, sig, pub)
	if len(ids) != 1 {
		t.Errorf("%x is valid, but the recovery ids that lead to its key are %v", sig.Bytes(), ids)
		return -1
	}
	return ids[0]
}

// onAllCores calls f with the numbers below n.
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
	t     testing.TB
	kinds []string
	n     map[string]int
}

func newTally(t testing.TB) *tally { return &tally{t: t, n: map[string]int{}} }

func (c *tally) add(kind string) {
	if c.n[kind] == 0 {
		c.kinds = append(c.kinds, kind)
	}
	c.n[kind]++
}

// addResult counts a case as valid or invalid.
func (c *tally) addResult(valid bool) {
	if valid {
		c.add("valid")
	} else {
		c.add("invalid")
	}
}

// want logs the counts and fails the test unless they are those given, as "12 valid, 3 invalid" in any order.
func (c *tally) want(counts string) {
	c.t.Helper()
	var parts []string
	for _, kind := range c.kinds {
		parts = append(parts, fmt.Sprintf("%d %s", c.n[kind], kind))
	}
	got := strings.Join(parts, ", ")
	c.t.Log(got)
	expected := map[string]bool{}
	for _, part := range strings.Split(counts, ", ") {
		expected[part] = true
	}
	ok := len(expected) == len(parts)
	for _, part := range parts {
		ok = ok && expected[part]
	}
	if !ok {
		c.t.Errorf("counted %q, want %q", got, counts)
	}
}
