// Package frost makes threshold signatures: of n participants, any t sign together, and the result is a signature of BIP-340
// like any other (FROST, BIP-445). It follows version 0.8.0 of the draft (bitcoin/bips pull request 2070 at f7de4568). Later
// versions of the draft differ, and signers of different versions cannot sign together.
//
// In the terms of the BIP:
//
//  1. Deal makes shares of a private key, or protocols/chilldkg makes them without a dealer. A Share is secret and belongs to
//     one participant, numbered from 0. A Group is public: t, the threshold public key and all public shares.
//  2. Group.Signers names who signs (Signers Context), and NewSigners does so for those who know fewer shares. Tweak and
//     TweakXOnly make keys of BIP-32 and of Taproot from the threshold key (ApplyTweak).
//  3. For each signature each signer calls NewNonce (NonceGen), keeps the SecretNonce and sends the PublicNonce.
//  4. AggregateNonces adds the public nonces (NonceAgg). Anybody can do that: a wrong sum spoils the signature, not a key.
//  5. NewSession joins the signers, the aggregate nonce and the message (Session Context).
//  6. Each signer calls Session.Sign, which uses up the secret nonce, and sends the PartialSignature.
//  7. Session.Combine (PartialSigAgg) returns the signature, or an error with all signers to blame (PartialSigVerify).
//  8. Without state, the last signer calls SignDeterministic with the aggregate of the other nonces (DeterministicSign).
//
// Whoever signs two messages with one secret nonce gives away the share. So a SecretNonce cannot be stored, sent or copied into
// a second use, and signs once, whichever goroutine comes first. A signer that has to know after a crash that it signed gives
// Session.Sign a function that makes a durable mark before the partial signature leaves.
//
// Resharing gives the participants new shares of the same key: after a break-in, for another t or n, and for participants who
// join or leave. Repair restores one lost share. Each checks the result against the public key, so keep the old share until it
// has succeeded. ECDH computes the shared secret of the threshold key and another key.
//
// # Taproot
//
// A threshold key that is used as a Taproot output key must commit to an unspendable script path, as BIP-445 demands: a
// participant could otherwise have hidden a script path in it. TweakXOnly with the hash of BIP-341 for no script makes such a
// key, and keys of protocols/chilldkg have that tweak already.
//
// # How many participants
//
// Groups have MaxParticipants or fewer, unless Options.Large is set. FROST is proved secure against an adversary who chooses
// the t − 1 participants he corrupts before he begins. Against one who chooses while he watches, Crites and Stewart (eprint
// 2025/1001) reduce the question to a problem of linear algebra: whether a vector that a hash determines lies in the span of
// t − 1 of n given ones. For n ≤ 128 there are fewer than 2¹²⁵ such sets, of which each contains the vector with a
// probability of about 2⁻²⁵⁶, so that even 2¹²⁸ hashes are not expected to meet one, whatever the algorithm. Above that
// number the count says nothing.
package frost
