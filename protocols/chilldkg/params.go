package chilldkg

import (
	"encoding/binary"
	"errors"
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols"
	"p256k1.mleku.dev/v2/protocols/frost"
	"p256k1.mleku.dev/v2/protocols/internal/shamir"
	"p256k1.mleku.dev/v2/schnorr"
)

// Version is the version of the draft of ChillDKG that this package follows.
const Version = "0.3.0"

var (
	// ErrHostKey means that a key is not a host key of the session, or is listed twice.
	ErrHostKey = errors.New("wrong host key")
	// ErrUnknownFault means that a participant or the coordinator sent a wrong share. Participant.Investigate finds out
	// who sent it.
	ErrUnknownFault = errors.New("the secret share is wrong; ask the coordinator for an investigation")
	// ErrStep means that a step of a session was already taken, or was taken too early.
	ErrStep = errors.New("not the next step of the session")
	// ErrRecovery means that recovery data is malformed, belongs to another session, or is not signed by all
	// participants.
	ErrRecovery = errors.New("recovery data is not valid")

	errMessage = errors.New("the message is malformed")
	errNonce   = errors.New("the public nonce is wrong")
	errProof   = errors.New("the commitment or its proof of possession is wrong")
	errShare   = errors.New("a share is wrong")
	errSign    = errors.New("the signature of the transcript is not valid") // one of the signatures of the certificate
	errAck     = errors.New("the acknowledgement of the recovery data is not valid")
)

// fault returns an error that suspects the participants, and also the coordinator if this is true.
func fault(coordinator bool, err error, participants ...uint32) error {
	return fmt.Errorf("chilldkg: %w", &protocols.BlameError{Participants: participants, Coordinator: coordinator, Err: err})
}

func coordinatorFault(err error) error        { return fault(true, err) }
func participantFault(i int, err error) error { return fault(false, err, uint32(i)) }
func eitherFault(i int, err error) error      { return fault(true, err, uint32(i)) }

// Params holds the threshold and the host keys of a session, on which all participants and the coordinator agree.
// Participants are numbered in the order of the host keys. Params are immutable, and come from NewParams. Functions
// refuse nil and the zero value with p256k1.ErrNoKey.
type Params struct {
	t     int
	hosts []p256k1.PublicKey
	opts  frost.Options
}

// NewParams returns the parameters for a key with which any t of len(hosts) participants can sign. All participants
// must have authentic copies of the host keys, in the same order. The error is frost.ErrThreshold, or a
// *protocols.BlameError that names the participant whose host key is invalid (p256k1.ErrNoKey), or is the same as an
// earlier host key (ErrHostKey).
func NewParams(t int, hosts []*p256k1.PublicKey, opts *frost.Options) (*Params, error) {
	p := &Params{t: t}
	if opts != nil {
		p.opts = *opts
	}
	if err := shamir.CheckSizes(t, len(hosts), frost.MaxParticipants, p.opts.Large); err != nil {
		return nil, fmt.Errorf("chilldkg: %w: %w", frost.ErrThreshold, err)
	}
	seen := make(map[[33]byte]int)
	for i, host := range hosts {
		encoded := host.Bytes()
		if encoded == nil {
			return nil, participantFault(i, fmt.Errorf("host key: %w", p256k1.ErrNoKey))
		}
		if first, repeated := seen[[33]byte(encoded)]; repeated {
			return nil, participantFault(i, fmt.Errorf("%w: participant %d has it too", ErrHostKey, first))
		}
		seen[[33]byte(encoded)] = i
		p.hosts = append(p.hosts, *host)
	}
	return p, nil
}

func (p *Params) isNone() bool { return p == nil || p.t == 0 }

func errParams() error {
	return fmt.Errorf("chilldkg: parameters: %w: nil or never set", p256k1.ErrNoKey)
}

// Threshold returns t, or 0 for parameters that are nil or zero.
func (p *Params) Threshold() int {
	if p.isNone() {
		return 0
	}
	return p.t
}

// Participants returns the number of participants, or 0 for parameters that are nil or zero.
func (p *Params) Participants() int {
	if p.isNone() {
		return 0
	}
	return len(p.hosts)
}

// Host returns the host key of a participant, or the zero value for a number that is not below n.
func (p *Params) Host(id uint32) *p256k1.PublicKey {
	key := new(p256k1.PublicKey)
	if !p.isNone() && int64(id) < int64(len(p.hosts)) {
		*key = p.hosts[id]
	}
	return key
}

// context returns the encoding of the parameters: t and then the host keys.
func (p *Params) context() []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(p.t))
	for i := range p.hosts {
		b = append(b, p.hosts[i].Bytes()...)
	}
	return b
}

var paramsTag = schnorr.NewTag("BIP DKG/params_hash")

// Hash returns a hash of the parameters, which participants compare over another channel (params_hash). The hash is all
// zeros for parameters that are nil or zero.
func (p *Params) Hash() (sum [32]byte) {
	if p.isNone() {
		return sum
	}
	return paramsTag.Sum(p.context())
}

// find returns the number of the participant with the given host key.
func (p *Params) find(host *p256k1.PrivateKey) (int, error) {
	if p.isNone() {
		return 0, errParams()
	}
	if !host.Equal(host) {
		return 0, fmt.Errorf("chilldkg: host key: %w", p256k1.ErrNoKey)
	}
	public := host.PublicKey()
	for i := range p.hosts {
		if p.hosts[i].Equal(public) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("chilldkg: %w: not a host key of the session", ErrHostKey)
}
