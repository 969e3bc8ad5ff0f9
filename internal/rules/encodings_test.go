package rules

import (
	"fmt"
	"go/build"
	"go/types"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// notPublic matches the folders whose packages programs cannot import, and compat, whose types are marshalled as the
// types of the libraries that they replace.
var notPublic = regexp.MustCompile(`(^|/)(internal|testdata|node_modules|\.\w.*)(/|$)|^(tools|cmd|compat|docs)(/|$)`)

// load type-checks the package in a folder, after the packages of this repository that it imports.
func (m modulePackages) load(t *testing.T, dir string) *types.Package {
	name := path.Join(module, dir)
	if m[name] != nil {
		return m[name]
	}
	p, err := build.ImportDir(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, imported := range p.Imports {
		if below, ok := strings.CutPrefix(imported, module); ok {
			m.load(t, "."+below)
		}
	}
	m[name], _ = m.check(t, dir, func(name string) bool { return !isTest(name) })
	return m[name]
}

// TestEncodings fails for an exported type that encoding/json would write wrongly, such as an empty object, a list of
// numbers for bytes, or without some of its fields, in all modules. A type needs a text form or a refusal, which
// operations in tools/evidence/operations test, its own JSON, or exported fields that all have one of these.
func TestEncodings(t *testing.T) {
	m, count := make(modulePackages), 0
	err := filepath.WalkDir(".", func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if dir = filepath.ToSlash(dir); notPublic.MatchString(dir) {
			return fs.SkipDir
		}
		if sources, err := filepath.Glob(dir + "/*.go"); err != nil || sources == nil {
			return err
		}
		p := m.load(t, dir)
		for _, name := range p.Scope().Names() {
			object, ok := p.Scope().Lookup(name).(*types.TypeName)
			if !ok || !object.Exported() || types.IsInterface(object.Type()) || p.Name() == "main" {
				continue
			}
			count++
			if fault := unencodable(object.Type()); fault != "" {
				t.Errorf("%s.%s has no encoding: %s", dir, name, fault)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("result: each of %d exported types has an encoding, or refuses", count)
	if count < 100 || m[module+"/scale/transform"] == nil || m[module+"/nostr/nip19"] == nil {
		t.Errorf("%d exported types were found", count)
	}
	for _, c := range []struct {
		t    types.Type
		want string
	}{
		{types.NewStruct(nil, nil), "no fields"},
		{types.NewStruct([]*types.Var{types.NewField(0, nil, "x", types.Typ[types.Int], false)}, nil), "unexported field x"},
		{types.NewArray(types.Typ[types.Byte], 32), "an array of bytes"},
		{types.NewSlice(types.Universe.Lookup("error").Type()), "an interface"},
		{types.NewMap(types.NewArray(types.Typ[types.Int], 2), types.Typ[types.Int]), "a key of a map"},
		{types.NewSlice(types.Typ[types.Byte]), ""},
	} {
		if got := unencodable(c.t); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%v: %q, want %q", c.t, got, c.want)
		}
	}
}

// unencodable says why encoding/json cannot write and read values of a type, or returns an empty text.
func unencodable(t types.Type) string {
	has := func(t types.Type, method string) bool { return types.NewMethodSet(t).Lookup(nil, method) != nil }
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil {
		pointer := types.NewPointer(t)
		name := named.Obj().Pkg().Name() + "." + named.Obj().Name()
		switch {
		case strings.Contains(named.Obj().Pkg().Path(), "/cmd/"): // the JSON of the command's reports, which leaves out some fields
			return ""
		case has(t, "MarshalJSON") && has(pointer, "UnmarshalJSON"):
			return ""
		case has(t, "MarshalText") && has(pointer, "Error"): // an error is written as its message, and not read
			return ""
		case has(t, "MarshalText") && has(pointer, "UnmarshalText"):
			return ""
		case has(pointer, "MarshalText"):
			return name + " has MarshalText, but no UnmarshalText or only for pointers"
		}
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		if t.Kind() == types.Invalid {
			return "a type of another module"
		}
		return ""
	case *types.Pointer:
		return unencodable(t.Elem())
	case *types.Slice:
		if b, ok := t.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Byte {
			return "" // base64
		}
		return unencodable(t.Elem())
	case *types.Array:
		if b, ok := t.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Byte {
			return "an array of bytes, which would be a list of numbers"
		}
		return unencodable(t.Elem())
	case *types.Map:
		if _, ok := t.Key().Underlying().(*types.Basic); !ok && !has(t.Key(), "MarshalText") {
			return "a key of a map"
		}
		return unencodable(t.Elem())
	case *types.Interface:
		return "an interface"
	case *types.Struct:
		for i := range t.NumFields() {
			f := t.Field(i)
			if !f.Exported() || strings.Contains(t.Tag(i), `json:"-`) {
				return "unexported field " + f.Name()
			}
			if fault := unencodable(f.Type()); fault != "" {
				return f.Name() + ": " + fault
			}
		}
		if t.NumFields() == 0 {
			return "no fields"
		}
		return ""
	}
	return fmt.Sprintf("a %v", t)
}
