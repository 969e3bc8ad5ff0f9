package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func (r *release) sumFile(m *module) string { return filepath.Join(r.root, m.dir, "go.sum") }

// readSums returns the lines of go.sum, line feeds included.
func (r *release) readSums(m *module) (ours, others []string, err error) {
	text, err := os.ReadFile(r.sumFile(m))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, nil, err
	}
	for line := range strings.Lines(string(text)) {
		if path, _, _ := strings.Cut(line, " "); isOurs(path) {
			ours = append(ours, line)
		} else {
			others = append(others, line)
		}
	}
	return ours, others, nil
}

// writeSums writes go.sum with the lines of ours where the go command has them.
func (r *release) writeSums(m *module, ours, others []string) error {
	if len(ours)+len(others) == 0 {
		return nil
	}
	at := slices.IndexFunc(others, func(line string) bool { return line > library })
	if at < 0 {
		at = len(others)
	}
	text := strings.Join(slices.Concat(others[:at], ours, others[at:]), "")
	return os.WriteFile(r.sumFile(m), []byte(text), 0o666)
}

// tidy tidies all modules. The go command alone would look for a release of ours that they require.
func (r *release) tidy(ctx context.Context) error {
	if _, err := r.version(); err != nil {
		return err
	}
	env := append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	for _, m := range r.modules {
		if m.isOutside() { // which says itself where the tree is
			if _, err := command(ctx, filepath.Join(r.root, m.dir), env, "go", "mod", "tidy"); err != nil {
				return fmt.Errorf("%w: %w", errOffline, err)
			}
			continue
		}
		dir, err := r.copyMod(m)
		if err != nil {
			return err
		}
		name := filepath.Join(dir, "go.mod")
		edit, restore := []string{"mod", "edit"}, []string{"mod", "edit"}
		for _, ours := range r.modules {
			if ours.isDropIn() {
				continue
			}
			edit = append(edit, "-replace="+ours.path+"="+filepath.Join(r.root, ours.dir))
			restore = append(restore, "-dropreplace="+ours.path)
		}
		for _, step := range [][]string{append(edit, name), {"mod", "tidy", "-modfile=" + name}, append(restore, name)} {
			if _, err := command(ctx, filepath.Join(r.root, m.dir), env, "go", step...); err != nil {
				return fmt.Errorf("%w: %w", errOffline, err)
			}
		}
		mod, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(m.file.Syntax.Name, mod, 0o666); err != nil {
			return err
		}
		ours, _, err := r.readSums(m)
		if err != nil {
			return err
		}
		sum, err := os.ReadFile(filepath.Join(dir, "go.sum"))
		if err != nil {
			return err
		}
		if err := r.writeSums(m, ours, slices.Collect(strings.Lines(string(sum)))); err != nil {
			return err
		}
	}
	return nil
}

// wantedSums returns the checksums of ours that belong into the go.sum of a published module.
func (r *release) wantedSums(p *proxy, m *module) (lines []string, err error) {
	for _, needed := range r.modules {
		if !m.requires(needed) {
			continue
		}
		sums, err := p.sums(needed)
		if err != nil {
			return nil, err
		}
		for _, s := range sums {
			lines = append(lines, s+"\n")
		}
	}
	slices.Sort(lines)
	return lines, nil
}

// neededFirst returns the modules in an order in which each comes after those that it requires.
func (r *release) neededFirst() (sorted []*module) {
	var add func(m *module)
	add = func(m *module) {
		if slices.Contains(sorted, m) {
			return
		}
		for _, needed := range r.modules {
			if m.requires(needed) {
				add(needed)
			}
		}
		sorted = append(sorted, m)
	}
	for _, m := range r.modules {
		add(m)
	}
	return sorted
}

func (m *module) requires(other *module) bool {
	for _, require := range m.file.Require {
		if require.Mod.Path == other.path {
			return true
		}
	}
	return false
}
