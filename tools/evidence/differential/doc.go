// Package differential compares the library with other libraries, operation by operation, on random input. It contains
// only tests. The tests of other packages compare the primitives with math/big, and assembly with Go. The other
// libraries are
//
//   - libsecp256k1 0.8.0, which package p256k1.mleku.dev/v2/tools/bench/libsecp loads without cgo;
//   - github.com/decred/dcrd/dcrec/secp256k1/v4;
//   - github.com/btcsuite/btcd/btcec/v2, which builds on decred's library but has its own parsers and its own BIP-340.
//
// In addition, github.com/btcsuite/btcd/v2transport is the peer of protocols/bip324 on 20 connections, or 4 with
// -short, in both roles.
//
// The input comes from package p256k1.mleku.dev/v2/internal/oracle, which prefers edge cases. Much of the input is then
// mutated. The libraries must accept the same inputs, and every result must be the same, byte for byte. The table in
// differences_test.go lists the known differences: the libraries must differ in exactly these ways, and a known
// difference that no longer occurs is a failure.
//
// Each operation is tested with 5,000 cases, with 1,000 under -short, or with the number in the environment variable
// P256K1_CASES. If a case is a batch of Schnorr signatures, a session of MuSig2 or a transaction of silent payments,
// there are a tenth as many cases. This command runs 100,000 cases:
//
//	P256K1_CASES=100000 go test -timeout 0 -v ./tools/evidence/differential
//
// Libsecp256k1 takes part in all cases for which it has a function. Decred and btcec take several times as long, so
// they take part in the first 10,000 cases of each operation, and in a twentieth of the later cases. The lines that
// begin with "result:" have the counts. 100,000 cases of every operation take about three minutes of processor time,
// spread over all cores.
//
// The cases depend on P256K1_SEED (any text) and on the name of the test, not on the number of cores. The cases of a
// smaller run are among the cases of a larger run.
//
// The tests load the libsecp256k1 that P256K1_LIBSECP names, or the libsecp256k1 that "go run
// ./tools/bench/native/build" has built. Without libsecp256k1 the tests compare with the other two libraries, and one
// test says so. If CI is "true", that test fails.
package differential
