package formula

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// twin ends the names of functions that are the routines' twins in Go.
const twin = "Generic"

// A Source is a package with formulas.
type Source struct {
	files  *token.FileSet
	points map[string][]string      // the names of coordinates, by the names of types
	funcs  map[string]*ast.FuncDecl // by their names, those of methods after the type and a dot
}

// Read reads the package in the root of files.
func Read(files fs.FS) (*Source, error) {
	names, err := fs.Glob(files, "*.go")
	if err != nil {
		return nil, err
	}
	s := &Source{token.NewFileSet(), map[string][]string{}, map[string]*ast.FuncDecl{}}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(s.files, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			s.declare(d)
		}
	}
	return s, nil
}

func (s *Source) declare(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil {
			name = typeName(d.Recv.List[0].Type) + "." + name
		}
		if d.Body != nil {
			s.funcs[name] = d
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			t, ok := spec.(*ast.TypeSpec)
			if !ok {
				continue
			}
			if st, ok := t.Type.(*ast.StructType); ok {
				for _, f := range st.Fields.List {
					for _, n := range f.Names {
						s.points[t.Name.Name] = append(s.points[t.Name.Name], n.Name)
					}
				}
			}
		}
	}
}

// Routines returns the names of the functions that are routines' twins, in the
// order of the source.
func (s *Source) Routines() (names []string) {
	for name := range s.funcs {
		if strings.HasSuffix(name, twin) {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return int(s.funcs[a].Pos() - s.funcs[b].Pos()) })
	return names
}

// typeName is the name of a type or of what a pointer points to, without package.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// An object is a variable of a function: an element or the coordinates of a point.
type object struct {
	kind  string
	cells []*cell
}

// A cell holds what an element is at the moment.
type cell struct {
	name  string
	value *Value // nil before it is set
	place *Place // nil for a variable of a function
}

// reader reads one formula.
type reader struct {
	*Source
	machine Machine
	repeat  *Repeat
}

// failure is a panic of a reader.
type failure struct{ error }

func (r *reader) fail(n ast.Node, format string, args ...any) {
	panic(failure{fmt.Errorf("%s: %s", r.files.Position(n.Pos()), fmt.Sprintf(format, args...))})
}

// Formula returns the formula of that function for a machine.
func (s *Source) Formula(name string, m Machine) (f *Formula, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case failure:
			err = p.error
		default:
			panic(p)
		}
	}()
	decl := s.funcs[name]
	if decl == nil {
		return nil, fmt.Errorf("no function %s", name)
	}
	r := &reader{Source: s, machine: m}
	f = &Formula{Name: strings.TrimSuffix(decl.Name.Name, twin)}
	doc, _, _ := strings.Cut(strings.Join(strings.Fields(decl.Doc.Text()), " ")+" ", ". ")
	f.Doc = strings.Replace(doc, decl.Name.Name, f.Name, 1) + "."
	var args []object
	for _, p := range r.params(decl) {
		o := r.variable(p.Name, p.Type)
		if p.Elements = len(o.cells); p.Elements > 0 {
			p.Type = "*" + p.Type
		}
		f.Params = append(f.Params, p)
		for i, c := range o.cells {
			c.place = &Place{p, i}
			c.value = &Value{Name: c.name, Place: c.place}
		}
		args = append(args, o)
	}
	f.Steps = r.body(decl, args)
	f.Repeat = r.repeat
	for _, o := range args {
		for _, c := range o.cells {
			if c.value.Place != nil && c.value.Place != c.place {
				r.fail(decl, "%s is a copy of %s", c.name, c.value.Name)
			}
			c.value.Place = c.place
		}
	}
	f.Steps = fuse(f.Steps, m.Fits)
	return f, nil
}

// params are the receiver and the parameters of a function.
func (r *reader) params(decl *ast.FuncDecl) (params []Param) {
	fields := decl.Type.Params.List
	if decl.Recv != nil {
		fields = append(slices.Clone(decl.Recv.List), fields...)
	}
	for _, f := range fields {
		for _, n := range f.Names {
			params = append(params, Param{Name: n.Name, Type: typeName(f.Type)})
		}
	}
	return params
}

// variable returns an object of that type.
func (r *reader) variable(name, kind string) object {
	o := object{kind: kind}
	if kind == "Element" {
		o.cells = []*cell{{name: name}}
		return o
	}
	for _, coordinate := range r.points[kind] {
		o.cells = append(o.cells, &cell{name: name + "." + coordinate})
	}
	return o
}

// body returns the steps of a function for arguments.
func (r *reader) body(decl *ast.FuncDecl, args []object) (steps []*Value) {
	scope := map[string]object{}
	for i, p := range r.params(decl) {
		if args[i].kind != p.Type {
			r.fail(decl, "%s is of type %s, not %s", p.Name, p.Type, args[i].kind)
		}
		scope[p.Name] = args[i]
	}
	before := map[*cell]*Value{}
	for _, o := range args {
		for _, c := range o.cells {
			before[c] = c.value
		}
	}
	called := -1 // where the steps of the statement before begin, if that calls a formula
	for i, stmt := range decl.Body.List {
		switch stmt := stmt.(type) {
		case *ast.DeclStmt:
			for _, spec := range stmt.Decl.(*ast.GenDecl).Specs {
				v, ok := spec.(*ast.ValueSpec)
				if !ok || len(v.Values) > 0 {
					r.fail(stmt, "not a declaration of elements or points")
				}
				for _, n := range v.Names {
					scope[n.Name] = r.variable(n.Name, typeName(v.Type))
				}
			}
			called = -1
			continue
		case *ast.ExprStmt:
			call, ok := stmt.X.(*ast.CallExpr)
			if !ok {
				r.fail(stmt, "not a call")
			}
			more, _, isFormula := r.call(scope, call)
			begin := len(steps)
			if isFormula && called >= 0 {
				begin = called
				more = merge(steps[called:], more)
			}
			if steps = append(steps[:begin], more...); !isFormula {
				begin = -1
			}
			called = begin
			continue
		case *ast.RangeStmt:
			if i == len(decl.Body.List)-1 && i == 1 && r.repeats(decl.Body.List[0], stmt) {
				continue
			}
		}
		r.fail(stmt, "not straight-line")
	}
	if powers := r.machine.Scale[decl.Name.Name]; powers != nil {
		r.scale(decl, steps, args, before, powers)
	}
	return steps
}

// repeats takes "f(p, a)" and "for range n - 1 { f(p, p) }".
func (r *reader) repeats(first ast.Stmt, loop *ast.RangeStmt) bool {
	var names [2][]string
	var body ast.Stmt
	if len(loop.Body.List) == 1 {
		body = loop.Body.List[0]
	}
	for i, stmt := range []ast.Stmt{first, body} {
		s, _ := stmt.(*ast.ExprStmt)
		if s == nil {
			return false
		}
		c, _ := s.X.(*ast.CallExpr)
		if c == nil {
			return false
		}
		for _, e := range append([]ast.Expr{c.Fun}, c.Args...) {
			names[i] = append(names[i], typeName(e))
		}
	}
	count, ok := loop.X.(*ast.BinaryExpr)
	if !ok || count.Op != token.SUB || len(names[0]) != 3 || !slices.Equal(names[1], []string{names[0][0], names[0][1], names[0][1]}) {
		return false
	}
	if one, ok := count.Y.(*ast.BasicLit); !ok || one.Value != "1" {
		return false
	}
	r.repeat = &Repeat{typeName(count.X), names[0][2], names[0][1]}
	return true
}

// call returns the steps of a call, the object that it sets if it is of a method of
// elements, and whether it is of a formula instead.
func (r *reader) call(scope map[string]object, call *ast.CallExpr) (steps []*Value, set object, isFormula bool) {
	var args []object
	var name string
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		name = fun.Name
	case *ast.SelectorExpr:
		var receiver object
		if chain, ok := fun.X.(*ast.CallExpr); ok {
			steps, receiver, _ = r.call(scope, chain)
		} else {
			receiver = r.object(scope, fun.X)
		}
		if name = receiver.kind + "." + fun.Sel.Name; receiver.kind == "Element" && methods[fun.Sel.Name] {
			return append(steps, r.method(scope, receiver.cells[0], fun.Sel.Name, call)...), receiver, false
		}
		args = append(args, receiver)
	}
	decl := r.funcs[name]
	if decl == nil {
		r.fail(call, "no formula %s", name)
	}
	for _, a := range call.Args {
		if id, ok := a.(*ast.Ident); ok && len(scope[id.Name].cells) == 0 {
			r.fail(a, "%s is neither a point nor an element", id.Name)
		}
		args = append(args, r.object(scope, a))
	}
	if len(args) != len(r.params(decl)) {
		r.fail(call, "%d arguments", len(args))
	}
	return append(steps, r.body(decl, args)...), object{}, true
}

// object is what an expression denotes or points to.
func (r *reader) object(scope map[string]object, e ast.Expr) object {
	switch e := e.(type) {
	case *ast.Ident:
		if o, ok := scope[e.Name]; ok {
			return o
		}
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return r.object(scope, e.X)
		}
	case *ast.SelectorExpr:
		o := r.object(scope, e.X)
		if i := slices.Index(r.points[o.kind], e.Sel.Name); i >= 0 {
			return object{"Element", o.cells[i : i+1]}
		}
	}
	r.fail(e, "neither a point nor an element")
	panic("unreachable")
}

// methods are those of elements that formulas are made of.
var methods = map[string]bool{"Set": true, "Add": true, "Sub": true, "Negate": true, "Half": true, "Mul": true, "Square": true, "SquareN": true}

// method returns the step of a call of a method.
func (r *reader) method(scope map[string]object, c *cell, name string, call *ast.CallExpr) []*Value {
	operand := func(i int) *Value {
		o := r.object(scope, call.Args[i])
		if o.kind != "Element" || o.cells[0].value == nil {
			r.fail(call.Args[i], "no element, or not set before")
		}
		return o.cells[0].value
	}
	times := func(a, b int64, terms ...*Value) Term {
		t := Term{Coefficient: big.NewRat(a, b), A: terms[0]}
		if len(terms) > 1 {
			t.B = terms[1]
		}
		return t
	}
	v := &Value{Name: c.name, target: c.place}
	a := operand(0)
	switch name {
	case "Set":
		c.value = a
		return nil
	case "Add":
		v.Terms = []Term{times(1, 1, a), times(1, 1, operand(1))}
	case "Sub":
		v.Terms = []Term{times(1, 1, a), times(-1, 1, operand(1))}
	case "Negate":
		v.Terms = []Term{times(-1, 1, a)}
	case "Half":
		v.Terms = []Term{times(1, 2, a)}
	case "Mul":
		v.Terms = []Term{times(1, 1, a, operand(1))}
	case "Square":
		v.Terms = []Term{times(1, 1, a, a)}
	case "SquareN":
		v.Terms = []Term{times(1, 1, a, a)}
		n, ok := call.Args[1].(*ast.BasicLit)
		if ok {
			v.Squared, _ = strconv.Atoi(n.Value)
		}
		if v.Squared < 1 {
			r.fail(call, "squared a number of times that is no constant")
		}
	}
	c.value = v
	return []*Value{v}
}
