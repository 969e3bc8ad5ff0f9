package main

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/go/packages"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/evidence/internal/mentions"
)

// enterToy makes a copy of testdata/toy the current folder. This module has targets that pass, that fail for an input
// that the fuzzer must find, that fail for a seed, and that do not compile. It also has functions that are not targets.
func enterToy(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "toy")
	libtest.Check(t, os.CopyFS(dir, os.DirFS("testdata/toy")))
	t.Chdir(dir)
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
}

// TestPlanted checks that errors are found and reported, and that later targets still run.
func TestPlanted(t *testing.T) {
	enterToy(t)
	for _, guided := range []string{"true", "false"} {
		var out, log bytes.Buffer
		err := run(t.Context(), []string{"-time", "3000x", "-guided=" + guided, "./..."}, &out, &log)
		if err == nil || err.Error() != "3 failures" {
			t.Errorf("-guided=%s: error %v", guided, err)
		}
		for _, want := range []string{
			`(?m)^toy\.FuzzGood +\S+ +3000 executions$`,
			`(?ms)^result: fuzz: toy\.FuzzPlanted FAILED$.* the planted error$.*^ *Failing input written to testdata/fuzz/FuzzPlanted/[0-9a-f]{16}$`,
			`(?ms)^result: fuzz: toy\.FuzzSeed FAILED$.*FuzzSeed/seed#1.*the planted panic`,
			`(?m)^toy\.FuzzLast +\S+ +3000 executions$`,
			`(?ms)^result: fuzz: example\.org/toy/broken FAILED:.*undefined: undefined`,
			`(?m)^result: fuzz: 4 of 5 targets, .* 3 failures$`,
		} {
			if !regexp.MustCompile(want).Match(out.Bytes()) {
				t.Errorf("-guided=%s: no %s", guided, want)
			}
		}
		if found, _ := filepath.Glob("testdata/fuzz/FuzzPlanted/*"); len(found) != 1 {
			t.Errorf("-guided=%s: inputs %v", guided, found)
		}
		if t.Failed() {
			t.Fatalf("in:\n%s%s", &out, &log)
		}
		os.RemoveAll("testdata")
	}
}

// TestResume runs targets for a second and runs them again, which does nothing. It then runs them for an hour, stops
// this run, and resumes it.
func TestResume(t *testing.T) {
	enterToy(t)
	fuzz := func(ctx context.Context, budget string) (out string, had map[string]time.Duration) {
		var both bytes.Buffer
		err := run(ctx, []string{"-run", "Good|Last", "-time", budget, "-parallel", "1", "-guided=false", "-resume", "had.json", "."}, &both, &both)
		out = both.String()
		if err != nil && ctx.Err() == nil {
			t.Fatalf("%v\n%s", err, out)
		}
		had = make(map[string]time.Duration)
		for _, row := range regexp.MustCompile(`(?m)^toy\.(\S+) +(\S+) +[1-9]\d* executions$`).FindAllStringSubmatch(out, -1) {
			had[row[1]], _ = time.ParseDuration(row[2])
		}
		return out, had
	}
	out, first := fuzz(t.Context(), "1s")
	if first["FuzzGood"] < time.Second || first["FuzzLast"] < time.Second || !strings.Contains(out, "2 of 2 targets have had 1s in all runs\n") {
		t.Fatalf("%v\n%s", first, out)
	}
	nothing := func(want map[string]time.Duration) {
		t.Helper()
		if out, had := fuzz(t.Context(), "1s"); !maps.Equal(had, want) || !strings.Contains(out, "result: fuzz: 0 of 2 targets, 1s each,") {
			t.Errorf("%v, want %v\n%s", had, want, out)
		}
	}
	nothing(first)
	stopped := first
	for wait := 3 * time.Second; stopped["FuzzGood"] <= first["FuzzGood"]; wait *= 2 { // the run first compiles the targets, which may take long
		ctx, cancel := context.WithTimeout(t.Context(), wait)
		out, stopped = fuzz(ctx, "1h")
		cancel()
	}
	if stopped["FuzzLast"] != first["FuzzLast"] || !strings.Contains(out, "result: fuzz: 0 of 2 targets have had 1h in all runs\n") {
		t.Fatalf("%v\n%s", stopped, out)
	}
	nothing(stopped)
}

// TestTargets checks that each name in ownInput is the name of a target, the number and the size of the committed
// inputs, and that each input belongs to a target.
func TestTargets(t *testing.T) {
	var names []string
	n, size := 0, 0
	for _, p := range list(t.Context(), nil, regexp.MustCompile("")) {
		var functions []string
		for _, target := range p.targets {
			names, functions = append(names, target.name), append(functions, target.function)
		}
		dirs, _ := filepath.Glob(filepath.Join(p.dir, "testdata", "fuzz", "*"))
		for _, dir := range dirs {
			if !slices.Contains(functions, filepath.Base(dir)) {
				t.Errorf("there is no target for %s", dir)
			}
			files := libtest.Must(os.ReadDir(dir))
			if len(files) > maxSeeds {
				t.Errorf("%s: %d inputs, more than %d", dir, len(files), maxSeeds)
			}
			for _, file := range files {
				info := libtest.Must(file.Info())
				if info.Size() > maxSeedSize {
					t.Errorf("%s in %s: more than %d bytes", file.Name(), dir, maxSeedSize)
				}
				n, size = n+1, size+int(info.Size())
			}
		}
	}
	for _, name := range ownInput {
		if !slices.Contains(names, name) {
			t.Errorf("there is no target %s", name)
		}
	}
	t.Logf("result: %d targets, %d of which read no hostile bytes; %d inputs with %d bytes", len(names), len(ownInput), n, size)
}

// TestSeeds offers an input that executes statements that the seed does not execute, and a longer input that executes
// the same statements. Only the first must become a seed.
func TestSeeds(t *testing.T) {
	enterToy(t)
	packages := list(t.Context(), []string{"."}, regexp.MustCompile("Good"))
	corpus := filepath.Join(packages[0].corpora, "FuzzGood")
	libtest.Check(t, os.MkdirAll(corpus, 0o777))
	for name, text := range map[string]string{"no-seed": "b", "seed": "magic", "longer": `ma\x67ic`} {
		name = filepath.Join(corpus, name)
		libtest.Check(t, os.WriteFile(name, fmt.Appendf(nil, "go test fuzz v1\n[]byte(\"%s\")\n", text), 0o666))
		defer os.Remove(name) // because the cache outlives the test
	}
	var out bytes.Buffer
	for _, want := range []string{"result: fuzz: 1 inputs added", "result: fuzz: 0 inputs added"} {
		if err := run(t.Context(), []string{"-seeds", "-run", "Good", "."}, &out, &out); err != nil || !strings.Contains(out.String(), want) {
			t.Fatalf("%v, no %q in:\n%s", err, want, &out)
		}
		if seeds, _ := filepath.Glob("testdata/fuzz/FuzzGood/*"); len(seeds) != 1 || filepath.Base(seeds[0]) != "seed" {
			t.Errorf("seeds %q", seeds)
		}
	}
}

// TestOSSFuzz runs the build script of the project for OSS-Fuzz. The script calls a command of OSS-Fuzz's image, for
// which the test has a replacement. Like the original, the replacement looks for the target in the package's folder and
// in all folders below, and fails unless exactly one file has the target.
func TestOSSFuzz(t *testing.T) {
	for _, program := range []string{"bash", "grep"} {
		libtest.Need(t, program)
	}
	bin := t.TempDir()
	const find = "#!/bin/sh\nset -e\nfile=$(grep -rl --include='*.go' \"func $2(.*testing\\.F\" \"$(go list -tags gofuzz -f '{{.Dir}}' $1)\")\n" +
		"test -f \"$file\" || { echo \"$1 $2: $file\" >&2; exit 1; }\necho $3\n"
	libtest.Check(t, os.WriteFile(filepath.Join(bin, "compile_native_go_fuzzer_v2"), []byte(find), 0o777))
	cmd := exec.CommandContext(t.Context(), "bash", "tools/evidence/fuzz/ossfuzz/build.sh")
	cmd.Dir = "../../.."
	cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "SRC="+t.TempDir())
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	names := strings.Fields(string(out))
	if err != nil || len(names) < 60 {
		t.Fatalf("%v, %d targets: %q", err, len(names), names)
	}
	slices.Sort(names)
	if n := len(slices.Compact(slices.Clone(names))); n != len(names) {
		t.Errorf("%d targets have %d names: %q", len(names), n, names)
	}
	t.Logf("result: the project for OSS-Fuzz builds %d targets", len(names))
}

// TestNothing tests names that match no target, and a time that is only enough for the seeds.
func TestNothing(t *testing.T) {
	var out, log bytes.Buffer
	err := run(t.Context(), []string{"-run", "nothing", "p256k1.mleku.dev/v2/schnorr"}, &out, &log)
	if err == nil || !strings.Contains(err.Error(), "no fuzz targets") {
		t.Errorf("error %v", err)
	}
	enterToy(t)
	err = run(t.Context(), []string{"-run", "FuzzGood", "-time", "1ns", "-guided=false", "."}, &out, &log)
	if err == nil || !strings.Contains(out.String(), "its seeds took all of the time") {
		t.Errorf("error %v\n%s", err, &out)
	}
}

// TestDeadline tests isDeadline with the output of a fuzzer whose time is over, and with outputs that contain other
// errors, too.
func TestDeadline(t *testing.T) {
	harmless := []string{"--- FAIL: FuzzX (2.01s)", "    context deadline exceeded", "FAIL"}
	if !isDeadline(harmless) {
		t.Error("refused")
	}
	for _, bad := range [][]string{
		nil, {"FAIL"}, append([]string{"fuzz: minimizing 34-byte failing input file"}, harmless...), slices.Concat(harmless, []string{"panic: no"}),
		{"--- FAIL: FuzzX (2.01s)", "    --- FAIL: FuzzX (0.00s)", "        x_test.go:1: context deadline exceeded", "FAIL"},
		{"--- FAIL: FuzzX (2.01s)", "    fuzzing process hung or terminated unexpectedly: exit status 2", "FAIL"},
	} {
		if isDeadline(bad) {
			t.Errorf("isDeadline is true for %q", bad)
		}
	}
}

// TestEveryParser checks that each exported function of the public packages that takes bytes is mentioned by a fuzz
// target of its package, or by test code that a target uses.
func TestEveryParser(t *testing.T) {
	ours := func(path string) bool { return strings.HasPrefix(path, "p256k1.mleku.dev/v2") }
	public := strings.Fields(". ./curve ./ecdsa ./schnorr ./ecdh ./ellswift ./signer ./keyformat")
	graph := libtest.Must(mentions.Load(packages.Config{Dir: "../../..", Tests: true}, ours, public...))
	inTest := func(f *mentions.Node) bool {
		return f.Decl != nil && strings.HasSuffix(f.Package.Fset.File(f.Decl.Pos()).Name(), "_test.go")
	}
	folder := func(f *mentions.Node) string { return strings.TrimSuffix(f.Package.PkgPath, "_test") }
	seen := make(map[*mentions.Node]bool)
	var visit func(f *mentions.Node)
	visit = func(f *mentions.Node) {
		for _, other := range f.Mentions {
			switch {
			case inTest(other) && !seen[other]:
				seen[other] = true
				visit(other)
			case other.Decl != nil && folder(other) == folder(f):
				seen[other] = true
			}
		}
	}
	for _, f := range graph {
		if d, ok := f.Decl.(*ast.FuncDecl); ok && inTest(f) && strings.HasPrefix(d.Name.Name, "Fuzz") {
			visit(f)
		}
	}
	n := 0
	for name, f := range graph {
		if d, ok := f.Decl.(*ast.FuncDecl); !ok || inTest(f) || !takesBytes(d) {
			continue
		}
		n++
		if !seen[f] {
			t.Errorf("no fuzz target mentions %s", name)
		}
	}
	t.Logf("result: %d exported functions take bytes, and fuzz targets of their packages call all of them", n)
	if n < 30 {
		t.Errorf("only %d functions were found", n)
	}
}

// takesBytes reports whether a function is exported and has a named parameter of bytes: a slice, an array or a pointer
// to an array.
func takesBytes(f *ast.FuncDecl) (takes bool) {
	ast.Inspect(f.Type.Params, func(n ast.Node) bool {
		if array, ok := n.(*ast.ArrayType); ok {
			takes = takes || types.ExprString(array.Elt) == "byte"
		}
		field, ok := n.(*ast.Field)
		return !ok || field.Names != nil
	})
	return takes && f.Name.IsExported()
}
