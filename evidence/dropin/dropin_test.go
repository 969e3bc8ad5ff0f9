// Package dropin shows that the modules below compat take the place of others': it runs the
// same program and others' tests with and without them.
package dropin

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
	"golang.org/x/tools/go/packages"
)

const (
	decred  = "github.com/decred/dcrd/dcrec/secp256k1/v4"
	version = "v4.4.1"
	others  = "testdata/others" // a program that calls all of decred
)

var (
	root   = must(filepath.Abs("../.."))
	dropin = filepath.Join(root, "compat/decred/v4")
	update = flag.Bool("update", false, "write testdata/leftout.txt")
	timed  = flag.String("benchmarks", "", "run these of decred's benchmarks, too, there and here in turns, and print times and ratios")
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// run runs a command in a folder as a user would who has no workspace, and returns what it prints.
func run(t *testing.T, dir string, env []string, name string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod"), env...)
	text, err := cmd.CombinedOutput()
	return string(text), err
}

func mustRun(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	text, err := run(t, dir, nil, name, args...)
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, text)
	}
	return text
}

// addSums appends the checksums of our modules' dependencies to those that dir has.
func addSums(t *testing.T, dir string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(dir, "go.sum"), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o666)
	check(t, err)
	_, err = f.Write(must(os.ReadFile(filepath.Join(dropin, "go.sum"))))
	check(t, err)
	check(t, f.Close())
}

// replace writes into the go.mod of dir what README.md of compat/decred tells users to write.
func replace(t *testing.T, dir string) {
	t.Helper()
	mustRun(t, dir, "go", "mod", "edit", "-replace", decred+"="+dropin, "-replace", "p256k1.mleku.dev="+root)
	addSums(t, dir)
}

// copied returns a copy of a folder that can be written to.
func copied(t *testing.T, dir string) string {
	t.Helper()
	to := t.TempDir()
	check(t, os.CopyFS(to, os.DirFS(dir)))
	check(t, filepath.WalkDir(to, func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chmod(name, 0o777)
	}))
	return to
}

// original returns the folder of a module in the module cache.
func original(t *testing.T, path, version string) string {
	t.Helper()
	dir := t.TempDir()
	// Some want a newer Go than there is, which does not matter to their tests. Then the archive is there, and not unpacked.
	var m struct{ Dir, Zip, Error string }
	text, err := run(t, dir, nil, "go", "mod", "download", "-json", path+"@"+version)
	check(t, json.Unmarshal([]byte(text), &m))
	if m.Zip == "" {
		t.Fatal(err, m.Error)
	}
	if m.Dir == "" {
		m.Dir = filepath.Join(dir, "unpacked")
		check(t, zip.Unzip(m.Dir, module.Version{Path: path, Version: version}, m.Zip))
	}
	return m.Dir
}

// programs builds the program of testdata/others without and with the replacement.
func programs(t *testing.T) (theirs, ours string) {
	dir := copied(t, others)
	theirs, ours = filepath.Join(dir, "theirs"), filepath.Join(dir, "ours")
	mustRun(t, dir, "go", "build", "-o", theirs)
	replace(t, dir)
	mustRun(t, dir, "go", "build", "-o", ours)
	return theirs, ours
}

// TestCalls calls all that is exported with random arguments, and compares what comes back, errors and panics included.
// P256K1_CASES is how many rounds of some 70 calls there are.
func TestCalls(t *testing.T) {
	rounds, seed := 2000, uint64(os.Getpid())
	if text := os.Getenv("P256K1_CASES"); text != "" {
		rounds = must(strconv.Atoi(text))
	}
	if text := os.Getenv("P256K1_SEED"); text != "" {
		seed = must(strconv.ParseUint(text, 0, 64))
	}
	theirs, ours := programs(t)
	var lines [2]*bufio.Reader
	for i, name := range []string{theirs, ours} {
		cmd := exec.Command(name, strconv.FormatUint(seed, 10), strconv.Itoa(rounds))
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		check(t, err)
		check(t, cmd.Start())
		defer cmd.Wait()
		defer out.Close()
		lines[i] = bufio.NewReader(out)
	}
	count, differ := 0, 0
	for {
		want, end := lines[0].ReadString('\n')
		got, _ := lines[1].ReadString('\n')
		if want != got {
			if differ++; differ <= 5 {
				t.Errorf("seed %d:\n%s there,\n%s here", seed, want, got)
			}
		}
		if end == io.EOF || differ > 100 {
			break
		}
		count++
	}
	t.Logf("seed %d: %d calls", seed, count)
	if count < 60*rounds {
		t.Errorf("%d calls in %d rounds", count, rounds)
	}
}

// TestCallsAll fails if the program does not call something that decred exports.
func TestCallsAll(t *testing.T) {
	loaded := load(t, copied(t, others), ".", packages.NeedSyntax, packages.NeedTypesInfo)
	used := make(map[string]bool)
	for _, object := range loaded["others"].TypesInfo.Uses {
		if f, ok := object.(*types.Func); ok {
			used[f.FullName()] = true
		}
	}
	// The errors are what say prints by its methods; randomness returns what nobody can compare.
	silent := []string{"GeneratePrivateKey", "Error", "Unwrap"}
	functions := 0
	for path, p := range load(t, copied(t, others), decred+"/...") {
		for _, name := range p.Types.Scope().Names() {
			object := p.Types.Scope().Lookup(name)
			if !object.Exported() {
				continue
			}
			var all []*types.Func
			switch o := object.(type) {
			case *types.Func:
				all = append(all, o)
			case *types.TypeName:
				for m := range o.Type().(*types.Named).Methods() {
					if m.Exported() {
						all = append(all, m)
					}
				}
			}
			for _, f := range all {
				functions++
				if !used[f.FullName()] && !slices.Contains(silent, f.Name()) {
					t.Errorf("%s: %s is not called", path, f.FullName())
				}
			}
		}
	}
	if functions < 110 {
		t.Errorf("only %d functions", functions)
	}
}

// load type-checks packages as seen from the module in dir.
func load(t *testing.T, dir, pattern string, more ...packages.LoadMode) map[string]*packages.Package {
	t.Helper()
	mode := packages.NeedName | packages.NeedTypes | packages.NeedImports
	for _, m := range more {
		mode |= m
	}
	all, err := packages.Load(&packages.Config{
		Mode: mode,
		Dir:  dir,
		Env:  append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod"),
	}, pattern)
	check(t, err)
	found := make(map[string]*packages.Package)
	for _, p := range all {
		for _, err := range p.Errors {
			t.Fatal(err)
		}
		found[p.PkgPath] = p
	}
	return found
}

// surface lists what a package exports: each constant with its value, each type with its fields and methods, each function.
func surface(p *types.Package) (list []string) {
	byName := func(p *types.Package) string {
		return strings.Replace(strings.Replace(p.Path(), "p256k1.mleku.dev/compat/decred", decred, 1), "/v4/v4", "/v4", 1)
	}
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	text := func(t types.Type) string {
		t = types.Unalias(t)
		if f, ok := t.(*types.Signature); ok { // without the names of parameters
			unnamed := func(all *types.Tuple) *types.Tuple {
				var list []*types.Var
				for v := range all.Variables() {
					list = append(list, types.NewParam(token.NoPos, nil, "", v.Type()))
				}
				return types.NewTuple(list...)
			}
			t = types.NewSignatureType(nil, nil, nil, unnamed(f.Params()), unnamed(f.Results()), f.Variadic())
		}
		return types.TypeString(t, byName)
	}
	for _, name := range p.Scope().Names() {
		switch o := p.Scope().Lookup(name).(type) {
		default:
			if !o.Exported() {
				continue
			}
			say("%s %s", name, text(o.Type()))
		case *types.Const:
			if o.Exported() {
				say("const %s %s = %s", name, text(o.Type()), o.Val())
			}
		case *types.TypeName:
			if !o.Exported() {
				continue
			}
			named := types.Unalias(o.Type()).(*types.Named)
			say("type %s is %s, comparable %v", name, text(named), types.Comparable(named))
			if s, ok := named.Underlying().(*types.Struct); ok {
				for f := range s.Fields() {
					if f.Exported() {
						say("type %s has %s %s, embedded %v", name, f.Name(), text(f.Type()), f.Embedded())
					}
				}
			} else {
				say("type %s: %s", name, text(named.Underlying()))
			}
			for _, receiver := range []types.Type{named, types.NewPointer(named)} {
				methods := types.NewMethodSet(receiver)
				for i := range methods.Len() {
					if m := methods.At(i).Obj(); m.Exported() {
						say("%s.%s %s", text(receiver), m.Name(), text(methods.At(i).Type()))
					}
				}
			}
		}
	}
	return list
}

// TestSurface compares what the packages export: the same names with the same types, no fewer and no more.
func TestSurface(t *testing.T) {
	with := copied(t, others)
	replace(t, with)
	theirs, ours := load(t, copied(t, others), decred+"/..."), load(t, with, decred+"/...")
	if len(theirs) != 3 || len(ours) != 3 {
		t.Fatalf("%d packages there, %d here", len(theirs), len(ours))
	}
	for path, p := range theirs {
		want, got := surface(p.Types), surface(ours[path].Types)
		if len(want) < 30 {
			t.Errorf("%s exports only %d", path, len(want))
		}
		for _, line := range want {
			if !slices.Contains(got, line) {
				t.Errorf("%s: not here: %s", path, line)
			}
		}
		for _, line := range got {
			if !slices.Contains(want, line) {
				t.Errorf("%s: here alone: %s", path, line)
			}
		}
	}
}

// A suite is the tests of a package, as an overlay over that of ours which has the code: of the other two packages the drop-in
// module has but aliases.
type suite struct {
	module, pkg string // ours
	theirs      string // the folder in decred's module
	files       map[string]string
	least       int // how many tests pass
	overlay     string
	modfile     string
}

func newSuite(t *testing.T, ourModule, pkg, theirs string, least int) *suite {
	s := &suite{module: ourModule, pkg: pkg, theirs: theirs, least: least, files: make(map[string]string)}
	tmp, folder := t.TempDir(), filepath.Join(original(t, decred, version), theirs)
	add := func(name, from string) {
		to := filepath.Join(tmp, name)
		check(t, os.WriteFile(to, must(os.ReadFile(from)), 0o666))
		s.files[filepath.Join(s.module, pkg, name)] = to
	}
	for _, name := range must(filepath.Glob(filepath.Join(folder, "*_test.go"))) {
		add(filepath.Base(name), name)
	}
	add("helpers_test.go", filepath.Join("testdata/helpers", theirs, "helpers.go"))
	s.overlay = filepath.Join(tmp, "overlay.json")
	check(t, os.WriteFile(s.overlay, must(json.Marshal(map[string]any{"Replace": s.files})), 0o666))
	// The tests import decred's path, which is ours.
	s.modfile = filepath.Join(tmp, "go.mod")
	check(t, os.WriteFile(s.modfile, must(os.ReadFile(filepath.Join(s.module, "go.mod"))), 0o666))
	check(t, os.WriteFile(filepath.Join(tmp, "go.sum"), must(os.ReadFile(filepath.Join(dropin, "go.sum"))), 0o666))
	edit := []string{"mod", "edit", "-replace", "p256k1.mleku.dev=" + root}
	if ourModule == root {
		edit = []string{"mod", "edit", "-require", decred + "@" + version, "-replace", decred + "=" + dropin}
	}
	mustRun(t, tmp, "go", append(edit, s.modfile)...)
	return s
}

func (s *suite) test(t *testing.T, args ...string) (string, error) {
	t.Helper()
	all := append([]string{"test", "-vet=off", "-modfile", s.modfile, "-overlay", s.overlay}, args...)
	return run(t, s.module, nil, "go", append(all, "./"+s.pkg)...)
}

// strip blanks what does not compile, declaration by declaration: that of unexported names, and what needs it. It returns
// what that was, with the reason.
func (s *suite) strip(t *testing.T) (left []string) {
	t.Helper()
	where := regexp.MustCompile(`(?m)^(?:vet: )?([^\s:]*_test\.go):(\d+):\d+: (.*)$`)
	for range 20 {
		text, err := s.test(t, "-c", "-o", os.DevNull, "-gcflags=-e")
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
				left = append(left, fmt.Sprintf("%s %s: %s", filepath.Join(s.theirs, base), name, why))
				blank(decl)
			}
			check(t, os.WriteFile(name, source, 0o666))
		}
	}
	t.Fatal("does not compile")
	return nil
}

// compare prints the times and allocations of decred's benchmarks, there and here: of each the best of some turns.
func (s *suite) compare(t *testing.T) {
	type result struct {
		ns     float64
		allocs string
	}
	best := [2]map[string]result{{}, {}}
	line := regexp.MustCompile(`(?m)^(Benchmark\w+)\S*\s+\d+\s+([0-9.]+) ns/op\s+\d+ B/op\s+(\d+) allocs/op`)
	args := []string{"-run", "^$", "-bench", *timed, "-benchmem", "-benchtime", "20ms"}
	dir := copied(t, original(t, decred, version))
	for range 5 {
		theirs := mustRun(t, filepath.Join(dir, s.theirs), "go", append([]string{"test"}, args...)...)
		ours, err := s.test(t, args...)
		if err != nil {
			t.Fatal(ours)
		}
		for i, text := range []string{theirs, ours} {
			for _, m := range line.FindAllStringSubmatch(text, -1) {
				ns := must(strconv.ParseFloat(m[2], 64))
				if old, ok := best[i][m[1]]; !ok || ns < old.ns {
					best[i][m[1]] = result{ns, m[3]}
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(best[1])) {
		a, b := best[0][name], best[1][name]
		fmt.Printf("%-45s %10.1f ns there %10.1f ns here, ratio %.2f; %s and %s allocations\n", s.theirs+" "+name, a.ns, b.ns, b.ns/a.ns, a.allocs, b.allocs)
	}
}

// suites are decred's tests, each in the package of ours that has the code.
func suites(t *testing.T) []*suite {
	return []*suite{
		newSuite(t, root, "compat/decred", ".", 62),
		newSuite(t, root, "compat/decred/ecdsa", "ecdsa", 15),
		newSuite(t, dropin, "schnorr", "schnorr", 7),
	}
}

// TestDecred runs decred's own tests, unmodified, but for those of unexported names: testdata/leftout.txt lists these.
func TestDecred(t *testing.T) {
	var left, failed []string
	for _, s := range suites(t) {
		left = append(left, s.strip(t)...)
		output, err := s.test(t, "-v")
		passed := strings.Count(output, "\n--- PASS: ")
		t.Logf("%s: %d tests and examples of decred pass", s.theirs, passed)
		if passed < s.least {
			t.Errorf("%s: %v, %d passed, %d are needed\n%s", s.theirs, err, passed, s.least, output)
		}
		for _, m := range regexp.MustCompile(`(?m)^--- FAIL: (\w+)`).FindAllStringSubmatch(output, -1) {
			failed = append(failed, m[1])
		}
		if *timed != "" {
			s.compare(t)
		}
	}
	// It wants the Z that Decred's tables lead to. Here Z is 1.
	if want := []string{"TestScalarBaseMultJacobian"}; !slices.Equal(failed, want) {
		t.Errorf("%v fail, want %v", failed, want)
	}
	text := strings.Join(left, "\n") + "\n"
	const name = "testdata/leftout.txt"
	if *update {
		check(t, os.WriteFile(name, []byte(text), 0o666))
	} else if want := must(os.ReadFile(name)); string(want) != text {
		t.Errorf("left out are\n%sand %s says\n%s", text, name, want)
	}
}

// TestBtcec runs the tests of btcec, unmodified, with decred alone replaced. Where a test fails, it does without, too.
func TestBtcec(t *testing.T) {
	const path = "github.com/btcsuite/btcd/btcec/v2"
	for _, c := range []struct {
		version string
		fails   []string // with decred 4.4.1, for it wants the texts of older errors
	}{
		{"v2.5.1", nil},
		{"v2.3.6", []string{"TestRecoverCompact"}},
	} {
		t.Run(c.version, func(t *testing.T) {
			dir := copied(t, original(t, path, c.version))
			mustRun(t, dir, "go", "mod", "edit", "-go=1.26.0", "-require", decred+"@"+version)
			replace(t, dir)
			output, err := run(t, dir, nil, "go", "test", "-v", "./...")
			var passed, failed []string
			for _, m := range regexp.MustCompile(`(?m)^--- (PASS|FAIL): (\w+)`).FindAllStringSubmatch(output, -1) {
				if m[1] == "PASS" {
					passed = append(passed, m[2])
				} else {
					failed = append(failed, m[2])
				}
			}
			t.Logf("%d tests and examples of btcec %s pass", len(passed), c.version)
			if !slices.Equal(failed, c.fails) || len(passed) < 50 {
				t.Errorf("%v, %d passed, %v failed\n%s", err, len(passed), failed, output)
			}
		})
	}
}

// TestPublished has the module by its published path on the right of replace, from a folder that is a module proxy.
func TestPublished(t *testing.T) {
	proxy := t.TempDir()
	serve := func(path, version, dir string) {
		folder := filepath.Join(proxy, filepath.FromSlash(path), "@v")
		check(t, os.MkdirAll(folder, 0o777))
		var packed bytes.Buffer
		check(t, zip.CreateFromDir(&packed, module.Version{Path: path, Version: version}, dir))
		check(t, os.WriteFile(filepath.Join(folder, version+".zip"), packed.Bytes(), 0o666))
		check(t, os.WriteFile(filepath.Join(folder, version+".mod"), must(os.ReadFile(filepath.Join(dir, "go.mod"))), 0o666))
		check(t, os.WriteFile(filepath.Join(folder, version+".info"), fmt.Appendf(nil, `{"Version":%q}`, version), 0o666))
	}
	serve("p256k1.mleku.dev", "v0.1.0", root)
	serve("p256k1.mleku.dev/compat/decred/v4", "v4.4.1", dropin)

	dir := copied(t, others)
	cache := strings.TrimSpace(mustRun(t, dir, "go", "env", "GOMODCACHE"))
	env := []string{
		"GOPROXY=file://" + proxy + ",file://" + filepath.Join(cache, "cache/download"), "GONOSUMDB=p256k1.mleku.dev", "GONOSUMCHECK=1",
		"GOMODCACHE=" + t.TempDir(), "GOFLAGS=-mod=mod -modcacherw",
	}
	mustRun(t, dir, "go", "mod", "edit", "-replace", decred+"=p256k1.mleku.dev/compat/decred/v4@v4.4.1")
	addSums(t, dir)
	if text, err := run(t, dir, env, "go", "build", "-o", "ours"); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if text := mustRun(t, dir, "go", "version", "-m", "ours"); !strings.Contains(text, "=>\tp256k1.mleku.dev/compat/decred/v4\tv4.4.1") {
		t.Errorf("not the replacement: %s", text)
	}
}
