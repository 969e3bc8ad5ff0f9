// Package conformance runs the library against the test vectors that the specifications and other implementations
// publish. It contains only tests, in one file for each source or for each kind of vector that several sources have.
// Package differential, next to it, compares the library with other libraries on random input.
//
// The vectors are not part of the project. The environment variable P256K1_VECTORS names the folder that holds them
// (see package p256k1.mleku.dev/v2/internal/vectors). If the variable is not set, the tests are skipped, or fail if CI
// is "true". The only tests that run without the folder are those that read no file, and the Wycheproof tests, which
// take the same files from the Go module github.com/c2sp/wycheproof.
//
// Every test of a file states the number of cases of each kind, so that it fails if a file is truncated or empty. To
// add a file, see CONTRIBUTING.md.
//
// The tests use these files, by folder of the vectors:
//
//	wycheproof        all 14 files: ECDSA in DER and P1363 with six hash functions, Bitcoin's profile, ECDH, curve parameters
//	bip032            extended keys: tweaks of private and public keys, invalid keys
//	bip340            Schnorr signatures
//	bip327            MuSig2, all files: in protocols/musig2 and, for the module in btcec's place, in tools/evidence/dropin
//	bip341            Taproot: tweaks, control blocks, key-path signatures
//	bitcoin-core      taproot-keypath-sigs.jsonl; the private keys of key_io_valid.json
//	bip324            ElligatorSwift: encodings, and the shared secrets of the connections; packets in protocols/bip324
//	bcrypto           all five files
//	ethereum          the sender of transactions under the rules of each fork; malformed ones test a decoder of RLP
//	frost             the scalars and points: their encodings and the equations between them
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
//	noble            points.txt: its 1171 points are in points.json, as arguments or results
//	secp256k1-voi    RFC 6979: the 20 signatures of haskoin/rfc6979DERcore.json
//	tiny-secp256k1   the signatures of schnorr.json: 15 of the 19 of BIP-340
//
// Files that no test uses yet:
//
//	frost                                               the signing protocol of RFC 9591
//	bitcoin-core: sighash, tx_valid, tx_invalid,        need a script interpreter
//	  script_tests, taproot-ref
//	bitcoin-core: key_io_invalid, base58_encode_decode  no keys in them
package conformance
