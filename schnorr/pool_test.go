package schnorr

import (
	"bytes"
	"context"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestPool compares a Pool's verdicts on items of many kinds with those of VerifyBytes, for different numbers of cores.
func TestPool(t *testing.T) {
	r := oracle.New(t)
	items := signed(t, r, 400, 150)
	for i := range items {
		it := &items[i]
		part := []*[]byte{&it.pub, &it.msg, &it.sig}[i%3]
		switch r.IntN(12) {
		case 0:
			*part = bytes.Clone(*part)
			if n := len(*part); n > 0 {
				(*part)[r.IntN(n)] ^= 1 << r.IntN(8)
			}
		case 1:
			*part = append(bytes.Clone(*part), 1)
		case 2:
			*part = nil
		case 3:
			*it = items[r.IntN(i+1)]
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, cores := range []int{1, 2, 4, 64} {
		runtime.GOMAXPROCS(cores)
		var p Pool
		var wg sync.WaitGroup
		for i := range items {
			wg.Go(func() {
				pub, msg, sig := bytes.Clone(items[i].pub), bytes.Clone(items[i].msg), bytes.Clone(items[i].sig)
				for range 3 {
					want := VerifyBytes(items[i].pub, items[i].msg, items[i].sig)
					got, err := p.Verify(t.Context(), pub, msg, sig)
					if got != want || err != nil {
						t.Errorf("%d cores, item %d: %t, %v, want %t", cores, i, got, err, want)
					}
					if got, err := p.Verify(ended, pub, msg, sig); got || err != context.Canceled {
						t.Errorf("a context that has ended: %t, %v", got, err)
					}
				}
				clear(sig) // the Pool does not use it any more
			})
		}
		wg.Wait()
	}
}

// TestPoolAllocs checks that a Pool that is in use does not allocate, for one caller and for many.
func TestPoolAllocs(t *testing.T) {
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("the race detector allocates")
	}
	items := signed(t, oracle.New(t), 64, 64)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))  // sync.Pool keeps requests for each core
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection would empty sync.Pools
	var p Pool
	verify := func(i int) {
		it := &items[i%len(items)]
		if ok, err := p.Verify(t.Context(), it.pub, it.msg, it.sig); !ok || err != nil {
			t.Error(ok, err)
		}
	}
	if n := testing.AllocsPerRun(100, func() { verify(0) }); n != 0 {
		t.Errorf("%v allocations of one caller", n)
	}
	const callers, calls = 64, 300
	const most = callers * calls / 100
	least := uint64(math.MaxUint64)
	for try := 0; try < 6 && least > most; try++ { // at first, batches grow, and each processor gets its own
		var ready, done sync.WaitGroup
		var before, after runtime.MemStats
		start := make(chan bool)
		ready.Add(callers)
		for range callers {
			done.Go(func() {
				ready.Done()
				<-start
				for i := range calls {
					verify(i)
				}
			})
		}
		ready.Wait()
		runtime.ReadMemStats(&before)
		close(start)
		done.Wait()
		runtime.ReadMemStats(&after)
		least = min(least, after.Mallocs-before.Mallocs)
	}
	if least > most {
		t.Errorf("%d allocations in %d calls", least, callers*calls)
	}
}
