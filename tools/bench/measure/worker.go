package measure

import (
	"fmt"

	"p256k1.mleku.dev/v2/tools/bench/engine"
)

// A worker is a session at work on a corpus, with the keys loaded that
// operations want loaded.
type worker struct {
	session engine.Session
	corpus  Corpus
	checked map[string]bool // operations, by name
	secrets []engine.Secret
	publics []engine.Public
	buffer  []byte

	precomputer engine.Precomputer
	ready       []engine.Public // the first keys, with tables
	batcher     engine.Batcher
	items       []engine.Item
	pubs        [][33]byte

	prepared map[string]engine.Prepared // operations of protocols, by name
	current  engine.Prepared
	result   [64]byte
}

func newWorker(e engine.Engine, c Corpus) (*worker, error) {
	s, err := e.NewSession()
	if err != nil {
		return nil, err
	}
	return &worker{session: s, corpus: c, checked: map[string]bool{}, buffer: make([]byte, 0, 128)}, nil
}

// checks is on how many inputs an operation is checked before it is timed.
const checks = 64

// load prepares for an operation, and the first time checks it. Its error is an
// engine.ErrNotSupported if the engine does not have the operation.
func (w *worker) load(op Op) error {
	if op.needs != nil {
		if err := op.needs(w); err != nil {
			return err
		}
	}
	if op.Group == Protocols {
		if err := w.prepare(op); err != nil {
			return err
		}
	} else if op.Batch > 0 {
		if err := w.loadItems(op); err != nil {
			return err
		}
	}
	if w.checked[op.Name] {
		return nil
	}
	if err := w.refill(op, 1); err != nil {
		return err
	}
	if err := w.step(&op, 0); err != nil {
		return err
	}
	for i := range min(max(1, checks/op.items()), len(w.corpus)) {
		if op.check == nil {
			break
		}
		if err := op.check(w, &w.corpus[i], i); err != nil {
			return fmt.Errorf("check of input %d: %w", i, err)
		}
	}
	w.checked[op.Name] = true
	return nil
}

// step makes the i-th call of an operation, on the first input again after the
// last.
func (w *worker) step(op *Op, i int) error {
	k := i % len(w.corpus)
	if op.Batch == 0 && op.Group == "" {
		i = k
	}
	err := op.step(w, &w.corpus[k], i)
	if err != nil {
		err = fmt.Errorf("call %d: %w", i, err)
	}
	return err
}

func (w *worker) loadSecrets() error {
	for i := len(w.secrets); i < len(w.corpus); i++ {
		s, err := w.session.LoadSecret(&w.corpus[i].Secret)
		if err != nil {
			return err
		}
		w.secrets = append(w.secrets, s)
	}
	return nil
}

// loadKeys loads the secret keys, and the public keys of the peers.
func (w *worker) loadKeys() error {
	for i := len(w.publics); i < len(w.corpus); i++ {
		p, err := w.session.LoadPublic(w.corpus[i].Peer[:])
		if err != nil {
			return err
		}
		w.publics = append(w.publics, p)
	}
	return w.loadSecrets()
}

// precompute makes keys ready: few of them, as the tables of thousands would neither
// fit any cache nor be of use.
func (w *worker) precompute() (err error) {
	var ok bool
	if w.precomputer, ok = w.session.(engine.Precomputer); !ok {
		return engine.ErrNotSupported
	}
	for i := len(w.ready); i < min(FewKeys, len(w.corpus)); i++ {
		key, err := w.precomputer.Precompute(w.corpus[i].Pub[:])
		if err != nil {
			return err
		}
		w.ready = append(w.ready, key)
	}
	return nil
}

// loadItems prepares the inputs of batches: as many as the greatest batch has, or a
// multiple of that, over and over if the corpus is smaller.
func (w *worker) loadItems(op Op) error {
	var ok bool
	if w.batcher, ok = w.session.(engine.Batcher); !ok {
		return engine.ErrNotSupported
	}
	if err := w.loadSecrets(); err != nil {
		return err
	}
	greatest := Sizes[len(Sizes)-1]
	w.items = w.items[:0]
	for i := range max(greatest, len(w.corpus)/greatest*greatest) {
		i %= len(w.corpus)
		in := &w.corpus[i]
		item := engine.Item{
			Secret: w.secrets[i], SecretBytes: &in.Secret, Pub: &in.Pub, XOnly: &in.XOnly, Digest: &in.Digest,
			DER: in.DER, Recoverable: &in.Recoverable, Schnorr: &in.Schnorr,
		}
		if op.Family == "schnorr-verify-batch-few" {
			item.XOnly, item.Schnorr = &in.FewXOnly, &in.FewSchnorr
		}
		w.items = append(w.items, item)
	}
	return nil
}

// prepare loads the inputs of an operation of a protocol.
func (w *worker) prepare(op Op) error {
	if p, ok := w.prepared[op.Name]; ok {
		w.current = p
		return nil
	}
	p, ok := w.session.(engine.Protocols)
	if !ok {
		return engine.ErrNotSupported
	}
	var parties []engine.Party
	for i := range w.corpus {
		in := &w.corpus[i]
		parties = append(parties, engine.Party{Secret: &in.Secret, Digest: &in.Digest, Pub: &in.Pub, Peer: &in.Peer})
	}
	var err error
	if w.current, err = p.PrepareProtocol(op.protocol, op.size, parties); err != nil {
		return err
	}
	if w.prepared == nil {
		w.prepared = map[string]engine.Prepared{}
	}
	w.prepared[op.Name] = w.current
	return nil
}

// refill makes what n calls of an operation use up, which is not timed.
func (w *worker) refill(op Op, n int) error {
	if p := w.prepared[op.Name]; p.Refill != nil {
		return p.Refill(n)
	}
	return nil
}
