package engine

import (
	"maps"
	"runtime"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/protocols/cashu"
	"p256k1.mleku.dev/v2/protocols/dleq"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// Switches lists settings of GODEBUG under which p256k1, in a separate process, may run other code than by default. On
// some machines, several settings lead to the same backend. Portable code is measured without lanes in doubles.
var Switches = map[string][]string{
	"amd64": {"cpu.avx512ifma=off", "cpu.adx=off,p256k1fma=off", "cpu.bmi2=off,p256k1fma=off"},
}[runtime.GOARCH]

func openP256K1() (Engine, error) {
	groupings := maps.Clone(p256k1Batches)
	maps.Copy(groupings, p256k1Protocols)
	info := Info{Name: "p256k1", Backend: platform.Name(), Version: moduleVersion("p256k1.mleku.dev/v2")}
	return &implementation{info, func() (Session, error) {
		return &session[member]{newMember: newMember, calls: p256k1Calls, groupings: groupings}, nil
	}}, nil
}

// A member is an input whose keys have this library's types.
type member struct {
	*Input
	secret       *p256k1.PrivateKey
	public, peer *p256k1.PublicKey
}

func newMember(in *Input) member {
	secret := must.Get(p256k1.ParsePrivateKey(in.Secret[:]))
	return member{in, secret, secret.PublicKey(), must.Get(p256k1.ParsePublicKey(in.Peer[:]))}
}

// p256k1Calls maps the names of operations to calls on one input at a time.
var p256k1Calls = map[string]call[member]{
	"parse": func(m *member, _ *Result) error { return parsed(p256k1.ParsePublicKey(m.Pub[:])) },
	"derive": func(m *member, out *Result) error {
		k, err := p256k1.ParsePrivateKey(m.Secret[:])
		if err != nil {
			return refused(false, "secret key")
		}
		return out.set(k.PublicKey().Bytes(), nil)
	},
	"ecdsa-sign": func(m *member, out *Result) error {
		sig, err := ecdsa.Sign(m.secret, m.Digest[:], nil)
		return out.set(sig.DER(), err)
	},
	"ecdsa-verify": func(m *member, _ *Result) error {
		return refused(ecdsa.VerifyDER(m.Pub[:], m.Digest[:], m.DER), "signature")
	},
	"recover": func(m *member, out *Result) error {
		sig, err := ecdsa.ParseRecoverable(m.Recoverable[:])
		if err != nil {
			return err
		}
		return out.setKey(ecdsa.Recover(m.Digest[:], sig))
	},
	"schnorr-sign": func(m *member, out *Result) error {
		sig, err := schnorr.Sign(m.secret, m.Digest[:], &schnorr.Options{AuxRand: &noAux})
		return out.set(sig[:], err)
	},
	"schnorr-verify": func(m *member, _ *Result) error {
		return refused(schnorr.VerifyBytes(m.Pub[1:], m.Digest[:], m.Schnorr[:]), "signature")
	},
	"ecdh":            func(m *member, out *Result) error { return out.set32(ecdh.SHA256(m.secret, m.peer)) },
	"ecdh-x":          func(m *member, out *Result) error { return out.set32(ecdh.X(m.secret, m.peer)) },
	"ellswift-encode": func(m *member, _ *Result) error { return succeeded(ellswift.Encode(m.public, &m.Digest)) },
	"ellswift-decode": func(m *member, out *Result) error { return out.setKey(ellswift.Decode(&m.Swift), nil) },
	"dleq-prove": func(m *member, out *Result) error {
		c, _, err := dleq.Prove(m.secret, m.peer, &dleq.Options{AuxRand: &m.Digest})
		return out.setKey(c, err)
	},
	"cashu-blind": func(m *member, out *Result) error { return out.setKey(cashu.Blind(m.Digest[:], m.secret)) },
	"hash-to-curve": func(m *member, out *Result) error {
		var point curve.Point
		_, err := point.HashToCurve(m.Digest[:], hashTag)
		return out.set(point.Bytes(), err)
	},
	"encode-to-curve": func(m *member, out *Result) error {
		var point curve.Point
		_, err := point.EncodeToCurve(m.Digest[:], hashTag)
		return out.set(point.Bytes(), err)
	},
}

var hashTag = []byte("bench")

// setKey copies a public key, compressed.
func (r *Result) setKey(key *p256k1.PublicKey, err error) error { return r.set(key.Bytes(), err) }

// noAux means no auxiliary randomness; nil would mean fresh randomness.
var noAux [32]byte
