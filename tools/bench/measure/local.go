package measure

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"time"

	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/internal/must"
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
// shows how much branch prediction learns from a single input. An error is a panic of package must.
func NewOneInput(e engine.Engine, c *Corpus) *Local {
	l := NewLocal(e, corpusOf(c.inputs[:1]))
	l.info.Name = OneInputName
	l.info.Notes = []string{"The same as libsecp256k1, on one key and message like its own benchmark program, instead of thousands that branch prediction cannot learn."}
	return l
}

// prepare makes the session prepare an operation, and checks the operation the first time. It panics with an
// engine.ErrNotSupported if the engine lacks the operation.
func (l *Local) prepare(op Op) engine.Prepared {
	p, ok := l.prepared[op.Name]
	if ok {
		return p
	}
	if l.session == nil {
		l.session = must.Get(l.engine.NewSession())
	}
	p = l.corpus.prepare(l.session, op)
	l.corpus.check(l.engine, p, op)
	l.prepared[op.Name] = p
	return p
}

// Info implements Runner.
func (l *Local) Info() engine.Info { return l.info }

// Sample implements Runner.
func (l *Local) Sample(ctx context.Context, op Op, n int) (_ Sample, err error) {
	defer must.Recover(&err)
	p := l.prepare(op)
	calls := max(1, n/op.items())
	timed := min(parts, calls)
	perPart := calls / timed
	if p.Refill != nil {
		p.Refill(perPart * timed)
	}
	// This collects garbage of other engines now, so that the collection is not timed for this engine.
	runtime.GC()
	s := Sample{N: perPart * timed * op.items()}
	next := 0
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	cpu := CPUTime()
	for part := range timed {
		must.Do(ctx.Err())
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
	s.CPU = float64(CPUTime()-cpu) / float64(s.N)
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
