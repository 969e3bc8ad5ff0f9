package dropin

import (
	"cmp"
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
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"p256k1.mleku.dev/v2/internal/libtest"
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
	least       int    // the least number of tests that must pass
	tmp         string // a folder for temporary files
	tests       string // the folder of the tests
}

func newSuite(t *testing.T, d *dropIn, version, ourModule, pkg, theirs string, least int) *suite {
	s := &suite{module: ourModule, pkg: pkg, original: original(t, d.path, version), name: theirs, least: least,
		tmp: t.TempDir(), tests: t.TempDir()}
	s.theirs = filepath.Join(s.original, theirs)
	for _, name := range libtest.Must(filepath.Glob(filepath.Join(s.theirs, "*_test.go"))) {
		write(t, s.tests, filepath.Base(name), read(name))
	}
	helpers, err := os.ReadFile(filepath.Join("testdata/helpers", d.name, theirs, "helpers.go"))
	if err == nil {
		write(t, s.tests, "helpers_test.go", helpers)
	}
	files := make(map[string]string)
	for _, name := range libtest.Must(filepath.Glob(filepath.Join(s.tests, "*"))) {
		files[filepath.Join(s.module, pkg, filepath.Base(name))] = name
	}
	write(t, s.tmp, "overlay.json", libtest.Must(json.Marshal(map[string]any{"Replace": files})))

	// go.mod has the module's own requirements, the requirements of the original tests, and the original modules that
	// this project replaces.
	ours := read(s.module, "go.mod")
	write(t, s.tmp, "go.mod", ours)
	addSums(t, s.tmp, s.module)
	for _, require := range libtest.Must(modfile.ParseLax("go.mod", read(s.original, "go.mod"), nil)).Require {
		editMod(t, s.tmp, "-require", require.Mod.String())
	}
	addSums(t, s.tmp, s.original)
	if s.module == root {
		editMod(t, s.tmp, "-require", d.path+"@"+version)
	}
	replace(t, s.tmp, d)
	editMod(t, s.tmp, "-dropreplace", modfile.ModulePath(ours))
	return s
}

func (s *suite) in(name string) string { return filepath.Join(s.tmp, name) }

// test runs the tests in the folder with their data.
func (s *suite) test(t *testing.T, args ...string) (string, error) {
	t.Helper()
	return run(t, s.theirs, nil, s.in("test"), args...)
}

// compile builds the test program. It blanks declarations that do not compile, one by one, because they use unexported
// names or blanked declarations. It returns the blanked declarations with the compiler's reasons.
func (s *suite) compile(t *testing.T) (left []string) {
	t.Helper()
	where := regexp.MustCompile(`(?m)^(?:vet: )?([^\s:]*_test\.go):(\d+):\d+: (.*)$`)
	for range 20 {
		text, err := run(t, s.module, noC, "go", "test", "-c", "-o", s.in("test"), "-gcflags=-e", "-vet=off",
			"-modfile", s.in("go.mod"), "-overlay", s.in("overlay.json"), "./"+s.pkg)
		if err == nil {
			slices.Sort(left)
			return left
		}
		reasons := make(map[string]string) // the first reason for a line, such as x_test.go:12
		for _, m := range where.FindAllStringSubmatch(text, -1) {
			line := filepath.Base(m[1]) + ":" + m[2]
			reasons[line] = cmp.Or(reasons[line], m[3])
		}
		if len(reasons) == 0 {
			t.Fatal(text)
		}
		for _, name := range libtest.Must(filepath.Glob(filepath.Join(s.tests, "*"))) {
			left = append(left, s.blank(t, filepath.Base(name), reasons)...)
		}
	}
	t.Fatal("does not compile")
	return nil
}

// blank blanks the declarations of a file for which the compiler gave a reason, and returns them.
func (s *suite) blank(t *testing.T, base string, reasons map[string]string) (left []string) {
	source := read(s.tests, base)
	fset := token.NewFileSet()
	file := libtest.Must(parser.ParseFile(fset, base, source, parser.SkipObjectResolution))
	remove := func(n ast.Node) (why string) {
		first, last := fset.Position(n.Pos()), fset.Position(n.End())
		for line := first.Line; line <= last.Line && why == ""; line++ {
			why = reasons[fmt.Sprintf("%s:%d", base, line)]
		}
		if why != "" {
			blanks := regexp.MustCompile(`[^\n]`).ReplaceAll(source[first.Offset:last.Offset], []byte(" "))
			copy(source[first.Offset:], blanks)
		}
		return why
	}
	for _, decl := range file.Decls {
		name := ""
		switch d := decl.(type) {
		case *ast.FuncDecl:
			name = d.Name.Name
		case *ast.GenDecl:
			name = d.Tok.String()
			if d.Tok == token.IMPORT {
				for _, spec := range d.Specs {
					remove(spec)
				}
				continue
			}
		}
		if why := remove(decl); why != "" {
			left = append(left, fmt.Sprintf("%s %s: %s", filepath.Join(s.name, base), name, why))
		}
	}
	write(t, s.tests, base, source)
	return left
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
		left = append(left, s.compile(t)...)
		output, err := s.test(t, "-test.v")
		for _, m := range regexp.MustCompile(`(?m)^--- FAIL: (\w+)`).FindAllStringSubmatch(output, -1) {
			failed = append(failed, m[1])
		}
		passed := strings.Count("\n"+output, "\n--- PASS: ")
		t.Logf("%s: %d of the original tests and examples pass", s.name, passed)
		if passed < s.least {
			t.Errorf("%s: %v, %d passed, %d are needed\n%s", s.name, err, passed, s.least, output)
		}
		if *timed != "" {
			s.compare(t)
		}
	}
	return left, failed
}

// testsIn returns the tests in folders of the repository: their names, and their names after their folders.
func testsIn(t *testing.T, folders ...string) map[string]bool {
	t.Helper()
	found := make(map[string]bool)
	for _, folder := range folders {
		libtest.Check(t, filepath.WalkDir(filepath.Join(root, folder), func(name string, _ os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, "_test.go") {
				return err
			}
			dir := libtest.Must(filepath.Rel(root, filepath.Dir(name)))
			for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\) \{$`).FindAllSubmatch(read(name), -1) {
				found[string(m[1])], found[dir+" "+string(m[1])] = true, true
			}
			return nil
		}))
	}
	return found
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
	for line := range strings.Lines(string(read(name))) {
		what, tests, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " | ")
		instead[what] = tests
	}
	if *update {
		var text strings.Builder
		for _, what := range left {
			fmt.Fprintf(&text, "%s | %s\n", what, instead[what])
		}
		write(t, ".", name, []byte(text.String()))
	} else if want := slices.Sorted(maps.Keys(instead)); !slices.Equal(left, want) {
		t.Errorf("left out:\n%s\nbut %s lists\n%s", strings.Join(left, "\n"), name, strings.Join(want, "\n"))
	}
	// For each test that is left out, the file names tests of this project.
	exists := testsIn(t, "internal", "compat", "tools/evidence/dropin")
	for _, what := range left {
		tests := instead[what]
		if tests == "-" && !strings.Contains(what, ".go Test") { // a declaration that is not a test
			continue
		}
		for test := range strings.SplitSeq(tests, ", ") {
			if !exists[test] || !strings.Contains(test, " ") {
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
	if left := s.compile(t); len(left) > 0 {
		t.Fatalf("left out: %q", left)
	}
	dir := t.TempDir()
	libtest.Check(t, os.CopyFS(filepath.Join(dir, "data"), os.DirFS(vectors.Path(t, "bip327"))))
	// btcec has added its own error messages to this file.
	const withTexts = "data/nonce_agg_vectors.json"
	added := read(s.theirs, withTexts)
	var have, want any
	libtest.Check(t, json.Unmarshal(regexp.MustCompile(`,\s*"btcec_err": "[^"]*"`).ReplaceAll(added, nil), &have))
	libtest.Check(t, json.Unmarshal(read(dir, withTexts), &want))
	if !reflect.DeepEqual(have, want) {
		t.Errorf("btcec's %s differs from the BIP's by more than error messages", withTexts)
	}
	write(t, dir, withTexts, added)
	s.theirs = dir // the folder from which the tests read data
	output, err := s.test(t, "-test.v", "-test.run", "TestMu[sS]ig2")
	if passed := strings.Count(output, "--- PASS: "); err != nil || passed < 49 {
		t.Fatalf("%v, %d pass\n%s", err, passed, output)
	}
	for _, c := range [][2]string{
		{"key_agg", "90539EEDE565F5D0"}, {"key_sort", "EB8\",\n        \"02DD308AFEC5777E13121FA72B9CC1B7CC0139715309B086C960E18FD969774EFF"}, {"nonce_agg", "035FE1873B4F2967"},
		{"nonce_gen", "B114E502BEAA4E30"}, {"sig_agg", "041DA22223CE65C9"}, {"sign_verify", "012ABBCB52B3016A"}, {"tweak", "E28A5C66E61E178C"},
	} {
		name := "data/" + c[0] + "_vectors.json"
		text := string(read(dir, name))
		flipped := strings.Replace(text, c[1], string(c[1][0]^1)+c[1][1:], 1)
		if flipped == text {
			t.Fatalf("%s has no %s", name, c[1])
		}
		write(t, dir, name, []byte(flipped))
		if output, err := s.test(t, "-test.run", "TestMu[sS]ig2"); err == nil || !strings.Contains(output, "--- FAIL: ") {
			t.Errorf("%s with a flipped bit passes: %v", c[0], err)
		}
		write(t, dir, name, []byte(text))
	}
}

// TestBtcecOnDecred runs the tests of btcec, unmodified, with only Decred's module replaced.
func TestBtcecOnDecred(t *testing.T) {
	notShort(t)
	for _, version := range btcec.versions {
		t.Run(version, func(t *testing.T) {
			there := copied(t, original(t, btcec.path, version))
			editMod(t, there, "-go=1.26.0", "-require", decred.path+"@"+decred.versions[0])
			here := copied(t, there)
			replace(t, here, decred)
			s := subject{Least: 50, Packages: "./..."}
			s.both(t, there, here)
		})
	}
}
