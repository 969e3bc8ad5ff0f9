package dropin

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"p256k1.mleku.dev/v2/internal/libtest"
)

var (
	released = flag.String("programs", "", "the programs that TestPrograms tests: a regular expression for their modules; a few programs if empty")
	rounds   = flag.Int("programs-benchmarks", 0, "instead of tests, run the benchmarks so many times, without and with the replacement in turns, and print a table")
)

// A subject is a released program, or a part of a program, that uses Decred's module or btcec's module.
type subject struct {
	Module   string // module path with its version
	Least    int    // the least number of tests that must pass
	Packages string // arguments of go test, separated by spaces

	// What only some subjects need.
	Few   bool     // tested by default
	Raise string   // a module and version for go get, because the version that the program requires cannot be replaced
	Skip  string   // tests that this machine cannot run, or that sometimes fail without the replacement
	Edit  string   // arguments of go mod edit, without which the program's tests do not run outside of its repository
	Tags  string   // flags of the build
	Timed []string // a package, and a regular expression of its benchmarks, or of tests if it begins with ^Test
	Added string   // a package to which the benchmarks in the folder of the same name in testdata are added

	env []string // the environment of the go command
}

// subjects returns the programs of testdata/programs.jsonl, in which Why has the reason for the other fields.
func subjects(t *testing.T) (all []subject) {
	for line := range bytes.Lines(read("testdata/programs.jsonl")) {
		var s subject
		libtest.Check(t, json.Unmarshal(line, &s))
		all = append(all, s)
	}
	return all
}

// noC makes programs use Go code in place of C, which go-ethereum, for example, would use.
var noC = []string{"CGO_ENABLED=0"}

// results maps the tests of packages to their outcomes: passed, failed or skipped. It also contains the packages that
// do not build.
type results map[string]string

func (r results) count(action string) (list []string) {
	for _, name := range slices.Sorted(maps.Keys(r)) {
		if r[name] == action {
			list = append(list, name)
		}
	}
	return list
}

// test runs the tests.
func (s *subject) test(t *testing.T, dir string) results {
	t.Helper()
	args := []string{"test", "-json", "-vet=off", "-count=1", "-timeout=30m", "-tags=" + s.Tags}
	if s.Skip != "" {
		args = append(args, "-skip", s.Skip)
	}
	text, _ := run(t, dir, s.env, "go", append(args, strings.Fields(s.Packages)...)...) // the results say which tests failed
	r, ran := make(results), 0
	var all strings.Builder
	for line := range strings.Lines(text) {
		var event struct {
			Action, Package, Test, Output, FailedBuild string
		}
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			all.WriteString(line)
			continue
		}
		all.WriteString(event.Output)
		switch event.Action {
		case "pass", "fail", "skip":
			if event.FailedBuild != "" {
				event.Action = "does not build"
			}
			if r[event.Package+" "+event.Test] = event.Action; event.Test != "" {
				ran++
			}
		}
	}
	if ran == 0 || len(r.count("does not build")) > 0 {
		t.Fatalf("%d tests ran, and of these packages none: %q\n%s", ran, r.count("does not build"), all.String())
	}
	return r
}

// each runs a subtest for each chosen subject, with a copy of the program. It returns the number of subtests.
func each(t *testing.T, subjects []subject, test func(t *testing.T, s *subject, there string)) (tested int) {
	chosen := regexp.MustCompile(*released)
	for _, s := range subjects {
		name := s.Module
		if s.Raise != "" {
			name += " with " + s.Raise
		}
		if (*released == "" && !s.Few) || !chosen.MatchString(name) {
			continue
		}
		tested++
		t.Run(name+" "+s.Packages, func(t *testing.T) {
			module, version, _ := strings.Cut(s.Module, "@")
			there := copied(t, original(t, module, version))
			os.Remove(filepath.Join(there, "go.work")) // the archive lacks folders that go.work names
			edits := strings.Fields(s.Edit)
			for _, r := range libtest.Must(modfile.Parse("go.mod", read(there, "go.mod"), nil)).Replace {
				_, err := os.Stat(filepath.Join(there, r.New.Path, "go.mod"))
				if r.New.Version == "" && err != nil { // the archive lacks it, too
					edits = append(edits, "-dropreplace="+r.Old.String())
				}
			}
			if len(edits) > 0 {
				editMod(t, there, edits...)
			}
			test(t, &s, there)
		})
	}
	return tested
}

// uses fails the test unless the program is built from a package of the library.
func (s *subject) uses(t *testing.T, dir, pkg string) {
	t.Helper()
	deps, err := run(t, dir, s.env, "go", append([]string{"list", "-deps", "-test", "-tags=" + s.Tags}, strings.Fields(s.Packages)...)...)
	if err != nil || !strings.Contains(deps, "\n"+pkg+"\n") {
		t.Fatalf("%v; the program does not use the replacement:\n%s", err, deps)
	}
}

// both runs the tests without and with the replacement. Every test that passes without must pass with the replacement.
// It returns the tests that pass only with the replacement.
func (s *subject) both(t *testing.T, there, here string) (more []string) {
	t.Helper()
	start := time.Now()
	before, after := s.test(t, there), s.test(t, here)
	for _, test := range before.count("pass") {
		if after[test] != "pass" {
			t.Errorf("%s passes with the original module; with the replacement: %q", test, after[test])
		}
	}
	passed := after.count("pass")
	for _, test := range passed {
		if before[test] != "pass" {
			t.Logf("passes with the replacement only, and without it %q: %s", before[test], test)
			more = append(more, test)
		}
	}
	t.Logf("%d pass with the replacement; %q fail with the original module, %q with the replacement; %v",
		len(passed), before.count("fail"), after.count("fail"), time.Since(start).Round(time.Second))
	if len(passed) < s.Least {
		t.Errorf("%d pass, at least %d are needed", len(passed), s.Least)
	}
	return more
}

// TestPrograms runs the unmodified tests of programs, in copies of the module proxy's archives. It runs the tests
// without the replacement, and with the lines that "p256k1 replace -w" writes.
func TestPrograms(t *testing.T) {
	notShort(t)
	p256k1 := command(t)
	tested := each(t, subjects(t), func(t *testing.T, s *subject, there string) {
		s.env = noC
		if s.Raise != "" {
			mustRun(t, there, "go", "get", s.Raise)
		}
		mustRun(t, there, "go", "list", "-m", decred.path) // needs the network: a go.mod from before Go 1.17 does not list all requirements
		here := copied(t, there)
		mustRun(t, root, p256k1, "replace", "-w", "--local", root, here)
		addSums(t, here, decred.dir)
		editMod(t, here, "-go=1.26.0") // go mod tidy would also look for requirements of other packages
		s.uses(t, here, "p256k1.mleku.dev/v2/compat/decred")
		// btcec is also replaced if the program requires a version that can be replaced.
		for _, d := range []*dropIn{decred, btcec} {
			version, err := run(t, there, nil, "go", "list", "-m", "-f", "{{.Version}}", d.path)
			version = strings.TrimSpace(version)
			if err != nil || strings.HasPrefix(s.Module, d.path+"@") || semver.Compare(version, older[btcec][0]) < 0 {
				continue
			}
			folder := strings.TrimSpace(mustRun(t, here, "go", "list", "-m", "-f", "{{.Replace.Path}}", d.path))
			if filepath.Join(here, folder) != d.dir {
				t.Errorf("%s %s is replaced by %s", d.path, version, folder)
			}
			t.Logf("replaced: %s %s", d.path, version)
		}
		if *rounds > 0 {
			s.compare(t, there, here)
		} else {
			s.both(t, there, here)
		}
	})
	if tested == 0 {
		t.Errorf("no program's module matches %q", *released)
	}
}

// erigons lists packages of Erigon that have tests and call Erigon's module. Other packages of Erigon need modules that
// exist only in its repository.
var erigons = []subject{
	{Module: "github.com/ledgerwatch/erigon-lib@v1.0.0", Least: 45, Packages: "./types", Few: true},
	{Module: "github.com/ledgerwatch/erigon-lib@v1.0.0", Least: 200, Packages: "./txpool"},
	{Module: "github.com/erigontech/erigon@v1.9.7-0.20250627051334-b48bd312b712", Least: 2, Packages: "./tests/fuzzers/secp256k1", Few: true,
		Edit: "-droprequire=github.com/erigontech/erigon-lib -droprequire=github.com/erigontech/erigon-db"},
}

// TestErigonPrograms runs the unmodified tests of packages of Erigon, with libsecp256k1 and with this project's module,
// which also takes the place of Erigon's module under its older name.
func TestErigonPrograms(t *testing.T) {
	notShort(t)
	each(t, erigons, func(t *testing.T, s *subject, there string) {
		s.env = []string{"CGO_ENABLED=1"} // for libsecp256k1 without the replacement, and for Erigon's database
		here := copied(t, there)
		replace(t, here, erigon)
		editMod(t, here, "-go=1.26.0", "-replace=github.com/ledgerwatch/secp256k1="+erigon.dir,
			"-require=p256k1.mleku.dev/v2@v2.0.0-beta.1", "-require=golang.org/x/sys@v0.49.0")
		s.uses(t, here, "p256k1.mleku.dev/v2/ecdsa")
		if more := s.both(t, there, here); len(more) > 0 {
			t.Errorf("%q pass with the replacement only", more)
		}
	})
}

// compare prints the times of a program with the original library and with this library.
func (s *subject) compare(t *testing.T, there, here string) {
	for _, what := range s.Timed {
		pkg, pattern, _ := strings.Cut(what, " ")
		var programs, folders [2]string
		for side, dir := range []string{there, here} {
			if s.Added != "" {
				write(t, filepath.Join(dir, s.Added), "added_test.go", read("testdata", s.Added, "engine.go"))
			}
			programs[side], folders[side] = filepath.Join(t.TempDir(), "program.test"), filepath.Join(dir, pkg)
			if text, err := run(t, dir, noC, "go", "test", "-c", "-vet=off", "-o", programs[side], pkg); err != nil {
				t.Fatal(text)
			}
		}
		if !compare(t, strings.TrimPrefix(s.Module, "github.com/")+" "+strings.TrimPrefix(pkg, "./"), pattern, programs, folders, *rounds) {
			t.Errorf("no benchmark matches %s", what)
		}
	}
}

// compare runs benchmarks or tests of two programs alternately. It prints the rows of a table: the medians of their
// times, the ratio and the allocations. It reports whether there were any benchmarks.
func compare(t *testing.T, name, pattern string, programs, folders [2]string, rounds int) bool {
	isTest := strings.HasPrefix(pattern, "^Test")
	args := []string{"-test.count=1", "-test.run=^$", "-test.bench=" + pattern, "-test.benchmem", "-test.benchtime=50ms"}
	if isTest {
		args = []string{"-test.count=1", "-test.run=" + pattern, "-test.v"}
	}
	line := regexp.MustCompile(`(?m)^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+([0-9.]+) ns/op\s.*?(\d+) allocs/op`)
	times := make(map[string]*[2][]float64) // microseconds
	allocs := make(map[string]*[2]string)
	for range rounds {
		for side, program := range programs {
			cmd := exec.Command(program, args...)
			cmd.Dir = folders[side]
			text, err := cmd.CombinedOutput()
			if err != nil || (isTest && !strings.Contains(string(text), "--- PASS")) {
				t.Fatalf("%v\n%s", err, text)
			}
			found := line.FindAllStringSubmatch(string(text), -1)
			if isTest {
				found = [][]string{{"", strings.Trim(pattern, "^$"), fmt.Sprint(cmd.ProcessState.UserTime().Nanoseconds()), ""}}
			}
			for _, m := range found {
				if times[m[1]] == nil {
					times[m[1]], allocs[m[1]] = new([2][]float64), new([2]string)
				}
				times[m[1]][side] = append(times[m[1]][side], libtest.Must(strconv.ParseFloat(m[2], 64))/1000)
				allocs[m[1]][side] = m[3]
			}
		}
	}
	for _, what := range slices.Sorted(maps.Keys(times)) {
		a, b := median(times[what][0]), median(times[what][1])
		fmt.Printf("| %s: %s | %.1f | %.1f | %.2f | %s, %s |\n", name, what, a, b, b/a, allocs[what][0], allocs[what][1])
	}
	return len(times) > 0
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}
