// Package operations is the one list of what the library does: of its public packages and those of the modules protocols and
// nostr, every exported function and method is called by an Op. All checks of all operations read this list: whether
// goroutines may share everything (concurrency), what stays in memory (residue), whether time depends on secrets
// (consttime), what allocates, and whether results stay right under load (soak).
//
// An exported function that is new gets an entry in the file of its package. A test of this package fails until it has one.
package operations

import (
	"fmt"
	"runtime/debug"
	"slices"
)

// An Op calls one function, or some that belong together.
type Op struct {
	Name string
	// Run calls the functions on the inputs and hands over what they return. It changes nothing in the inputs, since goroutines
	// share them, and leaves no secret behind: what it makes of secrets it wipes, or out does. It panics at an unexpected error.
	Run func(in *In, out *Out)
	// Allocs is the number of allocations that Run needs, or Varies.
	Allocs int

	// Covers names functions that Run calls by way of interfaces. For the other operations a test knows it
	// from the code.
	Covers []string
	// Called are functions that Run calls as values, where lint cannot follow.
	Called []any

	// Public says what Run is given, if that is no secret: nobody then looks for secrets or for time that depends on them.
	Public string
	// Untimed says for operations on secrets why consttime leaves them out.
	Untimed string
	// Shown says why memcheck gets public values in place of the secrets, so that lint alone looks at the functions.
	Shown string
	// Unsearched says for operations on secrets why residue leaves them out.
	Unsearched string

	// Oracle computes in another way whether the results are right, and all that the secrets of In lead to in between, which may
	// not be in memory afterwards.
	Oracle oracleOf
}

type oracleOf = func(in *In, r Results) (more []Secret, right bool)

// onSecrets is an operation that no one but the caller may learn anything of. Its oracle is nil where others compute the same.
func onSecrets(name string, allocs int, right oracleOf, run func(in *In, out *Out)) Op {
	return Op{Name: name, Allocs: allocs, Oracle: right, Run: run}
}

// onPublic is an operation that is given what is public.
func onPublic(name string, allocs int, what string, run func(in *In, out *Out)) Op {
	return Op{Name: name, Allocs: allocs, Public: what, Run: run}
}

// These fill in what few operations have.
func (o Op) right(oracle oracleOf) Op { o.Oracle = oracle; return o }
func (o Op) untimed(why string) Op    { o.Untimed = why; return o }
func (o Op) unsearched(why string) Op { o.Unsearched = why; return o }
func (o Op) shown(why string) Op      { o.Shown = why; return o }

// Check runs the operation and returns an error if it panics, if a condition that has to hold does not, or, if judged
// says to ask the oracle, if the oracle computes other results.
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
			return fmt.Errorf("%s: not what the oracle computes: %s", o.Name, r.Stable())
		}
	}
	return nil
}

// Varies stands for a number of allocations that depends on lengths, chance or time, or that nobody counts on: of texts, of
// connections, of values that are made once for many uses.
const Varies = -1

// All are all operations.
var All = slices.Concat(keys, scalars, points, ecdsas, schnorrs, agreements, signers, formats, musigs, payments, proofs, mints, transports, events, wires, conversations)

// Named returns the operation of that name.
func Named(name string) *Op {
	i := slices.IndexFunc(All, func(o Op) bool { return o.Name == name })
	if i < 0 {
		panic("there is no operation " + name)
	}
	return &All[i]
}

// Declassify is called with what depends on secrets and is public from then on, and how many of its bytes must have been secret
// so far. It is for the program that memcheck runs.
var Declassify = func(b []byte, secret int) {}
