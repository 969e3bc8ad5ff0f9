package nostr

import (
	"bytes"
	"iter"
	"runtime"
	"strings"

	"p256k1.mleku.dev/v2"
)

const (
	// togetherLines and togetherBytes are the numbers of lines and bytes at which a group is full. A group may exceed
	// them, because a long line or another group can be added to a group that is not full yet. Larger limits would save
	// hardly any time.
	togetherLines = 512
	togetherBytes = 512 << 10
)

// Verified returns an iterator over the lines that All returns, and verifies their events. The error for an invalid
// event is the reason that Verifier.Invalid returns. Verified reads ahead, and verifies on all cores. While events
// arrive fast, it verifies many of them together, and while events arrive slowly, it verifies each event immediately.
// It uses a bounded amount of memory. The contents of a Frame stay valid, and keep the text that was read together with
// them in memory. After the caller has stopped the iteration early, the Reader must not be used, and a pending Read of
// the underlying reader continues to wait.
func (r *Reader) Verified() iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {
		workers := runtime.GOMAXPROCS(0)
		p := pipeline{
			read: make(chan *together, 1), work: make(chan *together), ordered: make(chan *together, 2*workers), stop: make(chan struct{}),
		}
		defer close(p.stop)
		go p.readAll(r)
		go p.gather()
		for range workers {
			go p.verify()
		}
		for t := range p.ordered {
			<-t.done
			for i, f := range t.frames {
				if !yield(f, t.errs[i]) {
					return
				}
			}
		}
	}
}

// together holds a group of lines that pass through the pipeline as one.
type together struct {
	frames []Frame
	errs   []error // for each frame: the error of the line or, after verification, of the event
	size   int     // number of bytes in the contents of the frames
	done   chan struct{}
}

func newTogether() *together { return &together{done: make(chan struct{})} }

// isFull reports whether the group has reached a limit.
func (t *together) isFull() bool {
	return len(t.frames) >= togetherLines || t.size >= togetherBytes
}

func (t *together) add(f Frame, err error) {
	t.frames, t.errs = append(t.frames, f), append(t.errs, err)
	t.size += len(f.Label) + len(f.Subscription) + len(f.Event)
}

// keepEvents copies the events of the group from the Reader's buffer into newly allocated memory.
func (t *together) keepEvents() {
	n := 0
	for _, f := range t.frames {
		n += len(f.Event)
	}
	text := make([]byte, 0, n)
	for i := range t.frames {
		if f := &t.frames[i]; f.Event != nil {
			text = append(text, f.Event...)
			f.Event = text[len(text)-len(f.Event) : len(text) : len(text)]
		}
	}
}

// A pipeline has one goroutine that reads, one goroutine that gathers lines while the workers are busy, and workers,
// which are goroutines that verify.
type pipeline struct {
	read    chan *together // groups of lines that could be read without waiting for input
	work    chan *together
	ordered chan *together // the same groups as in work, for the consumer
	stop    chan struct{}  // closed when the consumer stops
}

func (p *pipeline) readAll(r *Reader) {
	defer close(p.read)
	t := newTogether()
	for f, err := range r.All() {
		t.add(f, err)
		if !t.isFull() && r.hasLine() {
			continue // the contents of the frames stay valid, because nothing has been read
		}
		t.keepEvents()
		select {
		case p.read <- t:
			t = newTogether()
		case <-p.stop:
			return
		}
	}
}

// gather passes all lines that have arrived to a worker, as soon as a worker is idle.
func (p *pipeline) gather() {
	defer close(p.ordered)
	defer close(p.work)
	t, read := newTogether(), p.read
	for read != nil || len(t.frames) > 0 {
		from, to := read, p.work
		if t.isFull() {
			from = nil
		}
		if len(t.frames) == 0 {
			to = nil
		}
		if from != nil && to != nil {
			runtime.Gosched() // lets the reading goroutine run first, if it has input
			if len(from) > 0 {
				to = nil
			}
		}
		select {
		case more, ok := <-from:
			if !ok {
				read = nil
				break
			}
			if len(t.frames) == 0 {
				t = more
				break
			}
			t.frames, t.errs, t.size = append(t.frames, more.frames...), append(t.errs, more.errs...), t.size+more.size
		case to <- t:
			select {
			case p.ordered <- t:
				t = newTogether()
			case <-p.stop:
				return
			}
		case <-p.stop:
			return
		}
	}
}

// verify is the loop of a worker. It verifies groups until the channel work is closed.
func (p *pipeline) verify() {
	var v Verifier
	var failures p256k1.Failures
	var line []int // the index of each event's line
	for t := range p.work {
		line = line[:0]
		for i, f := range t.frames {
			if f.Event != nil {
				v.Add(f.Event)
				line = append(line, i)
			}
		}
		failures = v.Invalid(failures[:0])
		for _, f := range failures { // a line with an event has no error yet
			t.errs[line[f.Index]] = f.Err
		}
		clear(failures)
		close(t.done)
	}
}

// hasLine reports whether the buffer holds a whole line that is not white space, so that Next would return without
// reading more input.
func (r *Reader) hasLine() bool {
	rest := r.buf[r.from:r.to]
	for len(rest) > 0 && strings.IndexByte(space, rest[0]) >= 0 {
		rest = rest[1:]
	}
	return bytes.IndexByte(rest, '\n') >= 0
}
