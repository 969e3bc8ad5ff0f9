package main

import (
	"errors"
	"testing"

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
	const want = `version,date,runtime,scenario,n,rounds,min,max,us_per_op,kind,status,detail,path
"p256k1 x86-64 (ADX, AVX2)",2026-05-06,0.150000,ecdsa-verify,5000,3,0.075000,0.300000,30.000,p256k1,ok,,
OpenSSL 3.0.8,,0.300000,ecdsa-verify,5000,3,0.150000,0.600000,60.000,openssl,ok,,/a/libcrypto.so
lacks it,2023-05-06,,ecdsa-verify,5000,3,,,,libsecp256k1,not supported,,
crashes,2023-05-06,,ecdsa-verify,5000,3,,,,libsecp256k1,failed,"crashed: ""SIGABRT""",
no library,2023-05-06,,ecdsa-verify,5000,3,,,,,failed,not a file,
`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
