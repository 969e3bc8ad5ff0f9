//go:build linux

package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// TestListen tests the console output of programs that succeed, that fail, that do not run, and that do not end.
func TestListen(t *testing.T) {
	for _, c := range []struct {
		console, output string
		status          int
	}{
		{"PASS\r\n\r\nemulate: status 0\r\nmore", "PASS\n", 0},
		{"--- FAIL\r\n\r\nemulate: status 1\r\n", "--- FAIL\n", 1},
		{"emulate: status of what\nemulate: status 125\n", "emulate: status of what\n", 125},
		{"Kernel panic\r\nemulate: stat", "Kernel panic\nemulate: stat\n", -1},
	} {
		var out bytes.Buffer
		if status := listen(&out, strings.NewReader(c.console)); status != c.status || out.String() != c.output {
			t.Errorf("%q: status %d and %q", c.console, status, out.String())
		}
	}
}

// TestEnvironment checks which variables are passed to a program.
func TestEnvironment(t *testing.T) {
	got := environment([]string{"GODEBUG=cpu.avx512ifma=off", "P256K1_SEED=1", "P256K1_VECTORS=/v", "CI=true", "SECRET=1"})
	for _, v := range []string{"GODEBUG=cpu.avx512ifma=off,cpu.adx=off", "P256K1_SEED=1", "CI=true", "P256K1_EMULATED=1"} {
		if !slices.Contains(got, v) {
			t.Errorf("no %s in %q", v, got)
		}
	}
	if len(got) != 6 {
		t.Errorf("%q: want HOME, PATH and four more", got)
	}
}

// TestArchive compares an archive with the archive that "cpio -o -H newc" makes of the same file, in which each entry
// and its content begin at a multiple of four bytes.
func TestArchive(t *testing.T) {
	var a archive
	a.add("job", 0o100644, []byte("12345"))
	b := a.end()
	want := "070701" + "00000001" + "000081a4" + strings.Repeat("0", 16) + "00000001" + strings.Repeat("0", 8) + "00000005" +
		strings.Repeat("0", 32) + "00000004" + "00000000" + "job\x00" + "\x00\x00" + "12345" + "\x00\x00\x00" + "070701"
	if !bytes.HasPrefix(b, []byte(want)) {
		t.Errorf("%q\nwant %q", b, want)
	}
	if !bytes.Contains(b, []byte("TRAILER!!!\x00")) || len(b)%4 != 0 {
		t.Errorf("ends with %q", b[max(0, len(b)-40):])
	}
}
