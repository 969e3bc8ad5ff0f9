package main

import (
	"fmt"
	"go/ast"
	"path/filepath"
	"slices"
	"strings"
)

// A schema is a package with many mutants in one program (R. Untch, J. Offutt, M. J. Harrold, "Mutation analysis using
// mutant schemata", 1993): a function has a copy for each of its mutants, and begins by calling the copy that an
// environment variable selects. The copy is the whole function with one change, compiled as if it were the only mutant.

const (
	switchVariable = "P256K1_MUTANT"
	recordVariable = "P256K1_MUTANT_RECORD"
	switchName     = "mutation_switch.go"
	mutantFile     = "mutant%d" // the file name of the compiler's errors in a mutant, set by line directives
)

// switchFile returns the text of the file that a schema adds to its package.
func switchFile(pkg string) string {
	return fmt.Sprintf(`package %s

import (
	"os"
	"strconv"
	"sync"
)

// mutationID is the mutant that runs, 0 for none.
var mutationID = func() uint {
	n, _ := strconv.Atoi(os.Getenv(%q))
	return uint(n)
}()

// If mutationRecords is true, the program writes to the file mutationRecord which functions it calls. The number of its
// first mutant stands for each function.
var (
	mutationRecord  = os.Getenv(%q)
	mutationRecords = mutationRecord != ""
	mutationReached sync.Map
)

func mutationReach(first uint) {
	if _, known := mutationReached.LoadOrStore(first, true); known {
		return
	}
	f, err := os.OpenFile(mutationRecord, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err == nil {
		_, err = f.WriteString(strconv.Itoa(int(first)) + "\n")
		f.Close()
	}
	if err != nil {
		panic(err)
	}
}

// mutationValue returns the value of a variable, or the value of the mutant that runs, counted from 0.
func mutationValue[T any](from uint, value T, mutants ...T) T {
	if i := mutationID - from; i < uint(len(mutants)) {
		return mutants[i]
	}
	return value
}
`, pkg, switchVariable, recordVariable)
}

// switchStub returns the declarations of switchFile without imports, for type checking.
func switchStub(pkg string) string {
	return "package " + pkg + `

var (
	mutationID      uint
	mutationRecords bool
)

func mutationReach(uint) {}

func mutationValue[T any](from uint, value T, mutants ...T) T { return value }
`
}

// newSchema returns the files of the schema of a package's mutants, by path: the changed and unchanged files of the
// package, and the file of the switch with the given text. The mutants are in the order of their units and get the
// identifiers from id on.
func newSchema(l *library, all []*mutant, id int, switchText string) map[string]string {
	edits, copies := map[*source][]edit{}, map[*source]string{}
	for len(all) > 0 {
		u := all[0].unit
		u.first = id
		f := u.file
		from, to := f.span(u.node)
		var cases, values strings.Builder
		for ; len(all) > 0 && all[0].unit == u; all = all[1:] {
			m := all[0]
			m.id = id
			if u.decl == nil {
				fmt.Fprintf(&values, ", /*line "+mutantFile+":1*/%s", id, apply(f.text, from, to, m.edits))
			} else {
				name := fmt.Sprintf("mutant%d_%s", id, u.decl.Name.Name)
				_, call := forward(f, u.decl)
				format := " case %d: return %s;"
				if u.decl.Type.Results == nil {
					format = " case %d: %s; return;"
				}
				fmt.Fprintf(&cases, format, id, fmt.Sprintf(call, name))
				start, end := f.span(u.decl.Name)
				renamed := append([]edit{{start, end, name}}, m.edits...)
				copies[f] += fmt.Sprintf("\n//line "+mutantFile+":1\n%s\n", id, apply(f.text, from, to, renamed))
			}
			id++
		}
		if u.decl == nil {
			// The value of a variable becomes a choice between several values.
			choice := fmt.Sprintf("mutationValue(%d, ", u.first)
			edits[f] = append(edits[f], edit{from, from, choice}, edit{to, to, values.String() + ")"})
			continue
		}
		names, _ := forward(f, u.decl)
		body, _ := f.span(u.decl.Body)
		edits[f] = append(append(edits[f], names...), edit{body + 1, body + 1, fmt.Sprintf(
			" if mutationRecords { mutationReach(%d) }; if mutationID-%[1]d < %d { switch mutationID {%s } }; ",
			u.first, id-u.first, &cases)})
	}
	texts := map[string]string{filepath.Join(l.Dir, switchName): switchText}
	for _, f := range l.files {
		slices.SortStableFunc(edits[f], func(a, b edit) int { return a.from - b.from })
		texts[f.file.Name()] = apply(f.text, 0, len(f.text), edits[f]) + copies[f]
	}
	return texts
}

// forward returns the edits that name all parameters of a function, and the format of a call that passes them to a copy
// with another name.
func forward(f *source, d *ast.FuncDecl) (names []edit, call string) {
	list := func(fields []*ast.Field) (args []string) {
		for _, field := range fields {
			dots := ""
			if _, ok := field.Type.(*ast.Ellipsis); ok {
				dots = "..."
			}
			parameters := field.Names
			if len(parameters) == 0 {
				parameters = []*ast.Ident{{NamePos: field.Type.Pos()}}
			}
			for _, id := range parameters {
				name := id.Name
				if name == "" || name == "_" {
					name = fmt.Sprintf("mutationArg%d", len(names)+1)
					from, to := f.span(id)
					names = append(names, edit{from, to, name + " "})
				}
				args = append(args, name+dots)
			}
		}
		return args
	}
	receiver := ""
	if d.Recv != nil {
		receiver = list(d.Recv.List)[0] + "."
	}
	return names, receiver + "%s(" + strings.Join(list(d.Type.Params.List), ", ") + ")"
}
