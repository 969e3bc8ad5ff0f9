// Package vectors finds the public test vectors for tests. The data is not part of the module: the environment variable
// P256K1_VECTORS names the folder that holds it.
package vectors

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// Env is the environment variable that names the folder of the vectors.
const Env = "P256K1_VECTORS"

// Path returns the path of the named file or folder, a slash-separated path below the folder of the vectors. If [Env]
// is not set, Path skips the test, or fails it if CI is "true", because nobody reads which tests a successful run has
// skipped. If the file or folder does not exist, the test always fails.
func Path(t testing.TB, name string) string {
	t.Helper()
	root := os.Getenv(Env)
	if root == "" {
		const missing = "%s IS NOT SET: nothing was checked against %s; set it to the folder of the public test vectors"
		if os.Getenv("CI") == "true" {
			t.Fatalf(missing, Env, name)
		}
		t.Skipf(missing, Env, name)
	}
	path := filepath.Join(root, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("vectors: %v (%s=%s)", err, Env, root)
	}
	return path
}

// Open opens the named file and closes it when the test ends.
func Open(t testing.TB, name string) *os.File {
	t.Helper()
	f, err := os.Open(Path(t, name))
	if err != nil {
		t.Fatalf("vectors: %v", err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// JSON decodes the named file, which must hold exactly one JSON value, into v.
func JSON(t testing.TB, name string, v any) {
	t.Helper()
	data, err := os.ReadFile(Path(t, name))
	if err != nil {
		t.Fatalf("vectors: %v", err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatalf("vectors: %s: %v", name, err)
	}
}

// Lines calls f with each line of the named file, without its line ending, and with the line's number n. Lines may have
// any length and are numbered from 1. Empty lines are left out. f may keep line.
func Lines(t testing.TB, name string, f func(n int, line []byte)) {
	t.Helper()
	r := bufio.NewReader(Open(t, name))
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			t.Fatalf("vectors: %s:%d: %v", name, n, err)
		}
		for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
			line = line[:len(line)-1]
		}
		if len(line) > 0 {
			f(n, line)
		}
		if err != nil {
			return
		}
	}
}
