// Package chilldkg makes the shares that protocols/frost signs with, without a trusted dealer (ChillDKG): n
// participants, any t of whom can sign later, make a key that none of them ever knows. The package follows version
// 0.3.0 of the draft (BlockstreamResearch/bip-frost-dkg at a9189688, bitcoin/bips pull request 2227). Participants of
// different versions cannot make a key together.
//
// Each participant has a host key, which serves for many sessions and whose public key all others know. A coordinator
// passes messages on. The coordinator can make a session fail, but can neither learn nor choose the key. In the terms
// of the draft:
//
//  1. Everybody calls NewParams with the same host keys and t, and compares Params.Hash with the others over another
//     channel, such as a phone call.
//  2. Each participant calls NewParticipant (participant_step1) and sends the ParticipantMessage1 to the coordinator.
//  3. The coordinator calls NewCoordinator (coordinator_step1) and sends the CoordinatorMessage1 to all.
//  4. Each participant calls Participant.Sign (participant_step2) and sends the ParticipantMessage2.
//  5. The coordinator calls Coordinator.Finish (coordinator_finalize) and sends the CoordinatorMessage2 to all.
//  6. Each participant calls Participant.Finish (participant_finalize) and gets its frost.Share and the frost.Group.
//
// If Participant.Sign returns ErrUnknownFault, the coordinator sends the messages that Coordinator.Investigate
// returns, and Participant.Investigate says whom to suspect.
//
// # The end of a session
//
// A participant who does not receive the last message cannot know whether others received it. Such a participant
// should keep the host key, and ask the others for recovery data. Recover computes the share again from the host key
// and the recovery data. The recovery data is not secret, so a secret backup of the host key and a copy of the data
// together are a backup of the share. Before you use a key, collect the result of Acknowledge from each participant
// and check them with VerifyAcknowledgements, so that no single disk has the only copy of the data.
//
// The threshold key commits to an unspendable script path of Taproot (BIP-341), so that it can be used as an output key
// without a further tweak.
//
// The caller transports the messages. The messages need not be kept secret, because the shares in them are encrypted.
// They need no further authentication either, because the host keys authenticate them: tampering with a message makes
// the session fail.
package chilldkg
