// Package musig2 implements multi-signatures (BIP-327): several signers have one aggregate public key, and together
// make one signature by this key, which is an ordinary BIP-340 signature. All signers must take part. In the terms of
// the BIP:
//
//  1. Everybody has the public keys of all signers in the same order, for example sorted by Sort, and calls Aggregate (KeyAgg).
//  2. KeySet.Derive, KeySet.Tweak and KeySet.TweakXOnly derive BIP-32 keys and Taproot keys from the aggregate key
//     (ApplyTweak).
//  3. For each signature each signer calls NewNonce (NonceGen), keeps the SecretNonce and sends the PublicNonce.
//     NewNonceBatch makes the nonces for many signatures.
//  4. AggregateNonces adds the public nonces (NonceAgg). Anybody can do this, because a wrong sum spoils the
//     signature, but does not endanger a key.
//  5. NewSession joins the keys, the aggregate nonce and the message (Session Context). For a pre-signature,
//     NewAdaptorSession also takes a point, and its documentation says who must sign last.
//  6. Each signer calls Session.Sign, which uses up the secret nonce, and sends the PartialSignature.
//  7. Session.Combine (PartialSigAgg) returns the signature, or an error with the signer to blame (PartialSigVerify).
//  8. A signer without state can be the last signer instead, and call SignDeterministic with the aggregate of the
//     other nonces (DeterministicSign).
//
// Signing two messages with the same secret nonce reveals the private key. So a SecretNonce cannot be stored or sent,
// all copies of it are the same nonce, and it signs only once, even if several goroutines try.
package musig2
