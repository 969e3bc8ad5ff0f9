package libtest

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"strings"
	"testing"
)

// Memory calls see with each region of memory that a process of Linux may write to: its line in /proc/PID/maps, its
// address and its bytes. It ends the test if there is no such memory.
func Memory(t testing.TB, pid int, see func(region string, address uint64, b []byte)) {
	t.Helper()
	maps := Must(os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid)))
	memory := Must(os.Open(fmt.Sprintf("/proc/%d/mem", pid)))
	defer memory.Close()
	seen := 0
	for line := range strings.Lines(string(maps)) {
		// A line is: start-end access offset device inode name
		var from, to uint64
		var access string
		if _, err := fmt.Sscanf(line, "%x-%x %s", &from, &to, &access); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if !strings.HasPrefix(access, "rw") {
			continue
		}
		b := make([]byte, to-from)
		if _, err := memory.ReadAt(b, int64(from)); err != nil {
			t.Fatalf("reading %s: %v", line, err)
		}
		seen += len(b)
		see(strings.TrimSpace(line), from, b)
	}
	if seen == 0 {
		t.Fatalf("nothing to search in %q", maps)
	}
}

// Gzip returns text compressed with gzip.
func Gzip(text []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	Must(w.Write(text))
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}
