package pool

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// claim is valid as it says, after do has returned.
type claim struct {
	valid bool
	do    func()
}

// claims is a Batch whose verdicts depend on nothing else.
type claims struct{ all []claim }

func (b *claims) OneVartime(c *claim) bool { c.do(); return c.valid }
func (b *claims) Reset()                   { b.all = b.all[:0] }
func (b *claims) Add(c *claim)             { b.all = append(b.all, *c) }

func (b *claims) InvalidVartime(dst []int) []int {
	for i, c := range b.all {
		c.do()
		if !c.valid {
			dst = append(dst, i)
		}
	}
	return dst
}

type testPool = Pool[claim, claims, *claims]

// rests checks that nobody is in the pool, and that it keeps no more than one group for each core.
func rests(t *testing.T, p *testPool) {
	t.Helper()
	if len(p.queue) > 0 || p.leaders != 0 || len(p.idle) > runtime.GOMAXPROCS(0) {
		t.Errorf("%d claims wait, %d lead, and %d groups are kept", len(p.queue), p.leaders, len(p.idle))
	}
	for _, r := range p.queue[:cap(p.queue)] {
		if r != nil {
			t.Error("the queue refers to a request")
		}
	}
	for _, g := range p.idle {
		for _, r := range g.members[:cap(g.members)] {
			if r != nil {
				t.Error("a group refers to a request")
			}
		}
	}
}

func setCores(t *testing.T, n int) {
	before := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// TestVerdicts calls from many goroutines that yield, are cancelled or panic, at random.
func TestVerdicts(t *testing.T) {
	for _, cores := range []int{1, 2, 4, 64} {
		setCores(t, cores)
		var p testPool
		var wg sync.WaitGroup
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		for range 300 {
			wg.Go(func() {
				ok, panics, done := 0, 0, 0
				for range 200 {
					c := claim{rand.N(2) == 0, func() {}}
					ctx, stop := t.Context(), func() {}
					switch rand.N(20) {
					case 0:
						ctx, stop = context.WithTimeout(ctx, time.Duration(rand.N(100_000)))
					case 1:
						ctx = ended
					case 2:
						c.do = func() { panic("planted") }
					case 3, 4:
						c.do = runtime.Gosched
					}
					func() {
						defer func() {
							if recover() != nil {
								panics++
							}
						}()
						valid, err := p.VerifyVartime(ctx, c)
						switch {
						case err == nil && valid != c.valid, err != nil && valid, err != nil && !errors.Is(err, errFailed) && err != ctx.Err():
							t.Errorf("%d cores: %t, %v for a claim that is %t", cores, valid, err, c.valid)
						case err == nil:
							ok++
						}
					}()
					stop()
					done++
				}
				if done != 200 {
					t.Errorf("%d calls", done)
				}
			})
		}
		wg.Wait()
		rests(t, &p)
	}
}

// A call is a call of Verify in a goroutine of its own.
type call struct {
	cancel   context.CancelFunc
	release  chan func() // what its verification does
	returned bool
	valid    bool
	err      error
	panics   any
}

func start(t *testing.T, p *testPool, valid bool) *call {
	ctx, cancel := context.WithCancel(t.Context())
	c := &call{cancel: cancel, release: make(chan func())}
	go func() {
		defer func() { c.returned, c.panics = true, recover() }()
		c.valid, c.err = p.VerifyVartime(ctx, claim{valid, func() { (<-c.release)() }})
	}()
	synctest.Wait()
	return c
}

func (c *call) let(do func()) {
	c.release <- do
	synctest.Wait()
}

func nothing() {}

// TestStates cancels calls that wait, that are in a group, and that lead.
func TestStates(t *testing.T) {
	setCores(t, 1)
	synctest.Test(t, func(t *testing.T) { // fails if a goroutine is left
		var p testPool
		first := start(t, &p, true)
		first.cancel()
		waits, leads, grouped, last := start(t, &p, true), start(t, &p, true), start(t, &p, true), start(t, &p, false)
		waits.cancel()
		synctest.Wait()
		if first.returned || !waits.returned || waits.err != context.Canceled || len(p.queue) != 3 {
			t.Errorf("waiting: %+v; %d wait", waits, len(p.queue))
		}
		first.let(nothing)
		if !first.returned || !first.valid || first.err != nil || len(p.queue) != 0 {
			t.Errorf("verifying: %+v; %d wait", first, len(p.queue))
		}
		leads.cancel()
		grouped.cancel()
		synctest.Wait()
		if leads.returned || !grouped.returned || grouped.err != context.Canceled || last.returned {
			t.Errorf("in a group: %+v, %+v", leads, grouped)
		}
		again := start(t, &p, true) // must not reuse the request of grouped
		for _, c := range []*call{leads, grouped, last, again} {
			c.let(nothing)
		}
		if !leads.valid || leads.err != nil || last.valid || last.err != nil || !again.valid || again.err != nil {
			t.Errorf("verdicts: %+v, %+v, %+v", leads, last, again)
		}
		rests(t, &p)
	})
}

// TestAppointed withdraws a request whose caller is to lead, and a request with a verdict, and appoints a caller whose
// context has ended.
func TestAppointed(t *testing.T) {
	var p testPool
	request := func() *request[claim] { return &request[claim]{outcome: make(chan outcome, 1)} }
	a, b, c := request(), request(), request()
	p.cores, p.leaders, p.queue = 1, 1, append(p.queue, a, b, c)
	p.pass()
	p.withdraw(a)
	p.withdraw(c)
	if p.leaders != 1 || len(p.queue) != 0 || <-b.outcome != lead {
		t.Errorf("%d leaders, %d wait", p.leaders, len(p.queue))
	}
	b.outcome <- valid
	p.withdraw(b)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if ok, err := p.toldVartime(b, lead, ended, ended.Done()); ok || err != context.Canceled {
		t.Errorf("a leader whose context has ended: %t, %v", ok, err)
	}
	rests(t, &p)
}

// TestEnded ends the goroutine that verifies a group, by a panic and by runtime.Goexit.
func TestEnded(t *testing.T) {
	setCores(t, 1)
	for name, do := range map[string]func(){"panic": func() { panic(nothing) }, "Goexit": runtime.Goexit} {
		synctest.Test(t, func(t *testing.T) {
			var p testPool
			first := start(t, &p, true)
			leads, grouped, gone := start(t, &p, true), start(t, &p, true), start(t, &p, true)
			first.let(nothing)
			gone.cancel()
			next := start(t, &p, true)
			leads.let(do)
			if !leads.returned || leads.valid || (leads.panics != nil) != (name == "panic") {
				t.Errorf("%s: the leader returns %+v", name, leads)
			}
			if !grouped.returned || grouped.valid || grouped.err != errFailed || len(p.idle) != 0 {
				t.Errorf("%s: a member returns %+v", name, grouped)
			}
			next.let(nothing)
			if !next.valid || next.err != nil {
				t.Errorf("%s: the next call returns %+v", name, next)
			}
			rests(t, &p)
			alone := start(t, &p, true)
			alone.let(do)
			rests(t, &p)
		})
	}
}

// TestShares has claims that wait verified on all cores, and the number of cores change.
func TestShares(t *testing.T) {
	if runtime.GOARCH == "wasm" {
		t.Skip("WebAssembly has one core")
	}
	synctest.Test(t, func(t *testing.T) {
		setCores(t, 1)
		var p testPool
		calls := []*call{start(t, &p, true)}
		for range 8 {
			calls = append(calls, start(t, &p, true))
		}
		runtime.GOMAXPROCS(4)
		calls[0].let(nothing)
		if p.leaders != 4 || len(p.queue) != 0 {
			t.Errorf("%d leaders, %d wait", p.leaders, len(p.queue))
		}
		for range 3 {
			calls = append(calls, start(t, &p, false))
		}
		runtime.GOMAXPROCS(2)
		for _, c := range calls[1:] {
			c.let(nothing)
		}
		for i, c := range calls {
			if !c.returned || c.err != nil || c.valid != (i < 9) {
				t.Errorf("call %d: %+v", i, c)
			}
		}
		if p.cores != 2 || p.leaders != 0 || len(p.queue) != 0 {
			t.Errorf("on 2 cores: %d leaders of %d, %d wait", p.leaders, p.cores, len(p.queue))
		}
	})
}

// damaged is a context that panics when a caller wants to wait for it.
type damaged struct{ context.Context }

func (damaged) Done() <-chan struct{} { panic("planted") }

// TestDamaged checks that a context that panics leaves no request in the queue, which would become the leader.
func TestDamaged(t *testing.T) {
	setCores(t, 1)
	synctest.Test(t, func(t *testing.T) {
		var p testPool
		first := start(t, &p, true)
		func() {
			defer func() { recover() }()
			p.VerifyVartime(damaged{t.Context()}, claim{true, nothing})
		}()
		first.let(nothing)
		rests(t, &p)
	})
}

// TestBusy has a leader let a goroutine run that computes something else for long, so the next leaders verify at once.
// Go may also return to the leader first, so the test tries again.
func TestBusy(t *testing.T) {
	setCores(t, 1)
	for range 20 {
		var p testPool
		go func() {
			for start := time.Now(); time.Since(start) < 2*slow; {
			}
		}()
		if ok, err := p.VerifyVartime(t.Context(), claim{true, nothing}); !ok || err != nil {
			t.Fatal(ok, err)
		}
		if p.alone == calm+1 {
			return
		}
	}
	t.Error("a leader has not noticed that others compute")
}
