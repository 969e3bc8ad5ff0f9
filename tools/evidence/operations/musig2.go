package operations

import (
	"bytes"
	"errors"
	"slices"
	"unsafe"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/protocols"
	"p256k1.mleku.dev/v2/protocols/musig2"
	"p256k1.mleku.dev/v2/schnorr"
)

// Sign verifies its own signature, in variable time. Operations therefore call the part before the verification by its
// unexported name.

//go:linkname musigPartial p256k1.mleku.dev/v2/protocols/musig2.(*Session).partial
func musigPartial(s *musig2.Session, nonce unsafe.Pointer, priv *p256k1.PrivateKey, key *[33]byte) (musig2.PartialSignature, error)

//go:linkname musigDeterministic p256k1.mleku.dev/v2/protocols/musig2.deterministic
func musigDeterministic(priv *p256k1.PrivateKey, others *musig2.AggregateNonce, q, msg []byte, aux *[32]byte) (unsafe.Pointer, error)

//go:linkname musigZero p256k1.mleku.dev/v2/protocols/internal/nonce.(*Secret).Zero
func musigZero(nonces unsafe.Pointer)

// musigPublic returns the encoding of the public nonces, which follow the two secret scalars in memory.
func musigPublic(nonces unsafe.Pointer) []byte {
	return (*musig2.PublicNonce)(unsafe.Add(nonces, 2*unsafe.Sizeof(curve.Scalar{}))).Bytes()
}

// ofMuSig is the oracle of the nonces of BIP-327's DeterministicSign. Peer is the other signer, and both of its nonces
// are its key.
func ofMuSig(in *In, r Results) ([]Secret, bool) {
	p, q := in.peer(), musigKey(in)
	t, others := masked("MuSig/aux", in.Aux, in.Secret), slices.Concat(p.Compressed(), p.Compressed())
	nonces, all := deterministicNonces("MuSig/deterministic/nonce", t, others, q, length, in.Digest)
	var public, sum []byte
	for _, k := range nonces {
		public, sum = append(public, oracle.G.Mul(k).Compressed()...), append(sum, p.Add(oracle.G.Mul(k)).Compressed()...)
	}
	return append(all, blinded(nonces, hashed("MuSig/noncecoef", sum, q, in.Digest))...), r.is(public)
}

// ofMuSigSession is the oracle of a session of ofMuSig's keys in which only Key signs.
func ofMuSigSession(in *In, r Results) ([]Secret, bool) {
	k, all, public := held(r)
	_, more, _ := held(r[2:])
	return slices.Concat(all, more, blinded(k, hashed("MuSig/noncecoef", public, musigKey(in), in.Digest))), r[4:].is(public)
}

// musigKey returns the x coordinate of the aggregate key of Peer and Key.
func musigKey(in *In) []byte {
	p, own := in.peer(), in.pub()
	list := oracle.TaggedHash("KeyAgg list", p.Compressed(), own.Compressed())
	return number(p.Mul(hashed("KeyAgg coefficient", list[:], p.Compressed())).Add(own).X)
}

// A signing has the values of a finished session of Key and Other, which all goroutines share.
type signing struct {
	keys     *musig2.KeySet
	used     *musig2.SecretNonce
	nonces   []musig2.PublicNonce
	sum      musig2.AggregateNonce
	session  *musig2.Session
	partial  []musig2.PartialSignature
	combined [64]byte
}

func newSigning(in *In) *signing {
	s := &signing{keys: must(musig2.Aggregate([]*p256k1.PublicKey{in.Pub(), in.Peer()}))}
	privs := []*p256k1.PrivateKey{in.Key(), in.Other()}
	var secrets []*musig2.SecretNonce
	for _, priv := range privs {
		secret, nonce := must2(musig2.NewNonce(priv, s.keys, in.Msg))
		secrets, s.nonces = append(secrets, secret), append(s.nonces, nonce)
	}
	s.used = secrets[0]
	s.sum = must(musig2.AggregateNonces(s.nonces))
	s.session = must(musig2.NewSession(s.keys, s.sum, in.Msg))
	for i, priv := range privs {
		s.partial = append(s.partial, must(s.session.Sign(secrets[i], priv)))
	}
	s.combined = must(s.session.Combine(s.partial, s.nonces))
	return s
}

// ceremony is a session of other signers. Everything in it is public, and any key can sign in it.
type ceremony struct {
	Others  musig2.AggregateNonce
	session *musig2.Session
}

func newCeremony() *ceremony {
	key := must(p256k1.ParsePrivateKey([]byte("the key that the ceremony is for"))).PublicKey()
	others := must(musig2.ParseAggregateNonce(append(key.Bytes(), key.Negate().Bytes()...)))
	keys := must(musig2.Aggregate([]*p256k1.PublicKey{key, key.Negate()}))
	return &ceremony{others, must(musig2.NewSession(keys, others, []byte("message")))}
}

// length is the encoded length of a message of 32 bytes.
var length = []byte{0, 0, 0, 0, 0, 0, 0, 32}

// withPeer returns the key set of Peer and Key, and an aggregate nonce whose two points are Peer.
func withPeer(in *In) (*musig2.KeySet, musig2.AggregateNonce) {
	keys := must(musig2.Aggregate([]*p256k1.PublicKey{in.Peer(), in.Pub()}))
	return keys, must(musig2.ParseAggregateNonce(append(in.Peer().Bytes(), in.Peer().Bytes()...)))
}

// signUnverified signs in the ceremony with Key and a nonce.
func signUnverified(in *In, out *Out, secret *musig2.SecretNonce, public musig2.PublicNonce) {
	b := public.Bytes()
	out.Fresh(b[1:33], b[34:])
	nonces := **(**unsafe.Pointer)(unsafe.Pointer(secret))
	sig := must(musigPartial(in.Ceremony().session, nonces, in.Key(), (*[33]byte)(in.Pub().Bytes())))
	out.Fresh(sig.Bytes())
	secret.Zero()
}

var musigs = []Op{
	onSecrets("musig2.SignDeterministic", Varies, ofMuSig, func(in *In, out *Out) {
		keys, others := withPeer(in)
		nonce, _ := must2(musig2.SignDeterministic(in.Key(), others, keys, in.Digest, in.Aux))
		out.Bytes(nonce.Bytes())
	}).shown(checksItsWork),
	// This is a separate operation, because later calls of SignDeterministic overwrite the stack.
	onSecrets("musig2.SignDeterministic, its nonces", Varies, ofMuSig, func(in *In, out *Out) {
		keys, others := withPeer(in)
		nonces := must(musigDeterministic(in.Key(), &others, keys.PublicKey().XOnly().Bytes(), in.Digest, in.Aux))
		out.Bytes(musigPublic(nonces))
		musigZero(nonces)
	}).untimed("the next operation covers it, with a session that needs no verification"),
	onSecrets("musig2.NewNonce, without verification", Varies, nil, func(in *In, out *Out) {
		c, pub := in.Ceremony(), (*[33]byte)(in.Pub().Bytes())
		secret, public := must2(musig2.NewNonce(in.Key(), nil, nil))
		signUnverified(in, out, secret, public)
		for _, aux := range []*[32]byte{nil, (*[32]byte)(in.Tweak)} {
			nonces := must(musigDeterministic(in.Key(), &c.Others, pub[1:], in.Digest, aux))
			sig := must(musigPartial(c.session, nonces, in.Key(), pub))
			out.Bytes(sig.Bytes())
		}
	}).unsearched("musig2.Session.Sign covers it, with a whole session"),
	onSecrets("musig2.NewNonceBatch, without verification", Varies, nil, func(in *In, out *Out) {
		secrets, public, err := musig2.NewNonceBatch(in.Key(), make([]*musig2.KeySet, many), alternate(in.Digest, nil))
		check(err)
		for i, secret := range secrets {
			signUnverified(in, out, secret, public[i])
		}
	}),
	onSecrets("musig2.Session.Sign", Varies, ofMuSigSession, func(in *In, out *Out) {
		keys, _ := withPeer(in)
		secret, nonce := must2(musig2.NewNonce(in.Key(), keys, in.Digest))
		unused, _ := must2(musig2.NewNonce(in.Key(), nil, nil))
		out.Nonces(unsafe.Pointer(secret))
		out.Nonces(unsafe.Pointer(unused))
		out.Fresh(nonce.Bytes())
		out.hold()
		session := must(musig2.NewSession(keys, must(musig2.AggregateNonces([]musig2.PublicNonce{nonce})), in.Digest))
		sig := must(session.Sign(secret, in.Key()))
		out.Fresh(sig.Bytes())
		out.True(session.VerifyPartial(sig, nonce, in.Pub()))
		out.Refused(failure(session.Sign(secret, in.Key())))
		secret.Zero()
		unused.Zero()
	}).shown(checksItsWork),

	onPublic("musig2.KeySet", Varies, publicKeys, func(in *In, out *Out) {
		keys := must(musig2.Aggregate(musig2.Sort([]*p256k1.PublicKey{in.Pub(), in.Peer()})))
		derived := must(keys.Derive(1, 2))
		tweaked := must(must(keys.Tweak(in.Tweak)).TweakXOnly(in.Tweak))
		extended := must(keys.ExtendedKey([4]byte{4}))
		out.Values(keys.PublicKey(), derived.PublicKey(), tweaked.PublicKey(), extended[:])
	}),
	onPublic("musig2.Session", Varies, "public nonces and partial signatures", func(in *In, out *Out) {
		s := in.Signing()
		out.Refused(failure(s.session.Sign(s.used, in.Key())))
		out.Refused(failure(s.session.Combine(s.partial[:1], s.nonces[:1])))
		_, err := s.session.Combine([]musig2.PartialSignature{s.partial[0], s.partial[0]}, s.nonces)
		var blame *protocols.BlameError
		out.True(errors.As(err, &blame) && blame.Unwrap() == musig2.ErrPartialSignature && slices.Equal(blame.Participants, []uint32{1}))
		out.Values(blame.Error(), must(blame.MarshalText()))
		sig := must(s.session.Combine(s.partial, s.nonces))
		out.True(sig == s.combined && schnorr.Verify(s.keys.PublicKey().XOnly(), in.Msg, sig[:]))
		out.True(s.session.VerifyPartial(s.partial[0], s.nonces[0], in.Pub()))
		out.False(s.session.VerifyPartial(s.partial[0], s.nonces[1], in.Peer()))
	}),
	onPublic("musig2, many sessions", Varies, "public nonces and partial signatures", func(in *In, out *Out) {
		s := in.Signing()
		keys := must(musig2.AggregateBatch([][]*p256k1.PublicKey{{in.Pub(), in.Peer()}, {in.Peer()}}))
		out.True(keys[0].PublicKey().Equal(s.keys.PublicKey()))
		sessions := must(musig2.NewSessionBatch([]musig2.SessionParams{{Keys: keys[0], Nonce: s.sum, Message: in.Msg}}))
		partials := slices.Repeat([]musig2.Partial{{Session: sessions[0], Signature: s.partial[0], Nonce: s.nonces[0], Key: in.Pub()}}, many)
		partials[3].Key = in.Peer()
		out.True(slices.Equal(musig2.InvalidPartials(partials), []int{3}))
		sigs, err := musig2.CombineBatch([]musig2.Combination{
			{Session: sessions[0], Signatures: s.partial, Nonces: s.nonces}, {Session: s.session, Signatures: s.partial[:1], Nonces: s.nonces},
		})
		var failures p256k1.Failures
		out.True(errors.As(err, &failures) && len(failures) == 1 && failures[0].Index == 1 && errors.Is(err, p256k1.ErrLength))
		out.True(sigs[0] == s.combined && sigs[1] == [64]byte{})
	}),
	onPublic("musig2.NewAdaptorSession", Varies, "a whole session; other operations run its secret parts alone", func(in *In, out *Out) {
		keys := must(musig2.Aggregate([]*p256k1.PublicKey{in.Pub()}))
		secret, nonce := must2(musig2.NewNonce(in.Key(), keys, in.Msg))
		nonces := []musig2.PublicNonce{nonce}
		session := must(musig2.NewAdaptorSession(keys, must(musig2.AggregateNonces(nonces)), in.Msg, in.Peer()))
		sigs := []musig2.PartialSignature{must(session.Sign(secret, in.Key()))}
		pre := must(session.CombineAdaptor(sigs, nonces))
		out.True(pre.Verify(keys.PublicKey().XOnly(), in.Peer(), in.Msg))
		out.True(errors.Is(failure(session.Combine(sigs, nonces)), musig2.ErrAdaptor))
	}),
	onPublic("musig2.ParsePublicNonce", Varies, "public nonces and partial signatures", func(in *In, out *Out) {
		s := in.Signing()
		nonce := must(musig2.ParsePublicNonce(s.nonces[0].Bytes()))
		sum := must(musig2.ParseAggregateNonce(s.sum.Bytes()))
		sig := must(musig2.ParsePartialSignature(s.partial[0].Bytes()))
		out.True(bytes.Equal(nonce.Bytes(), s.nonces[0].Bytes()) && bytes.Equal(sum.Bytes(), s.sum.Bytes()) && bytes.Equal(sig.Bytes(), s.partial[0].Bytes()))
		out.Refused(failure(musig2.ParsePublicNonce(in.Msg)))
	}),
	texts(func(in *In) *musig2.PublicNonce { return &in.Signing().nonces[0] }),
	texts(func(in *In) *musig2.AggregateNonce { return &in.Signing().sum }),
	texts(func(in *In) *musig2.PartialSignature { return &in.Signing().partial[0] }),
}
