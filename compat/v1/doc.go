// Package p256k1 has the functions of version 1 of this module, implemented with version 2, [p256k1.mleku.dev/v2]. A
// program that uses version 1.0 or 1.1 gets this package by an ordinary upgrade, without changes to its code, unless it
// uses a name that README.md lists as left out. New programs should use version 2, and old programs should move to it
// when they are changed: the comments that begin with Deprecated name the replacements.
//
// Functions that take a private key as bytes parse the key in each call, whereas a [KeyPair] is parsed once.
// Computations with private keys are constant-time, except that the time may depend on the lengths of arguments.
//
// README.md lists the differences from version 1. In short, numbers that are out of range are refused, whereas version
// 1 reduced them, and ECDSA nonces follow RFC 6979.
package p256k1
