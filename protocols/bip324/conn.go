package bip324

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// HandshakeTimeout is the time after which a handshake fails if its context has no deadline.
	HandshakeTimeout = time.Minute

	readBuffer  = 16 << 10
	writeBuffer = 64 << 10 // the largest buffer that a Conn keeps for writing
	firstRead   = 64 << 10 // the first part of a long packet; each later part is as long as all parts before it
)

// ErrUnanswered means that the connection ended before the responder sent anything, as it does with v1 peers that do
// not know BIP-324. An initiator may connect again and speak v1.
var ErrUnanswered = errors.New("connection ended before the peer's first byte")

// Conn is an encrypted connection, made by Client or Server. One goroutine may read while another goroutine writes.
// Several readers wait for each other, and so do several writers. Close and the methods that set deadlines may be
// called at any time, by any goroutine. All copies of a Conn are the same connection. Reading and writing with a Conn
// that neither Client nor Server made fails with ErrOrder.
//
// Unless the comment of a method says otherwise, the first error of reading or writing ends the connection, even if the
// error is an expired deadline. The connection is then closed, its keys are wiped in both directions, and all later
// reads and writes return the same error.
type Conn struct {
	hidden
	*link
}

// A link is the state that copies of a Conn share.
type link struct {
	conn net.Conn
	id   [32]byte
	why  atomic.Pointer[error] // why the connection ended

	reading sync.Mutex
	r       *bufio.Reader
	opener  *Opener
	head    [lengthSize]byte

	writing sync.Mutex
	sealer  *Sealer
	buf     []byte // packets to be written
}

// Client performs the handshake as the initiator over conn, a connection that the caller has opened, and returns the
// encrypted connection. The handshake fails when ctx is done, or after HandshakeTimeout if ctx has no deadline. If
// there is an error, Client closes conn. The error is ErrUnanswered, os.ErrInvalid if ctx or conn is nil, or an error
// of NewInitiator, of Handshake.Receive, of conn or of ctx.
func Client(ctx context.Context, conn net.Conn, cfg *Config) (*Conn, error) {
	return connect(ctx, conn, cfg, true)
}

// Server performs the handshake as the responder over conn, a connection that the caller has accepted, and returns the
// encrypted connection. The time limit and the errors are the same as for Client, except that the error can be a
// *V1Error or ErrNetwork, but not ErrUnanswered. After a *V1Error, conn is still open, without deadlines, and the next
// bytes read from conn follow the bytes in the error.
func Server(ctx context.Context, conn net.Conn, cfg *Config) (*Conn, error) {
	return connect(ctx, conn, cfg, false)
}

// past is a deadline that has passed.
var past = time.Unix(1, 0)

func connect(ctx context.Context, conn net.Conn, cfg *Config, initiator bool) (*Conn, error) {
	if conn == nil {
		return nil, fmt.Errorf("bip324: %w: no connection", os.ErrInvalid)
	}
	if ctx == nil {
		conn.Close()
		return nil, fmt.Errorf("bip324: %w: no context", os.ErrInvalid)
	}
	h, err := newHandshake(cfg, initiator)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return h.connect(ctx, conn)
}

// connect sends and receives over conn until h is complete or fails. It takes the session from h, and wipes h.
func (h *Handshake) connect(ctx context.Context, conn net.Conn) (*Conn, error) {
	defer h.Zero()
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, HandshakeTimeout)
		defer cancel()
	}
	stop := context.AfterFunc(ctx, func() {
		if conn.SetDeadline(past) != nil {
			conn.Close()
		}
	})
	l := &link{conn: conn, r: bufio.NewReaderSize(conn, readBuffer)}
	err := l.shake(h)
	if !stop() {
		err = fmt.Errorf("bip324: handshake: %w", context.Cause(ctx))
	}
	var v1 *V1Error
	if errors.As(err, &v1) {
		rest, _ := l.r.Peek(l.r.Buffered())
		v1.Received = append(v1.Received, rest...)
		conn.SetDeadline(time.Time{})
		return nil, err
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	session := h.Session()
	l.id, l.sealer, l.opener = session.ID, session.Sealer, session.Opener
	return &Conn{link: l}, nil
}

// shake sends and receives until h is complete. It writes in a separate goroutine, because both sides may begin with
// more bytes than the connection buffers.
func (l *link) shake(h *Handshake) error {
	out := make(chan []byte, 3) // room for all that is written, so that sending never blocks
	written := make(chan error, 1)
	go func() {
		var err error
		for b := range out {
			if err == nil {
				if _, err = l.conn.Write(b); err != nil {
					l.conn.SetReadDeadline(past)
				}
			}
		}
		written <- err
	}()
	read, err := l.exchange(h, out)
	close(out)
	if err != nil {
		l.conn.SetWriteDeadline(past)
	}
	if writeErr := <-written; writeErr != nil && (err == nil || errors.Is(err, os.ErrDeadlineExceeded)) {
		read, err = true, writeErr
	}
	if !read {
		return err
	}
	if s := h.get(); s.initiator && s.received == 0 && !errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("bip324: handshake: %w: %w", ErrUnanswered, err)
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("bip324: handshake: %w", err)
}

// exchange carries out the handshake. If it fails, exchange returns the error, and whether the error came from a Read.
func (l *link) exchange(h *Handshake, out chan<- []byte) (read bool, err error) {
	for {
		if b := h.Send(); len(b) > 0 {
			out <- b
		}
		if h.get().stage == doneStage {
			return false, nil
		}
		if _, err := l.r.Peek(1); err != nil {
			return true, err
		}
		b, _ := l.r.Peek(l.r.Buffered())
		n, err := h.Receive(b)
		l.r.Discard(n)
		if err != nil {
			return false, err
		}
	}
}

// SessionID returns the session id, which is the same on both sides unless an attacker is between them.
func (c *Conn) SessionID() [32]byte { return c.get().id }

var errConn = fmt.Errorf("bip324: %w: neither Client nor Server", ErrOrder)

// get returns the link of c. If neither Client nor Server made c, the link has already ended with errConn.
func (c *Conn) get() *link {
	if c != nil && c.link != nil {
		return c.link
	}
	l := new(link)
	l.why.Store(&errConn)
	return l
}

// fail ends the connection when it is first called, and always returns the error of the first call. Callers must not
// hold a lock, because fail takes both locks. A goroutine that holds a lock releases it once the connection is closed,
// because its read or write then fails.
func (l *link) fail(err error) error {
	if l.why.CompareAndSwap(nil, &err) {
		l.conn.Close()
		l.reading.Lock()
		l.opener.Zero()
		l.reading.Unlock()
		l.writing.Lock()
		l.sealer.Zero()
		l.writing.Unlock()
	}
	return *l.why.Load()
}

// ended returns the error that ended the connection, or nil if it has not ended.
func (l *link) ended() error {
	if why := l.why.Load(); why != nil {
		return *why
	}
	return nil
}

// ReadPacket returns the contents of the next packet that is not a decoy. The contents are in the memory of buf if the
// capacity of buf is large enough for them and for each decoy before them, with Overhead − 3 more bytes. Otherwise
// ReadPacket allocates memory as bytes arrive, so that an attacker cannot cause a large allocation by a length alone.
// The error is
//
//   - io.EOF if the peer closed the connection between two packets,
//   - io.ErrUnexpectedEOF if the peer closed the connection within a packet,
//   - ErrAuth if the packet is not authentic,
//   - ErrTooLong if the length exceeds Config.MaxContents,
//   - net.ErrClosed after Close, or
//   - an error of the connection.
func (c *Conn) ReadPacket(buf []byte) ([]byte, error) {
	l := c.get()
	contents, err := l.read(buf)
	if err != nil {
		return nil, l.fail(err)
	}
	return contents, nil
}

func (l *link) read(buf []byte) ([]byte, error) {
	l.reading.Lock()
	defer l.reading.Unlock()
	if err := l.ended(); err != nil {
		return nil, err
	}
	for {
		if _, err := io.ReadFull(l.r, l.head[:]); err != nil {
			return nil, err
		}
		n, err := l.opener.Length(l.head[:])
		if err != nil {
			return nil, err
		}
		if buf, err = readFull(l.r, buf, n); err != nil {
			return nil, err
		}
		contents, decoy, err := l.opener.Open(buf)
		if err != nil {
			return nil, err
		}
		if !decoy {
			return contents, nil
		}
	}
}

// readFull reads n bytes into buf, which it grows as the bytes arrive.
func readFull(r io.Reader, buf []byte, n int) ([]byte, error) {
	buf = buf[:0]
	for len(buf) < n {
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, min(n-len(buf), max(firstRead, len(buf))))
		}
		m, err := io.ReadFull(r, buf[len(buf):min(cap(buf), n)])
		buf = buf[:len(buf)+m]
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return buf, err
		}
	}
	return buf, nil
}

// WritePacket sends a packet with the given contents. The error is ErrTooLong for more than MaxContents bytes,
// net.ErrClosed after Close, or an error of the connection. If the error is ErrTooLong, nothing was sent and the
// connection can still be used.
func (c *Conn) WritePacket(contents []byte) error {
	return c.get().write(nil, contents, len(contents), false)
}

// WriteDecoy sends a packet with n zeros, which the peer ignores. It returns the same errors as WritePacket, and
// ErrTooLong if n is negative.
func (c *Conn) WriteDecoy(n int) error { return c.get().write(nil, nil, n, true) }

// write sends a packet whose contents have n bytes: head, rest, and zeros.
func (l *link) write(head, rest []byte, n int, decoy bool) error {
	if err := checkLength(n, MaxContents); err != nil {
		return err
	}
	if err := l.seal(head, rest, n, decoy); err != nil {
		return l.fail(err)
	}
	return nil
}

func (l *link) seal(head, rest []byte, n int, decoy bool) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	if err := l.ended(); err != nil {
		return err
	}
	buf := slices.Grow(l.buf[:0], n+Overhead)
	if cap(buf) <= writeBuffer {
		l.buf = buf
	}
	contents := buf[lengthSize+headerSize : lengthSize+headerSize+n] // the place in buf where Seal expects the contents
	m := copy(contents, head)
	m += copy(contents[m:], rest)
	clear(contents[m:])
	packet, err := l.sealer.Seal(buf, contents, decoy)
	if err != nil {
		return err
	}
	_, err = l.conn.Write(packet)
	return err
}

// ReadMessage reads the next packet with ReadPacket, and parses its contents with ParseMessage. After ErrMessage the
// connection can still be used: the packet is authentic, and peers ignore messages that they do not know.
func (c *Conn) ReadMessage(buf []byte) (name string, payload []byte, err error) {
	contents, err := c.ReadPacket(buf)
	if err != nil {
		return "", nil, err
	}
	return ParseMessage(contents)
}

// WriteMessage sends a message in a packet, with the shorter form of the message's type. The error is ErrMessage for an
// invalid name, or an error of WritePacket. If the error is ErrMessage, nothing was sent and the connection can still
// be used.
func (c *Conn) WriteMessage(name string, payload []byte) error {
	var b [1 + nameSize]byte
	head, err := appendType(b[:0], name)
	if err != nil {
		return err
	}
	return c.get().write(head, payload, len(head)+len(payload), false)
}

// Close closes the connection and wipes the keys. Pending and later reads and writes return net.ErrClosed, unless an
// earlier error has ended the connection. Close always returns nil.
func (c *Conn) Close() error {
	c.get().fail(fmt.Errorf("bip324: %w", net.ErrClosed))
	return nil
}

// SetDeadline sets the time after which a read or a write fails and ends the connection. The zero time means no
// deadline.
func (c *Conn) SetDeadline(t time.Time) error { return c.set(net.Conn.SetDeadline, t) }

// SetReadDeadline sets the time after which a read fails and ends the connection. The zero time means no deadline.
func (c *Conn) SetReadDeadline(t time.Time) error { return c.set(net.Conn.SetReadDeadline, t) }

// SetWriteDeadline sets the time after which a write fails and ends the connection. The zero time means no deadline.
func (c *Conn) SetWriteDeadline(t time.Time) error { return c.set(net.Conn.SetWriteDeadline, t) }

func (c *Conn) set(deadline func(net.Conn, time.Time) error, t time.Time) error {
	l := c.get()
	if l.conn == nil {
		return errConn
	}
	return deadline(l.conn, t)
}

// LocalAddr returns the address of this side.
func (c *Conn) LocalAddr() net.Addr {
	if l := c.get(); l.conn != nil {
		return l.conn.LocalAddr()
	}
	return nil
}

// RemoteAddr returns the address of the peer.
func (c *Conn) RemoteAddr() net.Addr {
	if l := c.get(); l.conn != nil {
		return l.conn.RemoteAddr()
	}
	return nil
}
