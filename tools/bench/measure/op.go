package measure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"p256k1.mleku.dev/v2/tools/bench/engine"
)

// An Op is something that engines do.
type Op struct {
	Name      string // on the command line and in JSON
	Benchmark string // what follows "Benchmark" in Go's benchmarks
	Title     string // for people
	What      string // what one call is

	// Program is the name of the same work in the benchmark program of
	// libsecp256k1, or "".
	Program string
	// Varied is whether that program makes other inputs in each iteration from
	// what the one before returned, so that it compares with many inputs here.
	Varied bool
	// Portable, Assembly and Lanes are the greatest ratios of this library's time to
	// that of the C program which the design accepts; 0 for none. Lanes is with
	// AVX-512 IFMA, where that is not the same as Assembly.
	Portable, Assembly, Lanes float64

	// Base names the operation that does the same work one at a time, without what
	// this one prepares; "" for none. It stands for engines that have no other way.
	Base string
	// Batch is how many inputs a call works on, 0 if it is no batch. Family is then
	// the name without this number.
	Batch  int
	Family string

	// Group is the part of the report that it is in: "" or Protocols.
	Group string

	step func(w *worker, i int) error

	protocol string // the name that package engine has for it,
	size     int    // and how many a call takes
}

// items is how many inputs a call works on.
func (op Op) items() int { return max(1, op.Batch) }

// Ops are all operations. One call of each is one iteration of the C benchmark
// of that name, where there is one.
var Ops = append(append(singles, batchOps()...), protocolOps()...)

var singles = []Op{
	{
		Name: "ecdsa-verify", Benchmark: "Verify", Title: "ECDSA verify",
		What:    "parse a compressed public key and a signature in DER, verify",
		Program: "ecdsa_verify", Portable: 0.9, Assembly: 0.61, Lanes: 0.59, step: (*worker).ecdsaVerify,
	},
	{
		Name: "ecdsa-sign", Benchmark: "Sign", Title: "ECDSA sign",
		What:    "sign with a loaded secret key, encode in DER",
		Program: "ecdsa_sign", Portable: 0.97, Assembly: 0.50, Lanes: 0.40, step: (*worker).ecdsaSign,
	},
	{
		Name: "schnorr-verify", Benchmark: "SchnorrVerify", Title: "Schnorr verify",
		What:    "parse an x-only public key, verify a BIP-340 signature of 32 bytes",
		Program: "schnorrsig_verify", Portable: 0.85, Assembly: 0.57, Lanes: 0.55, step: (*worker).schnorrVerify,
	},
	{
		Name: "schnorr-sign", Benchmark: "SchnorrSign", Title: "Schnorr sign",
		What:    "sign 32 bytes as in BIP-340 with a loaded key pair, without auxiliary randomness",
		Program: "schnorrsig_sign", Portable: 0.9, Assembly: 0.48, Lanes: 0.36, step: (*worker).schnorrSign,
	},
	{
		Name: "derive", Benchmark: "Derive", Title: "Public key from secret",
		What:    "from the bytes of a secret key to those of its compressed public key",
		Program: "ec_keygen", Portable: 0.8, Assembly: 0.47, Lanes: 0.33, step: (*worker).derive,
	},
	{
		Name: "ecdh", Benchmark: "ECDH", Title: "ECDH, SHA-256",
		What:    "SHA-256 of the compressed shared point, from loaded keys",
		Program: "ecdh", Portable: 0.92, Assembly: 0.60, Lanes: 0.58, step: (*worker).ecdh,
	},
	{
		Name: "ecdh-x", Benchmark: "ECDHX", Title: "ECDH, raw x",
		What: "x of the shared point, from loaded keys",
		step: (*worker).ecdhX,
	},
	{
		Name: "recover", Benchmark: "Recover", Title: "Recover",
		What:    "from a signature with recovery id to the compressed public key",
		Program: "ecdsa_recover", Varied: true, Portable: 0.92, Assembly: 0.62, step: (*worker).recoverKey,
	},
	{
		Name: "parse", Benchmark: "Parse", Title: "Parse public key",
		What: "decompress a public key of 33 bytes",
		step: (*worker).parse,
	},
	{
		Name: "ecdsa-verify-precomputed", Benchmark: "VerifyPrecomputed", Title: "ECDSA verify, key made ready",
		What: "parse a signature in DER, verify with one of eight keys that carry tables",
		Base: "ecdsa-verify", Portable: 0.6, Assembly: 0.42, Lanes: 0.2, step: (*worker).ecdsaVerifyPrecomputed,
	},
	{
		Name: "schnorr-verify-precomputed", Benchmark: "SchnorrVerifyPrecomputed", Title: "Schnorr verify, key made ready",
		What: "verify a BIP-340 signature of 32 bytes with one of eight keys that carry tables",
		Base: "schnorr-verify", Portable: 0.6, Assembly: 0.42, Lanes: 0.2, step: (*worker).schnorrVerifyPrecomputed,
	},
}

// Names are those by which SelectOps knows operations: of batches without a number,
// which stands for all sizes.
func Names() (names []string) {
	for _, op := range Ops {
		if name := cmp.Or(op.Family, op.Name); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// SelectOps returns operations by name, or all for none. Where one needs another as
// its Base, that comes before it.
func SelectOps(names ...string) ([]Op, error) {
	if len(names) == 0 {
		return Ops, nil
	}
	var selected []Op
	add := func(op Op) {
		if !slices.ContainsFunc(selected, func(s Op) bool { return s.Name == op.Name }) {
			selected = append(selected, op)
		}
	}
	for _, name := range names {
		known := false
		for _, op := range Ops {
			if op.Name != name && op.Family != name {
				continue
			}
			known = true
			if base, ok := opByName(op.Base); ok {
				add(base)
			}
			add(op)
		}
		if !known {
			return nil, fmt.Errorf("no operation %q: there are %s", name, strings.Join(Names(), ", "))
		}
	}
	return selected, nil
}

func opByName(name string) (Op, bool) {
	i := slices.IndexFunc(Ops, func(op Op) bool { return op.Name == name })
	if i < 0 {
		return Op{}, false
	}
	return Ops[i], true
}

// A worker is a session at work on a corpus, with the keys loaded that
// operations want loaded.
type worker struct {
	session engine.Session
	corpus  Corpus
	secrets []engine.Secret
	publics []engine.Public
	ready   []engine.Public // the first keys, with tables
	items   []engine.Item
	pubs    [][33]byte
	buffer  []byte

	prepared map[string]engine.Prepared // operations of protocols, by name
	current  engine.Prepared
	result   [64]byte
}

func newWorker(e engine.Engine, c Corpus) (*worker, error) {
	s, err := e.NewSession()
	if err != nil {
		return nil, err
	}
	return &worker{session: s, corpus: c, buffer: make([]byte, 0, 128)}, nil
}

// load prepares for an operation. Its error is an engine.ErrNotSupported if the
// engine does not have it.
func (w *worker) load(op Op) error {
	switch op.Name {
	case "ecdh", "ecdh-x":
		if err := w.loadPublics(); err != nil {
			return err
		}
		fallthrough
	case "ecdsa-sign", "schnorr-sign":
		if err := w.loadSecrets(); err != nil {
			return err
		}
	case "ecdsa-verify-precomputed", "schnorr-verify-precomputed":
		if err := w.precompute(); err != nil {
			return err
		}
	}
	switch {
	case op.Group == Protocols:
		if err := w.prepare(op); err != nil {
			return err
		}
		w.current = w.prepared[op.Name]
		if err := w.refill(op, 1); err != nil {
			return err
		}
	case op.Batch > 0:
		if err := w.loadItems(op); err != nil {
			return err
		}
	}
	return op.step(w, 0)
}

// protocol runs the operation that was loaded last.
func (w *worker) protocol(i int) error { return w.current.Run(i, &w.result) }

func (w *worker) loadSecrets() error {
	if w.secrets != nil {
		return nil
	}
	for i := range w.corpus {
		s, err := w.session.LoadSecret(&w.corpus[i].Secret)
		if err != nil {
			return err
		}
		w.secrets = append(w.secrets, s)
	}
	return nil
}

func (w *worker) loadPublics() error {
	if w.publics != nil {
		return nil
	}
	for i := range w.corpus {
		p, err := w.session.LoadPublic(w.corpus[i].Peer[:])
		if err != nil {
			return err
		}
		w.publics = append(w.publics, p)
	}
	return nil
}

func (w *worker) at(i int) (*Input, int) {
	i %= len(w.corpus)
	return &w.corpus[i], i
}

// wrong is a result that is not what it has to be.
func wrong(what string, i int) error { return fmt.Errorf("measure: wrong %s of input %d", what, i) }

func (w *worker) ecdsaVerify(i int) error {
	in, i := w.at(i)
	ok, err := w.session.ECDSAVerify(&in.Pub, &in.Digest, in.DER)
	if err == nil && !ok {
		err = wrong("verdict on the ECDSA signature", i)
	}
	return err
}

func (w *worker) ecdsaSign(i int) error {
	in, i := w.at(i)
	der, err := w.session.ECDSASign(w.buffer, w.secrets[i], &in.Digest)
	if err == nil && len(der) < 64 {
		err = wrong("ECDSA signature", i)
	}
	return err
}

func (w *worker) schnorrVerify(i int) error {
	in, i := w.at(i)
	ok, err := w.session.SchnorrVerify(&in.XOnly, &in.Digest, &in.Schnorr)
	if err == nil && !ok {
		err = wrong("verdict on the Schnorr signature", i)
	}
	return err
}

func (w *worker) schnorrSign(i int) error {
	in, i := w.at(i)
	sig, err := w.session.SchnorrSign(w.secrets[i], &in.Digest, nil)
	if err == nil && sig != in.Schnorr {
		err = wrong("Schnorr signature", i)
	}
	return err
}

func (w *worker) derive(i int) error {
	in, i := w.at(i)
	pub, err := w.session.Derive(&in.Secret)
	if err == nil && pub != in.Pub {
		err = wrong("public key", i)
	}
	return err
}

func (w *worker) ecdh(i int) error {
	_, i = w.at(i)
	secret, err := w.session.ECDHSHA256(w.secrets[i], w.publics[i])
	if err == nil && secret == [32]byte{} {
		err = wrong("shared secret", i)
	}
	return err
}

func (w *worker) ecdhX(i int) error {
	_, i = w.at(i)
	x, err := w.session.ECDHX(w.secrets[i], w.publics[i])
	if err == nil && x == [32]byte{} {
		err = wrong("shared x", i)
	}
	return err
}

func (w *worker) recoverKey(i int) error {
	in, i := w.at(i)
	pub, err := w.session.Recover(&in.Digest, &in.Recoverable)
	if err == nil && pub != in.Pub {
		err = wrong("recovered key", i)
	}
	return err
}

func (w *worker) parse(i int) error {
	in, _ := w.at(i)
	_, err := w.session.LoadPublic(in.Pub[:])
	return err
}

// precompute makes keys ready: few of them, as the tables of thousands would neither
// fit any cache nor be of use.
func (w *worker) precompute() error {
	p, ok := w.session.(engine.Precomputer)
	if !ok {
		return engine.ErrNotSupported
	}
	for i := len(w.ready); i < min(FewKeys, len(w.corpus)); i++ {
		key, err := p.Precompute(w.corpus[i].Pub[:])
		if err != nil {
			return err
		}
		w.ready = append(w.ready, key)
	}
	return nil
}

func (w *worker) ecdsaVerifyPrecomputed(i int) error {
	in, i := w.at(i)
	ok, err := w.session.(engine.Precomputer).ECDSAVerifyPrecomputed(w.ready[i%len(w.ready)], &in.Digest, in.FewDER)
	if err == nil && !ok {
		err = wrong("verdict on the ECDSA signature", i)
	}
	return err
}

func (w *worker) schnorrVerifyPrecomputed(i int) error {
	in, i := w.at(i)
	ok, err := w.session.(engine.Precomputer).SchnorrVerifyPrecomputed(w.ready[i%len(w.ready)], &in.Digest, &in.FewSchnorr)
	if err == nil && !ok {
		err = wrong("verdict on the Schnorr signature", i)
	}
	return err
}

// Prepare returns a function that runs the operation on the i-th input, for one
// goroutine, one that makes what n calls use up, and one that ends the session which
// that takes. The error is an engine.ErrNotSupported if the engine does not have the
// operation.
func (op Op) Prepare(e engine.Engine, c Corpus) (step, refill func(i int) error, end func(), err error) {
	w, err := newWorker(e, c)
	if err != nil {
		return nil, nil, nil, err
	}
	if err := w.load(op); err != nil {
		w.session.Close()
		return nil, nil, nil, err
	}
	refill = func(n int) error { return w.refill(op, n) }
	return func(i int) error { return op.step(w, i) }, refill, w.session.Close, nil
}
