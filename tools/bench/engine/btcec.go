package engine

import (
	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/ecdsa"
	"github.com/btcsuite/btcd/btcec/v2/ellswift"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/btcec/v2/schnorr/musig2"
)

const btcecPath = "github.com/btcsuite/btcd/btcec/v2"

type btcecEngine struct{}

func openBtcec() (Engine, error) { return btcecEngine{}, nil }

func (btcecEngine) Info() Info {
	return Info{
		Name: "btcec", Backend: "Go", Version: moduleVersion(btcecPath),
		Notes: []string{
			"Not constant-time with secret keys in deriving, signing and ECDH.",
			"Its arithmetic, key types and ECDH are decred's, of the version above.",
			"Its Schnorr signing verifies its own signature, unless told not to (schnorr.FastSign).",
		},
	}
}

func (btcecEngine) NewSession() (Session, error) { return new(btcecSession), nil }

// btcecSession inherits the operations that btcec takes from decred's package, by type aliases or calls.
type btcecSession struct{ decredSession }

var btcecCalls = map[string]func(m *decredMember, out *Result) error{
	"parse": func(m *decredMember, _ *Result) error {
		_, err := btcec.ParsePubKey(m.Pub[:])
		return refused(err == nil, "public key")
	},
	"ecdsa-sign": func(m *decredMember, out *Result) error {
		return out.set(ecdsa.Sign(m.secret, m.Digest[:]).Serialize(), nil)
	},
	"ecdsa-verify": func(m *decredMember, _ *Result) error {
		p, err := btcec.ParsePubKey(m.Pub[:])
		if err != nil {
			return refused(false, "public key")
		}
		sig, err := ecdsa.ParseDERSignature(m.DER)
		return refused(err == nil && sig.Verify(m.Digest[:], p), "signature")
	},
	"schnorr-sign": func(m *decredMember, out *Result) error {
		sig, err := schnorr.Sign(m.secret, m.Digest[:], schnorr.CustomNonce([32]byte{}))
		if err != nil {
			return err
		}
		return out.set(sig.Serialize(), nil)
	},
	"schnorr-verify": func(m *decredMember, _ *Result) error {
		p, err := schnorr.ParsePubKey(m.Pub[1:])
		if err != nil {
			return refused(false, "public key")
		}
		sig, err := schnorr.ParseSignature(m.Schnorr[:])
		return refused(err == nil && sig.Verify(m.Digest[:], p), "signature")
	},
	"ecdh-x": func(m *decredMember, out *Result) error {
		return out.set(btcec.GenerateSharedSecret(m.secret, m.peer), nil)
	},
	"ellswift-encode": func(m *decredMember, _ *Result) error {
		var x btcec.FieldVal
		x.SetByteSlice(m.Pub[1:])
		_, _, err := ellswift.XElligatorSwift(&x)
		return err
	},
}

// A btcecSigning is a MuSig2 session between a member and its peer.
type btcecSigning struct {
	*decredMember
	keys  []*btcec.PublicKey
	nonce *musig2.Nonces
	sum   [66]byte
	sig   *musig2.PartialSignature
}

func newBtcecSigning(m *decredMember) (s btcecSigning, err error) {
	s.decredMember, s.keys = m, []*btcec.PublicKey{m.public, m.peer}
	if s.nonce, err = musig2.GenNonces(musig2.WithPublicKey(m.public)); err != nil {
		return s, err
	}
	if s.sum, err = musig2.AggregateNonces([][66]byte{s.nonce.PubNonce, nonceOf(m.Input)}); err != nil {
		return s, err
	}
	s.sig, err = musig2.Sign(s.nonce.SecNonce, m.secret, s.sum, s.keys, m.Digest)
	return s, err
}

// Prepare implements Session. In MuSig2, each call that signs or verifies aggregates the keys again and takes encoded
// nonces, because btcec's functions work in this way unless each signer has a session.
func (s *btcecSession) Prepare(op string, size int, inputs []Input) (Prepared, error) {
	members, err := s.load(inputs, newDecredMember)
	if err != nil {
		return Prepared{}, err
	}
	if run, ok := btcecCalls[op]; ok {
		return cycle(members, run)
	}
	switch op {
	case "musig2-aggregate":
		keys := windows(pick(members, func(m *decredMember) *btcec.PublicKey { return m.public }), size)
		return cycle(keys, func(keys *[]*btcec.PublicKey, out *Result) error {
			key, _, _, err := musig2.AggregateKeys(*keys, false)
			if err != nil {
				return err
			}
			return out.set(key.FinalKey.SerializeCompressed(), nil)
		})
	case "musig2-nonces":
		return cycle(windows(pick(inputs, nonceOf), size), func(nonces *[][66]byte, out *Result) error {
			sum, err := musig2.AggregateNonces(*nonces)
			return out.set(sum[:], err)
		})
	case "musig2-sign", "musig2-verify":
		signings, err := each(members[:min(musigSessions, len(members))], newBtcecSigning)
		if err != nil {
			return Prepared{}, err
		}
		return cycle(signings, func(s *btcecSigning, _ *Result) error {
			if op == "musig2-verify" {
				return refused(s.sig.Verify(s.nonce.PubNonce, s.sum, s.keys, s.public, s.Digest), "partial signature")
			}
			_, err := musig2.Sign(s.nonce.SecNonce, s.secret, s.sum, s.keys, s.Digest)
			return err
		})
	case "ellswift-ecdh":
		return Prepared{Run: func(i int, out *Result) error {
			i %= len(members)
			secret, err := ellswift.V2Ecdh(members[i].secret, inputs[(i+1)%len(inputs)].Swift, inputs[i].Swift, i%2 == 0)
			if err != nil {
				return err
			}
			return out.set(secret[:], nil)
		}}, nil
	}
	return s.decredSession.Prepare(op, size, inputs)
}
