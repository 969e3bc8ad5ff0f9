// Package protocols documents this module: protocols on secp256k1 that go beyond single signatures and shared secrets.
// Each protocol is a package of its own, which uses only the public packages of the library:
//
//   - adaptor: signatures that a secret completes, and from which the secret can be extracted (BIP-340 and ECDSA)
//   - bip324: encrypted connections of Bitcoin nodes that look like random bytes (BIP-324, the v2 transport). The
//     constant-time check of the linked code covers the calls to ChaCha20-Poly1305, but not the code of that cipher,
//     which is part of golang.org/x/crypto.
//   - cashu: blind signatures for electronic cash, and their proofs (NUT-00, NUT-12)
//   - chilldkg: key shares for frost, made without a dealer (ChillDKG)
//   - dleq: proofs that two points have the same discrete logarithm (BIP-374)
//   - frost: threshold signatures, made by any t of n participants (BIP-445)
//   - halfagg: many signatures joined into one aggregate of about half their length (BIP-458)
//   - musig2: multi-signatures, which verify with the aggregate of all signers' keys (BIP-327)
//   - silentpayments: payments to a published address, which an observer cannot link to that address (BIP-352)
//
// The package itself holds BlameError, the error of musig2, frost and chilldkg that says who spoiled a session. The
// example is in example_test.go.
package protocols
