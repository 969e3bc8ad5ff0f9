package progress

import (
	"bytes"
	"os"
	"testing"
)

func TestWanted(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if Wanted(w, os.Stdout) || Wanted(new(bytes.Buffer), os.Stdout) || IsTerminal(w) || IsTerminal(nil) {
		t.Error("a bar in a pipe")
	}
	if !isPipe(w) || isPipe(new(bytes.Buffer)) {
		t.Error("a pipe is taken for something else")
	}
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if isPipe(f) {
		t.Error("a file is taken for a pipe")
	}
}
