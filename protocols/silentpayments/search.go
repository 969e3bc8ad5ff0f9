package silentpayments

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/schnorr"
)

// thorough is the number of counters for which a search tries all labels even if it has found an output. Honest senders
// use each counter once, so the outputs of later counters are complete without these labels, and a transaction with
// thousands of outputs to one address costs little more for a wallet with many labels.
const thorough = 16

// search is the state of one scan.
type search struct {
	s       *scanner
	shared  []byte // the compressed encoding of the shared secret
	outputs *table
	points  []curve.Point // the outputs with even y, or nil until they are needed
	paid    []int         // the indices of the labels to which an output was found, in order
	found   []Found
	scratch []curve.Point
	added   int // the number of additions of points, which a test bounds
}

// search finds the outputs of all counters.
func (s *scanner) search(ctx context.Context, tweak *p256k1.PublicKey, outputs [][32]byte) (*search, error) {
	f := &search{s: s, outputs: newTable(outputs)}
	var stopped error
	err := s.key.Use(func(d curve.Scalar) error {
		var shared curve.Point
		shared.ScalarMult(&d, tweak.Point())
		f.shared = shared.Bytes()
		defer clear(f.shared)
		shared.Zero()
		for k := uint32(0); k < MaxOutputs; k++ {
			if stopped = contextError(ctx); stopped != nil || !f.find(k) {
				break
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("silentpayments: scan key: %w", err)
	}
	if stopped != nil {
		clear(f.found)
		return nil, stopped
	}
	return f, nil
}

func contextError(ctx context.Context) error {
	if ctx == nil {
		return errors.New("silentpayments: the context is nil")
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("silentpayments: %w", err)
	}
	return nil
}

// find appends the outputs with counter k to found, and reports whether there are any. The labels that were paid before
// come first.
func (f *search) find(k uint32) bool {
	var t curve.Scalar
	defer t.Zero()
	if !setTweak(&t, f.shared, k) {
		return false
	}
	var base curve.Point // P_k
	defer base.Zero()
	base.ScalarBaseMult(&t)
	base.Add(&base, f.s.spend.Point()).Normalize()
	n := len(f.found)
	if k >= thorough {
		f.try(&t, &base, k, f.paid)
	}
	if len(f.found) == n {
		f.try(&t, &base, k, f.labels(&base))
	}
	return len(f.found) > n
}

// try appends the outputs P_k, and the outputs that are the sum of P_k and the point of one of the labels.
func (f *search) try(t *curve.Scalar, base *curve.Point, k uint32, labels []int) {
	candidates := f.scratchOf(1 + len(labels))
	defer clear(candidates)
	candidates[0].Set(base)
	for i, l := range labels {
		candidates[i+1].Add(base, &f.s.labels[l].point)
	}
	curve.NormalizeBatch(candidates)
	for i := range candidates {
		x, err := candidates[i].BytesX()
		if err != nil {
			continue // the tweaks add up to −b_spend, so the output would be infinity and cannot exist
		}
		output, _ := f.outputs.first(x)
		if output == 0 {
			continue
		}
		one, sum := Found{K: k, X: [32]byte(x)}, *t
		if i > 0 {
			l := labels[i-1]
			var tweak curve.Scalar
			if !setNonzero(&tweak, &f.s.labels[l].tweak) {
				continue
			}
			one.Labeled, one.Label = true, f.s.labels[l].m
			sum.Add(&sum, &tweak)
			tweak.Zero()
			f.paid = insert(f.paid, l)
		}
		copy(one.Tweak[:], sum.Bytes())
		sum.Zero()
		for ; output != 0; output = f.outputs.next[output-1] {
			one.Output = output - 1
			f.found = append(f.found, one)
		}
	}
}

// labels returns the indices of labels that include all labels to which an output can pay with the counter of P_k: all
// labels, or if there are more than twice as many labels as outputs, the labels whose points are differences of an
// output and P_k. Either y coordinate of the output is tried. −output − P_k has the same x coordinate as output + P_k.
func (f *search) labels(base *curve.Point) (found []int) {
	n := len(f.outputs.list)
	if len(f.s.labels) <= 2*n {
		for l := range f.s.labels {
			found = append(found, l)
		}
		return found
	}
	if f.points == nil {
		f.points = make([]curve.Point, n)
		curve.LiftXBatchVartime(f.points, f.outputs.list)
	}
	differences := f.scratchOf(2 * n)
	defer clear(differences)
	for i := range f.points {
		differences[2*i].Sub(&f.points[i], base)
		differences[2*i+1].Add(&f.points[i], base)
	}
	curve.NormalizeBatch(differences)
	for i := range differences {
		if x, err := differences[i].BytesX(); err == nil {
			if label, _ := f.s.byPoint.first(x); label != 0 {
				found = insert(found, label-1)
			}
		}
	}
	return found
}

// insert returns an ordered list that also contains l. It does not change the list.
func insert(list []int, l int) []int {
	place := 0
	for place < len(list) && list[place] < l {
		place++
	}
	if place < len(list) && list[place] == l {
		return list
	}
	return slices.Concat(list[:place], []int{l}, list[place:])
}

// scratchOf returns memory for n points, which the caller wipes. All points are added to others.
func (f *search) scratchOf(n int) []curve.Point {
	f.added += n
	if cap(f.scratch) < n {
		f.scratch = make([]curve.Point, n)
	}
	return f.scratch[:n]
}

// A table finds 32-byte values in a list. The slot of a value follows from its hash with a random key. Therefore, the
// slots that a lookup reads reveal nothing about a secret value, and nobody can choose values that share a slot.
type table struct {
	key   schnorr.Tag
	list  [][32]byte
	next  []int // for each value of the list, 1 + the next index of the same value, or 0
	slots []int // 1 + the first index of a value, or 0
}

func newTable(list [][32]byte) *table {
	t := &table{list: list, next: make([]int, len(list)), slots: make([]int, 2<<bits.Len(uint(len(list))))}
	rand.Read(t.key[:]) // never fails
	for i := len(list) - 1; i >= 0; i-- {
		first, slot := t.first(list[i][:])
		t.next[i], *slot = first, i+1
	}
	return t
}

// first returns 1 + the first index of x, or 0, and the slot that holds this number.
func (t *table) first(x []byte) (first int, slot *int) {
	hash, slots := t.key.Sum(x), t.slots
	for place := binary.LittleEndian.Uint64(hash[:]); len(slots) > 0; place++ {
		slot = &slots[place&uint64(len(slots)-1)]
		first = *slot
		if first == 0 || subtle.ConstantTimeCompare(t.list[first-1][:], x) == 1 {
			break
		}
	}
	return first, slot
}
