// Command generator generates the assembly of the library. For x86-64 it uses avo. Run "go run ./tools/generator" in
// the root of the repository after a change of the generator or of the point formulas, internal/group/formulas.go.
// Package formula reads the formulas, and its comment says why they are Go functions.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"

	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/tools/generator/formula"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// assembly is a package with assembly, and the functions that emit it.
type assembly struct {
	name  string
	amd64 func(*emitter)
	arm64 func(*arm64) // nil if there is no assembly for ARM64
	asks  bool         // whether Go code also reads useBroadwell, on all platforms
}

// packages returns the packages with assembly, given the package with the point formulas.
func packages(points *formula.Source) []assembly {
	return []assembly{
		{"field", func(e *emitter) { field(e) }, func(e *arm64) { mul(e); squareN(e) }, false},
		{"group", func(e *emitter) { group(e, points) }, func(e *arm64) { group(e, points) }, false},
		{"scalar", scalar, nil, false},
		{"lanes", func(e *emitter) { lanesPackage(e, points) }, nil, false},
		{"ecmult", ecmult, lookupARM64, false},
		{"modinv", modinv, batchARM64, true},
	}
}

func main() { must.Main("generator", execute) }

func execute(context.Context) error {
	out := flag.String("o", "internal", "directory of the packages")
	list := flag.Bool("steps", false, "print the steps of the point formulas and generate nothing")
	rocq := flag.Bool("rocq", false, "print the point formulas as definitions of Rocq, for tools/evidence/grouplaw, and generate nothing")
	table := flag.Bool("table", false, "print which code runs on which processor, for docs/performance.md, and generate nothing")
	directory := flag.String("formulas", "internal/group", "directory of the point formulas")
	flag.Parse()
	if *table {
		fmt.Print(markdown())
		return nil
	}
	switch points := must.Get(formula.Read(os.DirFS(*directory))); {
	case *list:
		for _, name := range points.Routines() {
			f := formulaOf(points, name)
			fmt.Printf("%s%s\n%s\n", f.Name, strings.TrimPrefix(f.Signature(), "func"), f)
		}
	case *rocq:
		fmt.Print(definitions(points))
	default:
		for name, text := range must.Get(generate(points, platform.Routines)) {
			path := filepath.Join(*out, name)
			must.Do(os.MkdirAll(filepath.Dir(path), 0o755))
			must.Do(os.WriteFile(path, text, 0o644))
		}
	}
	return nil
}

// generate returns the assembly of all packages, and the Go files that declare or replace it, by path.
func generate(points *formula.Source, table []platform.Routine) (map[string][]byte, error) {
	files := map[string][]byte{}
	emitted := map[string]bool{}
	for _, p := range packages(points) {
		emitted[p.name] = true
		if err := must.Catch(func() { p.addFiles(files, table) }); err != nil {
			return nil, fmt.Errorf("package %s: %w", p.name, err)
		}
	}
	for _, r := range table {
		if !emitted[r.Package] {
			return nil, fmt.Errorf("package %s is in the table, but nothing emits it", r.Package)
		}
	}
	return files, nil
}

// addFiles adds the files of a package: assembly and declarations for each processor that has assembly, and Go code for
// all other processors.
func (p assembly) addFiles(files map[string][]byte, table []platform.Routine) {
	text, e := p.assembleAMD64(table)
	path := p.name + "/" + p.name
	emitted := map[string]declarations{"amd64": e}
	files[path+"_amd64.s"] = e.withBanners(text, table, p.name)
	if p.arm64 != nil {
		e := &arm64{}
		p.arm64(e)
		emitted["arm64"] = e.declarations
		files[path+"_arm64.s"] = e.withBanners(e.assembly(), table, p.name)
	}
	must.Get(newDispatch(p, table, emitted)).addFiles(files, path)
}

// assembleAMD64 returns the assembly of a package for x86-64.
func (p assembly) assembleAMD64(table []platform.Routine) ([]byte, declarations) {
	e := newEmitter(p.name)
	e.ConstraintExpr("!purego")
	p.amd64(e)
	file := must.Get(e.Result())
	must.Do(pass.Compile.Execute(file))
	config := printer.Config{Argv: []string{"go", "run", "./tools/generator"}, Pkg: p.name}
	return e.appendAssembly(must.Get(printer.NewGoAsm(config).Print(file)), table), e.declarations
}

// definitions returns the point formulas for Rocq. Each formula is defined as in the Go code, with one let for each
// call, and again in the form of package lanes if its coordinates are scaled in lanes.
func definitions(points *formula.Source) string {
	var b strings.Builder
	b.WriteString(`(* Made from internal/group/formulas.go by "go run ./tools/generator -rocq". *)
Require Import Base.
Section Formulas.
Variable K : field.
Local Notation "0" := (zero K).
Local Notation "1" := (one K).
Local Infix "+" := (add K).
Local Infix "*" := (mul K).
Local Infix "-" := (sub K).
Local Infix "/" := (div K).
Local Notation "- x" := (opp K x).
`)
	print := func(function, name string, m formula.Machine) {
		b.WriteString("\n" + must.Get(points.Formula(function, m)).Rocq(points, name))
	}
	for _, name := range points.In("formulas.go") {
		print(name, strings.TrimSuffix(name, "Generic"), formula.Machine{Fits: func([]formula.Term) bool { return false }})
	}
	for _, r := range pointsInLanes {
		if r.double != "" && r.copies == 0 {
			print(r.formula, "lanes_"+r.name, r.machine())
		}
	}
	b.WriteString("\nEnd Formulas.\n")
	return b.String()
}
