package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"p256k1.mleku.dev/v2/internal/libtest"
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

// TestGaps checks that exactly the gaps in the toy's tests are found.
func TestGaps(t *testing.T) {
	p := toy(t)
	good, out := mutate(t, p, options{match: regexp.MustCompile(`Add:|Select:|Max:|Check:|Sum:|Counter|Use:|Fast:|table:|limit:|low:`)}, nil)
	if good {
		t.Error("no mutant survives")
	}
	var survivors []string
	for line := range strings.Lines(out) {
		if s, ok := strings.CutPrefix(line, "survives "); ok {
			survivors = append(survivors, strings.TrimSpace(s))
		}
	}
	want := strings.Split(`(select): . Select: return b₂ ^ mask₃&(a₁^b₂) → return b₂ ^ (mask₃|^(mask₃&0))&(a₁^b₂)
(comparison): . Max: if a₁ > b₂ { → if a₁ >= b₂ {
(error): . Check: return fmt.Errorf("toy: %w", errTooLarge) → return fmt.Errorf("toy: %v", errTooLarge)`, "\n")
	if got := strings.Join(survivors, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("survivors:\n%s\nwant:\n%s", got, strings.Join(want, "\n"))
	}
	const result = `result: mutants of \.: \d+ mutants, \d+ killed \(\d+ by tests of other packages alone, [1-9]\d* by the time limit\), 0 equivalent by the list, 3 survive: 9\d\.\d %`
	if !regexp.MustCompile(result).MatchString(out) {
		t.Errorf("no line %s in\n%s", result, out)
	}

	// One listed survivor is accepted; many survivors are not.
	known := list{}
	for _, s := range survivors {
		_, key, _ := strings.Cut(s, ": ")
		known[key] = "Survives: a reason"
	}
	if good, out := mutate(t, p, options{match: regexp.MustCompile("Max:|Add:|Sum:")}, known); !good ||
		!strings.Contains(out, "survives, as the list says (comparison): . Max: ") || !strings.Contains(out, " 0 equivalent by the list, 1 survive: 9") {
		t.Errorf("with one that survives:\n%s", out)
	}
	if good, out := mutate(t, p, options{match: regexp.MustCompile("Select:|Max:|Check:")}, known); good || !strings.Contains(out, "the score is below 95 %") {
		t.Errorf("with three that survive:\n%s", out)
	}

	// A run succeeds if the survivors are on the list, and fails if the list has a mutant that does not exist or is
	// killed.
	known = list{}
	for _, s := range survivors {
		_, key, _ := strings.Cut(s, ": ")
		known[key] = "a reason"
	}
	o := options{match: regexp.MustCompile("Select:|Max:|Check:")}
	if good, out := mutate(t, p, o, known); !good || !strings.Contains(out, "3 equivalent by the list, 0 survive: 100.0 %") {
		t.Errorf("with a list:\n%s", out)
	}
	known[". Max: return a₁ → return c"] = "stale"
	if good, out := mutate(t, p, o, known); good || !strings.Contains(out, "there is no such mutant: . Max: return a₁ → return c") {
		t.Errorf("with a stale entry:\n%s", out)
	}
	delete(known, ". Max: return a₁ → return c")
	known[". Max: if a₁ > b₂ { → if (a₁ > b₂) && false {"] = "wrong"
	if good, out := mutate(t, p, o, known); good || !strings.Contains(out, "on the list, but . TestMax notices it") {
		t.Errorf("with an entry that is killed:\n%s", out)
	}
	// A sample draws no mutant that is on the list of equivalents.
	delete(known, ". Max: if a₁ > b₂ { → if (a₁ > b₂) && false {")
	o.sample, o.seed = 1000, "x"
	if good, out := mutate(t, p, o, known); !good || !strings.Contains(out, " 0 equivalent by the list, 0 survive") || !strings.Contains(out, "drawn with -seed x,") {
		t.Errorf("a sample:\n%s", out)
	}
	// Mutants on the list are not tried with all tests, unless the options say so.
	o = options{listed: true}
	known[". Counter.Inc: c₁.n++ → if false { c₁.n++ }"] = "wrong"
	if good, out := mutate(t, p, o, known); good || !strings.Contains(out, "on the list, but user TestTwo notices it: . Counter.Inc: c₁.n++ → if false { c₁.n++ }") ||
		!strings.Contains(out, " 4 mutants, 1 killed") {
		t.Errorf("the list alone:\n%s", out)
	}
}

// TestSchema compiles one mutant of each kind and all mutants of variables separately, and compares the verdicts of the
// tests with the verdicts in the schema.
func TestSchema(t *testing.T) {
	p := toy(t)
	found := libtest.Must(p.find([]string{"."}))
	all := found[builds()[0]]
	log := filepath.Join(t.TempDir(), "log")
	outcomes := map[string]outcome{}
	mutate(t, p, options{packages: ".", resume: log}, nil)
	libtest.Must(openLog(log, p, outcomes))
	kinds := map[kind]bool{}
	for _, m := range all {
		if (kinds[m.Kind] && m.unit.decl != nil) || m.Func == "Sum" { // mutants of Sum may hang
			continue
		}
		kinds[m.Kind] = true
		f := m.unit.file
		dir := t.TempDir()
		text := filepath.Join(dir, "toy.go")
		libtest.Check(t, os.WriteFile(text, []byte(apply(f.text, 0, len(f.text), m.edits)), 0o666))
		overlay := libtest.Must(writeOverlay(filepath.Join(dir, "overlay.json"), map[string]string{f.path: text}))
		c := command(t.Context(), "go", "test", "-vet=off", "-tags=purego", "-skip="+p.skip, "-overlay="+overlay, "./...")
		c.Dir = p.root
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
	found := libtest.Must(toy(t).find([]string{"."}))
	second := found[builds()[1]]
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
	found := libtest.Must(toy(t).find([]string{"."}))
	all := found[builds()[0]]
	for listed, now := range map[string]string{
		"if a₁ > b₂ { → if a₁ >= b₂ {": "if a₁ > b₂ { → if a₁ >= b₂ {",
		"if x₁ > y₂ { → if x₁ >= y₂ {": "if a₁ > b₂ { → if a₁ >= b₂ {", // the names in the code were changed
		"if a₃ > b₅ { → if a₃ >= b₅ {": "if a₁ > b₂ { → if a₁ >= b₂ {", // other names have been declared before
		"if x₃ > y₅ { → if x₃ >= y₅ {": "",                             // names were changed, and other names declared before
		"if a₁ < b₂ { → if a₁ <= b₂ {": "",                             // another operator
		"if a₁ > c₃ { → if a₁ >= c₃ {": "",                             // another name
	} {
		known, stale := list{". Max: " + listed: "a reason"}.of(all)
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
		"-match (":         "-match: ",
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
}
