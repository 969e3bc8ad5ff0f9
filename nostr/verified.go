package nostr

import (
	"bytes"
	"iter"
	"runtime"
	"strings"
)

const (
	// togetherLines and togetherBytes limit how much is verified together, except that one longer line may exceed
	// togetherBytes. Larger limits would hardly be faster.
	togetherLines = 512
	togetherBytes = 512 << 10
)

// Verified returns the lines one by one, as All does. The error of an event is the verdict of Verifier. Verified
// reads ahead and verifies on all cores: many events together while they arrive fast, and each without waiting for
// others while they arrive slowly. Memory is bounded. The contents of a Frame stay valid, and keep the text that was
// read together with it in memory. After a break the Reader must not be used, and a Read that waits goes on waiting.
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

// together is a group of lines that pass through the pipeline as one.
type together struct {
	frames []Frame
	errs   []error // by frame: the error of the line and, after the group is done, of the event
	size   int     // of the contents of the frames
	done   chan struct{}
}

func newTogether() *together { return &together{done: make(chan struct{})} }

// isFull reports whether the group takes no more lines.
func (t *together) isFull() bool {
	return len(t.frames) >= togetherLines || t.size >= togetherBytes
}

func (t *together) add(f Frame, err error) {
	t.frames, t.errs = append(t.frames, f), append(t.errs, err)
	t.size += len(f.Label) + len(f.Subscription) + len(f.Event)
}

// keepEvents copies the events from the Reader's buffer into memory of their own.
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

// A pipeline has one goroutine that reads, one that gathers lines while the workers are busy, and workers.
type pipeline struct {
	read    chan *together // lines that could be read without waiting for input
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
			continue // the contents of the frames stay in place, because nothing is read
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

// gather gives a worker all the lines that have arrived, as soon as one waits.
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
			runtime.Gosched() // let the reading goroutine run first, if it need not wait
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

// verify runs the loop of a worker.
func (p *pipeline) verify() {
	var v Verifier
	var verdicts []error
	for t := range p.work {
		for _, f := range t.frames {
			if f.Event != nil {
				v.Add(f.Event)
			}
		}
		verdicts = v.Verdicts(verdicts[:0])
		rest := verdicts
		for i, f := range t.frames {
			if f.Event != nil { // the line has no error yet
				t.errs[i], rest = rest[0], rest[1:]
			}
		}
		clear(verdicts)
		close(t.done)
	}
}

// hasLine reports whether Next returns without reading more.
func (r *Reader) hasLine() bool {
	rest := r.buf[r.from:r.to]
	for len(rest) > 0 && strings.IndexByte(space, rest[0]) >= 0 {
		rest = rest[1:]
	}
	return bytes.IndexByte(rest, '\n') >= 0
}
