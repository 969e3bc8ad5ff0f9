package bulk

import (
	"bytes"
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
	pieces chan []byte
	piece  []byte // the bytes that Read returns next
	err    error  // the error after the last piece; set before pieces is closed
}

// readAhead returns a stream whose goroutine reads r in advance, until r returns an error or done is closed.
func readAhead(r io.Reader, done <-chan struct{}) *ahead {
	a := &ahead{pieces: make(chan []byte, aheadPieces)}
	go func() {
		defer close(a.pieces)
		b := make([]byte, aheadBytes)
		for a.err == nil {
			var n int
			n, a.err = r.Read(b)
			select {
			case a.pieces <- bytes.Clone(b[:n]):
			case <-done:
				return
			}
		}
	}()
	return a
}

// Waits implements stream.
func (a *ahead) Waits() bool { return len(a.piece) == 0 && len(a.pieces) == 0 }

// Read implements io.Reader.
func (a *ahead) Read(b []byte) (int, error) {
	if len(a.piece) == 0 {
		piece, ok := <-a.pieces
		if !ok {
			return 0, a.err
		}
		a.piece = piece
	}
	n := copy(b, a.piece)
	a.piece = a.piece[n:]
	return n, nil
}
