package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"p256k1.mleku.dev/v2/tools/evidence/internal/mentions"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

//go:embed ties.txt
var tiesText string

// builds has the processors and build tags that choose between functions.
var builds = []struct{ arch, tags string }{
	{"amd64", ""}, {"arm64", ""}, {"amd64", "purego"}, {"amd64", "purego,lanes"}, {"amd64", "purego,doubles"}, {"386", ""},
}

// A function is one that a theorem is about, or that such a function mentions, or a variable or constant that it
// mentions.
type function struct {
	name, hash string // the name as in specs.py: field.(*Element).Add
	assembly   string // the processor whose assembly it is, or "" for a function in Go
}

// A tie is a row of ties.txt: what ties a function to the theorems, or what discharges a hypothesis.
type tie struct {
	kind, hash string
	arguments  []string // what follows the kind
}

var tieLine = regexp.MustCompile(`^(?:(\w+)((?: [\w./*()]+)*)(?:: .+)?|\t([\w./]+): (.+))$`)

// readTies returns the rows of ties.txt.
func readTies() map[declaration]tie {
	rows := map[declaration]tie{}
	var t tie
	for i, line := range strings.Split(tiesText, "\n") {
		m := tieLine.FindStringSubmatch(line)
		switch {
		case line == "" || line[0] == '#':
		case m == nil:
			must.Fail("ties.txt:%d: neither a kind nor names: %q", i+1, line)
		case m[1] != "":
			t = tie{kind: m[1], arguments: strings.Fields(m[2])}
		default:
			for _, name := range strings.Fields(m[4]) {
				name, t.hash, _ = strings.Cut(name, "=")
				d := declaration{m[3], name}
				if rows[d].kind != "" {
					must.Fail("ties.txt:%d: a second row for %s in %s", i+1, name, m[3])
				}
				rows[d] = t
			}
		}
	}
	return rows
}

// functionsBelow returns the functions to which the roots lead, on all platforms of builds, in the repository at root.
func functionsBelow(root string, roots map[declaration]bool) map[declaration]*function {
	root = must.Get(filepath.Abs(root))
	ours := func(path string) bool { return strings.HasPrefix(path, "p256k1.mleku.dev/v2/") }
	found := map[declaration]*function{}
	for _, b := range builds {
		config := packages.Config{Dir: root, BuildFlags: []string{"-tags=" + b.tags}}
		config.Env = append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0", "GOARCH="+b.arch)
		declared := map[*mentions.Node]declaration{}
		below := map[*mentions.Node]bool{}
		for _, n := range must.Get(mentions.Load(config, ours, "./internal/...", "./curve")) {
			if n.Decl == nil {
				continue // in another package
			}
			file := must.Get(filepath.Rel(root, n.Package.Fset.Position(n.Decl.Pos()).Filename))
			declared[n] = declaration{filepath.ToSlash(file), declares(n.Decl)}
			if roots[declared[n]] {
				n.Visit(below)
			}
		}
		for n := range below {
			d := declared[n]
			if found[d] != nil {
				continue
			}
			text := string(must.Get(os.ReadFile(filepath.Join(root, d.file))))
			found[d] = &function{name: strings.TrimPrefix(n.Name, "p256k1.mleku.dev/v2/internal/"), hash: must.Hash(must.Get(declarations(text))[d.name])}
			if f, ok := n.Decl.(*ast.FuncDecl); ok && f.Body == nil {
				found[d].assembly = b.arch
			}
		}
	}
	return found
}

// ties checks ties.txt against the repository at root, the proofs, and the functions that they quote. It returns the
// number of rows of each kind.
func ties(root string, files map[string][]byte, quoted map[declaration]string) (counts map[string]int, err error) {
	defer must.Recover(&err)
	rows, all, roots := readTies(), hypotheses(files), map[declaration]bool{}
	for d := range quoted {
		roots[d] = true
	}
	for d, row := range rows {
		roots[d] = roots[d] || row.kind == "generated" || slices.Contains(row.arguments, "root")
	}
	functions := functionsBelow(root, roots)
	for d := range functions {
		all[d] = true
	}
	var problems []string
	for d := range rows {
		if !all[d] {
			problems = append(problems, fmt.Sprintf("ties.txt: %s: %s: a row about nothing", d.file, d.name))
		}
	}
	proved, constants := routines(root), printed(root)
	counts = map[string]int{}
	for d := range all {
		row, f := rows[d], functions[d]
		arguments := slices.DeleteFunc(slices.Clone(row.arguments), func(s string) bool { return s == "root" })
		counts[row.kind]++
		ok := false
		switch kind := fmt.Sprint(row.kind, min(len(arguments), 2)); {
		case kind == "vectors2" || kind == "tested2":
			ok = runs(root, arguments[0], arguments[1:])
		case f == nil:
			ok = kind == "assumed0" || kind == "premise0" || (kind == "instantiated1" && instantiates(files, arguments[0], d))
		case kind == "generated0":
			definition := regexp.MustCompile(`(?m)^Definition ` + strings.TrimSuffix(d.name, "Generic") + ` `)
			ok = d.file == "internal/group/formulas.go" && definition.Match(files["Formulas"])
		case kind == "quoted1":
			ok = quoted[d]+".v" == arguments[0]
		case kind == "printed0":
			ok = constants[filepath.Base(filepath.Dir(d.file))+"."+d.name]
		case kind == "proved0":
			ok = proved(f)
		default:
			ok = kind == "read0" || kind == "untied0"
		}
		pinned := f != nil && regexp.MustCompile("tested|read|untied").MatchString(row.kind)
		switch what := fmt.Sprintf("ties.txt: %s: %s: ", d.file, d.name); {
		case row.kind == "":
			problems = append(problems, what+"no row says what ties this to the theorems above it, or discharges it")
		case !ok:
			problems = append(problems, what+"not "+row.kind+" "+strings.Join(arguments, " "))
		case pinned && row.hash != f.hash:
			problems = append(problems, what+"changed: review the models above it, then run TestTies with -update, or write "+d.name+"="+f.hash)
		}
	}
	slices.Sort(problems)
	if len(problems) > 0 {
		err = errors.New(strings.Join(problems, "\n"))
	}
	return counts, err
}

// routines returns a function that reports whether asmproof proves a function in Go, or the routines of a function
// without a body.
func routines(root string) func(f *function) bool {
	specs := exec.Command("python3", "-B", "-c", "import json, specs; print(json.dumps([list(specs.PORTABLE), list(specs.ARM64), list(specs.ROUTINES)]))")
	specs.Dir = filepath.Join(root, "tools/evidence/asmproof")
	var lists [3][]string
	must.Do(json.Unmarshal([]byte(must.Get(must.Output(specs))), &lists))
	return func(f *function) bool {
		proves := func(list int, ending string) bool { return slices.Contains(lists[list], f.name+ending) }
		switch f.assembly {
		case "":
			return proves(0, "")
		case "arm64":
			return proves(1, "")
		}
		// One ending is enough if the routine jumps to several others, because the prover refuses a routine that no
		// list has.
		public := slices.Contains(lists[2], strings.TrimSuffix(f.name, "Vartime")+"IFMA")
		return proves(2, "") || proves(2, "Broadwell") || proves(2, "AVX512") || proves(2, "IFMA") || public
	}
}

var libraryTests = regexp.MustCompile(`(?s)\nlibrary="([^"\n]*)"\ngo test \$library\n`)

// runs reports whether the package in a folder has all tests in files that a build for amd64 has, none of them is
// skipped or ends early, and CI runs the package's tests.
func runs(root, folder string, tests []string) bool {
	library := libraryTests.FindSubmatch(must.Get(os.ReadFile(filepath.Join(root, ".ci/run"))))
	top, _, _ := strings.Cut(folder, "/")
	if library == nil || !regexp.MustCompile(` \./(`+folder+`|`+top+`/\.\.\.)( |$)`).Match(library[1]) {
		return false
	}
	run := map[string]bool{}
	platform := build.Context{GOOS: "linux", GOARCH: "amd64", Compiler: "gc"}
	for _, path := range must.Get(filepath.Glob(filepath.Join(root, folder, "*_test.go"))) {
		if !must.Get(platform.MatchFile(filepath.Split(path))) {
			continue
		}
		for _, d := range must.Get(parser.ParseFile(token.NewFileSet(), path, nil, 0)).Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				run[f.Name.Name] = !skipped(f)
			}
		}
	}
	return !slices.ContainsFunc(tests, func(test string) bool { return !run[test] })
}

// skipped reports whether a test may skip itself, or returns before its end.
func skipped(f *ast.FuncDecl) bool {
	early := slices.ContainsFunc(f.Body.List, func(s ast.Stmt) bool { _, ok := s.(*ast.ReturnStmt); return ok })
	ast.Inspect(f.Body, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		early = early || (ok && strings.HasPrefix(s.Sel.Name, "Skip"))
		return true
	})
	return early
}

// printed returns the constants that the function constants of this package prints, as package.Name: those that it
// passes to a call as they are, or whose parts it does.
func printed(root string) map[string]bool {
	found := map[string]bool{}
	path := filepath.Join(root, "tools/evidence/grouplaw/constants.go")
	ast.Inspect(must.Get(parser.ParseFile(token.NewFileSet(), path, nil, 0)), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			return n.Tok != token.ASSIGN // a name is not printed because it is assigned to _
		case *ast.BinaryExpr:
			return slices.Contains([]token.Token{token.AND, token.SHR, token.LEQ, token.SHL, token.SUB}, n.Op)
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				found[x.Name+"."+n.Sel.Name] = true
			}
		}
		return true
	})
	return found
}

var proposition = regexp.MustCompile(`[=<>]|\b(forall|exists|True|False)\b`)

// hypotheses returns the hypotheses of the proof files, and the variables whose types are propositions.
func hypotheses(files map[string][]byte) map[declaration]bool {
	all := map[declaration]bool{}
	for name, text := range files {
		for _, s := range statements(text) {
			isVariable := strings.HasPrefix(s.kind, "Variable") || s.kind == "Context"
			isProposition := proposition.MatchString(strings.ReplaceAll(s.text, "->", ""))
			if strings.HasPrefix(s.kind, "Hypothes") || (isVariable && isProposition) {
				all[declaration{name + ".v", s.name}] = true
			}
		}
	}
	return all
}

// instantiates reports whether the theorem or lemma, File.name, mentions a result of the file of the hypothesis d.
func instantiates(files map[string][]byte, theorem string, d declaration) bool {
	file, name, _ := strings.Cut(theorem, ".")
	results := map[string]bool{}
	for _, s := range statements(files[strings.TrimSuffix(d.file, ".v")]) {
		results[s.name] = (s.kind == "Theorem" || s.kind == "Lemma") && s.name != name
	}
	return slices.ContainsFunc(statements(files[file]), func(s statement) bool {
		return s.name == name && slices.ContainsFunc(word.FindAllString(s.text+s.proof, -1), func(w string) bool { return results[w] })
	})
}
