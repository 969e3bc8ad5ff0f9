package ecdsa

import "p256k1.mleku.dev/v2/curve"

// Internals that the exhaustive tests use.

// SignWithNonce is what Sign does with a nonce. Sign looks for one below n among integers of
// 256 bits, which for a small n takes forever.
func SignWithNonce(d, z *curve.Scalar, nonce *[32]byte) (sig RecoverableSignature, ok bool) {
	ok = sig.setWithNonce(d, z, nonce)
	return sig, ok
}

// Unchecked returns the signature r‖s, whatever r and s are.
func Unchecked(rs [64]byte) Signature { return Signature{rs} }

// UncheckedRecoverable returns the signature r‖s‖v, whatever r, s and v are.
func UncheckedRecoverable(rsv [65]byte) RecoverableSignature { return RecoverableSignature{rsv} }

// SetOrder sets what Recover adds to r if v says that the x coordinate of R is not
// below n. In a small group that is not n, but some multiple of it that depends on R.
func SetOrder(multiple [32]byte) { order = multiple }

// SignInBatch is what SignBatch does with the key d, the nonce k and the point k·G, from
// SignBatch's shared inversion on.
func SignInBatch(d, z, k *curve.Scalar) (RecoverableSignature, bool) {
	var sig RecoverableSignature
	nonces, points := [3]curve.Scalar{*k, *d, *k}, [3]curve.Point{}
	var inverses [3]curve.Scalar
	curve.ScalarBaseMultBatch(points[:], nonces[:])
	invert(inverses[:], nonces[:])
	ok := sig.set(d, z, &inverses[2], &points[2])
	return sig, ok
}
