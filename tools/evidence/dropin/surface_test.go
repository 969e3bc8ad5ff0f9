package dropin

import (
	"fmt"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"p256k1.mleku.dev/v2/internal/libtest"
)

// load type-checks packages, with the dependencies of the module in dir.
func load(t *testing.T, dir, pattern string, more ...packages.LoadMode) map[string]*packages.Package {
	t.Helper()
	mode := packages.NeedName | packages.NeedTypes | packages.NeedImports
	for _, m := range more {
		mode |= m
	}
	config := &packages.Config{Mode: mode, Dir: dir, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")}
	found := make(map[string]*packages.Package)
	for _, p := range libtest.Must(packages.Load(config, pattern)) {
		for _, err := range p.Errors {
			t.Fatal(err)
		}
		found[p.PkgPath] = p
	}
	return found
}

// surface lists the exported names of a package: constants with their values, types with their fields and methods,
// variables and functions.
func surface(p *types.Package) (list []string) {
	byName := func(p *types.Package) string {
		if p.Path() == "github.com/btcsuite/btcd/chaincfg/chainhash" { // the type of the hash that V2Ecdh returned before btcec 2.5
			return "github.com/btcsuite/btcd/chainhash/v2"
		}
		return strings.Replace(strings.Replace(p.Path(), "p256k1.mleku.dev/v2/compat/decred", decred.path, 1), "/v4/v4", "/v4", 1)
	}
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	text := func(t types.Type) string {
		t = types.Unalias(t)
		if f, ok := t.(*types.Signature); ok { // leave out the names of parameters
			unnamed := func(all *types.Tuple) *types.Tuple {
				var list []*types.Var
				for v := range all.Variables() {
					list = append(list, types.NewParam(token.NoPos, nil, "", v.Type()))
				}
				return types.NewTuple(list...)
			}
			t = types.NewSignatureType(nil, nil, nil, unnamed(f.Params()), unnamed(f.Results()), f.Variadic())
		}
		return types.TypeString(t, byName)
	}
	for _, name := range p.Scope().Names() {
		object := p.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}
		switch o := object.(type) {
		default:
			say("%s %s", name, text(o.Type()))
		case *types.Const:
			say("const %s %s = %s", name, text(o.Type()), o.Val())
		case *types.TypeName:
			named := types.Unalias(o.Type()).(*types.Named)
			say("type %s is %s, comparable %v", name, text(named), types.Comparable(named))
			if s, ok := named.Underlying().(*types.Struct); ok {
				for f := range s.Fields() {
					if f.Exported() {
						say("type %s has %s %s, embedded %v", name, f.Name(), text(f.Type()), f.Embedded())
					}
				}
			} else {
				say("type %s: %s", name, text(named.Underlying()))
			}
			for _, receiver := range []types.Type{named, types.NewPointer(named)} {
				for method := range types.NewMethodSet(receiver).Methods() {
					if name := method.Obj().Name(); method.Obj().Exported() {
						say("%s.%s %s", text(receiver), name, text(method.Type()))
					}
				}
			}
		}
	}
	return list
}

// checkNames fails if a package exports a name that the other side's package lacks, other than the exceptions. It
// returns the number of names.
func checkNames(t *testing.T, other string, want, got map[string]*packages.Package, exceptions ...string) (lines int) {
	t.Helper()
	for path, p := range want {
		if got[path] == nil {
			t.Errorf("%s lacks package %s", other, path)
			continue
		}
		there := surface(got[path].Types)
		for _, line := range surface(p.Types) {
			lines++
			if !slices.Contains(there, line) && !slices.Contains(exceptions, line) {
				t.Errorf("%s: %s lacks %s", path, other, line)
			}
		}
	}
	return lines
}

// TestSurface checks that the packages export the same names as the original packages, with the same types.
func TestSurface(t *testing.T) {
	// Names that older versions lack, so that programs for these versions do not use them.
	newer := map[string][]string{"v2.3.6": {verifyLowS}}
	for d, count := range map[*dropIn]int{decred: 3, btcec: 5, erigon: 1} {
		for _, version := range d.versions {
			t.Run(d.name+"@"+version, func(t *testing.T) {
				d.needC(t)
				original := program(t, d, version)
				replaced := copied(t, original)
				replace(t, replaced, d)
				theirs, ours := load(t, original, d.path+"/..."), load(t, replaced, d.path+"/...")
				if len(theirs) != count || len(ours) != count {
					t.Fatalf("%d packages in the original module, %d in the replacement", len(theirs), len(ours))
				}
				checkNames(t, "the replacement", theirs, ours)
				checkNames(t, "the original module", ours, theirs, newer[version]...)
				for path, p := range theirs {
					names := len(surface(p.Types))
					if (names < 20 && !strings.HasSuffix(path, "/ellswift")) || names < 7 {
						t.Errorf("%s exports only %d", path, names)
					}
				}
			})
		}
	}
}

// TestBtcecAlone replaces btcec but not Decred's module. The compiler must report the missing replacement.
func TestBtcecAlone(t *testing.T) {
	dir := program(t, btcec, btcec.versions[0])
	editMod(t, dir, "-replace", "p256k1.mleku.dev/v2="+root, "-replace", btcec.path+"="+btcec.dir)
	addSums(t, dir, btcec.dir)
	text, err := run(t, dir, nil, "go", "build")
	if err == nil || !strings.Contains(text, "cannot use replaceDecredsModuleToo") {
		t.Errorf("%v: %s", err, text)
	}
}
