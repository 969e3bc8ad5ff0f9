// Package frost implements threshold signatures: any t of n participants sign together, and the result is an ordinary
// BIP-340 signature (FROST, BIP-445). It follows version 0.8.0 of the draft (bitcoin/bips pull request 2070 at
// f7de4568). Later versions of the draft differ, and signers of different versions cannot sign together.
//
// In the terms of the BIP:
//
//  1. Deal splits a private key into shares, or protocols/chilldkg makes shares without a dealer. A Share is secret and
//     belongs to one participant. Participants are numbered from 0. A Group is public: it holds t, the threshold public
//     key and all public shares.
//  2. Group.Signers selects the signers (Signers Context). NewSigners does the same for programs that know only the
//     signers' public shares. Signers.Tweak and Signers.TweakXOnly derive BIP-32 keys and Taproot keys from the
//     threshold key (ApplyTweak).
//  3. For each signature, each signer calls NewNonce (NonceGen), keeps the SecretNonce and sends the PublicNonce.
//  4. AggregateNonces adds the public nonces (NonceAgg). Anybody can add the nonces, because a wrong sum spoils the
//     signature, but does not endanger a key.
//  5. NewSession combines the signers, the aggregate nonce and the message (Session Context).
//  6. Each signer calls Session.Sign, which uses up the secret nonce, and sends the PartialSignature.
//  7. Session.Combine (PartialSigAgg) returns the signature, or an error that names all signers to blame
//     (PartialSigVerify).
//  8. A signer who keeps no state can call SignDeterministic instead (DeterministicSign), as the last signer, with the
//     aggregate of all other public nonces.
//
// Signing two messages with the same secret nonce reveals the share. So a SecretNonce cannot be stored or sent, all
// copies of it are the same nonce, and it signs only once, even if several goroutines try. After a crash the nonce is
// lost, and the signers begin again with new nonces. If a snapshot of a virtual machine holds a nonce, the machine must
// not be continued twice from this snapshot. A signer who must know whether it may have signed records, before it calls
// Session.Sign, that it will sign.
//
// Resharing gives the participants new shares of the same key, for example after a break-in, for another t or n, or
// when participants join or leave. Repair restores one lost share. Resharing and Repair check their result against the
// public key, so keep the old shares until the check has succeeded. Agree and Signers.SharedX compute the ECDH secret
// of the threshold key and another key.
//
// # Storage
//
// A participant stores the Bytes of the Group, or its text, which encoders such as encoding/json write, where nobody
// can replace it. It stores ID and Key().Bytes() of its Share in a safe place. ParseGroup and Group.Share read these.
// The values that participants send each other have encodings too. Signers, sessions, resharings and repairs have none,
// because they are made again from these values.
//
// # Backups, and what a resharing leaves behind
//
// The backup of a share is its ID and the Bytes of its Key, which are secret, together with the Group, which is public.
// Group.Share restores the share, and refuses a share of another group. A share that protocols/chilldkg made has a
// second backup until the first resharing: the host key with the recovery data.
//
// A resharing does not change the key, so any t old shares still sign. It protects the key only when the old shares are
// destroyed together with everything that gives them: their backups, and the host keys of protocols/chilldkg with the
// backups of the host keys. ChillDKG's recovery data cannot be destroyed, because it is not secret and anybody may have
// a copy.
//
// Shares remember their group, so that a share from before a resharing fails with ErrReshared in the new group. A
// counter of resharings would be simpler to compare, but the participants would have to agree on it and store it, and
// somebody could change it. The public shares say the same and need no agreement: each resharing changes them all,
// unless t = 1, where every share is the key itself.
//
// # Taproot
//
// A threshold key that is used as a Taproot output key must commit to an unspendable script path, as BIP-445 demands,
// because otherwise a participant could have hidden a script path in the key. TweakXOnly makes such a key, given the
// hash that BIP-341 defines for an output without scripts. The keys that protocols/chilldkg makes already have this
// tweak.
//
// # Number of participants
//
// A group has at most MaxParticipants participants, unless Options.Large is set. FROST is proved secure against an
// adversary who chooses the t − 1 participants to corrupt before the attack begins. If the adversary chooses after
// seeing the public shares, an attack of Crites and Stewart (eprint 2025/1001) works, provided that a new problem of
// linear algebra is easy for the given t and n. Nobody knows whether the problem is easy. The discussion of the draft
// names t = 131 and n = 196 as sizes for which the problem may be easier than a discrete logarithm (bitcoin/bips pull
// request 2070, July 2026).
//
// The limit of 128 comes from a counting argument of this package, not from the paper. In the argument, each hash of
// the adversary leads to a vector of t numbers modulo the group order. The adversary must find a hash whose vector lies
// in the span of t − 1 of n given vectors. For n ≤ 128 there are fewer than 2¹²⁵ such spans, and each contains a random
// vector with a probability of about 2⁻²⁵⁶. So 2¹²⁸ hashes find such a vector with a probability of at most 2⁻³,
// whatever the algorithm. For t = 131 and n = 196 there are about 2¹⁷⁶ spans, so among 2⁸⁰ hashes such a vector is
// expected. The argument is not a proof, because it does not cover attacks that use the problem in other ways.
//
// The examples are in example_test.go, example_ecdh_test.go, example_encoding_test.go and example_reshare_test.go.
package frost
