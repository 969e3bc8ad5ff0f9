package nostr

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"p256k1.mleku.dev/v2/nostr/wire"
)

// listVerified returns the frames and errors of Verified as lines of text.
func listVerified(r *Reader) (lines []string) {
	for f, err := range r.Verified() {
		lines = append(lines, fmt.Sprintf("%d: %q %q %s %v", f.Line, f.Label, f.Subscription, f.Event, err))
		_ = append(f.Event, "which overwrites no other event"...)
	}
	return lines
}

// TestVerified compares the results of Verified with the results of verifying one event at a time.
func TestVerified(t *testing.T) {
	var stream strings.Builder
	for i := range 3000 {
		text := publicEvents[i%len(publicEvents)]
		switch i % 7 {
		case 1:
			text = `["EVENT","` + fmt.Sprint(i) + `",` + text + "]"
		case 2:
			text = strings.Replace(text, `"sig":"`, `"sig":"0`, 1)
		case 3:
			text = strings.Replace(text, `"content":"`, `"content":"x`, 1)
		case 4:
			text = `["EOSE","a"]` + "\n \r\n"
		case 5:
			text = text[:i%400]
		case 6:
			text = strings.Repeat(" ", 3000)
		}
		stream.WriteString(text + "\n")
	}
	broken := errors.New("broken")
	for name, end := range map[string]io.Reader{"whole": strings.NewReader(publicEvents[0]), "broken": iotest.ErrReader(broken), "empty": strings.NewReader("")} {
		open := func() io.Reader { return io.MultiReader(strings.NewReader(stream.String()), end) }
		if name == "empty" {
			open = func() io.Reader { return end }
		}
		var want []string
		for f, err := range NewReader(open(), 2000).All() {
			if err == nil && f.Event != nil {
				var e *Event
				if e, err = Parse(f.Event); err == nil {
					err = e.Verify()
				}
			}
			want = append(want, fmt.Sprintf("%d: %q %q %s %v", f.Line, f.Label, f.Subscription, f.Event, err))
		}
		if s, ok := end.(io.Seeker); ok {
			s.Seek(0, io.SeekStart)
		}
		if got := listVerified(NewReader(open(), 2000)); !slices.Equal(got, want) {
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Fatalf("%s: %.200s, want %.200s", name, got[i], want[i])
				}
			}
			t.Errorf("%s: %d lines, want %d", name, len(got), len(want))
		}
	}
}

// TestTogether verifies as many events as a worker can get at once, of which the last one is invalid. How many events a
// worker gets depends on how fast the input is.
func TestTogether(t *testing.T) {
	group, p := newTogether(), pipeline{work: make(chan *together, 1)}
	for range 2*togetherLines - 2 {
		group.add(Frame{Event: []byte(publicEvents[0])}, nil)
	}
	group.add(Frame{Event: []byte(strings.Replace(publicEvents[0], `"sig":"2`, `"sig":"3`, 1))}, nil)
	p.work <- group
	close(p.work)
	p.verify()
	for i, err := range group.errs {
		if last := i == len(group.errs)-1; errors.Is(err, ErrSignature) != last || (err != nil) != last {
			t.Fatalf("event %d of %d: %v", i, len(group.errs), err)
		}
	}
}

// TestVerifiedWaits reads a stream that pauses, and checks that no event waits for later events. Then it reads another
// stream, and stops early.
func TestVerifiedWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		go func() {
			for range 5 {
				io.WriteString(w, publicEvents[0]+"\n{"+publicEvents[1][1:]+"\n \r\n\n")
				time.Sleep(time.Hour)
				io.WriteString(w, "{}\n")
			}
			w.Close()
		}()
		start, n := time.Now(), 0
		for f, err := range NewReader(r, 0).Verified() {
			if hours := int(time.Since(start) / time.Hour); hours != (n+1)/3 || (n%3 == 2) != (err != nil) {
				t.Errorf("event %d, line %d after %d hours: %v", n, f.Line, hours, err)
			}
			n++
		}
		if n != 15 {
			t.Errorf("%d events", n)
		}
	})
	synctest.Test(t, func(t *testing.T) { // Test fails if a goroutine is left
		r, w := io.Pipe()
		go func() {
			for {
				if _, err := io.WriteString(w, publicEvents[0]+"\n"); err != nil {
					return
				}
			}
		}()
		n := 0
		for range NewReader(r, 0).Verified() {
			if n++; n == 2000 {
				break
			}
		}
		r.Close()
	})
}

// TestVerifiedBounds checks that Verified reads ahead by a bounded amount if the caller stops, whether lines or results
// accumulate.
func TestVerifiedBounds(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2)) // Verified reads ahead for each processor
	synctest.Test(t, func(t *testing.T) {
		for name, text := range map[string]string{
			"events": publicEvents[0], "little": "{}", "none": `[""]`, "long": strings.Repeat("x", MaxLine) + "\n{" + strings.Repeat(" ", MaxLine-2) + "}",
			"label": `["` + strings.Repeat("x", MaxLine-4) + `"]`, "subscription": `["EVENT","` + strings.Repeat("x", MaxLine-15) + `",{}]`,
		} {
			var read atomic.Int64
			open := func() *Reader {
				all := &endless{text: []byte(text + "\n"), left: 32 << 20}
				read.Store(0)
				return NewReader(readerFunc(func(b []byte) (int, error) {
					n, err := all.Read(b)
					read.Add(int64(n))
					return n, err
				}), 0)
			}
			for range open().Verified() {
				synctest.Wait() // waits until all goroutines are blocked
				if n := read.Load(); n > 30<<20 {
					t.Errorf("%s: %d bytes are read", name, n)
				}
				break
			}
			p := pipeline{read: make(chan *together, 1), work: make(chan *together), ordered: make(chan *together), stop: make(chan struct{})}
			go p.readAll(open())
			go p.gather()
			synctest.Wait()
			if n := read.Load(); n > 10<<20 {
				t.Errorf("%s: %d bytes are read for no worker", name, n)
			}
			close(p.stop)
		}
	})
}

// TestVerifiedKeeps reads short events between long lines that hold no event. Frames must keep their events in memory,
// but nothing else of the stream.
func TestVerifiedKeeps(t *testing.T) {
	const lines = 200
	first, last := "{}\n"+strings.Repeat("x", MaxLine/4), strings.Repeat("x", MaxLine/4)+"\n"
	var text []io.Reader
	for range lines {
		text = append(text, strings.NewReader(first), strings.NewReader(last))
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var frames []Frame
	for f := range NewReader(io.MultiReader(text...), 0).Verified() {
		frames = append(frames, f)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc - before.HeapAlloc); len(frames) != 2*lines || grown > 10<<20 {
		t.Errorf("%d frames keep %d bytes", len(frames), grown)
	}
	runtime.KeepAlive(frames)
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

// TestControls checks that every way to verify an event says that its id was hashed with control characters as \u00xx.
func TestControls(t *testing.T) {
	const hint = `; it is that with control characters as \u00xx, which NIP-01 wants verbatim`
	for name, e := range map[string]*Event{
		"content": {Content: "\x00a\n\x1f\x7f\u2028"}, "tags": {Tags: [][]string{{"t", "\x01"}, {}}}, "none": {Content: "\n\t\r\b\f\"\\"},
	} {
		e.ID = sha256.Sum256([]byte(fmt.Sprintf(`[0,"%064x",0,0,%s,%s]`, 0, e.appendTags(nil, false), wire.AppendJSON(nil, e.Content))))
		if name == "none" {
			e.ID[0] ^= 1
		}
		text, err := e.AppendJSON(nil)
		if err != nil {
			t.Fatal(err)
		}
		var v Verifier
		v.Add(text)
		v.AddEvent(e)
		errs := append(v.verdicts(), verifyAll([]*Event{e})[0], e.Verify())
		for _, err := range NewReader(bytes.NewReader(text), MaxLine).Verified() {
			errs = append(errs, err)
		}
		for i, err := range errs {
			if !errors.Is(err, ErrID) || err.Error() != errs[0].Error() || strings.HasSuffix(err.Error(), hint) != (name != "none") {
				t.Errorf("%s, way %d: %v", name, i, err)
			}
		}
		if len(errs) != 5 {
			t.Errorf("%d verdicts", len(errs))
		}
	}
}
