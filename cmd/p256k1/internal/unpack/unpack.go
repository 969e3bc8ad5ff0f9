// Package unpack reads text that may be compressed. It recognizes the format by the first bytes of a file, and not by
// its name.
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

// ErrFormat means that a file has a format that this package cannot decompress.
var ErrFormat = errors.New("not supported")

// A format is a compressed, binary or UTF-16 format that a file may have instead of text.
type format struct {
	name  string
	magic string // the first bytes; no line of JSON begins with them, nor a likely CSV header
	open  func(io.Reader) (io.Reader, error)
	tool  string // the command that prints the text, for a format that this package cannot decompress
}

var formats = []format{
	{name: "gzip", magic: "\x1f\x8b", open: func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
	{name: "zstd", magic: "\x28\xb5\x2f\xfd", open: openZstd},
	{name: "zstd", magic: "\x50\x2a\x4d\x18", open: openZstd}, // skippable frame, as pzstd writes
	{name: "bzip2", magic: "BZh", tool: "bzip2 -dc FILE"},
	{name: "xz", magic: "\xfd7zXZ\x00", tool: "xz -dc FILE"},
	{name: "zip", magic: "PK\x03\x04", tool: "unzip -p FILE"},
	{name: "Parquet", magic: "PAR1", tool: `duckdb -csv -c "from 'FILE'"`}, // scale/README.md says why
	{name: "UTF-16", magic: "\xff\xfe", tool: "iconv -f UTF-16 -t UTF-8 FILE"},
	{name: "UTF-16", magic: "\xfe\xff", tool: "iconv -f UTF-16 -t UTF-8 FILE"},
}

// NewReader returns a reader of the text in r, and reports whether r is compressed. It decompresses gzip, including
// files of several members, and zstd. If r is not compressed, the text is the contents of r. NewReader waits for no
// more input than it needs to recognize the format. Its memory does not depend on the contents of r. For other formats,
// a format inside a format, and zstd with a window larger than maxWindow, the error wraps ErrFormat. The returned
// reader has one error for data that are cut off, which wraps io.ErrUnexpectedEOF, and one for corrupt data. It returns
// errors of r unchanged.
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

// IsText reports whether NewReader would take input that begins like r as text.
func IsText(r io.Reader) bool { return sniff(bufio.NewReaderSize(r, 16)) == nil }

// maxWindow is the largest accepted window of zstd data, because the decompressor keeps the window in memory. Files
// that the program zstd writes with --long, or with --ultra and -22, have larger windows.
const maxWindow = 64 << 20

func openZstd(r io.Reader) (io.Reader, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
}

// sniff returns the format of r, or nil for text. It consumes nothing from r. It reads a further byte only if the bytes
// so far may be the beginning of a format, so that short text is not held back until more input arrives.
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

// explain returns an error of the decompressor in other words, and returns errors of the file unchanged.
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

// watched reads a file until the first error, which it then returns from every Read. It is needed because a terminal
// reports its end only once, and bufio.Reader forgets an error of Peek.
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

// explainer is a decompressor that returns the errors of explain.
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
