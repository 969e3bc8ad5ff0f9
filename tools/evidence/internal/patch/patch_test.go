package patch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const library = `func (v *T) F(a, b *T) {
	v.x = a.x + b.x
	g.v.x = b.x + b.x
}
`

func TestEdit(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f.go")
	for _, c := range []struct{ old, new, want string }{
		{"v.x = a.x + b.x", "F", "\tF\n"},
		{"$v.x = $a.x + $b.x", "$b.y($a, $v)", "\tb.y(a, v)\n"}, // not that of g
		{"= $b.x + $b.x", "= 2 * $b.x", "g.v.x = 2 * b.x\n"},
		{"a, $p *T) {\n", "a, $p *T) {\nprint($p, $12)\n", "print(b, $12)\n"}, // an operand of assembly
		{"func ($v *T) F(", "func ($v *T) G(", "func (v *T) G(a"},
		{"a, $p *T) {\n", "a, $p *T) {\nprint($p)\n", "{\nprint(b)\n"},
		{"v.x = b.x + a.x", "", ""},    // none
		{"$a.x + $b.x", "", ""},        // two
		{"$v.x = a.x", "$v = $w", ""},  // of nothing
		{"$a.x + $a.x + $a.x", "", ""}, // none
	} {
		if err := os.WriteFile(path, []byte(library), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := New(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Edit("f.go", c.old, c.new); err != nil {
			if c.want != "" {
				t.Errorf("%q to %q: %v", c.old, c.new, err)
			}
			if len(p.Sources()) > 0 {
				t.Errorf("%q to %q: an error, and %q", c.old, c.new, p.Sources())
			}
			continue
		}
		if got := p.Sources()[path]; c.want == "" || !strings.Contains(got, c.want) {
			t.Errorf("%q to %q:\n%s", c.old, c.new, got)
		}
	}
}
