// Package counts tests functions that take many items with many numbers of items. The tests of the package, and of the
// modules ethereum, nostr and protocols, list these functions, and tools/evidence/operations checks that no exported
// function with a list is missing.
package counts

import (
	"bytes"
	"errors"
	"math/big"
	"reflect"
	"slices"
	"sync"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/parts"
	"p256k1.mleku.dev/v2/schnorr"
)

// Enough is the number of items for functions that work on at most 256 items at a time: five parts and some.
const Enough = 5*parts.Sums + 7

// A Row calls functions that take many items, of which most is the largest number.
type Row struct {
	name  string
	most  int
	each  func(items []*Item) []any
	whole func(items []*Item) bool
}

// Each returns a row. f returns a result for each item, which must be the result for this item alone.
func Each(name string, most int, f func(items []*Item) []any) Row { return Row{name, most, f, nil} }

// Whole returns a row. f returns false if a result for all items together is wrong. It gets at least one item.
func Whole(name string, most int, f func(items []*Item) bool) Row { return Row{name, most, nil, f} }

// An Item has things of which functions take many. If it is bad, nothing that can be verified is valid. Of a malformed
// item, which is bad too, some things cannot be decoded, so that functions refuse or skip it before they compute.
type Item struct {
	Bad       bool
	Malformed bool
	Key       *p256k1.PrivateKey
	Public    *p256k1.PublicKey
	X         [32]byte // of Public, but if the item is malformed, no point has this x coordinate
	D         curve.Scalar
	P         curve.Point // not normalized
	Digest    []byte
	ECDSA     ecdsa.RecoverableSignature // the zero value if the item is malformed
	Schnorr   [64]byte
}

// Small returns the private key d.
func Small(d int64) *p256k1.PrivateKey {
	return libtest.Must(p256k1.ParsePrivateKey(big.NewInt(d).FillBytes(make([]byte, 32))))
}

// Stock returns seven good items, a bad one and a malformed one.
var Stock = sync.OnceValue(func() []*Item {
	all := make([]*Item, 9)
	for i := range all {
		key := Small(int64(1000 + i))
		v := &Item{Bad: i >= 7, Malformed: i == 8, Key: key, Public: key.PublicKey(), Digest: bytes.Repeat([]byte{byte(i + 1)}, 32)}
		v.X = [32]byte(v.Public.XOnly().Bytes())
		libtest.Must(v.D.SetBytes(key.Bytes()))
		v.P.Double(v.Public.Point())
		v.ECDSA = libtest.Must(ecdsa.SignRecoverable(key, v.Digest, nil))
		v.Schnorr = libtest.Must(schnorr.Sign(key, v.Digest, nil))
		if v.Bad {
			v.ECDSA = libtest.Must(ecdsa.SignRecoverable(Small(1), v.Digest, nil))
			v.Schnorr[63] ^= 1
		}
		if v.Malformed {
			v.X, v.ECDSA = [32]byte{31: 5}, ecdsa.RecoverableSignature{}
			copy(v.Schnorr[32:], OutOfRange())
		}
		all[i] = v
	}
	return all
})

// Values returns a value of each item.
func Values[V, T any](items []V, value func(v V) T) []T {
	return Numbered(items, func(_ int, v V) T { return value(v) })
}

// Numbered is like Values, for a function that also takes the index.
func Numbered[V, T any](items []V, value func(i int, v V) T) []T {
	all := make([]T, len(items))
	for i, v := range items {
		all[i] = value(i, v)
	}
	return all
}

// The functions below return a value of an item. Short returns only a part of the digest if the item is bad.
func Key(v *Item) *p256k1.PrivateKey   { return v.Key }
func Public(v *Item) *p256k1.PublicKey { return v.Public }
func Digest(v *Item) []byte            { return v.Digest }
func Bad(v *Item) bool                 { return v.Bad }
func Short(v *Item) []byte {
	if v.Bad {
		return v.Digest[1:]
	}
	return v.Digest
}

// Shown returns the results as they are compared: the encodings of what has one, and "failed" for each item that err, a
// p256k1.Failures, lists.
func Shown[T any](results []T, err error) []any {
	all := make([]any, len(results))
	for i := range results {
		all[i] = results[i]
		if b, ok := any(&results[i]).(interface{ Bytes() []byte }); ok {
			all[i] = b.Bytes()
		} else if b, ok := any(results[i]).(interface{ Bytes() []byte }); ok {
			all[i] = b.Bytes()
		}
	}
	var failures p256k1.Failures
	if err != nil && !errors.As(err, &failures) {
		panic(err)
	}
	for _, f := range failures {
		all[f.Index] = "failed"
	}
	return all
}

// Invalid returns a result for each of n items: whether its index is in the list.
func Invalid(n int, list []int) []any {
	all := make([]any, n)
	for i := range all {
		all[i] = slices.Contains(list, i)
	}
	return all
}

// Together calls f for each item in a goroutine of its own.
func Together(items []*Item, f func(v *Item) any) []any {
	all := make([]any, len(items))
	var wg sync.WaitGroup
	for i, v := range items {
		wg.Go(func() { all[i] = f(v) })
	}
	wg.Wait()
	return all
}

// Run calls the functions of each row with every number of items from 0 to 17, and with the numbers around each size of
// package parts. All items are good, or one is bad: each of up to 17 in turn, and of more the first and the last eight.
// Rows for fewer than Enough items take long, and have only the first item, the last and one between turn bad. Other
// rows also have Enough items, once without a bad one, and once with two that are not in the first parts. Then one of
// three to five items is bad and another malformed, in every way, so that a function that refuses one before the rest
// is computed must not blame a neighbour of the other.
func Run(t *testing.T, rows []Row) {
	numbers := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}
	for _, size := range []int{parts.Sums, parts.ProductSums, parts.Terms, parts.Secrets, parts.Bases, parts.Lifts, parts.Bucketed} {
		numbers = append(numbers, size-1, size, size+1)
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			alone := make(map[*Item]any)
			if row.each != nil {
				for _, v := range Stock() {
					alone[v] = row.each([]*Item{v})[0]
				}
			}
			for _, n := range numbers {
				if n > row.most || (testing.Short() && n > 17) {
					continue
				}
				for bad := -1; bad < n; bad++ {
					ends := bad <= 0 || bad == n-1
					if ends || (n <= 17 && row.most >= Enough) || (n < 1000 && row.most >= Enough && bad >= n-8) || (row.most < Enough && bad == n/2) {
						row.run(t, alone, n, bad, -1)
						row.run(t, alone, n, -1, bad)
					}
				}
			}
			if row.most >= Enough && !testing.Short() {
				row.run(t, alone, Enough, -1, -1)
				row.run(t, alone, Enough, Enough-2, Enough-parts.Sums-2)
			}
			for n := 3; n <= 5; n++ {
				for places := range n * n {
					if bad, malformed := places/n, places%n; bad != malformed {
						row.run(t, alone, n, bad, malformed)
					}
				}
			}
		})
	}
}

func (r *Row) run(t *testing.T, alone map[*Item]any, n, bad, malformed int) {
	t.Helper()
	all := Stock()
	items := make([]*Item, n)
	for i := range items {
		items[i] = all[i%7]
		switch i {
		case bad:
			items[i] = all[7]
		case malformed:
			items[i] = all[8]
		}
	}
	if r.whole != nil && n > 0 && !r.whole(items) {
		t.Errorf("%d items, bad: %d, malformed: %d: the result is wrong", n, bad, malformed)
	}
	if r.each == nil {
		return
	}
	results := r.each(items)
	if len(results) != n {
		t.Fatalf("%d items, bad: %d, malformed: %d: %d results", n, bad, malformed, len(results))
	}
	for i, v := range items {
		if !reflect.DeepEqual(results[i], alone[v]) {
			t.Errorf("%d items, bad: %d, malformed: %d: item %d: %v, want %v", n, bad, malformed, i, results[i], alone[v])
		}
	}
}

// OutOfRange is n, which is not a private key.
func OutOfRange() []byte { return oracle.N.Bytes() }
