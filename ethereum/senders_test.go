package ethereum

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
)

// A block holds signatures, some of which are invalid. want[i] is the sender for signature i, or errs[i] says why there
// is none.
type block struct {
	hashes [][32]byte
	sigs   [][65]byte
	want   []Address
	errs   []error
}

// newBlock makes n signatures. Each signature is invalid with a probability of 1/bad, or never if bad is 0.
func newBlock(t testing.TB, n, bad int) *block {
	b := &block{make([][32]byte, n), make([][65]byte, n), make([]Address, n), make([]error, n)}
	for i := range n {
		if i < 50 {
			b.hashes[i], b.sigs[i], b.want[i] = signed(t, uint64(i))
			continue
		}
		b.hashes[i], b.sigs[i], b.want[i] = b.hashes[i%50], b.sigs[i%50], b.want[i%50]
	}
	for i := range n {
		if bad > 0 && rand.IntN(bad) == 0 {
			c := refusals(t, b.sigs[i])
			one := c[rand.IntN(len(c))]
			b.sigs[i], b.want[i], b.errs[i] = one.sig, Address{}, one.err
		}
	}
	return b
}

func (b *block) check(t *testing.T, dst []Address, err error) {
	t.Helper()
	if !slices.Equal(dst, b.want) {
		t.Fatalf("senders %v, want %v", dst, b.want)
	}
	var failures p256k1.Failures
	if err != nil && !errors.As(err, &failures) {
		t.Fatal(err)
	}
	for i, want := range b.errs {
		if want == nil {
			continue
		}
		if len(failures) == 0 || failures[0].Index != i || !errors.Is(failures[0], want) || !errors.Is(err, want) {
			t.Fatalf("item %d: %v, want %v", i, failures, want)
		}
		failures = failures[1:]
	}
	if len(failures) > 0 {
		t.Fatal(failures)
	}
}

func TestSenders(t *testing.T) {
	sizes := []int{31, 33, 63, 64, 65, 66, 200, 255, 256, 257, 511, 513, 1500}
	for n := range 18 {
		sizes = append(sizes, n)
	}
	if testing.Short() {
		sizes = []int{0, 1, 9, 65, 257}
	}
	for _, n := range sizes {
		for _, bad := range []int{0, 1, 2, 40} {
			b := newBlock(t, n, bad)
			dst := slices.Repeat([]Address{{1}}, n)
			b.check(t, dst, Senders(dst, b.hashes, b.sigs))
			for _, workers := range []int{0, 1, 3} {
				dst := slices.Repeat([]Address{{1}}, n)
				b.check(t, dst, Recoverer{Workers: workers}.Senders(t.Context(), dst, b.hashes, b.sigs))
			}
		}
	}
}

// TestTake checks that the parts of any number of items follow each other, begin with one item or eight, and are at
// most a worker's share of what is left, except for the last eight items.
func TestTake(t *testing.T) {
	for _, workers := range []int{1, 2, 7, 100} {
		for n := range 3000 {
			var next atomic.Int64
			for end := 0; ; {
				from, to := take(&next, n, workers)
				size := to - from
				switch {
				case from == end && from == n && size == 0:
				case from != end || to > n || size < 1 || size > groupSize || (from == 0 && n >= groupSize && size > 1) || size > max(8, (n-from)/workers):
					t.Fatalf("%d items, %d workers: a part from %d to %d after %d", n, workers, from, to, end)
				}
				if from == n {
					break
				}
				end = to
			}
		}
	}
}

// TestSendersOfFrontier checks that AllowHighS allows a high s.
func TestSendersOfFrontier(t *testing.T) {
	b := newBlock(t, 20, 0)
	for i := range b.sigs {
		b.sigs[i] = high(t, b.sigs[i])
	}
	dst := make([]Address, len(b.sigs))
	b.check(t, dst, Recoverer{AllowHighS: true}.Senders(t.Context(), dst, b.hashes, b.sigs))
	var failures p256k1.Failures
	if err := (Recoverer{}).Senders(t.Context(), dst, b.hashes, b.sigs); !errors.As(err, &failures) || len(failures) != 20 || !errors.Is(err, ErrHighS) {
		t.Error(err)
	}
}

// TestCancel cancels the context before and during the recovery of the items.
func TestCancel(t *testing.T) {
	b := newBlock(t, 3000, 0)
	ctx, cancel := context.WithCancel(t.Context())
	for _, workers := range []int{1, 4} {
		var calls atomic.Int64
		err := Recoverer{Workers: workers}.Each(ctx, 3000, func(i int, hash *[32]byte, sig *[65]byte) error {
			if calls.Add(1) == 300 {
				cancel()
			}
			*hash, *sig = b.hashes[i], b.sigs[i]
			return nil
		}, func(int, Address, error) {})
		if n := calls.Load(); !errors.Is(err, context.Canceled) || n > 300+4*groupSize {
			t.Errorf("%d workers: %v after %d items", workers, err, n)
		}
		dst := slices.Repeat([]Address{{1}}, 3000)
		if err := (Recoverer{Workers: workers}).Senders(ctx, dst, b.hashes, b.sigs); !errors.Is(err, context.Canceled) || !slices.Equal(dst, make([]Address, 3000)) {
			t.Errorf("%d workers: %v after the end", workers, err)
		}
		if err := (Recoverer{Workers: workers}).Senders(ctx, nil, nil, nil); err != nil {
			t.Errorf("nothing to recover: %v", err)
		}
		ctx, cancel = context.WithCancel(t.Context())
	}
	cancel()
}

// TestEach checks that item and done are called once for each index, and that done receives the errors of item.
func TestEach(t *testing.T) {
	wrong := errors.New("wrong")
	for _, n := range []int{1, 40, 700} {
		b := newBlock(t, n, 3)
		asked, answered := make([]atomic.Int64, n), make([]atomic.Int64, n)
		err := Recoverer{Workers: 3}.Each(t.Context(), n, func(i int, hash *[32]byte, sig *[65]byte) error {
			asked[i].Add(1)
			if i%5 == 0 {
				return wrong
			}
			*hash, *sig = b.hashes[i], b.sigs[i]
			return nil
		}, func(i int, a Address, err error) {
			answered[i].Add(1)
			switch want := b.errs[i]; {
			case i%5 == 0 && (err != wrong || a != Address{}), i%5 != 0 && (!errors.Is(err, want) || a != b.want[i]):
				t.Errorf("item %d: %v, %v", i, a, err)
			}
		})
		for i := range n {
			if err != nil || asked[i].Load() != 1 || answered[i].Load() != 1 {
				t.Fatalf("item %d of %d: asked for %d times, answered %d times, %v", i, n, asked[i].Load(), answered[i].Load(), err)
			}
		}
	}
}

// TestFirst checks how many items one goroutine asks for before it answers the first of them, and then the next.
func TestFirst(t *testing.T) {
	for n, want := range map[int][2]int{1: {1, 0}, 7: {7, 0}, 8: {8, 0}, 9: {8, 1}, 255: {8, 24}, 256: {1, 8}, 257: {1, 8}, 3000: {1, 8}} {
		var parts []int
		asked := 0
		Recoverer{Workers: 1}.Each(t.Context(), n, func(int, *[32]byte, *[65]byte) error {
			asked++
			return ErrV
		}, func(int, Address, error) {
			if asked > 0 {
				parts = append(parts, asked)
			}
			asked = 0
		})
		if got := append(parts, 0); [2]int(got) != want {
			t.Errorf("of %d items, the first parts are %v, want %v", n, got[:2], want)
		}
	}
}

func TestLengths(t *testing.T) {
	panics := func(f func()) (text string) {
		defer func() { text = fmt.Sprint(recover()) }()
		f()
		return ""
	}
	for want, lengths := range map[string][3]int{
		"ethereum: Senders of 1 addresses, 2 hashes and 1 signatures": {1, 2, 1},
		"ethereum: Senders of 1 addresses, 1 hashes and 2 signatures": {1, 1, 2},
		"ethereum: Senders of 1 addresses, 1 hashes and 0 signatures": {1, 1, 0},
		"ethereum: Senders of 2 addresses, 1 hashes and 1 signatures": {2, 1, 1},
	} {
		dst, hashes, sigs := make([]Address, lengths[0]), make([][32]byte, lengths[1]), make([][65]byte, lengths[2])
		if got := panics(func() { Senders(dst, hashes, sigs) }); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if got := panics(func() { Recoverer{}.Senders(t.Context(), dst, hashes, sigs) }); got != want {
			t.Errorf("on several goroutines: %q, want %q", got, want)
		}
	}
}

// TestWorkers counts the goroutines that wait in item at the same time. In the bubble all of them are in item before
// the clock moves on.
func TestWorkers(t *testing.T) {
	cores := runtime.GOMAXPROCS(0)
	for _, c := range []struct{ workers, n, want int }{
		{0, 32 * cores, cores}, {-1, 32 * cores, cores}, {1, 320, 1}, {3, 320, 3}, {50, 65, 3}, {50, 64, 2}, {50, 32, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			var inside, most atomic.Int64
			err := Recoverer{Workers: c.workers}.Each(t.Context(), c.n, func(int, *[32]byte, *[65]byte) error {
				inside.Add(1)
				time.Sleep(time.Second)
				most.Store(max(most.Load(), inside.Load()))
				time.Sleep(time.Second)
				inside.Add(-1)
				return ErrV
			}, func(int, Address, error) {})
			if err != nil || most.Load() != int64(c.want) {
				t.Errorf("%+v: %d goroutines, %v", c, most.Load(), err)
			}
		})
	}
}

// TestPoolAllocs checks that the number of allocations does not grow with the number of items.
func TestPoolAllocs(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection, which a slow machine runs in between, empties pools
	var counts []float64
	sizes := []int{600, 6000}
	if testing.Short() {
		sizes = []int{300, 900}
	}
	for _, n := range sizes {
		b, dst := newBlock(t, n, 0), make([]Address, n)
		counts = append(counts, testing.AllocsPerRun(5, func() {
			if err := (Recoverer{Workers: 2}).Senders(t.Context(), dst, b.hashes, b.sigs); err != nil {
				t.Fatal(err)
			}
		}))
	}
	if counts[1] > counts[0]+2 || counts[0] > 20 {
		t.Errorf("%v allocations for blocks of %v items", counts, sizes)
	}
}

// FuzzSenders compares Senders with Sender for arbitrary signatures among valid signatures.
func FuzzSenders(f *testing.F) {
	hash, sig, _ := signed(f, 1)
	f.Add(hash[:], sig[:], uint8(3))
	for _, c := range refusals(f, sig) {
		f.Add(hash[:], c.sig[:], uint8(9))
	}
	good := newBlock(f, 20, 0)
	f.Fuzz(func(t *testing.T, hash, sig []byte, place uint8) {
		b := &block{slices.Clone(good.hashes), slices.Clone(good.sigs), slices.Clone(good.want), make([]error, 20)}
		i := int(place) % 20
		copy(b.hashes[i][:], hash)
		copy(b.sigs[i][:], sig)
		var err error
		b.want[i], err = Sender(b.hashes[i], b.sigs[i])
		if err != nil {
			for _, kind := range []error{ErrV, ErrHighS, p256k1.ErrRange, ecdsa.ErrRecover} {
				if errors.Is(err, kind) {
					b.errs[i] = kind
				}
			}
		}
		dst := make([]Address, 20)
		b.check(t, dst, Senders(dst, b.hashes, b.sigs))
	})
}
