// Package unpack reads text that may be compressed, which it finds out by the
// first bytes of a file, whatever its name is.
package unpack

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// ErrFormat is wrapped by the error for a file in a format that is not read.
var ErrFormat = errors.New("not read")

// A format is one that a file may have instead of text.
type format struct {
	name   string
	offset int    // of magic
	magic  string // no text in UTF-8 with JSON, or names of fields, in its first line begins so
	open   func(io.Reader) (io.Reader, error)
	tool   string // which writes the text, for a format without open
}

var formats = []format{
	{name: "gzip", magic: "\x1f\x8b", open: openGzip},
	{name: "bzip2", magic: "BZh", open: openBzip2},
	{name: "zstd", magic: "\x28\xb5\x2f\xfd", open: openZstd},
	{name: "zstd", magic: "\x50\x2a\x4d\x18", open: openZstd}, // of pzstd: a frame to skip
	{name: "xz", magic: "\xfd7zXZ\x00", tool: "xz -dc FILE"},
	{name: "lz4", magic: "\x04\x22\x4d\x18", tool: "lz4 -dc FILE"},
	{name: "compress (.Z)", magic: "\x1f\x9d", tool: "gzip -dc FILE"},
	{name: "zip", magic: "PK\x03\x04", tool: "unzip -p FILE"},
	{name: "zip", magic: "PK\x05\x06", tool: "unzip -p FILE"},
	{name: "7z", magic: "7z\xbc\xaf\x27\x1c", tool: "7z x -so FILE"},
	{name: "Parquet", magic: "PAR1", tool: `duckdb -csv -c "from 'FILE'"`}, // scale/README.md says why
	{name: "tar", magic: "ustar\x00", offset: 257, tool: "tar -xOf FILE"},
	{name: "tar", magic: "ustar  \x00", offset: 257, tool: "tar -xOf FILE"}, // of GNU
	{name: "UTF-16", magic: "\xff\xfe", tool: "iconv -f UTF-16 -t UTF-8 FILE"},
	{name: "UTF-16", magic: "\xfe\xff", tool: "iconv -f UTF-16 -t UTF-8 FILE"},
}

// headSize is how much of a file is looked at: the first block of a tar archive.
const headSize = 512

// NewReader returns a reader of the text in r: of what r holds in gzip, all members
// of it, bzip2 or zstd, and otherwise of r itself, and whether it is packed. It reads
// as little as it needs to know, from text only once. Memory does not depend on what
// r holds. For other formats, and zstd with a window over maxWindow, the error wraps ErrFormat. The reader's errors say if data are cut off,
// and then wrap io.ErrUnexpectedEOF, or corrupt; those of r it returns as they are.
func NewReader(r io.Reader) (text io.Reader, packed bool, err error) {
	f, r := sniff(r)
	if f == nil {
		return r, false, nil
	}
	if f.open == nil {
		return nil, true, fmt.Errorf("%s, which is %w: use %s | p256k1 verify", f.name, ErrFormat, f.tool)
	}
	file := &watched{r: r}
	unpacked, err := f.open(bufio.NewReaderSize(file, 64<<10))
	if err != nil {
		return nil, true, f.explain(file, err)
	}
	inner, text := sniff(explainer{f, file, unpacked})
	if inner != nil {
		return nil, true, fmt.Errorf("%s with %s in it, which is %w", f.name, inner.name, ErrFormat)
	}
	return text, true, nil
}

// IsText reports whether NewReader returns a reader of r itself, for what begins as r does.
func IsText(r io.Reader) bool {
	f, _ := sniff(r)
	return f == nil
}

func openGzip(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }

func openBzip2(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil }

// maxWindow is how far zstd data may refer back, which has to be kept in memory. Of
// what the program zstd writes, that with --long, or --ultra and -22, needs more.
const maxWindow = 64 << 20

func openZstd(r io.Reader) (io.Reader, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
}

// sniff returns the format that r begins with, or nil for text, and a reader of
// all that r holds.
func sniff(r io.Reader) (*format, io.Reader) {
	head := make([]byte, 0, headSize)
	for empty := 0; ; {
		f, more := formatOf(head)
		if !more {
			return f, io.MultiReader(bytes.NewReader(head), r)
		}
		n, err := r.Read(head[len(head):headSize])
		head = head[:len(head)+n]
		if empty++; n > 0 {
			empty = 0
		}
		if err == nil && empty == 100 {
			err = io.ErrNoProgress
		}
		if err != nil {
			f, _ = formatOf(head)
			return f, io.MultiReader(bytes.NewReader(head), failed{err})
		}
	}
}

// formatOf returns the format of a file that begins with head, and whether more
// of the file may show it to have one.
func formatOf(head []byte) (f *format, more bool) {
	for i := range formats {
		f := &formats[i]
		end := f.offset + len(f.magic)
		switch {
		case len(head) >= end:
			if string(head[f.offset:end]) == f.magic {
				return f, false
			}
		case f.offset == 0 && strings.HasPrefix(f.magic, string(head)):
			more = true
		}
	}
	return nil, more
}

// explain returns an error of the decompressor, and errors of the file as they
// are.
func (f *format) explain(file *watched, err error) error {
	switch {
	case file.err != nil:
		return file.err
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		return fmt.Errorf("zstd with a window over %d MiB, which is %w: use zstd -dc --long=31 FILE | p256k1 verify", maxWindow>>20, ErrFormat)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the %s data are cut off: %w", f.name, err)
	}
	return fmt.Errorf("the %s data are corrupt: %w", f.name, err)
}

// watched is a reader of a file that keeps its error.
type watched struct {
	r   io.Reader
	err error // but for io.EOF
}

func (w *watched) Read(b []byte) (int, error) {
	n, err := w.r.Read(b)
	if err != nil && err != io.EOF {
		w.err = err
	}
	return n, err
}

// explainer is a decompressor of a file with errors in words.
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

// failed is a reader with nothing but an error.
type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }
