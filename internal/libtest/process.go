package libtest

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"strings"
	"testing"
)

// Memory calls see with the memory that a process of Linux may write to, except pages that were never written. For each
// run of pages, see gets the region's line in /proc/PID/maps, the address and the bytes. Memory ends the test if there
// is no such memory.
func Memory(t testing.TB, pid int, see func(region string, address uint64, b []byte)) {
	t.Helper()
	maps := Must(os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid)))
	memory, pages := Must(os.Open(fmt.Sprintf("/proc/%d/mem", pid))), Must(os.Open(fmt.Sprintf("/proc/%d/pagemap", pid)))
	defer memory.Close()
	defer pages.Close()
	seen, size := 0, uint64(os.Getpagesize())
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
		entries := make([]byte, (to-from)/size*8)
		if _, err := pages.ReadAt(entries, int64(from/size*8)); err != nil {
			t.Fatalf("reading which pages there are of %s: %v", line, err)
		}
		// The highest bits of an entry say that the page is in memory or swapped out.
		isThere := func(page uint64) bool { return page < to && entries[(page-from)/size*8+7]&0xc0 != 0 }
		for start := from; start < to; start += size {
			end := start
			for isThere(end) {
				end += size
			}
			if end == start {
				continue
			}
			b := make([]byte, end-start)
			if _, err := memory.ReadAt(b, int64(start)); err != nil {
				t.Fatalf("reading %s: %v", line, err)
			}
			seen += len(b)
			see(strings.TrimSpace(line), start, b)
			start = end
		}
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
