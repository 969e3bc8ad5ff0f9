// Package subject drives one library at the work of a comparison. It is meant for
// a process of its own: symbols of libraries clash, and libraries crash.
package subject

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"p256k1.mleku.dev/v2/tools/bench/internal/dl"
	"p256k1.mleku.dev/v2/tools/bench/plug/work"
)

// The kinds of libraries.
const (
	KindP256K1    = "p256k1"
	KindLibsecp   = "libsecp256k1"
	KindOpenSSL   = "openssl"
	interfaceEVP  = "EVP"
	interfaceKeys = "EC_KEY"
)

var (
	// ErrUnloadable means that the system's loader refuses the file.
	ErrUnloadable = errors.New("cannot be loaded")
	// ErrUnknown means that the file is neither library.
	ErrUnknown = errors.New("neither libsecp256k1 nor OpenSSL's libcrypto")
	// ErrUnsupported means that no version of a library has an operation.
	ErrUnsupported = errors.New("not offered")
	// ErrMissing means that a library lacks the functions that a scenario calls.
	ErrMissing = errors.New("lacks")
	// ErrWrong means that a library gave a wrong answer.
	ErrWrong = errors.New("wrong answer")
)

// A Subject is a library that is loaded and works on inputs.
type Subject struct {
	Kind string
	// Version is what the library says of itself, or empty.
	Version string
	// API says which of its interfaces is used.
	API string

	steps map[work.Scenario]step
	// trivial is a call that does next to nothing, and calls is how many C calls
	// an operation of a scenario is.
	trivial func()
	calls   map[work.Scenario]int
}

// A step is one scenario in one library.
type step struct {
	err error // says what is missing, if not nil
	// prepare is called once, before the others.
	prepare func() error
	// run is the timed operation on input i. It reports success or, for
	// verification, the verdict.
	run func(i int) bool
	// check tells whether what run(i) has just done is right.
	check func(i int) error
	// spoil damages the digest of input i, or repairs it if called again, where
	// run is verification.
	spoil func(i int)
}

// Options choose between the ways to use a library.
type Options struct {
	// EVP drives OpenSSL through EVP even where it has the low-level calls.
	EVP bool
}

// Open loads the library at path, or with an empty path takes this library, to
// work on the inputs.
func Open(path string, inputs []work.Input, options Options) (*Subject, error) {
	if path == "" {
		return newP256K1(inputs)
	}
	handle, err := dl.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnloadable, err)
	}
	l := &library{handle: handle, m: new(memory)}
	switch {
	case l.has("secp256k1_context_create") || l.has("secp256k1_ec_pubkey_parse"):
		return newLibsecp(l, inputs), nil
	case l.has("EC_POINT_new") || l.has("OpenSSL_version") || l.has("SSLeay_version"):
		return newOpenSSL(l, inputs, options), nil
	}
	return nil, ErrUnknown
}

// Probe says what a scenario lacks, and nil if it can be run.
func (s *Subject) Probe(scenario work.Scenario) error {
	st, ok := s.steps[scenario]
	if !ok {
		return fmt.Errorf("%w by %s", ErrUnsupported, s.Kind)
	}
	return st.err
}

// Calls returns how many C functions an operation calls.
func (s *Subject) Calls(scenario work.Scenario) int { return s.calls[scenario] }

// Check runs a scenario on the first n inputs and compares the answers.
func (s *Subject) Check(scenario work.Scenario, n int) error {
	if err := s.Probe(scenario); err != nil {
		return err
	}
	st := s.steps[scenario]
	if st.prepare != nil {
		if err := st.prepare(); err != nil {
			return err
		}
	}
	for i := range n {
		if !st.run(i) {
			return fmt.Errorf("%w: input %d refused", ErrWrong, i)
		}
		if st.check != nil {
			if err := st.check(i); err != nil {
				return fmt.Errorf("%w: input %d: %w", ErrWrong, i, err)
			}
		}
		if st.spoil != nil && i < 16 {
			st.spoil(i)
			accepted := st.run(i)
			st.spoil(i)
			if accepted {
				return fmt.Errorf("%w: input %d: a bad signature verifies", ErrWrong, i)
			}
		}
	}
	return nil
}

// Run runs a scenario on the first n inputs, after Check, and returns how many
// were accepted.
func (s *Subject) Run(scenario work.Scenario, n int) (accepted int) {
	run := s.steps[scenario].run
	for i := range n {
		if run(i) {
			accepted++
		}
	}
	return accepted
}

// Trivial makes n calls into the library that do next to nothing. It reports
// whether there is such a call.
func (s *Subject) Trivial(n int) bool {
	if s.trivial == nil {
		return false
	}
	for range n {
		s.trivial()
	}
	return true
}

// A library calls C functions. All memory that they are given is in m, which is
// on the heap, where Go never moves it.
type library struct {
	handle uintptr
	m      *memory
	calls  uint
}

type memory struct {
	args    [8]uintptr
	secret  [32]byte
	digest  [32]byte
	aux     [32]byte
	pub     [65]byte
	der     [80]byte
	sig     [65]byte
	out     [65]byte
	public  [64]byte // secp256k1_pubkey, secp256k1_xonly_pubkey
	object  [65]byte // secp256k1_ecdsa_signature, …_recoverable_signature
	keypair [96]byte
	length  uintptr
	pointer uintptr
	group   [16]byte
	params  [4]parameter
	names   [3][8]byte
}

func (l *library) has(symbol string) bool {
	address, err := dl.Symbol(l.handle, symbol)
	return err == nil && address != 0
}

// find looks symbols up. The error is an ErrMissing with those that there are not.
func (l *library) find(symbols ...string) (addresses []uintptr, err error) {
	var missing []string
	for _, symbol := range symbols {
		address, err := dl.Symbol(l.handle, symbol)
		if err != nil || address == 0 {
			missing = append(missing, symbol)
		}
		addresses = append(addresses, address)
	}
	if len(missing) > 0 {
		return addresses, fmt.Errorf("%w %s", ErrMissing, strings.Join(missing, ", "))
	}
	return addresses, nil
}

// yieldEvery is how many calls are made between two yields to Go's scheduler,
// which otherwise takes the thread for stuck: see libsecp.Context.
const yieldEvery = 128

func (l *library) call(fn uintptr, args ...uintptr) uintptr {
	n := copy(l.m.args[:], args)
	r := dl.Call(fn, l.m.args[:n])
	runtime.KeepAlive(l.m)
	if l.calls++; l.calls%yieldEvery == 0 {
		runtime.Gosched()
	}
	return r
}

// ok is call for functions that return an int, 1 for success.
func (l *library) ok(fn uintptr, args ...uintptr) bool { return int32(l.call(fn, args...)) == 1 }

// addr returns an address to hand to C, of something in a memory.
func addr[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }

// text copies a string that C keeps.
func text(address uintptr) string {
	if address == 0 {
		return ""
	}
	// A conversion of address itself would be taken for an address of Go.
	p := *(**byte)(unsafe.Pointer(&address))
	bytes := unsafe.Slice(p, 256)
	return strings.Clone(string(bytes[:max(0, slices.Index(bytes, 0))]))
}

func compare(what string, got, want []byte) error {
	if string(got) != string(want) {
		return fmt.Errorf("%s %x, want %x", what, got, want)
	}
	return nil
}
