package patch

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

const library = `package library

import "fmt"

func (v *T) F(a, b *T) {
	v.x = a.x + b.x
}

func (v *T) G(a, b *T) {
	v.x = a.x + b.x
	v.y = a.x + a.x
}
`

func TestEdit(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f.go")
	libtest.Check(t, os.WriteFile(path, []byte(library), 0o600))
	for _, c := range []struct{ function, old, new, want string }{
		{"T.F", "v₁.x = a₂.x + b₃.x", "b₃.y(a₂, v₁)", "b *T) {\n\tb.y(a, v)\n}"},
		{"T.F", "p₁.x = q₂.x + r₃.x", "r₃.y(q₂, p₁)", "b *T) {\n\tb.y(a, v)\n}"}, // the names before the renaming
		{"T.G", "v₁.x = a₂.x + b₃.x", "v₁.z = 1", "\tv.z = 1\n\tv.y"},
		{"", `"fmt"`, `"errors"`, `import "errors"`},
		{"", "v.x = a.x + b.x", "", ""},     // occurs twice in the file
		{"T.G", "a₂.x", "", ""},             // occurs more than once in T.G
		{"T.F", "v₁.x = b₃.x", "", ""},      // does not occur
		{"T.F", "a₂.x", "x₄", ""},           // T.F has no such name
		{"T.H", "v₁", "", ""},               // there is no such function
		{"F", "v₁.x = a₂.x + b₃.x", "", ""}, // F is a method
	} {
		p := libtest.Must(New(dir))
		if err := p.Edit("f.go", c.function, c.old, c.new); err != nil {
			if c.want != "" || len(p.Sources()) > 0 || !errors.Is(err, ErrNotApplied) {
				t.Errorf("%+v: %v, %q", c, err, p.Sources())
			}
			continue
		}
		if got := p.Sources()[path]; c.want == "" || !strings.Contains(got, c.want) {
			t.Errorf("%+v:\n%s", c, got)
		}
	}
	// A second edit changes the result of the first edit. Both use the local names of the original file.
	p := libtest.Must(New(dir))
	for _, new := range []string{"for c := range a₂.x {\n}\nv₁.x = a₂.x + b₃.x", "a₂.y()"} {
		libtest.Check(t, p.Edit("f.go", "T.F", "v₁.x = a₂.x + b₃.x", new))
	}
	if got := p.Sources()[path]; !strings.Contains(got, "}\na.y()\n}") {
		t.Errorf("two edits:\n%s", got)
	}
}
