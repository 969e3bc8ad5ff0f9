package engine

import (
	"errors"
	"fmt"
	"strings"

	"p256k1.mleku.dev/v2/tools/bench/libsecp"
	"p256k1.mleku.dev/v2/tools/bench/native"
)

type libsecpEngine struct {
	library *libsecp.Library
	info    Info
}

// open opens the default library. The error leaves it to Found to say how to add the library.
func open() (*libsecp.Library, error) {
	l, err := libsecp.Open("")
	if errors.Is(err, libsecp.ErrNotFound) {
		err = errors.New("none on this machine")
	}
	return l, err
}

func openLibsecp() (Engine, error) {
	l, err := open()
	if err != nil {
		return nil, err
	}
	return newLibsecp("libsecp256k1", l, "Called without cgo; the figures include the time of the calls.",
		"Its ECDH returns the raw x only through a callback, in this program into Go.")
}

func openLibsecpCgo() (Engine, error) {
	l, err := open()
	if err != nil {
		return nil, err
	}
	if l, err = l.ViaCgo(); err != nil {
		return nil, err
	}
	e, err := newLibsecp("libsecp256k1-cgo", l, "The library of the engine libsecp256k1, called through cgo; the figures include the time of the calls.")
	if err == nil {
		e.info.Backend = "C, cgo"
	}
	return e, err
}

func newLibsecp(name string, l *libsecp.Library, notes ...string) (*libsecpEngine, error) {
	if lacks := l.Lacks("context_destroy", "context_randomize", "ec_pubkey_create", "ec_pubkey_parse", "ec_pubkey_serialize", "ecdsa_sign",
		"ecdsa_signature_serialize_der", "ecdsa_signature_parse_der", "ecdsa_verify"); len(lacks) > 0 {
		return nil, fmt.Errorf("%s lacks %s", l.Path, strings.Join(lacks, ", "))
	}
	e := &libsecpEngine{library: l, info: Info{Name: name, Backend: "C, without cgo", Notes: notes}}
	e.info.Path, e.info.SHA256 = l.Path, FileSHA256(l.Path)
	e.info.Version = libsecpVersion(e.info.Path)
	return e, nil
}

// libsecpVersion returns the version that package native built, because the library itself does not report its version.
// The version of any other file is unknown.
func libsecpVersion(path string) string {
	if b, err := native.Cached(); err == nil && b.Library == path {
		return fmt.Sprintf("%s (%.12s), %s %s", b.Version, b.Revision, b.Compiler, b.Flags[0])
	}
	return "unknown version"
}

func (e *libsecpEngine) Info() Info { return e.info }

func (e *libsecpEngine) NewSession() (Session, error) {
	c, err := e.library.NewContext()
	if err != nil {
		return nil, err
	}
	return &libsecpSession{library: e.library, c: c}, nil
}

type libsecpSession struct {
	library *libsecp.Library
	c       *libsecp.Context
	loaded[libsecpMember]
}

func (s *libsecpSession) Close() { s.c.Close() }

// A libsecpMember is an input whose keys have libsecp256k1's types.
type libsecpMember struct {
	*Input
	public, peer libsecp.Pubkey
	pair         libsecp.Keypair // set if the library has the module
}

func (s *libsecpSession) newMember(in *Input) (m libsecpMember, err error) {
	m.Input = in
	var ok [3]bool
	m.public, ok[0] = s.c.LoadPubkey(in.Pub[:])
	m.peer, ok[1] = s.c.LoadPubkey(in.Peer[:])
	_, ok[2] = s.c.PubkeyCreate(&in.Secret)
	m.pair, _ = s.c.LoadKeypair(&in.Secret)
	return m, refused(ok == [3]bool{true, true, true}, "key")
}

// A libsecpCall is a call of the library. run reports whether the library accepted its input.
type libsecpCall struct {
	run   func(c *libsecp.Context, m *libsecpMember, out *Result) bool
	needs []string // C functions that the call needs and that not every version has
}

// libsecpCalls maps the names of operations to calls on one input at a time. If libsecp256k1 has no module for an
// operation, the call runs only the multiplications that the operation would need.
var libsecpCalls = map[string]libsecpCall{
	"parse": {run: func(c *libsecp.Context, m *libsecpMember, _ *Result) bool {
		_, ok := c.LoadPubkey(m.Pub[:])
		return ok
	}},
	"derive": {run: func(c *libsecp.Context, m *libsecpMember, out *Result) bool {
		pub, ok := c.PubkeyCreate(&m.Secret)
		return out.accept(pub[:], ok)
	}},
	"ecdsa-sign": {run: func(c *libsecp.Context, m *libsecpMember, out *Result) bool {
		der, n, ok := c.ECDSASignDER(&m.Secret, &m.Digest, nil)
		return out.accept(der[:n], ok)
	}},
	"ecdsa-verify": {run: func(c *libsecp.Context, m *libsecpMember, _ *Result) bool {
		return c.ECDSAVerifyDER(m.Pub[:], &m.Digest, m.DER)
	}},
	"recover": {func(c *libsecp.Context, m *libsecpMember, out *Result) bool {
		pub, ok := c.Recover(&m.Digest, &m.Recoverable)
		return out.accept(pub[:], ok)
	}, []string{"ecdsa_recover"}},
	"schnorr-sign": {func(c *libsecp.Context, m *libsecpMember, out *Result) bool {
		sig, ok := c.SchnorrSign(&m.pair, &m.Digest, nil)
		return out.accept(sig[:], ok)
	}, []string{"keypair_create", "schnorrsig_verify"}},
	"schnorr-verify": {func(c *libsecp.Context, m *libsecpMember, _ *Result) bool {
		return c.SchnorrVerify((*[32]byte)(m.Pub[1:]), m.Digest[:], &m.Schnorr)
	}, []string{"xonly_pubkey_parse", "schnorrsig_verify"}},
	"ecdh": {func(c *libsecp.Context, m *libsecpMember, out *Result) bool {
		sum, ok := c.ECDH(&m.peer, &m.Secret)
		return out.accept(sum[:], ok)
	}, []string{"ecdh"}},
	"ecdh-x": {func(c *libsecp.Context, m *libsecpMember, out *Result) bool {
		x, ok := c.ECDHX(&m.peer, &m.Secret)
		return out.accept(x[:], ok)
	}, []string{"ecdh"}},
	"ellswift-encode": {func(c *libsecp.Context, m *libsecpMember, _ *Result) bool {
		_, ok := c.EllswiftEncode(&m.public, &m.Digest)
		return ok
	}, []string{"ellswift_encode"}},
	"ellswift-decode": {func(c *libsecp.Context, m *libsecpMember, out *Result) bool {
		pub, ok := c.EllswiftDecode(&m.Swift)
		return out.accept(pub[:], ok)
	}, []string{"ellswift_decode"}},
	"cashu-verify": {func(c *libsecp.Context, m *libsecpMember, _ *Result) bool { // computes k·Y
		_, ok := c.ECDH(&m.peer, &m.Secret)
		return ok
	}, []string{"ecdh"}},
	"dleq-prove":  {twoAndCreate, []string{"ecdh"}},
	"cashu-sign":  {twoAndCreate, []string{"ecdh"}},
	"dleq-verify": {run: threeProducts},
	"cashu-unblind": {func(c *libsecp.Context, m *libsecpMember, out *Result) bool { // r·G, r·K and three products
		_, ok := c.PubkeyCreate(&m.Secret)
		_, ok2 := c.ECDH(&m.public, &m.Secret)
		return ok && ok2 && threeProducts(c, m, out)
	}, []string{"ecdh"}},
}

// twoAndCreate computes a·B, k·B and k·G, with the secret key as a, the digest as k and the peer's key as B.
func twoAndCreate(c *libsecp.Context, m *libsecpMember, _ *Result) bool {
	_, ok := c.ECDH(&m.peer, &m.Secret)
	_, ok2 := c.ECDH(&m.peer, &m.Digest)
	_, ok3 := c.PubkeyCreate(&m.Digest)
	return ok && ok2 && ok3
}

// threeProducts runs as many multiplications as the verification of a proof, except s·G: it computes e·A, s·B and e·C.
func threeProducts(c *libsecp.Context, m *libsecpMember, _ *Result) bool {
	return c.TweakMul(&m.public, &m.Digest) && c.TweakMul(&m.peer, &m.Secret) && c.TweakMul(&m.peer, &m.Digest)
}

// Prepare implements Session.
func (s *libsecpSession) Prepare(op string, size int, inputs []Input) (Prepared, error) {
	call, ok := libsecpCalls[op]
	if missing := s.library.Lacks(call.needs...); len(missing) > 0 || (ok && size > 1) {
		return Prepared{}, ErrNotSupported
	}
	members, err := s.load(inputs, s.newMember)
	if err != nil {
		return Prepared{}, err
	}
	if ok {
		return cycle(members, func(m *libsecpMember, out *Result) error { return refused(call.run(s.c, m, out), "input") })
	}
	switch op {
	case "musig2-aggregate", "musig2-nonces", "musig2-sign", "musig2-verify":
		return s.musig(op, size, members)
	case "ellswift-ecdh":
		if !s.library.HasEllswift() {
			break
		}
		return Prepared{Run: func(i int, out *Result) error {
			i %= len(inputs)
			secret, ok := s.c.EllswiftXDH(&inputs[i].Secret, &inputs[i].Swift, &inputs[(i+1)%len(inputs)].Swift, i%2 == 0)
			return refused(out.accept(secret[:], ok), "key")
		}}, nil
	case "silent-scan":
		if size > 1 {
			break
		}
		return s.silentScan(members, inputs)
	}
	return Prepared{}, ErrNotSupported
}

// A libsecpSigning is a MuSig2 session of a member and its peer.
type libsecpSigning struct {
	*libsecpMember
	session *libsecp.Musig
	secret  libsecp.MusigNonce
	nonce   [66]byte
	sig     [32]byte
}

func (s *libsecpSession) newSigning(m *libsecpMember) (t libsecpSigning, err error) {
	t.libsecpMember = m
	if t.session, err = s.c.NewMusig(); err != nil {
		return t, err
	}
	t.session.Set([]libsecp.Pubkey{m.public, m.peer})
	aggregated := t.session.Aggregate()
	random := m.Digest
	var made, added, signed bool
	var sum [66]byte
	t.secret, t.nonce, made = t.session.NonceGen(&random, &m.Secret, &m.Digest)
	sum, added = t.session.NonceAgg([][66]byte{t.nonce, nonceOf(m.Input)})
	if aggregated && made && added && t.session.LoadSum(&sum) && t.session.Process(&m.Digest) {
		t.sig, signed = t.session.Sign(&t.secret, &m.pair)
	}
	return t, refused(signed, "session")
}

func (s *libsecpSession) musig(op string, size int, members []libsecpMember) (Prepared, error) {
	m, err := s.c.NewMusig()
	if err != nil {
		return Prepared{}, ErrNotSupported
	}
	switch op {
	case "musig2-aggregate":
		keys := windows(pick(members, func(m *libsecpMember) libsecp.Pubkey { return m.public }), size)
		return cycle(keys, func(keys *[]libsecp.Pubkey, out *Result) error {
			m.Set(*keys)
			ok := m.Aggregate()
			key, ok2 := m.Key()
			return refused(out.accept(key[:], ok && ok2), "keys")
		})
	case "musig2-nonces":
		nonces := pick(members, func(m *libsecpMember) [66]byte { return nonceOf(m.Input) })
		return cycle(windows(nonces, size), func(nonces *[][66]byte, out *Result) error {
			sum, ok := m.NonceAgg(*nonces)
			return refused(out.accept(sum[:], ok), "nonces")
		})
	}
	signings, err := each(members[:min(musigSessions, len(members))], s.newSigning)
	if err != nil {
		return Prepared{}, err
	}
	return cycle(signings, func(t *libsecpSigning, _ *Result) error {
		sig, ok := t.sig, true
		if op == "musig2-sign" {
			ok = t.session.Process(&t.Digest)
			if ok {
				sig, ok = t.session.Sign(&t.secret, &t.pair)
			}
		}
		return refused(ok && t.session.Verify(&sig, &t.nonce, &t.public), "partial signature")
	})
}

func (s *libsecpSession) silentScan(members []libsecpMember, inputs []Input) (Prepared, error) {
	module, err := s.c.NewSilentPayments()
	if err != nil {
		return Prepared{}, ErrNotSupported
	}
	_, outputs, err := silent(inputs)
	if err != nil {
		return Prepared{}, err
	}
	n := len(members)
	summaries, transactions := make([]libsecp.SilentSummary, n), make([]libsecp.SilentTransaction, n)
	for i, m := range members {
		var outpoint [36]byte
		copy(outpoint[:], m.Digest[:])
		var ok, ok2 bool
		summaries[i], ok = module.Summarize(&outpoint, nil, [][33]byte{m.Pub})
		transactions[i], ok2 = module.LoadOutputs(outputs[i][:])
		if !ok || !ok2 {
			return Prepared{}, refused(false, "transaction")
		}
	}
	return Prepared{Run: func(i int, _ *Result) error {
		i %= n
		found, ok := module.Scan(&inputs[0].Secret, &summaries[i], &members[n-1].public, transactions[i], nil)
		if !ok {
			return refused(false, "transaction")
		}
		return checkHits(found, i, 1, n)
	}}, nil
}
