// Package protocols documents the module of protocols on secp256k1 that are more than one
// signature or one shared secret. Each protocol is a package, and uses the public packages
// of the library only:
//
//   - adaptor: signatures that a secret completes, and that reveal it (BIP-340 and ECDSA)
//   - bip324: connections of Bitcoin nodes, encrypted and looking random (BIP-324, the v2 transport).
//     The check of the linked code for constant time covers its calls of ChaCha20-Poly1305, but not
//     the code of that cipher, which is golang.org/x/crypto's.
//   - cashu: blind signatures of electronic cash, and their proofs (NUT-00, NUT-12)
//   - chilldkg: shares for frost without a dealer (ChillDKG)
//   - dleq: two points have the same logarithm (BIP-374)
//   - frost: any t of n participants make one signature (BIP-445)
//   - halfagg: many signatures joined into one of half the length (BIP-458)
//   - musig2: several signers make one signature by the aggregate of their keys (BIP-327)
//   - silentpayments: payments to an address that shows nobody else which they are (BIP-352)
package protocols
