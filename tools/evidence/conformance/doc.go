// Package conformance compares the library with published test vectors, with other libraries, and with the programs of
// users who move to it. It contains only tests.
//
// # Other libraries on random input
//
// The tests that call the function differential compare operations with these libraries. The tests of other packages
// compare the primitives with math/big, and assembly with Go.
//
//   - libsecp256k1 0.8.0, which package p256k1.mleku.dev/v2/tools/bench/libsecp loads without cgo;
//   - github.com/decred/dcrd/dcrec/secp256k1/v4;
//   - github.com/btcsuite/btcd/btcec/v2, which builds on decred's library but has its own parsers and its own BIP-340;
//   - github.com/btcsuite/btcd/v2transport, the peer of protocols/bip324 on 20 connections, or 4 with -short;
//   - github.com/nbd-wtf/go-nostr, for events, in CI or with P256K1_PEERS=1, because it has to be downloaded.
//
// The input comes from package p256k1.mleku.dev/v2/internal/oracle, which prefers edge cases. Much of the input is then
// mutated. The libraries must accept the same inputs, and every result must be the same, byte for byte. The file
// testdata/differences.txt lists the known differences: the libraries must differ in exactly these ways, and a known
// difference that no longer occurs is a failure.
//
// Each operation is tested with 5,000 cases, with 1,000 under -short, or with the number in the environment variable
// P256K1_CASES. If a case is a batch of Schnorr signatures, a session of MuSig2 or a transaction of silent payments,
// there are a tenth as many cases. This command runs 100,000 cases, in about three minutes of processor time:
//
//	P256K1_CASES=100000 go test -timeout 0 -v ./tools/evidence/conformance
//
// Libsecp256k1 takes part in all cases for which it has a function. The others take several times as long, so decred
// and btcec take part in the first 10,000 cases of each operation, and in a twentieth of the later cases, and go-nostr
// in no more than 10,000. The lines that begin with "result:" have the counts.
//
// The cases depend on P256K1_SEED (any text) and on the name of the test, not on the number of cores. The cases of a
// smaller run are among the cases of a larger run.
//
// The tests load the libsecp256k1 that P256K1_LIBSECP names, or the libsecp256k1 that "go run
// ./tools/bench/native/build" has built. Without libsecp256k1 the tests compare with the other libraries, and one test
// says so. If CI is "true", that test fails.
//
// # Programs
//
// All code of docs/migrating.md and docs/jwt.md is compiled and run, and both columns of a table must return the same
// results. If only a page has changed, these tests need -count=1, because the go command's cache does not see files of
// other modules.
//
// # Vectors
//
// One file of tests belongs to each source of vectors, or to each kind of vector that several sources have. The vectors
// are not part of the project: P256K1_VECTORS names the folder that holds them (see package
// p256k1.mleku.dev/v2/internal/vectors). Without it the tests are skipped, or fail if CI is "true", except tests that
// read no file and the Wycheproof tests, which take the same files from the Go module github.com/c2sp/wycheproof.
//
// Every test of a file states the number of cases of each kind, so that it fails if a file is truncated or empty. To
// add a file, see CONTRIBUTING.md.
//
// The tests use these files, by folder of the vectors:
//
//	wycheproof        ECDSA in DER and P1363 with six hash functions, Bitcoin's profile, ECDH: 13 of 14 files
//	bip032            extended keys: tweaks of private and public keys, invalid keys
//	bip340            Schnorr signatures
//	bip327            MuSig2, all files: in protocols/musig2 and, for the module in btcec's place, in tools/evidence/dropin
//	bip341            Taproot: tweaks, control blocks, key-path signatures
//	bitcoin-core      taproot-keypath-sigs.jsonl
//	bip324            ElligatorSwift: encodings; the connections, with their shared secrets, in protocols/bip324
//	bcrypto           all five files
//	ethereum          keyaddrtest.json: addresses of keys
//	frost             the scalars and points, the hashes to scalars, and the signature
//	haskoin           RFC 6979 as Bitcoin Core and as Bitcoin ABC implement it; strict and other DER
//	libsecp256k1      ecmult_hash_tests.json; ellswift_xdh_bip324.json
//	noble             all files but points.txt
//	realworld         all signatures and Taproot outputs
//	rfc9380           messages hashed to points, and the sums of these points
//	secp256k1-voi     BIP-66
//	tiny-secp256k1    ecdsa.json, points.json; the tweaks of schnorr.json
//
// Files that other packages test:
//
//	ethereum       senders of transactions under the rules of each fork: in ethereum/geth
//	libsecp256k1   tests_constants.json: inverses and products, in internal/modinv, internal/field and internal/scalar
//	               exhaustive_groups.json: in internal/oracle
//	nip44          conversation keys in ecdh; everything else, and the keys of messages, in nostr/nip44
//	bip352, bip374, bip375 silent payments and DLEQ proofs: in protocols
//	bip445         FROST: in protocols/frost
//	bip458         half-aggregated signatures: in protocols/halfagg
//	chilldkg       in protocols/chilldkg
//	adaptor        adaptor signatures: in protocols/adaptor
//
// Files that add nothing new:
//
//	wycheproof       ec_prime_order_curves_test.json: the curve's p, b, G and n, which all other vectors depend on
//	noble            points.txt: its 1171 points are in points.json, as arguments or results
//	secp256k1-voi    RFC 6979: the 20 signatures of haskoin/rfc6979DERcore.json
//	bitcoin-core     key_io_valid.json: 16 private keys in base58, without their public keys
//	tiny-secp256k1   the signatures of schnorr.json: 15 of the 19 of BIP-340
//
// Files that no test uses yet:
//
//	frost                                               the signing protocol of RFC 9591
//	bitcoin-core: sighash, tx_valid, tx_invalid,        need a script interpreter
//	  script_tests, taproot-ref
//	bitcoin-core: key_io_invalid, base58_encode_decode  no keys in them
package conformance
