package main

import (
	"context"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"maps"
	"os"
	"regexp"
	"strings"

	"golang.org/x/tools/go/packages"

	"p256k1.mleku.dev/v2/tools/evidence/consttime"
	"p256k1.mleku.dev/v2/tools/evidence/internal/mentions"
	"p256k1.mleku.dev/v2/tools/evidence/internal/patch"
	"p256k1.mleku.dev/v2/tools/evidence/internal/secrets"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// modules are the patterns of all packages that other programs import, and of what the command does with secrets.
var modules = []string{
	"p256k1.mleku.dev/v2/...", "p256k1.mleku.dev/...", "github.com/erigontech/secp256k1/...",
	"github.com/btcsuite/btcd/btcec/v2/...", "github.com/decred/dcrd/dcrec/secp256k1/v4/...",
}

// command is the copy of the command's package that reads, uses and writes keys.
const command = consttime.Subject + "/cli"

// javaScript is the library for JavaScript, which is not linked into the subject.
const javaScript = "p256k1.mleku.dev/v2/tools/js/wasm"

// imported reports whether other programs import a package, or it handles secrets for the command or for JavaScript.
func imported(path string) bool {
	return !others.MatchString(path) || path == command || path == consttime.Subject+"/secrethex" || path == javaScript
}

// others matches the packages that other programs do not import, and values the functions for public values and the
// checks that types have methods. lint leaves them out.
var (
	others = regexp.MustCompile(`^p256k1\.mleku\.dev/v2/(.+/)?(internal|tools|cmd)(/|$)`)
	values = regexp.MustCompile(`(Vartime|\._)$`)
)

// unread adds each function that handles a secret, also in a local variable or a closure, that is exported or belongs
// to the command or to JavaScript, and that is not among the functions that were read.
func (a findings) unread(ctx context.Context, p *consttime.Program, read map[string]bool) (handled int) {
	config := packages.Config{Context: ctx, Overlay: p.Overlay, Fset: token.NewFileSet()}
	config.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
	nodes := must.Get(mentions.Load(config, imported, modules...))
	config.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	maps.Copy(nodes, must.Get(mentions.Load(config, imported, javaScript)))
	for name, node := range nodes {
		f, isFunction := node.Decl.(*ast.FuncDecl)
		if node.Decl == nil || values.MatchString(name) || !handles(node) ||
			(isFunction && node.Package.PkgPath != command && node.Package.PkgPath != javaScript && !(f.Name.IsExported() && ast.IsExported(patch.Name(f)))) {
			continue
		}
		handled++
		if !strings.Contains(name, "*") {
			name = strings.NewReplacer("(", "", ")", "").Replace(name)
		}
		if !read[name] {
			a.add("unread", consttime.Place{Function: name, Text: hash(node, read)}, nil)
		}
	}
	return handled
}

// handles reports whether the declaration of a function or variable handles a secret.
func handles(n *mentions.Node) (handled bool) {
	ast.Inspect(n.Decl, func(inner ast.Node) bool {
		if id, ok := inner.(*ast.Ident); ok {
			switch object := n.Package.TypesInfo.Defs[id].(type) {
			case *types.Func:
				handled = handled || secrets.Handles(object)
			case *types.Var:
				handled = handled || (object.Parent() != object.Pkg().Scope() && secrets.Holds(object))
			}
		}
		return true
	})
	return handled
}

// hash returns eight digits that change with the declaration of a function, and with those to which it leads in its
// package without a function that is read.
func hash(n *mentions.Node, read map[string]bool) string {
	seen, texts := map[*mentions.Node]bool{}, new(strings.Builder)
	var visit func(*mentions.Node)
	visit = func(m *mentions.Node) {
		if !seen[m] && m.Package == n.Package && !read[m.Name] {
			seen[m] = true
			if f, ok := m.Decl.(*ast.FuncDecl); ok {
				f.Doc = nil
			}
			must.Do(format.Node(texts, m.Package.Fset, m.Decl))
			for _, other := range m.Mentions {
				visit(other)
			}
		}
	}
	visit(n)
	return must.Hash(texts.String())
}
