// Package measure times the engines of package engine against each other.
//
// [Run] runs every operation on each engine in turn, round after round, and returns a [Report]. Engines run in this
// process ([Local]) or, if the environment must differ, in a separate process ([Child]). Another engine is the
// benchmark program of libsecp256k1 itself ([CProgram]).
package measure

import (
	"errors"
	"slices"

	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/internal/must"
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

// NewCorpus makes a corpus of n inputs that depend only on the seed. An error is a panic of package must.
func NewCorpus(seed string, n int) *Corpus { return corpusOf(engine.NewInputs(seed, n)) }

func corpusOf(inputs []engine.Input) *Corpus {
	session := must.Get(must.Get(engine.Open("p256k1")).NewSession())
	return &Corpus{inputs: inputs, session: session, results: map[string][]engine.Result{}}
}

// inputsOf returns the inputs of an operation.
func (c *Corpus) inputsOf(op Op) []engine.Input {
	if !op.BySome {
		return c.inputs
	}
	if c.bySome == nil {
		c.bySome = engine.BySome(c.inputs)
	}
	return c.bySome
}

// prepare makes a session prepare an operation.
func (c *Corpus) prepare(s engine.Session, op Op) engine.Prepared {
	return must.Get(s.Prepare(op.Call, op.Size, c.inputsOf(op)))
}

// ErrWrong means that an engine's result is wrong.
var ErrWrong = errors.New("wrong result")

// checks is the number of inputs on which an operation is checked before it is timed. An operation on many inputs at a
// time is called at least twice.
const checks = 64

func runAll(p engine.Prepared, op Op) []engine.Result {
	all := make([]engine.Result, max(2, checks/max(1, op.Size)))
	if p.Refill != nil {
		p.Refill(len(all))
	}
	for i := range slices.Backward(all) { // in the order in which calls use up values, the last first
		if err := p.Run(i, &all[i]); err != nil {
			must.Fail("call %d: %w: %w", i, ErrWrong, err)
		}
	}
	return all
}

// check compares an engine's results with this library's results, and checks that the engine refuses an invalid input.
func (c *Corpus) check(e engine.Engine, p engine.Prepared, op Op) {
	got := runAll(p, op)
	want, ok := c.results[op.Name]
	if !ok {
		want = runAll(c.prepare(c.session, op), op)
		c.results[op.Name] = want
	}
	for i, result := range got {
		in := &c.inputs[i%len(c.inputs)]
		switch none := (engine.Result{}); {
		case result == want[i], want[i] == none:
		case result == none && op.Group == Protocols: // the engine runs only the multiplications, or draws randomness
		case op.Name == "ecdsa-sign" && in.SignedBy(result[:2+min(result[1], 70)]):
		default:
			must.Fail("check of input %d: %w: %x, want %x", i, ErrWrong, result, want[i])
		}
	}
	if op.Spoil == "" {
		return
	}
	s := must.Get(e.NewSession()) // a new one, because a session keeps the inputs that it loaded last
	defer s.Close()
	inputs := c.inputsOf(op)
	inputs = slices.Clone(inputs[:min(max(1, op.Size), len(inputs))])
	op.spoil(&inputs[len(inputs)-1])
	p, err := s.Prepare(op.Call, op.Size, inputs)
	if err == nil {
		err = p.Run(0, new(engine.Result))
	}
	if !errors.Is(err, engine.ErrInvalid) {
		must.Fail("check of input 0: %w: an invalid input is not refused: %v", ErrWrong, err)
	}
}
