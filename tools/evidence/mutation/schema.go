package main

import (
	"fmt"
	"go/ast"
	"sort"
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
	return "package " + pkg + "\n\nvar mutationID uint\n\nvar mutationRecords bool\n\nfunc mutationReach(uint) {}\n\nfunc mutationValue[T any](from uint, value T, mutants ...T) T { return value }\n"
}

// newSchema returns the files that change, by path, in the schema of a package's mutants. The mutants are in the order
// of their units and get the identifiers from id on.
func newSchema(l *library, all []*mutant, id int) map[string]string {
	edits, copies := map[*source][]edit{}, map[*source]string{}
	for len(all) > 0 {
		u := all[0].unit
		u.first = id
		f := u.file
		from, to := f.offset(u.node().Pos()), f.offset(u.node().End())
		var cases, values strings.Builder
		for len(all) > 0 && all[0].unit == u {
			m := all[0]
			m.id = id
			if u.decl == nil {
				fmt.Fprintf(&values, ", /*line "+mutantFile+":1*/%s", id, apply(f.text, from, to, m.edits))
			} else {
				own := fmt.Sprintf("mutant%d_%s", id, u.decl.Name.Name)
				_, call := forward(f, u.decl)
				if u.decl.Type.Results == nil {
					fmt.Fprintf(&cases, " case %d: %s; return;", id, fmt.Sprintf(call, own))
				} else {
					fmt.Fprintf(&cases, " case %d: return %s;", id, fmt.Sprintf(call, own))
				}
				name := f.offset(u.decl.Name.Pos())
				renamed := append([]edit{{name, name + len(u.decl.Name.Name), own}}, m.edits...)
				copies[f] += fmt.Sprintf("\n//line "+mutantFile+":1\n%s\n", id, apply(f.text, from, to, renamed))
			}
			id++
			all = all[1:]
		}
		if u.decl == nil {
			// The value of a variable becomes a choice between several values.
			edits[f] = append(edits[f], edit{from, from, fmt.Sprintf("mutationValue(%d, ", u.first)}, edit{to, to, values.String() + ")"})
			continue
		}
		names, _ := forward(f, u.decl)
		body := f.offset(u.decl.Body.Lbrace) + 1
		edits[f] = append(append(edits[f], names...), edit{body, body, fmt.Sprintf(
			" if mutationRecords { mutationReach(%d) }; if mutationID-%[1]d < %d { switch mutationID {%s } }; ", u.first, id-u.first, &cases)})
	}
	texts := map[string]string{}
	for f, e := range edits {
		sort.SliceStable(e, func(i, j int) bool { return e[i].from < e[j].from })
		texts[f.path] = apply(f.text, 0, len(f.text), e) + copies[f]
	}
	return texts
}

// forward returns the edits that name all parameters of a function, and the format of a call that passes them to a copy
// with another name.
func forward(f *source, d *ast.FuncDecl) (names []edit, call string) {
	n := 0
	list := func(fields *ast.FieldList) (args []string) {
		if fields == nil {
			return nil
		}
		for _, field := range fields.List {
			dots := ""
			if _, ok := field.Type.(*ast.Ellipsis); ok {
				dots = "..."
			}
			if len(field.Names) == 0 {
				n++
				name := fmt.Sprintf("mutationArg%d", n)
				at := f.offset(field.Type.Pos())
				names = append(names, edit{at, at, name + " "})
				args = append(args, name+dots)
			}
			for _, id := range field.Names {
				name := id.Name
				if name == "_" {
					n++
					name = fmt.Sprintf("mutationArg%d", n)
					at := f.offset(id.Pos())
					names = append(names, edit{at, at + 1, name})
				}
				args = append(args, name+dots)
			}
		}
		return args
	}
	receiver := list(d.Recv)
	call = "%s(" + strings.Join(list(d.Type.Params), ", ") + ")"
	if len(receiver) > 0 {
		call = receiver[0] + "." + call
	}
	return names, call
}
