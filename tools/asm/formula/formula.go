// Package formula turns the formulas of points, which are written once, as
// functions of Go (internal/group/formulas.go), into what machines compile: lists
// of steps, each a sum of products and elements that is reduced once.
//
//	read.go   Go to steps, one for each call of a method; formulas called are put in place
//	scale.go  coordinates times powers of two, so that nothing is halved
//	order.go  formulas called one after the other take turns; sums that a machine reduces at once become one step
//	range.go  which integers sums can be
//
// Nothing here knows how many limbs an element has, or where it lies. A machine is
// a description (Machine) and what goes through the steps of a Formula and emits
// them: tools/asm/compile.go for four words of 64 bits in general-purpose
// registers, on x86-64 and ARM64. Another one, such as eight lanes of five limbs in
// vector registers, stands beside that, with its own Machine: which sums it reduces
// at once, which coordinates it keeps multiplied (twice y, say), and of which range
// its elements are. No formula is touched for it.
package formula

import (
	"fmt"
	"math/big"
	"strings"
)

// A Formula is a routine: its parameters and the steps that set them.
type Formula struct {
	Name   string // of the routine
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

// Repeat is to go through the steps a number of times: first from the point Input,
// then from Output.
type Repeat struct{ Count, Input, Output string }

// A Value is an element: an input of the formula, or the result of a step.
type Value struct {
	Name      string
	Place     *Place // where it comes from or goes to, or nil
	Terms     []Term // the sum that it is; none for an input
	Squared   int    // how often the one product in it, a square, is squared in all; 0 for once
	Unreduced bool   // for one sum only, which has a product as well: they are reduced together

	target *Place // the coordinate that it is assigned to, also if another value replaces it
}

// Place is a coordinate of a point at a parameter, or the element there.
type Place struct {
	Param Param
	Index int
}

// A Term is Coefficient·A·B, or Coefficient·A if B is nil.
type Term struct {
	Coefficient *big.Rat
	A, B        *Value
}

// A Machine is what a formula is made for.
type Machine struct {
	// Fits reports whether the machine makes the sum with one reduction. Terms that
	// are Unreduced count as products.
	Fits func(sum []Term) bool

	// Scale holds, by the names of a function and of coordinates at its parameters
	// ("p.X"), the powers of two that these are multiplied by.
	Scale map[string]map[string]int
}

// Signature is the type of the routine.
func (f *Formula) Signature() string {
	var s strings.Builder
	for i, p := range f.Params {
		s.WriteString(p.Name)
		if i == len(f.Params)-1 || f.Params[i+1].Type != p.Type {
			s.WriteString(" " + p.Type)
		}
		if i < len(f.Params)-1 {
			s.WriteString(", ")
		}
	}
	return "func(" + s.String() + ")"
}

// String lists the steps.
func (f *Formula) String() string {
	var s strings.Builder
	for _, v := range f.Steps {
		fmt.Fprintf(&s, "%s = %s", v.Name, sum(v.Terms))
		switch {
		case v.Squared > 1:
			fmt.Fprintf(&s, "^(2^%d)", v.Squared-1)
		case v.Unreduced:
			s.WriteString(" unreduced")
		}
		s.WriteString("\n")
	}
	return s.String()
}

func sum(terms []Term) string {
	var s strings.Builder
	for i, t := range terms {
		switch c := t.Coefficient; {
		case i > 0 && c.Sign() < 0:
			s.WriteString(" − ")
		case i > 0:
			s.WriteString(" + ")
		case c.Sign() < 0:
			s.WriteString("−")
		}
		if c := new(big.Rat).Abs(t.Coefficient).RatString(); c != "1" {
			s.WriteString(c + "·")
		}
		s.WriteString(t.A.Name)
		switch t.B {
		case nil:
		case t.A:
			s.WriteString("²")
		default:
			s.WriteString("·" + t.B.Name)
		}
	}
	return s.String()
}

// isProduct reports whether there is a product in the term.
func (t Term) isProduct() bool { return t.B != nil || t.A.Unreduced }

// uses calls do with the values that v is made of.
func (v *Value) uses(do func(*Value)) {
	for _, t := range v.Terms {
		if do(t.A); t.B != nil {
			do(t.B)
		}
	}
}

// isSum reports whether v is a sum of elements only.
func (v *Value) isSum() bool {
	for _, t := range v.Terms {
		if t.isProduct() {
			return false
		}
	}
	return true
}
