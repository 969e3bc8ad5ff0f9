// Command generator makes the assembly of the library, with avo for x86-64. Run "go run
// ./generator" in the root of the repository after a change here or in the formulas of
// points, internal/group/formulas.go. Package formula reads these, and says why they
// are functions of Go.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"

	"p256k1.mleku.dev/generator/formula"
)

// assembly is a package with assembly, and what emits it.
type assembly struct {
	name  string
	amd64 func(*emitter)
	arm64 func(*arm64) // nil if there is none
	i386  func(*i386)  // nil if there is none
}

// packages are those with assembly, given the one with the formulas of points.
func packages(points *formula.Source) []assembly {
	return []assembly{
		{"field", func(e *emitter) { field(e) }, fieldARM64, fieldI386},
		{"group", func(e *emitter) { group(e, points) }, func(e *arm64) { group(e, points) }, nil},
		{"scalar", scalar, nil, nil},
		{"ecmult", ecmult, lookupARM64, lookupI386},
		{"modinv", modinv, batchARM64, nil},
	}
}

func main() {
	out := flag.String("o", "internal", "directory of the packages")
	list := flag.Bool("steps", false, "print the steps of the formulas of points instead")
	from := flag.String("formulas", "internal/group", "directory of the formulas of points")
	flag.Parse()
	points, err := formula.Read(os.DirFS(*from))
	if err != nil {
		fmt.Fprintf(os.Stderr, "asm: %v\n", err)
		os.Exit(1)
	}
	if *list {
		for _, name := range points.Routines() {
			f := formulaOf(points, name)
			fmt.Printf("%s%s\n%s\n", f.Name, strings.TrimPrefix(f.Signature(), "func"), f)
		}
		return
	}
	if err := generate(points, *out); err != nil {
		fmt.Fprintf(os.Stderr, "asm: %v\n", err)
		os.Exit(1)
	}
}

// generate writes the assembly of all packages to directories of their names.
func generate(points *formula.Source, out string) error {
	for _, p := range packages(points) {
		files, err := generateAMD64(p.name, p.amd64)
		if err == nil && p.arm64 != nil {
			e := &arm64{source: source{pkg: p.name}}
			p.arm64(e)
			files["_arm64.s"], files["_arm64.go"] = e.files()
		}
		if err == nil && p.i386 != nil {
			e := &i386{source{pkg: p.name, constraint: " && 386.sse2"}}
			p.i386(e)
			files["_386.s"], files["_386.go"] = e.files()
		}
		if err == nil {
			err = write(files, filepath.Join(out, p.name), p.name)
		}
		if err != nil {
			return fmt.Errorf("package %s: %w", p.name, err)
		}
	}
	return nil
}

// generateAMD64 returns the assembly of a package and its declarations in Go, by
// the ends of their names.
func generateAMD64(name string, emit func(*emitter)) (map[string][]byte, error) {
	e := newEmitter(name)
	emit(e)
	file, err := e.Result()
	if err != nil {
		return nil, err
	}
	if err := pass.Compile.Execute(file); err != nil {
		return nil, err
	}
	config := printer.Config{Argv: []string{"go", "run", "./generator"}, Pkg: name}
	text, err := printer.NewGoAsm(config).Print(file)
	if err != nil {
		return nil, err
	}
	stubs, err := printer.NewStubs(config).Print(file)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{"_amd64.s": e.appendAssembly(text), "_amd64.go": e.appendStubs(stubs)}, nil
}

func write(files map[string][]byte, dir, name string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for end, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name+end), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
