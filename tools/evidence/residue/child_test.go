//go:build linux

package residue

import (
	"encoding/binary"
	"encoding/hex"
	"io"
	"os"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"testing"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/rfc6979"
	wipe "p256k1.mleku.dev/v2/secret"
	"p256k1.mleku.dev/v2/tools/evidence/internal/registers"
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

// An input is a job for the child: the number of the operation, the number of a mistake to make, and the bytes to work
// on.
type input []byte

const inputSize = 2 + operations.Size

func (in input) operation() *byte { return &in[0] }
func (in input) plant() *byte     { return &in[1] }
func (in input) values() []byte   { return in[2:] }

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
	plants[*in.plant()].leave(values)
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

// plants lists mistakes, each with the secrets that the search must find and their forms. They are made at the same
// time, so that each computes in variables of its own and only its last step is to store the result in a global.
var plants = []struct {
	name  string
	leave func(in *operations.In)
	found map[string]string
}{
	{"nothing", func(*operations.In) {}, nil},
	{"a copy of the key that a global holds", func(in *operations.In) { held = append([]byte(nil), in.Secret...) },
		map[string]string{"key": "big-endian bytes"}},
	{"a key that was not wiped", func(in *operations.In) { k := new(curve.Scalar); k.SetBytes(in.Secret); kept = k },
		map[string]string{"key": "little-endian limbs"}},
	{"a copy of the key that is garbage", func(in *operations.In) { garbage(in) },
		map[string]string{"key": "big-endian bytes"}},
	{"a quarter of the key", func(in *operations.In) { held = append([]byte("quarter"), in.Secret[8:16]...) },
		map[string]string{"key": "big-endian bytes"}},
	{"the key in a string", func(in *operations.In) { text = hex.EncodeToString(in.Secret) },
		map[string]string{"key": "hexadecimal, lower case"}},
	{"the inverse of the nonce", func(in *operations.In) { k := new(curve.Scalar); nonce(k, in); kept = k.Invert(k) },
		map[string]string{"inverse of the nonce": "little-endian limbs"}},
	{"the nonce on a stack", func(in *operations.In) { operations.Deeper(20, func() { nonce(new(curve.Scalar), in) }) },
		map[string]string{"V of RFC 6979, 2": "big-endian bytes"}},
	{"the shared point", func(in *operations.In) {
		d, _ := new(curve.Scalar).SetBytes(in.Secret)
		p, _ := new(curve.Point).SetBytes(in.Peer().Bytes())
		point = p.ScalarMult(d, p).Normalize()
		d.Zero()
	}, map[string]string{"x of the shared point": "little-endian limbs", "y of the shared point": "little-endian limbs"}},
	{"the key in registers of AVX-512", func(in *operations.In) {
		registers.Fill((*[32]byte)(in.Secret))
		signal()
	}, map[string]string{"key": "big-endian bytes"}},
}

func init() {
	if !registers.Has {
		plants = plants[:len(plants)-1]
	}
}

var (
	held  []byte
	text  string
	kept  *curve.Scalar
	point *curve.Point
)

//go:noinline
func garbage(in *operations.In) { held = append(make([]byte, 0, 64), in.Secret...); held = nil }

// nonce sets k to the nonce of ecdsa.Sign.
//
//go:noinline
func nonce(k *curve.Scalar, in *operations.In) {
	var g rfc6979.Generator
	var b [32]byte
	z := new(curve.Scalar).SetBytesReduced((*[32]byte)(in.Digest))
	g.Init((*[32]byte)(in.Secret), (*[32]byte)(z.Bytes()), nil)
	g.Next(&b)
	k.SetBytes(b[:])
}
