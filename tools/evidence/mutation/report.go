package main

import (
	"fmt"
	"io"
	"math"
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

// enough is the least acceptable score, in percent.
const enough = 95

// refuted reports whether the survivors of a sample refute the assumption that the score of all mutants is high enough.
// Under this assumption, fewer than one sample in a hundred has as many survivors or more.
func (t *tally) refuted() bool {
	n, p := t.killed+t.survived, 1-enough/100.0
	fewer, exactly := 0.0, math.Pow(1-p, float64(n)) // probability of k survivors in the binomial distribution
	for k := range t.survived {
		fewer += exactly
		exactly *= float64(n-k) / float64(k+1) * p / (1 - p)
	}
	return 1-fewer < 0.01
}

// score returns the percentage of mutants that tests noticed, among the mutants that are not equivalent.
func (t *tally) score() float64 {
	if t.killed+t.survived == 0 {
		return 100
	}
	return 100 * float64(t.killed) / float64(t.killed+t.survived)
}

func (t *tally) String() string {
	s := fmt.Sprintf("%d mutants, %d killed", t.mutants, t.killed)
	var parts []string
	if t.above > 0 {
		parts = append(parts, fmt.Sprintf("%d by tests of other packages alone", t.above))
	}
	if t.hung > 0 {
		parts = append(parts, fmt.Sprintf("%d by the time limit", t.hung))
	}
	if parts != nil {
		s += " (" + strings.Join(parts, ", ") + ")"
	}
	return s + fmt.Sprintf(", %d equivalent by the list, %d survive: %.1f %%", t.equivalent, t.survived, t.score())
}

// report writes the results and returns whether the run succeeded.
func report(w io.Writer, all []*mutant, outcomes map[string]outcome, known list, whole bool) bool {
	good, total := true, new(tally)
	tallies, packages := map[string]*tally{}, []string{}
	for _, m := range all {
		o, ok := outcomes[m.key()]
		if !ok {
			continue
		}
		if tallies[m.Package] == nil {
			tallies[m.Package], packages = new(tally), append(packages, m.Package)
		}
		reason, equivalent := known[m.key()], known.equivalent(m.key())
		tallies[m.Package].add(o, equivalent)
		total.add(o, equivalent)
		switch {
		case o.Verdict == survived && reason == "":
			fmt.Fprintf(w, "survives (%s): %s\n", m.Kind, m.key())
			good = good && !whole
		case o.Verdict == survived && !equivalent:
			fmt.Fprintf(w, "survives, as the list says (%s): %s\n", m.Kind, m.key())
		case o.Verdict != survived && reason != "":
			fmt.Fprintf(w, "on the list, but %s notices it: %s\n", o.By, m.key())
			good = false
		}
	}
	for _, name := range packages {
		if whole {
			fmt.Fprintf(w, "result: mutants of %s: %s\n", name, tallies[name])
		}
	}
	if total.mutants > 0 {
		fmt.Fprintf(w, "result: mutants of all packages together: %s\n", total)
	}
	if total.mutants < max(1, len(all)) {
		fmt.Fprintf(w, "of %d mutants, %d were tried\n", len(all), total.mutants)
		good = false
	}
	switch {
	case whole && total.score() < enough:
		fmt.Fprintf(w, "the score is below %d %%\n", enough)
		good = false
	case !whole && total.refuted():
		fmt.Fprintf(w, "the score of all mutants is below %d %%: with a higher score, fewer than one sample in a hundred has so many survivors\n", enough)
		good = false
	}
	return good
}
