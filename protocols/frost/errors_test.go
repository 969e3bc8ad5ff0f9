package frost

import (
	"errors"
	"testing"

	"p256k1.mleku.dev/v2"
)

// TestErrorsName checks that errors name the participants, and say which list is wrong and what was expected.
func TestErrorsName(t *testing.T) {
	_, group, shares := deal(t, 3, 5)
	signers, err := group.Signers(4, 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	r := newRound(t, signers, shares, nil)
	sigs := []PartialSignature{r.sigs[1], r.sigs[1], r.sigs[1]}
	noNonces := make([]PublicNonce, 3)
	copy(noNonces, r.nonces[:2])
	resharing, dealings, subs := reshare(t, group, shares, 2, 3, 4, 0, 2)
	repair, err := NewRepair(group, []uint32{4, 0, 2}, 1)
	if err != nil {
		t.Fatal(err)
	}
	next, err := resharing.Group(dealings)
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := resharing.Share(2, dealings, subs[2])
	if err != nil {
		t.Fatal(err)
	}
	part, err := Agree(shares[4], group.PublicKey())
	if err != nil {
		t.Fatal(err)
	}
	reshared := "wrong share: the key was reshared: the share of participant 2 and the group are from different sharings of the key"
	nextSigners, err := next.Signers(2, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		err  error
		is   error
		want string
	}{
		{second(r.session.Combine(sigs, r.nonces)), ErrPartialSignature,
			"frost: participants 4 and 2: partial signature is not valid"},
		{second(r.session.Combine(sigs, noNonces)), p256k1.ErrInfinity,
			"frost: public nonce: participant 2: point at infinity"},
		{second(AggregateNonces(noNonces)), p256k1.ErrInfinity,
			"frost: public nonces: point at infinity: never set: indexes [2]"},
		{second(r.session.Combine(sigs[:2], r.nonces)), p256k1.ErrLength,
			"frost: wrong length: 2 partial signatures and 3 public nonces, want 3 of each, one of each signer"},
		{second(group.Signers(0, 1)), ErrSigners, "frost: wrong participants: too few signers: 2, want at least 3"},
		{second(group.Signers(0, 1, 2, 3, 4, 2)), ErrSigners,
			"frost: too many signers: 6, want at most 5: wrong participants: participant 2 is repeated"},
		{second(group.Signers(4, 3, 3)), ErrSigners, "frost: wrong participants: participant 3 is repeated"},
		{second(group.Signers(0, 7, 1)), ErrSigners, "frost: wrong participants: participant 7, want a number below 5"},
		{second(NewRepair(group, []uint32{1, 2}, 0)), ErrSigners, "frost: wrong participants: too few helpers: 2, want at least 3"},
		{second(NewRepair(group, []uint32{1, 2, 0}, 0)), ErrSigners,
			"frost: repair: wrong participants: participant 0, whose share is lost, cannot help"},
		{second(repair.Add(make([]*p256k1.PrivateKey, 3))), p256k1.ErrNoKey,
			"frost: repair: participants 4, 0 and 2: no key"},
		{second(repair.Split(shares[1])), ErrShare, "frost: repair: wrong share: participant 1 is not one of the helpers [4 0 2]"},
		{second(repair.Split(fresh)), ErrReshared, "frost: repair: " + reshared},
		{second(new(Repair).Add(nil)), p256k1.ErrNoKey, "frost: repair: no key: nil or never set"},
		{second(resharing.Group([]Dealing{dealings[0], dealings[0], dealings[2]})), ErrShare,
			"frost: resharing: old signers: participant 0: wrong share: the dealing does not have 2 coefficients, or does not split the signer's part of the key"},
		{second(resharing.Share(1, dealings, []*p256k1.PrivateKey{nil, subs[1][1], subs[1][2]})), ErrShare,
			"frost: resharing: old signers: participant 4: wrong share: the sub-share for participant 1 is missing or wiped, or does not belong to the dealing"},
		{second(resharing.Share(3, dealings, subs[0])), ErrSigners, "frost: resharing: wrong participants: participant 3, want a number below 3"},
		{second(signers.SharedX(group.PublicKey(), []AgreementShare{part, part, part})), ErrShare,
			"frost: agreement: participants 0 and 2: wrong share: the proof of the part is not valid for the signer's share and the peer's key"},
		{second(Agree(nil, group.PublicKey())), p256k1.ErrNoKey, "frost: agreement: share: no key"},
		{second(Agree(shares[0], nil)), p256k1.ErrNoKey, "frost: agreement: peer's key: no key"},
		{third(NewNonce(shares[1], signers, nil)), ErrSigners,
			"frost: share: wrong participants: participant 1 is not one of the signers [4 0 2]"},
		{third(NewNonce(shares[2], nextSigners, nil)), ErrReshared, "frost: share: " + reshared}, // an old share, a new group
		{third(NewNonce(fresh, signers, nil)), ErrReshared, "frost: share: " + reshared},
		{third(NewNonce(&Share{id: 2, key: shares[2].key}, nextSigners, nil)), ErrShare,
			"frost: share: wrong share: not the share of participant 2"},
		{third(resharing.Deal(fresh)), ErrReshared, "frost: share: " + reshared},
		{second(next.Share(2, shares[2].key)), ErrShare,
			"frost: share: wrong share: not the share of participant 2 in this group; it may be from before a resharing"},
		{third(SignDeterministic(shares[0], nil, signers, nil, nil)), ErrSigners,
			"frost: aggregate nonce of the others: wrong participants: nil, but there are 3 signers"},
		{third(Deal(newKey(t), 4, 3, nil)), ErrThreshold,
			"frost: threshold or number of participants out of range: a threshold of 4, want 1 to 3, the number of participants"},
		{third(Deal(newKey(t), 2, 129, nil)), ErrThreshold,
			"frost: threshold or number of participants out of range: 129 participants, want at most 128 unless frost.Options.Large is set"},
		{third(Deal(newKey(t), 0, 0, nil)), ErrThreshold, "frost: threshold or number of participants out of range: 0 participants, want at least 1"},
	} {
		if c.err == nil || c.err.Error() != c.want || !errors.Is(c.err, c.is) {
			t.Errorf("%v\nwant %s", c.err, c.want)
		}
	}
}
