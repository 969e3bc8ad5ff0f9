// Package formula turns the formulas of points, which are written once, as
// functions of Go (internal/group/formulas.go), into what machines compile: lists
// of steps, each a sum of products and elements that is reduced once.
//
//	read.go   Go to steps, one for each call of a method; formulas called are put in place
//	scale.go  values times powers of two, for machines which cannot halve
//	order.go  formulas called one after the other take turns; sums that a machine reduces at once become one step
//
// Nothing here knows how many limbs an element has, or where it lies. A back end
// brings a Machine, which describes it, and code that goes through the steps of a
// Formula and emits them. The Machine says which sums it reduces at once and which
// coordinates it holds multiplied (2Y, say); whether it holds the integers that come up
// is for the back end to check. tools/generator/compile.go is the back end for elements of
// four words in general-purpose registers, on x86-64 and ARM64; tools/generator/lanesformula.go
// is the back end for eight lanes of five limbs in vector registers. It has 2Y in place of Y,
// so that the same formulas have no halves.
//
// The other way round was tried on doubling and mixed addition: equations, from
// which the functions of Go are printed. They are shorter, 7 and 11 equations
// instead of 13 and 18 calls. But they are a language to learn, with a parser and a
// printer. The result, a Go function with a variable for each term, is what debuggers,
// profiles, mutants and readers of the library meet, and nobody may edit it. A function
// of Go that is read runs as it is, and is tested and jumped to like any other. "go run
// ./tools/generator -steps" prints the equations in it.
package formula

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// A Formula is a routine: its parameters and the steps that set them.
type Formula struct {
	Name   string
	Doc    string // one sentence
	Params []Param
	Repeat *Repeat // nil to go through the steps once
	Steps  []*Value
}

// Param is a pointer to a point or an element, or the count of a Repeat.
type Param struct {
	Name, Type string
	Elements   int // how many it points to; 0 for the count
}

// Repeat is to go through the steps a number of times, first with the point Input,
// then with Output in its place.
type Repeat struct{ Count, Input, Output string }

// A Value is an element: an input of the formula, or the result of a step.
type Value struct {
	Name      string
	Place     *Place // where it comes from or goes to; nil if that is no parameter
	Terms     []Term // the sum that it is; none for an input
	Unreduced bool   // it stays a product, for one sum with another one
}

// Place is an element at a parameter: a coordinate, by its number, or all there is.
type Place struct {
	Param Param
	Index int
}

// A Term is Coefficient·A·B, or Coefficient·A if B is nil.
type Term struct {
	Coefficient *big.Rat
	A, B        *Value
}

// A Machine has the properties of the machine for which a formula is compiled.
type Machine struct {
	// Fits reports whether the machine makes the sum with one reduction.
	Fits func(sum []Term) bool

	// Scale is by the names of functions.
	Scale map[string]Scale
}

// Signature is the type of the routine.
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

// String is the sum that v is.
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
		switch s.WriteString(t.A.Name); {
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

// operands are the values that v is made of, as often as they are in it.
func (v *Value) operands() (list []*Value) {
	for _, t := range v.Terms {
		if list = append(list, t.A); t.B != nil {
			list = append(list, t.B)
		}
	}
	return list
}

// isSum reports whether v is a sum of elements.
func (v *Value) isSum() bool {
	return !slices.ContainsFunc(v.Terms, func(t Term) bool { return t.B != nil || t.A.Unreduced })
}

// uses reports whether one of the values is in v.
func (v *Value) uses(values []*Value) bool {
	return slices.ContainsFunc(v.operands(), func(a *Value) bool { return slices.Contains(values, a) })
}
