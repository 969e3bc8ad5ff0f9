// Package chilldkg generates key shares for protocols/frost without a trusted dealer (ChillDKG). Together, n
// participants make a key that none of them ever knows, and with which any t of them can sign later. The package
// follows version 0.3.0 of the draft (BlockstreamResearch/bip-frost-dkg at a9189688, bitcoin/bips pull request 2227).
// Participants of different versions cannot make a key together.
//
// Each participant has a host key, which can be used in many sessions. All participants know all public host keys. A
// coordinator passes messages on. The coordinator can make a session fail, but can neither learn nor choose the key. In
// the terms of the draft:
//
//  1. Everybody calls NewParams with the same host keys and t. All compare their values of Params.Hash over another
//     channel, such as a phone call.
//  2. Each participant calls NewParticipant (participant_step1) and sends the ParticipantMessage1 to the coordinator.
//  3. The coordinator calls NewCoordinator (coordinator_step1) and sends the CoordinatorMessage1 to all participants.
//  4. Each participant calls Participant.Sign (participant_step2) and sends the ParticipantMessage2.
//  5. The coordinator calls Coordinator.Finish (coordinator_finalize) and sends the CoordinatorMessage2 to all
//     participants.
//  6. Each participant calls Participant.Finish (participant_finalize) and gets its frost.Share and the frost.Group.
//
// If Participant.Sign returns ErrUnknownFault, the coordinator sends each participant the message from
// Coordinator.Investigate, and Participant.Investigate says whom to suspect.
//
// # The end of a session
//
// A participant who does not receive the last message cannot know whether the other participants received it. Such a
// participant should keep the host key, and ask the other participants for recovery data. Recover computes the share
// again from the host key, the recovery data and the current group. The recovery data is not secret, so a secret backup
// of the host key and a copy of the data together are a backup of the share, until the key is reshared. Before you use
// a key, collect each participant's signature from Acknowledge, and check all signatures with VerifyAcknowledgements.
// Then the recovery data is on more than one disk.
//
// # After a resharing
//
// A resharing (frost.Resharing) gives the participants new shares, which no host key and no recovery data of this
// package can restore. The backup of a new share is the share itself with the new group, as frost.Resharing says. The
// old shares are still the key, and t host keys with the recovery data, which anybody may have, still give t old
// shares. So once every participant has the backup of its new share, all participants must destroy their host keys and
// all backups of the host keys, together with the old shares. A host key that was used in other sessions is the backup
// of those keys too, so make a host key for each key that may be reshared.
//
// Recover takes the current group, and computes no share that this group refuses. Recover could instead trust the
// recovery data, but then a restored participant would have an old share and an old group, which fit together and still
// sign, while the other participants refuse both. Recovery data does not show whether the key was reshared later. Only
// the current group shows that.
//
// The threshold key commits to an unspendable script path of Taproot (BIP-341), so that it can be used as an output key
// without a further tweak.
//
// The caller transports the messages. The messages need not be kept secret, because the shares in them are encrypted.
// The messages need no further authentication, because the host keys authenticate them: a session fails if somebody
// tampers with a message.
//
// The examples are in example_test.go.
package chilldkg
