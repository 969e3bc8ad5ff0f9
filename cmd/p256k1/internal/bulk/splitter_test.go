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

	"p256k1.mleku.dev/v2/internal/libtest"
)

// split returns the lines of r with their numbers, and marks lines that are too long.
func split(r io.Reader, max int) (lines []string, err error) {
	s := newSplitter(r, never, max)
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
			text := "too long"
			if line != nil {
				text = fmt.Sprintf("%q", line)
			}
			lines = append(lines, fmt.Sprintf("%d: %s", n, text))
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

// checkSplit compares the lines of r with the lines that splitSlowly finds in the text of r.
func checkSplit(t *testing.T, r io.Reader, text string, max int) {
	t.Helper()
	want := fmt.Sprint(splitSlowly(text, max))
	if got, err := split(r, max); err != io.EOF || fmt.Sprint(got) != want {
		t.Fatalf("%T, at most %d: %.1000q\n%v, %.1000s\nwant %.1000s", r, max, text, err, got, want)
	}
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
			ahead := libtest.Readers([]byte(text))
			for way, r := range libtest.Readers([]byte(text)) {
				if len(text) <= 2000 || way != "byte by byte" {
					checkSplit(t, r, text, max)
					checkSplit(t, readAhead(ahead[way], nil), text, max)
				}
			}
		}
	}
}

// TestSplitterLarge splits more lines than 16 bits can count, and lines that are longer than many reads.
func TestSplitterLarge(t *testing.T) {
	for _, text := range []string{strings.Repeat("\n", 70_000) + "end", "a\n" + strings.Repeat("long", 650_000) + "\nb\n"} {
		for _, max := range []int{1000, 1 << 22} {
			checkSplit(t, strings.NewReader(text), text, max)
			checkSplit(t, readAhead(iotest.HalfReader(strings.NewReader(text)), nil), text, max)
		}
	}
}

func TestSplitterErrors(t *testing.T) {
	wrong := errors.New("wrong")
	for text, want := range map[string]string{
		"a\nb\nc": `[1: "a" 2: "b"]`, "a\n" + strings.Repeat("b", 100): `[1: "a" 2: too long]`,
	} {
		got, err := split(io.MultiReader(strings.NewReader(text), iotest.ErrReader(wrong)), 10)
		if fmt.Sprint(got) != want || err != wrong {
			t.Errorf("%s, %v", got, err)
		}
	}
	if _, err := split(readerFunc(func([]byte) (int, error) { return 0, nil }), 10); err != io.ErrNoProgress {
		t.Errorf("no progress: %v", err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

// FuzzSplitter splits a text that arrives in pieces of the given lengths.
func FuzzSplitter(f *testing.F) {
	f.Add("", 3, []byte(nil))
	f.Add("a\nb\r\n\nlonger\nend", 3, []byte{1, 0, 2, 255})
	f.Add("abc\nabcd\nab\n", 3, []byte{1, 1, 1, 1})
	f.Add(byteOrderMark+"a\n"+byteOrderMark+"b", 10, []byte{2, 2, 2})
	f.Add(strings.Repeat("x", 280000)+"\n"+strings.Repeat("y\n", 2600), 1000, []byte{100, 100})
	f.Fuzz(func(t *testing.T, text string, max int, pieces []byte) {
		if max < 1 || max > 1<<20 || len(pieces) > 50 { // after a hundred empty reads the splitter gives up
			return
		}
		if strings.HasPrefix(text, byteOrderMark) && max < len(text) { // with the mark, no line may be too long
			return
		}
		checkSplit(t, &pieceReader{strings.NewReader(text), pieces}, text, max)
	})
}

// pieceReader reads at most pieces[0] bytes, then pieces[1], and so on.
type pieceReader struct {
	r      io.Reader
	pieces []byte
}

func (p *pieceReader) Read(b []byte) (int, error) {
	if len(p.pieces) > 0 {
		b = b[:min(int(p.pieces[0]), len(b))]
		p.pieces = p.pieces[1:]
		if len(b) == 0 {
			return 0, nil
		}
	}
	return p.r.Read(b)
}
