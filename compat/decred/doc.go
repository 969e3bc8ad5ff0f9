// Package secp256k1 has the types and functions of Decred's package github.com/decred/dcrd/dcrec/secp256k1/v4,
// version 4.4.1, on the arithmetic of this library. README.md has the line of go.mod by which a program that imports
// Decred's package gets this one. New programs should use this library's own packages instead.
//
// All functions to which a program may pass private keys or nonces are constant-time, even those with NonConst in
// their names: ScalarMultNonConst, ScalarBaseMultNonConst, InverseNonConst, DecompressY, EquivalentNonConst.
// AddNonConst and DoubleNonConst branch on infinity, on equal and opposite points, and on whether the Z coordinates
// are equal or 1. Functions that turn a secret into text or into a big.Int are not constant-time: String, ToECDSA,
// the methods of KoblitzCurve.
package secp256k1
