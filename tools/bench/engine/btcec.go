package engine

import (
	"maps"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/ecdsa"
	"github.com/btcsuite/btcd/btcec/v2/ellswift"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/btcec/v2/schnorr/musig2"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

const btcecPath = "github.com/btcsuite/btcd/btcec/v2"

func openBtcec() (Engine, error) {
	return &implementation{Info{
		Name: "btcec", Backend: "Go", Version: moduleVersion(btcecPath),
		Notes: []string{
			"Not constant-time with secret keys in deriving, signing and ECDH.",
			"Its arithmetic, key types and ECDH are decred's, of the version above.",
			"Its Schnorr signing verifies its own signature, unless told not to (schnorr.FastSign).",
		},
	}, newBtcecSession}, nil
}

// newBtcecSession returns a session with btcec's operations, and with those that btcec takes from decred's package, by
// type aliases or calls.
func newBtcecSession() (Session, error) {
	calls := maps.Clone(decredCalls)
	maps.Copy(calls, btcecCalls)
	return &session[decredMember]{newMember: newDecredMember, calls: calls, groupings: btcecGroupings}, nil
}

var btcecCalls = map[string]call[decredMember]{
	"parse": func(m *decredMember, _ *Result) error { return parsed(btcec.ParsePubKey(m.Pub[:])) },
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

func newBtcecSigning(m *decredMember) btcecSigning {
	s := btcecSigning{decredMember: m, keys: []*btcec.PublicKey{m.public, m.peer}}
	s.nonce = must.Get(musig2.GenNonces(musig2.WithPublicKey(m.public)))
	s.sum = must.Get(musig2.AggregateNonces([][66]byte{s.nonce.PubNonce, nonceOf(m.Input)}))
	s.sig = must.Get(musig2.Sign(s.nonce.SecNonce, m.secret, s.sum, s.keys, m.Digest))
	return s
}

// btcecGroupings lists the operations that take several keys or nonces. In MuSig2, each call that signs or verifies
// aggregates the keys again and takes encoded nonces, because btcec's functions work in this way unless each signer has
// a session.
var btcecGroupings = map[string]grouping[decredMember]{
	"musig2-aggregate": func(size int, members []decredMember) Prepared {
		keys := windows(pick(members, func(m *decredMember) *btcec.PublicKey { return m.public }), size)
		return cycle(keys, func(keys *[]*btcec.PublicKey, out *Result) error {
			key, _, _, err := musig2.AggregateKeys(*keys, false)
			if err != nil {
				return err
			}
			return out.set(key.FinalKey.SerializeCompressed(), nil)
		})
	},
	"musig2-nonces": func(size int, members []decredMember) Prepared {
		nonces := pick(members, func(m *decredMember) [66]byte { return nonceOf(m.Input) })
		return cycle(windows(nonces, size), func(nonces *[][66]byte, out *Result) error {
			sum, err := musig2.AggregateNonces(*nonces)
			return out.set(sum[:], err)
		})
	},
	"musig2-sign": func(_ int, members []decredMember) Prepared {
		return cycle(pick(signers(members), newBtcecSigning), func(s *btcecSigning, _ *Result) error {
			return succeeded(musig2.Sign(s.nonce.SecNonce, s.secret, s.sum, s.keys, s.Digest))
		})
	},
	"musig2-verify": func(_ int, members []decredMember) Prepared {
		return cycle(pick(signers(members), newBtcecSigning), func(s *btcecSigning, _ *Result) error {
			return refused(s.sig.Verify(s.nonce.PubNonce, s.sum, s.keys, s.public, s.Digest), "partial signature")
		})
	},
	"ellswift-ecdh": func(_ int, members []decredMember) Prepared {
		return overIndexes(members, func(i int, m *decredMember, out *Result) error {
			secret, err := ellswift.V2Ecdh(m.secret, members[(i+1)%len(members)].Swift, m.Swift, i%2 == 0)
			if err != nil {
				return err
			}
			return out.set(secret[:], nil)
		})
	},
}
