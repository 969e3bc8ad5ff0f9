package measure

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"time"

	"p256k1.mleku.dev/v2/tools/bench/engine"
)

// parts is the number of parts of a sample that are timed separately, unless the sample has fewer calls. The C program
// uses the same number (bench.h always calls run_benchmark with 10).
const parts = 10

// A Sample is the time per iteration, measured over some iterations of an operation.
type Sample struct {
	Average float64 `json:"average"` // ns
	Least   float64 `json:"least"`   // nanoseconds per iteration in the quickest part
	CPU     float64 `json:"cpu"`     // nanoseconds of processor time, in all threads of the process
	Allocs  float64 `json:"allocs"`
	Bytes   float64 `json:"bytes"`
	N       int     `json:"n"` // iterations
}

// A Runner runs the operations of one engine. For an operation that the engine lacks, the error is an
// engine.ErrNotSupported.
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

// NewLocal returns a Local. Its session opens on the first use.
func NewLocal(e engine.Engine, c *Corpus) *Local {
	return &Local{engine: e, info: e.Info(), corpus: c, prepared: map[string]engine.Prepared{}}
}

// OneInputName is the name of the engine that NewOneInput returns.
const OneInputName = "libsecp256k1 one input"

// NewOneInput returns a Local that runs libsecp256k1 on a single input, as libsecp256k1's benchmark program does. The
// difference from the benchmark program is the cost of calls from Go. The difference from libsecp256k1 on many inputs
// shows how much branch prediction learns from a single input.
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

// prepare makes the session prepare an operation, and checks the operation the first time. The error is an
// engine.ErrNotSupported if the engine lacks the operation.
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
	// This collects garbage of other engines now, so that the collection is not timed for this engine.
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
	// The runtime itself allocates a little, so the figures per input are rounded down: allocations to tenths, and
	// bytes to whole numbers.
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
