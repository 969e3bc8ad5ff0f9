package rules

import (
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// measure returns the number of elements of all lists in a syntax tree, the number of words in its strings, except in
// the messages of tests, and a digest of these strings, of all numbers, and of the names in lists.
func measure(root ast.Node) (elements, words int, digest string) {
	message := regexp.MustCompile(`^(Error|Fatal|Log|Skip)f?$`)
	hash := sha256.New()
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			f, ok := n.Fun.(*ast.SelectorExpr)
			return !ok || !message.MatchString(f.Sel.Name)
		case *ast.CompositeLit:
			elements += len(n.Elts)
			for _, e := range n.Elts {
				fmt.Fprintln(hash, types.ExprString(e)) // omits the bodies of functions, and inner lists, which follow
			}
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				words += len(strings.Fields(n.Value))
			}
			fmt.Fprintln(hash, n.Value)
		}
		return true
	})
	return elements, words, fmt.Sprintf("%x", hash.Sum(nil)[:4])
}

// listsOf returns a line for each declaration of a Go file that has a list of three elements, or at least ten words (a
// function) or four (a variable). Without functions, it returns a line for each variable that has a list or a string,
// and for each number.
func listsOf(t *testing.T, name string, functions bool) (all []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	put := func(what string, root ast.Node, leastElements, leastWords int) {
		if elements, words, digest := measure(root); elements >= leastElements || words >= leastWords {
			all = append(all, fmt.Sprintf("%s %s: %d elements, %d words, %s", name, what, elements, words, digest))
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if functions {
				put(d.Name.Name, d, 3, 10)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				value, ok := spec.(*ast.ValueSpec)
				switch {
				case !ok || value.Values == nil:
					continue
				case functions:
					put(value.Names[0].Name, value, 3, 4)
				default:
					for i, v := range value.Values {
						literal, ok := v.(*ast.BasicLit)
						if ok && literal.Kind != token.STRING {
							all = append(all, fmt.Sprintf("%s %s = %s", name, value.Names[i].Name, literal.Value))
						} else if !ok {
							put(value.Names[i].Name, v, 1, 1)
						}
					}
				}
			}
		}
	}
	return all
}

var (
	asksCI   = regexp.MustCompile(`(?:Getenv|environ\.get)\("CI"\)`)
	skipCall = regexp.MustCompile(`\b(?:Skip|Skipf|SkipNow|skipTest|skipUnless|skipIf)\(`)
)

const lengthsList = "internal/rules/testdata/lengths.txt"

// TestLengths compares lists with testdata/lengths.txt, because a list from which an entry is taken, or in which a word
// is exchanged, usually still works, and checks less. The commands of CI and of the release gate are in the file
// themselves. Of the lists of tools/release, of the evidence and of the tests in this folder, the file has the lengths
// and a digest, and of the planted errors the number. Of all files, it has the lines that ask whether this is CI, and
// the number of calls that skip a test.
func TestLengths(t *testing.T) {
	head, _, _ := strings.Cut(read(t, lengthsList), "\n\n")
	all := []string{head, ""}
	comment := regexp.MustCompile(`(^|\s)#.*`)
	for _, name := range []string{".ci/run", ".ci/bare", "tools/evidence/assure/checks.txt"} {
		all = append(all, name+":")
		for line := range strings.Lines(read(t, name)) {
			if line = strings.TrimSpace(comment.ReplaceAllString(line, "")); line != "" {
				all = append(all, "    "+line)
			}
		}
	}
	for _, name := range tree(t) {
		folder := path.Dir(name)
		whole := slices.Contains([]string{"tools/evidence/assure", "tools/release", "internal/rules"}, folder)
		evidence := strings.HasPrefix(name, "tools/evidence/") && folder != "tools/evidence/operations" // whose tests find what is missing
		if path.Ext(name) == ".go" || path.Ext(name) == ".py" {
			skips := 0
			for line := range strings.Lines(read(t, name)) {
				if asksCI.MatchString(line) {
					all = append(all, name+": "+strings.TrimSpace(line))
				}
				skips += len(skipCall.FindAllString(line, -1))
			}
			if skips > 0 {
				all = append(all, fmt.Sprintf("%s: %d skips", name, skips))
			}
		}
		switch {
		case folder == "tools/evidence/planted" && path.Ext(name) == ".txt":
			all = append(all, fmt.Sprintf("%s: %d errors", name, lines(t, `(?m)^== `, name)))
		case path.Ext(name) == ".go" && !strings.Contains(name, "/testdata/") && (whole || evidence):
			all = append(all, listsOf(t, name, whole)...)
		}
	}
	compareList(t, lengthsList, strings.Join(all, "\n")+"\n")
}

// TestComplete checks that CI leaves no module, package or test out, and that pages name what it runs.
func TestComplete(t *testing.T) {
	names, run := tree(t), read(t, ".ci/run")
	group := func(file, pattern string) string {
		texts, _ := groups(t, file, pattern)
		if texts == nil {
			t.FailNow()
		}
		return texts[1]
	}
	words := func(pattern string) []string { return strings.Fields(group(".ci/run", pattern)) }

	// Each module is in the workspace, or CI tests it outside, and a page tells how.
	workspace := strings.Fields(group("go.work", `use \( (.*?) \)`))
	outside := words(`for module in (.*?); do`)
	page := group("CONTRIBUTING.md", "`GOWORK=off go -C ([^|]*?)in place of `scale`")
	for _, name := range names {
		module := path.Dir(name)
		if path.Base(name) != "go.mod" || strings.Contains(name, "testdata/") {
			continue
		}
		uses := slices.Contains(workspace, "./"+strings.TrimPrefix(module, "."))
		if module == "." {
			uses = slices.Contains(workspace, ".")
		}
		if uses == slices.Contains(outside, module) {
			t.Errorf("the module %s must be either in go.work or among the modules that .ci/run tests outside it", module)
		}
		if !uses && !strings.Contains(page, module) {
			t.Errorf("CONTRIBUTING.md does not tell how to test the module %s", module)
		}
		if text := read(t, name); !strings.Contains(text, "\ngo "+group(".ci/run", `oldest=go(\S+)`)+"\n") {
			t.Errorf("%s: another version of Go than the oldest of .ci/run", name)
		}
	}

	// A page names the oldest and the newest version of Go that CI runs.
	versions, _ := groups(t, "CHANGELOG.md", `All of it passes with Go (\S+) and (\S+)\.`)
	if want := []string{group(".ci/run", `oldest=go(\S+)`), group(".ci/run", `newest=go(\S+)`)}; versions == nil || !slices.Equal(versions[1:], want) {
		t.Errorf("CHANGELOG.md says %q, and .ci/run runs Go %q", versions, want)
	}

	// Each build tag of the library is among those of CI's commands, or selects code that other processors run.
	tag := regexp.MustCompile(`\w+`)
	known := []string{"amd64", "arm64", "386", "arm", "mips", "mipsle", "wasm", "linux", "unix", "race", "limbs29", "limbs32", "jsonv2"} // jsonv2 is the default of Go 1.27
	tags := make(map[string]bool)
	for _, name := range names {
		if path.Ext(name) != ".go" || strings.HasPrefix(name, "tools/") || strings.Contains(name, "testdata/") {
			continue
		}
		for _, line := range regexp.MustCompile(`(?m)^//go:build (.*)$`).FindAllStringSubmatch(read(t, name), -1) {
			for _, word := range tag.FindAllString(strings.NewReplacer("goexperiment.", "", "go1.27", "").Replace(line[1]), -1) {
				tags[word] = true
			}
		}
	}
	for word := range tags {
		if !slices.Contains(known, word) && !regexp.MustCompile(`(-tags \S*|GOEXPERIMENT=)\b`+word+`\b`).MatchString(run) {
			t.Errorf("no command of .ci/run has the build tag %s", word)
		}
	}

	// Each package with tests is in the library's list, or among the others, of which the release gate tests those that
	// the step leaves out.
	library := words(`library="(.*?)"`)
	tested := func(folder string) bool {
		return slices.ContainsFunc(library, func(pattern string) bool {
			under, all := strings.CutSuffix(pattern, "/...")
			return "./"+folder == under || pattern == folder || (all && strings.HasPrefix("./"+folder, under+"/"))
		})
	}
	for _, name := range names {
		top, _, _ := strings.Cut(name, "/")
		if path.Ext(name) == ".go" && !strings.Contains(name, "testdata/") && !slices.Contains([]string{"tools", "cmd", "scale", "compat"}, top) && !tested(path.Dir(name)) {
			t.Errorf("%s is in no package of the list library in .ci/run", name)
		}
	}
	left := group(".ci/run", `without \./\{(.*?)\}\)`)
	for _, folder := range strings.Split(left, ",") {
		step := regexp.MustCompile(`(?m)^\tshort: .* (\./)?tools/evidence/` + folder + `$`)
		if !step.MatchString(read(t, "tools/evidence/assure/checks.txt")) {
			t.Errorf("neither .ci/run nor the short form of assure tests tools/evidence/%s", folder)
		}
	}

	// The other platforms are the same for the library and for the command, and a page names all that run the tests.
	platforms := words(`for platform in (.*?); do`)
	few := regexp.MustCompile(`"([^"]*)"`).FindAllStringSubmatch(group("tools/release/targets_test.go", `few = \[\]string\{(.*?)\}`), -1)
	if len(few) != len(platforms) {
		t.Errorf(".ci/run vets %q, and cmd/p256k1 is tested for %q", platforms, few)
	}
	for _, f := range few {
		if !slices.Contains(platforms, f[1]) {
			t.Errorf(".ci/run does not vet the library for %s", f[1])
		}
	}
	claim := group("docs/assurance-case.md", "tests pass on ([^|]*?) \\| `.ci/run`")
	ran := regexp.MustCompile(`GOARCH=(\w+) go test`).FindAllStringSubmatch(run, -1)
	for _, processor := range ran {
		if name := strings.Replace(processor[1], "wasm", "WebAssembly", 1); !strings.Contains(strings.ToLower(claim), strings.ToLower(name)) {
			t.Errorf("docs/assurance-case.md does not name %s, for which .ci/run runs tests", name)
		}
	}
	if commas := len(regexp.MustCompile(`, (?:and )?|\band\b`).FindAllString(claim, -1)); len(ran) != commas+1 {
		t.Errorf("docs/assurance-case.md names %d platforms (%s), and .ci/run runs tests for %d", commas+1, claim, len(ran))
	}
}
