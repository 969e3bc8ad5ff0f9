package measure

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"time"

	"p256k1.mleku.dev/v2/tools/bench/engine"
)

// parts is the number of times that a sample is timed, unless it has fewer calls. The C
// program times its iterations as often (run_benchmark in bench.h is always called with
// 10).
const parts = 10

// A Sample is the time per iteration of some iterations of an operation.
type Sample struct {
	Average float64 `json:"average"` // ns
	Least   float64 `json:"least"`   // ns, the quickest part
	CPU     float64 `json:"cpu"`     // ns of processor time, of all threads of the process
	Allocs  float64 `json:"allocs"`
	Bytes   float64 `json:"bytes"`
	N       int     `json:"n"` // iterations
}

// A Runner runs the operations of one engine. Errors are an
// engine.ErrNotSupported for operations that it does not have.
type Runner interface {
	Info() engine.Info
	// Sample runs an operation on about n inputs, on one goroutine.
	Sample(ctx context.Context, op Op, n int) (Sample, error)
	Close()
}

// Local runs an engine in this process.
type Local struct {
	engine   engine.Engine
	info     engine.Info
	corpus   *Corpus
	session  engine.Session             // nil before the first use
	prepared map[string]engine.Prepared // by the names of operations
	result   engine.Result
}

// NewLocal returns a Local without a session, which comes with the first use.
func NewLocal(e engine.Engine, c *Corpus) *Local {
	return &Local{engine: e, info: e.Info(), corpus: c, prepared: map[string]engine.Prepared{}}
}

// OneInputName is the engine that NewOneInput makes.
const OneInputName = "libsecp256k1 one input"

// NewOneInput returns a Local that runs libsecp256k1 on a single input, as its own
// benchmark program does. The difference to that program is Go. The difference to
// libsecp256k1 on many inputs shows how much branch prediction learns from a single
// input.
func NewOneInput(e engine.Engine, c *Corpus) (*Local, error) {
	one, err := corpusOf(c.inputs[:1])
	if err != nil {
		return nil, err
	}
	l := NewLocal(e, one)
	l.info.Name = OneInputName
	l.info.Notes = []string{"The same as libsecp256k1, on one key and message like its own benchmark program, instead of thousands that branch prediction cannot learn."}
	return l, nil
}

// prepare has an operation prepared, and the first time checks it. Its error is an
// engine.ErrNotSupported if the engine does not have the operation.
func (l *Local) prepare(op Op) (p engine.Prepared, err error) {
	p, ok := l.prepared[op.Name]
	if ok {
		return p, nil
	}
	if l.session == nil {
		if l.session, err = l.engine.NewSession(); err != nil {
			return p, err
		}
	}
	if p, err = l.corpus.prepare(l.session, op); err == nil {
		err = l.corpus.check(l.engine, p, op)
	}
	if err == nil {
		l.prepared[op.Name] = p
	}
	return p, err
}

// Info implements Runner.
func (l *Local) Info() engine.Info { return l.info }

// Sample implements Runner.
func (l *Local) Sample(ctx context.Context, op Op, n int) (Sample, error) {
	p, err := l.prepare(op)
	if err != nil {
		return Sample{}, err
	}
	calls := max(1, n/op.items())
	timed := min(parts, calls)
	perPart := calls / timed
	if p.Refill != nil {
		if err := p.Refill(perPart * timed); err != nil {
			return Sample{}, err
		}
	}
	// Garbage that other engines left behind is not to be collected while this engine is timed.
	runtime.GC()
	s := Sample{N: perPart * timed * op.items()}
	next := 0
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	cpu := cpuTime()
	for part := range timed {
		if err := ctx.Err(); err != nil {
			return Sample{}, err
		}
		begin := time.Now()
		for range perPart {
			if err := p.Run(next, &l.result); err != nil {
				return Sample{}, fmt.Errorf("call %d: %w: %w", next, ErrWrong, err)
			}
			next++
		}
		t := float64(time.Since(begin).Nanoseconds()) / float64(perPart*op.items())
		s.Average += t / float64(timed)
		if part == 0 || t < s.Least {
			s.Least = t
		}
	}
	s.CPU = float64(cpuTime()-cpu) / float64(s.N)
	runtime.ReadMemStats(&after)
	// The runtime allocates a little, too: what is less than a tenth, or a byte, is
	// its own.
	s.Allocs = math.Floor(10*float64(after.Mallocs-before.Mallocs)/float64(s.N)) / 10
	s.Bytes = math.Floor(float64(after.TotalAlloc-before.TotalAlloc) / float64(s.N))
	return s, nil
}

// Close implements Runner.
func (l *Local) Close() {
	if l.session != nil {
		l.session.Close()
		l.session = nil
		clear(l.prepared)
	}
}
