package ethereum

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
)

// Senders recovers many senders together, in much less time than separate calls to Sender, and sets dst[i] to the
// sender for hashes[i] and sigs[i]. The error is nil if every item has a sender. Otherwise the error is a
// p256k1.Failures with the errors of Sender, and dst[i] is the zero address for every index i in this list. Senders
// starts no goroutines, and allocates no memory if there are no failures. It panics if the slices differ in length.
func Senders(dst []Address, hashes [][32]byte, sigs [][65]byte) error {
	sameLength(dst, hashes, sigs)
	var failures p256k1.Failures
	h := hashers.Get().(*hasher)
	defer hashers.Put(h)
	g := h.group()
	for from := 0; from < len(dst); from += groupSize {
		g.run(Recoverer{}, from, min(from+groupSize, len(dst)),
			func(i int, hash *[32]byte, sig *[65]byte) error {
				*hash, *sig = hashes[i], sigs[i]
				return nil
			},
			func(i int, a Address, err error) {
				dst[i] = a
				if err != nil {
					failures = append(failures, p256k1.Failure{Index: i, Err: err})
				}
			})
	}
	return failures.Err()
}

// Senders recovers many senders together on several goroutines, by the rules of r, and sets dst[i] to the sender for
// hashes[i] and sigs[i]. Failures are reported in the same way as by the function Senders. Apart from the list of
// failures, the memory that Senders uses does not grow with the number of items. To recover a long stream, pass it in
// parts. If ctx ends before all items are recovered, the error is the error of ctx, and dst[i] is the zero address for
// items that were not reached.
func (r Recoverer) Senders(ctx context.Context, dst []Address, hashes [][32]byte, sigs [][65]byte) error {
	sameLength(dst, hashes, sigs)
	clear(dst)
	var mu sync.Mutex
	var failures p256k1.Failures
	err := r.Each(ctx, len(dst),
		func(i int, hash *[32]byte, sig *[65]byte) error {
			*hash, *sig = hashes[i], sigs[i]
			return nil
		},
		func(i int, a Address, err error) {
			dst[i] = a
			if err != nil {
				mu.Lock()
				failures = append(failures, p256k1.Failure{Index: i, Err: err})
				mu.Unlock()
			}
		})
	if err != nil {
		return err
	}
	return failures.Err()
}

func sameLength(dst []Address, hashes [][32]byte, sigs [][65]byte) {
	if len(dst) != len(hashes) || len(dst) != len(sigs) {
		panic(fmt.Sprintf("ethereum: Senders of %d addresses, %d hashes and %d signatures", len(dst), len(hashes), len(sigs)))
	}
}

// Each recovers the senders of n items that the caller has in another form, such as transactions. For each index below
// n, Each calls item, which must set the hash and the signature, or return an error. Then Each calls done with the
// sender, or with the error of item or of the recovery. The first item, or the first eight of fewer than 256, are
// recovered by themselves, so that a sender is known soon. Several goroutines call item and done at the same time, but
// at most once for each index. If ctx ends, each goroutine stops after at most a few hundred items, and Each returns
// the error of ctx. Otherwise it returns nil, even if items have no sender. No call is in progress when Each returns.
func (r Recoverer) Each(ctx context.Context, n int, item func(i int, hash *[32]byte, sig *[65]byte) error, done func(i int, a Address, err error)) error {
	workers := r.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = max(1, min(workers, (n+31)/32)) // 32 items take as long as starting many goroutines
	var next atomic.Int64
	run := func() {
		h := hashers.Get().(*hasher)
		defer hashers.Put(h)
		g := h.group()
		for ctx.Err() == nil {
			from, to := take(&next, n, workers)
			if from == n {
				return
			}
			g.run(r, from, to, item, done)
		}
	}
	var wg sync.WaitGroup
	for range workers - 1 {
		wg.Go(run)
	}
	run()
	wg.Wait()
	if int(next.Load()) < n {
		return ctx.Err()
	}
	return nil
}

// groupSize is the largest number of items that are recovered together.
const groupSize = 256

// take returns the next part of the n items, from, …, to − 1, or from = n if there is none, and sets next to the end of
// the part. The first part is small, so that its senders are known soon. Package lanes takes no longer for eight items
// than two to four take one by one. Therefore the first part is a single item only if its time is a few hundredths of
// the others'. Parts grow quickly, because larger parts take less time for each item, but each is at most a worker's
// share of what is left, so that no worker waits long for the others at the end.
func take(next *atomic.Int64, n, workers int) (from, to int) {
	for {
		from = int(next.Load())
		size := max(8, min(3*from, n-from, workers*groupSize)/workers) &^ 7
		if from == 0 && n >= groupSize {
			size = 1
		}
		to = min(from+size, n)
		if next.CompareAndSwap(int64(from), int64(to)) {
			return from, to
		}
	}
}

// A group is the memory for items that are recovered together.
type group struct {
	hash   [groupSize][32]byte
	digest [groupSize][]byte // slices of hash
	sig    [65]byte
	parsed [groupSize]ecdsa.RecoverableSignature
	err    [groupSize]error // why an item has no sender; such an item stays in its place
	key    [groupSize]p256k1.PublicKey
	hasher *hasher
}

// group returns the memory for items that belongs to h.
func (h *hasher) group() *group {
	if h.items == nil {
		h.items = &group{hasher: h}
		for i := range h.items.hash {
			h.items.digest[i] = h.items.hash[i][:]
		}
	}
	return h.items
}

// run recovers the items whose indexes are in [from, to). There must be at most groupSize items.
func (g *group) run(r Recoverer, from, to int, item func(i int, hash *[32]byte, sig *[65]byte) error, done func(i int, a Address, err error)) {
	n := to - from
	for i := range n {
		if g.err[i] = item(from+i, &g.hash[i], &g.sig); g.err[i] == nil {
			g.parsed[i], g.err[i] = r.parse(&g.sig)
		}
		if g.err[i] != nil {
			g.parsed[i] = ecdsa.RecoverableSignature{} // which no key has
		}
	}
	ecdsa.RecoverBatch(g.key[:n], g.digest[:n], g.parsed[:n])
	for i := range n {
		a, ok := g.hasher.address(&g.key[i])
		if !ok && g.err[i] == nil {
			g.err[i] = ecdsa.ErrRecover
		}
		done(from+i, a, g.err[i])
		g.err[i] = nil
	}
}
