package operations

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

const (
	module = "p256k1.mleku.dev/v2"
	here   = module + "/tools/evidence/operations"
)

var left = regexp.MustCompile("^" + module + "/(.+/)?(internal|tools|cmd|compat)/")

// hiding matches the methods of a secret that do not read it.
var hiding = regexp.MustCompile("^(Format|LogValue|(Unm|M)arshal(Binary|Text))$")

// loaded has the library's exported functions, and the functions that each operation calls.
type loaded struct {
	exported map[string]*types.Func
	mentions map[string]map[string]bool // by the name of the operation
}

// nameOf returns package.Function, or package.Type.Method with the type on which the method is called.
func nameOf(f *types.Func, on types.Type) string {
	if on == nil {
		return f.Pkg().Name() + "." + f.Name()
	}
	if p, ok := on.(*types.Pointer); ok {
		on = p.Elem()
	}
	named, ok := on.(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return ""
	}
	return named.Obj().Pkg().Name() + "." + named.Obj().Name() + "." + f.Name()
}

// load reads the public packages, the packages of ethereum, nostr and protocols, and this package.
func load(t *testing.T) *loaded {
	t.Helper()
	named, err := packages.Load(&packages.Config{Mode: packages.NeedName}, module+"/...")
	if err != nil {
		t.Fatal(err)
	}
	paths := []string{here}
	for _, p := range named {
		// The list leaves out packages that programs cannot import, and compat, whose packages are tested by the tests
		// of other projects (tools/evidence/dropin).
		if !left.MatchString(p.PkgPath) {
			paths = append(paths, p.PkgPath)
		}
	}
	all, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedSyntax | packages.NeedImports,
	}, paths...)
	if err != nil {
		t.Fatal(err)
	}
	l := &loaded{make(map[string]*types.Func), make(map[string]map[string]bool)}
	for _, p := range all {
		for _, err := range p.Errors {
			t.Fatal(err)
		}
		if p.PkgPath == here {
			l.operations(t, p)
		} else {
			l.api(p)
		}
	}
	return l
}

// api adds the exported functions and methods of a package, including the methods that its types embed.
func (l *loaded) api(p *packages.Package) {
	for _, name := range p.Types.Scope().Names() {
		switch object := p.Types.Scope().Lookup(name).(type) {
		case *types.Func:
			if object.Exported() {
				l.exported[nameOf(object, nil)] = object
			}
		case *types.TypeName:
			if !object.Exported() || types.IsInterface(object.Type()) {
				continue
			}
			for selection := range types.NewMethodSet(types.NewPointer(object.Type())).Methods() {
				if f := selection.Obj().(*types.Func); f.Exported() && strings.HasPrefix(f.Pkg().Path(), module) {
					l.exported[nameOf(f, object.Type())] = f
				}
			}
		}
	}
}

// operations finds the functions that each element of the lists in All calls, directly or through functions of this
// package. It leaves out the calls in oracles, which compute the results in other ways.
func (l *loaded) operations(t *testing.T, p *packages.Package) {
	oracle := p.Types.Scope().Lookup("oracleOf").Type()
	bodies := make(map[types.Object]ast.Node)
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				bodies[p.TypesInfo.Defs[f.Name]] = f
			}
		}
	}
	values := make(map[types.Object]ast.Expr)
	for _, i := range p.TypesInfo.InitOrder {
		for _, v := range i.Lhs {
			values[v] = i.Rhs
			if _, ok := v.Type().(*types.Signature); ok {
				bodies[v] = i.Rhs
			}
		}
	}
	var collect func(n ast.Node, names map[string]bool, seen map[ast.Node]bool)
	collect = func(n ast.Node, names map[string]bool, seen map[ast.Node]bool) {
		if seen[n] {
			return
		}
		seen[n] = true
		ast.Inspect(n, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				if of := p.TypesInfo.TypeOf(e); of != nil && types.Identical(of, oracle) {
					return false
				}
			}
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if s := p.TypesInfo.Selections[n]; s != nil {
					if f, ok := s.Obj().(*types.Func); ok {
						names[nameOf(f, s.Recv())] = true
					}
				}
			case *ast.Ident:
				object := p.TypesInfo.Uses[n]
				f, ok := object.(*types.Func)
				if ok {
					object = f.Origin()
				}
				if bodies[object] != nil {
					collect(bodies[object], names, seen)
				} else if ok && f.Signature().Recv() == nil && f.Pkg() != nil {
					names[nameOf(f, nil)] = true
				}
			}
			return true
		})
	}
	var elements []ast.Expr
	for _, list := range values[p.Types.Scope().Lookup("All")].(*ast.CallExpr).Args {
		elements = append(elements, values[p.TypesInfo.Uses[list.(*ast.Ident)]].(*ast.CompositeLit).Elts...)
	}
	if len(elements) != len(All) {
		t.Fatalf("%d operations, but %d found in the code", len(All), len(elements))
	}
	for i, o := range All {
		names := make(map[string]bool)
		collect(elements[i], names, make(map[ast.Node]bool))
		for _, name := range o.Covers {
			names[name] = true
		}
		l.mentions[o.Name] = names
	}
}

// takesKey reports whether a private key is the receiver, an argument or a result of f.
func takesKey(f *types.Func) bool {
	s := f.Signature()
	all := []*types.Var{s.Recv()}
	all = slices.AppendSeq(slices.AppendSeq(all, s.Params().Variables()), s.Results().Variables())
	return slices.ContainsFunc(all, func(v *types.Var) bool {
		return v != nil && strings.HasSuffix(v.Type().String(), module+".PrivateKey")
	})
}

// TestComplete fails for an exported function that no operation calls. Every tool runs each operation, unless the Op
// says why not. A function that takes or returns a private key must also be called by an operation on secrets.
func TestComplete(t *testing.T) {
	l := load(t)
	if len(l.mentions) != len(All) {
		t.Errorf("%d operations have %d different names", len(All), len(l.mentions))
	}
	secret, searched, timed, public := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, o := range All {
		for f := range l.mentions[o.Name] {
			public[f] = public[f] || o.Public != ""
			secret[f] = secret[f] || o.Public == ""
			searched[f] = searched[f] || o.Public == "" && o.Unsearched == ""
			timed[f] = timed[f] || o.Public == "" && o.Untimed == ""
		}
	}
	count := map[string]int{}
	for f, object := range l.exported {
		if !secret[f] && !public[f] {
			t.Errorf("%s: no operation calls it", f)
		} else if !secret[f] && takesKey(object) && !hiding.MatchString(object.Name()) {
			t.Errorf("%s takes or returns a private key, but no operation on secrets calls it", f)
		}
		for what, is := range map[string]bool{"called": secret[f] || public[f], "searched": searched[f], "timed": timed[f]} {
			if is {
				count[what]++
			}
		}
	}
	t.Logf("result: operations call %[2]d of %[1]d exported functions; memory is searched after %[3]d, and the time of %[4]d is checked",
		len(l.exported), count["called"], count["searched"], count["timed"])
}
