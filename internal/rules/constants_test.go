package rules

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// evaluate returns the value of an expression of literals, of constants that are known and of units of time, which
// count as 1, so that 10*time.Minute is ten minutes. It returns nil for other expressions.
func evaluate(e ast.Expr, known map[string]constant.Value) constant.Value {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.INT {
			return constant.MakeFromLiteral(e.Value, e.Kind, 0)
		}
	case *ast.Ident:
		return known[e.Name]
	case *ast.ParenExpr:
		return evaluate(e.X, known)
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok && x.Name == "time" {
			return constant.MakeInt64(1)
		}
	case *ast.BinaryExpr:
		x, y := evaluate(e.X, known), evaluate(e.Y, known)
		if x == nil || y == nil {
			return nil
		}
		switch e.Op {
		case token.SHL:
			n, ok := constant.Uint64Val(y)
			if ok && n < 64 {
				return constant.Shift(x, token.SHL, uint(n))
			}
		case token.ADD, token.SUB, token.MUL:
			return constant.BinaryOp(x, e.Op, y)
		}
	}
	return nil
}

// valuesOf returns the values of the constants of a file by their names, and for each function the numbers of three
// digits or more in it, and times, by its name with parentheses. A name may have several values.
func valuesOf(file *ast.File, known map[string]constant.Value) map[string][]uint64 {
	values := make(map[string][]uint64)
	put := func(name string, v constant.Value) {
		n, ok := constant.Uint64Val(v)
		if ok {
			values[name] = append(values[name], n)
		}
	}
	for _, d := range file.Decls {
		function := ""
		if f, ok := d.(*ast.FuncDecl); ok {
			function = f.Name.Name + "()"
		} else if g := d.(*ast.GenDecl); g.Tok == token.VAR {
			function = g.Specs[0].(*ast.ValueSpec).Names[0].Name
		}
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i, name := range n.Names {
					if i >= len(n.Values) {
						continue
					}
					v := evaluate(n.Values[i], known)
					if v != nil {
						known[name.Name] = v
						put(name.Name, v)
					}
				}
			case *ast.CompositeLit:
				_, command := n.Type.(*ast.SelectorExpr) // other literals are tables
				return command
			case ast.Expr:
				v := evaluate(n, known)
				if v == nil {
					return true
				}
				product, _ := n.(*ast.BinaryExpr)
				if function != "" && (product != nil || constant.Compare(v, token.GEQ, constant.MakeInt64(100))) {
					put(function, v)
				}
				return false
			}
			return true
		})
	}
	return values
}

var shifts = map[string]int{"KiB": 10, "MiB": 20, "GiB": 30}

// valueOf returns the number of a claim such as 64 KiB or ten minutes, and what it counts. It is 0 for a claim without
// a whole number.
func valueOf(claim string) (n uint64, noun string) {
	text, noun, _ := strings.Cut(claim, " ")
	n, err := strconv.ParseUint(strings.ReplaceAll(text, ",", ""), 10, 32)
	if err != nil {
		n = uint64(1 + slices.Index(strings.Fields("one two three four five six seven eight nine ten"), strings.ToLower(text)))
	}
	return n << shifts[noun], noun
}

// usual are numbers that, like all below ten, count so many things that the same number of a constant means nothing.
var usual = []uint64{16, 32, 33, 64, 65, 100, 128}

const constantsList = "internal/rules/testdata/constants.txt"

// TestConstants compares the numbers in documentation, usage and pages with the constants and defaults that they tell.
// Each line of testdata/constants.txt names a file, a claim, how often it stands there, and a constant of the same
// package, or of one that it imports, or a function that has the number. If only one of the two changes, the test fails
// even with P256K1_UPDATE=1, which adds the claims that tell a constant, and drops a line if there is no such constant
// or file any more. A line for a claim that is gone is to be removed by hand.
func TestConstants(t *testing.T) {
	names := tree(t)
	claimsOf := make(map[string][]string)          // by file
	values := make(map[string]map[string][]uint64) // by folder and name
	imports := make(map[string][]string)           // by folder, folders
	folders := make(map[string][]*ast.File)
	for _, name := range names {
		claimsOf[name] = claims(published(t, name))
		if path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") && !strings.Contains(name, "testdata/") {
			folder := path.Dir(name)
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			folders[folder] = append(folders[folder], file)
			for _, i := range file.Imports {
				from, ok := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), "p256k1.mleku.dev/v2/")
				if ok && !slices.Contains(imports[folder], from) {
					imports[folder] = append(imports[folder], from)
				}
			}
		}
	}
	for folder, files := range folders {
		known := make(map[string]constant.Value)
		for range 2 { // the second time, all constants of the package are known
			values[folder] = make(map[string][]uint64)
			for _, file := range files {
				for name, v := range valuesOf(file, known) {
					values[folder][name] = append(values[folder][name], v...)
				}
			}
		}
	}
	listed := read(t, constantsList)
	head, _, _ := strings.Cut(listed, "\n\n")
	found := make(map[string]bool)
	for _, line := range regexp.MustCompile(`(?m)^(\S+): (.*?)(?:, (\d+) times)? = (\S+)\.(\S+)$`).FindAllStringSubmatch(listed, -1) {
		file, claim, folder, name := line[1], line[2], line[4], line[5]
		now := values[folder][name]
		if !slices.Contains(names, file) || now == nil {
			continue
		}
		_, noun := valueOf(claim)
		agree := 0
		for _, c := range claimsOf[file] {
			n, counted := valueOf(c)
			if counted == noun && slices.Contains(now, n) {
				agree++
			}
		}
		times, _ := strconv.Atoi(line[3]) // 0 if the claim stands once
		if agree < max(1, times) {
			t.Errorf("%s has %d claims that agree with %s of %s, now %d, and had %q", file, agree, name, folder, now, line[0])
			found[line[0]] = true
		}
	}
	told := make(map[string]string) // the constant that a claim of documentation tells
	for _, file := range slices.SortedFunc(maps.Keys(claimsOf), func(a, b string) int {
		return cmp.Or(cmp.Compare(path.Ext(a), path.Ext(b)), cmp.Compare(a, b)) // pages are last
	}) {
		own := path.Dir(file)
		for _, claim := range claimsOf[file] {
			n, noun := valueOf(claim)
			minutes := strings.HasPrefix(noun, "minute") || strings.HasPrefix(noun, "second")
			if (n < 10 || slices.Contains(usual, n)) && !minutes {
				continue
			}
			best, most := "", 0
			for _, folder := range append([]string{own}, imports[own]...) {
				for _, name := range slices.Sorted(maps.Keys(values[folder])) {
					rank := 3
					switch {
					case !slices.Contains(values[folder][name], n):
						continue
					case len(noun) > 3 && strings.Contains(strings.ToLower(name), noun):
						rank = 5
					case strings.HasSuffix(name, ")"):
						rank = 2
					case folder == own:
						rank = 4
					}
					if folder != own && (rank == 2 || n < 100 || noun == "" || noun == "bits") {
						continue
					}
					if rank > most {
						best, most = folder+"."+name, rank
					}
				}
			}
			if best == "" && path.Ext(file) == ".md" && noun != "" {
				best = told[claim]
			}
			if best != "" {
				told[claim] = best
				times := 0
				for _, c := range claimsOf[file] {
					if c == claim {
						times++
					}
				}
				if times > 1 {
					claim += fmt.Sprintf(", %d times", times)
				}
				found[fmt.Sprintf("%s: %s = %s", file, claim, best)] = true
			}
		}
	}
	compareList(t, constantsList, head+"\n\n"+strings.Join(slices.Sorted(maps.Keys(found)), "\n")+"\n")
}
