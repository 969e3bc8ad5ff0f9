package formula

import (
	"fmt"
	"io/fs"
	"maps"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"p256k1.mleku.dev/v2/internal/oracle"
)

func read(t *testing.T, files fs.FS) *Source {
	t.Helper()
	s, err := Read(files)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func group(t *testing.T) *Source { return read(t, os.DirFS("../../../internal/group")) }

func formula(t *testing.T, s *Source, name string, m Machine) *Formula {
	t.Helper()
	f, err := s.Formula(name, m)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

var (
	literal = Machine{Fits: func([]Term) bool { return false }} // each call of a method is a step
	lazy    = Machine{Fits: func([]Term) bool { return true }}  // all that can be is reduced once
)

// coordinate names what a place is, by the parameter and a number.
func coordinate(p *Place) string { return fmt.Sprint(p.Param.Name, p.Index) }

// run computes the formula mod p.
func (f *Formula) run(in map[string]*big.Int) map[string]*big.Int {
	of := map[*Value]*big.Int{}
	get := func(v *Value) *big.Int {
		if v.Terms == nil {
			return in[coordinate(v.Place)]
		}
		return of[v]
	}
	out := map[string]*big.Int{}
	for _, v := range f.Steps {
		sum := new(big.Int)
		for _, t := range v.Terms {
			x := oracle.Fp.Mul(oracle.Fp.Mul(t.Coefficient.Num(), oracle.Fp.Inv(t.Coefficient.Denom())), get(t.A))
			if t.B != nil {
				x = oracle.Fp.Mul(x, get(t.B))
			}
			sum.Add(sum, x)
		}
		if of[v] = oracle.Fp.Reduce(sum); v.Place != nil {
			out[coordinate(v.Place)] = of[v]
		}
	}
	return out
}

// TestScale has coordinates multiplied as lanes may, which have 2Y in place of Y everywhere, and denominators times 2 with
// every step. Nothing is halved then, and the integers are those of the functions of Go, step for step, but for these powers.
func TestScale(t *testing.T) {
	r, s := oracle.New(t), group(t)
	twiceY := Scale{map[string]int{"a.Y": 1, "b.Y": 1, "y": 1}, map[string]int{"p.X": 2, "p.Y": 4, "p.Z": 1}}
	coZ := Scale{twiceY.In, map[string]int{"p.X": 2, "p.Y": 4, "a.X": 2, "a.Y": 4}}
	xyzz := Scale{twiceY.In, map[string]int{"p.X": 2, "p.Y": 4, "p.ZZ": 2, "p.ZZZ": 3}}
	for _, c := range []struct {
		routine, function string
		scale             Scale
	}{
		{"doubleNGeneric", "double", twiceY},
		{"addMixedGeneric", "addMixedGeneric", twiceY},
		{"addDistinctGeneric", "addDistinctGeneric", twiceY},
		{"addMixedXYZZGeneric", "addMixedXYZZGeneric", xyzz},
		{"addCoZGeneric", "addCoZGeneric", coZ},
		{"rescaleGeneric", "rescaleGeneric", Scale{twiceY.In, map[string]int{"p.Y": 1}}},
	} {
		m := lazy
		m.Scale = map[string]Scale{c.function: c.scale}
		f := formula(t, s, c.routine, m)
		for _, v := range f.Steps {
			if slices.ContainsFunc(v.Terms, func(t Term) bool { return !t.Coefficient.IsInt() }) {
				t.Errorf("with %v: a fraction in %s = %s", c.scale, v.Name, v)
			}
		}
		scaled := func(values map[string]*big.Int, by map[string]int) map[string]*big.Int {
			out := maps.Clone(values)
			for _, p := range f.Params {
				for i := range p.Elements {
					name := p.Name
					if p.Elements > 1 {
						name += "." + s.fields[p.Type[1:]][i]
					}
					if at := coordinate(&Place{p, i}); out[at] != nil {
						out[at] = oracle.Fp.Mul(out[at], new(big.Int).Lsh(big.NewInt(1), uint(by[name])))
					}
				}
			}
			return out
		}
		plain := formula(t, s, c.routine, literal)
		in := map[string]*big.Int{}
		for _, p := range f.Params {
			for i := range p.Elements {
				in[coordinate(&Place{p, i})] = r.Field()
			}
		}
		got, want := f.run(scaled(in, c.scale.In)), scaled(plain.run(in), c.scale.Out)
		if !maps.EqualFunc(got, want, func(a, b *big.Int) bool { return a.Cmp(b) == 0 }) {
			t.Errorf("with %v: %v, want %v, from\n%s", c.scale, got, want, f)
		}
	}
	m := literal
	m.Scale = map[string]Scale{"double": {In: map[string]int{"a.X": 1}}}
	if _, err := s.Formula("doubleNGeneric", m); err == nil || !strings.Contains(err.Error(), "divided") {
		t.Errorf("twice X comes in and X goes out: %v", err)
	}
}

const head = `package p
type Pair struct{ X, Y field.Element }
`

// TestTurns puts formulas in place that are called one after the other.
func TestTurns(t *testing.T) {
	s := read(t, fstest.MapFS{"p.go": {Data: []byte(head + `
// squaresGeneric does two things. More.
func squaresGeneric(p, q, a *Pair) {
	fourth(p, a)
	fourth(q, a)
}
func fourth(p, a *Pair) {
	var t field.Element
	t.Square(&a.X)
	p.X.Square(&t)
	t.Mul(&a.X, &a.Y)
	t.Sub(&t, &a.X)
	p.Y.Square(&t)
}`)}})
	f := formula(t, s, "squaresGeneric", lazy)
	// p and q may be a: the second formula reads a.X after p.X is set, and sets q.X when the first has read a.X.
	const want = `t = a.X²
p.X = t²
t′ = a.X²
t′′ = a.X·a.Y − a.X
q.X = t′²
p.Y = t′′²
t′′′ = a.X·a.Y − a.X
q.Y = t′′′²
`
	if f.String() != want || f.Signature() != "func(p, q, a *Pair)" || f.Doc != "squares does two things." {
		t.Errorf("%s %s\n%swant\n%s", f.Signature(), f.Doc, f, want)
	}
}

// TestRefused is about functions that are not straight-line formulas.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"if p != nil {\n}", "not straight-line"},
		{"for range 3 {\n\tp.X.Square(&a.X)\n}", "not straight-line"},
		{"x := a.X", "not straight-line"},
		{"var t = a.X", "not a declaration"},
		{"var t field.Element\n\tp.X.Square(&t)", "not set before"},
		{"p.X.Square(a)", "no element"},
		{"p.X.Invert(&a.X)", "no method Invert"},
		{"p.X.SquareN(&a.X, n)", "no method SquareN"},
		{"p.X.Set(&a.X)", "p.X is a copy"},
		{"g(p, a)", "no formula g"},
		{"p.g(a)", "no formula Pair.g"},
		{"h(p, &a.X)", "other types"},
		{"p.Z.Square(&a.X)", "neither a point nor an element"},
		{"b.X.Square(&a.X)", "neither a point nor an element"},
		{"var t field.Element\n\tt.Set(&a.X)\n\ta.X.Square(&a.Y)\n\tp.X.Square(&t)", "p.X needs what a.X was before it was set"},
		{"k(p, a, n)", "not straight-line"},
		{"h(p, a)\n\tfor range n - 2 {\n\t\th(p, p)\n\t}", "not straight-line"},
		{"h(p, a)\n\tfor range n - 1 {\n\t\th(p, a)\n\t}", "not straight-line"},
	} {
		source := head + "func fGeneric(p, a *Pair, n int) {\n\t" + c.body + "\n}\nfunc h(p, a *Pair) { p.X.Square(&a.X) }\n" +
			"func k(p, a *Pair, n int) {\n\th(p, a)\n\tfor range n - 1 {\n\t\th(p, p)\n\t}\n}\n"
		_, err := read(t, fstest.MapFS{"p.go": {Data: []byte(source)}}).Formula("fGeneric", lazy)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "p.go:") {
			t.Errorf("%s: %v, want %s", c.body, err, c.want)
		}
	}
	if _, err := group(t).Formula("nothing", lazy); err == nil {
		t.Error("a function that is not there")
	}
	if names := group(t).Routines(); !slices.Contains(names, "doubleNGeneric") || slices.Contains(names, "double") {
		t.Errorf("routines %v", names)
	}
}
