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

// single matches functions that take or return a list, but not of things that are verified, computed or found one by
// one: parsers, encoders, lists of errors, and functions of one item or none.
var single = regexp.MustCompile(`^(wire|nip19|bip324)\.|Failures?\.|^protocols\.BlameError|Batch\.Reset$|^ethereum\.Recoverer\.Sender$|^secret\.Make$`)

// TestCounted fails for an exported function with a list of things, or a method of a type that collects things, that
// the tests of package counts and of the modules do not run with many numbers of items.
func TestCounted(t *testing.T) {
	counted := make(map[string]bool)
	var sizes []string
	for _, p := range must(packages.Load(&packages.Config{
		Tests: true, Mode: packages.NeedName | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedSyntax | packages.NeedImports,
	}, module+"/internal/libtest/counts", module+"/ethereum", module+"/nostr", module+"/protocols")) {
		if rows := p.Types.Scope().Lookup("many"); rows != nil {
			for name := range callsOf(p)(bodiesOf(p)[rows].(ast.Expr)) {
				counted[name] = true
			}
		}
		for id, object := range p.TypesInfo.Uses {
			if object.Pkg() != nil && object.Pkg().Path() == module+"/internal/parts" {
				sizes = append(sizes, id.Name)
			}
		}
	}
	for _, name := range must(packages.Load(&packages.Config{Mode: packages.NeedTypes}, module+"/internal/parts"))[0].Types.Scope().Names() {
		if name != "Of" && !slices.Contains(sizes, name) {
			t.Errorf("counts.Run does not try the numbers around parts.%s", name)
		}
	}
	list, functions := regexp.MustCompile(`(\[\]|\.\.\.)(\[|[^b]|b[^y])|iter\.Seq`), 0
	for name, f := range load(t).exported {
		collects := false
		if r := f.Signature().Recv(); r != nil {
			collects = regexp.MustCompile(`\.(Batch|Pool|Recoverer|Verifier)$`).MatchString(r.Type().String())
		}
		text := strings.ReplaceAll(types.TypeString(f.Signature(), (*types.Package).Name), "[]byte", "")
		if (!collects && !list.MatchString(text)) || single.MatchString(name) || slices.Contains(textual, f.Name()) {
			continue
		}
		functions++
		if !counted[name] {
			t.Errorf("%s takes many items, and no list of counts has it", name)
		}
	}
	t.Logf("result: %d functions take many items", functions)
}
