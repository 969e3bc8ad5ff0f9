package bulk

import (
	"io"
	"io/fs"
)

const (
	// aheadBytes and aheadPieces limit how much is read ahead from an input whose Read may have to wait.
	aheadBytes  = 64 << 10
	aheadPieces = 8
)

// steady is a stream whose Read never waits.
type steady struct{ io.Reader }

func (steady) Waits() bool { return false }

// isSteady reports whether a file is a regular file. Reading a regular file never waits for input.
func isSteady(file io.Reader) bool {
	f, ok := file.(fs.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

// ahead is a stream that a goroutine reads in advance, so that the consumer can tell whether more input has arrived.
type ahead struct {
	full, free chan []byte
	piece      []byte // the bytes that Read returns next
	used       []byte // the whole piece of which the field piece is the unread part
	err        error  // the error after the last piece; set before full is closed
}

// readAhead returns a stream whose goroutine reads r in advance, until r returns an error or done is closed.
func readAhead(r io.Reader, done <-chan struct{}) *ahead {
	a := &ahead{full: make(chan []byte, aheadPieces), free: make(chan []byte, aheadPieces)}
	for range aheadPieces {
		a.free <- nil
	}
	go func() {
		defer close(a.full)
		for a.err == nil {
			var b []byte
			select {
			case b = <-a.free:
			case <-done:
				a.err = io.ErrClosedPipe // nobody reads this error
				return
			}
			if b == nil {
				b = make([]byte, aheadBytes)
			}
			var n int
			n, a.err = r.Read(b)
			a.full <- b[:n] // does not block, because full has room for all pieces
		}
	}()
	return a
}

// Waits implements stream.
func (a *ahead) Waits() bool { return len(a.piece) == 0 && len(a.full) == 0 }

// Read implements io.Reader.
func (a *ahead) Read(b []byte) (int, error) {
	if len(a.piece) == 0 {
		if a.used != nil {
			a.free <- a.used[:cap(a.used)] // does not block, because free has room for all pieces
			a.used = nil
		}
		piece, ok := <-a.full
		if !ok {
			return 0, a.err
		}
		a.piece, a.used = piece, piece
	}
	n := copy(b, a.piece)
	a.piece = a.piece[n:]
	return n, nil
}
