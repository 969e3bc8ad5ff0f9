package main

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"p256k1.mleku.dev/v2/tools/evidence/internal/patch"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// quote matches a comment of a proof with the name of a Go file and declarations quoted from it. A quotation of lines
// inside a function has the name of the function, F or T.F, after the name of the file.
var quote = regexp.MustCompile(`(?s)\(\* (\S+\.go)(?: (\S+))?\n(.*?)\*\)`)

// declaration names a function, F or T.F, in a file, or a hypothesis in a proof.
type declaration struct{ file, name string }

// quotations checks the quotations in the text of a proof against the repository at root. They must be the declarations
// that a build for amd64 compiles, apart from comments and spaces. It adds the functions that are quoted as a whole.
func quotations(root, proof string, text []byte, quoted map[declaration]string) {
	amd64 := build.Default
	amd64.GOOS, amd64.GOARCH, amd64.BuildTags = "linux", "amd64", nil
	for _, q := range quote.FindAllSubmatch(text, -1) {
		file, inside, code := string(q[1]), string(q[2]), string(q[3])
		path := filepath.Join(root, file)
		if !must.Get(amd64.MatchFile(filepath.Split(path))) {
			must.Fail("%s.v quotes %s, which a build for amd64 leaves out", proof, file)
		}
		source := string(must.Get(os.ReadFile(path)))
		declared := must.Get(declarations(source))
		if inside != "" {
			if !strings.Contains(declared[inside], tokens(code)) {
				must.Fail("%s.v quotes code that is not in %s of %s: review its model\n%s", proof, inside, file, code)
			}
			continue
		}
		all, err := declarations("package p\n" + code)
		if err != nil { // lines of a block of constants
			all = must.Get(declarations("package p\nconst (\n" + code + ")"))
		}
		for name, text := range all {
			if declared[name] != text {
				must.Fail("%s.v does not quote %s as it is in %s: review its model\n%s", proof, name, file, code)
			}
			quoted[declaration{file, name}] = proof
		}
	}
}

// declarations returns the tokens of all functions, constants, variables and types that a file declares, by name.
func declarations(source string) (map[string]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	all := make(map[string]string)
	for _, d := range file.Decls {
		block, ok := d.(*ast.GenDecl)
		if !ok {
			all[declares(d)] = tokens(source[d.Pos()-1 : d.End()-1])
			continue
		}
		implicit := block.Tok == token.CONST && slices.ContainsFunc(block.Specs, func(s ast.Spec) bool { return s.(*ast.ValueSpec).Values == nil })
		for _, spec := range block.Specs {
			all[declares(spec)] = tokens(source[spec.Pos()-1 : spec.End()-1])
			if implicit { // values depend on the order
				all[declares(spec)] = tokens(source[d.Pos()-1 : d.End()-1])
			}
		}
	}
	return all, nil
}

// declares returns the name of a declaration outside functions: F or T.F for a function, and the first name of others.
func declares(n ast.Node) string {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return patch.Name(n)
	case *ast.ValueSpec:
		return n.Names[0].Name
	case *ast.TypeSpec:
		return n.Name.Name
	}
	return ""
}

// tokens returns the tokens of a source, without comments and with one space between any two of them. So two
// declarations have the same syntax tree if their tokens are equal.
func tokens(source string) string {
	file := token.NewFileSet().AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, []byte(source), nil, 0)
	var all strings.Builder
	for {
		switch _, t, text := s.Scan(); {
		case t == token.EOF:
			return all.String()
		case t == token.SEMICOLON:
			all.WriteString("; ")
		case text == "":
			all.WriteString(t.String() + " ")
		default:
			all.WriteString(text + " ")
		}
	}
}
