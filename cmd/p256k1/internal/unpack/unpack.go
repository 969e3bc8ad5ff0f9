// Package unpack reads text that may be compressed. It recognizes the format by the first bytes of a file, whatever its
// name is.
package unpack

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// ErrFormat is wrapped by the error for a file in a format that is not read.
var ErrFormat = errors.New("not read")

// A format is one of the formats that a file may have instead of text.
type format struct {
	name  string
	magic string // first bytes, with which no UTF-8 text begins that has JSON or names of fields in its first line
	open  func(io.Reader) (io.Reader, error)
	tool  string // command that prints the text, for a format without open
}

var formats = []format{
	{name: "gzip", magic: "\x1f\x8b", open: openGzip},
	{name: "zstd", magic: "\x28\xb5\x2f\xfd", open: openZstd},
	{name: "zstd", magic: "\x50\x2a\x4d\x18", open: openZstd}, // skippable frame, as pzstd writes
	{name: "bzip2", magic: "BZh", tool: "bzip2 -dc FILE"},
	{name: "xz", magic: "\xfd7zXZ\x00", tool: "xz -dc FILE"},
	{name: "zip", magic: "PK\x03\x04", tool: "unzip -p FILE"},
	{name: "Parquet", magic: "PAR1", tool: `duckdb -csv -c "from 'FILE'"`}, // scale/README.md says why
	{name: "UTF-16", magic: "\xff\xfe", tool: "iconv -f UTF-16 -t UTF-8 FILE"},
	{name: "UTF-16", magic: "\xfe\xff", tool: "iconv -f UTF-16 -t UTF-8 FILE"},
}

// NewReader returns a reader of the text in r, and whether r is compressed. It decompresses gzip, with all its members,
// and zstd; otherwise the text is r itself. It waits for no more input than it needs to recognize the format. Its
// memory does not depend on the contents of r. For other formats, and for zstd with a window over maxWindow, the error
// wraps ErrFormat. The reader's errors say whether the data are cut off, and then wrap io.ErrUnexpectedEOF, or are
// corrupt. Errors of r are returned unchanged.
func NewReader(r io.Reader) (text io.Reader, packed bool, err error) {
	file := &watched{r: r}
	data := bufio.NewReaderSize(file, 64<<10)
	f := sniff(data)
	if f == nil {
		return data, false, nil
	}
	if f.open == nil {
		return nil, true, fmt.Errorf("%s, which is %w: use %s | p256k1 verify", f.name, ErrFormat, f.tool)
	}
	unpacked, err := f.open(data)
	if err != nil {
		return nil, true, f.explain(file, err)
	}
	out := bufio.NewReader(explainer{f, file, unpacked})
	if inner := sniff(out); inner != nil {
		return nil, true, fmt.Errorf("%s with %s in it, which is %w", f.name, inner.name, ErrFormat)
	}
	return out, true, nil
}

// IsText reports whether NewReader would return r itself for input that begins like r.
func IsText(r io.Reader) bool { return sniff(bufio.NewReaderSize(r, 16)) == nil }

func openGzip(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }

// maxWindow is the largest window of zstd data, which has to be kept in memory. Files that the program zstd writes with
// --long, or with --ultra and -22, have larger windows.
const maxWindow = 64 << 20

func openZstd(r io.Reader) (io.Reader, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
}

// sniff returns the format that r begins with, or nil for text. It consumes nothing from r. It looks at a further byte
// only if the bytes before may begin a format, so that text is not held back until more arrives.
func sniff(r *bufio.Reader) *format {
	for n := 1; ; n++ {
		head, err := r.Peek(n)
		more := false
		for i := range formats {
			f := &formats[i]
			if bytes.HasPrefix(head, []byte(f.magic)) {
				return f
			}
			more = more || strings.HasPrefix(f.magic, string(head))
		}
		if !more || err != nil {
			return nil
		}
	}
}

// explain rewords an error of the decompressor, and returns errors of the file unchanged.
func (f *format) explain(file *watched, err error) error {
	switch {
	case file.err != nil && file.err != io.EOF:
		return file.err
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		return fmt.Errorf("zstd with a window over %d MiB, which is %w: use zstd -dc --long=31 FILE | p256k1 verify", maxWindow>>20, ErrFormat)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the %s data are cut off: %w", f.name, err)
	}
	return fmt.Errorf("the %s data are corrupt: %w", f.name, err)
}

// watched reads a file until the first error, which it keeps and returns from then on. A terminal reports its end only
// once, and bufio.Reader forgets an error of Peek.
type watched struct {
	r   io.Reader
	err error
}

func (w *watched) Read(b []byte) (n int, err error) {
	if w.err == nil {
		n, w.err = w.r.Read(b)
	}
	return n, w.err
}

// explainer is a decompressor whose errors are reworded.
type explainer struct {
	f    *format
	file *watched
	r    io.Reader
}

func (e explainer) Read(b []byte) (int, error) {
	n, err := e.r.Read(b)
	if err != nil && err != io.EOF {
		err = e.f.explain(e.file, err)
	}
	return n, err
}
