// Package protocols names the module of protocols on secp256k1 beyond one signature or one
// secret. Each is a package, and stands on public packages of the library alone:
//
//   - dleq: two points have the same logarithm (BIP-374)
package protocols
