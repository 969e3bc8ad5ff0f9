// Package adaptor makes signatures that are completed by a secret. A pre-signature is made for a key, a message and a
// public key T = t·G, the adaptor point. It is not a signature. Whoever has t can turn it into a signature, and whoever
// has both the pre-signature and the signature can extract t. So a signature can be sold for t, as in an atomic swap or
// a discreet log contract, and neither side can break off the exchange halfway.
//
// There are two kinds:
//
//   - SchnorrPreSignature becomes a signature of BIP-340. The signers of an aggregate key make one with
//     musig2.NewAdaptorSession.
//   - ECDSAPreSignature becomes a signature of ECDSA with a low s, for outputs before Taproot. It contains a proof that
//     its two points have the same logarithm.
//
// The caller is responsible for the order of the steps: hand out a pre-signature only once the thing that it pays for
// is certain, and verify everything that others send before you rely on it. Publish the signature after adapting a
// pre-signature: whoever receives it can extract t.
//
// An ECDSA pre-signature gives everybody the Diffie-Hellman secret of the key d and the adaptor point, d·T = (s'·R −
// z·T)/r, with the variables of ECDSAPreSignature. So neither key may be one by which others encrypt, as in package
// ecdh: make the adaptor point anew for each pre-signature.
//
// Signing is constant-time. A nonce is a hash of the private key, the adaptor point and the message, with fresh
// randomness, so that pre-signatures for different points or messages never share a nonce. A shared nonce would give
// away the key.
//
// # Encodings
//
// No standard fixes the encodings. A Schnorr pre-signature has 65 bytes, the compressed point R and then s, as in the
// proposals for libsecp256k1-zkp. An ECDSA pre-signature has the 162 bytes of the DLC specification (dlcspecs,
// ECDSA-adaptor.md) and of libsecp256k1-zkp: R, R', s', and e and s of the proof. Issue 214 of dlcspecs disputes this
// encoding, so other programs may use another.
package adaptor

import "errors"

var (
	// ErrAdaptor means that a secret or a signature does not belong to a pre-signature and its adaptor point.
	ErrAdaptor = errors.New("does not fit the adaptor point")
	// ErrPreSignature means that a pre-signature is not valid.
	ErrPreSignature = errors.New("pre-signature is not valid")
)
