// Package secp256k1 has the types and functions of Decred's package
// github.com/decred/dcrd/dcrec/secp256k1/v4, version 4.4.1, on the arithmetic of this
// library. Programs that import Decred's get it by one line in their go.mod: README.md
// says how. New programs should rather use this library's own packages.
//
// Whatever a program may give private keys or nonces to is constant-time, also where its
// name is NonConst: ScalarMultNonConst, ScalarBaseMultNonConst, InverseNonConst,
// DecompressY, EquivalentNonConst. AddNonConst and DoubleNonConst branch on infinity, on
// equal and opposite points, and on whether the Z coordinates are equal or 1. What makes text
// or a big.Int of a secret is not: String, ToECDSA, the methods of KoblitzCurve.
package secp256k1
