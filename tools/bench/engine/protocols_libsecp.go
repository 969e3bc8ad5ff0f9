package engine

import (
	"fmt"

	"p256k1.mleku.dev/v2/tools/bench/libsecp"
)

var _ Protocols = (*libsecpSession)(nil)

// theirs is parties with keys of libsecp256k1.
type theirs struct {
	publics, peers []libsecp.Pubkey
	pairs          []libsecp.Keypair
}

func (s *libsecpSession) load(parties []Party) (t theirs, err error) {
	for _, p := range parties {
		public, ok := s.c.LoadPubkey(p.Pub[:])
		peer, ok2 := s.c.LoadPubkey(p.Peer[:])
		pair, ok3 := s.c.LoadKeypair(p.Secret)
		if !ok || !ok2 || !ok3 {
			return t, fmt.Errorf("%w: key", ErrInvalid)
		}
		t.publics, t.peers, t.pairs = append(t.publics, public), append(t.peers, peer), append(t.pairs, pair)
	}
	return t, nil
}

// PrepareProtocol implements Protocols. What the library has no module for is the multiplications
// that it would take alone.
func (s *libsecpSession) PrepareProtocol(op string, size int, parties []Party) (Prepared, error) {
	keys, err := s.load(parties)
	if err != nil {
		return Prepared{}, err
	}
	n := len(parties)
	switch {
	case op == Musig2Aggregate, op == Musig2Nonces, op == Musig2Sign, op == Musig2Verify:
		return s.musig(op, size, parties, keys)
	case op == EllswiftEncode && s.can.swift:
		return Prepared{Run: func(i int, _ *[64]byte) error {
			_, ok := s.c.EllswiftEncode(&keys.publics[i%n], parties[i%n].Digest)
			return refused(ok, "key")
		}}, nil
	case op == EllswiftDecode && s.can.swift:
		encodings := swifts(parties)
		return Prepared{Run: func(i int, out *[64]byte) error {
			pub, ok := s.c.EllswiftDecode(&encodings[i%n])
			copy(out[:], pub[:])
			return refused(ok, "encoding")
		}}, nil
	case op == EllswiftECDH && s.can.swift:
		encodings := swifts(parties)
		return Prepared{Run: func(i int, out *[64]byte) error {
			i %= n
			secret, ok := s.c.EllswiftXDH(parties[i].Secret, &encodings[i], &encodings[(i+1)%n], i%2 == 0)
			copy(out[:], secret[:])
			return refused(ok, "key")
		}}, nil
	case op == SilentScan && size == 1:
		return s.silentScan(parties, keys)
	case op == CashuVerify:
		return Prepared{Run: func(i int, _ *[64]byte) error { // k·Y
			_, ok := s.c.ECDH(&keys.peers[i%n], parties[i%n].Secret)
			return refused(ok, "key")
		}}, nil
	case op == DLEQProve, op == CashuSign:
		return Prepared{Run: func(i int, _ *[64]byte) error { // a·B, k·B and k·G
			_, ok := s.c.ECDH(&keys.peers[i%n], parties[i%n].Secret)
			_, ok2 := s.c.ECDH(&keys.peers[i%n], parties[i%n].Digest)
			_, ok3 := s.c.PubkeyCreate(parties[i%n].Digest)
			return refused(ok && ok2 && ok3, "key")
		}}, nil
	case op == DLEQVerify && size == 0, op == CashuUnblind:
		var products []libsecp.Pubkey
		for _, p := range parties {
			c, ok := s.c.PubkeyTweakMul(p.Peer[:], p.Secret)
			if !ok {
				return Prepared{}, fmt.Errorf("%w: key", ErrInvalid)
			}
			product, _ := s.c.LoadPubkey(c[:])
			products = append(products, product)
		}
		return Prepared{Run: func(i int, _ *[64]byte) error { // e·A, s·B and e·C
			i %= n
			scalar, other := parties[i].Digest, parties[i].Secret
			ok := s.c.TweakMul(&keys.publics[i], scalar) && s.c.TweakMul(&keys.peers[i], other) && s.c.TweakMul(&products[i], scalar)
			if op == CashuUnblind { // and r·G and r·K
				_, ok2 := s.c.PubkeyCreate(other)
				_, ok3 := s.c.ECDH(&keys.publics[i], other)
				ok = ok && ok2 && ok3
			}
			return refused(ok, "key")
		}}, nil
	}
	return Prepared{}, ErrNotSupported
}

func (s *libsecpSession) musig(op string, size int, parties []Party, keys theirs) (Prepared, error) {
	m, err := s.c.NewMusig()
	if err != nil {
		return Prepared{}, ErrNotSupported
	}
	switch op {
	case Musig2Aggregate:
		of := windows(keys.publics, size)
		return Prepared{Run: func(i int, out *[64]byte) error {
			m.Set(of[i%len(of)])
			ok := m.Aggregate()
			key, ok2 := m.Key()
			copy(out[:], key[:])
			return refused(ok && ok2, "keys")
		}}, nil
	case Musig2Nonces:
		var all [][66]byte
		for _, p := range parties {
			all = append(all, nonceOf(p))
		}
		of := windows(all, size)
		return Prepared{Run: func(i int, out *[64]byte) error {
			sum, ok := m.NonceAgg(of[i%len(of)])
			copy(out[:], sum[:])
			return refused(ok, "nonces")
		}}, nil
	}
	count := min(musigSessions, len(parties))
	sessions := make([]*libsecp.Musig, count)
	secrets, nonces, sigs := make([]libsecp.MusigNonce, count), make([][66]byte, count), make([][32]byte, count)
	for i := range count {
		session, err := s.c.NewMusig()
		if err != nil {
			return Prepared{}, err
		}
		session.Set([]libsecp.Pubkey{keys.publics[i], keys.peers[i]})
		ok := session.Aggregate()
		random := *parties[i].Digest
		var made, processed, signed bool
		if secrets[i], nonces[i], made = session.NonceGen(&random, parties[i].Secret, parties[i].Digest); made {
			var sum [66]byte
			if sum, made = session.NonceAgg([][66]byte{nonces[i], nonceOf(parties[i])}); made {
				processed = session.LoadSum(&sum) && session.Process(parties[i].Digest)
				sigs[i], signed = session.Sign(&secrets[i], &keys.pairs[i])
			}
		}
		if !ok || !processed || !signed {
			return Prepared{}, fmt.Errorf("%w: session", ErrInvalid)
		}
		sessions[i] = session
	}
	if op == Musig2Verify {
		return Prepared{Run: func(i int, _ *[64]byte) error {
			i %= count
			return refused(sessions[i].Verify(&sigs[i], &nonces[i], &keys.publics[i]), "partial signature")
		}}, nil
	}
	return Prepared{Run: func(i int, _ *[64]byte) error {
		i %= count
		session := sessions[i]
		if !session.Process(parties[i].Digest) {
			return refused(false, "session")
		}
		sig, ok := session.Sign(&secrets[i], &keys.pairs[i])
		return refused(ok && session.Verify(&sig, &nonces[i], &keys.publics[i]), "partial signature")
	}}, nil
}

func (s *libsecpSession) silentScan(parties []Party, keys theirs) (Prepared, error) {
	module, err := s.c.NewSilentPayments()
	if err != nil {
		return Prepared{}, ErrNotSupported
	}
	l, err := load(parties)
	if err != nil {
		return Prepared{}, err
	}
	_, outputs, err := l.silent(parties)
	if err != nil {
		return Prepared{}, err
	}
	n := len(parties)
	summaries, transactions := make([]libsecp.SilentSummary, n), make([]libsecp.SilentTransaction, n)
	for i, p := range parties {
		var outpoint [36]byte
		copy(outpoint[:], p.Digest[:])
		var ok, ok2 bool
		summaries[i], ok = module.Summarize(&outpoint, nil, [][33]byte{*p.Pub})
		transactions[i], ok2 = module.LoadOutputs(outputs[i][:])
		if !ok || !ok2 {
			return Prepared{}, fmt.Errorf("%w: transaction", ErrInvalid)
		}
	}
	return Prepared{Run: func(i int, _ *[64]byte) error {
		i %= n
		found, ok := module.Scan(parties[0].Secret, &summaries[i], &keys.publics[n-1], transactions[i], nil)
		if !ok {
			return refused(false, "transaction")
		}
		return checkHits(found, i, 1, n)
	}}, nil
}
