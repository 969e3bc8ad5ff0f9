package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"runtime"
	"slices"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

// openLog opens the file of outcomes, adds the outcomes in it to outcomes, and returns the file, so that more outcomes
// can be written at its end. The first line of the file identifies the code to which the outcomes belong.
func openLog(path string, p *project, outcomes map[string]outcome) *os.File {
	digest := p.digest()
	file := must.Get(os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666))
	s := bufio.NewScanner(file)
	switch begun := s.Scan(); {
	case !begun:
		must.Get(fmt.Fprint(file, digest))
	case s.Text() != digest:
		must.Do(fmt.Errorf("%s has outcomes of other code or tests than these; remove it to begin anew", path))
	}
	for s.Scan() {
		var o outcome
		// A line that an interruption cut short is ignored.
		if json.Unmarshal(s.Bytes(), &o) == nil {
			outcomes[o.Key] = o
		}
	}
	must.Do(s.Err())
	must.Get(fmt.Fprintln(file)) // ends the digest, or a line that an interruption cut short
	return file
}

// digest identifies the code, the tests and the compiler.
func (p *project) digest() string {
	h := sha256.New()
	fmt.Fprintln(h, runtime.Version(), runtime.GOARCH)
	root := os.DirFS(p.root)
	must.Do(fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		must.Do(err)
		if d.IsDir() && name != "." && d.Name()[0] == '.' {
			return fs.SkipDir
		}
		if !d.IsDir() && slices.Contains([]string{".go", ".s", ".mod"}, path.Ext(name)) {
			text := must.Get(fs.ReadFile(root, name))
			fmt.Fprintln(h, name, len(text))
			h.Write(text)
		}
		return nil
	}))
	return fmt.Sprintf("%x", h.Sum(nil))
}

// draw returns n mutants that are not on the list, in the order of the text. The seed determines the choice.
func draw(all []*mutant, known list, n int, seed string) []*mutant {
	var free []*mutant
	for _, m := range all {
		if known[m.key()] == "" {
			free = append(free, m)
		}
	}
	drawn := map[*mutant]bool{}
	r := rand.New(rand.NewChaCha8(sha256.Sum256([]byte(seed))))
	for _, i := range r.Perm(len(free))[:min(n, len(free))] {
		drawn[free[i]] = true
	}
	return slices.DeleteFunc(free, func(m *mutant) bool { return !drawn[m] })
}
