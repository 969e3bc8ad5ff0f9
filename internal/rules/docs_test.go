package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"strings"
	"testing"
)

// TestDocs checks what go doc shows of every package: the comment of a package names each file with examples, which go
// doc does not show, and the length of an array in the signature of an exported function is not the name of an
// unexported constant, whose value go doc does not show either.
func TestDocs(t *testing.T) {
	comments, examples := make(map[string]string), make(map[string][]string)
	example := regexp.MustCompile(`(?m)^func Example`)
	functions := 0
	for _, name := range tree(t) {
		folder, file := path.Split(name)
		if path.Ext(name) != ".go" || strings.Contains(name, "testdata/") {
			continue
		}
		if strings.HasSuffix(file, "_test.go") {
			if example.MatchString(read(t, name)) {
				examples[folder] = append(examples[folder], file)
			}
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		comments[folder] += parsed.Doc.Text()
		for _, d := range parsed.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() || strings.Contains(folder, "internal/") || parsed.Name.Name == "main" {
				continue
			}
			functions++
			ast.Inspect(f.Type, func(n ast.Node) bool {
				array, ok := n.(*ast.ArrayType)
				if !ok {
					return true
				}
				if length, ok := array.Len.(*ast.Ident); ok && !length.IsExported() {
					t.Errorf("%s: go doc shows [%s] in the signature of %s", name, length.Name, f.Name.Name)
				}
				return true
			})
		}
	}
	for folder, files := range examples {
		for _, file := range files {
			if !strings.Contains(comments[folder], file) {
				t.Errorf("the package comment of %q does not name %s", folder, file)
			}
		}
	}
	if len(examples) < 20 || functions < 500 {
		t.Errorf("examples in %d folders, %d exported functions: does this test still find them?", len(examples), functions)
	}
}
