// Package adaptor makes signatures that are completed by a secret. A pre-signature is for a public key T = t·G, the adaptor
// point, besides a key and a message. It is no signature. Whoever has t adapts it to one, and whoever has both the
// pre-signature and the signature extracts t. So the sale of a signature for t, as in an atomic swap or a discreet log
// contract, is one that neither side can break off halfway.
//
// There are two kinds:
//
//   - SchnorrPreSignature becomes a signature of BIP-340. For the signers of an aggregate key there is
//     musig2.NewAdaptorSession, whose result is such a pre-signature.
//   - ECDSAPreSignature becomes a signature of ECDSA with a low s, for outputs before Taproot. It has a proof that its two
//     points have one logarithm.
//
// The order of things is the caller's: give away a pre-signature only once what it pays for is certain, and verify what others
// send before anything depends on it. A pre-signature that is adapted must be published, since its owner has t then.
//
// Signing is constant-time. A nonce is a hash of the private key, the adaptor point and the message, with fresh randomness, so
// that pre-signatures for different points or messages never share one, which would give away the key.
//
// # Encodings
//
// No standard fixes the encodings. A Schnorr pre-signature is the compressed point R, then s, 65 bytes, as in the proposals for
// libsecp256k1-zkp. An ECDSA pre-signature has the 162 bytes of the DLC specification (dlcspecs, ECDSA-adaptor.md) and of
// libsecp256k1-zkp: R, R', s', and e and s of the proof. Issue 214 of dlcspecs disputes this form, so others may have
// another.
package adaptor

import "errors"

var (
	// ErrAdaptor means that a secret or a signature does not belong to a pre-signature and its adaptor point.
	ErrAdaptor = errors.New("does not fit the adaptor point")
	// ErrPreSignature means that a pre-signature is not valid.
	ErrPreSignature = errors.New("pre-signature is not valid")
)
