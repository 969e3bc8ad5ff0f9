// Package protocols names the module of protocols on secp256k1 beyond one signature or one
// secret. Each is a package, and stands on public packages of the library alone:
//
//   - dleq: two points have the same logarithm (BIP-374)
//   - musig2: several signers make one signature by the aggregate of their keys (BIP-327)
//   - silentpayments: payments to an address that shows nobody else which they are (BIP-352).
//     The check of the linked code for constant time does not look at it yet.
package protocols
