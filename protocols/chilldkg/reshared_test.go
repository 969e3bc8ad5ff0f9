package chilldkg

import (
	"errors"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols/frost"
	"p256k1.mleku.dev/v2/schnorr"
)

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

// TestErrorsName checks that errors name the right participant, thing and bounds.
func TestErrorsName(t *testing.T) {
	c := newCeremony(t, 2, 3)
	_, common := c.finish(t)
	firsts := append([]ParticipantMessage1(nil), c.firsts...)
	firsts[1] = firsts[1][1:]
	_, _, short := NewCoordinator(c.params, firsts)
	key := c.params.Host(0)
	_, repeated := NewParams(2, []*p256k1.PublicKey{c.params.Host(1), key, key}, nil)
	_, sizes := NewParams(4, []*p256k1.PublicKey{key, key, key}, nil)
	acks := make([][64]byte, 3)
	acks[0] = must(Acknowledge(c.hosts[0], c.params, common.Recovery))
	for want, err := range map[string]error{
		"chilldkg: participant 1: first message: wrong length: 258 bytes, want 259":                                             short,
		"chilldkg: participant 2: wrong host key: participant 1 has it too":                                                     repeated,
		"chilldkg: threshold or number of participants out of range: a threshold of 4, want 1 to 3, the number of participants": sizes,
		"chilldkg: participant 1: the acknowledgement of the recovery data is not valid":                                        VerifyAcknowledgements(c.params, common.Recovery, acks),
		"chilldkg: wrong length: 2 acknowledgements, want 3, one of each participant":                                           VerifyAcknowledgements(c.params, common.Recovery, acks[:2]),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
