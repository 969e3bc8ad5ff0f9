package dropin

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	"p256k1.mleku.dev/v2/internal/vectors"
)

var (
	update = flag.Bool("update", false, "write testdata/leftout.txt")
	timed  = flag.String("benchmarks", "", "also run these of the original benchmarks, with the original library and this one in turns, and print times and ratios")
)

// A suite runs the original tests of a package, as an overlay over the package of this project that has the code,
// because the drop-in module may have only aliases.
type suite struct {
	module, pkg string // this project's module and package
	original    string // the original module
	theirs      string // the folder of the original package
	name        string // the folder of the original package, relative to its module
	files       map[string]string
	least       int    // the least number of tests that must pass
	tmp         string // a folder for temporary files
}

func newSuite(t *testing.T, d *dropIn, version, ourModule, pkg, theirs string, least int) *suite {
	s := &suite{module: ourModule, pkg: pkg, original: original(t, d, version), name: theirs, least: least, files: make(map[string]string), tmp: t.TempDir()}
	s.theirs = filepath.Join(s.original, theirs)
	add := func(name, from string) {
		to := filepath.Join(s.tmp, name)
		check(t, os.WriteFile(to, must(os.ReadFile(from)), 0o666))
		s.files[filepath.Join(s.module, pkg, name)] = to
	}
	for _, name := range must(filepath.Glob(filepath.Join(s.theirs, "*_test.go"))) {
		add(filepath.Base(name), name)
	}
	if helpers := filepath.Join("testdata/helpers", d.name, theirs, "helpers.go"); exists(helpers) {
		add("helpers_test.go", helpers)
	}
	check(t, os.WriteFile(s.in("overlay.json"), must(json.Marshal(map[string]any{"Replace": s.files})), 0o666))

	// go.mod has the module's own requirements, the requirements of the original tests, and the original modules that
	// this project replaces.
	check(t, os.WriteFile(s.in("go.mod"), must(os.ReadFile(filepath.Join(s.module, "go.mod"))), 0o666))
	addSums(t, s.tmp, s.module)
	from := filepath.Join(s.original, "go.mod")
	for _, require := range must(modfile.ParseLax(from, must(os.ReadFile(from)), nil)).Require {
		mustRun(t, s.tmp, "go", "mod", "edit", "-require", require.Mod.String(), s.in("go.mod"))
	}
	addSums(t, s.tmp, s.original)
	if s.module == root {
		mustRun(t, s.tmp, "go", "mod", "edit", "-require", d.path+"@"+version, s.in("go.mod"))
	}
	replace(t, s.tmp, d)
	mustRun(t, s.tmp, "go", "mod", "edit", "-dropreplace", ownPath(s.module), s.in("go.mod"))
	return s
}

func (s *suite) in(name string) string { return filepath.Join(s.tmp, name) }

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// ownPath returns the path that go.mod in a folder gives.
func ownPath(dir string) string {
	return modfile.ModulePath(must(os.ReadFile(filepath.Join(dir, "go.mod"))))
}

// compile builds the test program.
func (s *suite) compile(t *testing.T) (string, error) {
	t.Helper()
	return run(t, s.module, noC, "go", "test", "-c", "-o", s.in("test"), "-gcflags=-e", "-vet=off", "-modfile", s.in("go.mod"), "-overlay", s.in("overlay.json"),
		"./"+s.pkg)
}

// test runs the tests in the folder with their data.
func (s *suite) test(t *testing.T, args ...string) (string, error) {
	t.Helper()
	return run(t, s.theirs, nil, s.in("test"), args...)
}

// strip blanks declarations that do not compile, one by one, because they use unexported names or blanked declarations.
// It returns the blanked declarations with the compiler's reasons.
func (s *suite) strip(t *testing.T) (left []string) {
	t.Helper()
	where := regexp.MustCompile(`(?m)^(?:vet: )?([^\s:]*_test\.go):(\d+):\d+: (.*)$`)
	for range 20 {
		text, err := s.compile(t)
		if err == nil {
			slices.Sort(left)
			return left
		}
		found := where.FindAllStringSubmatch(text, -1)
		if len(found) == 0 {
			t.Fatal(text)
		}
		lines := make(map[string]map[int]string)
		for _, m := range found {
			name := filepath.Base(m[1])
			if lines[name] == nil {
				lines[name] = make(map[int]string)
			}
			if line := must(strconv.Atoi(m[2])); lines[name][line] == "" {
				lines[name][line] = m[3]
			}
		}
		for base, at := range lines {
			name := s.files[filepath.Join(s.module, s.pkg, base)]
			source := must(os.ReadFile(name))
			fset := token.NewFileSet()
			file := must(parser.ParseFile(fset, name, source, parser.SkipObjectResolution))
			blank := func(n ast.Node) {
				for i := fset.Position(n.Pos()).Offset; i < fset.Position(n.End()).Offset; i++ {
					if source[i] != '\n' {
						source[i] = ' '
					}
				}
			}
			for _, decl := range file.Decls {
				why := ""
				for line := fset.Position(decl.Pos()).Line; line <= fset.Position(decl.End()).Line && why == ""; line++ {
					why = at[line]
				}
				if why == "" {
					continue
				}
				name := ""
				switch d := decl.(type) {
				case *ast.FuncDecl:
					name = d.Name.Name
				case *ast.GenDecl:
					name = d.Tok.String()
					if d.Tok == token.IMPORT {
						for _, spec := range d.Specs {
							if at[fset.Position(spec.Pos()).Line] != "" {
								blank(spec)
							}
						}
						continue
					}
				}
				left = append(left, fmt.Sprintf("%s %s: %s", filepath.Join(s.name, base), name, why))
				blank(decl)
			}
			check(t, os.WriteFile(name, source, 0o666))
		}
	}
	t.Fatal("does not compile")
	return nil
}

// compare runs the original benchmarks with the original library and with this library, and compares the times.
func (s *suite) compare(t *testing.T) {
	theirs := s.in("theirs")
	mustRun(t, filepath.Join(copied(t, s.original), s.name), "go", "test", "-c", "-o", theirs)
	compare(t, s.name, *timed, [2]string{theirs, s.in("test")}, [2]string{s.theirs, s.theirs}, 5)
}

// all runs the suites. It returns the tests that were left out and the tests that failed.
func all(t *testing.T, suites []*suite) (left, failed []string) {
	t.Helper()
	for _, s := range suites {
		left = append(left, s.strip(t)...)
		output, err := s.test(t, "-test.v")
		passed := strings.Count(output, "\n--- PASS: ")
		t.Logf("%s: %d of the original tests and examples pass", s.name, passed)
		if passed < s.least {
			t.Errorf("%s: %v, %d passed, %d are needed\n%s", s.name, err, passed, s.least, output)
		}
		for _, m := range regexp.MustCompile(`(?m)^--- FAIL: (\w+)`).FindAllStringSubmatch(output, -1) {
			failed = append(failed, m[1])
		}
		if *timed != "" {
			s.compare(t)
		}
	}
	return left, failed
}

// TestDecred runs Decred's own tests, unmodified, except tests that use unexported names. testdata/leftout.txt lists
// the declarations that are left out. For each declaration it has the compiler's reason, and this project's tests that
// check the same, or "-" for a declaration that is not a test.
func TestDecred(t *testing.T) {
	version := decred.versions[0]
	left, failed := all(t, []*suite{ // each in the package of this project that has the code
		newSuite(t, decred, version, root, "compat/decred", ".", 62),
		newSuite(t, decred, version, root, "compat/decred/ecdsa", "ecdsa", 15),
		newSuite(t, decred, version, decred.dir, "schnorr", "schnorr", 7),
	})
	// This test expects the Z that results from Decred's tables. In this library Z is 1.
	if want := []string{"TestScalarBaseMultJacobian"}; !slices.Equal(failed, want) {
		t.Errorf("%v fail, want %v", failed, want)
	}
	const name = "testdata/leftout.txt"
	instead := make(map[string]string)
	for line := range strings.Lines(string(must(os.ReadFile(name)))) {
		what, tests, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " | ")
		instead[what] = tests
	}
	if *update {
		var text strings.Builder
		for _, what := range left {
			fmt.Fprintf(&text, "%s | %s\n", what, instead[what])
		}
		check(t, os.WriteFile(name, []byte(text.String()), 0o666))
	} else if want := slices.Sorted(maps.Keys(instead)); !slices.Equal(left, want) {
		t.Errorf("left out:\n%s\nbut %s lists\n%s", strings.Join(left, "\n"), name, strings.Join(want, "\n"))
	}
	// For each test that is left out, the file names tests of this project.
	for _, what := range left {
		tests := instead[what]
		if tests == "-" && !strings.Contains(what, ".go Test") { // a declaration that is not a test
			continue
		}
		for _, test := range strings.Split(tests, ", ") {
			folder, function, _ := strings.Cut(test, " ")
			found := false
			for _, name := range must(filepath.Glob(filepath.Join(root, folder, "*_test.go"))) {
				found = found || strings.Contains(string(must(os.ReadFile(name))), "\nfunc "+function+"(t *testing.T) {\n")
			}
			if !found || !strings.HasPrefix(function, "Test") {
				t.Errorf("there is no test %q, which replaces %s", test, what)
			}
		}
	}
}

// olderTexts lists the tests of btcec that fail with Decred's module in version 4.4.1 and with this project's module,
// because they expect older error messages.
var olderTexts = map[string][]string{"v2.3.6": {"TestRecoverCompact"}}

// TestBtcec runs btcec's own tests, unmodified, none of which is left out. testdata/helpers/btcec has the unexported
// names that they need.
func TestBtcec(t *testing.T) {
	for _, version := range btcec.versions {
		t.Run(version, func(t *testing.T) {
			left, failed := all(t, []*suite{
				newSuite(t, btcec, version, btcec.dir, ".", ".", 25),
				newSuite(t, btcec, version, btcec.dir, "ecdsa", "ecdsa", 8),
				newSuite(t, btcec, version, btcec.dir, "schnorr", "schnorr", 3),
				newSuite(t, btcec, version, btcec.dir, "schnorr/musig2", "schnorr/musig2", 10),
				newSuite(t, btcec, version, btcec.dir, "ellswift", "ellswift", 2),
			})
			if want := olderTexts[version]; !slices.Equal(failed, want) {
				t.Errorf("%v fail, want %v", failed, want)
			}
			if len(left) > 0 {
				t.Errorf("left out are %q", left)
			}
		})
	}
}

// TestErigon runs the tests of Erigon's module, unmodified and without cgo.
func TestErigon(t *testing.T) {
	for _, version := range append(older[erigon], erigon.versions...) {
		t.Run(version, func(t *testing.T) {
			left, failed := all(t, []*suite{newSuite(t, erigon, version, erigon.dir, ".", ".", 9)})
			if len(left)+len(failed) > 0 {
				t.Errorf("left out: %q; failed: %q", left, failed)
			}
		})
	}
}

// TestBIP327 runs btcec's tests of musig2 on the vectors of BIP-327. If a bit of the vectors is flipped, the tests must
// fail.
func TestBIP327(t *testing.T) {
	s := newSuite(t, btcec, btcec.versions[0], btcec.dir, "schnorr/musig2", "schnorr/musig2", 10)
	if left := s.strip(t); len(left) > 0 {
		t.Fatalf("left out: %q", left)
	}
	dir := t.TempDir()
	check(t, os.CopyFS(filepath.Join(dir, "data"), os.DirFS(vectors.Path(t, "bip327"))))
	// btcec has added its own error messages to this file.
	const withTexts = "data/nonce_agg_vectors.json"
	added := must(os.ReadFile(filepath.Join(s.theirs, withTexts)))
	var have, want any
	check(t, json.Unmarshal(regexp.MustCompile(`,\s*"btcec_err": "[^"]*"`).ReplaceAll(added, nil), &have))
	check(t, json.Unmarshal(must(os.ReadFile(filepath.Join(dir, withTexts))), &want))
	if !reflect.DeepEqual(have, want) {
		t.Errorf("btcec's %s differs from the BIP's by more than error messages", withTexts)
	}
	check(t, os.WriteFile(filepath.Join(dir, withTexts), added, 0o666))
	s.theirs = dir // the folder from which the tests read data
	output, err := s.test(t, "-test.v", "-test.run", "TestMu[sS]ig2")
	if passed := strings.Count(output, "--- PASS: "); err != nil || passed < 49 {
		t.Fatalf("%v, %d pass\n%s", err, passed, output)
	}
	for _, c := range [][2]string{
		{"key_agg", "90539EEDE565F5D0"}, {"key_sort", "EB8\",\n        \"02DD308AFEC5777E13121FA72B9CC1B7CC0139715309B086C960E18FD969774EFF"}, {"nonce_agg", "035FE1873B4F2967"},
		{"nonce_gen", "B114E502BEAA4E30"}, {"sig_agg", "041DA22223CE65C9"}, {"sign_verify", "012ABBCB52B3016A"}, {"tweak", "E28A5C66E61E178C"},
	} {
		name := filepath.Join(dir, "data", c[0]+"_vectors.json")
		text := string(must(os.ReadFile(name)))
		flipped := strings.Replace(text, c[1], string(c[1][0]^1)+c[1][1:], 1)
		if flipped == text {
			t.Fatalf("%s has no %s", name, c[1])
		}
		check(t, os.WriteFile(name, []byte(flipped), 0o666))
		if output, err := s.test(t, "-test.run", "TestMu[sS]ig2"); err == nil || !strings.Contains(output, "--- FAIL: ") {
			t.Errorf("%s with a flipped bit passes: %v", c[0], err)
		}
		check(t, os.WriteFile(name, []byte(text), 0o666))
	}
}

// TestBtcecOnDecred runs the tests of btcec, unmodified, with only Decred's module replaced. Only the tests in
// olderTexts may fail.
func TestBtcecOnDecred(t *testing.T) {
	notShort(t)
	for _, version := range btcec.versions {
		t.Run(version, func(t *testing.T) {
			dir := copied(t, original(t, btcec, version))
			mustRun(t, dir, "go", "mod", "edit", "-go=1.26.0", "-require", decred.path+"@"+decred.versions[0])
			replace(t, dir, decred)
			output, err := run(t, dir, nil, "go", "test", "-v", "./...")
			var passed, failed []string
			for _, m := range regexp.MustCompile(`(?m)^--- (PASS|FAIL): (\w+)`).FindAllStringSubmatch(output, -1) {
				if m[1] == "PASS" {
					passed = append(passed, m[2])
				} else {
					failed = append(failed, m[2])
				}
			}
			t.Logf("%d tests and examples of btcec %s pass", len(passed), version)
			if !slices.Equal(failed, olderTexts[version]) || len(passed) < 50 {
				t.Errorf("%v, %d passed, %v failed\n%s", err, len(passed), failed, output)
			}
		})
	}
}
