package bip324

import (
	"bytes"
	"cmp"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/chacha20"
	"golang.org/x/crypto/chacha20poly1305"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
)

// variable hides a constant from the compiler, which would reject a mutant with an impossible constant length.
func variable(n int) int { return n }

// handshakes returns both sides of a handshake.
func handshakes(t testing.TB, initiator, responder *Config) (i, r *Handshake) {
	t.Helper()
	i, err1 := NewInitiator(initiator)
	r, err2 := NewResponder(responder)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	return i, r
}

// pump passes bytes between the sides until neither side sends more, in portions of at most n bytes or, if n is 0, of
// random lengths.
func pump(t testing.TB, i, r *Handshake, n int) error {
	t.Helper()
	waiting := map[*Handshake][]byte{}
	for {
		waiting[r] = append(waiting[r], i.Send()...)
		waiting[i] = append(waiting[i], r.Send()...)
		progress := false
		for _, h := range []*Handshake{i, r} {
			b := waiting[h]
			part := b[:min(len(b), cmp.Or(n, 1+rand.IntN(100)))]
			m, err := h.Receive(part)
			if err != nil {
				return err
			}
			waiting[h] = b[m:]
			progress = progress || m != 0
		}
		if !progress {
			return nil
		}
	}
}

// sessions returns the two sessions of a completed handshake.
func sessions(t testing.TB, initiator, responder *Config) (i, r *Session) {
	t.Helper()
	a, b := handshakes(t, initiator, responder)
	if err := pump(t, a, b, 1<<20); err != nil {
		t.Fatal(err)
	}
	i, r = a.Session(), b.Session()
	if i == nil || r == nil || i.ID != r.ID {
		t.Fatalf("sessions %v, %v", i, r)
	}
	return i, r
}

// pass seals a packet and opens it on the other side.
func pass(t testing.TB, from *Sealer, to *Opener, contents []byte, decoy bool) error {
	t.Helper()
	packet, err := from.Seal(nil, contents, decoy)
	if err != nil {
		return err
	}
	if len(packet) != len(contents)+Overhead {
		t.Errorf("a packet of %d bytes for %d", len(packet), len(contents))
	}
	n, err := to.Length(packet[:3])
	if err != nil {
		return err
	}
	got, d, err := to.Open(packet[3:])
	if err == nil && (n != len(packet)-3 || !bytes.Equal(got, contents) || d != decoy) {
		t.Errorf("%x, %v instead of %x, %v", got, d, contents, decoy)
	}
	return err
}

func TestHandshake(t *testing.T) {
	none, long := []byte{}, bytes.Repeat([]byte("garbage!"), 512)[:variable(MaxGarbage)]
	ids := map[[32]byte]bool{}
	for _, portion := range []int{1, 3, 16, 64, 1 << 20, 0, 0, 0} {
		for _, c := range [][2]*Config{
			{nil, nil},
			{{Garbage: none}, {Garbage: none}},
			{{Garbage: long}, {Garbage: long}},
			{{Garbage: none, Decoys: []int{0}}, {Garbage: long, Decoys: []int{5, 0, 1000}}},
			{{Garbage: long, Decoys: []int{70000}}, {Garbage: []byte{1}}},
			{{Magic: [4]byte{1, 2, 3, 4}}, {Magic: [4]byte{1, 2, 3, 4}}},
			// The magic of the main network is the same as the default.
			{{Magic: [4]byte{0xf9, 0xbe, 0xb4, 0xd9}}, nil},
		} {
			i, r := handshakes(t, c[0], c[1])
			if err := pump(t, i, r, portion); err != nil {
				t.Fatal(err)
			}
			a, b := i.Session(), r.Session()
			if a == nil || b == nil || a.ID != b.ID || ids[a.ID] {
				t.Fatalf("portions of %d: sessions %v, %v", portion, a, b)
			}
			ids[a.ID] = true
			if i.Session() != nil || r.Session() != nil || i.Send() != nil || r.Send() != nil {
				t.Error("a handshake that is over gives something")
			}
			if n, err := i.Receive([]byte{1}); n != 0 || err != nil {
				t.Errorf("a handshake that is over takes %d bytes, %v", n, err)
			}
			i.Zero() // does not affect the sessions
			for _, d := range []*direction{a.Sealer.direction, a.Opener.direction, b.Sealer.direction, b.Opener.direction} {
				if d.garbage != nil {
					t.Error("garbage is authenticated with more than the first packet")
				}
			}
			for n := range 3 {
				for _, decoy := range []bool{false, true} {
					if err := errors.Join(pass(t, a.Sealer, b.Opener, make([]byte, n), decoy), pass(t, b.Sealer, a.Opener, make([]byte, 100*n), decoy)); err != nil {
						t.Fatal(err)
					}
				}
			}
			b.Sealer.Zero()
			b.Opener.Zero()
			if err := pass(t, b.Sealer, a.Opener, nil, false); !errors.Is(err, ErrOrder) {
				t.Error(err)
			}
			if _, err := b.Opener.Length([]byte{1, 2, 3}); !errors.Is(err, ErrOrder) {
				t.Error(err)
			}
		}
	}
}

// TestSent checks what each side sends, and when.
func TestSent(t *testing.T) {
	garbage := []byte("some garbage")
	var i, r *Handshake
	var first []byte
	for again := true; again; again = len(first) > 0 && first[0] == 0xf9 { // as in v1, so that the responder would wait for more
		i, r = handshakes(t, &Config{Garbage: garbage, Decoys: []int{7}}, &Config{Garbage: garbage})
		first = i.Send()
	}
	if len(first) != 64+len(garbage) || string(first[64:]) != string(garbage) || i.Send() != nil || r.Send() != nil {
		t.Errorf("the initiator begins with %x", first)
	}
	if n, err := r.Receive(first[:1]); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	// The responder answers after a byte that differs from a v1 message.
	key := r.Send()
	if len(key) != 64+len(garbage) || string(key[64:]) != string(garbage) {
		t.Errorf("the responder begins with %x", key)
	}
	for n := 1; n < 64; n++ {
		if _, err := r.Receive(first[n : n+1]); err != nil || (r.Send() != nil) != (n == 63) {
			t.Errorf("byte %d: %v", n, err)
		}
	}
	if n, err := i.Receive(key[:64]); n != 64 || err != nil {
		t.Fatal(n, err)
	}
	// Next come the terminator, a decoy with 7 zeros, and the version packet.
	if b := i.Send(); len(b) != 16+7+Overhead+Overhead {
		t.Errorf("the initiator goes on with %x", b)
	}
	if i.Session() != nil {
		t.Error("a session before the peer's version")
	}
	// Without a Config the garbage and its length are random.
	lengths := map[int]bool{}
	for range 20 {
		h, err := NewInitiator(nil)
		if err != nil {
			t.Fatal(err)
		}
		b := h.Send()
		lengths[len(b)] = true
		if len(b) < 64 || len(b) > 64+MaxGarbage || (len(b) > 64+32 && bytes.Equal(b[64:96], make([]byte, 32))) {
			t.Errorf("%x", b)
		}
	}
	if longest := slices.Max(slices.Collect(maps.Keys(lengths))); len(lengths) < 10 || longest < 1000 {
		t.Errorf("garbage of %d lengths in 20 handshakes, at most %d bytes", len(lengths), longest)
	}
}

func TestV1(t *testing.T) {
	magic := [4]byte{0xf9, 0xbe, 0xb4, 0xd9}
	v1 := append(magic[:], "version\x00\x00\x00\x00\x00and what follows of the message"...)
	for _, portion := range []int{1, 5, 16, 17, 40, len(v1)} {
		h, err := NewResponder(nil)
		if err != nil {
			t.Fatal(err)
		}
		var got *V1Error
		taken := 0
		for part := range slices.Chunk(v1, portion) {
			n, err := h.Receive(part)
			taken += n
			if errors.As(err, &got) {
				if again := (*V1Error)(nil); !errors.As(second(h.Receive(v1)), &again) {
					t.Error("the error does not stay")
				}
				break
			}
			if err != nil || n != len(part) || h.Send() != nil {
				t.Fatalf("portions of %d: %d, %v", portion, n, err)
			}
		}
		if got == nil || len(got.Received) < 16 || !bytes.Equal(got.Received, v1[:taken]) || !strings.Contains(got.Error(), "v1") || h.Send() != nil {
			t.Errorf("portions of %d: %v", portion, got)
		}
	}
	// Any other value of the 16 bytes begins a key, except for another network's magic before the same type.
	for i := range 16 {
		for _, portion := range []int{1, 64} {
			other := append(bytes.Clone(v1), make([]byte, 64)...)[:64]
			other[i] ^= 1
			h, err := NewResponder(nil)
			if err != nil {
				t.Fatal(err)
			}
			taken := 0
			for part := range slices.Chunk(other, portion) {
				var n int
				n, err = h.Receive(part)
				taken += n
				if err != nil {
					break
				}
				if sent := h.Send(); portion == 1 && (sent != nil) != (taken == i+1 || taken == 64) {
					t.Errorf("after %d bytes of which byte %d differs, %d were sent", taken, i, len(sent))
				}
			}
			if (i < 4 && (!errors.Is(err, ErrNetwork) || (portion == 64 && h.Send() != nil) || (portion == 1 && taken != 16))) || (i >= 4 && err != nil) {
				t.Errorf("byte %d differs: %v", i, err)
			}
		}
	}
	// An initiator does not check for v1.
	h, err := NewInitiator(nil)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := h.Receive(append(bytes.Clone(v1), make([]byte, 64)...)[:64]); n != 64 || err != nil {
		t.Error(n, err)
	}
}

func second[T any](_ T, err error) error { return err }

// TestConstants checks the sizes in BIP-324, the default limit of contents, which is Bitcoin Core's, and the timeout.
func TestConstants(t *testing.T) {
	if MaxGarbage != 4095 || MaxContents != 16_777_215 || Overhead != 20 || DefaultMaxContents != 4_000_013 || HandshakeTimeout != 60*time.Second {
		t.Error(MaxGarbage, MaxContents, Overhead, DefaultMaxContents, HandshakeTimeout)
	}
}

func TestConfig(t *testing.T) {
	for _, c := range []struct {
		Config
		want error
	}{
		{Config{Garbage: make([]byte, variable(MaxGarbage)+1)}, ErrGarbage},
		{Config{Decoys: []int{1, -1}}, ErrTooLong},
		{Config{Decoys: []int{MaxContents + 1}}, ErrTooLong},
		{Config{MaxContents: -1}, ErrTooLong},
		{Config{MaxContents: MaxContents + 1}, ErrTooLong},
	} {
		i, err1 := NewInitiator(&c.Config)
		r, err2 := NewResponder(&c.Config)
		if i != nil || r != nil || !errors.Is(err1, c.want) || !errors.Is(err2, c.want) {
			t.Errorf("%v: %v, %v", c.want, err1, err2)
		}
	}
	// These are the largest allowed values.
	handshakes(t, &Config{Decoys: []int{MaxContents, 0}, MaxContents: MaxContents}, &Config{MaxContents: 1})
	// Later changes to a Config have no effect.
	c := Config{Garbage: []byte{1, 2, 3}, Decoys: []int{5}}
	i, r := handshakes(t, &c, nil)
	first := i.Send()
	clear(c.Garbage)
	if c.Decoys[0] = 6; i.get().Decoys[0] != 5 {
		t.Error("Decoys are not copied")
	}
	if _, err := r.Receive(first); err != nil {
		t.Fatal(err)
	}
	if err := pump(t, i, r, 100); err != nil || i.Session() == nil {
		t.Error(err)
	}
}

// TestTampered flips each bit that one side sends in a handshake, or one bit in seven with -short. The other side may
// not get a session.
func TestTampered(t *testing.T) {
	config := &Config{Garbage: []byte("garbage"), Decoys: []int{3}}
	zeros := make([]byte, variable(DefaultMaxContents+Overhead))
	const half = 64 + 7 + 16 + 3 + Overhead + Overhead // the bytes that a side sends
	for _, fromInitiator := range []bool{true, false} {
		for bit := range 8 * half {
			if testing.Short() && bit%7 != 0 {
				continue
			}
			i, r := handshakes(t, config, config)
			from, to := i, r
			if !fromInitiator {
				from, to = r, i
			}
			offset := 0
			var failed error
			late := false // whether more bytes must arrive before the change is noticed
			for failed == nil {
				sent, back := from.Send(), to.Send()
				if len(sent)+len(back) == 0 {
					break
				}
				if place := bit/8 - offset; place >= 0 && place < len(sent) {
					sent[place] ^= 1 << (bit % 8)
				}
				offset += len(sent)
				_, err1 := to.Receive(sent)
				if _, err := from.Receive(back); err != nil {
					t.Fatalf("initiator %v, bit %d: the sender fails: %v", fromInitiator, bit, err)
				}
				failed = err1
			}
			if failed == nil {
				late = true
				_, failed = to.Receive(zeros)
			}
			// If the key or the terminator is changed, the peer waits for a terminator that does not come. If a length
			// is changed, the peer may wait for a longer packet. Any other change is noticed at once.
			want, waits, inPacket := ErrAuth, false, bit/8-64-7-16
			switch {
			case bit < 8*64 || (inPacket < 0 && inPacket >= -16):
				want, waits = ErrGarbage, true
			case inPacket >= 0 && inPacket%(3+Overhead) < 3: // the lengths of both packets, since the decoy has 3 bytes
				waits = late
				if errors.Is(failed, ErrTooLong) {
					want = ErrTooLong
				}
			}
			if to.Session() != nil || !errors.Is(failed, want) || late != waits {
				t.Fatalf("initiator %v, bit %d: session %v, %v, after more bytes %t, want %v", fromInitiator, bit, to.Session() != nil, failed, late, want)
			}
		}
	}
}

// TestGarbageLimit sends 4095 bytes of garbage, and then one byte more.
func TestGarbageLimit(t *testing.T) {
	for _, extra := range []int{0, 1} {
		i, r := handshakes(t, &Config{Garbage: make([]byte, variable(MaxGarbage))}, &Config{Garbage: []byte{}})
		first := i.Send()
		if _, err := r.Receive(append(first, make([]byte, extra)...)); err != nil {
			t.Fatal(err)
		}
		if _, err := i.Receive(r.Send()); err != nil {
			t.Fatal(err)
		}
		rest := i.Send()
		n, err := r.Receive(rest)
		if (extra == 0 && (n != len(rest) || err != nil || r.Session() == nil)) || (extra == 1 && (n != 15 || !errors.Is(err, ErrGarbage) || r.Session() != nil)) {
			t.Errorf("%d more bytes: %d, %v", extra, n, err)
		}
		if _, again := r.Receive(nil); !errors.Is(again, err) {
			t.Errorf("then %v", again)
		}
	}
}

// TestNetworks connects peers with different magic.
func TestNetworks(t *testing.T) {
	i, r := handshakes(t, &Config{Garbage: []byte{}}, &Config{Magic: [4]byte{0xfa, 0xbf, 0xb5, 0xda}, Garbage: []byte{}, Decoys: []int{MaxGarbage}})
	if err := pump(t, i, r, 1000); !errors.Is(err, ErrGarbage) || i.Session() != nil || r.Session() != nil {
		t.Error(err)
	}
}

// TestReflected connects each side to an attacker who sends the side's own bytes back to it.
func TestReflected(t *testing.T) {
	for _, begin := range []func(*Config) (*Handshake, error){NewInitiator, NewResponder} {
		h, err := begin(&Config{Garbage: []byte{}})
		if err != nil {
			t.Fatal(err)
		}
		if h.get().initiator {
			b := h.Send()
			_, err = h.Receive(b)
		} else {
			_, err = h.Receive([]byte{1})
			key := h.Send()
			_, err2 := h.Receive(key[1:])
			err = errors.Join(err, err2)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err = h.Receive(append(h.Send(), make([]byte, variable(MaxGarbage))...)); !errors.Is(err, ErrGarbage) || h.Session() != nil {
			t.Error(err)
		}
	}
}

// TestVersion uses a peer that sends contents in its version packet, as later versions of the protocol may do, and sets
// further bits of the header.
func TestVersion(t *testing.T) {
	for _, header := range []byte{0, 1, 0x7f, 0x80, 0xff} {
		i, r := handshakes(t, nil, nil)
		if _, err := r.Receive(i.Send()); err != nil {
			t.Fatal(err)
		}
		d := r.get().session.Sealer.direction
		d.garbage = r.get().Garbage
		// The state before the version packet is cloned, because the version packet is made anew below and only the
		// terminator is sent.
		k := d.clone()
		sent := r.Send()
		sent = sent[:len(sent)-Overhead]
		if _, err := i.Receive(sent); err != nil {
			t.Fatal(err)
		}
		restart(t, i, r, k)
		plain := append([]byte{header}, "version 3"...)
		b := append([]byte{byte(len(plain) - 1), 0, 0}, k.packets.aead.Seal(nil, k.packets.nonce[:], plain, r.get().Garbage)...)
		if err := k.lengths.crypt(b[:3]); err != nil {
			t.Fatal(err)
		}
		_, err := i.Receive(b)
		if done := i.Session() != nil; err != nil || done != (header < 0x80) {
			t.Errorf("header %x: %v, %v", header, done, err)
		}
	}
}

// restart gives d and the Opener of i the same new keys, so that the next packet is again the first packet of its
// direction.
func restart(t *testing.T, i, r *Handshake, d *direction) {
	t.Helper()
	d.flow = flow{}
	o := i.get().session.Opener.direction
	o.packets.nonce, o.lengths.nonce = [12]byte{}, [12]byte{}
	for _, d := range []*direction{d, o} {
		if err := d.start(&[32]byte{1}, &[32]byte{2}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCiphers compares packets with packets made by BIP-324's definitions of FSChaCha20 and FSChaCha20Poly1305, over
// several changes of keys, the first ones and later ones, and in its long form with the longest contents.
func TestCiphers(t *testing.T) {
	for _, first := range []uint64{0, 255, 1<<32 - 2} {
		testCiphers(t, first)
	}
}

func testCiphers(t *testing.T, first uint64) {
	const interval = 224
	lengths, packets := [32]byte{1}, [32]byte{2}
	d := &direction{flow: flow{garbage: []byte("garbage")}}
	l, p := lengths, packets // copies, because start wipes its arguments
	binary.LittleEndian.PutUint64(d.lengths.nonce[4:], first)
	binary.LittleEndian.PutUint64(d.packets.nonce[4:], first)
	if err := d.start(&l, &p); err != nil || l != [32]byte{} || p != [32]byte{} {
		t.Fatal(err, l, p)
	}
	s := &Sealer{direction: d}
	for epoch := first; epoch < first+3; epoch++ {
		count := binary.LittleEndian.AppendUint64(nil, epoch)
		stream := make([]byte, 3*interval+32)
		c, err := chacha20.NewUnauthenticatedCipher(lengths[:], append(make([]byte, 4), count...))
		if err != nil {
			t.Fatal(err)
		}
		c.XORKeyStream(stream, stream)
		aead, err := chacha20poly1305.New(packets[:])
		if err != nil {
			t.Fatal(err)
		}
		for n := range interval {
			contents, aad := bytes.Repeat([]byte{byte(n)}, n*n%1000), []byte(nil)
			if epoch == first && n == 0 {
				aad = []byte("garbage")
			}
			if epoch == 2 && n == 200 && !testing.Short() {
				contents = bytes.Repeat([]byte{byte(n)}, variable(MaxContents))
			}
			want := []byte{byte(len(contents)) ^ stream[3*n], byte(len(contents)>>8) ^ stream[3*n+1], byte(len(contents)>>16) ^ stream[3*n+2]}
			nonce := append(binary.LittleEndian.AppendUint32(nil, uint32(n)), count...)
			want = aead.Seal(want, nonce, append([]byte{byte(n%2) << 7}, contents...), aad)
			if got, err := s.Seal(nil, contents, n%2 == 1); !bytes.Equal(got, want) || err != nil {
				t.Fatalf("packet %d after %d changes: %.1000x, want %.1000x, %v", n, epoch, got, want, err)
			}
		}
		copy(lengths[:], stream[3*interval:])
		copy(packets[:], aead.Seal(nil, append([]byte{0xff, 0xff, 0xff, 0xff}, count...), make([]byte, 32), nil))
	}
}

// TestPackets sends packets both ways, over several changes of keys.
func TestPackets(t *testing.T) {
	a, b := sessions(t, nil, nil)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 5*rekeyInterval + 10 {
		contents := make([]byte, r.IntN(300))
		for j := range contents {
			contents[j] = byte(r.Uint32())
		}
		if err := pass(t, a.Sealer, b.Opener, contents, i%5 == 0); err != nil {
			t.Fatal(i, err)
		}
		if i%2 == 0 {
			if err := pass(t, b.Sealer, a.Opener, contents, i%3 == 0); err != nil {
				t.Fatal(i, err)
			}
		}
	}
}

// TestWrong opens packets that are changed, repeated, or from the other direction, and a packet before which another
// packet was left out.
func TestWrong(t *testing.T) {
	seal := func(s *Sealer, contents string) []byte {
		b, err := s.Seal(nil, []byte(contents), false)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for _, before := range []int{0, rekeyInterval - 3, 3 * rekeyInterval} {
		for name, wrong := range map[string]func(a, b *Session) []byte{
			"repeated": func(a, b *Session) []byte {
				p := seal(a.Sealer, "one")
				if _, _, err := openPacket(b.Opener.direction, p); err != nil {
					t.Fatal(err)
				}
				return p
			},
			"left out":            func(a, b *Session) []byte { seal(a.Sealer, "one"); return seal(a.Sealer, "two") },
			"the other direction": func(a, b *Session) []byte { return seal(b.Sealer, "one") },
			"zeros":               func(a, b *Session) []byte { return make([]byte, variable(Overhead)) },
			"the tag":             func(a, b *Session) []byte { p := seal(a.Sealer, "one"); p[len(p)-1] ^= 1; return p },
		} {
			a, b := sessions(t, nil, nil)
			for range before {
				if err := pass(t, a.Sealer, b.Opener, nil, false); err != nil {
					t.Fatal(err)
				}
			}
			b.Opener.direction.limit = MaxContents
			packet := wrong(a, b)
			got, _, err := openPacket(b.Opener.direction, packet)
			if got != nil || !errors.Is(err, ErrAuth) {
				t.Errorf("%s after %d: %q, %v", name, before, got, err)
			}
			// The error stays, and the keys are wiped.
			if _, again := b.Opener.Length(packet[:3]); again != err {
				t.Errorf("%s: then %v", name, again)
			}
			if _, _, again := b.Opener.Open(packet[3:]); again != err {
				t.Errorf("%s: then %v", name, again)
			}
			if d := b.Opener.direction; d.packets.aead != nil || d.lengths.stream != (direction{}).lengths.stream {
				t.Errorf("%s: keys are left", name)
			}
		}
	}
}

// TestOverwritten checks that the memory of a packet that is not authentic contains no contents afterwards.
func TestOverwritten(t *testing.T) {
	a, b := sessions(t, nil, nil)
	packet, err := a.Sealer.Seal(nil, bytes.Repeat([]byte("secret"), 100), false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Opener.Length(packet[:3]); err != nil {
		t.Fatal(err)
	}
	packet[len(packet)-1] ^= 1
	if _, _, err := b.Opener.Open(packet[3:]); !errors.Is(err, ErrAuth) || !bytes.Equal(packet[3:], make([]byte, len(packet)-3)) {
		t.Errorf("%v, %q", err, packet)
	}
}

func TestLimits(t *testing.T) {
	for _, limit := range []int{1, 99, 100, 0xffff} {
		a, b := sessions(t, nil, &Config{MaxContents: limit})
		if err := pass(t, a.Sealer, b.Opener, make([]byte, limit), false); err != nil {
			t.Error(err)
		}
		if err := pass(t, a.Sealer, b.Opener, make([]byte, limit+1), false); !errors.Is(err, ErrTooLong) || !strings.Contains(err.Error(), fmt.Sprint(limit+1)) {
			t.Error(err)
		}
		if err := pass(t, b.Sealer, a.Opener, make([]byte, limit+1), false); err != nil {
			t.Error(err)
		}
	}
	// The limit also holds in the handshake.
	i, r := handshakes(t, &Config{Decoys: []int{101}}, &Config{MaxContents: 100})
	if err := pump(t, i, r, 50); !errors.Is(err, ErrTooLong) || r.Session() != nil {
		t.Error(err)
	}
	a, b := sessions(t, nil, nil)
	if _, err := a.Sealer.Seal(nil, make([]byte, variable(MaxContents)+1), false); !errors.Is(err, ErrTooLong) {
		t.Error(err)
	}
	// The refused packet has not advanced the Sealer.
	if err := pass(t, a.Sealer, b.Opener, []byte("next"), false); err != nil {
		t.Error(err)
	}
	if b.Opener.direction.limit != DefaultMaxContents {
		t.Error("another default")
	}
}

// TestMisuse calls methods out of order, on zero values and with wrong lengths.
func TestMisuse(t *testing.T) {
	_, b := sessions(t, nil, nil)
	o := b.Opener
	if _, _, err := o.Open(make([]byte, variable(Overhead))); !errors.Is(err, ErrOrder) {
		t.Error(err)
	}
	for n := range 6 {
		if _, err := o.Length(make([]byte, n)); n != 3 && !errors.Is(err, p256k1.ErrLength) {
			t.Error(n, err)
		} else if n == 3 {
			break
		}
	}
	a, b := sessions(t, nil, nil)
	o = b.Opener
	packet, err := a.Sealer.Seal(nil, []byte("contents"), false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.Length(packet); !errors.Is(err, p256k1.ErrLength) {
		t.Error(err)
	}
	n, err := o.Length(packet[:3])
	if n != len(packet)-3 || err != nil {
		t.Fatal(n, err)
	}
	if _, err := o.Length(packet[:3]); !errors.Is(err, ErrOrder) {
		t.Error(err)
	}
	for _, wrong := range [][]byte{nil, packet, packet[3 : len(packet)-1]} {
		if _, _, err := o.Open(wrong); !errors.Is(err, p256k1.ErrLength) {
			t.Error(err)
		}
	}
	// None of these calls has changed the Opener.
	if contents, _, err := o.Open(packet[3:]); string(contents) != "contents" || cap(contents) != len(contents) || err != nil {
		t.Errorf("%q, %v", contents, err)
	}
	for _, s := range []*Sealer{nil, {}} {
		if b, err := s.Seal([]byte("x"), nil, false); string(b) != "x" || !errors.Is(err, ErrOrder) {
			t.Error(b, err)
		}
		s.Zero()
	}
	for _, o := range []*Opener{nil, {}} {
		_, err1 := o.Length(make([]byte, 3))
		_, _, err2 := o.Open(nil)
		if !errors.Is(err1, ErrOrder) || !errors.Is(err2, ErrOrder) {
			t.Error(err1, err2)
		}
		o.Zero()
	}
	for _, h := range []*Handshake{nil, {}} {
		if n, err := h.Receive([]byte{1}); n != 0 || !errors.Is(err, ErrOrder) || h.Send() != nil || h.Session() != nil {
			t.Error(n, err)
		}
		h.Zero()
	}
	h, _ := handshakes(t, nil, nil)
	key := h.get().key
	h.Zero()
	if _, err := key.ECDH(new([64]byte), true); !errors.Is(err, p256k1.ErrNoKey) {
		t.Error("the private key is left:", err)
	}
	if _, err := h.Receive([]byte{1}); !errors.Is(err, ErrOrder) || h.Send() != nil {
		t.Error(err)
	}
}

// TestInPlace seals contents that are in the memory of dst or after it, at each of 60 offsets.
func TestInPlace(t *testing.T) {
	for offset := range 60 {
		a, b := sessions(t, &Config{Garbage: []byte{}}, &Config{Garbage: []byte{}})
		memory := make([]byte, 200)
		for i := range memory {
			memory[i] = byte(i)
		}
		want := bytes.Clone(memory[offset : offset+100])
		packet, err := a.Sealer.Seal(memory[:10], memory[offset:offset+100], false)
		if err != nil || &packet[0] != &memory[0] || !bytes.Equal(packet[:10], []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
			t.Fatal(err)
		}
		if got, _, err := openPacket(b.Opener.direction, packet[10:]); !bytes.Equal(got, want) || err != nil {
			t.Errorf("at %d: %x, %v", offset, got, err)
		}
	}
}

// TestForwardSecrecy checks that old keys are wiped when new keys replace them, and that no key is left outside the
// ciphers.
func TestForwardSecrecy(t *testing.T) {
	a, b := sessions(t, nil, nil)
	zero, err := chacha20poly1305.New(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	nonce, plain := make([]byte, 12), make([]byte, 32)
	for _, d := range []*direction{a.Sealer.direction, b.Opener.direction} {
		if d.packets.key != [48]byte{} || d.lengths.key != [32]byte{} {
			t.Error("the first keys are left")
		}
	}
	old, length := a.Sealer.direction.packets.aead, a.Sealer.direction.lengths.stream
	for range rekeyInterval {
		if err := pass(t, a.Sealer, b.Opener, nil, false); err != nil {
			t.Fatal(err)
		}
	}
	d := a.Sealer.direction
	if d.packets.aead == old || d.lengths.stream == length || d.packets.key != [48]byte{} || d.lengths.key != [32]byte{} {
		t.Error("keys have not changed, or are left")
	}
	if !bytes.Equal(old.Seal(nil, nonce, plain, nil), zero.Seal(nil, nonce, plain, nil)) {
		t.Error("the old key is not zeros: golang.org/x/crypto has it somewhere else")
	}
	last := d.packets.aead
	if bytes.Equal(last.Seal(nil, nonce, plain, nil), zero.Seal(nil, nonce, plain, nil)) {
		t.Error("the new key is zeros")
	}
	a.Sealer.Zero()
	if !bytes.Equal(last.Seal(nil, nonce, plain, nil), zero.Seal(nil, nonce, plain, nil)) || d.lengths.stream != (direction{}).lengths.stream {
		t.Error("Zero leaves the key")
	}
}

// TestDerive compares the derived keys with HKDF of the standard library.
func TestDerive(t *testing.T) {
	secret, magic := [32]byte{1, 2, 3}, [4]byte{4, 5, 6, 7}
	var k keys
	k.derive(&secret, magic)
	prk, err := hkdf.Extract(sha256.New, secret[:], append([]byte("bitcoin_v2_shared_secret"), magic[:]...))
	if err != nil {
		t.Fatal(err)
	}
	for info, got := range map[string][]byte{
		"initiator_L": k.lengths[0][:], "initiator_P": k.packets[0][:], "responder_L": k.lengths[1][:], "responder_P": k.packets[1][:],
		"garbage_terminators": append(k.terminators[0][:], k.terminators[1][:]...), "session_id": k.id[:],
	} {
		if want, err := hkdf.Expand(sha256.New, prk, info, 32); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %x, want %x, %v", info, got, want, err)
		}
	}
}

// TestSessionID changes each input on which a session id depends.
func TestSessionID(t *testing.T) {
	seen := map[[32]byte]bool{}
	for i := range 64 * 8 {
		secret, magic := [32]byte{1}, [4]byte{1}
		if i < 256 {
			secret[i/8] ^= 1 << (i % 8)
		} else {
			magic[i/8%4] ^= 1 << (i % 8)
		}
		var k keys
		k.derive(&secret, magic)
		seen[k.id] = true
	}
	if len(seen) != 256+32 {
		t.Errorf("%d ids", len(seen))
	}
}

// TestHidden prints and encodes every type that holds keys.
func TestHidden(t *testing.T) {
	i, r := handshakes(t, nil, nil)
	if _, err := r.Receive(i.Send()); err != nil {
		t.Fatal(err)
	}
	a, _ := sessions(t, nil, nil)
	type holder struct {
		h *Handshake
		s *Sealer
		o *Opener
		c *Conn
	}
	type open struct{ V any }
	c := &Conn{link: &link{sealer: a.Sealer, opener: a.Opener}}
	for _, v := range []any{i, r, a, a.Sealer, a.Opener, c, *i, *a, *a.Sealer, *a.Opener} {
		for _, format := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d", "%q"} {
			if got := fmt.Sprintf(format, v); got != hiddenText {
				t.Errorf("%s of %T: %s", format, v, got)
			}
		}
		for _, v := range []any{v, open{v}, []any{v}} {
			if b, err := json.Marshal(v); !errors.Is(err, p256k1.ErrMarshal) {
				t.Errorf("json of %T: %s, %v", v, b, err)
			}
			if err := gob.NewEncoder(io.Discard).Encode(v); err == nil {
				t.Errorf("gob of %T", v)
			}
		}
	}
	if err := json.Unmarshal([]byte(`"00"`), i); !errors.Is(err, p256k1.ErrMarshal) {
		t.Error(err)
	}
	if err := i.UnmarshalBinary(nil); !errors.Is(err, p256k1.ErrMarshal) {
		t.Error(err)
	}
	// If a verb does not fit, fmt shows what the pointers in unexported fields point to, which must not be a key. A
	// word of a random key may be part of an address, but not in each of three sessions.
	var found string
	for range 3 {
		a, _ := sessions(t, nil, nil)
		c := &Conn{link: &link{sealer: a.Sealer, opener: a.Opener}}
		if found = shownKey(a, holder{i, a.Sealer, a.Opener, c}, &holder{i, a.Sealer, a.Opener, c}); found == "" {
			return
		}
	}
	t.Error(found)
}

// shownKey returns a text of one of the values that has a word of a key of s, or "".
func shownKey(s *Session, values ...any) string {
	for _, v := range values {
		for _, verb := range "vsxXdqfoUteg" {
			for _, flag := range []string{"", "+", "#"} {
				format := "%" + flag + string(verb)
				got := fmt.Sprintf(format, v)
				for _, d := range []*direction{s.Sealer.direction, s.Opener.direction} {
					for _, part := range []any{d.lengths, d.packets.key, reflect.ValueOf(d.packets.aead).Elem()} {
						for _, word := range strings.FieldsFunc(fmt.Sprintf(format, part), func(r rune) bool { return strings.ContainsRune(" {}()[]&,:", r) }) {
							if digits := strings.Trim(word, "0x"); len(digits) > 6 && word[0] <= '9' && !strings.HasPrefix(word, "0xc") && strings.Contains(got, digits) {
								return fmt.Sprintf("%s: %s has %s", format, got, word)
							}
						}
					}
				}
			}
		}
	}
	return ""
}

func TestAllocs(t *testing.T) {
	a, b := sessions(t, nil, nil)
	contents, buf := make([]byte, 1000), make([]byte, 0, variable(1000+Overhead))
	if n := testing.AllocsPerRun(rekeyInterval, func() {
		packet, err1 := a.Sealer.Seal(buf, contents, false)
		_, err2 := b.Opener.Length(packet[:3])
		_, _, err3 := b.Opener.Open(packet[3:])
		if err1 != nil || err2 != nil || err3 != nil {
			t.Fatal(err1, err2, err3)
		}
	}); n != cipherAllocs(t) {
		t.Errorf("%v allocations a packet", n)
	}
}

// cipherAllocs returns how often package chacha20poly1305 itself allocates to seal and open a packet: never, except
// with the tag purego on x86-64.
func cipherAllocs(t *testing.T) float64 {
	aead, err := chacha20poly1305.New(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	nonce, buf := make([]byte, 12), make([]byte, 1001, 1001+tagSize)
	return testing.AllocsPerRun(100, func() {
		if _, err := aead.Open(buf[:0], nonce, aead.Seal(buf[:0], nonce, buf, nil), nil); err != nil {
			t.Fatal(err)
		}
	})
}

func TestMessages(t *testing.T) {
	payload := []byte("payload")
	for id := 1; id <= 28; id++ {
		name := MessageName(byte(id))
		if name == "" || MessageID(name) != byte(id) {
			t.Errorf("%d is %q", id, name)
		}
		b, err := AppendMessage([]byte("x"), name, payload)
		if err != nil || string(b) != "x"+string(rune(id))+"payload" {
			t.Errorf("%s: %q, %v", name, b, err)
		}
		long := append(append([]byte{0}, append([]byte(name), make([]byte, 12-len(name))...)...), payload...)
		for _, c := range [][]byte{b[1:], long} {
			if got, p, err := ParseMessage(c); got != name || !bytes.Equal(p, payload) || err != nil {
				t.Errorf("%q: %q, %q, %v", c, got, p, err)
			}
		}
	}
	for _, name := range []string{"version", "verack", "sendaddrv2", "a", "twelve chars", "~ !", "addr2", "addrv", "inventory"} {
		b, err := AppendMessage(nil, name, payload)
		if err != nil || len(b) != 13+len(payload) || b[0] != 0 || MessageID(name) != 0 {
			t.Errorf("%s: %q, %v", name, b, err)
		}
		if got, p, err := ParseMessage(b); got != name || !bytes.Equal(p, payload) || err != nil {
			t.Errorf("%s: %q, %q, %v", name, got, p, err)
		}
	}
	for _, name := range []string{"", "thirteenchars", "fourteen chars", "a\x00", "é", "a\nb", "\x7f", strings.Repeat("x", 1000)} {
		if b, err := AppendMessage([]byte("x"), name, nil); string(b) != "x" || !errors.Is(err, ErrMessage) || len(err.Error()) > 100 {
			t.Errorf("%q: %q, %v", name, b, err)
		}
	}
	for _, c := range []string{"", "\x1d", "\xffping", "\x00", "\x00ping", "\x00ping\x00\x00\x00\x00\x00\x00\x00", "\x00" + strings.Repeat("\x00", 12),
		"\x00ping\x00\x00\x00\x00\x00\x00\x00x", "\x00\x00ping\x00\x00\x00\x00\x00\x00\x00", "\x00p\x1fng\x00\x00\x00\x00\x00\x00\x00\x00"} {
		if name, p, err := ParseMessage([]byte(c)); name != "" || p != nil || !errors.Is(err, ErrMessage) {
			t.Errorf("%q: %q, %q, %v", c, name, p, err)
		}
	}
	if MessageName(0) != "" || MessageName(29) != "" || MessageName(255) != "" || MessageID("") != 0 {
		t.Error("names for what has none")
	}
}

// TestIDs compares the short ids with the table of BIP-324.
func TestIDs(t *testing.T) {
	for name, id := range map[string]byte{
		"addr": 1, "block": 2, "blocktxn": 3, "cmpctblock": 4, "feefilter": 5, "filteradd": 6, "filterclear": 7, "filterload": 8,
		"getblocks": 9, "getblocktxn": 10, "getdata": 11, "getheaders": 12, "headers": 13, "inv": 14, "mempool": 15, "merkleblock": 16,
		"notfound": 17, "ping": 18, "pong": 19, "sendcmpct": 20, "tx": 21, "getcfilters": 22, "cfilter": 23, "getcfheaders": 24,
		"cfheaders": 25, "getcfcheckpt": 26, "cfcheckpt": 27, "addrv2": 28,
	} {
		if MessageID(name) != id || MessageName(id) != name {
			t.Errorf("%s is %d, %d is %s", name, MessageID(name), id, MessageName(id))
		}
	}
}

func TestMessageAllocs(t *testing.T) {
	for id := byte(1); id <= 28; id++ {
		name := MessageName(id)
		long, short := append(append([]byte{0}, name...), make([]byte, 12-len(name))...), []byte{id}
		if n := testing.AllocsPerRun(10, func() { ParseMessage(long); ParseMessage(short) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// TestMessageInPlace appends payloads that are in the memory of b or after it, at each of 60 offsets.
func TestMessageInPlace(t *testing.T) {
	for _, name := range []string{"ping", "version"} {
		for offset := range 60 {
			memory := make([]byte, 200)
			for i := range memory {
				memory[i] = byte(i)
			}
			want := bytes.Clone(memory[offset : offset+100])
			b, err := AppendMessage(memory[:10], name, memory[offset:offset+100])
			if err != nil || &b[0] != &memory[0] || !bytes.Equal(b[:10], []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
				t.Fatal(err)
			}
			if got, payload, err := ParseMessage(b[10:]); got != name || !bytes.Equal(payload, want) || err != nil {
				t.Errorf("%s at %d: %s, %x, %v", name, offset, got, payload, err)
			}
		}
	}
}

// BenchmarkPackets measures sealing and opening and, for comparison, the AEAD of golang.org/x/crypto alone.
func BenchmarkPackets(b *testing.B) {
	for _, size := range []int{64, 1 << 10, 16 << 10, 1 << 20} {
		contents, buf := make([]byte, size), make([]byte, 0, size+Overhead)
		b.Run(fmt.Sprintf("bip324/%d", size), func(b *testing.B) {
			from, to := sessions(b, nil, nil)
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				packet, err := from.Sealer.Seal(buf, contents, false)
				if err != nil {
					b.Fatal(err)
				}
				to.Opener.Length(packet[:3])
				if _, _, err := to.Opener.Open(packet[3:]); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("chacha20poly1305/%d", size), func(b *testing.B) {
			aead, err := chacha20poly1305.New(make([]byte, 32))
			if err != nil {
				b.Fatal(err)
			}
			nonce := make([]byte, 12)
			b.SetBytes(int64(size))
			for b.Loop() {
				sealed := aead.Seal(buf, nonce, contents, nil)
				if _, err := aead.Open(sealed[:0], nonce, sealed, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkHandshake(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		sessions(b, &Config{Garbage: []byte{}}, &Config{Garbage: []byte{}})
	}
}

// TestGarbageDrawn draws the longest garbage, all bytes of which must be random.
func TestGarbageDrawn(t *testing.T) {
	want := make([]byte, variable(MaxGarbage))
	rand.NewChaCha8([32]byte{}).Read(want)
	libtest.SetRandom(t, io.MultiReader(strings.NewReader("\xff\xff"), bytes.NewReader(want)))
	c, err := new(Config).setUp()
	if err != nil || !bytes.Equal(c.Garbage, want) {
		t.Errorf("%v, or other garbage of %d bytes than was drawn", err, len(c.Garbage))
	}
}

// TestIncrement counts key changes where a byte of the number overflows.
func TestIncrement(t *testing.T) {
	for shift := range 64 {
		for _, n := range []uint64{1<<shift - 1, 1 << shift} {
			nonce := [12]byte{1, 2, 3, 4}
			want := nonce
			binary.LittleEndian.PutUint64(nonce[4:], n)
			for i := range 8 {
				want[4+i] = byte((n + 1) >> (8 * i))
			}
			increment(&nonce)
			if nonce != want {
				t.Errorf("%d + 1: %x, want %x", n, nonce, want)
			}
		}
	}
}
