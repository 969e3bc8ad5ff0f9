package bulk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
)

// split returns the lines of r with their numbers, and marks lines that are too long.
func split(r io.Reader, max int) (lines []string, err error) {
	s := newSplitter(steady{r}, max)
	for {
		var b batch
		if err := s.next(&b); err != nil {
			return lines, err
		}
		if b.tooLong {
			lines = append(lines, fmt.Sprintf("%d: too long", b.line))
			continue
		}
		last := b.line
		for n, line := range b.all(max) {
			last = n
			if line == nil {
				lines = append(lines, fmt.Sprintf("%d: too long", n))
			} else {
				lines = append(lines, fmt.Sprintf("%d: %q", n, line))
			}
		}
		if bytes.Count(b.data, newline) > batchLines || last-b.line >= batchLines {
			return nil, fmt.Errorf("%d lines in a batch", last-b.line+1)
		}
	}
}

// splitSlowly splits text into the same lines as the splitter, but with simple code.
func splitSlowly(text string, max int) (lines []string) {
	text = strings.TrimPrefix(text, byteOrderMark)
	for n, line := range strings.SplitAfter(text, "\n") {
		switch {
		case line == "":
		case len(strings.TrimSuffix(line, "\n")) > max:
			lines = append(lines, fmt.Sprintf("%d: too long", n+1))
		default:
			lines = append(lines, fmt.Sprintf("%d: %q", n+1, strings.TrimSuffix(line, "\n")))
		}
	}
	return lines
}

func TestSplitter(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	texts := []string{"", "\n", "a", "a\n", "a\nb", "\n\n\n", "a\r\nb\r\n", "ab\ncd\n", byteOrderMark + "a\n" + byteOrderMark + "b", byteOrderMark}
	for range 60 {
		var b strings.Builder
		for range rng.IntN(400) {
			b.WriteString(strings.Repeat("x", rng.IntN(20)*rng.IntN(20)) + "\n")
		}
		if rng.IntN(2) == 0 {
			b.WriteString("end")
		}
		texts = append(texts, b.String())
	}
	for _, text := range texts {
		for _, max := range []int{3, 10, 100, 200, 1000} {
			want := splitSlowly(text, max)
			for name, r := range map[string]io.Reader{
				"whole":    strings.NewReader(text),
				"bytes":    iotest.OneByteReader(strings.NewReader(text)),
				"halves":   iotest.HalfReader(strings.NewReader(text)),
				"with EOF": iotest.DataErrReader(strings.NewReader(text)),
			} {
				if name == "bytes" && len(text) > 2000 {
					continue
				}
				got, err := split(r, max)
				if err != io.EOF || fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("%s, at most %d: %.1000q\n%v, %.1000s\nwant %.1000s", name, max, text, err, got, want)
				}
			}
		}
	}
}

func TestSplitterErrors(t *testing.T) {
	wrong := errors.New("wrong")
	got, err := split(io.MultiReader(strings.NewReader("a\nb\nc"), iotest.ErrReader(wrong)), 10)
	if fmt.Sprint(got) != `[1: "a" 2: "b"]` || err != wrong {
		t.Errorf("%s, %v", got, err)
	}
	got, err = split(io.MultiReader(strings.NewReader("a\n"+strings.Repeat("b", 100)), iotest.ErrReader(wrong)), 10)
	if fmt.Sprint(got) != `[1: "a" 2: too long]` || err != wrong {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := split(readerFunc(func([]byte) (int, error) { return 0, nil }), 10); err != io.ErrNoProgress {
		t.Errorf("no progress: %v", err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

// TestSplitterWaits checks that the splitter returns a line without waiting for more input.
func TestSplitterWaits(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	go w.Write([]byte("one\ntw"))
	s := newSplitter(readAhead(r, t.Context().Done()), 100)
	var b batch
	if err := s.next(&b); err != nil || string(b.data) != "one\n" {
		t.Errorf("%q, %v", b.data, err)
	}
}
