// Package secp256k1 has the types and functions of Decred's package github.com/decred/dcrd/dcrec/secp256k1/v4, version
// 4.4.1, implemented with the arithmetic of this library. With the line for go.mod that docs/drop-in.md gives, a
// program that imports Decred's package gets this package. New programs should use this library's own packages instead.
//
// All functions to which a program may pass private keys or nonces are constant-time, even ScalarMultNonConst,
// ScalarBaseMultNonConst, InverseNonConst, DecompressY and EquivalentNonConst. AddNonConst and DoubleNonConst branch on
// infinity, on equal and opposite points, and on whether the Z coordinates are equal or 1. Functions that convert a
// secret to text or to a big.Int are not constant-time: String, ToECDSA and the methods of KoblitzCurve.
package secp256k1
