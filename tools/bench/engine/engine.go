// Package engine puts implementations of secp256k1 behind one interface, so that programs can compare them or choose
// between them.
//
// [Find] looks for the engines that this machine has. Each goroutine computes with its own [Session]. An operation that
// an engine lacks returns [ErrNotSupported].
//
// The engines are meant for comparisons. Engines written in C copy secret keys into buffers that are not wiped before
// the session is closed.
package engine

import (
	"errors"
	"fmt"
	"strings"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

var (
	// ErrNotSupported means that an engine does not have an operation. It wraps [errors.ErrUnsupported].
	ErrNotSupported = fmt.Errorf("engine: %w", errors.ErrUnsupported)
	// ErrAbsent means that this machine, or this build, lacks an engine.
	ErrAbsent = errors.New("engine: absent")
	// ErrInvalid means that an engine refused a key or a signature.
	ErrInvalid = errors.New("engine: invalid input")
)

// refused returns an ErrInvalid for input that was not accepted.
func refused(ok bool, what string) error {
	if ok {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrInvalid, what)
}

// An Engine is an implementation of secp256k1. It is safe for concurrent use.
type Engine interface {
	// Info says which implementation this is.
	Info() Info
	// NewSession returns a session for one goroutine.
	NewSession() (Session, error)
}

// Info describes an engine.
type Info struct {
	Name    string `json:"engine"`  // name, as in Find
	Backend string `json:"backend"` // the code behind it, for example "portable" or "C"
	Version string `json:"version"`
	// Path is the file of a shared library, or its name for the system's loader. SHA256 is the hash of the file's
	// contents in hexadecimal. Both are empty for code that is compiled into the program.
	Path   string `json:"path,omitempty"`
	SHA256 string `json:"sha256,omitempty"`
	// Notes are remarks that a reader of the engine's figures needs.
	Notes []string `json:"notes,omitempty"`
}

// Label is the name of an engine with its backend.
func (i Info) Label() string { return strings.TrimSpace(i.Name + " " + i.Backend) }

// A Session runs operations for one goroutine. Two goroutines must not use a Session at the same time. The operations
// that it has prepared must not be used after it is closed.
type Session interface {
	// Prepare loads the inputs of an operation; package measure lists and describes the operations. size is the number
	// of keys, nonces or inputs that one call takes, or 0 if the operation has no such number. The error is an
	// ErrNotSupported if the engine has no such operation.
	Prepare(op string, size int, inputs []Input) (Prepared, error)
	// Close frees the session and all that it loaded.
	Close()
}

// A Prepared is an operation with its inputs loaded.
type Prepared struct {
	// Run runs the operation on input i, modulo the number of inputs. If the operation was prepared for size inputs,
	// Run runs it on size successive inputs, the first of which is input i·size. Many operations write their result to
	// out; others, such as verification, leave out as it is. For invalid input Run returns an error, usually an
	// ErrInvalid.
	Run func(i int, out *Result) error
	// Refill restores values that n calls use up, such as secret nonces. The calls use the last value first. Refill is
	// nil if calls use up nothing. It panics with an error as must.Do does.
	Refill func(n int)
}

// A Result has the bytes that an operation computes, followed by zeros. The longest results are signatures in DER.
type Result [72]byte

// set copies a result and returns err, so that an operation can end with the call of set.
func (r *Result) set(result []byte, err error) error {
	copy(r[:], result)
	return err
}

func (r *Result) set32(result [32]byte, err error) error { return r.set(result[:], err) }

// accept copies the result of a C function, and returns ErrInvalid unless the function succeeded.
func (r *Result) accept(result []byte, ok bool) error { return r.set(result, refused(ok, "input")) }

func (r *Result) accept32(result [32]byte, ok bool) error { return r.accept(result[:], ok) }
func (r *Result) accept33(result [33]byte, ok bool) error { return r.accept(result[:], ok) }

// parsed returns ErrInvalid if a parser returned an error.
func parsed[T any](_ T, err error) error { return refused(err == nil, "encoding") }

// succeeded returns the error of a function whose result is not needed.
func succeeded[T any](_ T, err error) error { return err }

// accepted returns ErrInvalid if a C function refused its input, and forgets its result.
func accepted[T any](_ T, ok bool) error { return refused(ok, "input") }

// An implementation is an Engine.
type implementation struct {
	info Info
	open func() (Session, error)
}

func (e *implementation) Info() Info                   { return e.info }
func (e *implementation) NewSession() (Session, error) { return e.open() }

// A call runs an operation on one input.
type call[M any] func(m *M, out *Result) error

// A grouping prepares an operation that takes several inputs, or needs other data than a member has. If it returns no
// function Run, the engine does not have the operation.
type grouping[M any] func(size int, members []M) Prepared

// check is must.Get for functions that report whether they accepted their input. Prepare returns the errors of check
// and of package must, so only functions that Prepare calls may use them.
func check[T any](v T, ok bool) T { return must.Get(v, refused(ok, "input")) }

// A session is a Session whose members are inputs in the types of the engine.
type session[M any] struct {
	newMember func(*Input) M
	calls     map[string]call[M]
	groupings map[string]grouping[M]
	close     func() // nil if there is nothing to free

	// The inputs that were loaded last, so that the next operation on them need not load them again.
	inputs  []Input
	members []M
}

// Prepare implements Session.
func (s *session[M]) Prepare(op string, size int, inputs []Input) (p Prepared, err error) {
	run, single := s.calls[op]
	single = single && size <= 1
	group := s.groupings[op]
	if !single && group == nil {
		return p, ErrNotSupported
	}
	err = must.Catch(func() {
		if len(s.inputs) != len(inputs) || &s.inputs[0] != &inputs[0] {
			s.members = pick(inputs, s.newMember)
			s.inputs = inputs
		}
		if single {
			p = cycle(s.members, run)
		} else {
			p = group(size, s.members)
		}
	})
	switch {
	case err != nil:
		return p, fmt.Errorf("%w: %w", ErrInvalid, err)
	case p.Run == nil:
		return p, ErrNotSupported
	}
	return p, nil
}

// Close implements Session.
func (s *session[M]) Close() {
	if s.close != nil {
		s.close()
	}
}

// pick returns the results of f for all items.
func pick[A, B any](items []A, f func(*A) B) []B {
	all := make([]B, len(items))
	for i := range items {
		all[i] = f(&items[i])
	}
	return all
}

// cycle returns an operation that runs on one item per call. After the last item it starts again with the first.
func cycle[A any](items []A, run call[A]) Prepared {
	return overIndexes(items, func(_ int, item *A, out *Result) error { return run(item, out) })
}

// windows returns successive groups of size items each. After the last item it starts again with the first.
func windows[E any](all []E, size int) (w [][]E) {
	n := len(all)
	for len(all) < n+size {
		all = append(all, all[:n:n]...)
	}
	for i := range n {
		first := i * size % n
		w = append(w, all[first:first+size:first+size])
	}
	return w
}

// overIndexes returns an operation that runs on one item per call, as cycle does, and also gets the item's index.
func overIndexes[A any](items []A, run func(i int, item *A, out *Result) error) Prepared {
	return Prepared{Run: func(i int, out *Result) error {
		i %= len(items)
		return run(i, &items[i], out)
	}}
}

// usedUp returns an operation that uses up a value in each call. fill makes this value from an item.
func usedUp[A, B any](
	items []A, fill func(*A) B, run func(i int, item *A, used B, out *Result) error,
) Prepared {
	var ready []B
	return Prepared{
		Run: func(_ int, out *Result) error {
			last := len(ready) - 1
			used := ready[last]
			ready = ready[:last]
			i := last % len(items)
			return run(i, &items[i], used, out)
		},
		Refill: func(n int) {
			ready = make([]B, n)
			for i := range ready {
				ready[i] = fill(&items[i%len(items)])
			}
		},
	}
}
