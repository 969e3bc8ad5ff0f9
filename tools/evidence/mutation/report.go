package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// A tally counts the mutants of a part of the library.
type tally struct {
	mutants, equivalent, killed, hung, above, survived int
}

func (t *tally) add(o outcome, equivalent bool) {
	t.mutants++
	switch {
	case o.Verdict != survived:
		t.killed++
		if o.Verdict == hung {
			t.hung++
		}
		if !o.Own {
			t.above++
		}
	case equivalent:
		t.equivalent++
	default:
		t.survived++
	}
}

// enough is the least score that is good.
const enough = 95

// refuted reports whether the tests cannot well notice enough of all mutants if of
// a sample of them this many survive: with a true share of enough, that many or
// more would survive by chance in less than one sample of a hundred.
func (t *tally) refuted() bool {
	n, p := t.killed+t.survived, 1-enough/100.0
	fewer, exactly := 0.0, math.Pow(1-p, float64(n)) // of the binomial distribution, k survivors
	for k := range t.survived {
		fewer += exactly
		exactly *= float64(n-k) / float64(k+1) * p / (1 - p)
	}
	return 1-fewer < 0.01
}

// score is the share in per cent, of the mutants that are not equivalent, of
// those that tests noticed.
func (t *tally) score() float64 {
	if t.killed+t.survived == 0 {
		return 100
	}
	return 100 * float64(t.killed) / float64(t.killed+t.survived)
}

func (t *tally) String() string {
	s := fmt.Sprintf("%d mutants, %d killed", t.mutants, t.killed)
	var of []string
	if t.above > 0 {
		of = append(of, fmt.Sprintf("%d by tests of other packages alone", t.above))
	}
	if t.hung > 0 {
		of = append(of, fmt.Sprintf("%d by the time limit", t.hung))
	}
	if of != nil {
		s += " (" + strings.Join(of, ", ") + ")"
	}
	return s + fmt.Sprintf(", %d equivalent by the list, %d survive: %.1f %%", t.equivalent, t.survived, t.score())
}

// parts are what the score is given for, besides the packages.
var parts = []struct {
	name string
	has  func(*mutant) bool
}{
	{"field", inPackages("internal/field", "internal/modinv")},
	{"scalar", inPackages("internal/scalar")},
	{"group and multiplication", inPackages("internal/group", "internal/ecmult", "curve")},
	{"schemes", inPackages("ecdsa", "schnorr", "ecdh", "ellswift", "rfc6979", "internal/hmacsha256")},
	{"parsers", isParser},
	{"conditional moves, checks and carries, of field, scalar, group and schemes", func(m *mutant) bool {
		return (m.Kind == carries || m.Kind == checks || m.Kind == moves) && m.Package != "internal/modinv" && m.Package != "."
	}},
}

func inPackages(dirs ...string) func(*mutant) bool {
	return func(m *mutant) bool { return slices.Contains(dirs, m.Package) }
}

// isParser reports whether a mutant is of a function that reads an encoding.
func isParser(m *mutant) bool {
	_, name, method := strings.Cut(m.Func, ".")
	if !method {
		name = m.Func
	}
	switch name {
	case "NewPrivateKey", "NewPublicKey", "NewXOnlyPublicKey", "set", "setBytes", "setTweak", "liftX", "LiftX", "scalar", "scalars":
		return m.Package != "internal/ecmult"
	}
	return strings.HasPrefix(name, "Parse") || strings.HasPrefix(name, "parse") || strings.HasPrefix(name, "SetBytes")
}

// report writes the results and returns whether all is well.
func report(w io.Writer, all []*mutant, outcomes map[string]outcome, known list, whole bool) bool {
	good := true
	count := func(has func(*mutant) bool) *tally {
		t := new(tally)
		for _, m := range all {
			if o, ok := outcomes[m.key()]; ok && m.Kind != wiping && has(m) {
				t.add(o, known.equivalent(m.key()))
			}
		}
		return t
	}
	for _, m := range all {
		o, ok := outcomes[m.key()]
		if !ok || m.Kind == wiping {
			continue
		}
		reason := known[m.key()]
		switch {
		case o.Verdict == survived && reason == "":
			fmt.Fprintf(w, "survives (%s): %s\n", m.Kind, m.key())
			good = good && !whole
		case o.Verdict == survived && !known.equivalent(m.key()):
			fmt.Fprintf(w, "survives, as the list says (%s): %s\n", m.Kind, m.key())
		case o.Verdict != survived && reason != "":
			fmt.Fprintf(w, "on the list, but %s notices it: %s\n", o.By, m.key())
			good = false
		}
	}
	var packages []string
	for _, m := range all {
		if !slices.Contains(packages, m.Package) {
			packages = append(packages, m.Package)
		}
	}
	line := func(name string, has func(*mutant) bool) {
		if t := count(has); t.mutants > 0 {
			fmt.Fprintf(w, "result: mutants of %s: %s\n", name, t)
		}
	}
	if whole {
		for _, p := range packages {
			name := p
			if p == "." {
				name = "the keys"
			}
			line(name, inPackages(p))
		}
		for _, p := range parts {
			line(p.name, p.has)
		}
	}
	var wiped, noticed int
	for _, m := range all {
		if o, ok := outcomes[m.key()]; ok && m.Kind == wiping {
			if wiped++; o.Verdict != survived {
				noticed++
			}
		}
	}
	if wiped > 0 {
		fmt.Fprintf(w, "result: statements that wipe, left out: %d, of which %d are noticed for what else they do; the others are not counted: they are for a scan of memory to notice\n", wiped, noticed)
	}
	everything := func(*mutant) bool { return true }
	line("all packages together", everything)
	switch t := count(everything); {
	case whole && t.score() < enough:
		fmt.Fprintf(w, "the score is below %d %%\n", enough)
		good = false
	case !whole && t.refuted():
		fmt.Fprintf(w, "the score of all mutants is below %d %%: a better one gives such a sample once in a hundred times\n", enough)
		good = false
	}
	return good
}
