// Package adaptor implements adaptor signatures, which a secret completes. A pre-signature is made for a key, a message
// and a public key T = t·G, the adaptor point. A pre-signature is not a signature. Whoever has t can turn it into a
// signature, and whoever has both the pre-signature and the signature can extract t. So a signature can be sold for t,
// as in an atomic swap or a discreet log contract, and neither side can break off the exchange halfway.
//
// There are two kinds of pre-signatures:
//
//   - SchnorrPreSignature becomes a BIP-340 signature. The signers of an aggregate key make a pre-signature with
//     musig2.NewAdaptorSession.
//   - ECDSAPreSignature becomes an ECDSA signature with a low s, for outputs before Taproot. It contains a proof that
//     its two points have the same discrete logarithm.
//
// The caller is responsible for the order of the steps. Hand out a pre-signature only when you are certain to get what
// it pays for. Verify everything that others send before you rely on it. Adapt a pre-signature only when you are ready
// to reveal t, because whoever receives the signature can extract t.
//
// An ECDSA pre-signature reveals to everybody the Diffie-Hellman secret of the key d and the adaptor point, d·T = (s'·R
// − z·T)/r, in the notation of ECDSAPreSignature. So neither key may be used for Diffie-Hellman, as in package ecdh:
// make a new adaptor point for each pre-signature.
//
// Signing is constant-time. A nonce is a hash of the private key, the adaptor point, the message and fresh randomness.
// Pre-signatures for different points or messages therefore never share a nonce, which would reveal the key.
//
// # Encodings
//
// No standard fixes the encodings. A Schnorr pre-signature has 65 bytes: the compressed point R = k·G + T and then s',
// as in the proposals for libsecp256k1-zkp. An ECDSA pre-signature has the 162 bytes of the DLC specification
// (dlcspecs, ECDSA-adaptor.md) and of libsecp256k1-zkp: R, R' and s' of the pre-signature, and e and s of the proof.
// Issue 214 of dlcspecs disputes this encoding, so other programs may use a different one.
//
// The examples are in example_test.go.
package adaptor

import "errors"

var (
	// ErrAdaptor means that a secret or a signature does not belong to the pre-signature and the adaptor point.
	ErrAdaptor = errors.New("does not fit the adaptor point")
	// ErrPreSignature means that a pre-signature is invalid.
	ErrPreSignature = errors.New("pre-signature is not valid")
)
