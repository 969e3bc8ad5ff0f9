// Package musig2 implements multi-signatures (BIP-327): several signers have one aggregate public key, and together
// make one ordinary BIP-340 signature by this key. All signers must take part. In the terms of the BIP:
//
//  1. Each signer passes the public keys of all signers to Aggregate (KeyAgg). All signers must use the same order, for
//     example the order of Sort.
//  2. KeySet.Derive, KeySet.Tweak and KeySet.TweakXOnly derive BIP-32 keys and Taproot keys from the aggregate key
//     (ApplyTweak).
//  3. For each signature, each signer calls NewNonce (NonceGen), keeps the SecretNonce and sends the PublicNonce.
//     NewNonceBatch makes nonces for many signatures.
//  4. AggregateNonces adds the public nonces (NonceAgg). Anybody can add the nonces, because a wrong sum spoils the
//     signature, but does not endanger a key.
//  5. NewSession joins the keys, the aggregate nonce and the message (Session Context). For a pre-signature, use
//     NewAdaptorSession, which also takes a point, and whose documentation says who must sign last.
//  6. Each signer calls Session.Sign, which uses up the secret nonce, and sends the PartialSignature.
//  7. Session.Combine (PartialSigAgg) returns the signature, or an error that names all signers to blame
//     (PartialSigVerify).
//  8. A signer who keeps no state can call SignDeterministic instead (DeterministicSign), as the last signer, with the
//     aggregate of all other public nonces.
//
// Signing two messages with the same secret nonce reveals the private key. So a SecretNonce cannot be stored or sent,
// all copies of it are the same nonce, and it signs only once, even if several goroutines try. After a crash the nonce
// is lost, and the signers begin again with new nonces. If a snapshot of a virtual machine holds a nonce, the machine
// must not be continued twice from this snapshot. A signer who must know whether it may have signed records, before it
// calls Session.Sign, that it will sign.
//
// The examples are in example_test.go and example_bulk_test.go.
package musig2
