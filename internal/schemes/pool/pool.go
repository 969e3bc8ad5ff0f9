// Package pool verifies claims of many goroutines in groups. A goroutine that finds fewer leaders than cores becomes a
// leader: it verifies its own claim together with those that wait, tells their goroutines, and passes the lead on.
// There are no other goroutines and no timers, and nobody waits for a group to fill.
package pool

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"

	"p256k1.mleku.dev/v2/internal/parts"
)

// The measurements are on Zen 5, against verifying Schnorr signatures one by one.
const (
	// most is the largest number of claims in a group. With 64, 256 callers on one core gained 1.24 times without
	// lanes, with 256 they gain 1.46 times. The group then takes 2.1 ms, in doubles 1.2 ms, and with IFMA 0.6 ms.
	most = parts.Sums

	// joined is the number of claims that must have joined the queue while others ran, for a leader to let them run
	// again. Go runs at most 60 goroutines before it returns to the leader. With 1 or 32, the gain was the same within
	// the noise; 8 bounds the number of times by 32.
	joined = 8

	// After calm groups of one claim, a leader lets others run only once in probe calls. If it always did, a lone
	// caller would lose a quarter on two cores; if it never did, no groups would form, because callers who want a core
	// cannot join. With 8 and 32 the gain was the same within the noise.
	calm, probe = 32, 64

	// kept is the largest capacity of a queue that is kept when the queue is empty.
	kept = 4096

	// slow is the time after which others who run without joining the queue are taken to compute something else, each
	// for up to 10 ms. With 30 such goroutines on a core, a leader who lets them run waits for 0.6 s.
	slow = time.Millisecond
)

// A Batch judges claims of type T. Its zero value must be ready.
type Batch[T any] interface {
	OneVartime(claim *T) bool // OneVartime reports whether a claim is valid, alone.
	Reset()
	Add(claim *T)                   // Add must not keep the pointer.
	InvalidVartime(dst []int) []int // InvalidVartime appends the indexes of the invalid claims in ascending order.
}

// A Pool verifies claims of type T with batches of type B. The zero value is ready. A Pool must not be copied.
//
// A request is in one place at a time: in the queue, or in the group of one leader, who sends it one outcome. Whoever
// takes a request out of the queue holds mu. A leader's own request is not in the queue.
type Pool[T, B any, P interface {
	*B
	Batch[T]
}] struct {
	requests sync.Pool // of *request[T], with empty channels

	mu      sync.Mutex
	queue   []*request[T] // wait for a leader, or to become one
	leaders int
	cores   int            // GOMAXPROCS when it was last read: the largest number of leaders
	alone   int            // the number of groups of one claim since the last larger group
	idle    []*group[T, B] // not in use; at most as many as there were leaders at once
}

// A request is a claim, and the channel on which its caller waits.
type request[T any] struct {
	claim   T
	outcome chan outcome // has room for one
}

type outcome uint8

const (
	failed outcome = iota // the goroutine that verified the group has ended early
	invalid
	valid
	lead // the caller becomes a leader
)

// A group is the memory of a leader. Each has a batch of its own, which may remember what it has met.
type group[T, B any] struct {
	batch   B
	members []*request[T] // the first one is the leader's own
	invalid []int
	judged  bool
}

var errFailed = errors.New("not verified: a panic or runtime.Goexit ended the goroutine that verified the group")

// VerifyVartime reports whether the claim is valid. If ctx has ended, or ends while the claim waits or while another
// goroutine verifies it, the error is that of ctx. If the verification panics, VerifyVartime panics in one goroutine,
// and returns an error in the others of the group.
func (p *Pool[T, B, P]) VerifyVartime(ctx context.Context, claim T) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	done := ctx.Done() // now, because a panic of ctx would leave the request in the queue
	r, _ := p.requests.Get().(*request[T])
	if r == nil {
		r = &request[T]{outcome: make(chan outcome, 1)}
	}
	r.claim = claim
	p.mu.Lock()
	if p.cores == 0 {
		p.cores = runtime.GOMAXPROCS(0)
	}
	if p.leaders < p.cores {
		p.leaders++
		return p.leadVartime(r)
	}
	p.queue = append(p.queue, r)
	p.mu.Unlock()
	select {
	case o := <-r.outcome:
		return p.toldVartime(r, o, ctx, done)
	case <-done:
		p.withdraw(r)
		return false, ctx.Err()
	}
}

// withdraw ends the wait of a caller whose context has ended.
func (p *Pool[T, B, P]) withdraw(r *request[T]) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.queue, r); i >= 0 {
		p.queue = slices.Delete(p.queue, i, i+1)
		p.requests.Put(r)
		return
	}
	select {
	case o := <-r.outcome:
		if o == lead { // lead is sent while mu is held, so it cannot arrive later
			p.pass()
		}
		p.requests.Put(r)
	default: // a leader has the request and will send an outcome, so nobody uses the request again
	}
}

// toldVartime returns the verdict of an outcome, or leads, unless the context has ended meanwhile.
func (p *Pool[T, B, P]) toldVartime(r *request[T], o outcome, ctx context.Context, done <-chan struct{}) (bool, error) {
	switch o {
	case lead:
		p.mu.Lock()
		select {
		case <-done:
			p.pass()
			p.mu.Unlock()
			p.requests.Put(r)
			return false, ctx.Err()
		default:
			return p.leadVartime(r)
		}
	case failed:
		p.requests.Put(r)
		return false, errFailed
	}
	p.requests.Put(r)
	return o == valid, nil
}

// leadVartime verifies a group whose first request is r, and passes the lead on. The caller counts among the leaders,
// and holds mu, which leadVartime unlocks.
func (p *Pool[T, B, P]) leadVartime(r *request[T]) (bool, error) {
	if p.alone < calm || p.alone%probe == 0 {
		p.gather()
	}
	g := p.take(r)
	p.mu.Unlock()
	defer p.leave(g)
	g.invalid = g.invalid[:0]
	if len(g.members) == 1 {
		if !P(&g.batch).OneVartime(&r.claim) {
			g.invalid = append(g.invalid, 0)
		}
	} else {
		b := P(&g.batch)
		b.Reset()
		for _, m := range g.members {
			b.Add(&m.claim)
		}
		g.invalid = b.InvalidVartime(g.invalid)
	}
	g.judged = true
	return len(g.invalid) == 0 || g.invalid[0] != 0, nil
}

// gather lets other goroutines run, as long as many of them join the queue. If they run for long and none joins, the
// next leaders do without.
func (p *Pool[T, B, P]) gather() {
	start := time.Now()
	for before := 0; ; before = len(p.queue) {
		p.mu.Unlock()
		runtime.Gosched()
		p.mu.Lock()
		if len(p.queue) < before+joined || len(p.queue) >= most {
			break
		}
	}
	if len(p.queue) == 0 && time.Since(start) > slow {
		p.alone = max(p.alone, calm)
	}
	p.cores = runtime.GOMAXPROCS(0)
}

// take returns a group of r and of r's share of the queue. If requests and free cores are left, it appoints a leader.
func (p *Pool[T, B, P]) take(r *request[T]) *group[T, B] {
	var g *group[T, B]
	if n := len(p.idle); n > 0 {
		g, p.idle = p.idle[n-1], p.idle[:n-1]
	} else {
		g = new(group[T, B])
	}
	free := max(0, p.cores-p.leaders) + 1        // with r's
	n := min(most, (len(p.queue)+free)/free) - 1 // without r
	g.members = append(append(g.members, r), p.queue[:n]...)
	p.queue = slices.Delete(p.queue, 0, n)
	p.alone++
	if n > 0 {
		p.alone = 0
	}
	if free > 1 {
		p.leaders++
		p.pass()
	}
	return g
}

// pass makes the first request of the queue lead in place of a leader who leaves.
func (p *Pool[T, B, P]) pass() {
	if len(p.queue) == 0 && cap(p.queue) > kept {
		p.queue = nil
	}
	if len(p.queue) == 0 || p.leaders > p.cores {
		p.leaders--
		return
	}
	p.queue[0].outcome <- lead // never waits
	p.queue = slices.Delete(p.queue, 0, 1)
}

// leave tells the members of a group the verdicts, and passes the lead on.
func (p *Pool[T, B, P]) leave(g *group[T, B]) {
	i := 0
	for k, m := range g.members {
		o := valid
		if !g.judged {
			o = failed
		} else if i < len(g.invalid) && g.invalid[i] == k {
			i++
			o = invalid
		}
		if k > 0 {
			m.outcome <- o // never waits
		}
	}
	if g.judged {
		p.requests.Put(g.members[0])
	}
	clear(g.members)
	g.members = g.members[:0]
	p.mu.Lock()
	if g.judged { // or else the batch may be damaged
		g.judged = false
		p.idle = append(p.idle, g)
	}
	p.pass()
	p.mu.Unlock()
}
