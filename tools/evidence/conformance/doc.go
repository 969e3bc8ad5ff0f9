// Package conformance runs the library against the test vectors that the specifications
// and other implementations publish. It holds nothing but tests, one file for each
// source. Package differential, beside it, compares the library with others on random
// input.
//
// The vectors are not part of the project. The environment variable P256K1_VECTORS
// names the folder that holds them (see package p256k1.mleku.dev/v2/internal/vectors).
// Where it is not set the tests skip, saying so, and fail if CI is "true". Only the
// Wycheproof tests do without: they take the same files from the Go module
// github.com/c2sp/wycheproof.
//
// Every test states how many cases it expects of each kind, so that a file which is cut
// short or empty fails. To add a file, see CONTRIBUTING.md.
//
// What is consumed, by folder of the vectors:
//
//	wycheproof        all 14 files: ECDSA in DER and P1363 with six hash functions, Bitcoin's profile, ECDH, curve parameters
//	bip032            extended keys: tweaks of private and public keys, invalid keys
//	bip340            Schnorr signatures
//	bip327            MuSig2, all files: in protocols/musig2 and, for the module in btcec's place, in tools/evidence/dropin
//	bip341            Taproot: tweaks, control blocks, key-path signatures
//	bitcoin-core      taproot-keypath-sigs.jsonl; the private keys of key_io_valid.json
//	bip324            ElligatorSwift: encodings, and the shared secrets of the connections; packets in protocols/bip324
//	bcrypto           all five files
//	ethereum          all of them: the sender of transactions under the rules of each fork
//	frost, rfc9380    the scalars and points: their encodings and the sums they are in
//	haskoin           RFC 6979 as Bitcoin Core and as Bitcoin ABC have it; strict and other DER
//	libsecp256k1      tests_constants.json, but of its inverses only those modulo p and n; ecmult_hash_tests.json; ellswift_xdh_bip324.json
//	nip44             conversation keys
//	noble             all six files
//	realworld         all signatures and Taproot outputs
//	secp256k1-voi     RFC 6979, BIP-66
//	tiny-secp256k1    all three files
//
// What is not, yet:
//
//	bip352                                              silent payments
//	bip374                                              DLEQ proofs
//	frost, rfc9380                                      the signing protocol; hashing to the curve
//	libsecp256k1/exhaustive_groups.json                 belongs to the tests of internal/group
//	bitcoin-core: sighash, tx_valid, tx_invalid,        need a script interpreter
//	  script_tests, taproot-ref
//	bitcoin-core: key_io_invalid, base58_encode_decode  no keys in them
//	nip44: message keys, padding, encryption            not elliptic curves
package conformance
