// Package musig2 makes multi-signatures (BIP-327): several signers have one aggregate public key, and together make
// one signature by it, an ordinary signature of BIP-340. All of them must sign. In the terms of the BIP:
//
//  1. Everybody has the public keys of all signers in the same order, for example sorted by Sort, and calls Aggregate (KeyAgg).
//  2. KeySet.Derive, Tweak and TweakXOnly make keys of BIP-32 and of Taproot from the aggregate key (ApplyTweak).
//  3. For each signature each signer calls NewNonce (NonceGen), keeps the SecretNonce and sends the PublicNonce.
//  4. AggregateNonces adds the public nonces (NonceAgg). Anybody can: a wrong sum spoils the signature, not a key.
//  5. NewSession joins the keys, the aggregate nonce and the message (Session Context).
//  6. Each signer calls Session.Sign, which uses up the secret nonce, and sends the PartialSignature.
//  7. Session.Combine (PartialSigAgg) returns the signature, or an error with the signer to blame (PartialSigVerify).
//  8. Without state, the last signer calls SignDeterministic with the aggregate of the other nonces (DeterministicSign).
//
// Whoever signs two messages with one secret nonce gives away the private key. So a SecretNonce cannot be stored, sent or
// copied into a second use, and signs once, whichever goroutine comes first.
package musig2
