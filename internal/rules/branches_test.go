package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

var (
	tiedTo = regexp.MustCompile(`^(?:tested|vectors) ([\w/]+)((?: Test\w+)+)`)
	block  = regexp.MustCompile(`^p256k1\.mleku\.dev/v2/(\S+):(\d+)\.\d+,\d+\.\d+ (\d+) (\d+)$`)
)

// TestBranches runs the tests that ties.txt of grouplaw names for functions below theorems, and the packages' tests of
// panics, with assembly and without. It expects that they take every branch of these functions. For inversions, the
// vectors of the model must take every branch.
func TestBranches(t *testing.T) {
	if testing.Short() || runtime.GOARCH != "amd64" {
		t.Skip("runs the tests of ten packages in builds for amd64 and 386")
	}
	var folders, tests []string
	tied, inRows := map[string]bool{}, false
	for line := range strings.Lines(read(t, "tools/evidence/grouplaw/ties.txt")) {
		m := tiedTo.FindStringSubmatch(line)
		file, names, isRow := strings.Cut(strings.TrimPrefix(line, "\t"), ": ")
		switch {
		case m != nil:
			inRows, folders, tests = true, append(folders, "./"+m[1]), append(tests, strings.Fields(m[2])...)
		case line[0] != '\t':
			inRows = false
		case isRow && inRows && strings.HasSuffix(file, ".go"):
			for _, name := range strings.Fields(names) {
				name, _, _ = strings.Cut(name, "=")
				tied[file+" "+name] = true
			}
		}
	}
	model := taken(t, []string{"./internal/modinv"}, []string{"TestModel"})
	blocks, seen := 0, map[string]bool{}
	for place, isTaken := range taken(t, folders, append(tests, `\w+Panics`)) {
		file, number, _ := strings.Cut(place, ":")
		line, f := function(t, file, libtest.Must(strconv.Atoi(number)))
		if !tied[file+" "+f] {
			continue
		}
		if strings.HasPrefix(file, "internal/modinv/safegcd") {
			isTaken = model[place]
		}
		blocks++
		seen[file+" "+f] = true
		if !isTaken {
			t.Errorf("no test takes %s %s: %s", place, f, line)
		}
	}
	for f := range tied {
		if file, name, _ := strings.Cut(f, " "); !seen[f] && hasBody(t, file, name) {
			t.Errorf("no test that ties.txt names is in the package of %s", f)
		}
	}
	t.Logf("result: tests take all %d branches of functions below theorems", blocks)
}

// taken returns whether tests take blocks in the folders, in any build, by the block's file and line.
func taken(t *testing.T, folders, tests []string) map[string]bool {
	slices.Sort(folders)
	folders = slices.Compact(folders)
	all := map[string]bool{}
	for _, build := range []struct {
		arch, tags, cover string
		folders           []string
	}{
		{"amd64", "", "", folders}, {"amd64", "purego", "", folders}, {"amd64", "purego,lanes", "", folders},
		{"amd64", "purego,doubles", "", []string{"./internal/lanes", "./internal/batch"}}, {"386", "", "", []string{"./internal/modinv"}},
		{"amd64", "", "./internal/opaque", []string{"./curve", "./internal/schemes/verify"}}, // which has no tests of its own
	} {
		profile := filepath.Join(t.TempDir(), "profile")
		cmd := exec.Command("go", "test", "-short", "-vet=off", "-tags", build.tags, "-run", "^("+strings.Join(tests, "|")+")$", "-coverprofile", profile)
		if build.cover != "" {
			cmd.Args = append(cmd.Args, "-coverpkg", build.cover)
		}
		cmd.Args = append(cmd.Args, build.folders...)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOARCH="+build.arch)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", cmd, err, out)
		}
		for line := range strings.Lines(string(libtest.Must(os.ReadFile(profile)))) {
			if m := block.FindStringSubmatch(strings.TrimSpace(line)); m != nil && m[3] != "0" {
				all[m[1]+":"+m[2]] = all[m[1]+":"+m[2]] || m[4] != "0"
			}
		}
	}
	return all
}

// function returns a line of a file, and the name of the function that has it.
func function(t *testing.T, file string, number int) (line, name string) {
	set, text := token.NewFileSet(), read(t, file)
	for _, d := range libtest.Must(parser.ParseFile(set, file, text, 0)).Decls {
		if f, ok := d.(*ast.FuncDecl); ok && set.Position(f.Pos()).Line <= number && number <= set.Position(f.End()).Line {
			return strings.TrimSpace(strings.Split(text, "\n")[number-1]), fullName(f)
		}
	}
	return "", ""
}

func hasBody(t *testing.T, file, name string) bool {
	return slices.ContainsFunc(libtest.Must(parser.ParseFile(token.NewFileSet(), file, read(t, file), 0)).Decls, func(d ast.Decl) bool {
		f, ok := d.(*ast.FuncDecl)
		return ok && fullName(f) == name && f.Body != nil && len(f.Body.List) > 0
	})
}

// fullName returns the name of a function or method as ties.txt has it.
func fullName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	kind := f.Recv.List[0].Type
	if star, ok := kind.(*ast.StarExpr); ok {
		kind = star.X
	}
	if id, ok := kind.(*ast.Ident); ok {
		return id.Name + "." + f.Name.Name
	}
	return ""
}
