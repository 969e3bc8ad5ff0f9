package conformance

import (
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/tools/bench/libsecp"
	"p256k1.mleku.dev/v2/tools/bench/native"
)

// This library is compared with the release that the command native.Command builds, or with the library that
// libsecp.EnvPath names. The listed differences are differences from that release.

// Without libsecp256k1, TestLibsecp256k1 skips, or fails in CI, because no test compares with libsecp256k1.
func TestLibsecp256k1(t *testing.T) {
	if _, err := libsecp.Default(); err != nil {
		libtest.Untested(t, "NOT COMPARED WITH LIBSECP256K1: ", err)
	}
	t.Logf("compared with libsecp256k1 %s", secpName())
}

// newContext returns a context for the duration of the test, or nil without libsecp256k1.
func newContext(t *testing.T) *libsecp.Context {
	t.Helper()
	l, err := libsecp.Default()
	if err != nil {
		return nil
	}
	c := must(l.NewContext())
	t.Cleanup(c.Close)
	return c
}

// secpName returns the version of libsecp256k1, or its path.
func secpName() string {
	l, err := libsecp.Default()
	if err != nil {
		return "NOT FOUND"
	}
	if b, err := native.Cached(); err == nil && b.Library == l.Path {
		return b.Version
	}
	return l.Path
}

// fixed returns a digest in the 32 bytes that libsecp256k1 takes.
func fixed(digest []byte) *[32]byte {
	b := oracle.Bytes(oracle.DigestInt(digest))
	return &b
}
