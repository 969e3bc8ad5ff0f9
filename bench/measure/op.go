package measure

import (
	"fmt"
	"slices"
	"strings"

	"p256k1.mleku.dev/bench/engine"
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
	// Portable and Assembly are the greatest ratios of this library's time to
	// that of the C program which the design accepts; 0 for none.
	Portable, Assembly float64

	step func(w *worker, i int) error
}

// Ops are all operations. One call of each is one iteration of the C benchmark
// of that name, where there is one.
var Ops = []Op{
	{
		Name: "ecdsa-verify", Benchmark: "Verify", Title: "ECDSA verify",
		What:    "parse a compressed public key and a signature in DER, verify",
		Program: "ecdsa_verify", Portable: 1.2, Assembly: 0.62, step: (*worker).ecdsaVerify,
	},
	{
		Name: "ecdsa-sign", Benchmark: "Sign", Title: "ECDSA sign",
		What:    "sign with a loaded secret key, encode in DER",
		Program: "ecdsa_sign", Portable: 1.0, Assembly: 0.55, step: (*worker).ecdsaSign,
	},
	{
		Name: "schnorr-verify", Benchmark: "SchnorrVerify", Title: "Schnorr verify",
		What:    "parse an x-only public key, verify a BIP-340 signature of 32 bytes",
		Program: "schnorrsig_verify", Portable: 1.2, Assembly: 0.62, step: (*worker).schnorrVerify,
	},
	{
		Name: "schnorr-sign", Benchmark: "SchnorrSign", Title: "Schnorr sign",
		What:    "sign 32 bytes as in BIP-340 with a loaded key pair, without auxiliary randomness",
		Program: "schnorrsig_sign", Portable: 1.0, Assembly: 0.55, step: (*worker).schnorrSign,
	},
	{
		Name: "derive", Benchmark: "Derive", Title: "Public key from secret",
		What:    "from the bytes of a secret key to those of its compressed public key",
		Program: "ec_keygen", Portable: 0.8, Assembly: 0.5, step: (*worker).derive,
	},
	{
		Name: "ecdh", Benchmark: "ECDH", Title: "ECDH, SHA-256",
		What:    "SHA-256 of the compressed shared point, from loaded keys",
		Program: "ecdh", Portable: 1.2, Assembly: 0.6, step: (*worker).ecdh,
	},
	{
		Name: "ecdh-x", Benchmark: "ECDHX", Title: "ECDH, raw x",
		What: "x of the shared point, from loaded keys",
		step: (*worker).ecdhX,
	},
	{
		Name: "recover", Benchmark: "Recover", Title: "Recover",
		What:    "from a signature with recovery id to the compressed public key",
		Program: "ecdsa_recover", Varied: true, Portable: 1.2, Assembly: 0.62, step: (*worker).recoverKey,
	},
	{
		Name: "parse", Benchmark: "Parse", Title: "Parse public key",
		What: "decompress a public key of 33 bytes",
		step: (*worker).parse,
	},
}

// SelectOps returns operations by name, or all for none.
func SelectOps(names ...string) ([]Op, error) {
	if len(names) == 0 {
		return Ops, nil
	}
	var selected []Op
	for _, name := range names {
		op, ok := opByName(name)
		if !ok {
			var known []string
			for _, op := range Ops {
				known = append(known, op.Name)
			}
			return nil, fmt.Errorf("no operation %q: there are %s", name, strings.Join(known, ", "))
		}
		selected = append(selected, op)
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
	buffer  []byte
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
	}
	return op.step(w, 0)
}

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

// Prepare returns a function that runs the operation on the i-th input, for one
// goroutine, and one that ends the session which that takes. The error is an
// engine.ErrNotSupported if the engine does not have the operation.
func (op Op) Prepare(e engine.Engine, c Corpus) (step func(i int) error, end func(), err error) {
	w, err := newWorker(e, c)
	if err != nil {
		return nil, nil, err
	}
	if err := w.load(op); err != nil {
		w.session.Close()
		return nil, nil, err
	}
	return func(i int) error { return op.step(w, i) }, w.session.Close, nil
}
