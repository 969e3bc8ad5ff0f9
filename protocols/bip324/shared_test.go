package bip324

import (
	"bytes"
	"errors"
	"io"
	"net"
	"runtime"
	"sync"
	"testing"
	"time"
)

// parallel lets goroutines run at the same time, even on one processor.
func parallel(t *testing.T) {
	before := runtime.GOMAXPROCS(4)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// TestSharedSealer lets goroutines seal the same contents at once. Two equal packets would mean a repeated nonce.
func TestSharedSealer(t *testing.T) {
	parallel(t)
	for range 20 {
		a, _ := sessions(t, &Config{Garbage: []byte{}}, &Config{Garbage: []byte{}})
		var sealed [4][rekeyInterval]string
		var group sync.WaitGroup
		for i := range sealed {
			s := *a.Sealer // all copies share one state
			group.Go(func() {
				for j := range sealed[i] {
					packet, err := s.Seal(nil, make([]byte, 20), false)
					if err != nil {
						t.Error(err)
					}
					sealed[i][j] = string(packet[lengthSize:])
				}
			})
		}
		group.Wait()
		seen := map[string]bool{}
		for _, packets := range sealed {
			for _, p := range packets {
				if seen[p] {
					t.Fatal("two packets with one nonce")
				}
				seen[p] = true
			}
		}
	}
}

// TestZeroMeanwhile wipes keys while other goroutines use them. Packets that were sealed before the keys were wiped
// must still open.
func TestZeroMeanwhile(t *testing.T) {
	parallel(t)
	contents := bytes.Repeat([]byte("contents"), 500)
	rounds := 300
	if testing.Short() {
		rounds = 50
	}
	for round := range rounds {
		a, b := sessions(t, &Config{Garbage: []byte{}}, &Config{Garbage: []byte{}})
		started := make(chan bool)
		var group sync.WaitGroup
		group.Go(func() {
			close(started)
			for {
				runtime.Gosched() // WebAssembly has one thread, and interrupts nothing
				packet, err := a.Sealer.Seal(nil, contents, false)
				if err != nil {
					if !errors.Is(err, ErrOrder) {
						t.Error(err)
					}
					return
				}
				n, err := b.Opener.Length(packet[:3])
				if err == nil && n != len(packet)-3 {
					t.Errorf("a packet of %d bytes instead of %d", n, len(packet)-3)
					return
				}
				var got []byte
				if err == nil {
					got, _, err = b.Opener.Open(packet[3:])
				}
				if (err == nil && !bytes.Equal(got, contents)) || (err != nil && !errors.Is(err, ErrOrder)) {
					t.Errorf("opened: %v", err)
				}
				if err != nil {
					return
				}
			}
		})
		<-started
		time.Sleep(time.Duration(round%20) * time.Microsecond)
		if round%2 == 0 {
			a.Sealer.Zero()
		} else {
			b.Opener.Zero()
		}
		group.Wait()
		if t.Failed() {
			return
		}
	}
}

// TestLocked holds the lock, and checks that no method proceeds meanwhile.
func TestLocked(t *testing.T) {
	h, _ := handshakes(t, nil, nil)
	a, b := sessions(t, nil, nil)
	for name, c := range map[string]struct {
		lock *sync.Mutex
		do   func()
	}{
		"Send":        {&h.state.using, func() { h.Send() }},
		"Receive":     {&h.state.using, func() { h.Receive([]byte{1}) }},
		"Session":     {&h.state.using, func() { h.Session() }},
		"Zero":        {&h.state.using, func() { h.Zero() }},
		"Seal":        {&a.Sealer.direction.using, func() { a.Sealer.Seal(nil, nil, false) }},
		"Sealer.Zero": {&a.Sealer.direction.using, func() { a.Sealer.Zero() }},
		"Length":      {&b.Opener.direction.using, func() { b.Opener.Length(nil) }},
		"Open":        {&b.Opener.direction.using, func() { b.Opener.Open(nil) }},
		"Opener.Zero": {&b.Opener.direction.using, func() { b.Opener.Zero() }},
	} {
		c.lock.Lock()
		done := make(chan bool)
		go func() {
			c.do()
			close(done)
		}()
		select {
		case <-done:
			t.Errorf("%s does not wait", name)
		case <-time.After(20 * time.Millisecond):
		}
		c.lock.Unlock()
		<-done
		if !c.lock.TryLock() {
			t.Fatalf("%s keeps the lock", name)
		}
		c.lock.Unlock()
	}
}

// TestTakenOnce lets goroutines ask for the session through copies of a Handshake. Only one may get it.
func TestTakenOnce(t *testing.T) {
	parallel(t)
	for range 50 {
		i, r := handshakes(t, nil, nil)
		if err := pump(t, i, r, 1<<20); err != nil {
			t.Fatal(err)
		}
		var got [4]*Session
		var group sync.WaitGroup
		for n := range got {
			h := *i
			group.Go(func() { got[n] = h.Session() })
		}
		group.Wait()
		taken := 0
		for _, s := range got {
			if s != nil {
				taken++
			}
		}
		if taken != 1 {
			t.Fatalf("taken %d times", taken)
		}
	}
}

// TestConnCopied writes through copies of a Conn at once. Packets must arrive whole, and the copies of a closed
// connection must be closed.
func TestConnCopied(t *testing.T) {
	parallel(t)
	i, r := conns(t, nil, nil)
	const each = 2000
	var group sync.WaitGroup
	for n := range 3 {
		c := *i
		group.Go(func() {
			for range each {
				if err := c.WritePacket(bytes.Repeat([]byte{byte(n)}, 100)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	other := *r
	for n := range 3 * each {
		c := []*Conn{r, &other}[n%2]
		b, err := c.ReadPacket(nil)
		if err != nil || len(b) != 100 || !bytes.Equal(b, bytes.Repeat(b[:1], 100)) {
			t.Fatalf("%x, %v", b, err)
		}
	}
	group.Wait()
	copied := *i
	i.Close()
	if err := copied.WritePacket(nil); !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
	if _, err := other.ReadPacket(nil); err != io.EOF {
		t.Error(err)
	}
	if err := r.WritePacket(nil); err != io.EOF {
		t.Error(err)
	}
}
