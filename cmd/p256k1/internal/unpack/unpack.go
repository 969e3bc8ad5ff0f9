// Package unpack reads text that may be compressed, which it finds out by the
// first bytes of a file, whatever its name is.
package unpack

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ErrFormat is wrapped by the error for a file in a format that is not read.
var ErrFormat = errors.New("not read")

// A format is one that a file may have instead of text.
type format struct {
	name   string
	offset int    // of magic
	magic  string // no text in UTF-8 with JSON in its first line begins so
	open   func(io.Reader) (io.Reader, error)
	tool   string // which writes the text, for a format without open
}

var formats = []format{
	{name: "gzip", magic: "\x1f\x8b", open: openGzip},
	{name: "bzip2", magic: "BZh", open: openBzip2},
	{name: "zstd", magic: "\x28\xb5\x2f\xfd", tool: "zstd -dc FILE"},
	{name: "xz", magic: "\xfd7zXZ\x00", tool: "xz -dc FILE"},
	{name: "lz4", magic: "\x04\x22\x4d\x18", tool: "lz4 -dc FILE"},
	{name: "compress (.Z)", magic: "\x1f\x9d", tool: "gzip -dc FILE"},
	{name: "zip", magic: "PK\x03\x04", tool: "unzip -p FILE"},
	{name: "zip", magic: "PK\x05\x06", tool: "unzip -p FILE"},
	{name: "7z", magic: "7z\xbc\xaf\x27\x1c", tool: "7z x -so FILE"},
	{name: "tar", magic: "ustar\x00", offset: 257, tool: "tar -xOf FILE"},
	{name: "tar", magic: "ustar  \x00", offset: 257, tool: "tar -xOf FILE"}, // of GNU
	{name: "UTF-16", magic: "\xff\xfe", tool: "iconv -f UTF-16 -t UTF-8 FILE"},
	{name: "UTF-16", magic: "\xfe\xff", tool: "iconv -f UTF-16 -t UTF-8 FILE"},
}

// headSize is how much of a file is looked at: the first block of a tar archive.
const headSize = 512

// NewReader returns a reader of the text in r: of what r holds in gzip, all members
// of it, or bzip2, and otherwise of r itself. It reads as little as it needs to
// know, from text only once. Memory does not depend on what r holds. For other
// formats the error wraps ErrFormat. The reader's errors say if data are cut off,
// and then wrap io.ErrUnexpectedEOF, or corrupt; those of r it returns as they are.
func NewReader(r io.Reader) (io.Reader, error) {
	f, r := sniff(r)
	if f == nil {
		return r, nil
	}
	if f.open == nil {
		return nil, fmt.Errorf("%s, which is %w: use %s | p256k1 verify", f.name, ErrFormat, f.tool)
	}
	text, err := f.open(bufio.NewReaderSize(r, 64<<10))
	if err != nil {
		return nil, f.explain(err)
	}
	inner, r := sniff(explainer{f, text})
	if inner != nil {
		return nil, fmt.Errorf("%s with %s in it, which is %w", f.name, inner.name, ErrFormat)
	}
	return r, nil
}

func openGzip(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }

func openBzip2(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil }

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
func (f *format) explain(err error) error {
	_, wrongFlate := errors.AsType[flate.CorruptInputError](err)
	_, wrongBzip2 := errors.AsType[bzip2.StructuralError](err)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the %s data are cut off: %w", f.name, err)
	case wrongFlate, wrongBzip2, errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum):
		return fmt.Errorf("the %s data are corrupt: %w", f.name, err)
	}
	return err
}

// explainer is a decompressor with errors in words.
type explainer struct {
	f *format
	r io.Reader
}

func (e explainer) Read(b []byte) (int, error) {
	n, err := e.r.Read(b)
	if err != nil && err != io.EOF {
		err = e.f.explain(err)
	}
	return n, err
}

// failed is a reader with nothing but an error.
type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }
