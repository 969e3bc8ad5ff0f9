//go:build linux

package residue

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
	wipe "p256k1.mleku.dev/v2/secret"
	"p256k1.mleku.dev/v2/tools/evidence/operations"
)

// Environment variables tell a child how many jobs it gets and when it is interrupted.
const (
	jobsVariable      = "P256K1_RESIDUE_JOBS"
	interruptVariable = "P256K1_RESIDUE_INTERRUPT"
)

const (
	never  = "never"
	after  = "after each operation"
	during = "during operations"
	// In the mode between, one operation runs at a time, so that no other operation is disturbed. Its stack moves
	// between its calls of the library, while it holds secrets on the heap.
	between = "between operations"
)

func TestMain(m *testing.M) {
	if s := os.Getenv(jobsVariable); s != "" {
		child(libtest.Must(strconv.Atoi(s)), os.Getenv(interruptVariable))
		return
	}
	os.Exit(m.Run())
}

// An input is a job for the child: the number of the operation, and the bytes to work on.
type input []byte

const inputSize = 1 + operations.Size

func (in input) operation() *byte { return &in[0] }
func (in input) values() []byte   { return in[1:] }

// kept is never wiped, so that a search that does not find it in a child fails.
var kept = bytes.Repeat([]byte("87654321"), 4)

// child reads jobs from standard input, writes their outputs and wipes its inputs and outputs. Then it twice writes a
// byte, waits for a byte, which says that its memory has been searched, and collects garbage.
func child(n int, interrupt string) {
	in, out := make([]byte, n*inputSize), make([]*operations.Out, n)
	for i := range out {
		out[i] = operations.NewOut()
	}
	operations.OwnStacks = true
	libtest.Must(io.ReadFull(os.Stdin, in))
	if interrupt == during {
		runtime.GOMAXPROCS(max(4, runtime.NumCPU()))
		stop := make(chan struct{})
		var disturbers sync.WaitGroup
		disturb(&disturbers, stop)
		do(in, out, 8, func(in input, out *operations.Out) {
			o := &searched[*in.operation()]
			run := o.Run
			if usesRuntime && o.OnStack { // as SECURITY.md advises for secrets on the caller's stack
				run = func(values *operations.In, out *operations.Out) { wipe.Do(func() { o.Run(values, out) }) }
			}
			for range 50 {
				one(in, out, run)
			}
		})
		close(stop)
		disturbers.Wait()
	} else {
		atOnce := 8
		if interrupt == between {
			atOnce = 1
			for _, o := range out {
				o.Pause = move
			}
		}
		do(in, out, atOnce, func(in input, out *operations.Out) {
			one(in, out, searched[*in.operation()].Run)
			if interrupt == after {
				signal()
			}
		})
	}
	clear(in)
	for _, o := range out {
		raw := o.Raw()
		libtest.Must(os.Stdout.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(raw)))))
		libtest.Must(os.Stdout.Write(raw))
		clear(raw)
	}
	for range 2 {
		libtest.Must(os.Stdout.Write([]byte{1}))
		libtest.Must(os.Stdin.Read(make([]byte, 1)))
		runtime.GC()
		runtime.GC()
	}
}

// one runs a job with 0 to 16 KiB of the goroutine's stack in use, so that the stack may have to grow during the job.
func one(in input, out *operations.Out, run func(*operations.In, *operations.Out)) {
	out.End = nil // so that Reset does not end goroutines, whose stacks must stay for the search
	out.Reset()
	values := operations.New(in.values())
	operations.Deeper(int(values.Aux[0]%128), func() { run(values, out) })
	values.Zero()
}

// move makes the goroutine's stack larger and smaller. Each time the runtime copies the stack, and frees the old one
// unchanged.
func move() {
	operations.Deeper(500, func() {})
	runtime.GC()
	operations.Deeper(1000, func() {})
	runtime.GC()
}

// do runs each job in a separate goroutine on a separate thread. The goroutines stay alive, so that nothing else is
// written to their stacks.
func do(in []byte, out []*operations.Out, n int, f func(input, *operations.Out)) {
	var all sync.WaitGroup
	atOnce := make(chan struct{}, n)
	for i, out := range out {
		in := input(in[i*inputSize:][:inputSize])
		atOnce <- struct{}{}
		all.Add(1)
		go func() {
			runtime.LockOSThread()
			f(in, out)
			<-atOnce
			all.Done()
			select {}
		}()
	}
	all.Wait()
}

// signal interrupts the calling thread with the signal by which the runtime stops goroutines, so that the kernel writes
// all registers to the stack of the signal handler.
func signal() {
	syscall.RawSyscall(syscall.SYS_TGKILL, uintptr(syscall.Getpid()), uintptr(syscall.Gettid()), uintptr(syscall.SIGURG))
}

// disturb interrupts goroutines until stop is closed: it collects garbage, which stops goroutines anywhere and may move
// their stacks, and switches to goroutines that grow their stacks.
func disturb(wg *sync.WaitGroup, stop chan struct{}) {
	until := func(f func()) {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					f()
				}
			}
		})
	}
	until(runtime.GC)
	until(func() {
		grown := make(chan byte)
		go func() { grown <- operations.Deeper(500, func() {}) }()
		<-grown
	})
	until(runtime.Gosched)
}
