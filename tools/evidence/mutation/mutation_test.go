package main

import (
	"bytes"
	"context"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/evidence/internal/patch"
)

// toy is a module whose tests have gaps.
func toy(t *testing.T) *project {
	t.Helper()
	t.Setenv("GOWORK", "off")
	root := libtest.Must(filepath.Abs("testdata/toy"))
	return &project{root: root, module: "example.org/toy", mutated: []string{"."}, tests: []string{".", "user"}, skip: "^TestAlloc"}
}

// mutate tries the mutants that the options select. It returns whether the run succeeded, and its output.
func mutate(t *testing.T, p *project, o options, known list) (good bool, out string) {
	t.Helper()
	if o.j == 0 {
		o.j = 2
	}
	var b bytes.Buffer
	good = libtest.Must(p.mutate(t.Context(), o, known, &b))
	return good, b.String()
}

// find returns the mutants of the toy in a build.
func find(t *testing.T, p *project, tags string) []*mutant {
	t.Helper()
	return slices.DeleteFunc(p.find([]string{"."}), func(m *mutant) bool { return m.tags != tags })
}

// TestGaps checks that exactly the gaps in the toy's tests are found, and accepted only if they are on the list.
func TestGaps(t *testing.T) {
	p := toy(t)
	match := regexp.MustCompile
	good, out := mutate(t, p, options{match: match(`Add:|Select:|Max:|Check:|Sum:|Counter|Use:|Fast:|table:|limit:|low:`)}, nil)
	if good {
		t.Error("no mutant survives")
	}
	gaps := map[string]string{
		". Select: return b₂ ^ mask₃&(a₁^b₂) → return b₂ ^ (mask₃|^(mask₃&0))&(a₁^b₂)":                   "select",
		". Max: if a₁ > b₂ { → if a₁ >= b₂ {":                                                            "comparison",
		`. Check: return fmt.Errorf("toy: %w", errTooLarge) → return fmt.Errorf("toy: %v", errTooLarge)`: "error",
	}
	survives, equivalent := list{}, list{}
	for key, kind := range gaps {
		survives[key], equivalent[key] = "Survives: a reason", "a reason"
		if !strings.Contains(out, "survives ("+kind+"): "+key+"\n") {
			t.Errorf("not found: %s", key)
		}
	}
	const result = `result: mutants of \.: \d+ mutants, \d+ killed \(\d+ by tests of other packages alone, [1-9]\d* by the time limit\), 0 equivalent by the list, 3 survive: 9\d\.\d %`
	if !regexp.MustCompile(result).MatchString(out) || strings.Count(out, "\nsurvives (") > 2 {
		t.Errorf("no line %s, or more than 3 survivors, in\n%s", result, out)
	}

	three := options{match: match("Select:|Max:|Check:")}
	for _, c := range []struct {
		name  string
		known list
		add   string // a mutant that is also on the list
		o     options
		good  bool
		want  []string
	}{
		{"one survivor on the list", survives, "", options{match: match("Max:|Add:|Sum:")}, true,
			[]string{"survives, as the list says (comparison): . Max: ", " 0 equivalent by the list, 1 survive: 9"}},
		{"many survivors on the list", survives, "", three, false, []string{"the score is below 95 %"}},
		{"equivalent mutants", equivalent, "", three, true, []string{"3 equivalent by the list, 0 survive: 100.0 %"}},
		{"no such mutant", equivalent, ". Max: return a₁ → return c", three, false,
			[]string{"there is no such mutant: . Max: return a₁ → return c"}},
		{"no mutant", equivalent, "", options{match: match("Nobody:")}, false, []string{"of 0 mutants, 0 were tried"}},
		{"killed", equivalent, ". Max: if a₁ > b₂ { → if (a₁ > b₂) && false {", three, false,
			[]string{"on the list, but . TestMax notices it"}},
		{"a sample, with no mutant on the list", equivalent, "", options{match: three.match, sample: 1000, seed: "x"}, true,
			[]string{" 0 equivalent by the list, 0 survive", "drawn with -seed x,"}},
		// With -listed, all tests are tried.
		{"only the list", equivalent, ". Counter.Inc: n₁.n++ → if false { n₁.n++ }", options{listed: true}, false,
			[]string{"on the list, but user TestTwo notices it: . Counter.Inc: ", " 4 mutants, 1 killed"}},
	} {
		known := maps.Clone(c.known)
		if c.add != "" {
			known[c.add] = "wrong"
		}
		good, out := mutate(t, p, c.o, known)
		for _, want := range c.want {
			if good != c.good || !strings.Contains(out, want) {
				t.Errorf("%s: %v, want %q in\n%s", c.name, good, want, out)
			}
		}
	}
}

// TestSchema compiles one mutant of each kind and all mutants of variables separately, and compares the verdicts of the
// tests with the verdicts in the schema.
func TestSchema(t *testing.T) {
	p := toy(t)
	log := filepath.Join(t.TempDir(), "log")
	outcomes := map[string]outcome{}
	mutate(t, p, options{packages: ".", resume: log}, nil)
	openLog(log, p, outcomes)
	kinds := map[kind]bool{}
	for _, m := range find(t, p, "purego") {
		if (kinds[m.Kind] && m.unit.decl != nil) || m.Func == "Sum" { // mutants of Sum may hang
			continue
		}
		kinds[m.Kind] = true
		f, change := m.unit.file, libtest.Must(patch.New(p.root))
		libtest.Check(t, change.Add(f.file.Name(), apply(f.text, 0, len(f.text), m.edits)))
		overlay := libtest.Must(change.Write(t.TempDir()))
		c := p.command(t.Context(), ".", "go", "test", "-vet=off", "-tags=purego", "-skip="+p.skip, "-overlay="+overlay, "./...")
		if err := c.Run(); (err != nil) != (outcomes[m.key()].Verdict == killed) {
			t.Errorf("%s: %s in the schema, alone: %v", m.key(), outcomes[m.key()].Verdict, err)
		}
	}
	for _, k := range []kind{arithmetic, comparison, constants, carries, checks, moves, arguments, statements, calls, returns, errorsIs} {
		if !kinds[k] {
			t.Errorf("there is no mutant of the kind %s", k)
		}
	}
}

// TestBaseline checks that a run returns an error if a test fails without a mutant.
func TestBaseline(t *testing.T) {
	p := toy(t)
	p.skip = ""
	_, err := p.mutate(t.Context(), options{match: regexp.MustCompile("Max:"), j: 1}, nil, new(bytes.Buffer))
	if err == nil || !strings.Contains(err.Error(), "fail without a mutant") {
		t.Errorf("error %v", err)
	}
}

// TestResume interrupts a run and resumes it.
func TestResume(t *testing.T) {
	p := toy(t)
	log := filepath.Join(t.TempDir(), "log")
	o := options{match: regexp.MustCompile("Max:|Add:"), resume: log, j: 1}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if text, _ := os.ReadFile(log); bytes.Count(text, []byte("\n")) > 2 {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	var out bytes.Buffer
	if _, err := p.mutate(ctx, o, nil, &out); err == nil || !strings.Contains(err.Error(), "interrupted: ") || !strings.Contains(out.String(), "result: ") {
		t.Fatalf("error %v, output\n%s", err, &out)
	}
	half := libtest.Must(os.ReadFile(log))
	// The last line is truncated.
	libtest.Check(t, os.WriteFile(log, half[:len(half)-10], 0o666))
	if _, text := mutate(t, p, o, nil); !strings.Contains(text, "survives (comparison): . Max: if a₁ > b₂ { → if a₁ >= b₂ {") {
		t.Errorf("resumed:\n%s", text)
	}
	whole := libtest.Must(os.ReadFile(log))
	if !bytes.HasPrefix(whole, half[:len(half)-10]) || len(whole) <= len(half) {
		t.Errorf("the log was not kept:\n%s", whole)
	}
	libtest.Check(t, os.WriteFile(log, append([]byte("other code\n"), whole...), 0o666))
	if _, err := p.mutate(t.Context(), o, nil, &out); err == nil || !strings.Contains(err.Error(), "outcomes of other code") {
		t.Errorf("error %v", err)
	}
}

// TestBuilds checks that the second build is used for files that the first build does not compile.
func TestBuilds(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("one build only")
	}
	second := find(t, toy(t), "")
	if len(second) == 0 {
		t.Fatal("no mutant of toy_amd64.go")
	}
	for _, m := range second {
		if m.Func != "Fast" {
			t.Errorf("%s in the second build", m.key())
		}
	}
}

// TestRenamed tests a list that was made from earlier code, with other local names or numbers.
func TestRenamed(t *testing.T) {
	all := find(t, toy(t), "purego")
	const selector = ". Counter.Inc: n₁.n++ → if false { n₁.n++ }" // only the first n is local
	if !slices.ContainsFunc(all, func(m *mutant) bool { return m.key() == selector }) {
		t.Errorf("no mutant %s", selector)
	}
	for listed, now := range map[string]string{
		"if a₁ > b₂ { → if a₁ >= b₂ {": "if a₁ > b₂ { → if a₁ >= b₂ {",
		"if x₁ > y₂ { → if x₁ >= y₂ {": "if a₁ > b₂ { → if a₁ >= b₂ {", // the names in the code were changed
		"if a₃ > b₅ { → if a₃ >= b₅ {": "if a₁ > b₂ { → if a₁ >= b₂ {", // other names have been declared before
		"if x₃ > y₅ { → if x₃ >= y₅ {": "",                             // names were changed, and other names declared before
		"if a₁ < b₂ { → if a₁ <= b₂ {": "",                             // another operator
		"if a₁ > c₃ { → if a₁ >= c₃ {": "",                             // another name
	} {
		known, stale := list{". Max: " + listed: "a reason"}.match(all)
		if (now == "" && (len(known) != 0 || len(stale) != 1)) || (now != "" && (known[". Max: "+now] == "" || len(known) != 1 || len(stale) != 0)) {
			t.Errorf("%s: %v, stale: %v", listed, known, stale)
		}
	}
}

func TestParseList(t *testing.T) {
	l, err := parseList("# Heading.\n\n# One\n# reason.\np F: a → b\np F: a → c #2\n# Another.\nq G: x → y\n")
	if err != nil || len(l) != 3 || l["p F: a → c #2"] != "One reason." || l["q G: x → y"] != "Another." {
		t.Errorf("%v, %v", l, err)
	}
	for text, want := range map[string]string{
		"p F: a → b\n":                     "no reason",
		"# R\np F: a → b\n\np F: a → c\n":  "no reason",
		"# R\np F: a\n":                    "not of the form",
		"# R\np F: a → b\np F: a → b\n":    "listed twice",
		"# R\np F: a → b\n# S\nq: a -> b.": "line 4",
	} {
		if _, err := parseList(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not %q", text, err, want)
		}
	}
}

// TestArguments checks the errors for bad arguments.
func TestArguments(t *testing.T) {
	for args, want := range map[string]string{
		"more":             `unexpected argument "more"`,
		"-j 0":             "-j 0: want at least 1",
		"-sample -1":       "-sample -1",
		"-match (":         "for flag -match: ",
		"-packages nobody": "-packages: nobody is not one of internal/modinv, ",
	} {
		t.Run(args, func(t *testing.T) {
			t.Chdir("../../..")
			_, err := run(t.Context(), strings.Fields(args), new(bytes.Buffer))
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, not %q", err, want)
			}
		})
	}
	if _, err := run(t.Context(), nil, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "no go.work here") {
		t.Errorf("elsewhere: %v", err)
	}
}

// The bounds come from tables of the binomial distribution: if 5 % of all mutants survive, seven or more of a sample of
// 50 survive with a probability of 1.18 %, and eight or more with a probability of 0.32 %.
func TestRefuted(t *testing.T) {
	for _, c := range []struct {
		killed, survived int
		want             bool
	}{
		{0, 0, false}, {50, 0, false}, {43, 7, false}, {42, 8, true}, {0, 1, false}, {0, 2, true}, {8, 2, false}, {7, 3, false}, {6, 4, true}, {950, 50, false}, {930, 70, true},
	} {
		if got := (&tally{killed: c.killed, survived: c.survived}).refuted(); got != c.want {
			t.Errorf("of %d mutants %d survive: refuted = %v", c.killed+c.survived, c.survived, got)
		}
	}
	if all := find(t, toy(t), "purego"); report(io.Discard, all, map[string]outcome{all[0].key(): {Verdict: killed}}, nil, true) {
		t.Error("one mutant is tried, and all count as killed")
	}
}
