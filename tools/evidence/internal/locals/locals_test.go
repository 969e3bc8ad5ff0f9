package locals

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

// parsed returns the function in the source, and its marked lines.
func parsed(t *testing.T, source string) (l *Locals, marked string) {
	t.Helper()
	source = "package p\n\nvar table [4]int\n\n" + source
	fset := token.NewFileSet()
	file := libtest.Must(parser.ParseFile(fset, "", source, 0))
	f := file.Decls[len(file.Decls)-1].(*ast.FuncDecl)
	l = Of(f)
	return l, l.Mark(source[fset.Position(f.Pos()).Offset:fset.Position(f.End()).Offset], f.Pos(), f.End())
}

func TestMark(t *testing.T) {
	_, got := parsed(t, `func (v *T) F(a, b int) (c int) {
	for i := range table {
		c += table[i].b ^ v.a("b", F, func(x int) int { return x * b })
	}
	return c + len("a")
}`)
	want := `func (v₁ *T) F(a₂, b₃ int) (c₄ int) {
	for i₅ := range table {
		c₄ += table[i₅].b ^ v₁.a("b", F, func(x₆ int) int { return x₆ * b₃ })
	}
	return c₄ + len("a")
}`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if s := Names(got); s != strings.NewReplacer("₁", "", "₂", "", "₃", "", "₄", "", "₅", "", "₆", "").Replace(want) {
		t.Errorf("the names: %s", s)
	}
}

// TestNumbers compares a line with lines that differ only in names of local variables, and with lines that differ in
// more.
func TestNumbers(t *testing.T) {
	const line = "func f(secret, public int) bool { return g(public) == 3 }"
	for changed, same := range map[string]bool{
		"func f(key, count int) bool { return g(count) == 3 }":      true,
		"func f(public, secret int) bool { return g(secret) == 3 }": true, // the names are swapped
		"func f(secret, public int) bool { return g(secret) == 3 }": false,
		"func f(secret, public int) bool { return h(public) == 3 }": false,
		"func f(secret, public int) bool { return g(public) != 3 }": false,
		"func f(secret, public int) bool { return g(public) == 4 }": false,
		"func f(secret, public int) bool { return g(table) == 3 }":  false,
	} {
		_, before := parsed(t, line)
		_, after := parsed(t, changed)
		if got := Numbers(after) == Numbers(before); got != same {
			t.Errorf("%s: %v", changed, got)
		}
	}
}
