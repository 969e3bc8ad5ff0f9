// Package formula turns the point formulas, which are written once, as Go functions (internal/group/formulas.go), into
// lists of steps for a machine to compile. Each step is a sum of products and elements that is reduced once.
//
//	read.go   Go to steps, one for each call of a method; called formulas are inlined
//	scale.go  values times powers of two, for machines that cannot halve
//	order.go  formulas called one after the other are interleaved; sums that a machine reduces at once become one step
//
// The package does not know how many limbs an element has, or where it is stored. A back end provides a Machine and
// code that emits the steps of a Formula. The Machine says which sums it reduces at once and which coordinates it
// stores scaled, such as 2Y. The back end must check that the machine's words can hold all integers that occur.
// tools/generator/compile.go is the back end for elements of four words in general-purpose registers, on x86-64 and
// ARM64. tools/generator/lanesformula.go is the back end for eight lanes of five limbs in vector registers. It stores
// 2Y in place of Y, so that the same formulas need no halving.
//
// The opposite direction, printing Go functions from equations, was tried on doubling and mixed addition. Equations are
// shorter: 7 and 11 equations replace 13 and 18 calls. But they are one more language, with a parser and a printer.
// Debuggers, profiles, mutants and readers of the library would meet the printed functions, which have a variable for
// each term and which nobody could edit. A Go function that serves as the source runs as it is, and is tested and found
// like any other function. "go run ./tools/generator -steps" prints the equations of the formulas.
package formula

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// A Formula is a routine: its parameters, and the steps that compute its results.
type Formula struct {
	Name   string
	Doc    string // one sentence
	Params []Param
	Repeat *Repeat // nil if the steps run once
	Steps  []*Value
}

// Param is a pointer to a point or an element, or the count of a Repeat.
type Param struct {
	Name, Type string
	Elements   int // the number of elements that the parameter points to, or 0 for the count
}

// Repeat means that the steps run several times, first on the point Input, and then on the point Output.
type Repeat struct{ Count, Input, Output string }

// A Value is an element: an input of the formula, or the result of a step.
type Value struct {
	Name      string
	Place     *Place // where the value is read or written at a parameter, or nil
	Terms     []Term // the sum that defines the value; none for an input
	Unreduced bool   // the value is stored as an unreduced product, for one sum with another product
}

// Place is an element that a parameter points to: a coordinate, by its number, or the whole parameter.
type Place struct {
	Param Param
	Index int
}

// A Term is Coefficient·A·B, or Coefficient·A if B is nil.
type Term struct {
	Coefficient *big.Rat
	A, B        *Value
}

// A Machine describes the machine for which a formula is compiled.
type Machine struct {
	// Fits reports whether the machine computes the sum with one reduction.
	Fits func(sum []Term) bool

	// Scale holds the scaling of coordinates, by the names of functions.
	Scale map[string]Scale
}

// Signature returns the Go type of the routine.
func (f *Formula) Signature() string {
	var params []string
	for i, p := range f.Params {
		if i+1 == len(f.Params) || f.Params[i+1].Type != p.Type {
			p.Name += " " + p.Type
		}
		params = append(params, p.Name)
	}
	return "func(" + strings.Join(params, ", ") + ")"
}

// String lists the steps.
func (f *Formula) String() string {
	var s strings.Builder
	for _, v := range f.Steps {
		fmt.Fprintf(&s, "%s = %s\n", v.Name, v)
	}
	return s.String()
}

// String formats the sum that defines v.
func (v *Value) String() string {
	var s strings.Builder
	for i, t := range v.Terms {
		if i > 0 {
			s.WriteString(map[bool]string{false: " + ", true: " − "}[t.Coefficient.Sign() < 0])
		} else if t.Coefficient.Sign() < 0 {
			s.WriteString("−")
		}
		if c := new(big.Rat).Abs(t.Coefficient).RatString(); c != "1" {
			s.WriteString(c + "·")
		}
		s.WriteString(t.A.Name)
		switch {
		case t.A == t.B:
			s.WriteString("²")
		case t.B != nil:
			s.WriteString("·" + t.B.Name)
		}
	}
	if v.Unreduced {
		s.WriteString(" unreduced")
	}
	return s.String()
}

// Operands returns the values in the sum of v. A value that occurs twice is listed twice.
func (v *Value) Operands() (list []*Value) {
	for _, t := range v.Terms {
		list = append(list, t.A)
		if t.B != nil {
			list = append(list, t.B)
		}
	}
	return list
}

// IsSum reports whether v is a sum of elements.
func (v *Value) IsSum() bool {
	return !slices.ContainsFunc(v.Terms, func(t Term) bool { return t.B != nil || t.A.Unreduced })
}

// uses reports whether the sum of v contains one of the values.
func (v *Value) uses(values []*Value) bool {
	return slices.ContainsFunc(v.Operands(), func(a *Value) bool { return slices.Contains(values, a) })
}
