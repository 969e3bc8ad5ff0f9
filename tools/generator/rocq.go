package main

import (
	"strings"

	"p256k1.mleku.dev/v2/tools/generator/formula"
)

// definitions returns the point formulas for Rocq. Each formula is defined as in the Go code, with one let for each
// call, and again in the form of package lanes if its coordinates are scaled in lanes.
func definitions(points *formula.Source) string {
	var b strings.Builder
	b.WriteString(`(* Made from internal/group/formulas.go by "go run ./tools/generator -rocq". *)
Require Import Base.
Section Formulas.
Variable K : field.
Local Notation "0" := (zero K).
Local Notation "1" := (one K).
Local Infix "+" := (add K).
Local Infix "*" := (mul K).
Local Infix "-" := (sub K).
Local Infix "/" := (div K).
Local Notation "- x" := (opp K x).
`)
	print := func(function, name string, m formula.Machine) {
		f, err := points.Formula(function, m)
		if err != nil {
			panic(err)
		}
		b.WriteString("\n" + f.Rocq(points, name))
	}
	for _, name := range points.In("formulas.go") {
		print(name, strings.TrimSuffix(name, "Generic"), formula.Machine{Fits: func([]formula.Term) bool { return false }})
	}
	for _, r := range pointsInLanes {
		if r.double != "" && r.copies == 0 {
			print(r.formula, "lanes_"+r.name, r.machine())
		}
	}
	b.WriteString("\nEnd Formulas.\n")
	return b.String()
}
