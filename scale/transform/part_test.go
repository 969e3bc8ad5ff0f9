package transform

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"

	"p256k1.mleku.dev/v2/cmd/p256k1/verify"
	"p256k1.mleku.dev/v2/internal/libtest"
)

// TestParts divides texts into parts of all sizes, and checks that each line is in the part in which it begins, and in
// no other part.
func TestParts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	texts := []string{"", "\n", "a", "a\n", "\na", "\n\n\n", "ab\ncd\n\nef", strings.Repeat("x", 50), strings.Repeat("y", 30) + "\n"}
	for range 30 {
		var b strings.Builder
		for b.Len() < 60 {
			b.WriteString(strings.Repeat("z", random.IntN(1+random.IntN(20))) + "\n")
		}
		texts = append(texts, b.String()[:60-random.IntN(3)])
	}
	name := filepath.Join(t.TempDir(), "text")
	for _, text := range texts {
		libtest.Check(t, os.WriteFile(name, []byte(text), 0o600))
		for size := int64(1); size <= int64(len(text))+1; size++ {
			begin := func(i int64) bool { return i == 0 || text[i-1] == '\n' }
			for from := int64(0); from < int64(len(text)); from += size {
				p := Part{File: name, Number: 1, From: from, To: min(from+size, int64(len(text)))}
				want, lines := "", int64(0)
				for i := p.From; i < p.To; i++ {
					if begin(i) {
						line, _, newline := strings.Cut(text[i:], "\n")
						want += line
						if newline {
							want += "\n"
						}
						lines++
					}
				}
				for kind, wrap := range map[string]func(io.Reader) io.Reader{
					"at once": func(r io.Reader) io.Reader { return r }, "by bytes": iotest.OneByteReader, "by halves": iotest.HalfReader,
				} {
					got, n := readPart(t, p, 100, wrap)
					if got != want || n != lines {
						t.Fatalf("%q from %d to %d, %s: %q, %d lines, want %q, %d", text, p.From, p.To, kind, got, n, want, lines)
					}
				}
			}
		}
	}
}

// readPart returns the text of a part, and the number of lines that the part reports.
func readPart(t *testing.T, p Part, maxLine int, wrap func(io.Reader) io.Reader) (text string, lines int64) {
	t.Helper()
	r, n, err := p.open(context.Background(), maxLine)
	libtest.Check(t, err)
	defer r.Close()
	b := libtest.Must(io.ReadAll(wrap(r)))
	return string(b), n()
}

// TestLongLine tries a line that is longer than many parts, and checks that only one part reads the line, and reads
// only a little more of it than the allowed length.
func TestLongLine(t *testing.T) {
	name := filepath.Join(t.TempDir(), "text")
	text := append(append([]byte("a\n"), bytes.Repeat([]byte{'x'}, 1<<20)...), "\nb\n"...)
	libtest.Check(t, os.WriteFile(name, text, 0o600))
	const size, maxLine = 4096, 10000
	var all []string
	for from := int64(0); from < int64(len(text)); from += size {
		p := Part{File: name, From: from, To: min(from+size, int64(len(text)))}
		if got, n := readPart(t, p, maxLine, func(r io.Reader) io.Reader { return r }); n > 0 || got != "" {
			all = append(all, fmt.Sprint(from, n, len(got) > maxLine && len(got) < 1<<18))
		}
	}
	if got, want := strings.Join(all, ","), "0 2 true,1048576 1 false"; got != want {
		t.Errorf("parts with lines: %s, want %s", got, want)
	}
}

// TestNames checks that the outputs about different files have different names, which any file system accepts.
func TestNames(t *testing.T) {
	seen, files := make(map[string]string), []string{"a", "b/a", "gs://b/a", "../a", `c\a`, ".", "..", "", strings.Repeat("x", 300), strings.Repeat("x", 301), "ä\n\x00", ".hidden"}
	for i := range 1 << 16 { // of one base name, so that short hashes collide
		files = append(files, fmt.Sprint("folder", i, "/a"))
	}
	for _, file := range files {
		name := fileName(file)
		if other, ok := seen[name]; ok || len(name) > 100 || strings.ContainsAny(name, "/\\\n\x00ä") || (name[0] == '.' && file != "" && len(name) < 17) {
			t.Errorf("%q becomes %q, as %q", file, name, other)
		}
		seen[name] = file
	}
}

// TestTemporary creates more files than two writers that draw few bits could, and checks that none is the file of
// another writer.
func TestTemporary(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "bad")
	other := filepath.Join(t.TempDir(), "other")
	libtest.Check(t, os.WriteFile(other, nil, 0o644))
	mode := libtest.Must(os.Stat(other)).Mode()
	for range 300 {
		w := libtest.Must(createTemporary(folder))
		info := libtest.Must(w.Stat())
		if base := filepath.Base(w.Name()); !strings.HasPrefix(base, temporary) || info.Mode() != mode {
			t.Errorf("%s: %v", base, info.Mode())
		}
		libtest.Check(t, w.Close())
	}
	before := libtest.Must(os.ReadDir(folder))
	libtest.Check(t, RemoveIncomplete(t.Context(), filepath.Dir(folder)+"/"))
	if after := libtest.Must(os.ReadDir(folder)); len(before) != 300 || len(after) > 0 {
		t.Errorf("%d files of 300 writers, of which %d are not removed", len(before), len(after))
	}
}

// TestFailed leaves a bundle without its end, and cannot write a file. The next bundle must not have lines of the
// first, and a file with a part of the lines must not appear.
func TestFailed(t *testing.T) {
	var lines []string
	good, refused := func([]byte) {}, func(r Refused) { lines = append(lines, string(r.Line)) }
	f := new(linesFn)
	for _, line := range []string{"failed", "next"} {
		f.StartBundle(good, refused)
		f.ProcessElement([]byte(line), good, refused)
	}
	f.FinishBundle(good, refused)
	part := filepath.Join(t.TempDir(), "part")
	libtest.Check(t, os.WriteFile(part, []byte("a part"), 0o600))
	err := complete(libtest.Must(os.Open(part)), part+".jsonl", []byte("all lines")) // opened for reading only
	if _, missing := os.Stat(part + ".jsonl"); err == nil || missing == nil || !slices.Equal(lines, []string{"next"}) {
		t.Errorf("writing returns %v, the file: %v, lines %q", err, missing, lines)
	}
}

// times returns a function that passes zero n times, as Beam passes values.
func times[T any](n int) func(*T) bool { return func(*T) bool { n--; return n >= 0 } }

// TestRepeated passes the numbers or the findings of a block not at all, or again after a bundle failed, and writes
// fewer or more findings than were counted.
func TestRepeated(t *testing.T) {
	for n := range 3 {
		folder, block := t.TempDir(), func(Block) {}
		counts := func(c *verify.Counts) bool { c.Unreadable = int64(n) - 1; return true }
		numbers := new(numberFn).ProcessElement("a", times[int64](n), times[relative](1), block)
		findings := new(numberFn).ProcessElement("a", times[int64](1), times[relative](n), block)
		summary := (&summaryFn{folder}).ProcessElement(t.Context(), nil, counts, times[int64](1), times[int64](1))
		_, file := os.Stat(filepath.Join(folder, summaryFile))
		for i, err := range []error{numbers, findings, summary, file} {
			if (err == nil) != (n == 1) {
				t.Errorf("%d times, %d: %v", n, i, err)
			}
		}
	}
}

// TestBlocks finds so many lines in a part that their findings fill several blocks.
func TestBlocks(t *testing.T) {
	const n = 60_000
	line := int64(0)
	var names []string
	o := &observer{part: &Part{File: "a", Number: 7}, found: func(name string, r relative) {
		names = append(names, name)
		for _, f := range r.Findings {
			if f.Line != line || r.File != "a" {
				t.Fatalf("line %d of %s, want %d", f.Line, r.File, line)
			}
			line++
		}
	}}
	for i := range int64(n) {
		libtest.Check(t, o.Findings([]verify.Finding{{File: "a", Line: i + 1}}))
	}
	o.flush()
	if line != n || o.blocks != 4 || fmt.Sprint(names) != fmt.Sprint([]string{blockName("a", 7, 0), blockName("a", 7, 1), blockName("a", 7, 2), blockName("a", 7, 3)}) {
		t.Errorf("%d lines in %d blocks: %v", line, o.blocks, names)
	}
}
