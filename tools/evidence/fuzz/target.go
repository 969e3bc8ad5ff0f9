package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A fuzzed package has fuzz targets.
type fuzzed struct {
	Dir, ImportPath           string
	TestGoFiles, XTestGoFiles []string

	targets []string // names of functions
}

// find returns the packages which match the patterns and have targets, those for
// this platform and these build tags.
func find(ctx context.Context, patterns []string) ([]fuzzed, error) {
	args := append([]string{"list", "-json=Dir,ImportPath,TestGoFiles,XTestGoFiles", "--"}, patterns...)
	out, err := exec.CommandContext(ctx, "go", args...).Output()
	if err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			return nil, fmt.Errorf("go list: %s", bytes.TrimSpace(exit.Stderr))
		}
		return nil, err
	}
	var all []fuzzed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p fuzzed
		if err := d.Decode(&p); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		for _, name := range append(p.TestGoFiles, p.XTestGoFiles...) {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && isTarget(f) {
					p.targets = append(p.targets, f.Name.Name)
				}
			}
		}
		if len(p.targets) > 0 {
			all = append(all, p)
		}
	}
}

// isTarget tells whether the go command takes f for a fuzz target. It then sees
// to the parameter.
func isTarget(f *ast.FuncDecl) bool {
	rest, ok := strings.CutPrefix(f.Name.Name, "Fuzz")
	first, _ := utf8.DecodeRuneInString(rest)
	return ok && !unicode.IsLower(first) && f.Recv == nil
}

// build compiles the tests of a package to the file out, if guided with counters
// of what is executed, by which the fuzzer finds inputs that reach something new.
func (p *fuzzed) build(ctx context.Context, out string, guided bool) error {
	args := []string{"test", "-c", "-o", out}
	if guided {
		args = append(args, "-fuzz=.") // whatever that matches
	}
	text, err := exec.CommandContext(ctx, "go", append(args, p.ImportPath)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, bytes.TrimSpace(text))
	}
	return nil
}
