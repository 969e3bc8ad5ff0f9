package chilldkg

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols/frost"
	"p256k1.mleku.dev/v2/protocols/internal/shamir"
	"p256k1.mleku.dev/v2/schnorr"
)

func second[A any](_ A, err error) error        { return err }
func third[A, B any](_ A, _ B, err error) error { return err }

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestReshared reshares a key. Recover then gives no share for the new group, an old share fails there with
// frost.ErrReshared, and the documented backup of the new shares signs.
func TestReshared(t *testing.T) {
	for _, n := range []int{3, 4, 2} {
		c := newCeremony(t, 2, 3)
		results, common := c.finish(t)
		r := must(frost.NewResharing(must(common.Group.Signers(2, 0)), 2, n, nil))
		var dealings []frost.Dealing
		subs := make([][]*p256k1.PrivateKey, n)
		for _, id := range []uint32{2, 0} {
			d, parts, err := r.Deal(results[id].Share)
			if err != nil {
				t.Fatal(err)
			}
			dealings = append(dealings, d)
			for j := range parts {
				subs[j] = append(subs[j], parts[j])
			}
		}
		next := must(r.Group(dealings))
		for i, host := range c.hosts {
			result, _, err := Recover(host, common.Recovery, next)
			if result != nil || !errors.Is(err, frost.ErrReshared) || !strings.Contains(err.Error(), "destroy the host key") {
				t.Errorf("%d participants: host key %d: %v", n, i, err)
			}
		}
		// A participant who knows only the old group gets the old share, which the new group refuses.
		old, _, err := Recover(c.hosts[1], common.Recovery, common.Group)
		if err != nil {
			t.Fatal(err)
		}
		signers, msg := must(must(next.Signers(1, 0)).TweakXOnly(make([]byte, 32))), []byte("message")
		if _, _, err := frost.NewNonce(old.Share, signers, msg); !errors.Is(err, frost.ErrReshared) || !errors.Is(err, frost.ErrShare) {
			t.Errorf("a nonce for the old share: %v", err)
		}
		if _, err := next.Share(1, old.Share.Key()); !errors.Is(err, frost.ErrShare) {
			t.Errorf("the old share in the new group: %v", err)
		}
		// The backup of a new share: its number, the bytes of its key and the public data of the group.
		var public []*p256k1.PublicKey
		for i := range n {
			public = append(public, next.PublicShare(uint32(i)))
		}
		restored := must(frost.NewGroup(next.Threshold(), next.PublicKey(), public, nil))
		var shares []*frost.Share
		var secrets []*frost.SecretNonce
		var nonces []frost.PublicNonce
		for i := range uint32(2) {
			backup := must(r.Share(i, dealings, subs[i])).Key().Bytes()
			share := must(restored.Share(i, must(p256k1.ParsePrivateKey(backup))))
			secret, nonce, err := frost.NewNonce(share, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			shares, secrets, nonces = append(shares, share), append(secrets, secret), append(nonces, nonce)
		}
		session := must(frost.NewSession(must(restored.Signers(0, 1)), must(frost.AggregateNonces(nonces)), msg))
		oldNonce, _, err := frost.NewNonce(old.Share, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := session.Sign(oldNonce, old.Share); !errors.Is(err, frost.ErrReshared) {
			t.Errorf("the old share signs: %v", err)
		}
		sigs := []frost.PartialSignature{must(session.Sign(secrets[0], shares[0])), must(session.Sign(secrets[1], shares[1]))}
		sig, err := session.Combine(sigs, nonces)
		if err != nil || !schnorr.Verify(common.Group.PublicKey().XOnly(), msg, sig[:]) {
			t.Errorf("the restored shares: %v", err)
		}
		_, other := newCeremony(t, 2, 3).finish(t)
		for want, group := range map[error]*frost.Group{ErrRecovery: other.Group, p256k1.ErrNoKey: nil} {
			if _, _, err := Recover(c.hosts[0], common.Recovery, group); !errors.Is(err, want) {
				t.Errorf("%v, want %v", err, want)
			}
		}
	}
}

// TestErrorsName checks that errors name the right participant, thing and bounds. Among the errors are errors about
// recovery data that all participants have signed although it is wrong.
func TestErrorsName(t *testing.T) {
	c := newCeremony(t, 2, 3)
	set := func(b []byte, place int, data ...byte) []byte {
		return slices.Replace(bytes.Clone(b), place, place+len(data), data...)
	}
	large := bytes.Repeat([]byte{255}, 32)
	first := func(b ParticipantMessage1) error {
		return third(NewCoordinator(c.params, []ParticipantMessage1{c.firsts[0], b, c.firsts[2]}))
	}
	short, malformed := first(c.firsts[1][1:]), first(set(c.firsts[1], 259-32, large...))
	coordinator, answer, err := NewCoordinator(c.params, c.firsts)
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := NewParticipant(c.hosts[0], c.params)
	if err != nil {
		t.Fatal(err)
	}
	fails := second(p.Sign(set(answer, len(answer)-32, large...)))
	investigates := func(message Investigation) error {
		p := &Participant{params: c.params, wrong: new(wrongShare)}
		m := must(c.params.parseAnswer(answer))
		p.wrong.pads = must(pads(c.hosts[0], c.params, 0, m.nonces))
		p.wrong.encrypted.Set(&m.shares[0])
		p.wrong.public.Set(shamir.EvaluatePoints(m.sum(), 0))
		return p.Investigate(message)
	}
	_, common := c.finish(t)
	key := c.params.Host(0)
	_, repeated := NewParams(2, []*p256k1.PublicKey{c.params.Host(1), key, key}, nil)
	_, sizes := NewParams(4, []*p256k1.PublicKey{key, key, key}, nil)
	acks := make([][64]byte, 3)
	acks[0] = must(Acknowledge(c.hosts[0], c.params, common.Recovery))
	const nonces, shares, certificate = 4 + 33*2 + 33*3, 4 + 33*2 + 66*3, 4 + 33*2 + 98*3
	signed := func(place int, data ...byte) []byte {
		b := set(common.Recovery, place, data...)
		for i, host := range c.hosts {
			sig := must(schnorr.Sign(host, certificateMessage(i, b[:certificate]), nil))
			b = set(b, certificate+64*i, sig[:]...)
		}
		return b
	}
	recovers := func(b []byte) error { return third(Recover(c.hosts[0], b, common.Group)) }
	untweaked := must(c.params.parseAnswer(answer)).sum()
	must(tweak(untweaked)) // untweaked[0] is tweaked now, and with its negative as the other coefficient, f(1) is 0
	const data, noParams = "chilldkg: recovery data is not valid: ", "chilldkg: parameters: no key: nil or never set"
	for _, c := range []struct {
		want string
		err  error
	}{
		{"chilldkg: participant 1: first message: wrong length: 258 bytes, want 259", short},
		{"chilldkg: participant 2: wrong host key: participant 1 has it too", repeated},
		{"chilldkg: threshold or number of participants out of range: a threshold of 4, want 1 to 3, the number of participants", sizes},
		{"chilldkg: participant 1: the acknowledgement of the recovery data is not valid", VerifyAcknowledgements(c.params, common.Recovery, acks)},
		{"chilldkg: wrong length: 2 acknowledgements, want 3, one of each participant", VerifyAcknowledgements(c.params, common.Recovery, acks[:2])},

		{noParams, third(NewCoordinator(nil, c.firsts))},
		{noParams, VerifyAcknowledgements(nil, common.Recovery, acks)},
		{"chilldkg: wrong length: 2 first messages, want 3, one of each participant", third(NewCoordinator(c.params, c.firsts[:2]))},
		{"chilldkg: participant 1: the message is malformed: encrypted share for participant 2: curve: scalar: out of range: not below the group order", malformed},
		{"chilldkg: coordinator: the message is malformed: encrypted share for participant 2: curve: scalar: out of range: not below the group order", fails},
		{"chilldkg: coordinator: the message is malformed: encrypted share from participant 0: curve: scalar: out of range: not below the group order", investigates(set(coordinator.Investigate()[0], 0, large...))},
		{"chilldkg: investigation: fault in the computation", investigates(coordinator.Investigate()[0])},
		{"chilldkg: host key: no key", third(Recover(nil, common.Recovery, common.Group))},
		{"chilldkg: wrong host key: not a host key of the session", second(Acknowledge(c.hosts[0].Negate(), c.params, common.Recovery))},
		{data + "wrong length: 3 bytes, want the threshold in 4 bytes first", recovers(make([]byte, 3))},
		{data + "wrong length: 3 bytes, want the threshold in 4 bytes first", second(Acknowledge(c.hosts[0], c.params, make([]byte, 3)))},
		{data + "wrong length: 4 bytes, want 37 and 162 for each participant if the threshold is 1", recovers([]byte{0, 0, 0, 1})},
		{data + "wrong length: 7 bytes, want 169 and 162 for each participant if the threshold is 5", recovers([]byte{0, 0, 0, 5, 0, 0, 0})},
		{data + "chilldkg: threshold or number of participants out of range: 0 participants, want at least 1", recovers(make([]byte, 4))},
		{data + "certificate: participant 0: the signature of the transcript is not valid", recovers(set(common.Recovery, certificate, large...))},
		{data + "sum of commitments 1: curve: point: unknown prefix 09 of 33 bytes, want 02 or 03", recovers(set(common.Recovery, 4+33, 9))},
		{data + "host key of participant 1: unknown prefix 09 of 33 bytes, want 02 or 03", recovers(set(common.Recovery, 4+33*2+33, 9))},
		{data + "threshold key: curve: x coordinate of the point at infinity" + chosen, recovers(signed(4, make([]byte, 33)...))},
		{data + "public share of participant 0: p256k1: public key: point at infinity" + chosen, recovers(signed(4+33, appendPoints(nil, *untweaked[0].Negate(&untweaked[0]))...))},
		{data + "chilldkg: participant 1, or the coordinator: the public nonce is wrong: curve: point: unknown prefix 09 of 33 bytes, want 02 or 03", recovers(signed(nonces+33, 9))},
		{"chilldkg: recovery: fault in the computation", recovers(signed(shares, make([]byte, 32)...))},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("%v\nwant %s", c.err, c.want)
		}
	}
	if none := (*Params)(nil); none.Threshold() != 0 || none.Participants() != 0 || none.Hash() != [32]byte{} || new(Params).Threshold() != 0 {
		t.Error("parameters that are nil or zero have contents")
	}
}
