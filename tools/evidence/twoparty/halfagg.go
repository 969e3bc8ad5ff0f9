package main

import (
	"p256k1.mleku.dev/v2/protocols/halfagg"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// aggregate makes a half-aggregated signature. One implementation aggregates some signatures, and the other adds more.
func aggregate(s *session) {
	n := s.IntN(8)
	claims, sigs := make([]halfagg.Claim, n), make([][64]byte, n)
	items, pairs := make([][3]octets, n), make([][2]octets, n)
	for i := range n {
		key, msg := s.key(), s.bytes(32)
		claims[i] = halfagg.Claim{PublicKey: [32]byte(key.PublicKey().XOnly().Bytes()), Message: [32]byte(msg)}
		sigs[i] = must.Get(schnorr.Sign(key, msg, nil))
		pairs[i] = [2]octets{claims[i].PublicKey[:], s.to("message", msg)}
		items[i] = [3]octets{pairs[i][0], pairs[i][1], sigs[i][:]}
	}
	half := s.IntN(n + 1)
	begun := octets(must.Get(halfagg.Aggregate(claims[:half], sigs[:half])))
	s.same("aggregate", begun, ask[octets](s, "Aggregate", items[:half]))
	var all octets
	if s.leads {
		all = must.Get(halfagg.Add(ask[octets](s, "Aggregate", items[:half]), claims[:half], claims[half:], sigs[half:]))
	} else {
		all = ask[octets](s, "IncAggregate", begun, pairs[:half], items[half:])
	}
	s.same("aggregate", must.Get(halfagg.Aggregate(claims, sigs)), all)
	s.is(halfagg.Verify(all, claims), "this library refuses the aggregate %x", all)
	s.is(ask[bool](s, "VerifyAggregate", all, pairs), "the other implementation refuses the aggregate %x", all)
	if s.seldom("with a wrong aggregate") {
		s.is(!halfagg.Verify(wrong(all), claims), "this library accepts a wrong aggregate")
		s.is(!ask[bool](s, "VerifyAggregate", wrong(all), pairs), "the other implementation accepts a wrong aggregate")
	}
}
