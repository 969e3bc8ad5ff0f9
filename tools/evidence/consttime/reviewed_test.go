package consttime

import (
	"strings"
	"testing"
)

const someList = `# a list
public: numbers of rounds
	branch  a.F: for i := range …
	call    runtime.memmove

declassified: whether it is zero
	branch  a.(*T).G: if x == 0 {
`

func TestCompare(t *testing.T) {
	list, err := readList(someList)
	if err != nil {
		t.Fatal(err)
	}
	loop := Finding{"branch", Place{"a.F", "for i := range 5 {"}}
	index := Finding{"index", Place{"a.F", "for i := range 5 {"}}
	zero := Finding{"branch", Place{"a.(*T).G", "if x == 0 {"}}
	other := Finding{"branch", Place{"a.(*T).G", "if y == 0 {"}}
	call := Finding{"call", Place{Function: "runtime.memmove"}}
	for _, c := range []struct{ found, unknown, stale string }{
		{join(loop, zero, call), "", ""},
		{join(loop, index, call), join(index), join(zero)},
		{join(other, zero), join(other), join(list[0].Finding, call)},
	} {
		found := make(map[Finding]bool)
		for _, f := range []Finding{loop, index, zero, other, call} {
			found[f] = true
			if !strings.Contains(c.found, f.String()) {
				delete(found, f)
			}
		}
		unknown, stale := Compare(list, found)
		var staleFindings []Finding
		for _, s := range stale {
			staleFindings = append(staleFindings, s.Finding)
		}
		if join(unknown...) != c.unknown || join(staleFindings...) != c.stale {
			t.Errorf("%s\nunknown:\n%s\nstale:\n%s", c.found, join(unknown...), join(staleFindings...))
		}
	}
	if list[1].Declassified || !list[2].Declassified || list[2].Reason != "whether it is zero" || list[2].Line != 7 {
		t.Errorf("%+v", list)
	}
}

func join(findings ...Finding) string {
	var b strings.Builder
	for _, f := range findings {
		b.WriteString(f.String() + "\n")
	}
	return b.String()
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
	if _, err := Reviewed(); err != nil {
		t.Error(err)
	}
}
