// Package ledger keeps the books of long random tests: what has been done of each is in a file, from which another run goes
// on.
package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
)

// A Ledger has an entry for each test.
type Ledger[T any] struct {
	Program string // SHA-256 of the program, so that nobody adds up what two versions did
	Seed    string
	Entries map[string]*T
	path    string
}

// Open reads the file at path. If there is none, or path is empty, the ledger is empty. A file that another program wrote, or
// another seed made, is an error.
func Open[T any](path, seed string) (*Ledger[T], error) {
	program, err := fingerprint()
	if err != nil {
		return nil, err
	}
	l := &Ledger[T]{Program: program, Seed: seed, Entries: map[string]*T{}, path: path}
	if path == "" {
		return l, nil
	}
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, err
	}
	var old Ledger[T]
	switch err := json.Unmarshal(b, &old); {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case old.Seed != seed:
		return nil, fmt.Errorf("%s is of a run with the seed %q, not %q", path, old.Seed, seed)
	case old.Program != program:
		return nil, fmt.Errorf("%s is of a run of another version of this program: start anew, with another file", path)
	}
	if old.Entries != nil {
		l.Entries = old.Entries
	}
	return l, nil
}

// Of returns the entry of a test, a new one if there is none.
func (l *Ledger[T]) Of(name string) *T {
	e := l.Entries[name]
	if e == nil {
		e = new(T)
		l.Entries[name] = e
	}
	return e
}

// Save writes the file, all of it or nothing, if there is to be one.
func (l *Ledger[T]) Save() error {
	if l.path == "" {
		return nil
	}
	b, err := json.MarshalIndent(l, "", "\t")
	if err != nil {
		return err
	}
	if err := os.WriteFile(l.path+".new", append(b, '\n'), 0o666); err != nil {
		return err
	}
	return os.Rename(l.path+".new", l.path)
}

// fingerprint returns the SHA-256 of the file that this process runs.
func fingerprint() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Grouped returns a number with commas.
func Grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
