package rules

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"p256k1.mleku.dev/v2/internal/platform"
)

// A target is the platform and the build tags of a build.
type target struct {
	arch   string
	purego bool
	tags   []string // further build tags
}

func (t target) String() string {
	s := t.arch
	if t.purego {
		s += " purego"
	}
	return strings.Join(append([]string{s}, t.tags...), " ")
}

// targets returns a target for each architecture of Go, with and without assembly. The operating system is Linux or,
// for WebAssembly, JavaScript.
func targets() (all []target) {
	for _, arch := range []string{
		"386", "amd64", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle", "ppc64", "ppc64le", "riscv64", "s390x", "wasm",
	} {
		for _, purego := range []bool{false, true} {
			all = append(all, target{arch: arch, purego: purego})
		}
	}
	return all
}

// code returns the kind of code that the table lists for a routine on a target.
func (t target) code(r platform.Routine) platform.Code {
	if t.purego {
		return platform.InGo
	}
	return r.On(t.arch)
}

// builds reports whether a file belongs to the build.
func (t target) builds(fsys fs.FS, name string) (bool, error) {
	c := build.Context{GOOS: "linux", GOARCH: t.arch, Compiler: "gc", BuildTags: t.tags}
	c.OpenFile = func(name string) (io.ReadCloser, error) { return fsys.Open(name) }
	if t.arch == "wasm" {
		c.GOOS = "js"
	}
	if t.purego {
		c.BuildTags = append(slices.Clone(t.tags), "purego")
	}
	return c.MatchFile(path.Dir(name), path.Base(name))
}

// sources returns the Go files, without tests, and the assembly files of a directory.
func sources(fsys fs.FS, dir string) (goFiles, assembly []string, err error) {
	entries, err := fs.ReadDir(fsys, dir)
	for _, e := range entries {
		switch name := path.Join(dir, e.Name()); {
		case strings.HasSuffix(name, "_test.go"):
		case path.Ext(name) == ".go":
			goFiles = append(goFiles, name)
		case path.Ext(name) == ".s":
			assembly = append(assembly, name)
		}
	}
	return goFiles, assembly, err
}

var (
	textOf = regexp.MustCompile(`(?m)^TEXT ·(\w+)\(SB\)`)
	asks   = regexp.MustCompile(`(?:CMPB|MOVBU)\s+·use(\w+)\(SB\)`)
	leaves = regexp.MustCompile(`JMP\s+·(\w+)\(SB\)`)
)

// routines maps the names of the routines in an assembly file to their text.
func routines(assembly string) map[string]string {
	m := map[string]string{}
	starts := textOf.FindAllStringSubmatchIndex(assembly, -1)
	for i, s := range starts {
		end := len(assembly)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		m[assembly[s[2]:s[3]]] = assembly[s[0]:end]
	}
	return m
}

// submatches returns the strings that the first group of a regular expression matches in a text.
func submatches(e *regexp.Regexp, text string) (found []string) {
	for _, m := range e.FindAllStringSubmatch(text, -1) {
		found = append(found, m[1])
	}
	return found
}

// goesOn reports whether a function's body is a single call of the named function with its own parameters or, if the
// name is "", is empty. If doubles is not "", the body begins with a call of the function of this name, if
// platform.DoublesInGo is true, and a return.
func goesOn(f *ast.FuncDecl, function, doubles string) bool {
	if f.Body == nil || function == "" {
		return f.Body != nil && len(f.Body.List) == 0
	}
	list := f.Body.List
	if doubles != "" {
		choice, ok := list[0].(*ast.IfStmt)
		if !ok || types.ExprString(choice.Cond) != "platform.DoublesInGo" || len(choice.Body.List) != 2 || !calls(f, choice.Body.List[0], doubles) {
			return false
		}
		list = list[1:]
	}
	return len(list) == 1 && calls(f, list[0], function)
}

// calls reports whether a statement of f calls the named function with the parameters of f.
func calls(f *ast.FuncDecl, s ast.Stmt, function string) bool {
	statement, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := statement.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	if name, ok := call.Fun.(*ast.Ident); !ok || name.Name != function {
		return false
	}
	var parameters, arguments []string
	for _, field := range f.Type.Params.List {
		for _, name := range field.Names {
			parameters = append(parameters, name.Name)
		}
	}
	for _, a := range call.Args {
		name, ok := a.(*ast.Ident)
		if !ok {
			return false
		}
		arguments = append(arguments, name.Name)
	}
	return slices.Equal(parameters, arguments)
}

// compareTable returns the differences between the files of a package and the table, on all targets.
func compareTable(fsys fs.FS, pkg string, table []platform.Routine, all []target) (differ []string, err error) {
	goFiles, assembly, err := sources(fsys, "internal/"+pkg)
	if err != nil {
		return nil, err
	}
	var rows []platform.Routine
	for _, r := range table {
		if r.Package == pkg {
			rows = append(rows, r)
		}
	}
	parsed := map[string]*ast.File{}
	for _, name := range goFiles {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		if parsed[name], err = parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution); err != nil {
			return nil, err
		}
	}
	var generated []string // the files that some builds omit
	for _, end := range []string{"amd64", "arm64", "noasm"} {
		generated = append(generated, fmt.Sprintf("internal/%s/%[1]s_%s.go", pkg, end))
	}
	for _, t := range all {
		say := func(format string, args ...any) {
			differ = append(differ, fmt.Sprintf("%s, %v: ", pkg, t)+fmt.Sprintf(format, args...))
		}
		functions := map[string]*ast.FuncDecl{}
		inAssembly := map[string]bool{} // assembly routines for which no row has been found yet
		for _, name := range goFiles {
			in, err := t.builds(fsys, name)
			if err != nil {
				return nil, err
			}
			if !in {
				if !slices.Contains(generated, name) {
					say("%s is left out, and is not one of %q", name, generated)
				}
				continue
			}
			for _, d := range parsed[name].Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
					if functions[f.Name.Name] != nil {
						say("%s is there twice", f.Name.Name)
					}
					functions[f.Name.Name] = f
					if f.Body == nil {
						inAssembly[f.Name.Name] = true
					}
				}
			}
		}
		texts := map[string]string{}
		for _, name := range assembly {
			in, err := t.builds(fsys, name)
			if err != nil {
				return nil, err
			}
			if !in {
				continue
			}
			if len(texts) > 0 {
				say("%s is not the only assembly", name)
			}
			text, err := fs.ReadFile(fsys, name)
			if err != nil {
				return nil, err
			}
			for name, text := range routines(string(text)) {
				texts[name] = text
				if !inAssembly[name] {
					say("%s is assembly without a declaration", name)
				}
			}
		}
		for _, r := range rows {
			code := t.code(r)
			f := functions[r.Name]
			switch {
			case f == nil:
				say("no function %s", r.Name)
			case code == platform.InGo:
				if !goesOn(f, r.Go, r.Doubles()) {
					say("%s is not Go that goes on to %q", r.Name, r.Go)
				}
			default:
				var leave []string
				if code.Ways() != nil {
					for _, way := range append(code.Ways(), "Generic") {
						leave = append(leave, r.Version(way))
					}
				}
				there := []string{r.Name}
				for _, way := range code.Ways() {
					there = append(there, r.Version(way))
				}
				for _, name := range there {
					if _, there := texts[name]; !there || functions[name] == nil || functions[name].Body != nil {
						say("%s is not in assembly", name)
					}
					delete(inAssembly, name)
				}
				text := texts[r.Name]
				if got := submatches(asks, text); !slices.Equal(got, code.Ways()) {
					say("%s asks for %q, and by the table for %q", r.Name, got, code.Ways())
				}
				if got := submatches(leaves, text); !slices.Equal(got, leave) {
					say("%s goes on to %q, and by the table to %q", r.Name, got, leave)
				}
			}
		}
		for name := range inAssembly {
			say("%s is assembly, and not in the table", name)
		}
	}
	return differ, nil
}

// arithmeticFiles returns the files of the packages below internal that have assembly or are in platform.Routines,
// without package platform and package secret, whose assembly is no arithmetic.
func arithmeticFiles(t *testing.T) (files fstest.MapFS, packages []string) {
	t.Helper()
	files = fstest.MapFS{}
	entries, err := os.ReadDir("internal")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == "secret" || e.Name() == "platform" || !e.IsDir() {
			continue
		}
		goFiles, assembly, err := sources(os.DirFS("."), "internal/"+e.Name())
		if err != nil {
			t.Fatal(err)
		}
		named := slices.ContainsFunc(platform.Routines, func(r platform.Routine) bool { return r.Package == e.Name() })
		if len(assembly) == 0 && !named {
			continue
		}
		packages = append(packages, e.Name())
		for _, name := range append(goFiles, assembly...) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files[name] = &fstest.MapFile{Data: text}
		}
	}
	return files, packages
}

// TestRoutines compares the assembly of all platforms, its declarations and its replacements in Go with
// platform.Routines.
func TestRoutines(t *testing.T) {
	files, packages := arithmeticFiles(t)
	for _, r := range platform.Routines {
		if !slices.Contains(packages, r.Package) {
			t.Errorf("no package %s", r.Package)
		}
	}
	for _, pkg := range packages {
		differ, err := compareTable(files, pkg, platform.Routines, targets())
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range differ {
			t.Error(d)
		}
	}
}

// TestRoutinesDiffer changes the table or a file, and checks that compareTable finds the difference.
func TestRoutinesDiffer(t *testing.T) {
	for _, c := range []struct {
		pkg, says string
		table     func(table []platform.Routine) []platform.Routine
		file      string
		old, new  string
	}{
		{pkg: "scalar", says: "mul is not Go", table: change("scalar", "mul", func(r *platform.Routine) { r.AMD64 = platform.InGo })},
		{pkg: "field", says: "square is not in assembly", table: change("field", "square", func(r *platform.Routine) { r.ARM64 = platform.Assembly })},
		{pkg: "field", says: "mul asks for", table: change("field", "mul", func(r *platform.Routine) { r.AMD64 = platform.Assembly })},
		{pkg: "ecmult", says: "lookupAVX512 is assembly, and not", table: change("ecmult", "lookup", func(r *platform.Routine) { r.AMD64 = platform.WithBroadwell })},
		{pkg: "group", says: "rescale is not Go", table: change("group", "rescale", func(r *platform.Routine) { r.Go = "doubleNGeneric" })},
		{pkg: "ecmult", says: "prefetch is assembly, and not", table: func(table []platform.Routine) []platform.Routine {
			return slices.DeleteFunc(slices.Clone(table), func(r platform.Routine) bool { return r.Name == "prefetch" })
		}},
		{pkg: "field", says: "no function cube", table: func(table []platform.Routine) []platform.Routine {
			return append(slices.Clone(table), platform.Routine{Package: "field", Name: "cube", AMD64: platform.InGo, ARM64: platform.InGo})
		}},
		{pkg: "field", says: "extra is assembly without", file: "internal/field/field_arm64.s", old: "TEXT ·mul(SB)", new: "TEXT ·extra(SB), $0\nRET\nTEXT ·mul(SB)"},
		{pkg: "field", says: "mul is not in assembly", file: "internal/field/field_arm64.s", old: "TEXT ·mul(SB)", new: "TEXT ·multiply(SB)"},
		{pkg: "group", says: "addCoZ goes on to", file: "internal/group/group_amd64.s", old: "JMP ·addCoZGeneric(SB)", new: "JMP ·addCoZBroadwell(SB)"},
		{pkg: "scalar", says: "mul is not Go", file: "internal/scalar/scalar_noasm.go", old: "mulGeneric(v, a, b)", new: "mulGeneric(v, a, a)"},
		{pkg: "scalar", says: "no function mul", file: "internal/scalar/scalar_noasm.go", old: "!amd64 || purego", new: "!amd64"},
		{pkg: "scalar", says: "mul is there twice", file: "internal/scalar/scalar_noasm.go", old: "!amd64 || purego", new: "purego || !purego"},
		{pkg: "modinv", says: "hand_amd64.go is left out", file: "internal/modinv/hand_amd64.go", new: "package modinv\n"},
		{pkg: "scalar", says: "the only assembly", file: "internal/scalar/more_amd64.s", new: "TEXT ·more(SB), $0\nRET\n"},
	} {
		t.Run(c.pkg+" "+c.says, func(t *testing.T) {
			files, _ := arithmeticFiles(t)
			table := platform.Routines
			if c.table != nil {
				table = c.table(table)
			} else {
				text := c.new
				if c.old != "" {
					before := string(files[c.file].Data)
					if n := strings.Count(before, c.old); n != 1 {
						t.Fatalf("%q is in %s %d times: bring this test up to date", c.old, c.file, n)
					}
					text = strings.Replace(before, c.old, c.new, 1)
				}
				files[c.file] = &fstest.MapFile{Data: []byte(text)}
			}
			differ, err := compareTable(files, c.pkg, table, targets())
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(differ, func(d string) bool { return strings.Contains(d, c.says) }) {
				t.Errorf("not found among %q", differ)
			}
		})
	}
}

// change returns a function that changes one row in a copy of the table.
func change(pkg, name string, do func(*platform.Routine)) func([]platform.Routine) []platform.Routine {
	return func(table []platform.Routine) []platform.Routine {
		table = slices.Clone(table)
		do(&table[slices.IndexFunc(table, func(r platform.Routine) bool { return r.Package == pkg && r.Name == name })])
		return table
	}
}

// TestProcessors compares the files of package platform that name the code in use with platform.Processors.
func TestProcessors(t *testing.T) {
	for _, target := range targets() {
		want := "noasm"
		for _, p := range platform.Processors {
			if p.Arch == target.arch && !target.purego {
				want = p.Arch
			}
		}
		for _, end := range []string{"amd64", "arm64", "noasm"} {
			in, err := target.builds(os.DirFS("."), "internal/platform/platform_"+end+".go")
			if err != nil || in != (end == want) {
				t.Errorf("%v: platform_%s.go is built: %t, %v", target, end, in, err)
			}
		}
	}
}

// TestTablesUnused checks that the library does not use the tables, so that programs do not contain them.
func TestTablesUnused(t *testing.T) {
	used := regexp.MustCompile(`\bplatform\.(Processors|Routines|Shapes)\b`)
	files := 0
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if _, err := os.Stat(filepath.Join(name, "go.mod")); d.IsDir() && name != "." && err == nil {
			return filepath.SkipDir
		}
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		files++
		text, err := os.ReadFile(name)
		if found := used.Find(text); found != nil {
			t.Errorf("%s uses %s", name, found)
		}
		return err
	})
	if err != nil || files < 50 {
		t.Errorf("%d files: %v", files, err)
	}
}

// constraints has the number of the library's files for each build constraint, and for each end of a name that is one.
// CI builds and runs all of them. A file that only another platform builds would be tested by nobody.
var constraints = map[string]int{
	"!(amd64 || arm64) || purego": 5, "!(purego && doubles)": 1, "!(purego && lanes)": 1, "purego && doubles": 1, "purego && lanes": 1,
	"!386 && !arm && !mips && !mipsle && !wasm && !(purego && (limbs32 || limbs29))": 1,
	"386 || arm || mips || mipsle || (purego && limbs32)":                            1, "wasm || (purego && limbs29)": 1,
	"!amd64 || purego": 2, "!amd64 || purego || (goexperiment.runtimesecret && linux)": 1, "!purego": 22,
	"!purego && (!goexperiment.runtimesecret || !linux)": 2, "!goexperiment.runtimesecret || !linux || !(amd64 || arm64)": 1,
	"goexperiment.runtimesecret && linux && (amd64 || arm64)": 1, "!wasm": 11, "_amd64": 17, "_arm64": 9, "_linux": 1,
}

// TestConstraints compares the build constraints of the library's files with constraints. It also checks that no file
// asks for the platform while the program runs, or for the size of an int.
func TestConstraints(t *testing.T) {
	asks := regexp.MustCompile(`\bruntime\.GO(ARCH|OS)\b|\.(Ui|I)ntSize\b`)
	line := regexp.MustCompile(`(?m)^//go:build (.+)$`)
	list, err := exec.Command("go", "tool", "dist", "list").Output()
	if err != nil {
		t.Fatal(err)
	}
	platforms := strings.FieldsFunc(string(list), func(r rune) bool { return r == '/' || r == '\n' })
	got := map[string]int{}
	err = filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		top, _, _ := strings.Cut(name, "/")
		if d.IsDir() && (slices.Contains([]string{"cmd", "tools", "scale", "compat"}, name) || d.Name() == "testdata" || (top[0] == '.' && name != ".")) {
			return filepath.SkipDir
		}
		if !slices.Contains([]string{".go", ".s"}, filepath.Ext(name)) || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(name)
		if m := asks.Find(text); m != nil {
			t.Errorf("%s: %s", name, m)
		}
		if m := line.FindSubmatch(text); m != nil {
			got[string(m[1])]++
		}
		words := strings.Split(strings.TrimSuffix(path.Base(filepath.ToSlash(name)), path.Ext(name)), "_")
		for _, word := range words[1:] {
			if slices.Contains(platforms, word) {
				got["_"+word]++
			}
		}
		return err
	})
	if err != nil || !maps.Equal(got, constraints) {
		t.Errorf("the build constraints are %v, want %v; %v", got, constraints, err)
	}
}

// TestShapes compares the shapes of the code in Go on all platforms with platform.Shapes.
func TestShapes(t *testing.T) {
	all := targets()
	for _, s := range platform.Shapes {
		if s.Tag != "" {
			for _, arch := range []string{"amd64", "arm64", "s390x"} {
				all = append(all, target{arch: arch, purego: true, tags: []string{s.Tag}}, target{arch: arch, tags: []string{s.Tag}})
			}
		}
	}
	used := map[int]bool{}
	for _, machine := range all {
		var want platform.Shape
		for _, s := range platform.Shapes {
			chosen := machine.purego && s.Tag != "" && slices.Contains(machine.tags, s.Tag)
			if chosen || slices.Contains(s.Archs, machine.arch) || (s.Archs == nil && want.Word == 0) {
				want = s
			}
		}
		got := map[string]int{}
		for _, s := range platform.Shapes {
			name := fmt.Sprintf("internal/platform/shape_%d.go", s.Product)
			in, err := machine.builds(os.DirFS("."), name)
			if err != nil {
				t.Fatal(err)
			}
			if !in {
				continue
			}
			used[s.Product] = true
			if len(got) > 0 {
				t.Errorf("%v: more than one shape", machine)
			}
			for name, n := range intConstants(t, name) {
				got[name] = n
			}
		}
		if len(got) != 3 || got["Word"] != want.Word || got["Product"] != want.Product || got["Divstep"] != want.Divstep {
			t.Errorf("%v: %v, and in the table %v", machine, got, want)
		}
	}
	if len(used) != len(platform.Shapes) {
		t.Errorf("%d shapes are used, and %d in the table", len(used), len(platform.Shapes))
	}
}

// intConstants returns the constants that a file sets to integers.
func intConstants(t *testing.T, name string) map[string]int {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	constants := map[string]int{}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.ValueSpec); ok && len(s.Values) == 1 {
			if v, ok := s.Values[0].(*ast.BasicLit); ok {
				if i, err := strconv.Atoi(v.Value); err == nil {
					constants[s.Names[0].Name] = i
				}
			}
		}
		return true
	})
	return constants
}

// TestPlatformClaims compares the platforms that pages and documentation name with those that files are built for, or
// with platform.Processors, by a part of the text whose groups are the platforms.
func TestPlatformClaims(t *testing.T) {
	built := func(file string, tags ...string) (all []string) {
		for _, target := range targets() {
			target.tags = tags
			in, err := target.builds(os.DirFS("."), file)
			if err != nil {
				t.Fatal(err)
			}
			if in && !target.purego {
				all = append(all, target.arch)
			}
		}
		return all
	}
	registers, runtimeSecret := built("secret/wipe_amd64.s"), built("secret/runtime.go", "goexperiment.runtimesecret")
	var arches, names, lanes []string
	for _, p := range platform.Processors {
		arches, names = append(arches, p.Arch), append(names, p.Name)
		if slices.ContainsFunc(platform.Routines, func(r platform.Routine) bool { return r.Package == "lanes" && r.On(p.Arch) != platform.InGo }) {
			lanes = append(lanes, p.Name)
		}
	}
	for _, c := range []struct {
		page, pattern string
		want          []string
	}{
		{"SECURITY.md", `With assembly on (.*?), these operations also wipe the registers\. On other processors, and in builds without assembly, registers are not wiped`, registers},
		{"secret/do.go", `In // builds with assembly on (.*?), Do also wipes the registers`, registers},
		{"docs/assurance-case.md", `with assembly on (.*?) it wipes the registers too`, registers},
		{"docs/assurance-case.md", `registers on processors other than (.*?);`, registers},
		{"SECURITY.md", `Programs for Linux on (.*?) that are built with .GOEXPERIMENT=runtimesecret. use`, runtimeSecret},
		{"secret/secret.go", `built with GOEXPERIMENT=runtimesecret for Linux on (.*?), // Do uses package runtime/secret`, runtimeSecret},
		{"README.md", `Its (.*?) assembly is proved`, arches},
		{"CHANGELOG.md", `the linked assembly for (.*?) computes`, names},
		{"docs/assembly.md", `replaces the functions of one list, on (.*?)\.`, names},
		{"docs/assembly.md", `the linked routines for (.*?) compute their formulas`, names},
		{"docs/assembly.md", `Lanes exist only for (.*?)\.`, lanes},
		{"docs/assurance-case.md", `the linked routines for (.*?) compute their formulas`, names},
	} {
		texts, _ := groups(t, c.page, c.pattern)
		if texts == nil {
			continue
		}
		named := strings.Split(strings.NewReplacer(" or ", ", ", " and ", ", ").Replace(texts[1]), ", ")
		if !slices.Equal(named, c.want) {
			t.Errorf("%s: %q, but this holds for %q", c.page, texts[0], c.want)
		}
	}
}
