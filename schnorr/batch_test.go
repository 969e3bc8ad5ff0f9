package schnorr

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"runtime/debug"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// item holds the arguments of Batch.Add.
type item struct{ pub, msg, sig []byte }

// signed returns n valid items, signed by the given number of keys in turn.
func signed(t testing.TB, r *oracle.Rand, n, keys int) []item {
	t.Helper()
	private := make([]*p256k1.PrivateKey, keys)
	for i := range private {
		private[i] = libtest.Private(t, r.ValidScalar())
	}
	items := make([]item, n)
	for i := range items {
		k, msg := private[i%keys], r.Message(100)
		sig, err := Sign(k, msg, &Options{AuxRand: new([32]byte)}) // so that a seed repeats the items
		if err != nil {
			t.Fatal(err)
		}
		items[i] = item{k.PublicKey().XOnly().Bytes(), msg, sig[:]}
	}
	return items
}

// invalid returns the indexes of the items that VerifyBytes refuses.
func invalid(items []item) (refused []int) {
	for i, it := range items {
		if !VerifyBytes(it.pub, it.msg, it.sig) {
			refused = append(refused, i)
		}
	}
	return refused
}

// checkBatch adds the items to b and compares the verdicts of b with the verdicts of VerifyBytes.
func checkBatch(t *testing.T, r *oracle.Rand, b *Batch, items []item) {
	t.Helper()
	for _, it := range items {
		x, err := p256k1.ParseXOnlyPublicKey(it.pub)
		if err == nil && r.IntN(2) == 0 {
			b.AddKey(x, it.msg, it.sig)
		} else {
			b.Add(it.pub, it.msg, it.sig)
		}
	}
	if b.Len() != len(items) {
		t.Fatalf("%d items, added %d", b.Len(), len(items))
	}
	want := invalid(items)
	if r.IntN(2) == 0 {
		if got := b.Verify(); got != (want == nil) {
			t.Fatalf("of %d items, %v are not valid: %v", len(items), want, got)
		}
	}
	if got := b.Invalid([]int{-1, 1 << 30}); !slices.Equal(got, append([]int{-1, 1 << 30}, want...)) {
		t.Fatalf("of %d items, %v are not valid: %v", len(items), want, got)
	}
	if got := b.Verify(); got != (want == nil) {
		t.Fatalf("of %d items, %v are not valid: %v", len(items), want, got)
	}
}

// spoil returns a changed copy of the item it, which is usually invalid.
func spoil(r *oracle.Rand, it item) item {
	it = item{slices.Clone(it.pub), slices.Clone(it.msg), slices.Clone(it.sig)}
	flip := func(b []byte) {
		if len(b) > 0 {
			b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		}
	}
	s := oracle.Int(it.sig[32:])
	switch r.IntN(10) {
	case 0:
		flip(it.pub)
	case 1:
		flip(it.msg)
	case 2:
		flip(it.sig[:32])
	case 3:
		flip(it.sig[32:])
	case 4:
		it.sig = it.sig[:r.IntN(64)]
	case 5:
		it.pub = it.pub[:r.IntN(32)]
	case 6:
		it.sig = append(it.sig, 0)
	case 7: // s + n, or s itself if that is too long
		if s.Add(s, oracle.N).BitLen() <= 256 {
			it.sig = join(oracle.Int(it.sig[:32]), s)
		}
	case 8:
		it.sig = join(oracle.Int(it.sig[:32]), oracle.Fn.Neg(s))
	case 9:
		bad := oracle.BadX()
		b := bad[r.IntN(len(bad))]
		if r.IntN(2) == 0 {
			it.pub = b[:]
		} else {
			copy(it.sig, b[:])
		}
	}
	return it
}

// TestBatch makes sequences of calls on one Batch, with other numbers of items and other shares of invalid items, and
// compares the verdicts with VerifyBytes. A Batch may judge items by what it has found in earlier calls, so more items
// are added after each call, or the Batch is emptied, and Verify comes before Invalid, after it, or not at all.
func TestBatch(t *testing.T) {
	type judged struct {
		item
		key *p256k1.XOnlyPublicKey
	}
	const size = 1100
	r := oracle.New(t)
	var valid, spoiled [3][]judged // signed by one key, by few and by many
	for i, keys := range []int{1, 7, size} {
		for _, it := range signed(t, r, max(100, keys), keys) {
			for _, it := range []item{it, spoil(r, it)} {
				key, err := p256k1.ParseXOnlyPublicKey(it.pub)
				if err != nil {
					key = nil
				}
				all := &spoiled[i]
				if VerifyBytes(it.pub, it.msg, it.sig) {
					all = &valid[i]
				}
				*all = append(*all, judged{it, key})
			}
		}
	}
	sizes := []int{0, 1, 2, 3, 8, 9, 20, 21, 48, 49, 64, 255, 256, 257, 1024, size}
	for range oracle.Cases(200) {
		var b Batch
		var want []int
		var story []string
		n, share := 0, 0
		check := func(what string, ok bool) {
			t.Helper()
			story = append(story, what)
			if !ok {
				t.Fatalf("%v: of %d items, %v are not valid: %v", story, b.Len(), want, b.Invalid(nil))
			}
		}
		for range 1 + r.IntN(12) {
			switch r.IntN(3) { // or the same number as before
			case 0:
				n = r.IntN([]int{10, 70, 300, size}[r.IntN(4)])
			case 1:
				n = sizes[r.IntN(len(sizes))]
			}
			if r.IntN(3) == 0 { // otherwise the same share as before
				share = r.IntN(6)
			}
			bad := min(n, []int{0, 1, 1 + n/200, n / 16, n / 2, n}[share])
			first := r.IntN(n - bad + 1) // of the invalid items, if they are in a run
			run, keys := r.IntN(2) == 0, r.IntN(3)
			for i := range n {
				from := valid[keys]
				if (run && i >= first && i < first+bad) || (!run && r.IntN(n) < bad) {
					from, want = spoiled[keys], append(want, b.Len())
				}
				it := from[r.IntN(len(from))]
				if it.key != nil && r.IntN(2) == 0 {
					b.AddKey(it.key, it.msg, it.sig)
				} else {
					b.Add(it.pub, it.msg, it.sig)
				}
			}
			check(fmt.Sprintf("%d items, about %d invalid", n, bad), b.Len() >= n)
			for range r.IntN(4) {
				if r.IntN(2) == 0 {
					check("Verify", b.Verify() == (want == nil))
				} else {
					check("Invalid", slices.Equal(b.Invalid([]int{-1, 1 << 30}), append([]int{-1, 1 << 30}, want...)))
				}
			}
			if b.Len() > 2*size || r.IntN(3) > 0 {
				b.Reset()
				want = nil
				check("Reset", b.Len() == 0)
			}
		}
	}
}

// TestBatchForgeries makes invalid items by changing several valid items together. The errors of some of them would
// cancel each other in a sum with predictable coefficients. A batch must refuse these items.
func TestBatchForgeries(t *testing.T) {
	r := oracle.New(t)
	delta := r.ValidScalar()
	add := func(it item, d *big.Int) item {
		return item{it.pub, it.msg, join(oracle.Int(it.sig[:32]), oracle.Fn.Add(oracle.Int(it.sig[32:]), d))}
	}
	for _, n := range []int{2, 3, 20, 70, 260} {
		for _, keys := range []int{1, n} {
			good := signed(t, r, n, keys)
			for what, change := range map[string]func(it []item){
				"s₁ + δ and s₂ − δ": func(it []item) { it[0], it[1] = add(it[0], delta), add(it[1], oracle.Fn.Neg(delta)) },
				"R of two exchanged": func(it []item) {
					it[0].sig, it[1].sig = append(it[1].sig[:32:32], it[0].sig[32:]...), append(it[0].sig[:32:32], it[1].sig[32:]...)
				},
				"s of two exchanged": func(it []item) {
					it[0].sig, it[1].sig = append(it[0].sig[:32:32], it[1].sig[32:]...), append(it[1].sig[:32:32], it[0].sig[32:]...)
				},
				"messages of two exchanged":        func(it []item) { it[0].msg, it[1].msg = it[1].msg, it[0].msg },
				"an item that is not valid, twice": func(it []item) { it[0] = add(it[0], delta); it[1] = it[0] },
				"all repeat one that is not valid": func(it []item) {
					it[0] = add(it[0], delta)
					for i := range it {
						it[i] = it[0]
					}
				},
			} {
				items := slices.Clone(good)
				change(items)
				if len(invalid(items)) == 0 {
					t.Fatalf("%s: valid", what)
				}
				var b Batch
				t.Run(what, func(t *testing.T) { checkBatch(t, r, &b, items) })
			}
		}
	}
}

// TestBatchNone adds signatures whose key or R is not a point, and which would be valid if that point were infinity:
// s·G is R or e·P. It also adds signatures whose s is n or more. The signatures of small batches are verified one by
// one, and those of large batches are combined.
func TestBatchNone(t *testing.T) {
	r := oracle.New(t)
	d := r.ValidScalar()
	k := libtest.Private(t, d)
	if oracle.G.Mul(d).Y.Bit(0) != 0 {
		d = oracle.Fn.Neg(d) // the key whose point has even y
	}
	key := k.PublicKey().XOnly().Bytes()
	for _, n := range []int{1, 3, 20, 300} {
		items := signed(t, r, n, 2)
		var b Batch
		var want []int
		for i, x := range oracle.BadX() {
			for _, it := range items {
				b.Add(it.pub, it.msg, it.sig)
			}
			msg := r.Message(10)
			e := Challenge(x[:], key, msg)
			for _, it := range []item{{x[:], msg, join(oracle.G.X, big.NewInt(1))}, {key, msg, join(oracle.Int(x[:]), oracle.Fn.Mul(oracle.Int(e.Bytes()), d))}} {
				if VerifyBytes(it.pub, it.msg, it.sig) {
					t.Fatalf("%x, %x is valid", it.pub, it.sig)
				}
				want = append(want, b.Len())
				b.Add(it.pub, it.msg, it.sig)
			}
			want = append(want, b.Len())
			b.Add(key, msg, join(oracle.G.X, new(big.Int).Add(oracle.N, big.NewInt(int64(i)))))
			if n < 20 {
				if b.Verify() || !slices.Equal(b.Invalid(nil), want) {
					t.Errorf("%d items, of which %v should be invalid: %v", b.Len(), want, b.Invalid(nil))
				}
				b.Reset()
				want = nil
			}
		}
		if b.Len() > 0 && (b.Verify() || !slices.Equal(b.Invalid(nil), want)) {
			t.Errorf("%d items, of which %v should be invalid: %v", b.Len(), want, b.Invalid(nil))
		}
	}
}

// TestBatchKeeps clears the caller's slices after Add, and checks that the items are still valid.
func TestBatchKeeps(t *testing.T) {
	r := oracle.New(t)
	for _, n := range []int{1, 8, 9, 48, 49, 140} {
		var b Batch
		for _, it := range signed(t, r, n, n) {
			b.Add(it.pub, it.msg, it.sig)
			clear(it.pub)
			clear(it.msg)
			clear(it.sig)
		}
		for range 2 { // the second pass uses results of the first
			if !b.Verify() || b.Invalid(nil) != nil {
				t.Errorf("%d items: not valid after the caller's bytes changed", n)
			}
		}
		b.Reset()
		b.AddKey(nil, nil, make([]byte, Size))
		b.AddKey(new(p256k1.XOnlyPublicKey), nil, make([]byte, Size))
		if got := b.Invalid(nil); b.Len() != 2 || b.Verify() || !slices.Equal(got, []int{0, 1}) {
			t.Errorf("keys that are none: of %d items, %v are not valid", b.Len(), got)
		}
	}
}

// TestBatchMemory fills batches again and again, each time with the same number of different keys, and checks that
// nothing is allocated.
func TestBatchMemory(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a garbage collection allocates
	sig := make([]byte, Size)
	var pub [32]byte
	next := uint64(0)
	for _, n := range []int{1, 64, 1000, 1700} {
		for range 8 {
			var b Batch
			allocs := testing.AllocsPerRun(3, func() { // AllocsPerRun runs the function once before it counts
				b.Reset()
				for range n {
					binary.BigEndian.PutUint64(pub[:], next)
					next++
					b.Add(pub[:], nil, sig)
					b.Add(pub[:], nil, sig)
				}
			})
			if allocs != 0 || b.Len() != 2*n {
				t.Errorf("%d keys: %v allocations, and %d items", n, allocs, b.Len())
			}
		}
	}
}

// TestBatchMany verifies items by more keys than the other tests have, in its long form more items than 16 bits can
// count, and finds two that are invalid among the last.
func TestBatchMany(t *testing.T) {
	keys, n := 1500, 1<<16+40
	if testing.Short() {
		keys, n = 50, 300
	}
	private := libtest.Must(p256k1.GenerateKeys(keys))
	sigs, msgs := make([][64]byte, keys), slices.Repeat([][]byte{[]byte("message")}, keys)
	libtest.Check(t, SignBatch(sigs, private, msgs, nil))
	var b Batch
	for i := range n {
		if i == n-3 {
			b.Add(nil, nil, nil)
			continue
		}
		sig := sigs[i%keys]
		if i == n-30 {
			sig = sigs[0]
		}
		b.AddKey(private[i%keys].PublicKey().XOnly(), msgs[0], sig[:])
	}
	if bad := b.Invalid(nil); !slices.Equal(bad, []int{n - 30, n - 3}) {
		t.Errorf("%d invalid ones, the first of which are %v", len(bad), bad[:min(9, len(bad))])
	}
}
