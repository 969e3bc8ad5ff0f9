package bip324

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"p256k1.mleku.dev/v2/internal/libtest"
)

// patience is the time that a test waits for bytes that may never arrive.
const patience = 20 * time.Second

// tcp returns both ends of a connection on this machine.
func tcp(t testing.TB) (a, b net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	accepted := make(chan net.Conn, 1)
	go func() {
		c, _ := l.Accept()
		accepted <- c
	}()
	a, err = net.Dial("tcp", l.Addr().String())
	if b = <-accepted; err != nil || b == nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close(); b.Close() })
	deadline := time.Now().Add(patience)
	a.SetDeadline(deadline)
	b.SetDeadline(deadline)
	return a, b
}

// both runs Client on one end and Server on the other end.
func both(ctx context.Context, a, b net.Conn, client, server *Config) (i, r *Conn, err1, err2 error) {
	var group sync.WaitGroup
	group.Go(func() { i, err1 = Client(ctx, a, client) })
	group.Go(func() { r, err2 = Server(ctx, b, server) })
	group.Wait()
	return
}

// conns returns both sides of a connection, and fails the test if there is an error.
func conns(t testing.TB, client, server *Config) (i, r *Conn) {
	t.Helper()
	a, b := tcp(t)
	i, r, err1, err2 := both(t.Context(), a, b, client, server)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	if i.SessionID() != r.SessionID() || i.SessionID() == [32]byte{} {
		t.Fatalf("sessions %x, %x", i.SessionID(), r.SessionID())
	}
	return i, r
}

func TestConn(t *testing.T) {
	i, r := conns(t, nil, &Config{Decoys: []int{10, 20}})
	if i.RemoteAddr().String() != r.LocalAddr().String() {
		t.Error("addresses")
	}
	var group sync.WaitGroup
	defer group.Wait()
	for _, c := range []*Conn{i, r} {
		group.Go(func() {
			for n := range 3*rekeyInterval + 20 {
				payload := bytes.Repeat([]byte{byte(n)}, n*7%3000)
				if n%100 == 0 {
					payload = make([]byte, 300_000+n)
				}
				err := c.WriteMessage([]string{"ping", "version"}[n%2], payload)
				if n%10 == 0 {
					err = errors.Join(err, c.WriteDecoy(n))
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
			if err := c.WritePacket(nil); err != nil {
				t.Error(err)
			}
		})
		group.Go(func() {
			var buf []byte
			for n := range 3*rekeyInterval + 20 {
				name, payload, err := c.ReadMessage(buf)
				want := n * 7 % 3000
				if n%100 == 0 {
					want = 300_000 + n
				}
				if name != []string{"ping", "version"}[n%2] || len(payload) != want || (n%100 != 0 && want > 0 && payload[want-1] != byte(n)) || err != nil {
					t.Errorf("%d: %s, %d bytes, %v", n, name, len(payload), err)
					return
				}
				if n%3 == 0 {
					buf = make([]byte, 4000)
				}
			}
			// The contents are not a message, but the connection continues.
			if _, _, err := c.ReadMessage(buf); !errors.Is(err, ErrMessage) {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if err := i.WriteMessage("not\nascii", nil); !errors.Is(err, ErrMessage) {
		t.Error(err)
	}
	for _, err := range []error{i.WritePacket(make([]byte, variable(MaxContents)+1)), i.WriteDecoy(-1), i.WriteDecoy(MaxContents + 1), i.WriteMessage("tx", make([]byte, variable(MaxContents)))} {
		if !errors.Is(err, ErrTooLong) {
			t.Error(err)
		}
	}
	if err := i.WritePacket([]byte("last")); err != nil {
		t.Error(err)
	}
	i.Close()
	if b, err := r.ReadPacket(nil); string(b) != "last" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	for range 2 {
		if _, err := r.ReadPacket(nil); err != io.EOF {
			t.Error(err)
		}
		if err := r.WriteDecoy(0); err != io.EOF {
			t.Error(err)
		}
		_, err := i.ReadPacket(nil)
		if err2 := i.WriteDecoy(1); !errors.Is(err, net.ErrClosed) || !errors.Is(err2, net.ErrClosed) || i.Close() != nil {
			t.Error(err, err2)
		}
	}
	for _, c := range []*Conn{i, r} {
		if c.sealer.direction.packets.aead != nil || c.opener.direction.packets.aead != nil {
			t.Error("keys are left")
		}
	}
}

// TestPipe connects the sides without any buffer, and both begin with the most garbage allowed and a long decoy.
func TestPipe(t *testing.T) {
	a, b := net.Pipe()
	deadline := time.Now().Add(patience)
	a.SetDeadline(deadline)
	b.SetDeadline(deadline)
	config := &Config{Garbage: make([]byte, variable(MaxGarbage)), Decoys: []int{100_000}}
	i, r, err1, err2 := both(t.Context(), a, b, config, config)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	go i.WritePacket([]byte("contents"))
	if b, err := r.ReadPacket(nil); string(b) != "contents" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	i.Close()
	r.Close()
}

// TestTwoProcesses starts a second process of the test program, which connects to the test, once as the initiator and
// once as the responder.
func TestTwoProcesses(t *testing.T) {
	if role := os.Getenv("BIP324_TEST_ROLE"); role != "" {
		conn, err := net.Dial("tcp", os.Getenv("BIP324_TEST_ADDRESS"))
		if err != nil {
			t.Fatal(err)
		}
		conn.SetDeadline(time.Now().Add(patience))
		begin := Client
		if role == "responder" {
			begin = Server
		}
		c, err := begin(t.Context(), conn, &Config{Decoys: []int{1}})
		if err != nil {
			t.Fatal(err)
		}
		id := c.SessionID()
		if err := c.WriteMessage("session", id[:]); err != nil {
			t.Fatal(err)
		}
		for {
			name, payload, err := c.ReadMessage(nil)
			if err == io.EOF {
				return
			}
			if err == nil {
				err = c.WriteMessage(name, payload)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if runtime.GOARCH == "wasm" {
		t.Skip("WebAssembly starts no programs")
	}
	for _, role := range []string{"initiator", "responder"} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTwoProcesses$")
		cmd.Env = append(os.Environ(), "BIP324_TEST_ROLE="+role, "BIP324_TEST_ADDRESS="+l.Addr().String())
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		l.(*net.TCPListener).SetDeadline(time.Now().Add(patience))
		conn, err := l.Accept()
		if err != nil {
			t.Fatal(err, out.String())
		}
		conn.SetDeadline(time.Now().Add(patience))
		begin := Server
		if role == "responder" {
			begin = Client
		}
		c, err := begin(t.Context(), conn, nil)
		if err != nil {
			t.Fatal(err)
		}
		id := c.SessionID()
		if name, payload, err := c.ReadMessage(nil); name != "session" || !bytes.Equal(payload, id[:]) || err != nil {
			t.Errorf("%s: %s, %x, %v", role, name, payload, err)
		}
		for n := range 3*rekeyInterval + 10 {
			payload := bytes.Repeat([]byte{byte(n)}, n)
			if err := c.WriteMessage("inv", payload); err != nil {
				t.Fatal(err)
			}
			if name, got, err := c.ReadMessage(nil); name != "inv" || !bytes.Equal(got, payload) || err != nil {
				t.Fatal(name, got, err)
			}
		}
		c.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v\n%s", role, err, out.String())
		}
	}
}

// A proxy forwards the bytes that one side sends. It reads and writes portions of random sizes, and may flip a bit or
// close the connections early.
type proxy struct {
	r       *rand.Rand
	flip    int // index of the byte in which to flip a bit, or −1
	cut     int // number of bytes to forward before closing, or −1 for no limit
	delayed bool
}

func (p *proxy) run(from, to net.Conn) {
	defer to.Close()
	defer from.Close()
	passed := 0
	var waiting []byte
	buf := make([]byte, 5000)
	for {
		n, err := from.Read(buf[:1+p.r.IntN(len(buf))])
		b := buf[:n]
		if p.cut >= 0 && passed+n > p.cut {
			b, err = b[:p.cut-passed], io.EOF
		}
		if place := p.flip - passed; p.flip >= 0 && place >= 0 && place < len(b) {
			b[place] ^= 1 << p.r.IntN(8)
		}
		passed += len(b)
		waiting = append(waiting, b...)
		if err == nil && p.r.IntN(3) == 0 { // merge with the next byte, if it comes soon
			from.SetReadDeadline(time.Now().Add(time.Duration(p.r.IntN(300)) * time.Microsecond))
			m, _ := from.Read(buf[:1])
			from.SetReadDeadline(time.Time{})
			if m == 1 {
				if p.flip == passed {
					buf[0] ^= 1 << p.r.IntN(8)
				}
				if p.cut >= 0 && passed >= p.cut {
					err, m = io.EOF, 0
				}
				passed += m
				waiting = append(waiting, buf[:m]...)
			}
		}
		for len(waiting) > 0 {
			n := 1 + p.r.IntN(len(waiting))
			if p.delayed {
				time.Sleep(time.Duration(p.r.IntN(100)) * time.Microsecond)
			}
			if _, err := to.Write(waiting[:n]); err != nil {
				return
			}
			waiting = waiting[n:]
		}
		if err != nil {
			return
		}
	}
}

// TestProxy puts a proxy between two sides, which truncates, delays, merges and splits the bytes, and flips bits. The
// packets that arrive must be the packets that were sent, in order, and a flipped bit must end the connection.
func TestProxy(t *testing.T) {
	rounds := 60
	if testing.Short() {
		rounds = 8
	}
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(1, seed))
	ended := map[string]int{}
	for round := range rounds {
		const packets = 12
		long := round%10 == 0
		config := func() *Config {
			return &Config{Garbage: make([]byte, r.IntN(200)), Decoys: make([]int, r.IntN(3))}
		}
		client, server := config(), config()
		contents := func(n int) []byte {
			size := n * 31
			if long && n%5 == 0 {
				size = 100_000
			}
			return bytes.Repeat([]byte{byte(n + 1)}, size)
		}
		// total is the number of bytes that the initiator sends.
		total := 64 + len(client.Garbage) + 16 + (len(client.Decoys)+1)*Overhead
		for n := range packets {
			total += len(contents(n)) + Overhead
		}
		p := &proxy{r: rand.New(rand.NewPCG(r.Uint64(), r.Uint64())), flip: -1, cut: -1, delayed: round%4 == 0}
		back := &proxy{r: rand.New(rand.NewPCG(r.Uint64(), r.Uint64())), flip: -1, cut: -1}
		kind := []string{"whole", "flip", "cut", "flip"}[round%4]
		switch kind {
		case "flip":
			p.flip = r.IntN(total)
		case "cut":
			p.cut = r.IntN(total)
		}
		switch round { // one of each kind is in the last packet, whose tag is then wrong, or which then has no end
		case 1:
			p.flip = total - 1
		case 2:
			p.cut = total - 1
		}
		a, proxyA := tcp(t)
		proxyB, b := tcp(t)
		go p.run(proxyA, proxyB)
		go back.run(proxyB, proxyA)

		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		received := 0
		var failed error
		var group sync.WaitGroup
		group.Go(func() {
			c, err := Client(ctx, a, client)
			if err != nil {
				return
			}
			for n := range packets {
				if c.WritePacket(contents(n)) != nil {
					return
				}
			}
			// If a flipped bit made a packet longer, more bytes must follow to end it.
			for c.WriteDecoy(1<<20) == nil && kind == "flip" {
			}
			if kind == "whole" {
				c.ReadPacket(nil)
			}
			c.Close()
		})
		group.Go(func() {
			defer b.Close()
			c, err := Server(ctx, b, server)
			for err == nil && (received < packets || kind != "whole") {
				var got []byte
				if got, err = c.ReadPacket(nil); err == nil {
					if received == packets || !bytes.Equal(got, contents(received)) {
						t.Errorf("seed %d, round %d: packet %d is wrong", seed, round, received)
					}
					received++
				}
			}
			failed = err
		})
		// If the flipped bit is in the key, the garbage or the terminator, both sides wait for more bytes.
		if kind == "flip" && p.flip < 64+len(client.Garbage)+16 {
			time.AfterFunc(200*time.Millisecond, cancel)
		}
		group.Wait()
		cancel()
		switch {
		case kind == "whole" && (received != packets || failed != nil), kind != "whole" && failed == nil:
			t.Errorf("seed %d, round %d, %s at %d, %d of %d: %d packets, %v", seed, round, kind, p.flip, p.cut, total, received, failed)
		case kind == "flip" && received == packets:
			t.Errorf("seed %d, round %d: all packets, with a flipped bit", seed, round)
		}
		for name, err := range map[string]error{"auth": ErrAuth, "garbage": ErrGarbage, "length": ErrTooLong, "end": io.ErrUnexpectedEOF, "end after a packet": io.EOF, "canceled": context.Canceled} {
			if errors.Is(failed, err) {
				ended[kind+": "+name]++
			}
		}
	}
	t.Log(ended)
	if ended["flip: auth"] == 0 || ended["cut: end"] == 0 {
		t.Error("no flip or no cut")
	}
}

func TestFallback(t *testing.T) {
	const header = "\xf9\xbe\xb4\xd9version\x00\x00\x00\x00\x00"
	for _, portions := range [][]string{{header + "and more"}, {header + strings.Repeat("much more", 100)}, {"\xf9", header[1:10], header[10:], "and more"}, {header}} {
		a, b := tcp(t)
		b.SetDeadline(time.Now().Add(time.Minute))
		go func() {
			for _, p := range portions {
				io.WriteString(a, p)
				time.Sleep(time.Millisecond)
			}
			io.WriteString(a, "the rest")
			a.(*net.TCPConn).CloseWrite()
		}()
		c, err := Server(t.Context(), b, nil)
		var v1 *V1Error
		if c != nil || !errors.As(err, &v1) {
			t.Fatal(err)
		}
		// The connection still has all its bytes, and is open.
		got, err := io.ReadAll(io.MultiReader(bytes.NewReader(v1.Received), b))
		if want := strings.Join(portions, "") + "the rest"; string(got) != want || err != nil {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
		io.WriteString(b, "answer")
		b.Close()
		if got, err := io.ReadAll(a); string(got) != "answer" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	}
}

// closing is a connection that records whether it was closed.
type closing struct {
	net.Conn
	closed bool
}

func (c *closing) Close() error {
	c.closed = true
	return c.Conn.Close()
}

// without is a connection without deadlines.
type without struct{ net.Conn }

func (without) SetDeadline(time.Time) error { return errors.ErrUnsupported }

// TestNoDeadlines uses a connection without deadlines, on which a handshake that takes too long must end, and a
// connection with deadlines, which such a handshake must close once.
func TestNoDeadlines(t *testing.T) {
	a, b := net.Pipe()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	go io.Copy(io.Discard, b)
	a.SetDeadline(time.Now().Add(patience))
	start := time.Now()
	if _, err := Client(ctx, without{a}, nil); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > patience/2 {
		t.Error(err)
	}
	// A connection with deadlines is closed only after the handshake has ended.
	a, b = net.Pipe()
	go io.Copy(io.Discard, b)
	last := &counted{Conn: a}
	ctx, cancel = context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := Client(ctx, last, nil); !errors.Is(err, context.DeadlineExceeded) || last.closed != 1 {
		t.Errorf("closed %d times, %v", last.closed, err)
	}
}

// counted is a connection that counts calls of Close.
type counted struct {
	net.Conn
	closed int
}

func (c *counted) Close() error {
	c.closed++
	return c.Conn.Close()
}

// cut is a connection that fails at the second write, and records the session that exists by then.
type cut struct {
	net.Conn
	h       *Handshake
	writes  int
	session *Session
}

func (c *cut) Write(b []byte) (int, error) {
	if c.writes++; c.writes == 1 {
		return c.Conn.Write(b)
	}
	for c.session == nil {
		time.Sleep(time.Millisecond)
		c.h.state.using.Lock()
		if c.h.state.stage == doneStage {
			c.session = c.h.state.session
		}
		c.h.state.using.Unlock()
	}
	return 0, io.ErrClosedPipe
}

// TestKeysOfNone completes a handshake except for the last bytes to be sent. Nobody gets the session, so its keys must
// be wiped.
func TestKeysOfNone(t *testing.T) {
	a, b := tcp(t)
	go Server(t.Context(), b, nil)
	h, err := NewInitiator(nil)
	if err != nil {
		t.Fatal(err)
	}
	conn := &cut{Conn: a, h: h}
	if c, err := h.connect(t.Context(), conn); c != nil || !errors.Is(err, io.ErrClosedPipe) || errors.Is(err, ErrUnanswered) {
		t.Error(err)
	}
	if h.get().err == nil || conn.session == nil || conn.session.Sealer.direction.packets.aead != nil || conn.session.Opener.direction.packets.aead != nil {
		t.Error("keys are left")
	}
}

// scripted is a connection made of functions. It ignores deadlines, except that any write deadline closes the channel
// in the field set.
type scripted struct {
	net.Conn
	read, write func([]byte) (int, error)
	set         chan bool
}

func (c *scripted) Read(b []byte) (int, error)       { return c.read(b) }
func (c *scripted) Write(b []byte) (int, error)      { return c.write(b) }
func (c *scripted) SetDeadline(time.Time) error      { return nil }
func (c *scripted) SetReadDeadline(time.Time) error  { return nil }
func (c *scripted) SetWriteDeadline(time.Time) error { close(c.set); return nil }
func (c *scripted) Close() error                     { return nil }

// TestHandshakeErrors tries connections that fail while a handshake reads or writes.
func TestHandshakeErrors(t *testing.T) {
	broken := errors.New("broken")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()

	// If writing fails, Client must not wait for the peer's bytes.
	a, _ := tcp(t)
	a.(*net.TCPConn).CloseWrite()
	if _, err := Client(ctx, a, nil); !errors.Is(err, ErrUnanswered) || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
	// An expired deadline of the caller must not be reported as if the peer had closed the connection.
	a, _ = tcp(t)
	a.SetReadDeadline(past)
	if _, err := Client(ctx, a, nil); !errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, ErrUnanswered) {
		t.Error(err)
	}
	// If reading fails, Client must not wait for a blocked write.
	c := &scripted{set: make(chan bool), read: func([]byte) (int, error) { return 0, broken }}
	c.write = func([]byte) (int, error) { <-c.set; return 0, os.ErrDeadlineExceeded }
	if _, err := Client(ctx, c, nil); !errors.Is(err, ErrUnanswered) || !errors.Is(err, broken) {
		t.Error(err)
	}
	// After a failed write nothing more is written, even if more bytes arrive. The error is io.ErrUnexpectedEOF if the
	// peer's stream ends, and the connection's error otherwise.
	for _, end := range []error{io.EOF, broken} {
		writes, reads := 0, 0
		c = &scripted{set: make(chan bool), write: func([]byte) (int, error) { writes++; return 0, broken }}
		c.read = func(b []byte) (int, error) {
			if reads++; reads > 2 {
				return 0, end
			}
			// The responder has bytes to send after each of the two parts of the key.
			return copy(b, bytes.Repeat([]byte{1}, []int{1, 63}[reads-1])), nil
		}
		_, err := Server(ctx, c, nil)
		if writes != 1 || errors.Is(err, io.ErrUnexpectedEOF) != (end == io.EOF) || errors.Is(err, broken) != (end == broken) {
			t.Errorf("%d times written, %v", writes, err)
		}
	}
	if ctx.Err() != nil {
		t.Error("too slow")
	}
}

// TestUnanswered tries peers that hang up, at once or in the handshake.
func TestUnanswered(t *testing.T) {
	for _, n := range []int{0, 1, 64, 100} {
		a, b := tcp(t)
		go func() {
			io.ReadFull(b, make([]byte, 64))
			b.Write(make([]byte, n))
			b.(*net.TCPConn).CloseWrite()
		}()
		conn := &closing{Conn: a}
		_, err := Client(t.Context(), conn, &Config{Garbage: []byte{}})
		if errors.Is(err, ErrUnanswered) != (n == 0) || (n > 0 && !errors.Is(err, io.ErrUnexpectedEOF)) {
			t.Errorf("after %d bytes: %v", n, err)
		}
		if !conn.closed {
			t.Error("the connection is not closed")
		}
	}
	a, b := tcp(t)
	b.(*net.TCPConn).SetLinger(0)
	b.Close()
	if _, err := Client(t.Context(), a, nil); !errors.Is(err, ErrUnanswered) {
		t.Error(err)
	}
	// A responder receives no answer either, but ErrUnanswered is only for initiators, because they can try another
	// protocol.
	a, b = tcp(t)
	a.Close()
	if _, err := Server(t.Context(), b, nil); errors.Is(err, ErrUnanswered) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}

// TestHandshakeEnds connects to peers that stop, under a simulated clock.
func TestHandshakeEnds(t *testing.T) {
	for name, c := range map[string]struct {
		begin func(context.Context, net.Conn, *Config) (*Conn, error)
		peer  func(net.Conn)
	}{
		"reads nothing": {Client, func(net.Conn) {}},
		"sends nothing": {Client, func(c net.Conn) { io.Copy(io.Discard, c) }},
		"sends v1":      {Server, func(c net.Conn) { io.WriteString(c, "\xf9\xbe\xb4\xd9version") }},
		"sends slowly": {Server, func(c net.Conn) {
			go io.Copy(io.Discard, c)
			for _, err := c.Write([]byte{1}); err == nil; _, err = c.Write([]byte{1}) {
				time.Sleep(time.Second)
			}
		}},
		"sends decoys for ever": {Server, func(c net.Conn) {
			h, _ := NewInitiator(&Config{Decoys: make([]int, 1000)})
			c.Write(h.Send())
			b := make([]byte, 64)
			io.ReadFull(c, b)
			h.Receive(b)
			go io.Copy(io.Discard, c)
			for _, b := range h.Send() {
				time.Sleep(time.Second)
				if _, err := c.Write([]byte{b}); err != nil {
					return
				}
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var group sync.WaitGroup
				defer group.Wait()
				for _, limit := range []time.Duration{0, time.Hour, 3 * time.Second} {
					a, b := net.Pipe()
					group.Go(func() { c.peer(b) })
					ctx, cancel := t.Context(), func() {}
					if limit != 0 {
						ctx, cancel = context.WithTimeout(ctx, limit)
					} else {
						limit = HandshakeTimeout
					}
					start := time.Now()
					conn, err := c.begin(ctx, a, &Config{Garbage: []byte{1}})
					// Within an hour, even a peer that sends slowly has sent too much garbage.
					if name != "sends slowly" || limit < time.Hour {
						if conn != nil || !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != limit {
							t.Errorf("%v after %v", err, time.Since(start))
						}
					} else if err == nil {
						t.Error("no error")
					}
					if _, err := a.Write([]byte{1}); err == nil {
						t.Error("the connection is open")
					}
					cancel()
					b.Close()
				}
				a, b := net.Pipe()
				group.Go(func() { c.peer(b) })
				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(time.Second, func() { cancel(errors.New("the cause")) })
				if _, err := c.begin(ctx, a, nil); err == nil || !strings.Contains(err.Error(), "the cause") {
					t.Error(err)
				}
				b.Close()
			})
		})
	}
}

func TestDeadlines(t *testing.T) {
	for name, do := range map[string]func(i, r *Conn) error{
		"read": func(i, r *Conn) error {
			i.SetReadDeadline(time.Now().Add(time.Millisecond))
			_, err := i.ReadPacket(nil)
			return err
		},
		"write": func(i, r *Conn) error {
			i.SetWriteDeadline(time.Now().Add(5 * time.Millisecond))
			for {
				if err := i.WriteDecoy(1 << 20); err != nil {
					return err
				}
			}
		},
		"both": func(i, r *Conn) error {
			i.SetDeadline(past)
			return i.WriteDecoy(1)
		},
	} {
		i, r := conns(t, nil, nil)
		if err := do(i, r); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: %v", name, err)
		}
		// The connection has ended, because a part of a packet may be lost.
		i.SetDeadline(time.Time{})
		if err := i.WriteDecoy(1); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: then %v", name, err)
		}
		if _, err := i.ReadPacket(nil); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: then %v", name, err)
		}
	}
}

// TestLongest sends a packet of the largest length.
func TestLongest(t *testing.T) {
	i, r := conns(t, nil, nil)
	go io.Copy(io.Discard, r.conn)
	if err := i.WriteDecoy(MaxContents); err != nil {
		t.Error(err)
	}
}

// TestClose closes a connection while other goroutines read from it and write to it.
func TestClose(t *testing.T) {
	for range 20 {
		i, r := conns(t, nil, nil)
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				if _, err := i.ReadPacket(nil); !errors.Is(err, net.ErrClosed) {
					t.Error(err)
				}
			})
			group.Go(func() {
				for {
					if err := i.WriteDecoy(1 << 18); err != nil {
						if !errors.Is(err, net.ErrClosed) {
							t.Error(err)
						}
						return
					}
				}
			})
			group.Go(func() { time.Sleep(time.Millisecond); i.Close() })
		}
		group.Wait()
		r.Close()
	}
}

// TestAuthEnds receives a packet that is not authentic: both directions must end, and the peer must be disconnected.
func TestAuthEnds(t *testing.T) {
	i, r := conns(t, nil, nil)
	if _, err := i.conn.Write(make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	// Most random lengths are above the limit. For lengths below the limit, enough bytes follow to end the packet.
	go i.conn.Write(make([]byte, variable(DefaultMaxContents)))
	_, err := r.ReadPacket(nil)
	if !errors.Is(err, ErrAuth) && !errors.Is(err, ErrTooLong) {
		t.Error(err)
	}
	if again := r.WritePacket(nil); again != err {
		t.Error(again)
	}
	if _, err := i.ReadPacket(nil); err == nil {
		t.Error("the peer is not disconnected")
	}
}

// TestMany reads and writes from many goroutines. Each packet must arrive once.
func TestMany(t *testing.T) {
	i, r := conns(t, nil, nil)
	const writers, each = 4, 300
	var group sync.WaitGroup
	seen := make([][each]bool, writers)
	var lock sync.Mutex
	for w := range writers {
		group.Go(func() {
			for n := range each {
				if err := i.WritePacket(binary.BigEndian.AppendUint32([]byte{byte(w)}, uint32(n))); err != nil {
					t.Error(err)
				}
			}
		})
		group.Go(func() {
			for range each {
				b, err := r.ReadPacket(nil)
				if err != nil || len(b) != 5 {
					t.Error(b, err)
					return
				}
				lock.Lock()
				p := &seen[b[0]][binary.BigEndian.Uint32(b[1:])]
				if *p {
					t.Error("twice")
				}
				*p = true
				lock.Unlock()
			}
		})
	}
	group.Wait()
}

// slow is a reader that returns n bytes, one at a time, and then ends.
type slow struct{ n int }

func (s *slow) Read(b []byte) (int, error) {
	if s.n--; s.n < 0 {
		return 0, io.EOF
	}
	return 1, nil
}

// TestMemory checks that a peer that announces a long packet and sends little of it takes little memory.
func TestMemory(t *testing.T) {
	for _, n := range []int{0, 1, 1000, firstRead} {
		buf, err := readFull(&slow{n}, nil, MaxContents)
		if len(buf) != n || cap(buf) > 4*firstRead || err != io.ErrUnexpectedEOF {
			t.Errorf("%d bytes in %d: %v", len(buf), cap(buf), err)
		}
	}
	// No memory is allocated before the caller's buffer is full.
	if buf, err := readFull(&slow{9}, make([]byte, 0, 10), MaxContents); len(buf) != 9 || cap(buf) != 10 || err != io.ErrUnexpectedEOF {
		t.Errorf("%d bytes in %d: %v", len(buf), cap(buf), err)
	}
	// The buffer that the caller passed is large enough, so no memory is allocated.
	memory := make([]byte, 0, 2000)
	if buf, err := readFull(bytes.NewReader(make([]byte, 5000)), memory, 2000); &buf[0] != &memory[:1][0] || len(buf) != 2000 || err != nil {
		t.Error(err)
	}
	if buf, err := readFull(bytes.NewReader(make([]byte, 500_000)), memory, 400_000); len(buf) != 400_000 || err != nil {
		t.Error(err)
	}
	text := []byte("the contents of a packet")
	for way, r := range libtest.Readers(text) {
		if buf, err := readFull(r, nil, len(text)); !bytes.Equal(buf, text) || err != nil {
			t.Errorf("%s: %q, %v", way, buf, err)
		}
	}
	// A Conn does not keep the memory of a long packet.
	i, r := conns(t, nil, nil)
	go r.ReadPacket(nil)
	if err := errors.Join(i.WriteDecoy(1<<20), i.WriteDecoy(10)); err != nil {
		t.Error(err)
	}
	i.writing.Lock()
	if cap(i.buf) > writeBuffer {
		t.Errorf("%d bytes are kept", cap(i.buf))
	}
	i.writing.Unlock()
}

func TestConnAllocs(t *testing.T) {
	i, r := conns(t, nil, nil)
	payload, buf := make([]byte, 1000), make([]byte, 2000)
	if n := testing.AllocsPerRun(2*rekeyInterval, func() {
		err1 := i.WriteMessage("block", payload)
		err2 := i.WriteDecoy(3)
		err3 := i.WritePacket(payload)
		_, _, err4 := r.ReadMessage(buf)
		_, err5 := r.ReadPacket(buf)
		if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
			t.Fatal(err)
		}
	}); n != 3*cipherAllocs(t) {
		t.Errorf("%v allocations", n)
	}
}

func TestConnMisuse(t *testing.T) {
	a, b := net.Pipe()
	defer b.Close()
	for _, begin := range []func(context.Context, net.Conn, *Config) (*Conn, error){Client, Server} {
		if _, err := begin(t.Context(), nil, nil); !errors.Is(err, os.ErrInvalid) {
			t.Error(err)
		}
		var none context.Context
		conn := &closing{Conn: a}
		if _, err := begin(none, conn, nil); !errors.Is(err, os.ErrInvalid) || !conn.closed {
			t.Error(err, conn.closed)
		}
		conn = &closing{Conn: a}
		if _, err := begin(t.Context(), conn, &Config{MaxContents: -1}); !errors.Is(err, ErrTooLong) || !conn.closed {
			t.Error(err, conn.closed)
		}
	}
	for _, c := range []*Conn{nil, {}} {
		_, err1 := c.ReadPacket(nil)
		_, _, err2 := c.ReadMessage(nil)
		for _, err := range []error{err1, err2, c.WritePacket(nil), c.WriteMessage("tx", nil), c.WriteDecoy(0), c.SetDeadline(past), c.SetReadDeadline(past), c.SetWriteDeadline(past)} {
			if !errors.Is(err, ErrOrder) {
				t.Error(err)
			}
		}
		if c.Close() != nil || c.LocalAddr() != nil || c.RemoteAddr() != nil || c.SessionID() != [32]byte{} {
			t.Error("a Conn that nobody made")
		}
	}
}

// BenchmarkConn sends messages to another goroutine over TCP.
func BenchmarkConn(b *testing.B) {
	for _, size := range []int{64, 16 << 10, 1 << 20} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			i, r := conns(b, nil, nil)
			go func() {
				buf := make([]byte, size+100)
				for {
					if _, err := r.ReadPacket(buf); err != nil {
						return
					}
				}
			}()
			payload := make([]byte, size)
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				if err := i.WriteMessage("block", payload); err != nil {
					b.Fatal(err)
				}
			}
			i.Close()
		})
	}
}
