package bip324

import (
	"bytes"
	"errors"
	"testing"
)

// isDocumented reports whether err is one of the errors that Receive documents, except ErrOrder.
func isDocumented(err error) bool {
	var v1 *V1Error
	return errors.As(err, &v1) || errors.Is(err, ErrNetwork) || errors.Is(err, ErrGarbage) || errors.Is(err, ErrAuth) || errors.Is(err, ErrTooLong)
}

// receiveAll gives h all bytes, in portions of n bytes.
func receiveAll(t *testing.T, h *Handshake, b []byte, n int) (rest []byte, err error) {
	t.Helper()
	for len(b) > 0 && err == nil {
		var m int
		m, err = h.Receive(b[:min(n, len(b))])
		if m < 0 || m > min(n, len(b)) || (err != nil && !isDocumented(err)) {
			t.Fatalf("%d of %d bytes, %v", m, min(n, len(b)), err)
		}
		b = b[m:]
		if m == 0 {
			break
		}
	}
	return b, err
}

// FuzzResponder feeds arbitrary bytes to a responder, all in one call and one byte at a time.
func FuzzResponder(f *testing.F) {
	const v1 = "\xf9\xbe\xb4\xd9version\x00\x00\x00\x00\x00"
	for _, s := range []string{"", "x", v1, v1[:15], v1 + "more", "xxxx" + v1[4:], v1[:4] + "verack" + string(make([]byte, 5000))} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var errs [2]error
		for i, n := range []int{1, len(b) + 1} {
			h, err := NewResponder(&Config{Garbage: []byte{}})
			if err != nil {
				t.Fatal(err)
			}
			_, errs[i] = receiveAll(t, h, b, n)
			if h.Session() != nil {
				t.Fatal("a session with nobody")
			}
			var got *V1Error
			if isV1 := len(b) >= 16 && string(b[:16]) == v1; errors.As(errs[i], &got) != isV1 || (isV1 && !bytes.HasPrefix(b, got.Received)) {
				t.Fatalf("%x: %v", b, errs[i])
			}
		}
		if (errs[0] == nil) != (errs[1] == nil) {
			t.Fatalf("%x: %v and %v", b, errs[0], errs[1])
		}
	})
}

// FuzzInitiator feeds an initiator the bytes of a responder, with n bytes from index at replaced by b.
func FuzzInitiator(f *testing.F) {
	f.Add([]byte{}, 0, 0)
	f.Add([]byte{1}, 64, 0)
	f.Add([]byte{0}, 85, 1)
	f.Add(make([]byte, 5000), 70, 0)
	f.Fuzz(func(t *testing.T, b []byte, place, n int) {
		i, r := handshakes(t, &Config{Garbage: []byte{}}, &Config{Garbage: []byte("garbage"), Decoys: []int{2}})
		if _, err := r.Receive(i.Send()); err != nil {
			t.Fatal(err)
		}
		sent := r.Send()
		if place < 0 || place > len(sent) || n < 0 || n > len(sent)-place {
			return
		}
		changed := append(append(bytes.Clone(sent[:place]), b...), sent[place+n:]...)
		rest, err := receiveAll(t, i, changed, 7)
		if whole := bytes.HasPrefix(changed, sent); (i.Session() != nil) != whole || (whole && (err != nil || len(rest) != len(changed)-len(sent))) {
			t.Fatalf("changed %v: %v", !whole, err)
		}
	})
}

// FuzzOpener gives an Opener a stream of packets with changed bytes. The packets that are opened must be the packets
// that were sealed, in order.
func FuzzOpener(f *testing.F) {
	f.Add([]byte{}, 0, 0, uint8(3))
	f.Add([]byte{1, 2, 3}, 20, 3, uint8(5))
	f.Add(make([]byte, 100), 0, 0, uint8(230))
	f.Fuzz(func(t *testing.T, b []byte, place, n int, packets uint8) {
		from, to := new(direction), &direction{flow: flow{limit: 500}}
		for _, d := range []*direction{from, to} {
			if err := d.start(&[32]byte{1}, &[32]byte{2}); err != nil {
				t.Fatal(err)
			}
		}
		var stream []byte
		for i := range int(packets) {
			var err error
			if stream, err = (&Sealer{direction: from}).Seal(stream, bytes.Repeat([]byte{byte(i)}, i), i%3 == 0); err != nil {
				t.Fatal(err)
			}
		}
		if place < 0 || place > len(stream) || n < 0 || n > len(stream)-place {
			return
		}
		whole := string(b) == string(stream[place:place+n])
		stream = append(append(stream[:place:place], b...), stream[place+n:]...)
		o := &Opener{direction: to}
		for i := 0; len(stream) >= 3; i++ {
			size, err := o.Length(stream[:3])
			if err != nil || size > len(stream)-3 {
				if whole || (err != nil && !errors.Is(err, ErrTooLong)) || (err == nil && size > 500+Overhead-3) {
					t.Fatalf("packet %d: %d, %v", i, size, err)
				}
				return
			}
			contents, decoy, err := o.Open(stream[3 : 3+size])
			if err != nil {
				if whole || contents != nil || !errors.Is(err, ErrAuth) {
					t.Fatalf("packet %d: %v", i, err)
				}
				return
			}
			if i >= int(packets) || !bytes.Equal(contents, bytes.Repeat([]byte{byte(i)}, i)) || decoy != (i%3 == 0) {
				t.Fatalf("packet %d is %x", i, contents)
			}
			stream = stream[3+size:]
		}
	})
}

// FuzzParseMessage parses arbitrary contents, and checks that a message which was read is the same after it is written
// and read again.
func FuzzParseMessage(f *testing.F) {
	for _, s := range []string{"", "\x12payload", "\x1d", "\x00version\x00\x00\x00\x00\x00payload", "\x00ping\x00\x00\x00\x00\x00\x00\x00\x00", "\x00\x00ping"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		name, payload, err := ParseMessage(b)
		if err != nil {
			if !errors.Is(err, ErrMessage) || name != "" || payload != nil {
				t.Fatal(name, payload, err)
			}
			return
		}
		again, err := AppendMessage(nil, name, payload)
		if err != nil {
			t.Fatal(err)
		}
		if n, p, err := ParseMessage(again); n != name || !bytes.Equal(p, payload) || err != nil {
			t.Fatal(n, p, err)
		}
		if !bytes.HasSuffix(b, payload) || (b[0] != 0 && !bytes.Equal(b, again)) || len(again) > len(b) {
			t.Fatalf("%x is %q, which is %x", b, name, again)
		}
	})
}
