package main

import (
	"cmp"
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

// Committed inputs are few and short, because they run in every test of their package, and reviewers read them.
const (
	maxSeeds    = 4   // for each target
	maxSeedSize = 512 // in bytes, for each file
)

// addSeeds copies inputs that the fuzzer found into testdata/fuzz. For each target, it repeatedly takes the input that
// executes the most statements of this repository's modules that no seed executes; of several such inputs, it takes the
// shortest.
func (s *session) addSeeds(ctx context.Context, packages []*fuzzed) {
	added := 0
	for _, p := range packages {
		const own = "{{with .Module}}{{if not .Version}}{{$.ImportPath}}{{end}}{{end}}"
		deps := strings.Fields(must.Get(goCommand(ctx, "list", "-deps", "-f", own, p.path)))
		binary := filepath.Join(s.scratch, "test")
		must.Get(goCommand(ctx, "test", "-c", "-covermode=set", "-coverpkg="+strings.Join(deps, ","), "-o", binary, p.path))
		for _, t := range p.targets {
			added += s.addSeedsOf(ctx, p, t, binary)
		}
	}
	s.print("result: fuzz: %d inputs added", added)
}

func (s *session) addSeedsOf(ctx context.Context, p *fuzzed, t target, binary string) (added int) {
	corpus, dir := filepath.Join(p.corpora, t.function), filepath.Join(p.dir, "testdata", "fuzz", t.function)
	entries, err := os.ReadDir(corpus)
	if err != nil {
		return 0 // the target has not run yet
	}
	seeds, _ := os.ReadDir(dir) // the folder may be missing
	covered := s.executed(ctx, p, binary, "^"+t.function+"$")
	must.Do(os.MkdirAll(dir, 0o777))
	defer func() {
		os.Remove(dir) // and the folders above, if they are empty
		os.Remove(filepath.Dir(dir))
		os.Remove(filepath.Dir(filepath.Dir(dir)))
	}()
	type input struct {
		name       string
		size       int64
		statements map[string]bool
	}
	var inputs []input // the shortest first
	for _, entry := range entries {
		name := filepath.Join(dir, entry.Name())
		info := must.Get(entry.Info())
		if _, err := os.Stat(name); err == nil || info.Size() > maxSeedSize {
			continue
		}
		inputs = append(inputs, input{entry.Name(), info.Size(), func() map[string]bool {
			must.Do(os.Symlink(filepath.Join(corpus, entry.Name()), name))
			defer os.Remove(name)
			return s.executed(ctx, p, binary, "^"+t.function+"$/^"+entry.Name()+"$")
		}()})
	}
	slices.SortStableFunc(inputs, func(a, b input) int { return cmp.Compare(a.size, b.size) })
	for ; len(seeds)+added < maxSeeds; added++ {
		best, most := input{}, 1 // a single statement is not worth a file
		for _, in := range inputs {
			maps.DeleteFunc(in.statements, func(statement string, _ bool) bool { return covered[statement] })
			if n := len(in.statements); n > most {
				best, most = in, n
			}
		}
		if best.name == "" {
			break
		}
		text := must.Get(os.ReadFile(filepath.Join(corpus, best.name)))
		must.Do(os.WriteFile(filepath.Join(dir, best.name), text, 0o666))
		s.print("%-40s %4d bytes, %3d statements: %s", t.name, len(text), most, best.name)
		maps.Copy(covered, best.statements)
	}
	return added
}

// executed returns the statements that tests with matching names execute.
func (s *session) executed(ctx context.Context, p *fuzzed, binary, tests string) map[string]bool {
	profile := filepath.Join(s.scratch, "profile")
	cmd := exec.CommandContext(ctx, binary, "-test.run="+tests, "-test.coverprofile="+profile)
	cmd.Dir = p.dir
	must.Get(must.Output(cmd))
	statements := make(map[string]bool)
	for line := range strings.Lines(string(must.Get(os.ReadFile(profile)))) {
		if statement, ok := strings.CutSuffix(line, " 1\n"); ok {
			statements[statement] = true
		}
	}
	return statements
}
