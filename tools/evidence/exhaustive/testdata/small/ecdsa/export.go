package ecdsa

import "p256k1.mleku.dev/v2/curve"

// Internal functions for the exhaustive tests.

// SignWithNonce makes the signature that Sign makes with a given nonce. Sign itself searches for a nonce below n among
// integers of 256 bits, which takes practically forever for a small n.
func SignWithNonce(d, z *curve.Scalar, nonce *[32]byte) (sig RecoverableSignature, ok bool) {
	ok = sig.setWithNonce(d, z, nonce)
	return sig, ok
}

// Unchecked returns the signature r‖s for any r and s.
func Unchecked(rs [64]byte) Signature { return Signature{rs} }

// UncheckedRecoverable returns the signature r‖s‖v for any r, s and v.
func UncheckedRecoverable(rsv [65]byte) RecoverableSignature { return RecoverableSignature{rsv} }

// SetOrder sets the number that Recover adds to r if v says that the x coordinate of R is not below n. In a small group
// this is not n but a multiple of n that depends on R.
func SetOrder(multiple [32]byte) { order = multiple }

// SignInBatch runs the part of SignBatch after the shared inversion, with the key d, the nonce k and the point k·G.
func SignInBatch(d, z, k *curve.Scalar) (RecoverableSignature, bool) {
	var sig RecoverableSignature
	nonces, points := [3]curve.Scalar{*k, *d, *k}, [3]curve.Point{}
	var inverses [3]curve.Scalar
	curve.ScalarBaseMultBatch(points[:], nonces[:])
	curve.InvertBatch(inverses[:], nonces[:])
	ok := sig.set(d, z, &inverses[2], &points[2])
	return sig, ok
}
