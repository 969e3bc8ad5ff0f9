package main

import (
	"bytes"
	"context"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// toy is a module with targets that are good, that fail for an input which the
// fuzzer has to find, and that fail for a seed; and with what is no target.
const toy = `package toy

import (
	"os"
	"testing"
)

func FuzzGood(f *testing.F) {
	f.Add([]byte("a"))
	f.Fuzz(func(t *testing.T, b []byte) {})
}

func FuzzPlanted(f *testing.F) {
	f.Add([]byte("aaaa"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) == 3 {
			t.Fatal("the planted error")
		}
	})
}

func FuzzSeed(f *testing.F) {
	f.Add(1)
	f.Add(2)
	f.Fuzz(func(t *testing.T, n int) {
		if n == 2 {
			panic("the planted panic")
		}
	})
}

func FuzzLast(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) { os.WriteFile("running", nil, 0o644) })
}

func Fuzzy(b []byte) {}
`

func writeToy(t *testing.T) (dir string) {
	dir = t.TempDir()
	for name, text := range map[string]string{
		"go.mod":           "module example.org/toy\n\ngo 1.26\n",
		"toy_test.go":      toy,
		"tagged_test.go":   "//go:build never\n\npackage toy\n\nimport \"testing\"\n\nfunc FuzzNever(f *testing.F) {}\n",
		"broken/a.go":      "package broken\n",
		"broken/a_test.go": "package broken\n\nimport \"testing\"\n\nfunc FuzzBroken(f *testing.F) { undefined() }\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	return dir
}

// TestPlanted shows that errors are found and told, and that the targets after
// them run.
func TestPlanted(t *testing.T) {
	dir := writeToy(t)
	path := filepath.Join(dir, "record.json")
	for _, guided := range []string{"true", "false"} {
		var out, err bytes.Buffer
		if status := run(t.Context(), []string{"-time", "3000x", "-guided=" + guided, "-record", path, "./..."}, &out, &err); status != statusBad {
			t.Fatalf("status %d\n%s%s", status, &out, &err)
		}
		for _, want := range []string{
			`(?m)^toy\.FuzzGood +\S+ +3000 executions`,
			`the planted error`,
			`(?m)^result: fuzz: toy\.FuzzPlanted FAILED: testdata/fuzz/FuzzPlanted/[0-9a-f]{16}; repeat with: go test -run '\^FuzzPlanted\$/\^[0-9a-f]{16}\$' example.org/toy$`,
			`the planted panic`,
			`(?m)^result: fuzz: toy\.FuzzSeed FAILED: seed FuzzSeed/seed#1; repeat with: go test -run '\^FuzzSeed\$/\^seed#1\$' example.org/toy$`,
			`(?m)^toy\.FuzzLast +\S+ +3000 executions`,
			`undefined: undefined`,
			`(?m)^result: fuzz: broken does not compile$`,
			`(?m)^result: fuzz: 4 of 5 targets, .* 3 failures$`,
		} {
			if !regexp.MustCompile(want).Match(out.Bytes()) {
				t.Errorf("-guided=%s: no %s", guided, want)
			}
		}
		if t.Failed() {
			t.Fatalf("in:\n%s", &out)
		}
		if found, _ := filepath.Glob("testdata/fuzz/FuzzPlanted/*"); len(found) != 1 {
			t.Errorf("-guided=%s: inputs %v", guided, found)
		}
		os.RemoveAll("testdata")
	}
	r, err := load(path)
	if err != nil {
		t.Fatal(err)
	}
	// Of the first run alone, and of the target that fails as much as there was.
	if h := r["example.org/toy.FuzzGood"]; h == nil || h.Executions != 3000 || h.Took <= 0 || len(r) != 4 {
		t.Errorf("record %+v", r)
	}
}

// TestTotal gives a target the rest of its time, and none when it has had it.
func TestTotal(t *testing.T) {
	dir := writeToy(t)
	args := []string{"-record", filepath.Join(dir, "record.json"), "-run", "toy.FuzzGood"}
	total := func(more ...string) string {
		var out, err bytes.Buffer
		if status := run(t.Context(), append(args, more...), &out, &err); status != statusGood {
			t.Fatalf("status %d\n%s%s", status, &out, &err)
		}
		return out.String()
	}
	total("-time", "1s", ".")
	if out := total("-total", "3s", "."); !regexp.MustCompile(`(?m)^result: fuzz, all runs of this build: each target 3(\.\d)?s or more \(the least: toy\.FuzzGood\)`).MatchString(out) {
		t.Errorf("after 1 s:\n%s", out)
	}
	if out := total("-total", "3s", "."); strings.Contains(out, "new inputs\n") || !strings.Contains(out, "1 of 1 targets, 0s,") {
		t.Errorf("after all of it:\n%s", out)
	}
	// Another build has had none.
	if err := os.WriteFile("more_test.go", []byte("package toy\n\nfunc init() { println() }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out := total("-total", "1s", "."); !strings.Contains(out, "1 of 1 targets, 1") {
		t.Errorf("of another build:\n%s", out)
	}
}

func TestInterrupted(t *testing.T) {
	writeToy(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat("running"); err == nil {
				time.Sleep(time.Second)
				cancel()
			}
			time.Sleep(50 * time.Millisecond)
		}
	}()
	var out, err bytes.Buffer
	status := run(ctx, []string{"-record", "record.json", "-run", "toy.FuzzLast", "-time", "1h", "."}, &out, &err)
	if status != statusInterrupted || !strings.Contains(err.String(), "interrupted") || !strings.Contains(out.String(), "result: fuzz: 1 of 1 targets, ") || strings.Contains(out.String(), " 0 executions") {
		t.Errorf("status %d\n%s%s", status, &out, &err)
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{"-time", "0s"}, {"-time", "0x"}, {"-time", "-1s"}, {"-time", "many"}, {"-total", "-1s"}, {"-total", "1s", "-guided=false"}, {"-run", "("}, {"-unknown"}} {
		var out, err bytes.Buffer
		if status := run(t.Context(), args, &out, &err); status != statusUsage || err.Len() == 0 {
			t.Errorf("%v: status %d, %s", args, status, &err)
		}
	}
	var out, err bytes.Buffer
	if status := run(t.Context(), []string{"-run", "nothing", "p256k1.mleku.dev/v2/schnorr"}, &out, &err); status != statusBad || !strings.Contains(err.String(), "no fuzz targets") {
		t.Errorf("status %d, %s", status, &err)
	}
}

// TestDeadline has the output of the fuzzer whose time is over, and outputs that
// have more in them.
func TestDeadline(t *testing.T) {
	harmless := []string{"warning: starting with empty corpus", "--- FAIL: FuzzX (2.01s)", "    context deadline exceeded", "FAIL", ""}
	if !isDeadline(harmless) {
		t.Error("refused")
	}
	for _, bad := range [][]string{
		nil, {"FAIL"}, append([]string{"fuzz: minimizing 34-byte failing input file"}, harmless...), slices.Concat(harmless, []string{"panic: no"}),
		{"--- FAIL: FuzzX (2.01s)", "    --- FAIL: FuzzX (0.00s)", "        x_test.go:1: context deadline exceeded", "FAIL"},
		{"--- FAIL: FuzzX (2.01s)", "    fuzzing process hung or terminated unexpectedly: exit status 2", "FAIL"},
	} {
		if isDeadline(bad) {
			t.Errorf("%q is taken for harmless", bad)
		}
	}
}

// TestPlants looks for the places of all planted errors, and plants one, one that
// changes nothing and one that does not compile.
func TestPlants(t *testing.T) {
	root := filepath.Join("..", "..")
	for _, p := range plants {
		text, err := os.ReadFile(filepath.Join(root, p.file))
		if err != nil || !strings.Contains(string(text), p.old) || p.old == p.new {
			t.Errorf("%s: %s has no %q (%v)", p.what, p.file, p.old, err)
		}
	}
	root, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		new  string
		want string
		err  bool
	}{
		{"if false {", "FuzzParseDER", false},
		{"if len(b) != at {", "", false},
		{"if nothing {", "", true},
	} {
		p := plant{"test", "ecdsa/der.go", "if at != len(b) {", c.new, ""}
		targets, err := p.find(t.Context(), root, t.TempDir())
		if strings.Join(targets, " ") != c.want || (err != nil) != c.err {
			t.Errorf("%s: %v, %v", c.new, targets, err)
		}
	}
}

// TestEveryParser looks for what the fuzz targets of the public packages leave
// out: each exported function that takes bytes is to be mentioned by a target of
// its package, or by what a target mentions.
func TestEveryParser(t *testing.T) {
	n := 0
	for _, dir := range []string{".", "curve", "ecdsa", "schnorr", "ecdh", "ellswift", "signer", "keyformat"} {
		names, err := filepath.Glob(filepath.Join("..", "..", dir, "*.go"))
		if err != nil || len(names) == 0 {
			t.Fatalf("no files in %s: %v", dir, err)
		}
		var code, tests []*ast.File
		for _, name := range names {
			if built, err := build.Default.MatchFile(filepath.Split(name)); err != nil || !built {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(name, "_test.go") {
				tests = append(tests, file)
			} else {
				code = append(code, file)
			}
		}
		mentioned := mentions(tests)
		for _, name := range takeBytes(code) {
			if n++; !mentioned[name] {
				t.Errorf("%s: no fuzz target mentions %s", dir, name)
			}
		}
	}
	t.Logf("result: %d exported functions take bytes, and fuzz targets of their packages call all of them", n)
	if n < 30 {
		t.Errorf("only %d functions were found", n)
	}
}

// takeBytes returns the names of exported functions and methods with a parameter
// of bytes: a slice, an array or a pointer to one. One without a name is not looked at.
func takeBytes(files []*ast.File) (names []string) {
	for _, file := range files {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() {
				continue
			}
			takes := false
			ast.Inspect(f.Type.Params, func(n ast.Node) bool {
				if field, ok := n.(*ast.Field); ok && field.Names == nil {
					return false
				}
				if array, ok := n.(*ast.ArrayType); ok {
					of, ok := array.Elt.(*ast.Ident)
					takes = takes || ok && of.Name == "byte"
				}
				return true
			})
			if takes {
				names = append(names, f.Name.Name)
			}
		}
	}
	return names
}

// mentions returns all names in the fuzz targets, in the functions and variables
// of these files that they mention, and so on.
func mentions(files []*ast.File) map[string]bool {
	bodies := make(map[string]ast.Node)
	found := make(map[string]bool)
	var visit func(n ast.Node)
	visit = func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && !found[id.Name] {
				found[id.Name] = true
				if body := bodies[id.Name]; body != nil {
					visit(body)
				}
			}
			return true
		})
	}
	var targets []*ast.FuncDecl
	for _, file := range files {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					bodies[d.Name.Name] = d.Body
				}
				if isTarget(d) {
					targets = append(targets, d)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if v, ok := spec.(*ast.ValueSpec); ok {
						bodies[v.Names[0].Name] = v
					}
				}
			}
		}
	}
	for _, f := range targets {
		visit(f.Body)
	}
	return found
}

// TestMentions plants a parser that no target calls.
func TestMentions(t *testing.T) {
	parse := func(text string) []*ast.File {
		file, err := parser.ParseFile(token.NewFileSet(), "", text, 0)
		if err != nil {
			t.Fatal(err)
		}
		return []*ast.File{file}
	}
	takers := takeBytes(parse(`package p
		func Direct(b []byte) {}
		func (T) Helped(n int, b *[32]byte) {}
		func Tabled(b ...[]byte) {}
		func Forgotten(b [4]byte) {}
		func Tested(b []byte) {}
		func own(b []byte) {}
		func Other(n []int) []byte { return nil }
	`))
	if want := []string{"Direct", "Helped", "Tabled", "Forgotten", "Tested"}; !slices.Equal(takers, want) {
		t.Fatalf("%v take bytes, want %v", takers, want)
	}
	mentioned := mentions(parse(`package p
		func FuzzIt(f *testing.F) { f.Fuzz(func(t *testing.T, b []byte) { Direct(b); help(b) }) }
		func help(b []byte) { T{}.Helped(0, nil); for _, f := range table { f(b) } }
		var table = []func(...[]byte){Tabled}
		func TestIt(t *testing.T) { Tested(nil) }
	`))
	takers = slices.DeleteFunc(takers, func(name string) bool { return mentioned[name] })
	if want := []string{"Forgotten", "Tested"}; !slices.Equal(takers, want) {
		t.Errorf("%v are forgotten, want %v", takers, want)
	}
}
