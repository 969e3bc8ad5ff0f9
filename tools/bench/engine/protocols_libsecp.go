package engine

import (
	"errors"
	"slices"

	"p256k1.mleku.dev/v2/tools/bench/libsecp"
)

var _ Protocols = (*libsecpSession)(nil)

// A libsecpMember is a party with keys of libsecp256k1.
type libsecpMember struct {
	member
	public, peer libsecp.Pubkey
	product      libsecp.Pubkey // of secret and peer
	pair         libsecp.Keypair
}

var errRefused = errors.New("refused by libsecp256k1")

func (s *libsecpSession) load(m member) (t libsecpMember, err error) {
	t.member = m
	var ok [5]bool
	t.public, ok[0] = s.c.LoadPubkey(m.Pub[:])
	t.peer, ok[1] = s.c.LoadPubkey(m.Peer[:])
	t.pair, ok[2] = s.c.LoadKeypair(m.Secret)
	product, ok3 := s.c.PubkeyTweakMul(m.Peer[:], m.Secret)
	t.product, ok[3] = s.c.LoadPubkey(product[:])
	if ok[4] = ok3; ok != [5]bool{true, true, true, true, true} {
		err = errRefused
	}
	return t, err
}

// PrepareProtocol implements Protocols. What the library has no module for is the multiplications
// that it would take alone.
func (s *libsecpSession) PrepareProtocol(op string, size int, parties []Party) (Prepared, error) {
	if !slices.Contains(ProtocolOps, op) {
		return Prepared{}, ErrNotSupported
	}
	ours, err := load(parties)
	if err != nil {
		return Prepared{}, err
	}
	if len(s.members) != len(ours) || &s.parties[0] != &parties[0] {
		if s.members, err = each(ours, s.load); err != nil {
			return Prepared{}, err
		}
		s.parties = parties
	}
	members := s.members
	switch {
	case op == Musig2Aggregate, op == Musig2Nonces, op == Musig2Sign, op == Musig2Verify:
		return s.musig(op, size, members)
	case op == EllswiftEncode && s.can.swift:
		return cycle(members, func(m *libsecpMember, _ *[64]byte) error {
			_, ok := s.c.EllswiftEncode(&m.public, m.Digest)
			return refused(ok, "key")
		}), nil
	case op == EllswiftDecode && s.can.swift:
		return cycle(members, func(m *libsecpMember, out *[64]byte) error {
			pub, ok := s.c.EllswiftDecode(&m.swift)
			copy(out[:], pub[:])
			return refused(ok, "encoding")
		}), nil
	case op == EllswiftECDH && s.can.swift:
		return Prepared{Run: func(i int, out *[64]byte) error {
			i %= len(members)
			secret, ok := s.c.EllswiftXDH(members[i].Secret, &members[i].swift, &members[(i+1)%len(members)].swift, i%2 == 0)
			copy(out[:], secret[:])
			return refused(ok, "key")
		}}, nil
	case op == SilentScan && size == 1:
		return s.silentScan(members, ours)
	case op == CashuVerify:
		return cycle(members, func(m *libsecpMember, _ *[64]byte) error { // k·Y
			_, ok := s.c.ECDH(&m.peer, m.Secret)
			return refused(ok, "key")
		}), nil
	case op == DLEQProve, op == CashuSign:
		return cycle(members, func(m *libsecpMember, _ *[64]byte) error { // a·B, k·B and k·G
			_, ok := s.c.ECDH(&m.peer, m.Secret)
			_, ok2 := s.c.ECDH(&m.peer, m.Digest)
			_, ok3 := s.c.PubkeyCreate(m.Digest)
			return refused(ok && ok2 && ok3, "key")
		}), nil
	case op == DLEQVerify && size == 0, op == CashuUnblind:
		return cycle(members, func(m *libsecpMember, _ *[64]byte) error { // e·A, s·B and e·C
			ok := s.c.TweakMul(&m.public, m.Digest) && s.c.TweakMul(&m.peer, m.Secret) && s.c.TweakMul(&m.product, m.Digest)
			if op == CashuUnblind { // and r·G and r·K
				_, ok2 := s.c.PubkeyCreate(m.Secret)
				_, ok3 := s.c.ECDH(&m.public, m.Secret)
				ok = ok && ok2 && ok3
			}
			return refused(ok, "key")
		}), nil
	}
	return Prepared{}, ErrNotSupported
}

// A libsecpSigning is a session of MuSig2 of a member and its peer.
type libsecpSigning struct {
	libsecpMember
	session *libsecp.Musig
	secret  libsecp.MusigNonce
	nonce   [66]byte
	sig     [32]byte
}

func (s *libsecpSession) newSigning(m libsecpMember) (t libsecpSigning, err error) {
	t.libsecpMember = m
	if t.session, err = s.c.NewMusig(); err != nil {
		return t, err
	}
	t.session.Set([]libsecp.Pubkey{m.public, m.peer})
	aggregated := t.session.Aggregate()
	random := *m.Digest
	var made, added, signed bool
	var sum [66]byte
	t.secret, t.nonce, made = t.session.NonceGen(&random, m.Secret, m.Digest)
	sum, added = t.session.NonceAgg([][66]byte{t.nonce, nonceOf(m.Party)})
	if aggregated && made && added && t.session.LoadSum(&sum) && t.session.Process(m.Digest) {
		t.sig, signed = t.session.Sign(&t.secret, &m.pair)
	}
	if !signed {
		err = errRefused
	}
	return t, err
}

func (s *libsecpSession) musig(op string, size int, members []libsecpMember) (Prepared, error) {
	m, err := s.c.NewMusig()
	if err != nil {
		return Prepared{}, ErrNotSupported
	}
	switch op {
	case Musig2Aggregate:
		keys := windows(pick(members, func(m libsecpMember) libsecp.Pubkey { return m.public }), size)
		return cycle(keys, func(keys *[]libsecp.Pubkey, out *[64]byte) error {
			m.Set(*keys)
			ok := m.Aggregate()
			key, ok2 := m.Key()
			copy(out[:], key[:])
			return refused(ok && ok2, "keys")
		}), nil
	case Musig2Nonces:
		nonces := pick(members, func(m libsecpMember) [66]byte { return nonceOf(m.Party) })
		return cycle(windows(nonces, size), func(nonces *[][66]byte, out *[64]byte) error {
			sum, ok := m.NonceAgg(*nonces)
			copy(out[:], sum[:])
			return refused(ok, "nonces")
		}), nil
	}
	sessions, err := each(members[:min(musigSessions, len(members))], s.newSigning)
	return cycle(sessions, func(t *libsecpSigning, _ *[64]byte) error {
		sig, ok := t.sig, true
		if op == Musig2Sign {
			ok = t.session.Process(t.Digest)
			if ok {
				sig, ok = t.session.Sign(&t.secret, &t.pair)
			}
		}
		return refused(ok && t.session.Verify(&sig, &t.nonce, &t.public), "partial signature")
	}), err
}

func (s *libsecpSession) silentScan(members []libsecpMember, ours []member) (Prepared, error) {
	module, err := s.c.NewSilentPayments()
	if err != nil {
		return Prepared{}, ErrNotSupported
	}
	_, outputs, err := silent(ours)
	if err != nil {
		return Prepared{}, err
	}
	n := len(members)
	summaries, transactions := make([]libsecp.SilentSummary, n), make([]libsecp.SilentTransaction, n)
	for i, m := range members {
		var outpoint [36]byte
		copy(outpoint[:], m.Digest[:])
		var ok, ok2 bool
		summaries[i], ok = module.Summarize(&outpoint, nil, [][33]byte{*m.Pub})
		transactions[i], ok2 = module.LoadOutputs(outputs[i][:])
		if !ok || !ok2 {
			return Prepared{}, refused(false, "transaction")
		}
	}
	return Prepared{Run: func(i int, _ *[64]byte) error {
		i %= n
		found, ok := module.Scan(members[0].Secret, &summaries[i], &members[n-1].public, transactions[i], nil)
		if !ok {
			return refused(false, "transaction")
		}
		return checkHits(found, i, 1, n)
	}}, nil
}
