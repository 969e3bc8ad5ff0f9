package measure

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/tools/bench/engine"
)

// An Op is something that engines do.
type Op struct {
	Name  string // on the command line and in JSON
	Title string // for people
	What  string // what one call is

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

	// needs loads what step works on.
	needs func(w *worker) error
	// step is what is timed, on the i-th input, or of what is prepared in the i-th
	// call. It compares the result where that is quick.
	step func(w *worker, in *Input, i int) error
	// check, unless it is nil, does before the timing what step does not: compares
	// the result, or whether a wrong input is refused.
	check func(w *worker, in *Input, i int) error

	prepared string // the name that package engine has for it, if that prepares it,
	size     int    // and how many a call takes
}

// items is how many inputs a call works on.
func (op Op) items() int { return max(1, op.Batch) }

// ErrWrong means that an engine's result was not what it has to be.
var ErrWrong = errors.New("wrong result")

// expect returns err, or ErrWrong if a result is not right.
func expect(right bool, err error) error {
	if err == nil && !right {
		err = ErrWrong
	}
	return err
}

// Ops are all operations. One call of each is one iteration of the C benchmark
// of that name, where there is one.
var Ops = append(append(singles, batchOps()...), protocolOps()...)

var singles = []Op{
	{
		Name: "ecdsa-verify", Title: "ECDSA verify",
		What:    "parse a compressed public key and a signature in DER, verify",
		Program: "ecdsa_verify", Portable: 0.9, Assembly: 0.61, Lanes: 0.59,
		step: func(w *worker, in *Input, _ int) error {
			return expect(w.session.ECDSAVerify(&in.Pub, &in.Digest, in.DER))
		},
		check: func(w *worker, in *Input, _ int) error {
			return refuses(w.session.ECDSAVerify(&in.Pub, other(in), in.DER))
		},
	},
	{
		Name: "ecdsa-sign", Title: "ECDSA sign",
		What:    "sign with a loaded secret key, encode in DER",
		Program: "ecdsa_sign", Portable: 0.97, Assembly: 0.50, Lanes: 0.40,
		needs: (*worker).loadSecrets,
		step: func(w *worker, in *Input, i int) error {
			der, err := w.session.ECDSASign(w.buffer, w.secrets[i], &in.Digest)
			return expect(len(der) >= 64, err)
		},
		check: func(w *worker, in *Input, i int) error {
			der, err := w.session.ECDSASign(nil, w.secrets[i], &in.Digest)
			return expect(bytes.Equal(der, in.DER) || in.verifies(der), err)
		},
	},
	{
		Name: "schnorr-verify", Title: "Schnorr verify",
		What:    "parse an x-only public key, verify a BIP-340 signature of 32 bytes",
		Program: "schnorrsig_verify", Portable: 0.85, Assembly: 0.57, Lanes: 0.55,
		step: func(w *worker, in *Input, _ int) error {
			return expect(w.session.SchnorrVerify(&in.XOnly, &in.Digest, &in.Schnorr))
		},
		check: func(w *worker, in *Input, _ int) error {
			return refuses(w.session.SchnorrVerify(&in.XOnly, other(in), &in.Schnorr))
		},
	},
	{
		Name: "schnorr-sign", Title: "Schnorr sign",
		What:    "sign 32 bytes as in BIP-340 with a loaded key pair, without auxiliary randomness",
		Program: "schnorrsig_sign", Portable: 0.9, Assembly: 0.48, Lanes: 0.36,
		needs: (*worker).loadSecrets,
		step: func(w *worker, in *Input, i int) error {
			sig, err := w.session.SchnorrSign(w.secrets[i], &in.Digest, nil)
			return expect(sig == in.Schnorr, err)
		},
	},
	{
		Name: "derive", Title: "Public key from secret",
		What:    "from the bytes of a secret key to those of its compressed public key",
		Program: "ec_keygen", Portable: 0.8, Assembly: 0.47, Lanes: 0.33,
		step: func(w *worker, in *Input, _ int) error {
			pub, err := w.session.Derive(&in.Secret)
			return expect(pub == in.Pub, err)
		},
	},
	{
		Name: "ecdh", Title: "ECDH, SHA-256",
		What:    "SHA-256 of the compressed shared point, from loaded keys",
		Program: "ecdh", Portable: 0.92, Assembly: 0.60, Lanes: 0.58,
		needs: (*worker).loadKeys,
		step: func(w *worker, _ *Input, i int) error {
			secret, err := w.session.ECDHSHA256(w.secrets[i], w.publics[i])
			return expect(secret != [32]byte{}, err)
		},
		check: func(w *worker, in *Input, i int) error {
			secret, err := w.session.ECDHSHA256(w.secrets[i], w.publics[i])
			return expect(secret == in.shared(ecdh.SHA256), err)
		},
	},
	{
		Name: "ecdh-x", Title: "ECDH, raw x",
		What:  "x of the shared point, from loaded keys",
		needs: (*worker).loadKeys,
		step: func(w *worker, _ *Input, i int) error {
			x, err := w.session.ECDHX(w.secrets[i], w.publics[i])
			return expect(x != [32]byte{}, err)
		},
		check: func(w *worker, in *Input, i int) error {
			x, err := w.session.ECDHX(w.secrets[i], w.publics[i])
			return expect(x == in.shared(ecdh.X), err)
		},
	},
	{
		Name: "recover", Title: "Recover",
		What:    "from a signature with recovery id to the compressed public key",
		Program: "ecdsa_recover", Varied: true, Portable: 0.92, Assembly: 0.62,
		step: func(w *worker, in *Input, _ int) error {
			pub, err := w.session.Recover(&in.Digest, &in.Recoverable)
			return expect(pub == in.Pub, err)
		},
	},
	{
		Name: "parse", Title: "Parse public key",
		What: "decompress a public key of 33 bytes",
		step: func(w *worker, in *Input, _ int) error {
			_, err := w.session.LoadPublic(in.Pub[:])
			return err
		},
		check: func(w *worker, _ *Input, _ int) error {
			_, err := w.session.LoadPublic(append(make([]byte, 32), 5)) // 5³ + 7 is no square
			return expect(err != nil, nil)
		},
	},
	{
		Name: engine.ECDSAPrecomputed, Title: "ECDSA verify, key made ready",
		What: "parse a signature in DER, verify with one of eight keys that carry tables",
		Base: "ecdsa-verify", Portable: 0.6, Assembly: 0.42, Lanes: 0.2,
		prepared: engine.ECDSAPrecomputed, step: runPrepared,
	},
	{
		Name: engine.SchnorrPrecomputed, Title: "Schnorr verify, key made ready",
		What: "verify a BIP-340 signature of 32 bytes with one of eight keys that carry tables",
		Base: "schnorr-verify", Portable: 0.6, Assembly: 0.42, Lanes: 0.2,
		prepared: engine.SchnorrPrecomputed, step: runPrepared,
	},
}

// runPrepared runs what package engine has prepared.
func runPrepared(w *worker, _ *Input, i int) error { return w.current.Run(i, &w.result) }

// other returns a digest that was not signed.
func other(in *Input) *[32]byte {
	digest := in.Digest
	digest[0] ^= 1
	return &digest
}

func refuses(accepted bool, err error) error { return expect(!accepted, err) }

// verifies reports whether der is a signature of the input's digest by its key,
// with s in either half, for engines whose nonces are random.
func (in *Input) verifies(der []byte) bool {
	sig, err := ecdsa.ParseDER(der)
	return err == nil && ecdsa.VerifyDER(in.Pub[:], in.Digest[:], sig.NormalizeS().DER())
}

// shared is what this library computes of an input's secret key and peer.
func (in *Input) shared(f func(*p256k1.PrivateKey, *p256k1.PublicKey) ([32]byte, error)) (secret [32]byte) {
	key, err := p256k1.NewPrivateKey(in.Secret[:])
	peer, err2 := p256k1.NewPublicKey(in.Peer[:])
	if err == nil && err2 == nil {
		secret, _ = f(key, peer)
	}
	return secret
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
