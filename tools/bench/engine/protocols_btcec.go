package engine

import (
	"slices"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/ellswift"
	"github.com/btcsuite/btcd/btcec/v2/schnorr/musig2"
)

var _ Protocols = btcecSession{}

// A btcecMember is a party with keys of btcec.
type btcecMember struct {
	Party
	secret       *btcec.PrivateKey
	public, peer *btcec.PublicKey
	x            btcec.FieldVal
}

// A btcecSigning is a session of MuSig2 of a member and its peer.
type btcecSigning struct {
	btcecMember
	keys  []*btcec.PublicKey
	nonce *musig2.Nonces
	sum   [66]byte
	sig   *musig2.PartialSignature
}

func newBtcecSigning(m btcecMember) (s btcecSigning, err error) {
	s.btcecMember, s.keys = m, []*btcec.PublicKey{m.public, m.peer}
	if s.nonce, err = musig2.GenNonces(musig2.WithPublicKey(m.public)); err != nil {
		return s, err
	}
	if s.sum, err = musig2.AggregateNonces([][66]byte{s.nonce.PubNonce, nonceOf(m.Party)}); err != nil {
		return s, err
	}
	s.sig, err = musig2.Sign(s.nonce.SecNonce, m.secret, s.sum, s.keys, *m.Digest)
	return s, err
}

// PrepareProtocol implements Protocols. Signing and verifying aggregate the keys again, and take
// encoded nonces: there is no other way without a session for each signer.
func (btcecSession) PrepareProtocol(op string, size int, parties []Party) (Prepared, error) {
	if !slices.Contains(ProtocolOps, op) {
		return Prepared{}, ErrNotSupported
	}
	members, err := each(parties, func(p Party) (m btcecMember, err error) {
		m.Party = p
		m.secret, m.public = btcec.PrivKeyFromBytes(p.Secret[:])
		m.x.SetByteSlice(p.Pub[1:])
		m.peer, err = btcec.ParsePubKey(p.Peer[:])
		return m, err
	})
	if err != nil {
		return Prepared{}, err
	}
	switch op {
	case Musig2Aggregate:
		keys := windows(pick(members, func(m btcecMember) *btcec.PublicKey { return m.public }), size)
		return cycle(keys, func(keys *[]*btcec.PublicKey, out *[64]byte) error {
			key, _, _, err := musig2.AggregateKeys(*keys, false)
			if err == nil {
				copy(out[:], key.FinalKey.SerializeCompressed())
			}
			return err
		}), nil
	case Musig2Nonces:
		return cycle(windows(pick(parties, nonceOf), size), func(nonces *[][66]byte, out *[64]byte) error {
			sum, err := musig2.AggregateNonces(*nonces)
			copy(out[:], sum[:])
			return err
		}), nil
	case Musig2Sign, Musig2Verify:
		sessions, err := each(members[:min(musigSessions, len(members))], newBtcecSigning)
		return cycle(sessions, func(s *btcecSigning, _ *[64]byte) error {
			if op == Musig2Verify {
				return refused(s.sig.Verify(s.nonce.PubNonce, s.sum, s.keys, s.public, *s.Digest), "partial signature")
			}
			_, err := musig2.Sign(s.nonce.SecNonce, s.secret, s.sum, s.keys, *s.Digest)
			return err
		}), err
	case EllswiftEncode:
		return cycle(members, func(m *btcecMember, _ *[64]byte) error {
			_, _, err := ellswift.XElligatorSwift(&m.x)
			return err
		}), nil
	case EllswiftECDH:
		ours, err := load(parties)
		return Prepared{Run: func(i int, out *[64]byte) error {
			i %= len(members)
			secret, err := ellswift.V2Ecdh(members[i].secret, ours[(i+1)%len(ours)].swift, ours[i].swift, i%2 == 0)
			if err == nil {
				copy(out[:], secret[:])
			}
			return err
		}}, err
	}
	return Prepared{}, ErrNotSupported
}
