package main

import (
	"fmt"
	"go/ast"
	"sort"
	"strings"
)

// A schema is a package with many mutants in one program (R. Untch, J. Offutt,
// M. J. Harrold, "Mutation analysis using mutant schemata", 1993): a function
// has a copy for each of its mutants and begins by calling the one that an
// environment variable names. What is compiled of a mutant is the whole
// function, as if it alone were there.
type schema struct {
	texts map[string]string // of the files that change, by path
	spans map[string][]span // of their mutants, in order
}

// A span is the part of a file that belongs to a mutant.
type span struct {
	from, to int
	m        *mutant
}

const (
	switchVariable = "P256K1_MUTANT"
	recordVariable = "P256K1_MUTANT_RECORD"
	switchName     = "mutation_switch.go"
)

// switchFile returns the file that goes with a schema's.
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

// mutationRecords is whether the functions that are called, each by its first
// mutant, are written to a file.
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

// mutationValue returns the value of a variable, or that of the mutant from 0 on
// that runs.
func mutationValue[T any](from uint, value T, mutants ...T) T {
	if i := mutationID - from; i < uint(len(mutants)) {
		return mutants[i]
	}
	return value
}
`, pkg, switchVariable, recordVariable)
}

// switchStub is switchFile without imports, for the check of types.
func switchStub(pkg string) string {
	return "package " + pkg + "\n\nvar mutationID uint\n\nvar mutationRecords bool\n\nfunc mutationReach(uint) {}\n\nfunc mutationValue[T any](from uint, value T, mutants ...T) T { return value }\n"
}

// newSchema makes the schema of a package's mutants, except those of constants,
// with identifiers from id on.
func newSchema(l *library, all []*mutant, id int) *schema {
	s := &schema{texts: map[string]string{}, spans: map[string][]span{}}
	byUnit := map[*unit][]*mutant{}
	var units []*unit
	for _, m := range all {
		if m.unit.constant {
			continue
		}
		if byUnit[m.unit] == nil {
			units = append(units, m.unit)
		}
		byUnit[m.unit] = append(byUnit[m.unit], m)
	}
	for _, f := range l.files {
		var edits []edit
		var copies strings.Builder
		var appended []span // in copies
		var inserted []span // relative to an edit's text
		var insertedIn []int
		for _, u := range units {
			if u.file != f {
				continue
			}
			mutants := byUnit[u]
			if u.decl == nil {
				// A variable's value becomes one of several.
				from, to := f.offset(u.value.Pos()), f.offset(u.value.End())
				edits = append(edits, edit{from, from, fmt.Sprintf("mutationValue(%d, ", id)})
				var b strings.Builder
				for _, m := range mutants {
					b.WriteString(", ")
					at := b.Len()
					b.WriteString(apply(f.text, from, to, m.edits))
					inserted = append(inserted, span{at, b.Len(), m})
					insertedIn = append(insertedIn, len(edits))
					m.id = id
					id++
				}
				b.WriteString(")")
				edits = append(edits, edit{to, to, b.String()})
				continue
			}
			signature, call := forward(f, u.decl)
			edits = append(edits, signature...)
			body := f.offset(u.decl.Body.Lbrace) + 1
			var b strings.Builder
			fmt.Fprintf(&b, " if mutationRecords { mutationReach(%d) }; if mutationAt := mutationID - %d; mutationAt < %d { switch mutationAt {", id, id, len(mutants))
			u.first = id
			from, to := f.offset(u.decl.Pos()), f.offset(u.decl.End())
			name := f.offset(u.decl.Name.Pos())
			for i, m := range mutants {
				own := fmt.Sprintf("mutant%d_%s", id, u.decl.Name.Name)
				if u.decl.Type.Results == nil {
					fmt.Fprintf(&b, " case %d: %s; return;", i, fmt.Sprintf(call, own))
				} else {
					fmt.Fprintf(&b, " case %d: return %s;", i, fmt.Sprintf(call, own))
				}
				copies.WriteString("\n")
				at := copies.Len()
				renamed := append([]edit{{name, name + len(u.decl.Name.Name), own}}, m.edits...)
				copies.WriteString(apply(f.text, from, to, renamed))
				copies.WriteString("\n")
				appended = append(appended, span{at, copies.Len(), m})
				m.id = id
				id++
			}
			b.WriteString(" } }; ")
			edits = append(edits, edit{body, body, b.String()})
		}
		if len(edits) == 0 {
			continue
		}
		order := make([]int, len(edits))
		for i := range order {
			order[i] = i
		}
		sort.SliceStable(order, func(i, j int) bool { return edits[order[i]].from < edits[order[j]].from })
		// Where each edit's text comes to lie.
		place, grown := make([]int, len(edits)), 0
		sorted := make([]edit, len(edits))
		for i, j := range order {
			e := edits[j]
			sorted[i] = e
			place[j] = e.from + grown
			grown += len(e.text) - (e.to - e.from)
		}
		text := apply(f.text, 0, len(f.text), sorted)
		for i, sp := range inserted {
			at := place[insertedIn[i]]
			s.spans[f.path] = append(s.spans[f.path], span{at + sp.from, at + sp.to, sp.m})
		}
		for _, sp := range appended {
			s.spans[f.path] = append(s.spans[f.path], span{len(text) + sp.from, len(text) + sp.to, sp.m})
		}
		s.texts[f.path] = text + copies.String()
	}
	return s
}

// forward returns the edits that name all parameters of a function and the
// format of a call that hands them on to a copy of another name.
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

// mutantAt returns the mutant to which a place in a file belongs, nil for none.
func (s *schema) mutantAt(path string, offset int) *mutant {
	for _, sp := range s.spans[path] {
		if sp.from <= offset && offset < sp.to {
			return sp.m
		}
	}
	return nil
}
