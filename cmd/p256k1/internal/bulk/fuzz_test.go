package bulk

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

// FuzzSplitter splits a text that arrives in pieces of the given lengths, and compares the lines with the lines that
// splitSlowly finds in the text.
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
		want := splitSlowly(text, max)
		got, err := split(&pieceReader{strings.NewReader(text), pieces}, max)
		if err != io.EOF || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%q in pieces of %v, at most %d: %v, %q, want %q", text, pieces, max, err, got, want)
		}
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
