package main

import (
	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/protocols/adaptor"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// A scheme has this library's functions for one kind of adaptor signatures, with encoded signatures.
type scheme[P interface{ Bytes() []byte }] struct {
	sign    func(key *p256k1.PrivateKey, point *p256k1.PublicKey, msg []byte) (P, error)
	parse   func(b []byte) (P, error)
	verify  func(pre P, key, point *p256k1.PublicKey, msg []byte) bool
	adapt   func(pre P, secret *p256k1.PrivateKey) octets
	extract func(pre P, sig octets, point *p256k1.PublicKey) (*p256k1.PrivateKey, error)
	valid   func(key *p256k1.PublicKey, msg, sig []byte) bool
}

func adaptSchnorr(s *session) {
	type pre = *adaptor.SchnorrPreSignature
	adapt(s, s.bytes(s.IntN(100)), scheme[pre]{
		adaptor.SignSchnorr, adaptor.ParseSchnorrPreSignature,
		func(p pre, key, point *p256k1.PublicKey, msg []byte) bool { return p.Verify(key.XOnly(), point, msg) },
		func(p pre, secret *p256k1.PrivateKey) octets { sig := must.Get(p.Adapt(secret)); return sig[:] },
		func(p pre, sig octets, point *p256k1.PublicKey) (*p256k1.PrivateKey, error) {
			return p.Extract(sig, point)
		},
		func(key *p256k1.PublicKey, msg, sig []byte) bool { return schnorr.Verify(key.XOnly(), msg, sig) },
	})
}

func adaptECDSA(s *session) {
	type pre = *adaptor.ECDSAPreSignature
	adapt(s, s.bytes(32), scheme[pre]{
		adaptor.SignECDSA, adaptor.ParseECDSAPreSignature, pre.Verify,
		func(p pre, secret *p256k1.PrivateKey) octets { return must.Get(p.Adapt(secret)).Bytes() },
		func(p pre, sig octets, point *p256k1.PublicKey) (*p256k1.PrivateKey, error) {
			return p.Extract(must.Get(ecdsa.ParseCompact(sig)), point)
		},
		func(key *p256k1.PublicKey, msg, sig []byte) bool {
			return ecdsa.Verify(key, msg, must.Get(ecdsa.ParseCompact(sig)))
		},
	})
}

// adapt makes a pre-signature with one implementation, and adapts it and extracts the secret with both.
func adapt[P interface{ Bytes() []byte }](s *session, msg octets, ours scheme[P]) {
	key, secret := s.key(), s.key()
	public, point := key.PublicKey(), secret.PublicKey()
	theirKey, theirPoint, message := octets(public.Bytes()), s.to("adaptor point", point.Bytes()), s.to("message", msg)
	var b octets
	if s.leads {
		b = ask[octets](s, "presign", octets(key.Bytes()), theirPoint, message)
	} else {
		b = must.Get(ours.sign(key, point, msg)).Bytes()
	}
	pre := must.Get(ours.parse(b))
	s.is(ours.verify(pre, public, point, msg), "this library refuses the pre-signature %x", b)
	s.is(ask[bool](s, "verify", b, theirKey, theirPoint, message), "the other implementation refuses the pre-signature %x", b)
	if s.seldom("with a wrong pre-signature") {
		s.is(!ours.verify(must.Get(ours.parse(wrong(b))), public, point, msg), "this library accepts a wrong pre-signature")
		s.is(!ask[bool](s, "verify", wrong(b), theirKey, theirPoint, message), "the other implementation accepts a wrong pre-signature")
	}
	sig := ours.adapt(pre, secret)
	s.same("adapted signature", sig, ask[octets](s, "adapt", b, s.to("adaptor secret", secret.Bytes())))
	s.is(ours.valid(public, msg, sig), "the signature %x is not valid", sig)
	s.same("extracted secret", must.Get(ours.extract(pre, sig, point)).Bytes(), ask[octets](s, "extract", b, sig, theirPoint))
}
