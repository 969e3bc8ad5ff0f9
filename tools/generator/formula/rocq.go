package formula

import (
	"fmt"
	"slices"
	"strings"
)

// In returns the names of the functions without a receiver in a file, in order.
func (s *Source) In(file string) []string {
	return slices.DeleteFunc(slices.Clone(s.names), func(name string) bool {
		decl := s.funcs[name]
		return decl.Recv != nil || s.files.Position(decl.Pos()).Filename != file
	})
}

// Rocq prints the formula as a definition with the given name, over a field K. The definition takes the coordinates of
// all parameters that the formula reads, one by one, and returns a tuple for each parameter that the formula sets. For
// a formula that repeats its steps, it defines one repetition.
func (f *Formula) Rocq(s *Source, name string) string {
	reads, sets := map[Param]bool{}, map[Param]bool{}
	for _, v := range f.Steps {
		for _, a := range v.Operands() {
			if a.Terms == nil {
				reads[a.Place.Param] = true
			}
		}
		if v.Place != nil {
			sets[v.Place.Param] = true
		}
	}
	var in, out []string
	for _, p := range f.Params {
		names := []string{p.Name}
		if fields := s.fields[strings.TrimPrefix(p.Type, "*")]; len(fields) > 0 {
			names = nil
			for _, field := range fields {
				names = append(names, p.Name+"_"+field)
			}
		}
		if reads[p] {
			in = append(in, names...)
		}
		if sets[p] {
			out = append(out, "("+strings.Join(names, ", ")+")")
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Definition %s (%s : K) :=\n", name, strings.Join(in, " "))
	for _, v := range f.Steps {
		fmt.Fprintf(&b, "  let %s := %s in\n", rocqName(v), v.rocq())
	}
	fmt.Fprintf(&b, "  (%s).\n", strings.Join(out, ", "))
	return b.String()
}

// rocqName returns the name of v as an identifier of Rocq, which may not contain a dot.
func rocqName(v *Value) string { return strings.NewReplacer(".", "_", "′", "'").Replace(v.Name) }

// rocq formats the sum that defines v.
func (v *Value) rocq() string {
	var s strings.Builder
	for i, t := range v.Terms {
		term := rocqName(t.A)
		if t.B != nil {
			term += " * " + rocqName(t.B)
		}
		if n := t.Coefficient.Num().Int64(); n != 1 && n != -1 {
			term = fmt.Sprintf("%s * (%s)", rocqNumber(max(n, -n)), term)
		}
		if d := t.Coefficient.Denom().Int64(); d != 1 {
			term = fmt.Sprintf("%s / %s", term, rocqNumber(d))
		}
		switch {
		case t.Coefficient.Sign() < 0 && i == 0:
			term = "- (" + term + ")"
		case t.Coefficient.Sign() < 0:
			term = " - " + term
		case i > 0:
			term = " + " + term
		}
		s.WriteString(term)
	}
	return s.String()
}

// rocqNumber formats n ≥ 0 as sums and products of ones.
func rocqNumber(n int64) string {
	switch {
	case n < 2:
		return fmt.Sprint(n)
	case n%2 == 0 && n > 2:
		return "(" + rocqNumber(2) + " * " + rocqNumber(n/2) + ")"
	}
	return "(" + rocqNumber(n-1) + " + 1)"
}
