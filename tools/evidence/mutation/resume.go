package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// openLog opens the file of outcomes, adds the outcomes in it to outcomes, and returns the file, so that more outcomes
// can be written at its end. The first line of the file identifies the code to which the outcomes belong.
func openLog(path string, p *project, outcomes map[string]outcome) (*os.File, error) {
	digest, err := p.digest()
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	s := bufio.NewScanner(file)
	if !s.Scan() {
		_, err := fmt.Fprintln(file, digest)
		return file, err
	}
	if s.Text() != digest {
		file.Close()
		return nil, fmt.Errorf("%s has outcomes of other code or tests than these; remove it to begin anew", path)
	}
	for s.Scan() {
		var o outcome
		// A line that an interruption cut short is ignored.
		if json.Unmarshal(s.Bytes(), &o) == nil {
			outcomes[o.Key] = o
		}
	}
	_, err = fmt.Fprintln(file) // ends a line that an interruption cut short
	return file, errors.Join(err, s.Err())
}

// digest identifies the code, the tests and the compiler.
func (p *project) digest() (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, runtime.Version(), runtime.GOARCH)
	err := filepath.WalkDir(p.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(p.root, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if base := d.Name(); name != "." && base[0] == '.' {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, ".s") && !strings.HasSuffix(name, ".mod") {
			return nil
		}
		text, err := os.ReadFile(path)
		fmt.Fprintln(h, name, len(text))
		h.Write(text)
		return err
	})
	return fmt.Sprintf("%x", h.Sum(nil)), err
}

// draw returns n mutants that are not on the list. The seed determines the choice.
func draw(all []*mutant, known list, n int, seed string) []*mutant {
	var from []*mutant
	for _, m := range all {
		if known[m.key()] == "" {
			from = append(from, m)
		}
	}
	r := rand.New(rand.NewChaCha8(sha256.Sum256([]byte(seed))))
	r.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
	return from[:min(n, len(from))]
}
