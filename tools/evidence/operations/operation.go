// Package operations is the only list of all operations of the library: an Op calls each exported function and method
// of its public packages, and of the modules ethereum, protocols and nostr. All tools that check every operation read
// this list: whether goroutines may share all values (concurrency), which secrets remain in memory (residue), whether
// time depends on secrets (consttime), which operations allocate, and whether results stay correct under load
// (concurrency). Tests call the functions with invalid arguments by reflection.
//
// A new exported function needs an entry in the file of its package; TestRegistry fails until it has one.
package operations

import (
	"fmt"
	"runtime/debug"
	"slices"
)

// An Op calls one function, or a few functions that belong together.
type Op struct {
	Name string
	// Run calls the functions on the inputs and passes their results to out. It does not change the inputs, since
	// goroutines share them. It leaves no secret behind: either Run or out wipes every value that Run makes from
	// secrets. It panics at an unexpected error.
	Run func(in *In, out *Out)
	// Allocs is the number of allocations that Run needs, or Varies.
	Allocs int

	// Called lists functions that Run calls as values, where lint cannot follow.
	Called []any

	// Public describes the input of Run, if the input is not secret. For such operations, no tool looks for secrets, or
	// for time that depends on secrets.
	Public string
	// Untimed says why consttime leaves out this operation on secrets.
	Untimed string
	// Shown says why memcheck is given public values in place of the secrets, so that only lint looks at the functions.
	Shown string
	// Unsearched says why residue leaves out this operation on secrets.
	Unsearched string

	// OnStack is true if Run receives a secret in an array on its stack. If Run is interrupted, copies of the array are
	// wiped only if Run was called inside secret.Do of runtime/secret.
	OnStack bool

	// Oracle checks the results by an independent computation. It also returns every intermediate value that follows
	// from the secrets of In. None of these values may be in memory afterwards.
	Oracle oracleOf
}

type oracleOf = func(in *In, r Results) (more []Secret, right bool)

// onSecrets returns an operation on secrets, which only the caller may learn. The oracle may be nil, for example if the
// oracle of another operation computes the same values.
func onSecrets(name string, allocs int, right oracleOf, run func(in *In, out *Out)) Op {
	return Op{Name: name, Allocs: allocs, Oracle: right, Run: run}
}

// onPublic returns an operation whose inputs are public.
func onPublic(name string, allocs int, what string, run func(in *In, out *Out)) Op {
	return Op{Name: name, Allocs: allocs, Public: what, Run: run}
}

// The methods below set fields that few operations have.
func (o Op) right(oracle oracleOf) Op { o.Oracle = oracle; return o }
func (o Op) untimed(why string) Op    { o.Untimed = why; return o }
func (o Op) unsearched(why string) Op { o.Unsearched = why; return o }
func (o Op) shown(why string) Op      { o.Shown = why; return o }
func (o Op) onStack() Op              { o.OnStack = true; return o }

// Check runs the operation. It returns an error if the operation panics, if one of its conditions does not hold, or, if
// judged is true, if its oracle computes other results.
func (o *Op) Check(in *In, out *Out, judged bool) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: panic: %v\n%s", o.Name, p, debug.Stack())
		}
	}()
	out.Reset()
	o.Run(in, out)
	r := out.Results()
	if wrong := r.Wrong(); wrong != "" {
		return fmt.Errorf("%s: %s", o.Name, wrong)
	}
	if judged && o.Oracle != nil {
		if _, right := o.Oracle(in, r); !right {
			return fmt.Errorf("%s: the oracle computes other results than: %s", o.Name, r.Stable())
		}
	}
	return nil
}

// Varies stands for a number of allocations that depends on lengths, chance or time. It also stands for a number that
// does not matter, such as the number of allocations for texts, for connections, and for values that are computed once
// and used often.
const Varies = -1

// All lists all operations.
var All = slices.Concat(keys, scalars, points, ecdsas, schnorrs, agreements, signers, formats, musigs, thresholds, adaptors, payments, proofs, mints, transports, events, wires, conversations, ethereums)

// Named returns the operation with the given name.
func Named(name string) *Op {
	i := slices.IndexFunc(All, func(o Op) bool { return o.Name == name })
	if i < 0 {
		panic("no operation is called " + name)
	}
	return &All[i]
}

// Declassify is called with bytes that depend on secrets and are public from then on, and with the number of bytes that
// must have been secret until then. The program that runs under memcheck sets it.
var Declassify = func(b []byte, secret int) {}

// Setting returns the value of a build setting of this program, such as "true" for "-race", or "" if it has none.
func Setting(key string) string {
	info, _ := debug.ReadBuildInfo()
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// Deeper calls f with more of the goroutine's stack in use: more than 64 bytes for each of n nested calls.
//
//go:noinline
func Deeper(n int, f func()) byte {
	var frame [64]byte
	if n == 0 {
		f()
	} else {
		frame[n%64] = Deeper(n-1, f)
	}
	return frame[n%64]
}
