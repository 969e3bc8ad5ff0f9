package consttime

import (
	"go/types"
	"maps"
	"regexp"
	"slices"
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

// isNumber reports whether t is a type of lengths, indexes and numbers of participants, or of lists of them. Bytes and
// limbs have others.
func isNumber(t types.Type) bool {
	if list, ok := t.Underlying().(*types.Slice); ok {
		t = list.Elem()
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && (basic.Kind() == types.Int || basic.Kind() == types.Int64 || basic.Kind() == types.Uint32)
}

// look follows v, which becomes part of a text, to where it comes from: constants, errors, truth values, lengths and
// other numbers are harmless. What else there is, is found.
func (x *texts) look(v ssa.Value) {
	if _, ok := v.(*ssa.Const); ok || x.seen[v] {
		return
	}
	x.seen[v] = true
	what, number := types.TypeString(v.Type(), (*types.Package).Name), isNumber(v.Type())
	switch u := v.(type) {
	case *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.Convert, *ssa.BinOp, *ssa.Phi:
		for _, operand := range u.(ssa.Instruction).Operands(nil) {
			x.look(*operand)
		}
		return
	case *ssa.Call:
		callee, called := u.Call.StaticCallee(), u.Call.Value.Name()
		switch {
		case u.Call.IsInvoke():
			called = u.Call.Method.Name()
		case callee != nil:
			called = Name(symbol(callee))
		}
		switch _, builtin := u.Call.Value.(*ssa.Builtin); {
		case called == "len", called == "cap", number && callee != nil && ofLibrary(callee):
			return
		case number && builtin, called == "fmt.Sprintf", called == "fmt.Sprint":
			for _, a := range u.Call.Args {
				x.look(a)
			}
			return
		}
		if callee != nil && x.constant(callee) {
			return
		}
		what, number = "result of "+called, false
	case *ssa.Slice: // of the array of variadic arguments
		if list, ok := u.X.(*ssa.Alloc); ok && list.Comment == "varargs" {
			x.stored(list)
			return
		}
	case *ssa.Parameter:
		f := u.Parent()
		if exported := f.Object() != nil && f.Object().Exported(); !number && !exported && len(x.callers[f]) > 0 {
			for _, call := range x.callers[f] {
				x.look(call.Common().Args[slices.Index(f.Params, u)])
			}
			return
		}
	}
	basic, ok := v.Type().Underlying().(*types.Basic)
	if !number && !types.Implements(v.Type(), errorInterface) && !(ok && basic.Info()&types.IsBoolean != 0) {
		f := v.Parent()
		for f.Parent() != nil {
			f = f.Parent()
		}
		x.found[Finding{"text", Place{Name(symbol(f)), what}}] = true
	}
}

// constant reports whether the only result of f is made of constants and other harmless values.
func (x *texts) constant(f *ssa.Function) bool {
	if _, known := x.constants[f]; !known {
		x.constants[f] = ofLibrary(f) && len(f.Blocks) > 0 && f.Signature.Results().Len() == 1
		inner := &texts{x.callers, x.constants, make(map[ssa.Value]bool), make(map[Finding]bool)}
		for _, block := range f.Blocks {
			if r, ok := block.Instrs[len(block.Instrs)-1].(*ssa.Return); ok && x.constants[f] {
				inner.look(r.Results[0])
			}
		}
		x.constants[f] = x.constants[f] && len(inner.found) == 0
	}
	return x.constants[f]
}

// stored follows all values that are stored in an array or in a struct.
func (x *texts) stored(v ssa.Value) {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.IndexAddr:
			x.stored(r)
		case *ssa.FieldAddr:
			x.stored(r)
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
				case *ssa.Alloc: // an error of a type of its own
					if types.Implements(i.Type(), errorInterface) {
						all = append(all, func() { x.stored(i) })
					}
				case *ssa.MakeInterface: // an error that is made from another value
					if types.Implements(i.X.Type(), errorInterface) {
						all = append(all, func() { x.look(i.X) })
					}
				case ssa.CallInstruction:
					callee := i.Common().StaticCallee()
					if callee == nil {
						continue
					}
					x.callers[callee] = append(x.callers[callee], i)
					if quoting.MatchString(callee.String()) {
						all = append(all, func() {
							for _, a := range i.Common().Args {
								x.look(a)
							}
						})
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

// quoting matches the functions whose errors show their arguments.
var quoting = regexp.MustCompile(`^(fmt\.Errorf|errors\.New|strconv\.(Atoi|Parse.*)|net/url\.Parse.*|time\.Parse.*)$`)

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

// TestTexts checks that errors and panics of all modules are made of constants, errors, lengths and numbers, unless
// reviewed.txt says why a function may show something else.
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
