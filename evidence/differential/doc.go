// Package differential compares the library with others, operation by operation, on random input: with libsecp256k1 0.8.0, which
// package p256k1.mleku.dev/bench/libsecp loads without cgo; with github.com/decred/dcrd/dcrec/secp256k1/v4; and with
// github.com/btcsuite/btcd/btcec/v2, which builds on the former but has its own parsers and its own BIP-340. It holds nothing but
// tests. The command below it, backends, compares the primitives underneath.
//
// The input comes from package p256k1.mleku.dev/internal/oracle, which prefers the edges; much of it is then mutated. Whatever
// one library accepts the other has to accept, and every result has to be the same, byte for byte. Where they are known to
// differ, the difference is in the table of differences_test.go with a test that shows it, the comparison checks that they
// differ exactly there and in that way, and a difference that does not come up any more is a failure.
//
// Each operation gets 5,000 cases, 1,000 with -short, or as many as the environment variable P256K1_CASES says:
//
//	P256K1_CASES=100000 go test -timeout 0 -v ./evidence/differential
//
// Libsecp256k1 takes part in all cases for which it has a function. Decred and btcec, which take several times as long, do so in
// the first 10,000 cases of each operation and in a twentieth of those after them; the lines that begin with "result:" have
// the counts. 100,000 cases take about three minutes of processor time, spread over all cores.
//
// A longer run can stop and go on: Ctrl-C ends it after the cases that it is at, and with P256K1_RESUME=FILE another run goes on
// from there, or from its end if it has to do more cases, as long as library and tests are the same.
//
// The cases depend on P256K1_SEED (any text) and on the name of the test, not on the number of cores; those of a smaller run
// are among those of a larger one.
//
// Libsecp256k1 is found where go run ./bench/native/build puts it, or where P256K1_LIBSECP says. Without it the tests compare with
// the other two, and one says so; if CI is "true" that is a failure.
package differential
