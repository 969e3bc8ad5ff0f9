package transform

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// A Part is the unit of work: a whole file, or the lines that begin in the bytes of a file from From up to, but not
// including, To.
type Part struct {
	File     string
	Number   int64 // number of the part, from 0, in the order of the file
	From, To int64
	Whole    bool   // the part is the whole file, which is small or compressed, or whose file system cannot seek
	Header   string // header of a CSV file
}

// open returns a reader of the lines of the part, and a function that returns the number of these lines after all of
// them have been read, or 0 if the part is the whole file. If the last line is longer than maxLine bytes, the reader
// reads little more than maxLine bytes of it.
func (p *Part) open(ctx context.Context, maxLine int) (io.ReadCloser, func() int64, error) {
	file, err := openFile(ctx, p.File)
	if err != nil {
		return nil, nil, err
	}
	if p.Whole {
		return file, func() int64 { return 0 }, nil // not needed, because no part follows
	}
	r := &partReader{file: file, next: max(p.From-1, 0), first: p.From == 0, last: p.To - 1, end: p.To + int64(maxLine) + 1}
	if _, err := file.ReadCloser.(io.Seeker).Seek(r.next, io.SeekStart); err != nil {
		file.Close()
		return nil, nil, err
	}
	return r, func() int64 { return r.lines }, nil
}

// A partReader reads the lines that begin in a part. A line begins at the start of the file and after each newline, so
// the lines of a part follow the newlines from one byte before the part up to the part's last byte but one.
type partReader struct {
	file  *file
	next  int64 // offset in the file of the next read
	first bool  // a line begins at the start of the part, whatever precedes it
	last  int64 // offset from which on the first newline ends the part
	end   int64 // offset at which the part ends at the latest
	lines int64 // number of lines that begin in the part
	begun bool  // whether the first of these lines has been found
	done  bool
}

func (r *partReader) Read(b []byte) (int, error) {
	for !r.done && len(b) > 0 {
		n, err := r.file.Read(b)
		n = r.cut(b[:n])
		if n > 0 {
			return n, nil // the next call returns the error
		}
		if err != nil {
			return 0, err
		}
	}
	if r.done {
		return 0, io.EOF
	}
	return 0, nil
}

// cut moves the bytes of b that belong to the part to the front of b, and returns their number.
func (r *partReader) cut(b []byte) int {
	from, to := r.next, r.next+int64(len(b))
	r.next = to
	if len(b) == 0 {
		return 0
	}
	inside := b[:min(max(r.last-from, 0), int64(len(b)))] // after a newline in these bytes, a line of this part begins
	skip := 0
	if !r.begun {
		before := bytes.IndexByte(inside, '\n') // the newline before the part's first line
		if r.first {
			before = -1
		} else if before < 0 {
			r.done = to >= r.last
			return 0
		}
		r.begun, skip = true, before+1
		r.lines++
	}
	if skip < len(inside) {
		r.lines += int64(bytes.Count(inside[skip:], []byte{'\n'}))
	}
	n := len(b)
	if to > r.last { // the last line may end here
		behind := max(r.last-from, 0)
		if k := bytes.IndexByte(b[behind:], '\n'); k >= 0 {
			n, r.done = int(behind)+k+1, true
		} else if to >= r.end {
			r.done = true
		}
	}
	return copy(b, b[skip:n])
}

// Stat returns the information of the file, which tells package verify that reading never has to wait for input.
func (r *partReader) Stat() (fs.FileInfo, error) { return r.file.Stat() }

func (r *partReader) Close() error { return r.file.Close() }

// A file is an open file together with its open file system.
type file struct {
	io.ReadCloser
	system filesystem.Interface
}

// openFile opens a file on the file system that the scheme of its name selects.
func openFile(ctx context.Context, name string) (*file, error) {
	system, err := filesystem.New(ctx, name)
	if err != nil {
		return nil, err
	}
	r, err := system.OpenRead(ctx, name)
	if err != nil {
		system.Close()
		return nil, err
	}
	return &file{r, system}, nil
}

// Stat implements fs.File. It returns an error unless the file is local.
func (f *file) Stat() (fs.FileInfo, error) {
	if local, ok := f.ReadCloser.(fs.File); ok {
		return local.Stat()
	}
	return nil, errors.ErrUnsupported
}

func (f *file) Close() error { return errors.Join(f.ReadCloser.Close(), f.system.Close()) }
