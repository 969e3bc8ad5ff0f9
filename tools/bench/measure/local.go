package measure

import (
	"context"
	"math"
	"runtime"
	"time"

	"p256k1.mleku.dev/v2/tools/bench/engine"
)

// parts is how often a sample is timed, unless it has fewer calls: as often as the C
// program times its iterations (run_benchmark in bench.h is always called with 10).
const parts = 10

// A Sample is what some iterations of an operation took, each.
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
	engine engine.Engine
	info   engine.Info
	corpus Corpus
	worker *worker
}

// NewLocal returns a Local without a session, which comes with the first use.
func NewLocal(e engine.Engine, c Corpus) *Local {
	return &Local{engine: e, info: e.Info(), corpus: c}
}

// OneInputName is the engine that NewOneInput makes.
const OneInputName = "libsecp256k1 one input"

// NewOneInput returns a Local that runs libsecp256k1 on a single input, as its own
// benchmark program does. The difference to that program is Go. The difference to
// libsecp256k1 on many inputs is what branch prediction learns of one.
func NewOneInput(e engine.Engine, c Corpus) *Local {
	l := NewLocal(e, c[:1])
	l.info.Name = OneInputName
	l.info.Notes = []string{"The same as libsecp256k1, on one key and message like its own benchmark program, instead of thousands that branch prediction cannot learn."}
	return l
}

// Info implements Runner.
func (l *Local) Info() engine.Info { return l.info }

// Sample implements Runner.
func (l *Local) Sample(ctx context.Context, op Op, n int) (Sample, error) {
	if l.worker == nil {
		var err error
		if l.worker, err = newWorker(l.engine, l.corpus); err != nil {
			return Sample{}, err
		}
	}
	w := l.worker
	if err := w.load(op); err != nil {
		return Sample{}, err
	}
	calls := max(1, n/op.items())
	timed := min(parts, calls)
	perPart := calls / timed
	if err := w.refill(op, perPart*timed); err != nil {
		return Sample{}, err
	}
	// What others left behind is not to be collected on this one's time.
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
			if err := w.step(&op, next); err != nil {
				return Sample{}, err
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
	if l.worker != nil {
		l.worker.session.Close()
		l.worker = nil
	}
}
