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

	parties  []engine.Party
	prepared map[string]engine.Prepared // by the names of operations
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
	if op.prepared != "" {
		if err := w.prepare(op); err != nil {
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
	for i := range min(checks, len(w.corpus)) {
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
	if op.prepared == "" {
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

// prepare has package engine load the inputs.
func (w *worker) prepare(op Op) error {
	if p, ok := w.prepared[op.Name]; ok {
		w.current = p
		return nil
	}
	p, ok := w.session.(engine.Protocols)
	if !ok {
		return engine.ErrNotSupported
	}
	for i := len(w.parties); i < len(w.corpus); i++ {
		in := &w.corpus[i]
		w.parties = append(w.parties, engine.Party{Secret: &in.Secret, Digest: &in.Digest, Pub: &in.Pub, Peer: &in.Peer})
	}
	var err error
	if w.current, err = p.PrepareProtocol(op.prepared, op.size, w.parties); err != nil {
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
