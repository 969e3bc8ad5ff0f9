package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Committed inputs are few and short, because they run in every test of their package, and reviewers read them.
const (
	maxSeeds    = 4   // for each target
	maxSeedSize = 512 // in bytes, for each file
)

// addSeeds copies inputs that the fuzzer found into testdata/fuzz. For each target, it repeatedly takes the input that
// executes the most statements of this repository's modules that no seed executes; of several such inputs, it takes the
// shortest.
func (s *session) addSeeds(ctx context.Context, packages []*fuzzed) error {
	added := 0
	for _, p := range packages {
		deps, err := goCommand(ctx, "list", "-deps", "-f", "{{with .Module}}{{if not .Version}}{{$.ImportPath}}{{end}}{{end}}", p.path)
		if err != nil {
			return err
		}
		binary := filepath.Join(s.scratch, "test")
		if _, err := goCommand(ctx, "test", "-c", "-covermode=set", "-coverpkg="+strings.Join(strings.Fields(deps), ","), "-o", binary, p.path); err != nil {
			return err
		}
		for _, target := range p.targets {
			n, err := s.addSeedsOf(ctx, p, target, binary)
			if err != nil {
				return fmt.Errorf("%s: %w", p.name(target), err)
			}
			added += n
		}
	}
	s.print("result: fuzz: %d inputs added", added)
	return nil
}

func (s *session) addSeedsOf(ctx context.Context, p *fuzzed, target, binary string) (added int, err error) {
	found, err := os.ReadDir(filepath.Join(p.corpora, target))
	if err != nil {
		return 0, nil // the target has not run yet
	}
	size := make(map[string]int64)
	for _, f := range found {
		if info, err := f.Info(); err == nil {
			size[f.Name()] = info.Size()
		}
	}
	slices.SortFunc(found, func(a, b fs.DirEntry) int {
		return cmp.Or(cmp.Compare(size[a.Name()], size[b.Name()]), strings.Compare(a.Name(), b.Name()))
	})
	dir := filepath.Join(p.dir, "testdata", "fuzz", target)
	there, _ := os.ReadDir(dir) // the folder may be missing
	covered, err := s.executed(ctx, p, binary, "^"+target+"$")
	if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return 0, err
	}
	defer func() {
		os.Remove(dir) // and the folders above, if they are empty
		os.Remove(filepath.Dir(dir))
		os.Remove(filepath.Dir(filepath.Dir(dir)))
	}()
	statements := make(map[string]map[string]bool) // by name of the input
	for _, f := range found {
		name := filepath.Join(dir, f.Name())
		if _, err := os.Stat(name); err == nil || size[f.Name()] > maxSeedSize {
			continue
		}
		err := os.Symlink(filepath.Join(p.corpora, target, f.Name()), name)
		if err == nil {
			statements[f.Name()], err = s.executed(ctx, p, binary, "^"+target+"$/^"+f.Name()+"$")
			err = errors.Join(err, os.Remove(name))
		}
		if err != nil {
			return added, err
		}
	}
	for ; len(there)+added < maxSeeds; added++ {
		best, most := "", 1 // a single statement is not worth a file
		for _, f := range found {
			for statement := range covered {
				delete(statements[f.Name()], statement)
			}
			if n := len(statements[f.Name()]); n > most {
				best, most = f.Name(), n
			}
		}
		if best == "" {
			break
		}
		text, err := os.ReadFile(filepath.Join(p.corpora, target, best))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, best), text, 0o666)
		}
		if err != nil {
			return added, err
		}
		s.print("%-40s %4d bytes, %3d statements: %s", p.name(target), len(text), most, best)
		maps.Copy(covered, statements[best])
	}
	return added, nil
}

// executed returns the statements that tests with matching names execute.
func (s *session) executed(ctx context.Context, p *fuzzed, binary, tests string) (map[string]bool, error) {
	profile := filepath.Join(s.scratch, "profile")
	cmd := exec.CommandContext(ctx, binary, "-test.run="+tests, "-test.coverprofile="+profile)
	cmd.Dir = p.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	text, err := os.ReadFile(profile)
	statements := make(map[string]bool)
	for line := range strings.Lines(string(text)) {
		if statement, ok := strings.CutSuffix(line, " 1\n"); ok {
			statements[statement] = true
		}
	}
	return statements, err
}
