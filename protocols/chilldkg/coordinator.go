package chilldkg

import (
	"errors"
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/protocols/frost"
	"p256k1.mleku.dev/v2/protocols/internal/shamir"
)

// Coordinator passes on the messages of one session. It knows no secrets. A Coordinator is immutable, so goroutines may
// share it. Coordinators come from NewCoordinator. Finish refuses nil and the zero value with p256k1.ErrNoKey.
type Coordinator struct {
	unstored
	params     *Params
	messages   []*first
	transcript []byte
	group      *frost.Group
}

// NewCoordinator takes the first messages of all participants, in the order of their numbers, and returns the message
// for all participants (coordinator_step1). The error is p256k1.ErrNoKey for parameters that are nil or zero,
// p256k1.ErrLength for a wrong number of messages or a message of another length, or a *protocols.BlameError that names
// the participant whose message is malformed. If the threshold key or a public share is infinity, the error is a
// *protocols.BlameError with p256k1.ErrInfinity. Only a participant who has seen the other messages can choose its
// message so. The error names all participants whose proof of possession is invalid. If all proofs are valid, the
// messages do not show who it was, and the error names all participants.
func NewCoordinator(params *Params, messages []ParticipantMessage1) (*Coordinator, CoordinatorMessage1, error) {
	if params.isNone() {
		return nil, nil, errParams()
	}
	n := len(params.hosts)
	if len(messages) != n {
		return nil, nil, fmt.Errorf("chilldkg: %w: %d first messages, want %d, one of each participant", p256k1.ErrLength, len(messages), n)
	}
	c := &Coordinator{params: params}
	sum := &answer{others: make([]curve.Point, params.t-1), shares: make([]curve.Scalar, n)}
	for i, message := range messages {
		what := fmt.Sprintf("participant %d: first message", i)
		m, err := params.parseFirst(what, message)
		if errors.Is(err, p256k1.ErrLength) {
			return nil, nil, err
		}
		if err != nil {
			return nil, nil, participantFault(i, err)
		}
		c.messages = append(c.messages, m)
		sum.secrets = append(sum.secrets, m.commitments[0])
		for j := range sum.others {
			sum.others[j].Add(&sum.others[j], &m.commitments[j+1])
		}
		sum.proofs, sum.nonces = append(sum.proofs, m.proof), append(sum.nonces, m.nonce)
		for j := range sum.shares {
			sum.shares[j].Add(&sum.shares[j], &m.shares[j])
		}
	}
	c.transcript = params.transcript(sum)
	all := sum.sum()
	_, err := tweak(all)
	if err == nil {
		c.group, err = params.groupOf(all)
	}
	if err != nil {
		return nil, nil, c.suspects(err)
	}
	return c, sum.bytes(), nil
}

// suspects returns an error that names the participants who may have made a key infinity. A participant who chose its
// secret's commitment after seeing the others' does not know the secret, so its proof of possession is invalid. If all
// proofs are valid, the messages do not show who it was, and all participants are suspected.
func (c *Coordinator) suspects(err error) error {
	var all, bad []uint32
	for i, m := range c.messages {
		all = append(all, uint32(i))
		if !proves(m.proof, &m.commitments[0], i) {
			bad = append(bad, uint32(i))
		}
	}
	if bad == nil {
		bad = all
	}
	return fault(false, err, bad...)
}

// Finish takes the second messages of all participants, in the order of their numbers. It returns the certificate for
// all participants, and the result of the session, without a share (coordinator_finalize). The error is
// p256k1.ErrNoKey, p256k1.ErrLength, or a *protocols.BlameError that names the first participant whose signature is
// invalid. After a *protocols.BlameError, Finish may be called again with the correct signature.
func (c *Coordinator) Finish(messages []ParticipantMessage2) (CoordinatorMessage2, *Result, error) {
	if c == nil || c.params.isNone() {
		return nil, nil, fmt.Errorf("chilldkg: coordinator: %w: nil or never set", p256k1.ErrNoKey)
	}
	n := len(c.params.hosts)
	if len(messages) != n {
		return nil, nil, fmt.Errorf("chilldkg: %w: %d second messages, want %d, one of each participant", p256k1.ErrLength, len(messages), n)
	}
	var certificate []byte
	for i, message := range messages {
		if len(message) != 64 {
			return nil, nil, fmt.Errorf("chilldkg: participant %d: second message: %w: %d bytes, want 64", i, p256k1.ErrLength, len(message))
		}
		certificate = append(certificate, message...)
	}
	if bad := c.params.verifyCertificate(c.transcript, certificate); bad >= 0 {
		return nil, nil, participantFault(bad, errSign)
	}
	return certificate, &Result{Group: c.group, Recovery: append(append([]byte(nil), c.transcript...), certificate...)}, nil
}

// Investigate returns a message for each participant, in the order of their numbers (coordinator_investigate). With the
// message, a participant who has a wrong share can find out who sent it. The messages are not secret. For nil and the
// zero value, Investigate returns no messages.
func (c *Coordinator) Investigate() []Investigation {
	if c == nil {
		return nil
	}
	all := make([]Investigation, len(c.messages))
	for i := range all {
		var b []byte
		publics := make([]curve.Point, len(c.messages))
		for j, m := range c.messages {
			b = append(b, m.shares[i].Bytes()...)
			publics[j] = *shamir.EvaluatePoints(m.commitments, uint32(i))
		}
		all[i] = appendPoints(b, publics...)
	}
	return all
}
