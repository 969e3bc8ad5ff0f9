package frost

import (
	"errors"
	"testing"

	"p256k1.mleku.dev/v2"
)

// TestErrorsName checks that errors name the participants, and say which list is wrong and what was expected.
func TestErrorsName(t *testing.T) {
	key, group, shares := deal(t, 3, 5)
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
	const none = "frost: signers: no key: nil or never set"
	ids, public := signers.IDs(), []*p256k1.PublicKey{group.PublicShare(4), group.PublicShare(0), group.PublicShare(2)}
	minus := key.Negate().Bytes()
	large := append([]byte{1, 0, 0, 0, 2, 0, 0, 0, 129}, make([]byte, 33*130)...) // refused before its keys are read
	tweaked, err := signers.Tweak(append(make([]byte, 31), 1))
	if err != nil {
		t.Fatal(err)
	}
	wiped, err := p256k1.ParsePrivateKey(subs[0][1].Bytes())
	if err != nil {
		t.Fatal(err)
	}
	wiped.Zero() // its public key is still right
	sum, err := AggregateNonces(r.nonces)
	if err != nil {
		t.Fatal(err)
	}
	half, err := ParseAggregateNonce(append(sum.Bytes()[:33], make([]byte, 33)...)) // only the second point is infinity
	if err != nil {
		t.Fatal(err)
	}
	_, single, alone := deal(t, 1, 2)
	one, err := single.Signers(0)
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
		{second(group.Signers(3, 3, 7)), ErrSigners, "frost: wrong participants: participant 3 is repeated"}, // the first error
		{second(AggregateNonces(nil)), p256k1.ErrLength, "frost: wrong length: no public nonces"},
		{second(group.Share(1, nil)), p256k1.ErrNoKey, "frost: share of participant 1: no key"},
		{second(group.Share(5, shares[4].key)), ErrSigners, "frost: share: wrong participants: participant 5, want a number below 5"},
		{second((*Group)(nil).Share(1, shares[1].key)), p256k1.ErrNoKey, "frost: group: no key: nil or never set"},
		{second(NewSigners(0, 5, ids, public, group.PublicKey(), nil)), ErrThreshold,
			"frost: threshold or number of participants out of range: a threshold of 0, want 1 to 5, the number of participants"},
		{second(NewSigners(3, 5, ids, public[:2], group.PublicKey(), nil)), p256k1.ErrLength,
			"frost: wrong length: 2 public shares, want 3, one of each of the signers"},
		{second(NewSigners(3, 5, ids, public, nil, nil)), p256k1.ErrNoKey, "frost: threshold key: no key"},
		{second(NewSigners(3, 5, ids, []*p256k1.PublicKey{public[0], nil, public[2]}, group.PublicKey(), nil)), p256k1.ErrNoKey,
			"frost: public share of participant 0: no key"},
		{second(NewSigners(3, 5, ids, []*p256k1.PublicKey{public[1], public[0], public[2]}, group.PublicKey(), nil)), ErrShare,
			"frost: public shares: wrong share: they do not give the threshold key"},
		{second(signers.Tweak(minus)), p256k1.ErrInfinity, "frost: threshold key: p256k1: public key: point at infinity"},
		{second(new(Signers).Tweak(minus)), p256k1.ErrNoKey, none},
		{third(NewNonce(shares[4], new(Signers), nil)), p256k1.ErrNoKey, none},
		{second(NewSession(nil, AggregateNonce{}, nil)), p256k1.ErrNoKey, none},
		{second((*Signers)(nil).SharedX(group.PublicKey(), nil)), p256k1.ErrNoKey, none},
		{second(signers.SharedX(nil, nil)), p256k1.ErrNoKey, "frost: agreement: peer's key: no key"},
		{second(signers.SharedX(group.PublicKey(), []AgreementShare{part})), p256k1.ErrLength,
			"frost: agreement: wrong length: 1 parts, want 3, one of each signer"},
		{second(ParseAgreementShare(make([]byte, 98))), p256k1.ErrLength, "frost: agreement: wrong length: 98 bytes, want 97"},
		{second(ParseGroup(large, nil)), ErrThreshold,
			"frost: threshold or number of participants out of range: 129 participants, want at most 128 unless frost.Options.Large is set"},
		{second(ParseGroup(append([]byte{1, 0, 0, 0, 2, 0, 0, 0, 1}, large[:66]...), nil)), ErrThreshold,
			"frost: group: threshold or number of participants out of range: a threshold of 2, want 1 to 1, the number of participants"},
		{second(NewResharing(new(Signers), 2, 3, nil)), p256k1.ErrNoKey, none},
		{second(NewResharing(tweaked, 2, 3, nil)), ErrTweaked, "frost: resharing: the key was tweaked"},
		{second(NewResharing(signers, 2, 129, nil)), ErrThreshold,
			"frost: threshold or number of participants out of range: 129 participants, want at most 128 unless frost.Options.Large is set"},
		{third((*Resharing)(nil).Deal(fresh)), p256k1.ErrNoKey, "frost: resharing: no key: nil or never set"},
		{second(new(Resharing).Share(0, dealings, subs[0])), p256k1.ErrNoKey, "frost: resharing: no key: nil or never set"},
		{second(resharing.Group(dealings[:2])), p256k1.ErrLength, "frost: resharing: wrong length: 2 dealings, want 3, one of each old signer"},
		{second(resharing.Share(0, dealings, subs[0][:2])), p256k1.ErrLength,
			"frost: resharing: wrong length: 2 sub-shares, want 3, one of each old signer"},
		{second(resharing.Share(0, dealings, []*p256k1.PrivateKey{subs[0][0], wiped, subs[0][2]})), ErrShare,
			"frost: resharing: old signers: participant 0: wrong share: the sub-share for participant 0 is missing or wiped, or does not belong to the dealing"},
		{second(NewRepair(group, []uint32{1, 2, 3}, 5)), ErrSigners, "frost: repair: lost share: wrong participants: participant 5, want a number below 5"},
		{second((*Repair)(nil).Split(shares[4])), p256k1.ErrNoKey, "frost: repair: no key: nil or never set"},
		{second(repair.Split(nil)), ErrShare, "frost: repair: wrong share: nil, wiped or never set"},
		{second(repair.Split(&Share{4, wiped, group})), ErrShare, "frost: repair: wrong share: nil, wiped or never set"},
		{second(repair.Share(nil)), p256k1.ErrLength, "frost: repair: wrong length: 0 private keys, want 3, one of each helper"},
		{second(new(Session).Combine(nil, nil)), p256k1.ErrNoKey, "frost: session: no key: nil or never set"},
		{third(SignDeterministic(shares[0], nil, nil, nil, nil)), p256k1.ErrNoKey, none},
		{third(SignDeterministic(shares[1], &sum, signers, nil, nil)), ErrSigners,
			"frost: share: wrong participants: participant 1 is not one of the signers [4 0 2]"},
		{third(SignDeterministic(alone[0], &sum, one, nil, nil)), ErrSigners,
			"frost: aggregate nonce of the others: wrong participants: not nil, but there is only one signer"},
		{third(SignDeterministic(shares[4], &half, signers, nil, nil)), p256k1.ErrInfinity, "frost: aggregate nonce of the others: point at infinity"},
		{second(PublicNonce{}.MarshalText()), p256k1.ErrInfinity, "frost: public nonce that was never set: point at infinity"},
	} {
		if c.err == nil || c.err.Error() != c.want || !errors.Is(c.err, c.is) {
			t.Errorf("%v\nwant %s", c.err, c.want)
		}
	}
}
