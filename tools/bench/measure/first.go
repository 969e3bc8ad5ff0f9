package measure

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"os"
	"runtime"
	"strconv"
	"time"

	"p256k1.mleku.dev/v2/tools/bench/engine"
)

// FirstOps are the operations whose first use is measured: one that multiplies
// the generator by a secret, and one that verifies.
var FirstOps = []string{"derive", "ecdsa-sign", "ecdsa-verify"}

// A FirstUse is what the first call of an operation costs a fresh process.
type FirstUse struct {
	Engine  string `json:"engine"`
	Backend string `json:"backend"`
	Op      string `json:"op"`
	// Open is the time to load the engine and start a session, First that of the
	// first call, and Later of the quickest of some later ones: ns.
	Open  float64 `json:"open"`
	First float64 `json:"first"`
	Later float64 `json:"later"`
	// Heap is by how much the garbage-collected heap grew for good, and Resident
	// by how much the memory of the process did, or −1 if unknown: bytes.
	Heap     int64 `json:"heap"`
	Resident int64 `json:"resident"`
	// ReadOnly is the size of the read-only data in a shared library's file, or 0.
	ReadOnly int64 `json:"read_only"`
}

// Fresh measures the first use of an operation in a process of its own.
func Fresh(ctx context.Context, launch Launcher, r Runner, op Op, in Input) (FirstUse, error) {
	var env []string
	name := r.Info().Name
	if child, ok := r.(*Child); ok {
		env, launch, name = child.Env, child.Launch, child.Engine
	}
	p, err := start(ctx, launch, env)
	if err != nil {
		return FirstUse{}, err
	}
	defer p.close()
	a, err := p.ask(ctx, request{Do: "first", Engine: name, Op: op.Name, Input: &in})
	return a.First, err
}

func firstUse(q request, f *FirstUse) error {
	op, ok := opByName(q.Op)
	if !ok || q.Input == nil {
		return errors.New("measure: first use of what?")
	}
	corpus := Corpus{*q.Input}
	heap, resident := heapInUse(), residentSize()
	begin := time.Now()
	e, err := engine.Open(q.Engine)
	if err != nil {
		return err
	}
	w, err := newWorker(e, corpus)
	if err != nil {
		return err
	}
	defer w.session.Close()
	f.Op, f.Open = op.Name, ns(begin)
	begin = time.Now()
	if op.needs != nil {
		if err := op.needs(w); err != nil {
			return err
		}
	}
	if err := w.step(&op, 0); err != nil {
		return err
	}
	f.First = ns(begin)
	f.Resident = -1
	if now := residentSize(); now >= 0 && resident >= 0 {
		f.Resident = now - resident
	}
	for i := range 50 {
		begin = time.Now()
		if err := w.step(&op, 0); err != nil {
			return err
		}
		if t := ns(begin); i == 0 || t < f.Later {
			f.Later = t
		}
	}
	f.Heap = max(0, heapInUse()-heap)
	i := e.Info()
	f.Engine, f.Backend, f.ReadOnly = i.Name, i.Backend, readOnly(i.Path)
	runtime.KeepAlive(w)
	return nil
}

func ns(begin time.Time) float64 { return float64(time.Since(begin).Nanoseconds()) }

func heapInUse() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what finalizers held
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// residentSize is the memory of this process that is in RAM, −1 if unknown.
func residentSize() int64 {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return -1
	}
	fields := bytes.Fields(b)
	if len(fields) < 2 {
		return -1
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return -1
	}
	return pages * int64(os.Getpagesize())
}

func readOnly(path string) int64 {
	f, err := elf.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	var size int64
	for _, name := range []string{".rodata", ".data.rel.ro"} {
		if s := f.Section(name); s != nil {
			size += int64(s.Size)
		}
	}
	return size
}
