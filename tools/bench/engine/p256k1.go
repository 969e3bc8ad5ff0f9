package engine

import (
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
)

// Switches lists settings of GODEBUG under which p256k1, in a separate process, may run other code than by default. On
// some machines, several settings lead to the same backend.
var Switches = map[string][]string{
	"amd64": {"cpu.avx512ifma=off", "cpu.adx=off", "cpu.bmi2=off"},
}[runtime.GOARCH]

type p256k1Engine struct{}

func openP256K1() (Engine, error) { return p256k1Engine{}, nil }

func (p256k1Engine) Info() Info {
	return Info{Name: "p256k1", Backend: platform.Name(), Version: moduleVersion("p256k1.mleku.dev/v2")}
}

func (p256k1Engine) NewSession() (Session, error) { return new(p256k1Session), nil }

type p256k1Session struct{ loaded[member] }

func (*p256k1Session) Close() {}

// A member is an input whose keys have this library's types.
type member struct {
	*Input
	secret       *p256k1.PrivateKey
	public, peer *p256k1.PublicKey
}

func newMember(in *Input) (m member, err error) {
	m.Input = in
	if m.secret, err = p256k1.ParsePrivateKey(in.Secret[:]); err != nil {
		return m, err
	}
	m.public = m.secret.PublicKey()
	m.peer, err = p256k1.ParsePublicKey(in.Peer[:])
	return m, err
}

var hashTag = []byte("bench")

// p256k1Calls maps the names of operations to calls on one input at a time.
var p256k1Calls = map[string]func(m *member, out *Result) error{
	"parse": func(m *member, _ *Result) error {
		_, err := p256k1.ParsePublicKey(m.Pub[:])
		return refused(err == nil, "public key")
	},
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
		p, err := ecdsa.Recover(m.Digest[:], sig)
		return out.set(p.Bytes(), err)
	},
	"schnorr-sign": func(m *member, out *Result) error {
		sig, err := schnorr.Sign(m.secret, m.Digest[:], &schnorr.Options{AuxRand: &noAux})
		return out.set(sig[:], err)
	},
	"schnorr-verify": func(m *member, _ *Result) error {
		return refused(schnorr.VerifyBytes(m.Pub[1:], m.Digest[:], m.Schnorr[:]), "signature")
	},
	"ecdh": func(m *member, out *Result) error {
		sum, err := ecdh.SHA256(m.secret, m.peer)
		return out.set(sum[:], err)
	},
	"ecdh-x": func(m *member, out *Result) error {
		x, err := ecdh.X(m.secret, m.peer)
		return out.set(x[:], err)
	},
	"ellswift-encode": func(m *member, _ *Result) error {
		_, err := ellswift.Encode(m.public, &m.Digest)
		return err
	},
	"ellswift-decode": func(m *member, out *Result) error { return out.set(ellswift.Decode(&m.Swift).Bytes(), nil) },
	"dleq-prove": func(m *member, out *Result) error {
		c, _, err := dleq.Prove(m.secret, m.peer, &dleq.Options{AuxRand: &m.Digest})
		return out.set(c.Bytes(), err)
	},
	"cashu-blind": func(m *member, out *Result) error {
		blinded, err := cashu.Blind(m.Digest[:], m.secret)
		return out.set(blinded.Bytes(), err)
	},
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

// noAux means no auxiliary randomness; nil would mean fresh randomness.
var noAux [32]byte

// Prepare implements Session.
func (s *p256k1Session) Prepare(op string, size int, inputs []Input) (Prepared, error) {
	members, err := s.load(inputs, newMember)
	if err != nil {
		return Prepared{}, err
	}
	if run, ok := p256k1Calls[op]; ok {
		return cycle(members, run)
	}
	if prepare, ok := p256k1Protocols[op]; ok {
		return prepare(size, members)
	}
	return batchOf(op, size, members)
}
