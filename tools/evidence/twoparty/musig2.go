package main

import (
	"errors"
	"slices"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols"
	"p256k1.mleku.dev/v2/protocols/adaptor"
	"p256k1.mleku.dev/v2/protocols/musig2"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// musig makes a MuSig2 signature or, in a third of the sessions with libsecp256k1-zkp, a pre-signature.
func musig(s *session) {
	zkp, n := s.ops == "zkp.", 1+s.IntN(4)
	keys, publics, encoded := s.keys(n, 4)
	set := must.Get(musig2.Aggregate(publics))
	tweaks := s.tweaks(func(t []byte, xOnly bool) {
		apply := set.Tweak
		if xOnly {
			apply = set.TweakXOnly
		}
		set = must.Get(apply(t))
	})
	msg := s.bytes(32)
	if !zkp {
		msg = s.bytes(s.IntN(100))
	}
	s.same("aggregate key", set.PublicKey().Bytes(), ask[octets](s, "key", encoded, tweaks.values, tweaks.xOnly))
	var secret *p256k1.PrivateKey
	var point octets
	if zkp && s.seldom("with an adaptor") {
		secret = s.key()
		point = s.to("adaptor point", secret.PublicKey().Bytes())
	}

	secrets, theirs := make([]*musig2.SecretNonce, n), make([]octets, n)
	nonces, encodedNonces := make([]musig2.PublicNonce, n), make([]octets, n)
	for i, key := range keys {
		if s.IntN(2) == 0 {
			secrets[i], nonces[i] = must2(musig2.NewNonce(key, set, msg))
			encodedNonces[i] = nonces[i].Bytes()
		} else {
			split(ask[raw](s, "nonce", s.bytes(32), octets(key.Bytes()), encoded, tweaks.values, tweaks.xOnly, msg), &theirs[i], &encodedNonces[i])
			nonces[i] = must.Get(musig2.ParsePublicNonce(encodedNonces[i]))
		}
	}
	s.mixed(n, func(i int) bool { return secrets[i] != nil })
	sum := must.Get(musig2.AggregateNonces(nonces))
	theirSum := ask[octets](s, "sum", encodedNonces)
	s.same("aggregate nonce", sum.Bytes(), theirSum)
	if s.leads {
		sum = must.Get(musig2.ParseAggregateNonce(theirSum))
	}
	context := []any{encoded, tweaks.values, tweaks.xOnly, s.to("message", msg), octets(sum.Bytes()), point}
	session, err := musig2.NewSession(set, sum, msg)
	if secret != nil {
		session, err = musig2.NewAdaptorSession(set, sum, msg, secret.PublicKey())
	}
	must.Do(err)
	combine := func(sigs []musig2.PartialSignature) (octets, error) {
		if secret != nil {
			pre, err := session.CombineAdaptor(sigs, nonces)
			return pre.Bytes(), err
		}
		sig, err := session.Combine(sigs, nonces)
		return sig[:], err
	}

	sigs, encodedSigs := make([]musig2.PartialSignature, n), make([]octets, n)
	for i, key := range keys {
		if secrets[i] != nil {
			sigs[i] = must.Get(session.Sign(secrets[i], key))
		} else {
			sigs[i] = must.Get(musig2.ParsePartialSignature(ask[octets](s, "sign", theirs[i], octets(key.Bytes()), context)))
		}
		encodedSigs[i] = sigs[i].Bytes()
	}
	blamed := -1
	if s.seldom("with a wrong partial signature, blamed") {
		blamed = s.IntN(n)
		bad := append([]musig2.PartialSignature{}, sigs...)
		bad[blamed] = must.Get(musig2.ParsePartialSignature(wrong(encodedSigs[blamed])))
		_, err := combine(bad)
		var blame *protocols.BlameError
		s.is(errors.As(err, &blame) && slices.Equal(blame.Participants, []uint32{uint32(blamed)}), "%d is to blame, not: %v", blamed, err)
		s.is(!ask[bool](s, "verify", octets(bad[blamed].Bytes()), encodedNonces[blamed], encoded[blamed], context), "a wrong partial signature is accepted")
	}
	for i := range sigs {
		s.is(session.VerifyPartial(sigs[i], nonces[i], publics[i]), "their partial signature %d is refused", i)
		s.is(ask[bool](s, "verify", encodedSigs[i], encodedNonces[i], encoded[i], context), "our partial signature %d is refused", i)
	}
	sig := must.Get(combine(sigs))
	s.same("signature", sig, ask[octets](s, "combine", encodedSigs, context))
	if secret != nil {
		pre := must.Get(adaptor.ParseSchnorrPreSignature(sig))
		adapted := must.Get(pre.Adapt(secret))
		s.same("adapted signature", adapted, ask[octets](s, "adapt", sig, octets(secret.Bytes())))
		s.same("adaptor secret", must.Get(pre.Extract(adapted[:], secret.PublicKey())).Bytes(), ask[octets](s, "extract", sig, octets(adapted[:])))
		sig = adapted[:]
	}
	s.is(schnorr.Verify(set.PublicKey().XOnly(), msg, sig), "the signature is not valid")
}
