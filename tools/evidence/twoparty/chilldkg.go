package main

import (
	"encoding/json"
	"errors"

	"p256k1.mleku.dev/v2/protocols"
	"p256k1.mleku.dev/v2/protocols/chilldkg"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// dkgOutput is the reference's DKGOutput.
type dkgOutput struct {
	secret, key octets
	publics     []octets
}

func (o *dkgOutput) UnmarshalJSON(b []byte) error {
	return json.Unmarshal(b, &[]any{&o.secret, &o.key, &o.publics})
}

// makeKey makes a key by ChillDKG.
func makeKey(s *session) {
	n := 1 + s.IntN(5)
	t := 1 + s.IntN(n)
	hosts, publics, encoded := s.keys(n, 0)
	params := must.Get(chilldkg.NewParams(t, publics, nil))
	theirParams := ask[kept[raw]](s, "SessionParams", encoded, t)
	s.same("hash of the parameters", params.Hash(), ask[octets](s, "params_hash", theirParams))

	ours, theirs := make([]*chilldkg.Participant, n), make([]kept[raw], n)
	firsts, messages := make([]chilldkg.ParticipantMessage1, n), make([]octets, n)
	for i, host := range hosts {
		if s.IntN(2) == 0 {
			ours[i], firsts[i] = must2(chilldkg.NewParticipant(host, params))
		} else {
			split(ask[raw](s, "participant_step1", octets(host.Bytes()), theirParams, s.bytes(32)), &theirs[i], (*octets)(&firsts[i]))
		}
	}
	s.mixed(n, func(i int) bool { return ours[i] != nil })
	culprit, victim := -1, -1
	if n > 1 && s.seldom("with a wrong share, blamed") {
		culprit = s.IntN(n)
		victim = (culprit + 1 + s.IntN(n-1)) % n
		end := len(firsts[culprit]) - 32*(n-1-victim) // the message ends with a share for each participant
		copy(firsts[culprit], wrong(firsts[culprit][:end]))
	}
	for i := range firsts {
		messages[i] = octets(firsts[i])
	}
	coordinator, second := must2(chilldkg.NewCoordinator(params, firsts))
	var state kept[raw]
	var theirSecond octets
	split(ask[raw](s, "coordinator_step1", messages, theirParams), &state, &theirSecond)
	s.same("message of the coordinator", second, theirSecond)
	if s.leads {
		second = chilldkg.CoordinatorMessage1(theirSecond)
	}

	thirds, third := make([]chilldkg.ParticipantMessage2, n), make([]octets, n)
	for i, host := range hosts {
		var err error
		var failed *fault
		if ours[i] != nil {
			thirds[i], err = ours[i].Sign(second)
			s.is((err == nil) == (i != victim), "participant %d: %v", i, err)
		} else {
			var answer raw
			theirSecond = octets(second)
			if victim < 0 {
				theirSecond = s.to("message of the coordinator", second)
			}
			answer, failed = try[raw](s, "participant_step2", octets(host.Bytes()), theirs[i], theirSecond, s.bytes(32))
			s.is((failed == nil) == (i != victim), "participant %d: %v", i, failed)
			if failed == nil {
				split(answer, &theirs[i], (*octets)(&thirds[i]))
			}
		}
		if third[i] = octets(thirds[i]); i != victim {
			continue
		}
		messages := ask[[]octets](s, "coordinator_investigate", messages, theirParams)
		s.same("message of the investigation", coordinator.Investigate()[i], messages[i])
		blamed := -1
		if ours[i] != nil {
			s.is(errors.Is(err, chilldkg.ErrUnknownFault), "a wrong share: %v", err)
			var blame *protocols.BlameError
			if errors.As(ours[i].Investigate(chilldkg.Investigation(messages[i])), &blame) && len(blame.Participants) > 0 {
				blamed = int(blame.Participants[0])
			}
		} else if _, failed = try[raw](s, "participant_investigate", failed.Error, messages[i]); failed != nil && failed.Blamed != nil {
			blamed = *failed.Blamed
		}
		s.is(blamed == culprit, "%d is blamed, and not %d", blamed, culprit)
		return
	}

	last, result := must2(coordinator.Finish(thirds))
	var certificate, recovery octets
	var output kept[dkgOutput]
	split(ask[raw](s, "coordinator_finalize", state, third), &certificate, &output, &recovery)
	s.same("certificate", last, certificate)
	if s.leads {
		last = chilldkg.CoordinatorMessage2(certificate)
	}
	for i, host := range hosts {
		var secret, data octets
		if ours[i] != nil {
			mine := must.Get(ours[i].Finish(last))
			secret, data = mine.Share.Key().Bytes(), mine.Recovery
			split(ask[raw](s, "participant_recover", octets(host.Bytes()), s.to("recovery data", data)), &output, new(raw))
			s.same("recovered share", secret, output.Fields.secret)
		} else {
			split(ask[raw](s, "participant_finalize", theirs[i], octets(last)), &output, &data)
			secret = output.Fields.secret
			recovered, _ := must2(chilldkg.Recover(host, data, result.Group))
			s.same("recovered share", recovered.Share.Key().Bytes(), secret)
		}
		s.is(result.Group.Has(share(i, secret)), "the share of %d is wrong", i)
		s.same("recovery data", result.Recovery, data)
		s.same("threshold key", result.Group.PublicKey().Bytes(), output.Fields.key)
		s.same("public share", result.Group.PublicShare(uint32(i)).Bytes(), output.Fields.publics[i])
	}
	s.same("recovery data", result.Recovery, recovery)
}
