// Package chilldkg makes the shares of protocols/frost without a dealer (ChillDKG): n participants, of whom any t can sign
// later, make a key that none of them has ever known. It follows version 0.3.0 of the draft (BlockstreamResearch/bip-frost-dkg at
// a9189688, bitcoin/bips pull request 2227). Participants of different versions cannot make a key together.
//
// Each participant has a host key for many sessions, whose public keys all others know. A coordinator passes messages on, and
// can make a session fail, but not learn or choose the key. In the terms of the draft:
//
//  1. Everybody calls NewParams with the same host keys and t. Params.Hash is for comparison by another way, as by voice.
//  2. Each participant calls NewParticipant (participant_step1) and sends the ParticipantMessage1 to the coordinator.
//  3. The coordinator calls NewCoordinator (coordinator_step1) and sends the CoordinatorMessage1 to all.
//  4. Each participant calls Participant.Sign (participant_step2) and sends the ParticipantMessage2.
//  5. The coordinator calls Coordinator.Finish (coordinator_finalize) and sends the CoordinatorMessage2 to all.
//  6. Each participant calls Participant.Finish (participant_finalize) and has its frost.Share and the frost.Group.
//
// If Participant.Sign returns ErrUnknownFault, the coordinator sends what Coordinator.Investigate returns, and
// Participant.Investigate says whom to suspect.
//
// # When it is over
//
// A participant who does not get the last message does not know whether others have: keep the host key, and take the recovery
// data of anybody who has it. Recover makes the share again from the host key and this data, which is not secret, so that a
// backup of the host key and a copy of the data are a backup of the share. Before a key is used, collect an Acknowledge of each
// participant and ask VerifyAcknowledgements, so that nobody's disk has the only copy.
//
// The threshold key commits to an unspendable script path of Taproot (BIP-341), so that it can be an output key as it is.
//
// Transport is the caller's. Messages need no secrecy, since shares are encrypted in them, and no authentication beyond that of
// the host keys: who tampers with a message makes the session fail.
package chilldkg
