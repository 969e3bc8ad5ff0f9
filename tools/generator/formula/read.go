package formula

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

// twin is the suffix of the names of functions that become routines.
const twin = "Generic"

// A Source is a package with formulas.
type Source struct {
	files  *token.FileSet
	fields map[string][]string      // the names of coordinates, by type
	funcs  map[string]*ast.FuncDecl // functions by name, and methods by type, dot and name
	names  []string                 // the names in funcs, in order
}

// Read parses the package in the root directory of files.
func Read(files fs.FS) (_ *Source, err error) {
	defer must.Recover(&err)
	s := &Source{files: token.NewFileSet(), fields: map[string][]string{}, funcs: map[string]*ast.FuncDecl{}}
	for _, name := range must.Get(fs.Glob(files, "*.go")) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text := must.Get(fs.ReadFile(files, name))
		file := must.Get(parser.ParseFile(s.files, name, text, parser.ParseComments|parser.SkipObjectResolution))
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				name := n.Name.Name
				if n.Recv != nil {
					name = typeName(n.Recv.List[0].Type) + "." + name
				}
				if n.Body != nil {
					s.funcs[name], s.names = n, append(s.names, name)
				}
				return false
			case *ast.TypeSpec:
				t, _ := n.Type.(*ast.StructType)
				if t != nil {
					for _, p := range params(t.Fields) {
						s.fields[n.Name.Name] = append(s.fields[n.Name.Name], p.Name)
					}
				}
			}
			return true
		})
	}
	return s, nil
}

// Routines returns the names of the functions that become routines, in order.
func (s *Source) Routines() []string {
	return slices.DeleteFunc(slices.Clone(s.names), func(name string) bool { return !strings.HasSuffix(name, twin) })
}

// typeName returns the name of a type, or of the type that a pointer points to, without its package.
func typeName(e ast.Expr) string {
	name := strings.TrimPrefix(types.ExprString(e), "*")
	return name[strings.LastIndex(name, ".")+1:]
}

// params returns the names and types in lists of fields or parameters.
func params(lists ...*ast.FieldList) (params []Param) {
	for _, list := range lists {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			for _, n := range f.Names {
				params = append(params, Param{Name: n.Name, Type: typeName(f.Type)})
			}
		}
	}
	return params
}

// An object is a variable of a function: an element or a point, or a count, which has no cells.
type object struct {
	kind  string
	cells []*cell
}

// A cell holds the current value of an element.
type cell struct {
	name  string
	value *Value // nil before the cell is set
	place *Place // nil if the cell is not at a parameter of the routine
}

// reader reads one formula.
type reader struct {
	*Source
	Machine
	routine *ast.FuncDecl
	repeat  *Repeat
}

func (r *reader) fail(n ast.Node, format string, args ...any) {
	must.Fail("%s: %s", r.files.Position(n.Pos()), fmt.Sprintf(format, args...))
}

// Formula returns a function as a formula for a machine.
func (s *Source) Formula(name string, m Machine) (f *Formula, err error) {
	defer must.Recover(&err)
	decl := s.funcs[name]
	if decl == nil {
		return nil, fmt.Errorf("no function %s", name)
	}
	r := &reader{Source: s, Machine: m, routine: decl}
	f = &Formula{Name: strings.TrimSuffix(decl.Name.Name, twin)}
	doc, _, _ := strings.Cut(strings.Join(strings.Fields(decl.Doc.Text()), " "), ". ")
	f.Doc = strings.TrimSuffix(strings.Replace(doc, decl.Name.Name, f.Name, 1), ".") + "."
	var args []object
	for _, p := range params(decl.Recv, decl.Type.Params) {
		o := r.variable(p)
		if p.Elements = len(o.cells); p.Elements > 0 {
			p.Type = "*" + p.Type
		}
		for i, c := range o.cells {
			c.place = &Place{p, i}
			c.value = &Value{Name: c.name, Place: c.place}
		}
		f.Params, args = append(f.Params, p), append(args, o)
	}
	steps := r.body(decl, args)
	f.Repeat = r.repeat
	last := map[*Value]bool{} // the values that no later value overwrites
	for _, o := range args {
		for _, c := range o.cells {
			if last[c.value] = true; c.value.Place != c.place {
				r.fail(decl, "%s is a copy", c.name)
			}
		}
	}
	for _, v := range steps {
		if !last[v] {
			v.Place = nil
		}
	}
	f.Steps = fuse(steps, m.Fits)
	for i, v := range f.Steps {
		for _, w := range f.Steps[:i] {
			for _, a := range v.Operands() {
				if a.Terms == nil && w.Place == a.Place {
					r.fail(decl, "%s needs the value that %s had before it was set", v.Name, a.Name)
				}
			}
		}
	}
	names := map[string]bool{}
	for v := range last {
		names[v.Name] = true
	}
	for _, v := range f.Steps {
		for !last[v] && names[v.Name] {
			v.Name += "′"
		}
		names[v.Name] = true
	}
	return f, nil
}

// variable returns a new object for a variable of the given type.
func (r *reader) variable(p Param) object {
	o := object{kind: p.Type}
	if p.Type == "Element" {
		o.cells = []*cell{{name: p.Name}}
		return o
	}
	for _, f := range r.fields[p.Type] {
		o.cells = append(o.cells, &cell{name: p.Name + "." + f})
	}
	return o
}

// body returns the steps of a function called with the given arguments.
func (r *reader) body(decl *ast.FuncDecl, args []object) (steps []*Value) {
	scope := map[string]object{}
	for i, p := range params(decl.Recv, decl.Type.Params) {
		if i >= len(args) || args[i].kind != p.Type {
			r.fail(decl, "called with arguments of other types")
		}
		scope[p.Name] = args[i]
	}
	scale := r.scaling(scope, decl)
	statements := r.repeated(decl)
	called := -1 // index of the first step of the formula that the previous statement calls
	for _, stmt := range statements {
		begin := -1
		switch stmt := stmt.(type) {
		case *ast.DeclStmt:
			for _, spec := range stmt.Decl.(*ast.GenDecl).Specs {
				v, ok := spec.(*ast.ValueSpec)
				if !ok || len(v.Values) > 0 {
					r.fail(stmt, "not a declaration of elements or points")
				}
				for _, n := range v.Names {
					scope[n.Name] = r.variable(Param{Name: n.Name, Type: typeName(v.Type)})
				}
			}
		case *ast.ExprStmt:
			more, set := r.call(scope, stmt.X)
			if set.cells == nil {
				begin = len(steps)
				if called >= 0 {
					begin = called
				}
				more = merge(steps[begin:], more)
				steps = steps[:begin]
			}
			steps = append(steps, more...)
		default:
			r.fail(stmt, "not straight-line")
		}
		called = begin
	}
	scale(steps)
	return steps
}

var repetition = regexp.MustCompile(
	`^\{\n\t(\w+)\((\w+), (\w+)\)\n\tfor range (\w+) - 1 \{\n\t\t(\w+)\((\w+), (\w+)\)\n\t\}\n\}$`)

// repeated returns the statements of a function. If the routine repeats a call, only the first statement is returned.
func (r *reader) repeated(decl *ast.FuncDecl) []ast.Stmt {
	if decl != r.routine {
		return decl.Body.List
	}
	var text bytes.Buffer
	if err := format.Node(&text, r.files, decl.Body); err != nil {
		r.fail(decl, "%v", err)
	}
	if m := repetition.FindStringSubmatch(text.String()); m != nil && m[5] == m[1] && m[6] == m[2] && m[7] == m[2] {
		r.repeat = &Repeat{Count: m[4], Input: m[3], Output: m[2]}
		return decl.Body.List[:1]
	}
	return decl.Body.List
}

// call returns the steps of a call and, if the called function is a method of elements, the receiver.
func (r *reader) call(scope map[string]object, e ast.Expr) (steps []*Value, set object) {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return nil, r.object(scope, e)
	}
	var args []object
	var name string
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		name = fun.Name
	case *ast.SelectorExpr:
		steps, set = r.call(scope, fun.X)
		name = fun.Sel.Name
		if set.kind == "Element" {
			return append(steps, r.method(scope, set.cells[0], name, call)...), set
		}
		name, args = set.kind+"."+name, []object{set}
	}
	if r.funcs[name] == nil {
		r.fail(call, "no formula %s", name)
	}
	for _, a := range call.Args {
		args = append(args, r.object(scope, a))
	}
	return r.body(r.funcs[name], args), object{}
}

// object returns the object that e denotes or points to.
func (r *reader) object(scope map[string]object, e ast.Expr) object {
	switch e := e.(type) {
	case *ast.Ident:
		o, ok := scope[e.Name]
		if ok {
			return o
		}
	case *ast.UnaryExpr:
		return r.object(scope, e.X)
	case *ast.SelectorExpr:
		o := r.object(scope, e.X)
		i := slices.Index(r.fields[o.kind], e.Sel.Name)
		if i >= 0 && i < len(o.cells) {
			return object{"Element", o.cells[i : i+1]}
		}
	}
	r.fail(e, "neither a point nor an element")
	panic("unreachable")
}

// method returns the step for a call of a method of elements.
func (r *reader) method(scope map[string]object, c *cell, name string, call *ast.CallExpr) []*Value {
	operand := func(i int) *Value {
		o := r.object(scope, call.Args[i])
		if o.kind != "Element" || o.cells[0].value == nil {
			r.fail(call.Args[i], "not an element, or not set before")
		}
		return o.cells[0].value
	}
	v := &Value{Name: c.name, Place: c.place}
	switch name {
	case "Set":
		c.value = operand(0)
		return nil
	case "Mul":
		v.Terms = []Term{{one, operand(0), operand(1)}}
	case "Square":
		v.Terms = []Term{{one, operand(0), operand(0)}}
	default:
		if sums[name] == nil {
			r.fail(call, "no method %s for formulas", name)
		}
		for i, coefficient := range sums[name] {
			v.Terms = append(v.Terms, Term{coefficient, operand(i), nil})
		}
	}
	c.value = v
	return []*Value{v}
}

var one, minusOne = big.NewRat(1, 1), big.NewRat(-1, 1)

// sums has the methods that compute sums, with the coefficients of their arguments.
var sums = map[string][]*big.Rat{
	"Add": {one, one}, "Sub": {one, minusOne}, "Negate": {minusOne}, "Half": {big.NewRat(1, 2)},
}
