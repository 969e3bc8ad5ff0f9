package bulk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/sample"
	"p256k1.mleku.dev/v2/internal/libtest"
)

// recorder is an Observer that records its calls.
type recorder struct {
	findings []Finding
	failures []string
	last     Counts
	after    func() error
}

func (r *recorder) Findings(f []Finding) error {
	r.findings = append(r.findings, f...)
	if r.after != nil {
		return r.after()
	}
	return nil
}

func (r *recorder) Failure(file string, err error) error {
	r.failures = append(r.failures, file+": "+err.Error())
	return nil
}

func (r *recorder) Progress(c *Counts) { r.last = *c }

func text(name, s string) Input { return reader1(name, strings.NewReader(s)) }

func reader1(name string, r io.Reader) Input {
	return Input{name, func() (io.ReadCloser, error) { return io.NopCloser(r), nil }}
}

func options() Options { return Options{Workers: 3, MaxLine: 1 << 20} }

// samples returns sample lines, the given number of which are bad.
func samples(t *testing.T, lines, bad int64) string {
	t.Helper()
	var b bytes.Buffer
	libtest.Check(t, sample.Write(t.Context(), &b, sample.Options{Lines: lines, Bad: bad, Kind: sample.Mixed}))
	return b.String()
}

func TestVerify(t *testing.T) {
	first := samples(t, 1000, 4)
	second := samples(t, 10, 10)
	third := "\n  \r\nhello\n{}\n" + samples(t, 1, 0) + "\n" + strings.Repeat("x", 1<<20+1) + "\n" +
		`{"internal":"88225c0158a85208c9f0a93d3b724953f164a056121b81a87f88ab0a666cbff1","tweak":"b65e8622b9a4d154c3f16fe423df7ba0c74f0b2d6961e81caff0e4e8f040b929","output":"e4411ca6e7fe3bb3585d9c1ebaa596761b5993e1143e262f2f0310018233543b","parity":0}`
	var r recorder
	broken := reader1("second", io.MultiReader(strings.NewReader(second), iotest.ErrReader(errors.New("wrong"))))
	counts := libtest.Must(Verify(t.Context(), slices.Values([]Input{text("first", first), broken, text("third", third), text("empty", "")}), options(), &r))
	want := Counts{Signatures: Tally{997, 14}, Tweaks: Tally{1, 0}, Unreadable: 3, Failed: 1, Empty: 1, Rows: 693}
	if counts != want {
		t.Errorf("%+v, want %+v", counts, want)
	}
	if want.Empty = 0; r.last != want {
		t.Errorf("last %+v, want %+v", r.last, want)
	}
	if fmt.Sprint(r.failures) != "[second: wrong empty: "+ErrEmpty.Error()+"]" {
		t.Errorf("%q", r.failures)
	}
	var got []string
	for _, f := range r.findings {
		got = append(got, fmt.Sprintf("%s:%d:%s", f.File, f.Line, f.Result.Verdict))
	}
	lines := []string{"first:250:bad", "first:500:bad", "first:750:bad", "first:1000:bad"}
	for i := range 10 {
		lines = append(lines, fmt.Sprintf("second:%d:bad", i+1))
	}
	lines = append(lines, "third:3:unreadable", "third:4:unreadable", "third:7:unreadable")
	if fmt.Sprint(got) != fmt.Sprint(lines) {
		t.Errorf("%s\nwant %s", got, lines)
	}
	if reason := r.findings[len(r.findings)-1].Result.Reason; reason != "longer than 1048576 bytes" {
		t.Errorf("reason %q", reason)
	}
}

// TestAdd adds numbers of more than 32 bits.
func TestAdd(t *testing.T) {
	c := Counts{Tally{1 << 40, 2 << 40}, Tally{3 << 40, 4 << 40}, 5 << 40, 6 << 40, 7 << 40, 8 << 40}
	c.Add(&c)
	if want := (Counts{Tally{2 << 40, 4 << 40}, Tally{6 << 40, 8 << 40}, 10 << 40, 12 << 40, 14 << 40, 16 << 40}); c != want {
		t.Errorf("%+v, want %+v", c, want)
	}
}

// TestEnd ends the run while more batches are ready, once by an error of the observer and once by the context.
func TestEnd(t *testing.T) {
	wrong := errors.New("wrong")
	endless := readerFunc(func(b []byte) (int, error) { return copy(b, "x\n"), nil })
	for range 10 {
		for want, after := range map[error]func(cancel func()) error{
			wrong:            func(func()) error { return wrong },
			context.Canceled: func(cancel func()) error { cancel(); return nil },
		} {
			ctx, cancel := context.WithCancel(t.Context())
			calls := 0
			r := recorder{after: func() error {
				calls++
				time.Sleep(time.Millisecond)
				return after(cancel)
			}}
			_, err := Verify(ctx, slices.Values([]Input{reader1("endless", endless)}), options(), &r)
			if err != want || calls != 1 {
				t.Errorf("%v after %d calls, want %v", err, calls, want)
			}
			cancel()
		}
	}
}

// TestLongLinesAhead checks that only a few long lines are read ahead while the observer is slow.
func TestLongLinesAhead(t *testing.T) {
	enough := errors.New("enough")
	line := append(bytes.Repeat([]byte("x"), 1<<20-1), '\n')
	var read, told atomic.Int64
	endless := readerFunc(func(b []byte) (int, error) {
		n := copy(b, line[read.Load()%int64(len(line)):])
		read.Add(int64(n))
		return n, nil
	})
	r := recorder{after: func() error {
		time.Sleep(50 * time.Millisecond)
		if ahead := read.Load()/int64(len(line)) - told.Add(1); ahead > 4 {
			t.Errorf("%d lines are on their way", ahead)
		}
		if told.Load() < 3 {
			return nil
		}
		return enough
	}}
	if _, err := Verify(t.Context(), slices.Values([]Input{reader1("endless", endless)}), options(), &r); err != enough {
		t.Error(err)
	}
}

// TestLongestLine verifies a file in which the first line is longer than a 32-bit number can count.
func TestLongestLine(t *testing.T) {
	left := int64(4<<30 + 1)
	r := readerFunc(func(b []byte) (int, error) {
		n := min(int64(len(b)), left)
		left -= n
		if n == 0 {
			return 0, io.EOF
		}
		return int(n), nil // without writing to b, whose bytes are not newlines
	})
	var got recorder
	counts, err := Verify(t.Context(), slices.Values([]Input{reader1("long", io.MultiReader(r, strings.NewReader("\n{}")))}), options(), &got)
	if err != nil || counts != (Counts{Unreadable: 2}) || got.findings[0].Result.Reason != "longer than 1048576 bytes" || got.findings[1].Line != 2 {
		t.Errorf("%+v, %v, %+v", counts, err, got.findings)
	}
}

// TestLowSAfterLongLine verifies signatures with s above (n−1)/2 before and after lines for which the worker needs much
// memory.
func TestLowSAfterLongLine(t *testing.T) {
	// A signature from Bitcoin's block 277647.
	const row = `{"t":"ecdsa","pub":"044ff5cb65c1a957e62d801a0ab46f31c92a4ef88e972d6cef4607c543e668284b6a0625da147f4cc87436ebdef0dc1db336810229922af6151acf00d1458b0d04",` +
		`"h":"f35a291a0a6fc85f830fc6d19c700e61442d93ea2b3451d6dd245629f1e11267",` +
		`"sig":"304602210087bf94defdfe151b3f4815e9b1bfc4c2dca64c11cded71d7f1cac010fea72e1c022100bbf427c381c3cc76f7baf666984749ee2e923bf397e5cdab92095c16d4ba8a09"}` + "\n"
	o := options()
	o.Workers = 1
	long := strings.TrimSuffix(row, "\n") + strings.Repeat(" ", o.MaxLine-len(row)) + "\n"
	for _, o.LowS = range []bool{false, true} {
		want := Tally{Good: 4}
		if o.LowS {
			want = Tally{Bad: 4}
		}
		r := new(recorder)
		counts, err := Verify(t.Context(), slices.Values([]Input{
			text("a", row+long), text("b", long+row),
		}), o, r)
		if err != nil || counts != (Counts{Signatures: want, Rows: 4}) {
			t.Errorf("low s %t: %+v, %v, %+v", o.LowS, counts, err, r.findings)
		}
	}
}
