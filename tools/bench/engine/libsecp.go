package engine

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"strings"

	"p256k1.mleku.dev/v2/tools/bench/libsecp"
	"p256k1.mleku.dev/v2/tools/bench/native"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// open opens the default library. The error leaves it to Found to say how to add the library.
func open() (*libsecp.Library, error) {
	l, err := libsecp.Open("")
	if errors.Is(err, libsecp.ErrNotFound) {
		err = errors.New("none on this machine")
	}
	return l, err
}

func openLibsecp() (_ Engine, err error) {
	defer must.Recover(&err)
	return newLibsecp("libsecp256k1", must.Get(open()), "Called without cgo; the figures include the time of the calls.",
		"Its ECDH returns the raw x only through a callback, in this program into Go.")
}

func openLibsecpCgo() (_ Engine, err error) {
	defer must.Recover(&err)
	l := must.Get(must.Get(open()).ViaCgo())
	e := must.Get(newLibsecp("libsecp256k1-cgo", l, "The library of the engine libsecp256k1, called through cgo; the figures include the time of the calls."))
	e.info.Backend = "C, cgo"
	return e, nil
}

func newLibsecp(name string, l *libsecp.Library, notes ...string) (*implementation, error) {
	if lacks := l.Lacks("context_destroy", "context_randomize", "ec_pubkey_create", "ec_pubkey_parse", "ec_pubkey_serialize", "ecdsa_sign",
		"ecdsa_signature_serialize_der", "ecdsa_signature_parse_der", "ecdsa_verify"); len(lacks) > 0 {
		return nil, fmt.Errorf("%s lacks %s", l.Path, strings.Join(lacks, ", "))
	}
	calls := maps.Clone(libsecpCalls)
	for name, functions := range libsecpNeeds {
		if len(l.Lacks(functions...)) > 0 {
			delete(calls, name)
		}
	}
	return &implementation{
		info: Info{
			Name: name, Backend: "C, without cgo", Notes: notes,
			Path: l.Path, SHA256: FileSHA256(l.Path), Version: libsecpVersion(l.Path),
		},
		open: func() (Session, error) {
			c, err := l.NewContext()
			if err != nil {
				return nil, err
			}
			newMember := func(in *Input) libsecpMember { return newLibsecpMember(c, in) }
			s := &session[libsecpMember]{newMember: newMember, calls: calls, close: c.Close}
			s.groupings = map[string]grouping[libsecpMember]{"silent-scan": silentScanC}
			if len(l.Lacks("ellswift_xdh", "ellswift_xdh_hash_function_bip324")) == 0 {
				s.groupings["ellswift-ecdh"] = swiftECDHC
			}
			if m, err := c.NewMusig(); err == nil {
				addMusig(s.groupings, m)
			}
			return s, nil
		},
	}, nil
}

// libsecpVersion returns the version that package native built, because the library itself does not report its version.
// The version of any other file is unknown.
func libsecpVersion(path string) string {
	if b, err := native.Current.Cached(); err == nil && b.Library == path {
		return fmt.Sprintf("%s (%.12s), %s %s", b.Version, b.Revision, b.Compiler, b.Flags[0])
	}
	return "unknown version"
}

// A libsecpMember is an input whose keys have libsecp256k1's types.
type libsecpMember struct {
	*Input
	c            *libsecp.Context
	public, peer libsecp.Pubkey
	pair         libsecp.Keypair // set if the library has the module
}

func newLibsecpMember(c *libsecp.Context, in *Input) libsecpMember {
	check(c.PubkeyCreate(&in.Secret))
	m := libsecpMember{Input: in, c: c, public: check(c.LoadPubkey(in.Pub[:])), peer: check(c.LoadPubkey(in.Peer[:]))}
	m.pair, _ = c.LoadKeypair(&in.Secret)
	return m
}

// libsecpNeeds lists C functions that operations need and that not every version has.
var libsecpNeeds = map[string][]string{
	"recover":         {"ecdsa_recover"},
	"schnorr-sign":    {"keypair_create", "schnorrsig_verify"},
	"schnorr-verify":  {"xonly_pubkey_parse", "schnorrsig_verify"},
	"ecdh":            {"ecdh"},
	"ecdh-x":          {"ecdh"},
	"ellswift-encode": {"ellswift_encode"},
	"ellswift-decode": {"ellswift_decode"},
	"cashu-verify":    {"ecdh"},
	"dleq-prove":      {"ecdh"},
	"cashu-sign":      {"ecdh"},
	"cashu-unblind":   {"ecdh"},
}

// libsecpCalls maps the names of operations to calls on one input at a time. If libsecp256k1 has no module for an
// operation, the call runs only the multiplications that the operation would need.
var libsecpCalls = map[string]call[libsecpMember]{
	"parse":  func(m *libsecpMember, _ *Result) error { return accepted(m.c.LoadPubkey(m.Pub[:])) },
	"derive": func(m *libsecpMember, out *Result) error { return out.accept33(m.c.PubkeyCreate(&m.Secret)) },
	"ecdsa-sign": func(m *libsecpMember, out *Result) error {
		der, n, ok := m.c.ECDSASignDER(&m.Secret, &m.Digest, nil)
		return out.accept(der[:n], ok)
	},
	"ecdsa-verify": func(m *libsecpMember, _ *Result) error {
		return refused(m.c.ECDSAVerifyDER(m.Pub[:], &m.Digest, m.DER), "signature")
	},
	"recover": func(m *libsecpMember, out *Result) error { return out.accept33(m.c.Recover(&m.Digest, &m.Recoverable)) },
	"schnorr-sign": func(m *libsecpMember, out *Result) error {
		sig, ok := m.c.SchnorrSign(&m.pair, &m.Digest, nil)
		return out.accept(sig[:], ok)
	},
	"schnorr-verify": func(m *libsecpMember, _ *Result) error {
		return refused(m.c.SchnorrVerify((*[32]byte)(m.Pub[1:]), m.Digest[:], &m.Schnorr), "signature")
	},
	"ecdh":            func(m *libsecpMember, out *Result) error { return out.accept32(m.c.ECDH(&m.peer, &m.Secret)) },
	"ecdh-x":          func(m *libsecpMember, out *Result) error { return out.accept32(m.c.ECDHX(&m.peer, &m.Secret)) },
	"ellswift-encode": func(m *libsecpMember, _ *Result) error { return accepted(m.c.EllswiftEncode(&m.public, &m.Digest)) },
	"ellswift-decode": func(m *libsecpMember, out *Result) error { return out.accept33(m.c.EllswiftDecode(&m.Swift)) },
	"cashu-verify":    func(m *libsecpMember, _ *Result) error { return accepted(m.c.ECDH(&m.peer, &m.Secret)) }, // k·Y
	"dleq-prove":      twoAndCreate,
	"cashu-sign":      twoAndCreate,
	"dleq-verify":     threeProducts,
	"cashu-unblind": func(m *libsecpMember, out *Result) error { // r·G, r·K and three products
		return cmp.Or(accepted(m.c.PubkeyCreate(&m.Secret)), accepted(m.c.ECDH(&m.public, &m.Secret)), threeProducts(m, out))
	},
}

// twoAndCreate computes a·B, k·B and k·G, with the secret key as a, the digest as k and the peer's key as B.
func twoAndCreate(m *libsecpMember, _ *Result) error {
	return cmp.Or(accepted(m.c.ECDH(&m.peer, &m.Secret)), accepted(m.c.ECDH(&m.peer, &m.Digest)),
		accepted(m.c.PubkeyCreate(&m.Digest)))
}

// threeProducts runs as many multiplications as the verification of a proof, except s·G: it computes e·A, s·B and e·C.
func threeProducts(m *libsecpMember, _ *Result) error {
	return refused(m.c.TweakMul(&m.public, &m.Digest) && m.c.TweakMul(&m.peer, &m.Secret) &&
		m.c.TweakMul(&m.peer, &m.Digest), "input")
}

func swiftECDHC(_ int, members []libsecpMember) Prepared {
	return overIndexes(members, func(i int, m *libsecpMember, out *Result) error {
		return out.accept32(m.c.EllswiftXDH(&m.Secret, &m.Swift, &members[(i+1)%len(members)].Swift, i%2 == 0))
	})
}

// A libsecpSigning is a MuSig2 session of a member and its peer.
type libsecpSigning struct {
	*libsecpMember
	session *libsecp.Musig
	secret  libsecp.MusigNonce
	nonce   [66]byte
	sig     [32]byte
}

func newLibsecpSigning(m *libsecpMember) libsecpSigning {
	t := libsecpSigning{libsecpMember: m, session: must.Get(m.c.NewMusig())}
	t.session.Set([]libsecp.Pubkey{m.public, m.peer})
	aggregated := t.session.Aggregate()
	random := m.Digest
	var made bool
	t.secret, t.nonce, made = t.session.NonceGen(&random, &m.Secret, &m.Digest)
	sum := check(t.session.NonceAgg([][66]byte{t.nonce, nonceOf(m.Input)}))
	check(t, aggregated && made && t.session.LoadSum(&sum) && t.session.Process(&m.Digest))
	t.sig = check(t.session.Sign(&t.secret, &m.pair))
	return t
}

func addMusig(groupings map[string]grouping[libsecpMember], module *libsecp.Musig) {
	groupings["musig2-aggregate"] = func(size int, members []libsecpMember) Prepared {
		keys := windows(pick(members, func(m *libsecpMember) libsecp.Pubkey { return m.public }), size)
		return cycle(keys, func(keys *[]libsecp.Pubkey, out *Result) error {
			module.Set(*keys)
			if !module.Aggregate() {
				return refused(false, "keys")
			}
			return out.accept33(module.Key())
		})
	}
	groupings["musig2-nonces"] = func(size int, members []libsecpMember) Prepared {
		nonces := pick(members, func(m *libsecpMember) [66]byte { return nonceOf(m.Input) })
		return cycle(windows(nonces, size), func(nonces *[][66]byte, out *Result) error {
			sum, ok := module.NonceAgg(*nonces)
			return out.accept(sum[:], ok)
		})
	}
	groupings["musig2-sign"] = func(_ int, members []libsecpMember) Prepared {
		return cycle(pick(signers(members), newLibsecpSigning), func(t *libsecpSigning, _ *Result) error {
			if !t.session.Process(&t.Digest) {
				return refused(false, "session")
			}
			sig, ok := t.session.Sign(&t.secret, &t.pair)
			return refused(ok && t.session.Verify(&sig, &t.nonce, &t.public), "partial signature")
		})
	}
	groupings["musig2-verify"] = func(_ int, members []libsecpMember) Prepared {
		return cycle(pick(signers(members), newLibsecpSigning), func(t *libsecpSigning, _ *Result) error {
			return refused(t.session.Verify(&t.sig, &t.nonce, &t.public), "partial signature")
		})
	}
}

func silentScanC(size int, members []libsecpMember) Prepared {
	module, err := members[0].c.NewSilentPayments()
	if err != nil || size > 1 {
		return Prepared{}
	}
	_, outputs := silent(pick(members, func(m *libsecpMember) *Input { return m.Input }))
	type transaction struct {
		inputs  libsecp.SilentSummary
		outputs libsecp.SilentTransaction
	}
	transactions := make([]transaction, len(members))
	for i := range members {
		var outpoint [36]byte
		copy(outpoint[:], members[i].Digest[:])
		transactions[i].inputs = check(module.Summarize(&outpoint, nil, [][33]byte{members[i].Pub}))
		transactions[i].outputs = check(module.LoadOutputs(outputs[i][:]))
	}
	return overIndexes(transactions, func(i int, t *transaction, _ *Result) error {
		found, ok := module.Scan(&members[0].Secret, &t.inputs, &members[len(members)-1].public, t.outputs, nil)
		if !ok {
			return refused(false, "transaction")
		}
		return checkHits(found, i, 1, len(members))
	})
}
