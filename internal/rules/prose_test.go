package rules

import (
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// tree lists the folders and files of the repository, all modules included.
func tree(t *testing.T) (names []string) {
	t.Helper()
	tellFolder()
	if _, err := os.Stat("tools/go.mod"); err != nil {
		// If the go command has downloaded the module, the folder does not contain the other modules of the repository.
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("not a clone: ", err)
	}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && name != ".ci" && (d.Name()[0] == '.' || d.Name() == "node_modules" || d.Name() == "dist") {
			return filepath.SkipDir
		}
		names = append(names, filepath.ToSlash(name))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func read(t *testing.T, name string) string {
	t.Helper()
	tellFolder()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// pages returns the names of the pages in the tree.
func pages(names []string) (pages []string) {
	for _, name := range names {
		if path.Ext(name) == ".md" && !strings.Contains(name, "testdata/") {
			pages = append(pages, name)
		}
	}
	return pages
}

// TestOnePage checks the length of ARCHITECTURE.md, and that the page names every folder of the root and of internal.
func TestOnePage(t *testing.T) {
	names := tree(t)
	lines := strings.Split(strings.TrimSuffix(read(t, "ARCHITECTURE.md"), "\n"), "\n")
	if len(lines) > 60 {
		t.Errorf("ARCHITECTURE.md has %d lines, more than 60", len(lines))
	}
	var rooms []string
	inBlock := false
	for i, line := range lines {
		if n := utf8.RuneCountInString(line); n > maxLine {
			t.Errorf("ARCHITECTURE.md:%d has %d characters, more than %d", i+1, n, maxLine)
		}
		if strings.HasPrefix(line, "```") {
			inBlock = !inBlock
		} else if inBlock {
			for _, word := range strings.Fields(line) {
				if room, ok := strings.CutSuffix(word, "/"); ok {
					rooms = append(rooms, room)
				}
			}
		}
	}
	exists := func(name string) bool {
		info, err := os.Stat(name)
		return err == nil && info.IsDir()
	}
	for _, room := range rooms {
		if !exists(room) && !exists("internal/"+room) {
			t.Errorf("ARCHITECTURE.md names the folder %s, which does not exist", room)
		}
	}
	named := make(map[string]bool) // the folders that contain files of the repository
	for _, name := range names {
		if ext := path.Ext(name); ext != ".go" && ext != ".md" {
			continue
		}
		folder, rest, ok := strings.Cut(name, "/")
		if folder == "internal" {
			folder, _, ok = strings.Cut(rest, "/")
		}
		if !ok || folder[0] == '.' || named[folder] {
			continue
		}
		named[folder] = true
		if !slices.ContainsFunc(rooms, func(room string) bool { return strings.HasPrefix(room+"/", folder+"/") }) {
			t.Errorf("ARCHITECTURE.md does not name the folder of %s", name)
		}
	}
	if len(named) < 20 {
		t.Errorf("%d folders in all: does this test still find them?", len(named))
	}
}

// foreign lists names in backquotes that pages use for things outside this repository.
var foreign = []string{
	"node_modules/p256k1/p256k1.wasm", "vite.config.js", // files of programs that use the JavaScript package (tools/js)
	"p256k1.wasm",             // built, not committed
	"wasm_exec.js", "tests.c", // files of Go and of libsecp256k1
	"ecmult_const_impl.h", "doc/safegcd_implementation.md", // files of libsecp256k1
	"old.txt", "new.txt", "BenchmarkVerify/p256k1", "BenchmarkVerify/btcec", // not files
	"cmd/p256k1/v0.1.0", "ethereum/v0.1.0", "ethereum/geth/v0.1.0", "scale/v0.1.0", "nostr/v0.1.0", "protocols/v0.1.0", "compat/decred/v4.4.1-p256k1.0.1.0", "compat/btcec/v2.5.1-p256k1.0.1.0", "compat/erigon/v1.3.0-p256k1.0.1.0", // tags, not files
}

var (
	inline   = regexp.MustCompile("`([^`\n]+)`")
	pathLike = regexp.MustCompile(`^[A-Za-z0-9_.*-]+(/[A-Za-z0-9_.*-]+)*/?$`)
	fileLike = regexp.MustCompile(`\.(go|md|s|py|txt|js|ts|csv|svg|json)$`)
)

// TestPaths checks that the folders and files that pages name in backquotes exist. A name is checked if it has a slash
// or the extension of a file; a name without a folder may be anywhere.
func TestPaths(t *testing.T) {
	if runtime.GOARCH == "wasm" {
		t.Skip("there is no go command, and the pages are tested on other platforms")
	}
	names := tree(t)
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	std := filepath.Join(strings.TrimSpace(string(goroot)), "src")
	found := 0
	for _, page := range pages(names) {
		if page == "CHANGELOG.md" || strings.HasPrefix(page, "tools/evidence/reports/") {
			continue
		}
		for i, line := range strings.Split(read(t, page), "\n") {
			for _, match := range inline.FindAllStringSubmatch(line, -1) {
				name := strings.TrimPrefix(match[1], "./")
				first, _, slash := strings.Cut(name, "/")
				switch {
				case !pathLike.MatchString(name), !slash && !fileLike.MatchString(name):
					continue
				case slash && strings.Contains(first, ".") && first != ".ci": // an import path
					continue
				case slices.Contains(foreign, name):
					continue
				}
				if _, err := os.Stat(filepath.Join(std, name)); slash && err == nil {
					continue // a package of the standard library
				}
				found++
				here := path.Join(path.Dir(page), name)
				name = strings.TrimSuffix(name, "/")
				if !slices.ContainsFunc(names, func(file string) bool {
					base := ""
					if !slash {
						base = path.Base(file)
					}
					return glob(name, file) || glob(here, file) || glob(name, base)
				}) {
					t.Errorf("%s:%d names %s, which does not exist", page, i+1, name)
				}
			}
		}
	}
	if found < 50 {
		t.Errorf("%d paths in all pages: does this test still find them?", found)
	}
}

func glob(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

var (
	goCommand   = regexp.MustCompile(`\bgo (?:-C \S+ )?(?:run|test|build|vet)\b(?:'[^'` + "`" + `\n]*'|[^` + "`" + `'|&\n])*`)
	script      = regexp.MustCompile(`\b(?:python3|node) ([a-z][\w/]*\.(?:py|js))`)
	patternFlag = regexp.MustCompile(` -(?:test\.)?(run|skip|fuzz|bench)[ =](?:'([^']+)'|([^\s'",;)]+))`)
	alternation = regexp.MustCompile(`^(.*?)\(([^()]*)\)(.*)$`)
	runsBinary  = regexp.MustCompile(`\b(\w+)\.test\b.* -test\.`) // a command that runs the tests of a package, which it has compiled before
)

// testsOf are the names of the functions that "go test" calls in a folder, and the text of its tests.
type testsOf struct {
	functions []string
	text      string
}

// selects returns the parts of the value of -run, -skip, -fuzz or -bench to which no test belongs: one of several
// alternatives, for example. Names of subtests must occur in a string.
func selects(kind, pattern string, tests testsOf) (missing []string) {
	if pattern == "xxx" || pattern == "^$" || pattern == "." {
		return nil // all or, on purpose, none
	}
	prefix := map[string]string{"bench": "Benchmark", "fuzz": "Fuzz"}[kind]
	levels := strings.Split(pattern, "/")
	before, alternatives, after := "", levels[0], ""
	if group := alternation.FindStringSubmatch(levels[0]); group != nil {
		before, alternatives, after = group[1], group[2], group[3]
	}
	for one := range strings.SplitSeq(alternatives, "|") {
		compiled := regexp.MustCompile(before + one + after)
		if !slices.ContainsFunc(tests.functions, func(name string) bool {
			return strings.HasPrefix(name, prefix) && compiled.MatchString(name)
		}) {
			missing = append(missing, before+one+after)
		}
	}
	for _, level := range levels[1:] {
		for one := range strings.SplitSeq(level, "|") {
			word, _, _ := strings.Cut(strings.Trim(one, "^$"), "@") // a version is in a file
			inString := "[\"`][^\"`\n]*" + word + "[^\"`\n]*[\"`]"
			if number := regexp.MustCompile(`^\d+$`); number.MatchString(word) {
				inString = `\b` + word + `\b`
			}
			if !regexp.MustCompile(inString).MatchString(tests.text) {
				missing = append(missing, "/"+one)
			}
		}
	}
	return missing
}

// TestCommands checks that the folders, scripts and tests exist that commands name, in pages, in comments, in CI, in
// the release gate, and for planted errors. A pattern to which no test belongs would make "go test" pass.
func TestCommands(t *testing.T) {
	names := tree(t)
	tests := make(map[string]testsOf) // by folder
	function := regexp.MustCompile(`(?m)^func (Test\w+|Fuzz\w+|Benchmark\w+|Example\w*)\(`)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			folder, text := tests[path.Dir(name)], read(t, name)
			for _, match := range function.FindAllStringSubmatch(text, -1) {
				folder.functions = append(folder.functions, match[1])
			}
			folder.text += text
			tests[path.Dir(name)] = folder
		}
	}
	found, patterns := 0, 0
	check := func(where, line string) {
		line = strings.ReplaceAll(line, `\|`, "|")
		for _, command := range goCommand.FindAllString(line, -1) {
			words := strings.Fields(command)
			module := ""
			if words[1] == "-C" && !strings.HasPrefix(words[2], "..") { // not in a clone beside another project
				module = words[2]
			}
			var tested testsOf
			for _, word := range words {
				folder, ok := strings.CutPrefix(word, "./")
				folder, _, all := strings.Cut(folder, "...")
				folder = strings.Trim(folder, ".,;:)'\"/")
				if word != "." && (!ok || (folder == "" && !all)) {
					continue
				}
				found++
				folder = path.Join(".", module, folder)
				own := path.Join(path.Dir(where), folder) // the folder, if the page is about a module outside the workspace
				in := func(dir string) bool {
					return dir == folder || (all && (folder == "." || strings.HasPrefix(dir, folder+"/"))) || (dir == own && path.Ext(where) == ".md")
				}
				if !slices.ContainsFunc(names, func(file string) bool { return path.Ext(file) == ".go" && in(path.Dir(file)) }) {
					t.Errorf("%s: no package in %s, of %q", where, folder, command)
					continue
				}
				for dir, others := range tests {
					if in(dir) {
						tested.functions, tested.text = append(tested.functions, others.functions...), tested.text+others.text
					}
				}
			}
			if binary := runsBinary.FindStringSubmatch(command); binary != nil {
				tested = tests["internal/"+binary[1]]
			}
			if tested.functions == nil || !(strings.Contains(command, " test ") || strings.Contains(command, " -test.")) {
				continue
			}
			for _, flag := range patternFlag.FindAllStringSubmatch(command, -1) {
				patterns++
				for _, missing := range selects(flag[1], flag[2]+flag[3], tested) {
					t.Errorf("%s: no test is called %s, of %q", where, missing, command)
				}
			}
		}
		for _, match := range script.FindAllStringSubmatch(line, -1) {
			found++
			if !slices.Contains(names, match[1]) {
				t.Errorf("%s: there is no %s", where, match[1])
			}
		}
	}
	for _, name := range names {
		page, code, ci := path.Ext(name) == ".md", path.Ext(name) == ".go", path.Dir(name) == ".ci"
		list, gate := path.Dir(name) == "tools/evidence/planted" && path.Ext(name) == ".txt", name == "tools/evidence/assure/checks.txt"
		if !(page || code || ci || list || gate) || strings.Contains(name, "testdata/") || strings.HasPrefix(name, "tools/evidence/reports/") || name == "CHANGELOG.md" {
			continue
		}
		for _, line := range strings.Split(read(t, name), "\n") {
			if page || ci || gate || strings.HasPrefix(strings.TrimSpace(line), "//") || (list && strings.HasPrefix(line, "$ ")) {
				check(name, line)
			}
		}
	}
	if found < 800 || patterns < 400 {
		t.Errorf("%d commands in all, with %d patterns: does this test still find them?", found, patterns)
	}
}
