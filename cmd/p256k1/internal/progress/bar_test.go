//go:build !aix && !js && !plan9 && !wasip1

package progress

import (
	"bytes"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vbauerster/mpb/v8"
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

func TestBar(t *testing.T) {
	for _, total := range []int64{200, 0} {
		var s screen
		b := start(&s, total, "lines", mpb.WithAutoRefresh(), mpb.WithRefreshRate(time.Millisecond), mpb.WithWidth(100))
		b.Advance(50, 1234)
		s.waitFor(t, "1,234 lines, ")
		s.waitFor(t, "/s")
		if total > 0 {
			s.waitFor(t, "25 % [")
		}
		if _, err := (above{b, os.Stderr}).Write([]byte("a finding\n")); err != nil {
			t.Fatal(err)
		}
		s.waitFor(t, "a finding\n")
		b.Stop()
		if !strings.Contains(s.String(), "\r") {
			t.Errorf("%q", s.String())
		}
		// Nothing is lost after the end.
		var late screen
		if _, err := (above{b, &late}).Write([]byte("late\n")); err != nil || late.String() != "late\n" {
			t.Errorf("%q, %v", late.String(), err)
		}
	}
}

// TestEnd checks that the bar can come to its end, and beyond, before it is
// stopped.
func TestEnd(t *testing.T) {
	var s screen
	b := start(&s, 10, "lines", mpb.WithAutoRefresh(), mpb.WithRefreshRate(time.Millisecond))
	b.Advance(10, 10)
	time.Sleep(10 * time.Millisecond)
	b.Advance(10, 20)
	b.Stop()
}

func TestNoBar(t *testing.T) {
	var b *Bar
	b.Advance(1, 1)
	var s screen
	if b.Over(&s) != &s {
		t.Error("another writer")
	}
	b.Stop()
}

// TestWaiting reads from a pipe into which nobody writes.
func TestWaiting(t *testing.T) {
	var s screen
	b := start(&s, 0, "lines", mpb.WithAutoRefresh(), mpb.WithRefreshRate(time.Millisecond), mpb.WithWidth(100))
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
	if text := <-read; text != "more" || strings.Contains(b.rate("lines"), "waiting") {
		t.Errorf("%q, %s", text, b.rate("lines"))
	}
	var none *Bar
	if none.Watch(in) != io.ReadCloser(in) {
		t.Error("another reader")
	}
}
