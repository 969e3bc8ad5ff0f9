// Command asm generates the assembly of the library with avo: run
// "go run ./tools/asm" in the root of the repository after a change here.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

// packages are those with assembly, and what emits it.
var packages = []struct {
	name string
	emit func() *emitter
}{
	{"field", field},
	{"group", group},
	{"scalar", scalar},
	{"ecmult", ecmult},
	{"modinv", modinv},
}

func main() {
	out := flag.String("o", "internal", "directory of the packages")
	flag.Parse()
	for _, p := range packages {
		if err := generate(p.emit(), filepath.Join(*out, p.name), p.name); err != nil {
			fmt.Fprintf(os.Stderr, "asm: package %s: %v\n", p.name, err)
			os.Exit(1)
		}
	}
}

// generate writes the assembly of a package and its declarations in Go.
func generate(e *emitter, dir, name string) error {
	file, err := e.Result()
	if err != nil {
		return err
	}
	if err := pass.Compile.Execute(file); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	config := printer.Config{Argv: []string{"go", "run", "./tools/asm"}, Pkg: name}
	for _, f := range []struct {
		suffix  string
		printer printer.Printer
		add     func([]byte) []byte
	}{
		{"_amd64.s", printer.NewGoAsm(config), e.appendAssembly},
		{"_amd64.go", printer.NewStubs(config), e.appendStubs},
	} {
		text, err := f.printer.Print(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name+f.suffix), f.add(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
