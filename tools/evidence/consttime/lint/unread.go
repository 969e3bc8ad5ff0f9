package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
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

// imported reports whether other programs import a package, or it is one of the command's packages of secrets.
func imported(path string) bool {
	return !others.MatchString(path) || path == command || path == consttime.Subject+"/secrethex"
}

// others matches the packages that other programs do not import, and textual matches the methods that packages fmt,
// log/slog and encoding call, and functions for public values. lint leaves them out.
var (
	others  = regexp.MustCompile(`^p256k1\.mleku\.dev/v2/(.+/)?(internal|tools|cmd)(/|$)`)
	textual = regexp.MustCompile(`Vartime$|^(Append|Marshal|Unmarshal)(Binary|JSON|Text)$|^(Error|Format|GoString|LogValue|String)$`)
)

// unread adds each function that handles a secret, that is exported or belongs to the command, and that is not among
// the functions that were read.
func (a findings) unread(ctx context.Context, p *consttime.Program, read map[string]bool) (handled int) {
	config := packages.Config{
		Context: ctx, Overlay: p.Overlay, Fset: token.NewFileSet(),
		Env: append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0"),
	}
	for name, node := range must.Get(mentions.Load(config, imported, modules...)) {
		f, ok := node.Decl.(*ast.FuncDecl)
		if !ok || !(node.Package.PkgPath == command || (f.Name.IsExported() && ast.IsExported(patch.Name(f)))) || textual.MatchString(f.Name.Name) ||
			!secrets.Handles(node.Package.TypesInfo.Defs[f.Name].(*types.Func)) {
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

// hash returns eight digits that change with the declaration of a function, and with those to which it leads in its
// package without a function that is read.
func hash(n *mentions.Node, read map[string]bool) string {
	seen, texts := map[*mentions.Node]bool{}, sha256.New()
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
	return fmt.Sprintf("%x", texts.Sum(nil)[:4])
}
