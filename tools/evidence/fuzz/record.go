package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// A record is what has been done to each target in all runs, by its import path
// and name.
type record map[string]*history

// A history is counted from the first run of a build, since a library that has
// changed has not been fuzzed.
type history struct {
	Build      string        `json:"build"` // hash of the program
	Since      time.Time     `json:"since"`
	Took       time.Duration `json:"nanoseconds"`
	Executions int64         `json:"executions"`

	// What was counted of other builds before.
	EarlierTook       time.Duration `json:"earlier_nanoseconds,omitempty"`
	EarlierExecutions int64         `json:"earlier_executions,omitempty"`
}

// of returns the history of a target in a build.
func (r record) of(target, build string) *history {
	h := r[target]
	if h == nil {
		h = new(history)
		r[target] = h
	}
	if h.Build != build {
		*h = history{
			Build: build, Since: time.Now().UTC().Truncate(time.Second),
			EarlierTook: h.EarlierTook + h.Took, EarlierExecutions: h.EarlierExecutions + h.Executions,
		}
	}
	return h
}

func (h *history) add(o outcome) {
	h.Took += o.took
	h.Executions += o.executions
}

// load reads a record, which is empty if there is no file.
func load(path string) (record, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return record{}, nil
	} else if err != nil {
		return nil, err
	}
	r := record{}
	if err := json.Unmarshal(b, &r); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// save replaces the file.
func (r record) save(path string) error {
	b, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path+".new", append(b, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// hash returns what tells one build from another.
func hash(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}
