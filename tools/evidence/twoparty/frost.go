package main

import (
	"errors"
	"slices"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols"
	"p256k1.mleku.dev/v2/protocols/frost"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

func share(id int, d octets) *frost.Share {
	return must.Get(frost.NewShare(uint32(id), must.Get(p256k1.ParsePrivateKey(d))))
}

// deal splits a new key into shares, with this library or, if it leads, with the other implementation.
func (s *session) deal(op string, t, n int) (group *frost.Group, shares []*frost.Share) {
	key := s.key()
	if !s.leads {
		return must2(frost.Deal(key, t, n, nil))
	}
	var pub octets
	var secrets, publics []octets
	split(ask[raw](s, op, octets(key.Bytes()), n, t), &pub, &secrets, &publics)
	s.same("threshold key", key.PublicKey().Bytes(), pub)
	var keys []*p256k1.PublicKey
	for _, b := range publics {
		keys = append(keys, must.Get(p256k1.ParsePublicKey(b)))
	}
	group = must.Get(frost.NewGroup(t, key.PublicKey(), keys, nil))
	for i, d := range secrets {
		shares = append(shares, share(i, d))
		s.is(group.Has(shares[i]), "the share %d is refused", i)
		s.is(!group.Has(share(i, wrong(d))), "a wrong share %d is accepted", i)
	}
	return group, shares
}

// choose returns at least the given number of participants, in random order, and their public shares.
func (s *session) choose(group *frost.Group, least int) (ids []uint32, publics []octets) {
	n := group.Participants()
	for _, i := range s.Perm(n)[:least+s.IntN(n-least+1)] {
		ids = append(ids, uint32(i))
		publics = append(publics, group.PublicShare(uint32(i)).Bytes())
	}
	return ids, publics
}

// signTogether makes a signature of BIP-445.
func signTogether(s *session) {
	n := 1 + s.IntN(5)
	t := 1 + s.IntN(n)
	group, shares := s.deal("trusted_dealer.trusted_dealer_keygen", t, n)
	ids, publics := s.choose(group, t)
	signers := must.Get(group.Signers(ids...))
	tweaks := s.tweaks(func(t []byte, xOnly bool) {
		apply := signers.Tweak
		if xOnly {
			apply = signers.TweakXOnly
		}
		signers = must.Get(apply(t))
	})
	msg, u := s.bytes(s.IntN(100)), len(ids)
	context, message := []any{n, t, ids, publics, octets(group.PublicKey().Bytes())}, s.to("message", msg)

	secrets, theirs, theirShares := make([]*frost.SecretNonce, u), make([]kept[raw], u), make([]octets, u)
	nonces, encoded := make([]frost.PublicNonce, u), make([]octets, u)
	for i, id := range ids {
		if s.IntN(2) == 0 {
			secrets[i], nonces[i] = must2(frost.NewNonce(shares[id], signers, msg))
			encoded[i] = nonces[i].Bytes()
		} else {
			theirShares[i] = s.to("share", shares[id].Key().Bytes())
			output := octets(signers.PublicKey().XOnly().Bytes())
			split(ask[raw](s, "nonce_gen", theirShares[i], publics[i], output, message, nil), &theirs[i], &encoded[i])
			nonces[i] = must.Get(frost.ParsePublicNonce(encoded[i]))
		}
	}
	s.mixed(u, func(i int) bool { return secrets[i] != nil })
	sum := must.Get(frost.AggregateNonces(nonces))
	theirSum := ask[octets](s, "nonce_agg", encoded)
	s.same("aggregate nonce", sum.Bytes(), theirSum)
	if s.leads {
		sum = must.Get(frost.ParseAggregateNonce(theirSum))
	}
	session := must.Get(frost.NewSession(signers, sum, msg))
	theirSession := []any{context, octets(sum.Bytes()), tweaks.values, tweaks.xOnly, message}

	sigs, all := make([]frost.PartialSignature, u), make([]octets, u)
	for i, id := range ids {
		if secrets[i] != nil {
			sigs[i] = must.Get(session.Sign(secrets[i], shares[id]))
		} else {
			sigs[i] = must.Get(frost.ParsePartialSignature(ask[octets](s, "sign", theirs[i], theirShares[i], id, theirSession)))
		}
		all[i] = sigs[i].Bytes()
	}
	blamed := -1
	good := slices.Clone(sigs)
	if s.seldom("with a wrong partial signature, blamed") {
		blamed = s.IntN(u)
		sigs[blamed] = must.Get(frost.ParsePartialSignature(wrong(sigs[blamed].Bytes())))
		_, err := session.Combine(sigs, nonces)
		var blame *protocols.BlameError
		s.is(errors.As(err, &blame) && slices.Equal(blame.Participants, []uint32{ids[blamed]}), "%d is to blame, not: %v", blamed, err)
	}
	for i, id := range ids {
		valid := session.VerifyPartial(sigs[i], nonces[i], id)
		s.is(valid == (i != blamed), "the partial signature %d is valid: %v", i, valid)
		theirs := ask[bool](s, "partial_sig_verify", octets(sigs[i].Bytes()), encoded, context, tweaks.values, tweaks.xOnly, message, i)
		s.is(valid == theirs, "the partial signature %d is valid: this library says %v, the other %v", i, valid, theirs)
	}
	sig := must.Get(session.Combine(good, nonces))
	s.same("signature", sig, ask[octets](s, "partial_sig_agg", all, theirSession))
	s.is(schnorr.Verify(signers.PublicKey().XOnly(), msg, sig[:]), "the signature is not valid")
}

// signApart makes two signatures with the shares of one dealer: one by signers of this library, and one by signers of
// the other implementation, whose protocol differs.
func signApart(s *session) {
	n := 2 + s.IntN(4)
	t := 2 + s.IntN(n-1)
	group, shares := s.deal("deal", t, n)
	ids, publics := s.choose(group, t)
	signers := must.Get(group.Signers(ids...))
	key, msg := octets(group.PublicKey().Bytes()), s.bytes(s.IntN(100))
	var root octets
	if s.seldom("tweaked by a Taproot tree") {
		root = s.bytes(32)
		tweak := schnorr.TaggedHash("TapTweak", group.PublicKey().XOnly().Bytes(), root)
		signers = must.Get(signers.TweakXOnly(tweak[:]))
	}
	output := signers.PublicKey().XOnly()
	var secrets []octets
	for _, id := range ids {
		secrets = append(secrets, s.to("share", shares[id].Key().Bytes()))
	}
	theirSign := func() (octets, *fault) {
		return try[octets](s, "sign", t, ids, secrets, publics, key, s.to("message", msg), s.to("root", root))
	}
	sig, failed := theirSign()
	s.is(failed == nil && schnorr.Verify(output, msg, sig), "their signature %x is not valid (%v)", sig, failed)
	if s.seldom("with a wrong share, blamed") {
		i := s.IntN(len(ids))
		secrets[i] = wrong(secrets[i])
		_, failed := theirSign()
		s.is(failed != nil && failed.Blamed != nil && *failed.Blamed == int(ids[i]), "%d is to blame, not: %v", ids[i], failed)
	}

	u := len(ids)
	own, nonces, sigs := make([]*frost.SecretNonce, u), make([]frost.PublicNonce, u), make([]frost.PartialSignature, u)
	for i, id := range ids {
		own[i], nonces[i] = must2(frost.NewNonce(shares[id], signers, msg))
	}
	session := must.Get(frost.NewSession(signers, must.Get(frost.AggregateNonces(nonces)), msg))
	for i, id := range ids {
		sigs[i] = must.Get(session.Sign(own[i], shares[id]))
	}
	ours := must.Get(session.Combine(sigs, nonces))
	s.is(ask[bool](s, "verify", octets(output.Bytes()), msg, octets(ours[:])), "our signature is refused")
	s.is(!ask[bool](s, "verify", octets(output.Bytes()), msg, wrong(ours[:])), "a wrong signature is accepted")
	if s.ops == "frost." && t < n {
		s.repair(group, shares)
	}
}

// repair restores a lost share with at least t helpers, of both implementations.
func (s *session) repair(group *frost.Group, shares []*frost.Share) {
	ids, publics := s.choose(group, group.Threshold()+1)
	lost, helpers := ids[0], ids[1:]
	repair := must.Get(frost.NewRepair(group, helpers, lost))
	t, key := group.Threshold(), octets(group.PublicKey().Bytes())
	ours := make([]bool, len(helpers))
	parts := make([][]octets, len(helpers))
	for i, id := range helpers {
		if ours[i] = s.IntN(2) == 0; ours[i] {
			for _, part := range must.Get(repair.Split(shares[id])) {
				parts[i] = append(parts[i], part.Bytes())
			}
		} else {
			parts[i] = ask[[]octets](s, "repair1", t, helpers, lost, id, octets(shares[id].Key().Bytes()), key)
		}
	}
	s.mixed(len(helpers), func(i int) bool { return ours[i] })
	var sums []octets
	for j := range helpers {
		var column []octets
		for i := range helpers {
			column = append(column, parts[i][j])
		}
		if ours[j] {
			sums = append(sums, must.Get(repair.Add(decode(column))).Bytes())
		} else {
			sums = append(sums, ask[octets](s, "repair2", column))
		}
	}
	s.counts["with a repaired share"]++
	repaired := must.Get(repair.Share(decode(sums))).Key().Bytes()
	s.same("repaired share", repaired, shares[lost].Key().Bytes())
	s.same("repaired share", repaired, ask[octets](s, "repair3", sums, lost, t, key, ids, publics))
}

func decode(all []octets) (keys []*p256k1.PrivateKey) {
	for _, b := range all {
		keys = append(keys, must.Get(p256k1.ParsePrivateKey(b)))
	}
	return keys
}
