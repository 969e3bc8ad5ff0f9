// Package measure times the engines of package engine against each other.
//
// [Run] runs every operation on each engine in turn, round after round, and returns a [Report]. Engines run in this
// process ([Local]) or, if the environment must differ, in a separate process ([Child]). Another engine is the
// benchmark program of libsecp256k1 itself ([CProgram]).
package measure

import (
	"errors"
	"fmt"
	"slices"

	"p256k1.mleku.dev/v2/tools/bench/engine"
)

// CorpusSize is the number of inputs. It is too large for branch prediction to learn the inputs.
const CorpusSize = 4096

// A Corpus has inputs, and the results that this library computes from them.
type Corpus struct {
	inputs  []engine.Input
	bySome  []engine.Input             // inputs with signatures by few keys, once an operation needs them
	session engine.Session             // session of this library
	results map[string][]engine.Result // by the names of operations
}

// NewCorpus makes a corpus of n inputs that depend only on the seed.
func NewCorpus(seed string, n int) (*Corpus, error) {
	inputs, err := engine.NewInputs(seed, n)
	if err != nil {
		return nil, err
	}
	return corpusOf(inputs)
}

func corpusOf(inputs []engine.Input) (*Corpus, error) {
	own, err := engine.Open("p256k1")
	if err != nil {
		return nil, err
	}
	session, err := own.NewSession()
	return &Corpus{inputs: inputs, session: session, results: map[string][]engine.Result{}}, err
}

// inputsOf returns the inputs of an operation.
func (c *Corpus) inputsOf(op Op) (inputs []engine.Input, err error) {
	if !op.bySome {
		return c.inputs, nil
	}
	if c.bySome == nil {
		c.bySome, err = engine.BySome(c.inputs)
	}
	return c.bySome, err
}

// prepare makes a session prepare an operation.
func (c *Corpus) prepare(s engine.Session, op Op) (p engine.Prepared, err error) {
	inputs, err := c.inputsOf(op)
	if err != nil {
		return p, err
	}
	return s.Prepare(op.call, op.size, inputs)
}

// ErrWrong means that an engine's result is wrong.
var ErrWrong = errors.New("wrong result")

// checks is the number of inputs on which an operation is checked before it is timed. An operation on many inputs at a
// time is called at least twice.
const checks = 64

func runAll(p engine.Prepared, op Op) ([]engine.Result, error) {
	all := make([]engine.Result, max(2, checks/max(1, op.size)))
	if p.Refill != nil {
		if err := p.Refill(len(all)); err != nil {
			return nil, err
		}
	}
	for i := range slices.Backward(all) { // in the order in which calls use up values, the last first
		if err := p.Run(i, &all[i]); err != nil {
			return nil, fmt.Errorf("call %d: %w: %w", i, ErrWrong, err)
		}
	}
	return all, nil
}

// check compares an engine's results with this library's results, and checks that the engine refuses an invalid input.
func (c *Corpus) check(e engine.Engine, p engine.Prepared, op Op) error {
	got, err := runAll(p, op)
	if err != nil {
		return err
	}
	want, ok := c.results[op.Name]
	if !ok {
		own, err := c.prepare(c.session, op)
		if err != nil {
			return err
		}
		if want, err = runAll(own, op); err != nil {
			return err
		}
		c.results[op.Name] = want
	}
	for i, result := range got {
		in := &c.inputs[i%len(c.inputs)]
		switch none := (engine.Result{}); {
		case result == want[i], want[i] == none:
		case result == none && op.Group == Protocols: // the engine runs only the multiplications, or draws randomness
		case op.Name == "ecdsa-sign" && in.SignedBy(result[:2+min(result[1], 70)]):
		default:
			return fmt.Errorf("check of input %d: %w: %x, want %x", i, ErrWrong, result, want[i])
		}
	}
	if op.spoil == nil {
		return nil
	}
	s, err := e.NewSession() // a new one, because a session keeps the inputs that it loaded last
	if err != nil {
		return err
	}
	defer s.Close()
	inputs, err := c.inputsOf(op)
	if err != nil {
		return err
	}
	inputs = slices.Clone(inputs[:min(max(1, op.size), len(inputs))])
	op.spoil(&inputs[len(inputs)-1])
	if p, err = s.Prepare(op.call, op.size, inputs); err == nil {
		err = p.Run(0, new(engine.Result))
	}
	if errors.Is(err, engine.ErrInvalid) {
		return nil
	}
	return fmt.Errorf("check of input 0: %w: an invalid input is not refused: %v", ErrWrong, err)
}
