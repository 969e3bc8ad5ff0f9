// Package locals marks the local names in lines of code with numbers, so that a list of reviewed lines stays valid if
// names change. In
//
//	if d₃.IsZero() == 1 {
//
// d is the third name that its function declares. Names of the package, of imports, of fields and of methods have no
// number.
//
// A line of a list matches a line of code with the same names, even if the numbers differ because a name was added. It
// also matches a line with the same numbers, even if names have changed. Apart from names and numbers, the lines must
// be equal.
package locals

//lint:file-ignore SA1019 One function's names are resolved by syntax alone: go/types would need all that the package imports.

import (
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

// Locals are the local names of a function.
type Locals struct {
	numbers map[*ast.Object]int
	uses    []*ast.Ident
}

// Of returns the local names of a function: the names of its receiver, parameters and results, and the names that its
// body declares. The file must have been parsed without parser.SkipObjectResolution.
func Of(f *ast.FuncDecl) *Locals {
	l := &Locals{numbers: make(map[*ast.Object]int)}
	ast.Inspect(f, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || id.Name == "_" || id.Obj == nil || id.Obj.Decl == f || id.Obj.Pos() < f.Pos() || id.Obj.Pos() >= f.End() {
			return true
		}
		if l.numbers[id.Obj] == 0 {
			l.numbers[id.Obj] = len(l.numbers) + 1
		}
		l.uses = append(l.uses, id)
		return true
	})
	return l
}

// Resolve returns a marked text with the names that its variables have in the function: the names in the text if the
// function has them, or else the names with the same numbers.
func (l *Locals) Resolve(text string) (string, error) {
	names, known := make(map[string]string), make(map[string]bool) // by number
	for _, id := range l.uses {
		known[id.Name], names[subscripts(l.numbers[id.Obj])] = true, id.Name
	}
	var missing error
	text = marked.ReplaceAllStringFunc(text, func(name string) string {
		plain := Names(name)
		if known[plain] {
			return plain
		}
		now := names[strings.TrimPrefix(name, plain)]
		if now == "" {
			missing = fmt.Errorf("no local name is %s, or has its number", name)
		}
		return now
	})
	return text, missing
}

// Mark returns the text with numbers after the local names. The text is the part of the function between the positions
// from and to, or a changed copy of this part.
func (l *Locals) Mark(text string, from, to token.Pos) string {
	numbers := make(map[string]int)
	for _, id := range l.uses {
		if from <= id.Pos() && id.Pos() < to && numbers[id.Name] == 0 {
			numbers[id.Name] = l.numbers[id.Obj]
		}
	}
	var marked strings.Builder
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, []byte(text), func(token.Position, string) {}, 0) // a line need not be a whole statement
	done, selected := 0, false
	for {
		pos, kind, name := s.Scan()
		if kind == token.EOF {
			return marked.String() + text[done:]
		}
		if kind == token.IDENT && !selected && numbers[name] != 0 {
			end := file.Offset(pos) + len(name)
			marked.WriteString(text[done:end] + subscripts(numbers[name]))
			done = end
		}
		selected = kind == token.PERIOD
	}
}

var (
	subscript = strings.NewReplacer("0", "₀", "1", "₁", "2", "₂", "3", "₃", "4", "₄", "5", "₅", "6", "₆", "7", "₇", "8", "₈", "9", "₉")
	mark      = regexp.MustCompile(`[₀-₉]+`)
	marked    = regexp.MustCompile(`[\pL_][\pL_\d]*([₀-₉]+)`)
)

func subscripts(n int) string { return subscript.Replace(strconv.Itoa(n)) }

// Names returns a marked line without the numbers.
func Names(line string) string { return mark.ReplaceAllString(line, "") }

// Numbers returns a marked line with numbers in place of the marked names.
func Numbers(line string) string { return marked.ReplaceAllString(line, "$1") }
