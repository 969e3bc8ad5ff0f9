// Package p256k1 has the functions of version 1 of this module and computes with version 2,
// [p256k1.mleku.dev/v2]. A program on version 1.0 or 1.1 gets it by an ordinary upgrade and
// keeps its code as it is. New programs should use version 2, and so should old ones when they are changed: the
// comment of every function names its replacement.
//
// Functions that take a private key as bytes parse it at each call. A [KeyPair] is parsed once. Computations with
// private keys are constant-time, except that they may depend on the lengths of arguments.
//
// README.md lists the differences from version 1. In short, numbers that are out of range are
// refused where version 1 reduced them, and ECDSA nonces follow RFC 6979.
package p256k1
