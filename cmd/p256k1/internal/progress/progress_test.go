package progress

import (
	"bytes"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// screen is a terminal for the bar.
type screen struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func (s *screen) waitFor(t *testing.T, text string) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !strings.Contains(s.String(), text); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%q does not come; there is %q", text, s.String())
		}
	}
}

// TestBar shows bars, one beyond its end, and lines above them. Nothing is lost once they are stopped.
func TestBar(t *testing.T) {
	for total, want := range map[int64]string{200: "\r 25 % [=====---------------] 1,234 lines, ", 20: "\r100 % [=", 0: "\r1,234 lines, "} {
		var s screen
		b := Start(&s, total, "lines")
		b.Advance(50, 1234)
		s.waitFor(t, want)
		if _, err := (above{b, &s}).Write([]byte("a finding\n")); err != nil {
			t.Fatal(err)
		}
		s.waitFor(t, " \ra finding\n\r"+want[1:])
		b.Stop()
		b.Stop()
		if _, err := (above{b, &s}).Write([]byte("late\n")); err != nil || !strings.HasSuffix(s.String(), " \rlate\n") {
			t.Errorf("%q, %v", s.String(), err)
		}
		for line := range strings.FieldsFuncSeq(s.String(), func(r rune) bool { return r == '\r' || r == '\n' }) {
			if len(line) >= usual {
				t.Errorf("%q has %d columns", line, len(line))
			}
		}
	}
}

func TestNoBar(t *testing.T) {
	var b *Bar
	b.Advance(1, 1)
	var s screen
	in, _ := io.Pipe()
	if b.Over(&s) != &s || b.Watch(in) != io.ReadCloser(in) {
		t.Error("another writer or reader")
	}
	b.Stop()
}

// TestWaiting reads from a pipe into which nobody writes.
func TestWaiting(t *testing.T) {
	var s screen
	b := Start(&s, 0, "lines")
	defer b.Stop()
	in, out := io.Pipe()
	r := b.Watch(in)
	read := make(chan string)
	go func() {
		text := make([]byte, 10)
		n, _ := r.Read(text)
		read <- string(text[:n])
	}()
	s.waitFor(t, "0 lines, 0/s, waiting for input for 2 s")
	if _, err := io.WriteString(out, "more"); err != nil {
		t.Error(err)
	}
	if text := <-read; text != "more" || !b.reading.IsZero() {
		t.Errorf("%q, %v", text, b.reading)
	}
}

func TestWanted(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	f, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if Wanted(w, os.Stdout) || Wanted(new(bytes.Buffer), os.Stdout) || IsTerminal(w) || IsTerminal(nil) {
		t.Error("a bar in a pipe")
	}
	if !isPipe(w) || isPipe(new(bytes.Buffer)) || isPipe(f) {
		t.Error("a pipe is taken for something else")
	}
}
