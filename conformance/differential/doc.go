// Package differential compares the library with two others, operation by operation, on random input: with
// github.com/decred/dcrd/dcrec/secp256k1/v4, and with github.com/btcsuite/btcd/btcec/v2, which builds on the former but has its
// own parsers and its own BIP-340. It holds nothing but tests.
//
// The input comes from package p256k1.mleku.dev/internal/oracle, which prefers the edges; much of it is then mutated. Whatever
// one library accepts the other has to accept, and every result has to be the same, byte for byte. Where they are known to
// differ, the difference is in the table of differences_test.go with a test that shows it, and the comparison checks that they
// differ exactly there and in that way.
//
// Each operation gets 15,000 cases, 1,000 with -short, or as many as the environment variable P256K1_CASES says:
//
//	P256K1_CASES=100000 go test -timeout 30m -v ./differential
//
// which takes five to six minutes of processor time, spread over all cores.
//
// The cases depend on P256K1_SEED (any text) and on the name of the test, not on the number of cores; those of a smaller run
// are among those of a larger one.
package differential
