package engine

import (
	"crypto/sha256"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

const decredPath = "github.com/decred/dcrd/dcrec/secp256k1/v4"

func openDecred() (Engine, error) {
	return &implementation{Info{
		Name: "decred", Backend: "Go", Version: moduleVersion(decredPath),
		Notes: []string{
			"Not constant-time with secret keys in deriving, signing and ECDH.",
			"Its Schnorr signatures follow Decred's own scheme, not BIP-340.",
		},
	}, newDecredSession}, nil
}

func newDecredSession() (Session, error) {
	return &session[decredMember]{newMember: newDecredMember, calls: decredCalls}, nil
}

// compactHeader plus the recovery id is the first byte of Bitcoin's compact signatures, as btcec and decred write it:
// 27, plus 4 for a compressed key.
const compactHeader = 27 + 4

// A decredMember is an input whose keys have decred's types, which btcec uses, too.
type decredMember struct {
	*Input
	secret       *secp256k1.PrivateKey
	public, peer *secp256k1.PublicKey
	compact      [65]byte
}

func newDecredMember(in *Input) decredMember {
	m := decredMember{Input: in, secret: must.Get(decredSecret(in)), peer: must.Get(secp256k1.ParsePubKey(in.Peer[:]))}
	m.public = m.secret.PubKey()
	m.compact[0] = in.Recoverable[64] + compactHeader
	copy(m.compact[1:], in.Recoverable[:64])
	return m
}

func decredSecret(in *Input) (*secp256k1.PrivateKey, error) {
	var d secp256k1.ModNScalar
	overflow := d.SetBytes(&in.Secret)
	return secp256k1.NewPrivateKey(&d), refused(overflow == 0 && !d.IsZero(), "secret key out of range")
}

var decredCalls = map[string]call[decredMember]{
	"parse": func(m *decredMember, _ *Result) error { return parsed(secp256k1.ParsePubKey(m.Pub[:])) },
	"derive": func(m *decredMember, out *Result) error {
		secret, err := decredSecret(m.Input)
		return out.set(secret.PubKey().SerializeCompressed(), err)
	},
	"ecdsa-sign": func(m *decredMember, out *Result) error {
		return out.set(ecdsa.Sign(m.secret, m.Digest[:]).Serialize(), nil)
	},
	"ecdsa-verify": func(m *decredMember, _ *Result) error {
		p, err := secp256k1.ParsePubKey(m.Pub[:])
		if err != nil {
			return refused(false, "public key")
		}
		sig, err := ecdsa.ParseDERSignature(m.DER)
		return refused(err == nil && sig.Verify(m.Digest[:], p), "signature")
	},
	"recover": func(m *decredMember, out *Result) error {
		p, _, err := ecdsa.RecoverCompact(m.compact[:], m.Digest[:])
		if err != nil {
			return refused(false, "signature")
		}
		return out.set(p.SerializeCompressed(), nil)
	},
	"ecdh-x": func(m *decredMember, out *Result) error {
		return out.set(secp256k1.GenerateSharedSecret(m.secret, m.peer), nil)
	},
	// Decred's package has no function that hashes the shared point, so this call combines the functions that it has.
	"ecdh": func(m *decredMember, out *Result) error {
		var point, shared secp256k1.JacobianPoint
		m.peer.AsJacobian(&point)
		secp256k1.ScalarMultNonConst(&m.secret.Key, &point, &shared)
		shared.ToAffine()
		sum := sha256.Sum256(secp256k1.NewPublicKey(&shared.X, &shared.Y).SerializeCompressed())
		return out.set(sum[:], nil)
	},
}
