package measure

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
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
	// Parallel runs an operation on some goroutines for a while and returns how
	// many nanoseconds passed for each operation done.
	Parallel(ctx context.Context, op Op, goroutines int, d time.Duration) (float64, error)
	Close()
}

// Local runs an engine in this process.
type Local struct {
	engine  engine.Engine
	info    engine.Info
	corpus  Corpus
	workers []*worker
}

// NewLocal returns a Local without workers, which come with the first use.
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

// worker returns a worker that has loaded what op needs.
func (l *Local) worker(k int, op Op) (*worker, error) {
	for len(l.workers) <= k {
		w, err := newWorker(l.engine, l.corpus)
		if err != nil {
			return nil, err
		}
		l.workers = append(l.workers, w)
	}
	return l.workers[k], l.workers[k].load(op)
}

// Sample implements Runner.
func (l *Local) Sample(ctx context.Context, op Op, n int) (Sample, error) {
	w, err := l.worker(0, op)
	if err != nil {
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

// Parallel implements Runner.
func (l *Local) Parallel(ctx context.Context, op Op, goroutines int, d time.Duration) (float64, error) {
	workers := make([]*worker, goroutines)
	for k := range workers {
		var err error
		if workers[k], err = l.worker(k, op); err != nil {
			return 0, err
		}
	}
	runtime.GC()
	var (
		group    sync.WaitGroup
		done     atomic.Int64
		failed   atomic.Pointer[error]
		stop     atomic.Bool
		starting sync.WaitGroup
	)
	starting.Add(1)
	for k, w := range workers {
		group.Go(func() {
			starting.Wait()
			i := k * len(l.corpus) / goroutines
			for n := int64(0); ; n++ {
				if stop.Load() {
					done.Add(n)
					return
				}
				if err := w.step(&op, i); err != nil {
					failed.Store(&err)
					return
				}
				i++
			}
		})
	}
	begin := time.Now()
	starting.Done()
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
	stop.Store(true)
	group.Wait()
	took := time.Since(begin)
	if err := failed.Load(); err != nil {
		return 0, *err
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if done.Load() == 0 {
		return 0, fmt.Errorf("measure: nothing done in %v", took)
	}
	return float64(took.Nanoseconds()) / float64(done.Load()), nil
}

// Close implements Runner.
func (l *Local) Close() {
	for _, w := range l.workers {
		w.session.Close()
	}
	l.workers = nil
}
