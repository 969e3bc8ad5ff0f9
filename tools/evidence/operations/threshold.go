package operations

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"math/big"
	"slices"
	"unsafe"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/protocols"
	"p256k1.mleku.dev/v2/protocols/adaptor"
	"p256k1.mleku.dev/v2/protocols/chilldkg"
	"p256k1.mleku.dev/v2/protocols/frost"
	"p256k1.mleku.dev/v2/schnorr"
)

// The exported functions verify their results in variable time. Operations therefore call the parts before the
// verification by their unexported names.

//go:linkname frostPartial p256k1.mleku.dev/v2/protocols/frost.(*Session).partial
func frostPartial(s *frost.Session, nonce unsafe.Pointer, share *frost.Share, i int) (frost.PartialSignature, error)

//go:linkname frostDeterministic p256k1.mleku.dev/v2/protocols/frost.deterministic
func frostDeterministic(share *frost.Share, others *frost.AggregateNonce, signers *frost.Signers, q, msg []byte, aux *[32]byte) (unsafe.Pointer, error)

//go:linkname preSignSchnorr p256k1.mleku.dev/v2/protocols/adaptor.preSignSchnorr
func preSignSchnorr(priv *p256k1.PrivateKey, point *p256k1.PublicKey, msg []byte, aux *[32]byte) (*adaptor.SchnorrPreSignature, error)

//go:linkname preSignECDSA p256k1.mleku.dev/v2/protocols/adaptor.preSignECDSA
func preSignECDSA(priv *p256k1.PrivateKey, point *p256k1.PublicKey, digest []byte, aux *[32]byte) ([adaptor.ECDSASize]byte, error)

//go:linkname newParticipant p256k1.mleku.dev/v2/protocols/chilldkg.newParticipant
func newParticipant(host *p256k1.PrivateKey, params *chilldkg.Params, random *[32]byte) (*chilldkg.Participant, chilldkg.ParticipantMessage1, error)

// ofFROST is the oracle of BIP-445's DeterministicSign by participant 0 alone, whose share is the key.
func ofFROST(in *In, r Results) ([]Secret, bool) {
	p := in.pub()
	q, t, zero, one := number(p.X), masked("BIP0445/aux", in.Aux, in.Secret), make([]byte, 4), []byte{0, 0, 0, 1}
	nonces, all := deterministicNonces("BIP0445/deterministic/nonce", t, zero, one, zero, q, length, in.Digest)
	public := slices.Concat(oracle.G.Mul(nonces[0]).Compressed(), oracle.G.Mul(nonces[1]).Compressed())
	b := hashed("BIP0445/noncecoef", []byte{0, 0, 0, 4}, zero, public, q, in.Digest)
	k := oracle.Fn.Add(nonces[0], oracle.Fn.Mul(b, nonces[1]))
	R := oracle.G.Mul(k)
	ed := oracle.Fn.Mul(hashed("BIP0340/challenge", number(R.X), q, in.Digest), even(in.d(), p))
	all = slices.Concat(all, blinded(nonces, b), scalar("e·d", ed))
	return all, r.is(public, number(oracle.Fn.Add(even(k, R), ed)))
}

// ofFROSTSession is the oracle of a signature by participant 1 alone, whose share is the key.
func ofFROSTSession(in *In, r Results) ([]Secret, bool) {
	k, all, public := held(r)
	b := hashed("BIP0445/noncecoef", []byte{0, 0, 0, 4}, []byte{0, 0, 0, 1}, public, number(in.pub().X), in.Digest)
	_, more, _ := held(r[2:])
	return slices.Concat(all, more, blinded(k, b)), r[4:].is(public)
}

// ofDeal is the oracle of frost.Deal, whose polynomial has the values of the shares at 1, 2 and 3.
func ofDeal(in *In, r Results) ([]Secret, bool) {
	all, right := revealed(in, r)
	c := oracle.Fn.Sub(oracle.Int(all[0].Value[:]), in.d())
	return append(all, scalar("coefficient", c)...), right
}

// ofChillDKG is the oracle of a session of Key and Other with the threshold 2 and the randomness Aux. The results are
// the first messages and the threshold key.
func ofChillDKG(in *In, r Results) (all []Secret, right bool) {
	hosts, messages := []oracle.Point{in.pub(), in.peer()}, r.sized(227)
	context := slices.Concat([]byte{0, 0, 0, 2}, hosts[0].Compressed(), hosts[1].Compressed())
	key, sums, right := new(big.Int), []*big.Int{new(big.Int), new(big.Int)}, true
	for i, d := range []*big.Int{in.d(), in.e()} {
		seed := oracle.TaggedHash("BIP DKG/encpedpop seed", number(d), in.Aux[:], context)
		aux, n := oracle.TaggedHash("BIP DKG/simplpedpop aux", seed[:]), hashed("BIP DKG/encpedpop secnonce", seed[:])
		c, slope := hashed("BIP DKG/vss coeffs", seed[:], make([]byte, 4)), hashed("BIP DKG/vss coeffs", seed[:], []byte{0, 0, 0, 1})
		p := oracle.G.Mul(c)
		t := masked("BIP DKG/pop message/aux", &aux, number(even(c, p)))
		k := hashed("BIP DKG/pop message/nonce", t, number(p.X), []byte{0, 0, 0, byte(i)})
		all = slices.Concat(all, []Secret{opaque("seed", seed[:]), opaque("aux", aux[:]), opaque("masked coefficient", t)}, ofNonce(k),
			scalar("coefficient", c), scalar("coefficient of x", slope), scalar("nonce of the encryption", n),
			coordinates("shared point", hosts[1-i].Mul(n)))
		key = oracle.Fn.Add(key, c)
		share := c
		for j := range hosts {
			share = oracle.Fn.Add(share, slope)
			sums[j] = oracle.Fn.Add(sums[j], share)
			pad := oracle.Fn.Sub(oracle.Int(messages[i].Bytes[163+32*j:][:32]), share)
			all = slices.Concat(all, scalar("share", share), scalar("pad", pad))
		}
		right = right && bytes.Equal(messages[i].Bytes[130:163], oracle.G.Mul(n).Compressed())
	}
	t := hashed("TapTweak", number(oracle.G.Mul(key).X))
	for _, sum := range sums {
		all = slices.Concat(all, scalar("sum of shares", sum), ofResult(oracle.Fn.Add(sum, t)))
	}
	return all, right && r.sized(33).is(oracle.G.Mul(oracle.Fn.Add(key, t)).Compressed())
}

// ofAdaptors is the oracle of pre-signatures by Key for Peer, of both kinds.
func ofAdaptors(in *In, r Results) ([]Secret, bool) {
	p, point, d := in.pub(), in.peer(), in.d()
	x, T := number(p.X), point.Compressed()
	t := masked("SchnorrAdaptor/aux", in.Aux, number(even(d, p)))
	hash := oracle.TaggedHash("SchnorrAdaptor/nonce", t, T, x, in.Msg)
	k := oracle.Fn.Reduce(oracle.Int(hash[:]))
	R := oracle.G.Mul(k).Add(point)
	ed := oracle.Fn.Mul(hashed("BIP0340/challenge", number(R.X), x, in.Msg), even(d, p))
	s := oracle.Fn.Add(even(k, R), ed)
	pre := slices.Concat(number(R.X), number(s))
	sig := slices.Concat(number(R.X), number(oracle.Fn.Add(s, even(in.e(), R))))
	all := slices.Concat([]Secret{opaque("masked key", t), opaque("hash of the nonce", hash[:])}, ofNonce(k), scalar("e·d", ed))

	t = masked("ECDSAadaptor/aux", in.Aux, in.Secret)
	hash = oracle.TaggedHash("ECDSAadaptor/non", t, T, in.Digest)
	k = oracle.Fn.Reduce(oracle.Int(hash[:]))
	R, own := point.Mul(k), oracle.G.Mul(k).Compressed()
	all = slices.Concat(all, []Secret{opaque("masked key", t), opaque("hash of the nonce", hash[:])}, ofNonce(k), halves(k))
	rd := oracle.Fn.Mul(oracle.Fn.Reduce(R.X), d)
	s = oracle.Fn.Mul(oracle.Fn.Add(oracle.Fn.Reduce(oracle.Int(in.Digest)), rd), oracle.Fn.Inv(k))
	both := sha256.Sum256(slices.Concat(own, R.Compressed()))
	t = masked("ECDSAadaptor/aux", in.Aux, number(k))
	hash = oracle.TaggedHash("DLEQ", t, T, both[:])
	l := oracle.Fn.Reduce(oracle.Int(hash[:]))
	e := hashed("DLEQ", own, T, R.Compressed(), oracle.G.Mul(l).Compressed(), point.Mul(l).Compressed())
	ek := oracle.Fn.Mul(e, k)
	all = slices.Concat(all, []Secret{opaque("masked nonce", t), opaque("hash of the proof's nonce", hash[:])}, ofNonce(l), halves(l),
		scalar("r·d", rd), scalar("1/k", oracle.Fn.Inv(k)), scalar("e·k", ek))
	return all, r.is(pre, sig, slices.Concat(R.Compressed(), own, number(s), number(e), number(oracle.Fn.Add(l, ek))))
}

// A panel has a session of signers with the threshold 1, and parameters of ChillDKG for Key and another host key.
// Everything in a panel is public. frostPartial signs in the session with any share, because it does not check that the
// share belongs to the group.
type panel struct {
	others  frost.AggregateNonce
	signers *frost.Signers
	session *frost.Session
	params  *chilldkg.Params
	key     *p256k1.PublicKey // of the group
}

func newPanel(in *In) *panel {
	key := must(p256k1.ParsePrivateKey([]byte("the key that the panel signs for"))).PublicKey()
	p := &panel{key: key, others: must(frost.ParseAggregateNonce(append(key.Bytes(), key.Bytes()...)))}
	p.signers = must(frost.NewSigners(1, 2, []uint32{0, 1}, []*p256k1.PublicKey{key, key}, key, nil))
	p.session = must(frost.NewSession(p.signers, p.others, []byte("message")))
	p.params = must(chilldkg.NewParams(2, []*p256k1.PublicKey{in.Pub(), key}, nil))
	return p
}

// A committee has a group of three participants with the threshold 2, dealt from Key, and a session of participants 2
// and 0. All goroutines share a committee.
type committee struct {
	group    *frost.Group
	shares   []*frost.Share
	signers  *frost.Signers
	used     *frost.SecretNonce
	nonces   []frost.PublicNonce
	sum      frost.AggregateNonce
	session  *frost.Session
	partial  []frost.PartialSignature
	combined [64]byte
}

func newCommittee(in *In) *committee {
	c := new(committee)
	var err error
	c.group, c.shares, err = frost.Deal(in.Key(), 2, 3, nil)
	check(err)
	for _, share := range c.shares {
		wiped(in, share)
	}
	c.signers = must(c.group.Signers(2, 0))
	var secrets []*frost.SecretNonce
	for _, id := range c.signers.IDs() {
		secret, nonce := must2(frost.NewNonce(c.shares[id], c.signers, in.Msg))
		secrets, c.nonces = append(secrets, secret), append(c.nonces, nonce)
	}
	c.used = secrets[0]
	c.sum = must(frost.AggregateNonces(c.nonces))
	c.session = must(frost.NewSession(c.signers, c.sum, in.Msg))
	for i, id := range c.signers.IDs() {
		c.partial = append(c.partial, must(c.session.Sign(secrets[i], c.shares[id])))
	}
	c.combined = must(c.session.Combine(c.partial, c.nonces))
	return c
}

const everybodys = "public shares and nonces"

// dealt returns a group of three with the threshold two, which is declassified, and its shares of Key.
func dealt(in *In) (*frost.Group, []*frost.Share) {
	group, shares := must2(frost.Deal(in.Key(), 2, 3, nil))
	b := group.Bytes()
	Declassify(b, 4*32)
	group = must(frost.ParseGroup(b, nil))
	for i, share := range shares {
		shares[i] = must(group.Share(share.ID(), share.Key()))
	}
	return group, shares
}

// shares moves the keys of shares to the results.
func (o *Out) shares(shares ...*frost.Share) {
	for _, share := range shares {
		o.FreshKey(share.Key())
	}
}

var thresholds = []Op{
	onSecrets("frost.Deal", Varies, ofDeal, func(in *In, out *Out) {
		group, shares := dealt(in)
		out.hold()
		out.True(group.PublicKey().Equal(in.Pub()))
		out.False(group.Has(must(frost.NewShare(0, in.Key()))))
		for _, share := range shares {
			out.True(group.Has(share))
			out.Fresh(share.Public().Bytes())
			out.shares(share)
			share.Zero()
		}
	}),
	onSecrets("frost.Session.Sign", Varies, ofFROSTSession, func(in *In, out *Out) {
		// With a threshold of one, the share is the key.
		group, shares := must2(frost.Deal(in.Key(), 1, 2, nil))
		signers := must(group.Signers(1))
		secret, nonce := must2(frost.NewNonce(shares[1], signers, in.Digest))
		unused, _ := must2(frost.NewNonce(shares[1], nil, nil))
		out.Nonces(unsafe.Pointer(secret))
		out.Nonces(unsafe.Pointer(unused))
		out.Fresh(nonce.Bytes())
		out.hold()
		session := must(frost.NewSession(signers, must(frost.AggregateNonces([]frost.PublicNonce{nonce})), in.Digest))
		sig := must(session.Sign(secret, shares[1]))
		out.Fresh(sig.Bytes())
		out.True(session.VerifyPartial(sig, nonce, 1))
		out.Refused(failure(session.Sign(secret, shares[1])))
		secret.Zero()
		unused.Zero()
		out.shares(shares...)
	}).shown(checksItsWork),
	onSecrets("frost.SignDeterministic", Varies, ofFROST, func(in *In, out *Out) {
		group, shares := must2(frost.Deal(in.Key(), 1, 1, nil))
		nonce, sig := must2(frost.SignDeterministic(shares[0], nil, must(group.Signers(0)), in.Digest, in.Aux))
		out.Bytes(nonce.Bytes(), sig.Bytes())
		shares[0].Zero()
	}).shown(checksItsWork),
	onSecrets("frost.Resharing", Varies, revealed, func(in *In, out *Out) {
		group, shares := dealt(in)
		resharing := must(frost.NewResharing(must(group.Signers(0, 2)), 1, 1, nil))
		var dealings []frost.Dealing
		var subs []*p256k1.PrivateKey
		for _, id := range []int{0, 2} {
			dealing, parts := must2(resharing.Deal(shares[id]))
			b := dealing.Bytes()
			Declassify(b, 33)
			dealings, subs = append(dealings, must(frost.ParseDealing(b))), append(subs, parts...)
		}
		out.hold()
		share := must(resharing.Share(0, dealings, subs))
		out.True(must(resharing.Group(dealings)).Has(share), share.Key().Equal(in.Key()))
		share.Zero()
		out.FreshKey(subs...)
		out.shares(shares...)
	}),
	onSecrets("frost.Repair", Varies, revealed, func(in *In, out *Out) {
		group, shares := dealt(in)
		repair := must(frost.NewRepair(group, []uint32{0, 2}, 1))
		left, right := must(repair.Split(shares[0])), must(repair.Split(shares[2]))
		out.hold()
		sums := []*p256k1.PrivateKey{
			must(repair.Add([]*p256k1.PrivateKey{left[0], right[0]})), must(repair.Add([]*p256k1.PrivateKey{left[1], right[1]})),
		}
		share := must(repair.Share(sums))
		out.True(share.Key().Equal(shares[1].Key()))
		share.Zero()
		out.FreshKey(slices.Concat(left, right, sums)...)
		out.shares(shares...)
	}),
	onSecrets("frost.Agree, alone", Varies, nil, func(in *In, out *Out) {
		part := must(frost.Agree(must(frost.NewShare(1, in.Key())), in.Peer()))
		out.Some(part.Point.Bytes(), 0)
	}).shown(checksItsWork).right(proven),
	onSecrets("frost.Agree", Varies, nil, func(in *In, out *Out) {
		c := in.Committee()
		var parts []frost.AgreementShare
		for _, id := range c.signers.IDs() {
			parts = append(parts, must(frost.Agree(c.shares[id], in.Peer())))
		}
		x := must(c.signers.SharedX(in.Peer(), parts))
		out.Secret(x[:])
	}).shown(checksItsWork).unsearched("the parts, which are points in the caller's memory, make the secret"),

	onSecrets("frost.NewNonce, without verification", Varies, func(_ *In, r Results) ([]Secret, bool) {
		_, all, public := held(r)
		return all, r[2:].is(public)
	}, func(in *In, out *Out) {
		p := in.Panel()
		share := must(frost.NewShare(1, in.Key()))
		n, public := must2(frost.NewNonce(share, nil, nil))
		out.Nonces(unsafe.Pointer(n))
		out.FreshSome(public.Bytes(), 64)
		sig := must(frostPartial(p.session, **(**unsafe.Pointer)(unsafe.Pointer(n)), share, 1))
		out.Fresh(sig.Bytes())
		n.Zero()
		for _, aux := range []*[32]byte{nil, (*[32]byte)(in.Tweak)} {
			nonces := must(frostDeterministic(share, &p.others, p.signers, p.key.XOnly().Bytes(), in.Digest, aux))
			sig := must(frostPartial(p.session, nonces, share, 1))
			out.Bytes(sig.Bytes())
			*(*[2]curve.Scalar)(nonces) = [2]curve.Scalar{}
		}
	}),
	onPublic("frost.Group and frost.Signers", Varies, everybodys, func(in *In, out *Out) {
		c := in.Committee()
		var public []*p256k1.PublicKey
		for i, share := range c.shares {
			out.True(share.ID() == uint32(i) && c.group.PublicShare(uint32(i)).Equal(share.Public()))
			public = append(public, share.Public())
		}
		group := must(frost.NewGroup(2, in.Pub(), public, nil))
		out.True(group.Threshold() == 2 && group.Participants() == 3 && group.PublicKey().Equal(in.Pub()))
		out.Refused(failure(frost.NewGroup(2, in.Peer(), public, nil)))
		out.Refused(failure(frost.NewShare(0, nil)))
		signers := must(frost.NewSigners(2, 3, []uint32{1, 2}, public[1:], in.Pub(), nil))
		tweaked := must(must(signers.Tweak(in.Digest)).TweakXOnly(in.Digest))
		out.Values(signers.PublicKey(), tweaked.PublicKey())
	}),
	onPublic("frost.Session", Varies, "public nonces and partial signatures", func(in *In, out *Out) {
		c := in.Committee()
		out.Refused(failure(c.session.Sign(c.used, c.shares[2])))
		_, err := c.session.Combine([]frost.PartialSignature{c.partial[0], c.partial[0]}, c.nonces)
		var blame *protocols.BlameError
		out.True(errors.As(err, &blame) && blame.Unwrap() == frost.ErrPartialSignature && slices.Equal(blame.Participants, []uint32{0}))
		out.Values(blame.Error())
		sig := must(c.session.Combine(c.partial, c.nonces))
		out.True(sig == c.combined && schnorr.Verify(in.X(), in.Msg, sig[:]))
		nonce := must(frost.ParsePublicNonce(c.nonces[0].Bytes()))
		sum := must(frost.ParseAggregateNonce(c.sum.Bytes()))
		part := must(frost.ParsePartialSignature(c.partial[0].Bytes()))
		out.True(bytes.Equal(nonce.Bytes(), c.nonces[0].Bytes()) && bytes.Equal(sum.Bytes(), c.sum.Bytes()) && bytes.Equal(part.Bytes(), c.partial[0].Bytes()))
	}),
	texts(func(in *In) *frost.PublicNonce { return &in.Committee().nonces[0] }),
	texts(func(in *In) *frost.AggregateNonce { return &in.Committee().sum }),
	texts(func(in *In) *frost.PartialSignature { return &in.Committee().partial[0] }),
	texts(func(in *In) *frost.Group { return in.Committee().group }),
	texts(func(in *In) *frost.Dealing { return &[]frost.Dealing{must(frost.ParseDealing(in.Pub().Bytes()))}[0] }),
	texts(func(in *In) *frost.AgreementShare { return &frost.AgreementShare{Point: in.Pub()} }),
	texts(func(in *In) *chilldkg.Params { return in.Panel().params }),
	texts(func(in *In) *adaptor.SchnorrPreSignature {
		return must(adaptor.ParseSchnorrPreSignature(append(in.Pub().Bytes(), in.Digest...)))
	}),
	texts(func(in *In) *adaptor.ECDSAPreSignature {
		return must(adaptor.ParseECDSAPreSignature(slices.Concat(in.Pub().Bytes(), in.Pub().Bytes(), in.Digest, in.Digest, in.Digest)))
	}),
	onPublic("frost and chilldkg, encodings", Varies, everybodys, func(in *In, out *Out) {
		group, params, share := in.Committee().group, in.Panel().params, frost.AgreementShare{Point: in.Pub()}
		out.True(bytes.Equal(must(frost.ParseGroup(group.Bytes(), nil)).Bytes(), group.Bytes()))
		out.True(must(chilldkg.ParseParams(params.Bytes(), nil)).Hash() == params.Hash())
		read := must(frost.ParseAgreementShare(share.Bytes()))
		out.True(read.Point.Equal(share.Point))
	}),

	// Every message is declassified when it is sent.
	onSecrets("chilldkg, a session", Varies, ofChillDKG, func(in *In, out *Out) {
		hosts := []*p256k1.PrivateKey{in.Key(), in.Other()}
		params := must(chilldkg.NewParams(2, []*p256k1.PublicKey{in.Pub(), in.Peer()}, nil))
		out.True(params.Threshold() == 2 && params.Participants() == 2 && params.Host(1).Equal(in.Peer()))
		out.Values(params.Hash())
		var all []*chilldkg.Participant
		var firsts []chilldkg.ParticipantMessage1
		for i, host := range hosts {
			p, message := must2(newParticipant(host, params, in.Aux))
			out.Some(message, 224)
			Declassify(message, 224)
			out.True(p.ID() == uint32(i))
			all, firsts = append(all, p), append(firsts, message)
		}
		out.hold()
		coordinator, answer := must2(chilldkg.NewCoordinator(params, firsts))
		var seconds []chilldkg.ParticipantMessage2
		for _, p := range all {
			seconds = append(seconds, must(p.Sign(answer)))
			Declassify(seconds[len(seconds)-1], 64)
		}
		last, result := must2(coordinator.Finish(seconds))
		out.Some(result.Group.PublicKey().Bytes(), 0)
		acks := make([][64]byte, len(all))
		for i, p := range all {
			share := must(p.Finish(last)).Share
			again, _ := must2(chilldkg.Recover(hosts[i], result.Recovery, result.Group))
			out.True(again.Share.Key().Equal(share.Key()), result.Group.Has(share))
			again.Share.Zero()
			acks[i] = must(chilldkg.Acknowledge(hosts[i], params, result.Recovery))
			Declassify(acks[i][:], 64)
			p.Zero()
		}
		check(chilldkg.VerifyAcknowledgements(params, result.Recovery, acks))
		again, _ := must2(chilldkg.RecoverGroup(result.Recovery, nil))
		out.True(again.Group.PublicKey().Equal(result.Group.PublicKey()))
		// A participant gets a wrong share, and finds out who sent it.
		p, message := must2(chilldkg.NewParticipant(hosts[0], params))
		Declassify(message, 224)
		firsts[0], firsts[1][len(firsts[1])-64] = message, firsts[1][len(firsts[1])-64]^1
		coordinator, answer = must2(chilldkg.NewCoordinator(params, firsts))
		out.True(errors.Is(failure(p.Sign(answer)), chilldkg.ErrUnknownFault))
		err := p.Investigate(coordinator.Investigate()[0])
		var fault *protocols.BlameError
		out.True(errors.As(err, &fault) && fault.Unwrap() != nil && slices.Equal(fault.Participants, []uint32{1}))
		out.Values(fault.Error())
		p.Zero()
	}),
}

var adaptors = []Op{
	onSecrets("adaptor.SignSchnorr and adaptor.SignECDSA, without verification", Varies, ofAdaptors, func(in *In, out *Out) {
		pre := must(preSignSchnorr(in.Key(), in.Peer(), in.Msg, in.Aux))
		out.Bytes(pre.Bytes()[1:])
		sig := must(pre.Adapt(in.Other()))
		out.Some(sig[:], 32)
		b := must(preSignECDSA(in.Key(), in.Peer(), in.Digest, in.Aux))
		out.Some(b[:], 32)
	}),
	// The signatures are s = s' + t and s = s'/t for the pre-signatures s' and the secret t, which is Other.
	onSecrets("adaptor.SchnorrPreSignature.Extract and adaptor.ECDSAPreSignature.Extract", Varies,
		func(in *In, r Results) ([]Secret, bool) {
			return ofResult(in.e()), r.isKey(0, in.e()) && r.isKey(2, in.e())
		},
		func(in *In, out *Out) {
			var s, part curve.Scalar
			s.SetBytesReduced((*[32]byte)(in.Digest))
			schnorrs := must(adaptor.ParseSchnorrPreSignature(slices.Concat([]byte{2}, in.X().Bytes(), s.Bytes())))
			ecdsas := must(adaptor.ParseECDSAPreSignature(slices.Concat(in.Pub().Bytes(), in.Pub().Bytes(), s.Bytes(), s.Bytes(), s.Bytes())))
			sig := append(in.X().Bytes(), part.Add(&s, in.L()).Bytes()...)
			out.Key(must(schnorrs.Extract(sig, in.Peer())))
			copy(sig[32:], part.Mul(&s, part.Invert(in.L())).Bytes())
			out.Key(must(ecdsas.Extract(must(ecdsa.ParseCompact(sig)), in.Peer())))
			adapted := must(ecdsas.Adapt(in.Other()))
			out.Some(adapted.Bytes(), 32)
			part.Zero()
			clear(sig)
		}).unsearched("its signatures, which its caller holds, make the secret"),
	onSecrets("adaptor.SignSchnorr", Varies, nil, func(in *In, out *Out) {
		pre := must(adaptor.SignSchnorr(in.Key(), in.Peer(), in.Msg))
		out.Fresh(pre.Bytes()[1:])
		pre = must(adaptor.ParseSchnorrPreSignature(pre.Bytes()))
		out.True(pre.Verify(in.X(), in.Peer(), in.Msg))
		out.False(pre.Verify(in.X(), in.Pub(), in.Msg))
		sig := must(pre.Adapt(in.Other()))
		out.True(schnorr.Verify(in.X(), in.Msg, sig[:]))
		secret := must(pre.Extract(sig[:], in.Peer()))
		out.True(secret.Equal(in.Other()))
		secret.Zero()
	}).shown(checksItsWork),
	onSecrets("adaptor.SignECDSA", Varies, nil, func(in *In, out *Out) {
		pre := must(adaptor.SignECDSA(in.Key(), in.Peer(), in.Digest))
		pre = must(adaptor.ParseECDSAPreSignature(pre.Bytes()))
		out.FreshSome(pre.Bytes(), 0)
		out.True(pre.Verify(in.Pub(), in.Peer(), in.Digest))
		out.False(pre.Verify(in.Pub(), in.Pub(), in.Digest))
		sig := must(pre.Adapt(in.Other()))
		out.True(ecdsa.VerifyLowS(in.Pub(), in.Digest, sig))
		secret := must(pre.Extract(sig, in.Peer()))
		out.True(secret.Equal(in.Other()))
		secret.Zero()
	}).shown(checksItsWork),
}
