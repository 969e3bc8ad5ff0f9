package engine

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"golang.org/x/crypto/ripemd160" //lint:ignore SA1019 Bitcoin's scripts have this hash

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/protocols/cashu"
	"p256k1.mleku.dev/v2/protocols/dleq"
	"p256k1.mleku.dev/v2/protocols/musig2"
	"p256k1.mleku.dev/v2/protocols/silentpayments"
)

// Party is the keys and the message of one party to a protocol.
type Party struct {
	Secret, Digest *[32]byte
	Pub, Peer      *[33]byte // its own key, and another's
}

// A Prepared is an operation of a protocol with its inputs loaded, of which there are as many
// as parties.
type Prepared struct {
	// Run runs it on input i modulo the number of inputs, or on as many as it was prepared for
	// from there on. Of a result it writes what does not depend on randomness to out.
	Run func(i int, out *[64]byte) error
	// Refill makes what n calls use up, like secret nonces, of which they take the last first;
	// nil if that is nothing.
	Refill func(n int) error
}

// Protocols is a Session that has operations of protocols, by names of ProtocolOps, or on
// many inputs together. Size is how many keys, nonces or inputs a call takes.
type Protocols interface {
	PrepareProtocol(op string, size int, parties []Party) (Prepared, error)
}

// The operations that Protocols may have.
const (
	Musig2Aggregate = "musig2-aggregate" // keys
	Musig2Nonces    = "musig2-nonces"    // from bytes of public nonces to those of their sum
	Musig2Sign      = "musig2-sign"
	Musig2Verify    = "musig2-verify"
	EllswiftEncode  = "ellswift-encode"
	EllswiftDecode  = "ellswift-decode"
	EllswiftECDH    = "ellswift-ecdh"
	SilentScan      = "silent-scan"
	DLEQProve       = "dleq-prove"
	DLEQVerify      = "dleq-verify"
	CashuBlind      = "cashu-blind"
	CashuSign       = "cashu-sign"
	CashuUnblind    = "cashu-unblind"
	CashuVerify     = "cashu-verify"
	HashToCurve     = "hash-to-curve"
	EncodeToCurve   = "encode-to-curve"
)

// ProtocolOps are all of these.
var ProtocolOps = []string{
	Musig2Aggregate, Musig2Nonces, Musig2Sign, Musig2Verify, EllswiftEncode, EllswiftDecode, EllswiftECDH, SilentScan,
	DLEQProve, DLEQVerify, CashuBlind, CashuSign, CashuUnblind, CashuVerify, HashToCurve, EncodeToCurve,
}

var _ Protocols = (*p256k1Session)(nil)

// A member is a party with keys of this library.
type member struct {
	Party
	secret       *p256k1.PrivateKey
	public, peer *p256k1.PublicKey
	swift        [64]byte // an encoding of its key
}

func newMember(p Party) (m member, err error) {
	m.Party = p
	if m.secret, err = p256k1.NewPrivateKey(p.Secret[:]); err != nil {
		return m, err
	}
	if m.peer, err = p256k1.NewPublicKey(p.Peer[:]); err != nil {
		return m, err
	}
	m.public = m.secret.PublicKey()
	m.swift, err = ellswift.Encode(m.public, p.Digest)
	return m, err
}

// each makes something of each item.
func each[A, B any](items []A, f func(A) (B, error)) (all []B, err error) {
	for _, item := range items {
		b, err := f(item)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
		}
		all = append(all, b)
	}
	return all, nil
}

// pick is each without errors.
func pick[A, B any](items []A, f func(A) B) []B {
	all, _ := each(items, func(a A) (B, error) { return f(a), nil })
	return all
}

// cycle has an operation of one item at a time.
func cycle[A any](items []A, run func(item *A, out *[64]byte) error) Prepared {
	return Prepared{Run: func(i int, out *[64]byte) error { return run(&items[i%len(items)], out) }}
}

// windows returns some of size items each, one after the other, which begin over at the end.
func windows[E any](all []E, size int) (w [][]E) {
	n := len(all)
	for len(all) < n+size {
		all = append(all, all[:n:n]...)
	}
	for i := range n {
		first := i * size % n
		w = append(w, all[first:first+size:first+size])
	}
	return w
}

// usedUp has an operation that takes something which fill makes of an item.
func usedUp[A, B any](items []A, fill func(*A) (B, error), run func(i int, item *A, used B, out *[64]byte) error) Prepared {
	var ready []B
	return Prepared{
		Run: func(_ int, out *[64]byte) error {
			last := len(ready) - 1
			used := ready[last]
			ready = ready[:last]
			i := last % len(items)
			return run(i, &items[i], used, out)
		},
		Refill: func(n int) (err error) {
			ready = make([]B, n)
			for i := range ready {
				if ready[i], err = fill(&items[i%len(items)]); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// put copies the bytes of a result that has some, if there was no error.
func put[T interface{ Bytes() []byte }](out *[64]byte, result T, err error) error {
	if err == nil {
		copy(out[:], result.Bytes())
	}
	return err
}

// PrepareProtocol implements Protocols.
func (*p256k1Session) PrepareProtocol(op string, size int, parties []Party) (Prepared, error) {
	members, err := load(parties)
	if err != nil {
		return Prepared{}, err
	}
	switch op {
	case Musig2Aggregate:
		keys := windows(pick(members, func(m member) *p256k1.PublicKey { return m.public }), size)
		return cycle(keys, func(keys *[]*p256k1.PublicKey, out *[64]byte) error {
			set, err := musig2.Aggregate(*keys)
			if err == nil {
				copy(out[:], set.PublicKey().Bytes())
			}
			return err
		}), nil
	case Musig2Nonces:
		parsed := make([]musig2.PublicNonce, size)
		return cycle(windows(pick(parties, nonceOf), size), func(nonces *[][66]byte, out *[64]byte) (err error) {
			for j, b := range *nonces {
				if parsed[j], err = musig2.NewPublicNonce(b[:]); err != nil {
					return err
				}
			}
			sum, err := musig2.AggregateNonces(parsed)
			copy(out[:], sum.Bytes())
			return err
		}), nil
	case Musig2Sign, Musig2Verify:
		return musigOf(op, members)
	case EllswiftEncode:
		return cycle(members, func(m *member, _ *[64]byte) error {
			_, err := ellswift.Encode(m.public, m.Digest)
			return err
		}), nil
	case EllswiftDecode:
		return cycle(members, func(m *member, out *[64]byte) error { return put(out, ellswift.Decode(&m.swift), nil) }), nil
	case EllswiftECDH:
		return usedUp(members, func(m *member) (*ellswift.PrivateKey, error) {
			secret, err := p256k1.NewPrivateKey(m.Secret[:])
			if err != nil {
				return nil, err
			}
			return ellswift.NewPrivateKey(secret, &m.swift)
		}, func(i int, _ *member, key *ellswift.PrivateKey, out *[64]byte) error {
			secret, err := key.ECDH(&members[(i+1)%len(members)].swift, i%2 == 0)
			copy(out[:], secret[:])
			return err
		}), nil
	case SilentScan:
		return silentScan(size, members)
	case DLEQProve:
		return cycle(members, func(m *member, out *[64]byte) error {
			c, _, err := dleq.Prove(m.secret, m.peer, &dleq.Options{AuxRand: m.Digest})
			return put(out, c, err)
		}), nil
	case DLEQVerify:
		return dleqVerify(size, members)
	case CashuBlind, CashuSign, CashuUnblind, CashuVerify:
		return cashuOf(op, members)
	case HashToCurve, EncodeToCurve:
		hash := (*curve.Point).HashToCurve
		if op == EncodeToCurve {
			hash = (*curve.Point).EncodeToCurve
		}
		tag := []byte("bench")
		return cycle(parties, func(p *Party, out *[64]byte) error {
			var point curve.Point
			_, err := hash(&point, p.Digest[:], tag)
			copy(out[:], point.Bytes())
			return err
		}), nil
	}
	return batchOf(op, size, members)
}

// nonceOf is a public nonce of no use but to be added.
func nonceOf(p Party) (nonce [66]byte) {
	copy(nonce[:33], p.Pub[:])
	copy(nonce[33:], p.Peer[:])
	return nonce
}

// musigSessions is how many sessions there are, each of two signers.
const musigSessions = 64

// A musigSession is a session of a member and its peer.
type musigSession struct {
	member
	keys    *musig2.KeySet
	sum     musig2.AggregateNonce
	session *musig2.Session
	nonce   []byte // of the member, public
	sig     []byte // partial signature
}

func newMusigSession(m member) (s musigSession, err error) {
	s.member = m
	if s.keys, err = musig2.Aggregate([]*p256k1.PublicKey{m.public, m.peer}); err != nil {
		return s, err
	}
	secret, public, err := musig2.NewNonce(m.secret, s.keys, nil)
	if err != nil {
		return s, err
	}
	other := nonceOf(m.Party)
	theirs, err := musig2.NewPublicNonce(other[:])
	if err != nil {
		return s, err
	}
	if s.sum, err = musig2.AggregateNonces([]musig2.PublicNonce{public, theirs}); err != nil {
		return s, err
	}
	if s.session, err = musig2.NewSession(s.keys, s.sum, m.Digest[:]); err != nil {
		return s, err
	}
	sig, err := s.session.Sign(secret, m.secret)
	if err == nil {
		s.nonce, s.sig = public.Bytes(), sig.Bytes()
	}
	return s, err
}

func musigOf(op string, members []member) (Prepared, error) {
	sessions, err := each(members[:min(musigSessions, len(members))], newMusigSession)
	if err != nil {
		return Prepared{}, err
	}
	if op == Musig2Verify {
		return cycle(sessions, func(s *musigSession, _ *[64]byte) error {
			sig, err := musig2.NewPartialSignature(s.sig)
			if err != nil {
				return err
			}
			nonce, err := musig2.NewPublicNonce(s.nonce)
			if err == nil && !s.session.VerifyPartial(sig, nonce, s.public) {
				err = refused(false, "partial signature")
			}
			return err
		}), nil
	}
	return usedUp(sessions, func(s *musigSession) (*musig2.SecretNonce, error) {
		nonce, _, err := musig2.NewNonce(s.secret, nil, nil)
		return nonce, err
	}, func(_ int, s *musigSession, nonce *musig2.SecretNonce, _ *[64]byte) error {
		session, err := musig2.NewSession(s.keys, s.sum, s.Digest[:])
		if err == nil {
			_, err = session.Sign(nonce, s.secret)
		}
		return err
	}), nil
}

// silentOutputs is how many Taproot outputs each transaction has that is scanned.
const silentOutputs = 2

// silentInput is the one input of a party's transaction: P2WPKH.
func silentInput(p Party) []silentpayments.Input {
	sum := sha256.Sum256(p.Pub[:])
	h := ripemd160.New()
	h.Write(sum[:])
	script := h.Sum([]byte{0, 20})
	return []silentpayments.Input{{TxID: *p.Digest, ScriptPubKey: script, Witness: [][]byte{nil, p.Pub[:]}}}
}

// silent is what there is to be scanned for the first party's scan key and the last one's spend
// key: the first party's transaction pays to it, and no other does.
func silent(members []member) (scanner *silentpayments.Scanner, outputs [][silentOutputs][32]byte, err error) {
	first := members[0]
	if scanner, err = silentpayments.NewScanner(first.secret, members[len(members)-1].public); err != nil {
		return nil, nil, err
	}
	for _, m := range members {
		outputs = append(outputs, [silentOutputs][32]byte{[32]byte(m.Pub[1:]), [32]byte(m.Peer[1:])})
	}
	paid, err := silentpayments.CreateOutputs(silentInput(first.Party), []*p256k1.PrivateKey{first.secret}, []silentpayments.Recipient{scanner.Recipient()})
	if err != nil {
		return nil, nil, err
	}
	outputs[0][1] = [32]byte(paid[0].Bytes())
	return scanner, outputs, nil
}

func silentScan(size int, members []member) (Prepared, error) {
	scanner, outputs, err := silent(members)
	if err != nil {
		return Prepared{}, err
	}
	tweaks, err := each(members, func(m member) (tweak [33]byte, err error) {
		t, err := silentpayments.Tweak(silentInput(m.Party))
		if err == nil {
			tweak = [33]byte(t.Bytes())
		}
		return tweak, err
	})
	if err != nil {
		return Prepared{}, err
	}
	prefixes := pick(outputs, func(x [silentOutputs][32]byte) []uint64 {
		return []uint64{binary.BigEndian.Uint64(x[0][:]), binary.BigEndian.Uint64(x[1][:])}
	})
	from, to := windows(tweaks, size), windows(prefixes, size)
	return Prepared{Run: func(i int, out *[64]byte) error {
		i %= len(from)
		hits, err := scanner.ScanTweaks(from[i], to[i])
		if err == nil {
			err = checkHits(len(hits), i*size, size, len(members))
		}
		return err
	}}, nil
}

// checkHits compares how often the first of n parties was found with how often it is among so many
// from one on.
func checkHits(found, first, size, n int) error {
	if want := (first+size+n-1)/n - (first+n-1)/n; found != want {
		return fmt.Errorf("%w: found %d payments, not %d", ErrInvalid, found, want)
	}
	return nil
}

func dleqVerify(size int, members []member) (Prepared, error) {
	all, err := each(members, func(m member) (dleq.Item, error) {
		c, proof, err := dleq.Prove(m.secret, m.peer, nil)
		return dleq.Item{A: m.public, B: m.peer, C: c, Proof: proof[:]}, err
	})
	if err != nil {
		return Prepared{}, err
	}
	if size == 0 {
		return cycle(all, func(p *dleq.Item, _ *[64]byte) error {
			return refused(dleq.Verify(p.A, p.B, p.C, p.Proof, nil), "proof")
		}), nil
	}
	valid := make([]bool, size)
	return cycle(windows(all, size), func(items *[]dleq.Item, _ *[64]byte) error {
		dleq.VerifyBatch(valid, *items)
		for _, ok := range valid {
			if !ok {
				return refused(false, "proof")
			}
		}
		return nil
	}), nil
}

// A coin is a secret, a member's digest, that the member blinds with its key, and that
// the next member signs as a mint.
type coin struct {
	member
	mint    *p256k1.PrivateKey
	key     *p256k1.PublicKey // of the mint
	blinded *p256k1.PublicKey
	sig     cashu.BlindSignature
	c       *p256k1.PublicKey
}

func cashuOf(op string, members []member) (Prepared, error) {
	mints := windows(members, 1)
	for i := range mints {
		mints[i] = []member{members[i], members[(i+1)%len(members)]}
	}
	coins, err := each(mints, func(pair []member) (c coin, err error) {
		c = coin{member: pair[0], mint: pair[1].secret, key: pair[1].public}
		if c.blinded, err = cashu.Blind(c.Digest[:], c.secret); err != nil {
			return c, err
		}
		if c.sig, err = cashu.Sign(c.mint, c.blinded); err != nil {
			return c, err
		}
		c.c, err = cashu.UnblindWithoutProof(c.key, c.sig, c.secret)
		return c, err
	})
	return cycle(coins, map[string]func(*coin, *[64]byte) error{
		CashuBlind: func(c *coin, out *[64]byte) error {
			blinded, err := cashu.Blind(c.Digest[:], c.secret)
			return put(out, blinded, err)
		},
		CashuSign: func(c *coin, out *[64]byte) error {
			sig, err := cashu.Sign(c.mint, c.blinded)
			return put(out, sig.C, err)
		},
		CashuUnblind: func(c *coin, out *[64]byte) error {
			key, err := cashu.Unblind(c.key, c.Digest[:], c.sig, c.secret)
			return put(out, key, err)
		},
		CashuVerify: func(c *coin, _ *[64]byte) error {
			return refused(cashu.Verify(c.mint, c.Digest[:], c.c), "signature")
		},
	}[op]), err
}
