package main

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/bench/measure"
)

// TestTable checks all lines of a CSV: results, no support, no date, a failure and a library that cannot be loaded.
func TestTable(t *testing.T) {
	r, libraries := reportOf(
		released("p256k1 x86-64 (ADX, AVX2)", own, 2026), released("OpenSSL 3.0.8", openssl, 0), released("lacks it", libsecp, 2023),
		released("crashes", libsecp, 2023), released("no library", openssl, 2023))
	r.N, r.Results = 5000, r.Results[:2]
	for _, l := range libraries[:4] {
		l.child = new(measure.Child)
	}
	libraries[1].path = "/a/libcrypto.so"
	r.Failures = []measure.Failure{
		{Label: "crashes", Op: "ecdsa-verify", Err: errors.New("crashed:\n\"SIGABRT\"")},
		{Label: "no library", Op: loading, Err: errors.New("not a file")},
	}
	got := table(r, libraries)
	want := libtest.Must(os.ReadFile("testdata/table.csv"))
	if !bytes.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
