package chilldkg

import (
	"encoding/binary"
	"errors"
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols/frost"
	"p256k1.mleku.dev/v2/schnorr"
)

// Recover computes the result of a session again for the owner of a host key (participant_recover). recovery is the
// Result.Recovery of any participant or of the coordinator. current is the group with which the participants sign
// today: ask them for it, because only they know whether the key was reshared after the session. For a key that was
// never reshared it is the group of the session, which RecoverGroup returns. Recover also returns the session's
// parameters. The certificate in the recovery data shows that all participants agreed.
//
// Recover computes no share that current refuses. After a resharing the error is frost.ErrReshared: the host key and
// its backups must then be destroyed, because t host keys still give the key, and the backup of the new share is the
// one that frost.Resharing describes. Otherwise the error is ErrRecovery for invalid data and for data of another key,
// p256k1.ErrNoKey for an invalid host key or group, or ErrHostKey for a key that is not a host key of the session.
func Recover(host *p256k1.PrivateKey, recovery []byte, current *frost.Group) (*Result, *Params, error) {
	if !host.Equal(host) {
		return nil, nil, fmt.Errorf("chilldkg: host key: %w", p256k1.ErrNoKey)
	}
	if current.Participants() == 0 {
		return nil, nil, fmt.Errorf("chilldkg: current group: %w: nil or never set; RecoverGroup returns the group of a key that was never reshared", p256k1.ErrNoKey)
	}
	// The owner of the host key has agreed to the size of the group, because the certificate has its signature.
	return recoverFrom(host, recovery, current, &frost.Options{Large: true})
}

// RecoverGroup returns the parameters and the result of a session, without a share, from recovery data alone
// (coordinator_recover). After a resharing, the participants sign with another group, which the recovery data does not
// show. Anybody can make valid recovery data with their own host keys. Compare the parameters with the parameters of
// the session before you use the group. The error is ErrRecovery.
func RecoverGroup(recovery []byte, opts *frost.Options) (*Result, *Params, error) {
	return recoverFrom(nil, recovery, nil, opts)
}

// parseRecovery returns the contents of recovery data: the parameters, the coordinator's answer without the proofs, and
// the certificate.
func parseRecovery(b []byte, opts *frost.Options) (*Params, *answer, []byte, error) {
	bad := func(err error) (*Params, *answer, []byte, error) { return nil, nil, nil, errRecovery(err) }
	if len(b) < 4 {
		return bad(fmt.Errorf("%w: %d bytes, want the threshold in 4 bytes first", p256k1.ErrLength, len(b)))
	}
	t := int64(binary.BigEndian.Uint32(b))
	const each = 33 + 33 + 32 + 64
	if rest := int64(len(b)) - 4 - 33*t; rest < 0 || rest%each != 0 {
		return bad(fmt.Errorf("%w: %d bytes, want %d and %d for each participant if the threshold is %d", p256k1.ErrLength, len(b), 4+33*t, each, t))
	}
	n := (len(b) - 4 - 33*int(t)) / each
	r := &reader{b: b[4:]}
	sum := r.points("sum of commitments", int(t))
	hosts := make([]*p256k1.PublicKey, n)
	for i := range hosts {
		host, err := p256k1.ParsePublicKey(r.bytes(33))
		if err != nil && r.err == nil {
			r.err = fmt.Errorf("host key of participant %d: %w", i, errors.Unwrap(err))
		}
		hosts[i] = host
	}
	m := &answer{nonces: r.parts(n, 33), shares: r.scalars(forWhom, n)}
	if r.err != nil {
		return bad(r.err)
	}
	params, err := NewParams(int(t), hosts, opts)
	if err != nil {
		return bad(err)
	}
	m.secrets, m.others = sum[:1], sum[1:]
	return params, m, r.b, nil
}

func errRecovery(err error) error { return fmt.Errorf("chilldkg: %w: %w", ErrRecovery, err) }

// recoverFrom returns the result of a session. If host is nil, the result has no share. Otherwise the share must belong
// to current.
func recoverFrom(host *p256k1.PrivateKey, recovery []byte, current *frost.Group, opts *frost.Options) (*Result, *Params, error) {
	params, m, certificate, err := parseRecovery(recovery, opts)
	if err != nil {
		return nil, nil, err
	}
	if bad := params.verifyCertificate(recovery[:len(recovery)-len(certificate)], certificate); bad >= 0 {
		return nil, nil, errRecovery(fmt.Errorf("certificate: participant %d: %w", bad, errSign))
	}
	sum := m.sum()
	t, err := tweak(sum)
	if err != nil {
		return nil, nil, errRecovery(err)
	}
	group, err := params.groupOf(sum)
	if err != nil {
		return nil, nil, errRecovery(err)
	}
	result := &Result{Group: group, Recovery: append([]byte(nil), recovery...)}
	if host == nil {
		return result, params, nil
	}
	id, err := params.find(host)
	if err != nil {
		return nil, nil, err
	}
	switch index := uint32(id); {
	case !current.PublicKey().Equal(group.PublicKey()):
		return nil, nil, errRecovery(errors.New("it belongs to another key than the current group"))
	case !current.PublicShare(index).Equal(group.PublicShare(index)):
		return nil, nil, fmt.Errorf("chilldkg: recovery: %w after this session, and the host key gives only the old share of participant %d; "+
			"destroy the host key, because enough old shares still give the key", frost.ErrReshared, id)
	}
	pads, err := pads(host, params, id, m.nonces)
	if err != nil {
		return nil, nil, errRecovery(err)
	}
	defer clear(pads)
	share, err := params.open(id, &m.shares[id], pads, t)
	if err == nil {
		result.Share, err = group.Share(uint32(id), share.Key())
	}
	if err != nil {
		return nil, nil, fmt.Errorf("chilldkg: recovery: %w", p256k1.ErrFault) // the share was right before signing
	}
	return result, params, nil
}

func acknowledgement(id int, recovery []byte) []byte {
	return signedMessage("BIP DKG/recovery acknowledgment", id, recovery)
}

// of returns an error unless the recovery data belongs to the session with these parameters.
func (p *Params) of(recovery []byte) error {
	if p.isNone() {
		return errParams()
	}
	in, _, _, err := parseRecovery(recovery, &p.opts)
	if err != nil {
		return err
	}
	if in.Hash() != p.Hash() {
		return errRecovery(errors.New("it belongs to a session with other parameters"))
	}
	return nil
}

// Acknowledge returns a signature by which the owner of a host key confirms having the recovery data of a session
// (participant_recovery_ack_sign). The error is p256k1.ErrNoKey, ErrHostKey or ErrRecovery.
func Acknowledge(host *p256k1.PrivateKey, params *Params, recovery []byte) (sig [64]byte, err error) {
	id, err := params.find(host)
	if err != nil {
		return sig, err
	}
	if err := params.of(recovery); err != nil {
		return sig, err
	}
	if sig, err = schnorr.Sign(host, acknowledgement(id, recovery), nil); err != nil {
		return [64]byte{}, fmt.Errorf("chilldkg: host key: %w", err)
	}
	return sig, nil
}

// VerifyAcknowledgements returns nil if every participant has confirmed having the recovery data
// (participant_recovery_acks_verify). sigs[i] is the signature that participant i made with Acknowledge. The error is
// p256k1.ErrNoKey for parameters that are nil or zero, ErrRecovery, p256k1.ErrLength for a wrong number of signatures,
// or a *protocols.BlameError that names the first participant whose signature is invalid. An error does not undo the
// session, but means that a participant may not have a copy of the data.
func VerifyAcknowledgements(params *Params, recovery []byte, sigs [][64]byte) error {
	if err := params.of(recovery); err != nil {
		return err
	}
	if len(sigs) != len(params.hosts) {
		return fmt.Errorf("chilldkg: %w: %d acknowledgements, want %d, one of each participant", p256k1.ErrLength, len(sigs), len(params.hosts))
	}
	for i := range sigs {
		if !schnorr.Verify(params.hosts[i].XOnly(), acknowledgement(i, recovery), sigs[i][:]) {
			return participantFault(i, errAck)
		}
	}
	return nil
}
