package formula

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"p256k1.mleku.dev/v2/internal/libtest"
)

func read(text string) *Source { return libtest.Must(Read(fstest.MapFS{"p.go": {Data: []byte(text)}})) }

// lazy reduces every sum that can be reduced at once.
var lazy = Machine{Fits: func([]Term) bool { return true }}

const head = `package p
type Pair struct{ X, Y field.Element }
`

// TestTurns checks that formulas that are called one after the other are interleaved.
func TestTurns(t *testing.T) {
	s := libtest.Must(Read(os.DirFS("testdata/turns")))
	f := libtest.Must(s.Formula("squaresGeneric", lazy))
	// Because p and q may equal a, the second formula reads a.X after p.X has been set, and sets q.X after the first
	// formula has read a.X.
	want := string(libtest.Must(os.ReadFile("testdata/turns/want.txt")))
	if f.String() != want || f.Signature() != "func(p, q, a *Pair)" || f.Doc != "squares does two things." {
		t.Errorf("%s %s\n%swant\n%s", f.Signature(), f.Doc, f, want)
	}
}

// TestRefused checks that functions other than straight-line formulas are refused.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"if p != nil {\n}", "not straight-line"},
		{"for range 3 {\n\tp.X.Square(&a.X)\n}", "not straight-line"},
		{"x := a.X", "not straight-line"},
		{"var t = a.X", "not a declaration"},
		{"var t field.Element\n\tp.X.Square(&t)", "not set before"},
		{"p.X.Square(a)", "not an element"},
		{"p.X.Invert(&a.X)", "no method Invert"},
		{"p.X.SquareN(&a.X, n)", "no method SquareN"},
		{"p.X.Set(&a.X)", "p.X is a copy"},
		{"g(p, a)", "no formula g"},
		{"p.g(a)", "no formula Pair.g"},
		{"h(p, &a.X)", "other types"},
		{"p.Z.Square(&a.X)", "neither a point nor an element"},
		{"b.X.Square(&a.X)", "neither a point nor an element"},
		{"var t field.Element\n\tt.Set(&a.X)\n\ta.X.Square(&a.Y)\n\tp.X.Square(&t)", "p.X needs the value that a.X had before it was set"},
		{"k(p, a, n)", "not straight-line"},
		{"h(p, a)\n\tfor range n - 2 {\n\t\th(p, p)\n\t}", "not straight-line"},
		{"h(p, a)\n\tfor range n - 1 {\n\t\th(p, a)\n\t}", "not straight-line"},
	} {
		source := head + "func fGeneric(p, a *Pair, n int) {\n\t" + c.body + "\n}\nfunc h(p, a *Pair) { p.X.Square(&a.X) }\n" +
			"func k(p, a *Pair, n int) {\n\th(p, a)\n\tfor range n - 1 {\n\t\th(p, p)\n\t}\n}\n"
		_, err := read(source).Formula("fGeneric", lazy)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "p.go:") {
			t.Errorf("%s: %v, want %s", c.body, err, c.want)
		}
	}
	group := libtest.Must(Read(os.DirFS("../../../internal/group")))
	_, err := group.Formula("nothing", lazy)
	if err == nil {
		t.Error("a missing function is no error")
	}
	xTwice := lazy
	xTwice.Scale = map[string]Scale{"double": {In: map[string]int{"a.X": 1}}}
	_, err = group.Formula("doubleNGeneric", xTwice)
	if err == nil || !strings.Contains(err.Error(), "divided") {
		t.Errorf("input scaled by 2, output not scaled: %v", err)
	}
	if names := group.Routines(); !slices.Contains(names, "doubleNGeneric") || slices.Contains(names, "double") {
		t.Errorf("routines %v", names)
	}
}

// TestRocq prints a formula with a half, a sum that begins with a minus, a copy and a parameter that is read and set.
func TestRocq(t *testing.T) {
	s, want := libtest.Must(Read(os.DirFS("testdata/rocq"))), string(libtest.Must(os.ReadFile("testdata/rocq/want.v")))
	// Each call of a method is a step.
	f := libtest.Must(s.Formula("fGeneric", Machine{Fits: func([]Term) bool { return false }}))
	if got := f.Rocq(s, "f"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := s.In("p.go"); !slices.Equal(got, []string{"other", "fGeneric"}) {
		t.Errorf("functions %q", got)
	}
	if got := rocqNumber(12); got != "((1 + 1) * ((1 + 1) * ((1 + 1) + 1)))" {
		t.Errorf("12 is %s", got)
	}
}
