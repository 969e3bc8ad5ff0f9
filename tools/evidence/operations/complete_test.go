package operations

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/types"
	"os"
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

// If a name in functions_test.go no longer exists, delete it there before -update writes the file.
var update = flag.Bool("update", false, "write functions_test.go")

// loaded has the library's exported functions, and the functions that each operation calls.
type loaded struct {
	exported map[string]*types.Func
	mentions map[string]map[string]bool // by the name of the operation

	imports, functions, types string // of the file functions_test.go
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
	l := &loaded{exported: make(map[string]*types.Func), mentions: make(map[string]map[string]bool)}
	slices.SortFunc(all, func(a, b *packages.Package) int { return strings.Compare(a.PkgPath, b.PkgPath) })
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

// add adds an element to a list of at most 120 columns.
func add(list *string, element string) {
	if line := (*list)[strings.LastIndex(*list, "\n")+1:]; len(line)+len(element) > 110 {
		*list += "\n"
	}
	*list += element + ", "
}

// api adds the exported functions and methods of a package, including the methods that its types embed.
func (l *loaded) api(p *packages.Package) {
	before := l.functions + l.types
	defer func() {
		if l.functions+l.types != before {
			l.imports += fmt.Sprintf("%q\n", p.PkgPath)
		}
	}()
	for _, name := range p.Types.Scope().Names() {
		switch object := p.Types.Scope().Lookup(name).(type) {
		case *types.Func:
			if object.Exported() {
				l.exported[nameOf(object, nil)] = object
				if object.Signature().TypeParams() == nil { // reflection cannot call a generic function
					add(&l.functions, nameOf(object, nil))
				}
			}
		case *types.TypeName:
			if !object.Exported() || types.IsInterface(object.Type()) {
				continue
			}
			add(&l.types, fmt.Sprintf("(*%s.%s)(nil)", p.Name, name))
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
		l.mentions[o.Name] = names
	}
}

// untimed lists the functions that take or return a secret and that neither lint nor memcheck runs, with the reason.
var untimed = map[string]string{
	`^bip324\.(Client|Server|Conn\..*)$`: "a connection passes its keys to sessions, which are run alone",
	`^(curve\.Point\.IsPrecomputed|curve\.Scalar\.SetWeight|schnorr\.Challenge|p256k1\.(XOnly)?PublicKey\.Point)$`: "its values are public",
	`^signer\.P256K1Signer\.(InitPub|Verify)$`: "its values are public",
	`^ellswift\.GenerateKey$`:                  "it encodes a public key in variable time; the generation and use of keys are run",
	`^nostr\.Event\.Sign$`:                     "it passes the key to schnorr.Sign, and writes the public key as text",
}

// handlesSecret reports whether the receiver, an argument or a result of f is a secret: of a type that can be wiped, or
// that hides its value in logs.
func handlesSecret(f *types.Func) bool {
	all := slices.AppendSeq(slices.Collect(f.Signature().Params().Variables()), f.Signature().Results().Variables())
	if recv := f.Signature().Recv(); recv != nil {
		all = append(all, recv)
	}
	return slices.ContainsFunc(all, func(v *types.Var) bool {
		of := v.Type()
		for e, ok := of.(interface{ Elem() types.Type }); ok; e, ok = of.(interface{ Elem() types.Type }) {
			of = e.Elem()
		}
		methods := types.NewMethodSet(types.NewPointer(of))
		return methods.Lookup(nil, "Zero") != nil || methods.Lookup(nil, "LogValue") != nil
	})
}

// TestRegistry fails for an exported function that no operation calls. Every tool runs each operation, unless the Op
// says why not. The tools for constant time must run every function that handles a secret.
func TestRegistry(t *testing.T) {
	l := load(t)
	if len(l.mentions) != len(All) {
		t.Errorf("%d operations have %d different names", len(All), len(l.mentions))
	}
	text, err := format.Source([]byte("// Code generated by go test -run TestRegistry -update; DO NOT EDIT.\n\npackage operations\n\nimport (\n" + l.imports +
		")\n\nvar exportedFunctions = []any{\n" + strings.TrimSuffix(l.functions, " ") + "\n}\n\nvar exportedTypes = []any{\n" + strings.TrimSuffix(l.types, " ") + "\n}\n"))
	check(err)
	if *update {
		check(os.WriteFile("functions_test.go", text, 0o644))
	} else if old, err := os.ReadFile("functions_test.go"); err != nil || !bytes.Equal(old, text) {
		t.Errorf("functions_test.go is not current; -update writes it (%v)", err)
	}
	run, searched, timed := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, o := range All {
		for f := range l.mentions[o.Name] {
			run[f] = true
			searched[f] = searched[f] || (o.Public == "" && o.Unsearched == "")
			timed[f] = timed[f] || (o.Public == "" && o.Untimed == "")
		}
	}
	var secrets, excused, searches, times int
	for f, object := range l.exported {
		if !run[f] && !slices.Contains(textual, object.Name()) { // TestEncoders calls the methods that encoders call
			t.Errorf("%s: no operation calls it", f)
		}
		if searched[f] {
			searches++
		}
		if timed[f] {
			times++
		}
		if slices.Contains(textual, object.Name()) || strings.HasSuffix(object.Name(), "Vartime") || !handlesSecret(object) {
			continue
		}
		why := ""
		for names, reason := range untimed {
			if regexp.MustCompile(names).MatchString(f) {
				why, excused = reason, excused+1
			}
		}
		secrets++
		if timed[f] == (why != "") {
			t.Errorf("%s handles a secret: lint runs it: %t; reason why not: %q", f, timed[f], why)
		}
	}
	t.Logf("result: operations call all %d exported functions; memory is searched after %d, and the time of %d is checked, among them %d of %d that handle secrets",
		len(l.exported), searches, times, secrets-excused, secrets)
}
