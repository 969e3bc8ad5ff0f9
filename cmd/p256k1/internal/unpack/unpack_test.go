package unpack

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"

	"p256k1.mleku.dev/v2/internal/libtest"
)

func gz(text string) string { return string(libtest.Gzip([]byte(text))) }

func zst(t testing.TB, text string) string {
	t.Helper()
	w := libtest.Must(zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)))
	return string(w.EncodeAll([]byte(text), nil))
}

// skipped is a zstd frame without text.
const skipped = "\x50\x2a\x4d\x18\x04\x00\x00\x00skip"

func readAll(r io.Reader) (string, error) {
	text, _, err := NewReader(r)
	if err != nil {
		return "", err
	}
	b, err := io.ReadAll(text)
	return string(b), err
}

// hugeWindow is "{}\n" in zstd, with a header that allows references 256 MiB back.
const hugeWindow = "\x28\xb5\x2f\xfd\x00\x90\x19\x00\x00{}\n"

// TestReader reads data that arrive in different portions. It checks the text, or the text before an error and the
// beginning of the error's message.
func TestReader(t *testing.T) {
	const utf16 = "UTF-16, which is not supported: use iconv -f UTF-16 -t UTF-8 FILE | p256k1 verify"
	long := strings.Repeat("one line of many\n", 100000)
	packed, zpacked := gz(long), zst(t, long)
	// A byte of the checksum is changed.
	broken, zbroken := []byte(packed), []byte(zpacked)
	broken[len(broken)-6] ^= 1
	zbroken[len(zbroken)-1] ^= 1
	for _, c := range []struct{ data, text, err string }{
		{"", "", ""},
		{"{}\n", "{}\n", ""},
		{"\ufeff{}\n", "\ufeff{}\n", ""},
		{"\x1f", "\x1f", ""},
		{"B", "B", ""},
		{"BZ", "BZ", ""},
		{"PK\x03", "PK\x03", ""},
		{"\n\x1f\x8b", "\n\x1f\x8b", ""},
		{long, long, ""},
		{gz(""), "", ""},
		{gz("{}\n"), "{}\n", ""},
		{packed, long, ""},
		{gz("a") + gz("") + packed + gz("b"), "a" + long + "b", ""},
		{zst(t, "{}\n"), "{}\n", ""},
		{zpacked, long, ""},
		{zst(t, "a") + zpacked + skipped + zst(t, "b"), "a" + long + "b", ""},
		{skipped + zst(t, "a"), "a", ""},

		{zpacked[:4], "", "the zstd data are cut off"},
		{zpacked[:20], "", "the zstd data are cut off"},
		{zpacked[:len(zpacked)-1], long, "the zstd data are cut off"},
		{zpacked + zpacked[:12], long, "the zstd data are cut off"},
		{string(zbroken), long, "the zstd data are corrupt: "},
		{zpacked + "garbage at the end", long, "the zstd data are corrupt: "},
		{"\x28\xb5\x2f\xfd\x00\x58\xff\xff\xff", "", "the zstd data are corrupt: "},
		{packed[:2], "", "the gzip data are cut off"},
		{packed[:9], "", "the gzip data are cut off"},
		{packed[:len(packed)-1], long, "the gzip data are cut off"},
		{packed[:len(packed)-8], long, "the gzip data are cut off"},
		{packed + packed[:12], long, "the gzip data are cut off"},
		{string(broken), long, "the gzip data are corrupt: gzip: invalid checksum"},
		{packed + "garbage at the end", long, "the gzip data are corrupt: gzip: invalid header"},
		{"\x1f\x8b\x07\x00\x00\x00\x00\x00\x00\x00", "", "the gzip data are corrupt: gzip: invalid header"},
		{packed[:10] + "\xff\xff\xff\xff", "", "the gzip data are corrupt: flate: corrupt input"},

		{hugeWindow, "", "zstd with a window over 64 MiB, which is not supported: use zstd -dc --long=31 FILE | p256k1 verify"},
		{"\xfd7zXZ\x00\x00", "", "xz, which is not supported: use xz -dc FILE | p256k1 verify"},
		{"BZh9", "", "bzip2, which is not supported: use bzip2 -dc FILE | p256k1 verify"},
		{"PAR1", "", `Parquet, which is not supported: use duckdb -csv -c "from 'FILE'" | p256k1 verify`},
		{"PK\x03\x04\x14", "", "zip, which is not supported: use unzip -p FILE | p256k1 verify"},
		{"\xff\xfe{\x00}\x00", "", utf16},
		{"\xfe\xff\x00{\x00}", "", utf16},
		{gz(gz("{}\n")), "", "gzip with gzip in it, which is not supported"},
		{gz("\x28\xb5\x2f\xfd") + "...", "", "gzip with zstd in it, which is not supported"},
	} {
		ways := libtest.Readers([]byte(c.data))
		for way, r := range libtest.Readers([]byte(c.data)) {
			_, packed, _ := NewReader(bytes.NewReader([]byte(c.data)))
			got, err := readAll(r)
			if IsText(ways[way]) == packed {
				t.Errorf("%.20q, %s: packed: %t", c.data, way, packed)
			}
			switch {
			case c.err == "" && (err != nil || got != c.text),
				c.err != "" && (err == nil || !strings.HasPrefix(err.Error(), c.err) || !strings.HasPrefix(c.text, got)),
				errors.Is(err, io.ErrUnexpectedEOF) != strings.Contains(c.err, "cut off"),
				errors.Is(err, ErrFormat) != strings.Contains(c.err, "not supported"),
				errors.Is(err, ErrFormat) && err.Error() != c.err:
				t.Errorf("%.20q, %s: %.50q, %v, want %.50q, %s", c.data, way, got, err, c.text, c.err)
			}
		}
	}
}

// TestFileErrors checks that errors of the file are returned unchanged.
func TestFileErrors(t *testing.T) {
	wrong := errors.New("wrong")
	packed := gz(strings.Repeat("one line of many\n", 10000))
	for _, data := range []string{"", "\x1f", "text\n", packed[:1], packed[:5], packed[:200], zst(t, "{}\n")[:10], zst(t, "{}\n")} {
		if _, err := readAll(io.MultiReader(strings.NewReader(data), iotest.ErrReader(wrong))); err != wrong {
			t.Errorf("%.10q: %v", data, err)
		}
	}
	text, _, err := NewReader(&once{wrong})
	libtest.Check(t, err)
	for range 2 {
		if _, err := text.Read(make([]byte, 10)); err != wrong {
			t.Errorf("%v", err)
		}
	}
}

// once is a reader that returns its error only once.
type once struct{ err error }

func (o *once) Read([]byte) (n int, err error) {
	err, o.err = o.err, nil
	return 0, err
}

func FuzzReader(f *testing.F) {
	f.Add([]byte("{}\n"))
	f.Add([]byte(gz("{}\n") + gz("x")))
	f.Add([]byte("\x28\xb5\x2f\xfd"))
	f.Add([]byte(zst(f, "{}\n") + skipped + zst(f, "x")))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := readAll(bytes.NewReader(data))
		z, zerr := gzip.NewReader(bytes.NewReader(data))
		switch {
		case errors.Is(err, ErrFormat):
		case bytes.HasPrefix(data, []byte("\x1f\x8b")):
			var want []byte
			if zerr == nil {
				want, zerr = io.ReadAll(z)
			}
			if got != string(want) || (err == nil) != (zerr == nil) {
				t.Fatalf("%q, %v, want %q, %v", got, err, want, zerr)
			}
		case bytes.HasPrefix(data, []byte("\x28\xb5\x2f\xfd")):
			d := libtest.Must(zstd.NewReader(nil, zstd.WithDecoderMaxMemory(1<<24)))
			if want, zerr := d.DecodeAll(data, nil); zerr == nil && (err != nil || got != string(want)) {
				t.Fatalf("%q, %v, want %q", got, err, want)
			} else if zerr != nil && zerr != zstd.ErrWindowSizeExceeded && err == nil && len(got) < 1<<24 { // its window is 16 MiB
				t.Fatalf("%q, want %v", got, zerr)
			}
		case bytes.HasPrefix(data, []byte("\x50\x2a\x4d\x18")):
		case err != nil || got != string(data):
			t.Fatalf("%q, %v, want %q", got, err, data)
		}
	})
}
