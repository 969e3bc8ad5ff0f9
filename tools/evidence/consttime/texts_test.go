package consttime

import (
	"fmt"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// texts follows the values that become the texts of errors and panics of one module.
type texts struct {
	callers   map[*ssa.Function][]ssa.CallInstruction
	constants map[*ssa.Function]bool // whether the results are harmless
	seen      map[ssa.Value]bool
	found     map[Finding]bool // the values that may be secrets
}

var errorInterface = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

// isNumber reports whether t is a type of lengths, indexes and numbers of participants, or of lists of them or pointers
// to them. Bytes and limbs have others.
func isNumber(t types.Type) bool {
	for {
		list, ok := t.Underlying().(interface{ Elem() types.Type })
		if !ok {
			break
		}
		t = list.Elem()
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && (basic.Kind() == types.Int || basic.Kind() == types.Int64 || basic.Kind() == types.Uint32)
}

// look follows v, which becomes part of a text, to where it comes from: constants, errors, truth values and lengths are
// harmless. What else there is, is found, also an argument that the error of a function outside the library may show,
// and a number that a program passes to an exported function.
func (x *texts) look(v ssa.Value) {
	if _, ok := v.(*ssa.Const); ok || x.seen[v] {
		return
	}
	x.seen[v] = true
	what, number := types.TypeString(v.Type(), (*types.Package).Name), isNumber(v.Type())
	place := Place{outermost(v.Parent()), what}
	call, isCall := v.(*ssa.Call)
	result := 0
	if e, ok := v.(*ssa.Extract); ok {
		call, isCall = e.Tuple.(*ssa.Call)
		result = e.Index
	}
	switch u := v.(type) {
	case *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.Convert, *ssa.BinOp, *ssa.Phi:
		for _, operand := range u.(ssa.Instruction).Operands(nil) {
			x.look(*operand)
		}
		return
	case *ssa.UnOp, *ssa.IndexAddr, *ssa.Slice:
		from := *u.(ssa.Instruction).Operands(nil)[0]
		if list, ok := from.(*ssa.Alloc); number || (ok && list.Comment == "varargs") {
			x.look(from)
			return
		}
		place.Text += origin(from)
	case *ssa.Alloc:
		if number || u.Comment == "varargs" {
			x.stored(u)
			return
		}
	case *ssa.FieldAddr: // of a number
		owner := u.X.Type().Underlying().(*types.Pointer).Elem()
		field := owner.Underlying().(*types.Struct).Field(u.Field)
		generic, _, _ := strings.Cut(types.TypeString(owner, (*types.Package).Name), "[")
		place = Place{generic, "field " + field.Name()}
	case *ssa.Parameter:
		f := u.Parent()
		exported := f.Object() != nil && f.Object().Exported()
		if number || !exported {
			for _, call := range x.callers[f] {
				x.look(call.Common().Args[slices.Index(f.Params, u)])
			}
		}
		switch {
		case !exported && len(x.callers[f]) > 0:
			return
		case number:
			place.Text = "parameter " + u.Name()
		}
	}
	if isCall {
		callee, called := call.Call.StaticCallee(), call.Call.Value.Name()
		switch {
		case call.Call.IsInvoke():
			called = call.Call.Method.Name()
		case callee != nil:
			called = Name(symbol(callee))
		}
		switch _, builtin := call.Call.Value.(*ssa.Builtin); {
		case called == "len", called == "cap", callee != nil && x.constant(callee):
			return
		case number && builtin, called == "fmt.Sprintf", called == "fmt.Sprint":
			for _, a := range call.Call.Args {
				x.look(a)
			}
			return
		case number && callee != nil && ofLibrary(callee):
			for _, r := range returns(callee) {
				x.look(r.Results[result])
			}
			return
		}
		// Package wire decodes JSON with encoding/json/v2, or before Go 1.27 with the module that it was.
		place.Text = "result of " + strings.Replace(called, "github.com/go-json-experiment/json", "encoding/json", 1)
	}
	basic, ok := v.Type().Underlying().(*types.Basic)
	if !types.Implements(v.Type(), errorInterface) && !(ok && basic.Info()&types.IsBoolean != 0) {
		x.found[Finding{"text", place}] = true
	}
}

// origin names the field, variable or parameter, if any, that contains v.
func origin(v ssa.Value) string {
	switch u := v.(type) {
	case *ssa.FieldAddr:
		return " of field " + u.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct).Field(u.Field).Name()
	case *ssa.Alloc:
		return " of " + u.Comment
	case *ssa.Parameter, *ssa.Global:
		return " of " + u.Name()
	case *ssa.UnOp, *ssa.IndexAddr, *ssa.Slice:
		return origin(*u.(ssa.Instruction).Operands(nil)[0])
	}
	return ""
}

// returns returns the instructions that end f.
func returns(f *ssa.Function) (all []*ssa.Return) {
	for _, block := range f.Blocks {
		if r, ok := block.Instrs[len(block.Instrs)-1].(*ssa.Return); ok {
			all = append(all, r)
		}
	}
	return all
}

// constant reports whether the only result of f is made of constants and other harmless values.
func (x *texts) constant(f *ssa.Function) bool {
	if _, known := x.constants[f]; !known {
		x.constants[f] = ofLibrary(f) && len(f.Blocks) > 0 && f.Signature.Results().Len() == 1
		for _, r := range returns(f) {
			x.constants[f] = x.constants[f] && len(x.inner(r.Results[0])) == 0
		}
	}
	return x.constants[f]
}

// inner returns what is found in v alone.
func (x *texts) inner(v ssa.Value) map[Finding]bool {
	inner := &texts{x.callers, x.constants, make(map[ssa.Value]bool), make(map[Finding]bool)}
	inner.look(v)
	return inner.found
}

// outermost returns the name of the function in which f is written, or "variable" for variables of packages.
func outermost(f *ssa.Function) string {
	if f == nil {
		return "variable"
	}
	for f.Parent() != nil {
		f = f.Parent()
	}
	return Name(symbol(f))
}

// stored follows all values that are stored in a variable, an array or a struct, also by closures.
func (x *texts) stored(v ssa.Value) {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.IndexAddr:
			x.stored(r)
		case *ssa.FieldAddr:
			x.stored(r)
		case *ssa.MakeClosure:
			x.stored(r.Fn.(*ssa.Function).FreeVars[slices.Index(r.Bindings, v)])
		case *ssa.Store:
			if r.Addr == v {
				x.look(r.Val)
			}
		}
	}
}

// read follows all values that become texts of errors and panics in a module.
func (x *texts) read(graph graph) (sinks int) {
	loaded := make(map[*packages.Package]bool)
	for _, node := range graph {
		if node.Package != nil {
			loaded[node.Package] = true
		}
	}
	program, _ := ssautil.Packages(slices.Collect(maps.Keys(loaded)), ssa.InstantiateGenerics)
	program.Build()
	var all []func()
	for f := range ssautil.AllFunctions(program) {
		if !ofLibrary(f) {
			continue
		}
		for _, block := range f.Blocks {
			for _, i := range block.Instrs {
				switch i := i.(type) {
				case *ssa.Panic:
					all = append(all, func() { x.look(i.X) })
				case *ssa.Store: // to a field of an error
					if a, ok := i.Addr.(*ssa.FieldAddr); ok && types.Implements(a.X.Type(), errorInterface) {
						all = append(all, func() { x.look(i.Val) })
					}
				case *ssa.Alloc: // an error of a type of its own
					if types.Implements(i.Type(), errorInterface) {
						all = append(all, func() { x.stored(i) })
					}
				case *ssa.MakeInterface: // an error that is made from another value
					if types.Implements(i.X.Type(), errorInterface) {
						all = append(all, func() { x.look(i.X) })
					}
				case ssa.CallInstruction:
					for _, a := range shown(i.Common()) {
						all = append(all, func() { x.look(a) })
					}
					callee := i.Common().StaticCallee()
					if callee == nil {
						continue
					}
					x.callers[callee] = append(x.callers[callee], i)
					for _, a := range i.Common().Args {
						if mayQuote(i, a) {
							all = append(all, func() {
								for shown := range x.inner(a) {
									what := fmt.Sprintf("%s as argument of %s", shown.Text, Name(symbol(callee)))
									x.found[Finding{"text", Place{outermost(f), what}}] = true
								}
							})
						}
					}
				}
			}
		}
	}
	for _, look := range all {
		look()
	}
	return len(all)
}

// quoting matches the functions whose texts show all arguments, and writing those that show all except the first, which
// is the place where they write. silent matches the functions whose errors show none. textual matches types.
var (
	quoting = regexp.MustCompile(`^(fmt\.(Errorf|Print.*)|errors\.New|\(?\*?log(/slog)?\..*)$`)
	writing = regexp.MustCompile(`^(fmt\.Fprint.*|io\.WriteString|\(\*os\.File\)\.Write.*)$`)
	textual = regexp.MustCompile(`^(\[\])?(byte|uint8|string)$`)
	silent  = regexp.MustCompile(`^\(?\*?(io|errors|crypto/|golang\.org/x/crypto/|fmt\.F)|\.(Read|Write|WriteString)$`)
)

// shown returns the arguments of a call that it writes for people: in errors, in formats of package fmt, and in files
// such as standard error.
func shown(call *ssa.CallCommon) []ssa.Value {
	callee := call.StaticCallee()
	builtin, _ := call.Value.(*ssa.Builtin)
	switch {
	case call.IsInvoke() && call.Value.Type().String() == "fmt.State", builtin != nil && strings.HasPrefix(builtin.Name(), "print"),
		callee != nil && quoting.MatchString(callee.String()):
		return call.Args
	case callee != nil && writing.MatchString(callee.String()):
		return call.Args[1:]
	}
	return nil
}

// mayQuote reports whether a function outside the library is called whose error may show the argument a, and whether
// the error is used for more than comparisons.
func mayQuote(call ssa.CallInstruction, a ssa.Value) bool {
	callee, result := call.Common().StaticCallee(), call.Value()
	if ofLibrary(callee) || silent.MatchString(callee.String()) || result == nil || !textual.MatchString(a.Type().Underlying().String()) {
		return false
	}
	used := func(v ssa.Value) bool {
		return types.Implements(v.Type(), errorInterface) && slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
			_, compared := r.(*ssa.BinOp)
			return !compared
		})
	}
	return used(result) || slices.ContainsFunc(*result.Referrers(), func(r ssa.Instruction) bool {
		e, ok := r.(*ssa.Extract)
		return ok && used(e)
	})
}

// symbol returns the name of a function, or of its generic form, as in a linked program: path.F, path.T.F or
// path.(*T).F.
func symbol(f *ssa.Function) string {
	if f.Origin() != nil {
		f = f.Origin()
	}
	return receiver.ReplaceAllString(pointer.ReplaceAllString(f.String(), "$1.(*$2)"), "$1.$2")
}

var pointer, receiver = regexp.MustCompile(`^\(\*(.+)\.(\w+)\)`), regexp.MustCompile(`^\((.+)\.(\w+)\)`)

// ofLibrary reports whether f, or the method that f wraps, belongs to the library.
func ofLibrary(f *ssa.Function) bool {
	if f.Pkg != nil {
		return inLibrary(f.Pkg.Pkg.Path())
	}
	return f.Object() != nil && f.Object().Pkg() != nil && inLibrary(f.Object().Pkg().Path())
}

// TestTexts checks that errors, panics and formats of all modules, and what they print, are made of constants, errors,
// lengths and numbers, unless reviewed.txt says why a function may show something else.
func TestTexts(t *testing.T) {
	found, sinks := make(map[Finding]bool), 0
	for _, graph := range graphs() {
		x := &texts{make(map[*ssa.Function][]ssa.CallInstruction), make(map[*ssa.Function]bool), make(map[ssa.Value]bool), found}
		sinks += x.read(graph)
	}
	unknown, stale := Compare(reviewedOf("text"), found)
	for _, f := range unknown {
		t.Errorf("an error may show a secret:\n%v", f)
	}
	for _, s := range stale {
		t.Errorf("reviewed.txt:%d: no error shows this:\n%v", s.Line, s)
	}
	t.Logf("result: %d texts of errors and panics are made of constants, errors, lengths and numbers, except for %d values on the reviewed list", sinks, len(found))
}
