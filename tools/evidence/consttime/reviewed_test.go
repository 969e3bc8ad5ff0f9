package consttime

import (
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

const someList = `# a list
public: numbers of rounds
	branch  a.F: for i₂ := range …
	call    runtime.memmove

declassified: whether it is zero
	branch  a.(*T).G: if x₂ == 0 {
	branch  a.(*T).G: if y₄ == 0 {
`

func TestCompare(t *testing.T) {
	list := libtest.Must(readList(someList))
	finding := func(kind, function, text string) Finding { return Finding{kind, Place{function, text}} }
	loop, call := finding("branch", "a.F", "for i₂ := range 5 {"), Finding{"call", Place{Function: "runtime.memmove"}}
	x, y := list[2].Finding, list[3].Finding
	for _, c := range []struct {
		name                  string
		found, unknown, stale []Finding
	}{
		{"all", []Finding{loop, x, y, call}, nil, nil},
		{"another kind", []Finding{loop, finding("index", "a.F", loop.Text), y, call}, []Finding{finding("index", "a.F", loop.Text)}, []Finding{x}},
		{"nothing for an entry with an ellipsis", []Finding{x, y}, nil, []Finding{list[0].Finding, call}},
		{"a renamed local variable", []Finding{finding("branch", "a.F", "for j₂ := range 5 {"), finding("branch", "a.(*T).G", "if z₂ == 0 {"), y, call}, nil, nil},
		{"one that is declared later", []Finding{finding("branch", "a.F", "for i₃ := range 5 {"), finding("branch", "a.(*T).G", "if x₃ == 0 {"), y, call}, nil, nil},
		{"both", []Finding{loop, finding("branch", "a.(*T).G", "if z₃ == 0 {"), y, call}, []Finding{finding("branch", "a.(*T).G", "if z₃ == 0 {")}, []Finding{x}},
		{"a new one in the place of an old one", []Finding{loop, finding("branch", "a.(*T).G", "if x₃ == 0 {"), finding("branch", "a.(*T).G", "if key₂ == 0 {"), y, call},
			[]Finding{finding("branch", "a.(*T).G", "if key₂ == 0 {")}, nil},
		{"another operator", []Finding{loop, finding("branch", "a.(*T).G", "if x₂ != 0 {"), y, call}, []Finding{finding("branch", "a.(*T).G", "if x₂ != 0 {")}, []Finding{x}},
		{"another variable", []Finding{loop, finding("branch", "a.(*T).G", "if key₁ == 0 {"), y, call}, []Finding{finding("branch", "a.(*T).G", "if key₁ == 0 {")}, []Finding{x}},
		{"another function", []Finding{loop, finding("branch", "a.(*T).H", "if x₂ == 0 {"), y, call}, []Finding{finding("branch", "a.(*T).H", "if x₂ == 0 {")}, []Finding{x}},
	} {
		found := make(map[Finding]bool)
		for _, f := range c.found {
			found[f] = true
		}
		unknown, stale := Compare(list, found)
		var staleFindings []Finding
		for _, s := range stale {
			staleFindings = append(staleFindings, s.Finding)
		}
		if !slices.Equal(unknown, c.unknown) || !slices.Equal(staleFindings, c.stale) {
			t.Errorf("%s: unknown:\n%v\nstale:\n%v", c.name, unknown, staleFindings)
		}
		if err := Judge(list, unknown, stale); (err == nil) != (len(c.unknown)+len(c.stale) == 0) || Judge(nil, nil, nil) == nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if list[1].Declassified || !list[2].Declassified || list[2].Reason != "whether it is zero" || list[2].Line != 7 {
		t.Errorf("%+v", list)
	}
}

func TestReadList(t *testing.T) {
	for _, text := range []string{
		"\tbranch  a.F: if x {\n",                       // without a reason
		"secret: no such heading\n",                     //
		"public: a reason\n\tjump  a.F: if x {\n",       // no such kind
		"public: a reason\nbranch  a.F: if x {\n",       // not indented
		"declassified: a reason\n\tbranch  a.F: if …\n", // not named in full
	} {
		if list, err := readList(text); err == nil || !strings.HasPrefix(err.Error(), "reviewed.txt:") {
			t.Errorf("%q is read as %v, %v", text, list, err)
		}
	}
}

// TestEqualLines marks texts that two lines of a function have.
func TestEqualLines(t *testing.T) {
	s := parse("a/a.go", "package a\nfunc f(x int) {\n\tx++\n\tx++ // again\n\tx--\n}\nfunc g(x int) {\n\tx++\n}\n")
	if got := strings.Join(s.lines[2:8], "; "); got != "x₁++ ×2; x₁++ ×2; x₁--; }; func g(x₁ int) {; x₁++" {
		t.Error(got)
	}
}
