package libtest

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"math/big"
	"math/bits"
	mathrand "math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// A Draw is a function that draws randomness, and how its results depend on it.
type Draw struct {
	Function string
	Bytes    int             // drawn by one call
	Results  func() [][]byte // calls the function
	Changes  int             // which results change with byte i: result i/Changes, or what the constant says
	Keys     int             // how many numbers of 32 bytes, from byte 0 on, are drawn again if they are 0 or not below n
	Calls    *atomic.Uint64  // a counter on which all results depend, as they do on the time
	Idle     [2]int          // a range of bits on which no result depends

	// Others are calls that have one other argument each. With equal randomness, time and counter, their results and
	// the function's all differ, because the function promises that its arguments enter its nonces.
	Others []func() [][]byte
	// Model computes the results from the drawn bytes in another way, in the same nanosecond, after the counter was 0.
	Model func(drawn []byte) [][]byte
}

const (
	EveryResult  = 0  // changes
	SomeResult   = -1 // changes
	NoResult     = -2 // changes, because the function only verifies
	EqualWeights = -3 // with bytes by which all weights are equal, errors cancel, and the result is the wrong one
)

// SetRandom makes r the source of randomness, in place of the system's, until the test ends.
func SetRandom(t testing.TB, r io.Reader) {
	system := rand.Reader
	rand.Reader = r
	t.Cleanup(func() { rand.Reader = system })
}

// stream stands in for the system's randomness.
type stream struct {
	bytes []byte
	drawn int
	ends  []int // the numbers of bytes that were drawn after each call of Read
}

func (s *stream) Read(b []byte) (int, error) {
	s.drawn += copy(b, s.bytes[s.drawn:])
	s.ends = append(s.ends, s.drawn)
	return len(b), nil
}

// Halved returns the two halves of b.
func Halved(b []byte) [][]byte { return [][]byte{b[:len(b)/2], b[len(b)/2:]} }

// PlusMinus returns the number s, 32 bytes, plus 1, minus 1, plus 1 and so on. The errors cancel.
func PlusMinus(s []byte, pairs int) (all [][]byte) {
	for i := range 2 * pairs {
		v := oracle.Bytes(oracle.Fn.Add(oracle.Int(s), big.NewInt(int64(1-i%2*2))))
		all = append(all, v[:])
	}
	return all
}

// Verdict returns the result of a function that verifies.
func Verdict(right bool) [][]byte { return [][]byte{fmt.Append(nil, right)} }

// CheckDraws runs functions with known randomness, at a known time. It checks how many bytes they draw, that the
// results of one call and of two calls all differ, that each drawn byte and each argument changes the results, that a
// model has the same results, and that numbers that are not keys are drawn again. TestDrawn of
// tools/evidence/operations finds functions that are in no such list.
func CheckDraws(t *testing.T, all ...Draw) {
	flips, drawn := 0, 0
	for _, d := range all {
		flips += d.check(t)
		drawn += d.Bytes
	}
	if flips < drawn/8 && !t.Failed() { // of many bytes that change some result, check changes a bit in 61
		t.Errorf("only %d bits changed of %d bytes", flips, drawn)
	}
	t.Logf("result: %d functions draw randomness, and each of %d changed bits changes what they draw", len(all), flips)
}

func (d *Draw) check(t *testing.T) (flips int) {
	d.Results() // computes the inputs
	n, fresh := d.Bytes, make([]byte, max(4096, 2*d.Bytes))
	mathrand.NewChaCha8([32]byte{}).Read(fresh)
	source := fresh
	if d.Changes == EqualWeights {
		source = bytes.Repeat(fresh[:16], n/16)
	}
	defer func(system io.Reader) { rand.Reader = system }(rand.Reader)
	call := d.Results
	run := func(count uint64, b ...byte) ([][]byte, *stream) {
		if d.Calls != nil {
			d.Calls.Store(count)
		}
		s := &stream{bytes: b}
		rand.Reader = s
		return call(), s
	}
	synctest.Test(t, func(t *testing.T) { // the time changes only by Sleep
		fail := func(format string, a ...any) { t.Errorf(d.Function+": "+format, a...) }
		first, s := run(0, source...)
		if s.drawn != n {
			fail("%d bytes drawn, want %d", s.drawn, n)
			return
		}
		same := func(what string, results [][]byte) {
			if !slices.EqualFunc(first, results, bytes.Equal) {
				fail("other results with %s", what)
			}
		}
		again, _ := run(0, source...)
		same("the same randomness", again)
		if d.Model != nil {
			same("the model", d.Model(source[:n]))
		}
		step := min(7, 1+n/128) // at least one bit of each byte
		switch {
		case n > 1024 && d.Changes > 0:
			flips += d.checkMany(first, slices.Concat(source, fresh), func(b []byte) [][]byte { r, _ := run(0, b...); return r }, fail)
			step = 8 * n
		case n > 1024:
			step = 61 // several bits of each number of 32 bytes
		}
		for bit := 0; bit < 8*n && !t.Failed(); bit += step {
			flips++
			b := slices.Concat(source, fresh)
			b[bit/8] ^= 1 << (bit % 8)
			other, _ := run(0, b...)
			changed := 0
			for i := range first {
				if !bytes.Equal(first[i], other[i]) {
					changed++
				} else if d.Changes > 0 && i == bit/8/d.Changes {
					fail("bit %d leaves result %d as it is", bit, i)
				}
			}
			idle := d.Changes == NoResult || (bit >= d.Idle[0] && bit < d.Idle[1])
			if (changed == 0) != idle || (d.Changes == EveryResult && !idle && changed < len(first)) {
				fail("bit %d changes %d of %d results", bit, changed, len(first))
			}
		}
		for i := range d.Keys {
			end := s.ends[slices.IndexFunc(s.ends, func(end int) bool { return end > 32*i })]
			b := slices.Concat(source[:end], make([]byte, 32), oracle.N.Bytes(), source[32*i:32*i+32], source[end:])
			copy(b[32*i:], bytes.Repeat([]byte{255}, 32))
			other, s := run(0, b...)
			same("refused numbers", other)
			if s.drawn != n+96 {
				fail("%d bytes drawn after three refused numbers, want %d", s.drawn, n+96)
			}
		}
		if d.Changes < SomeResult {
			return
		}
		more, _ := run(0, fresh[n:]...)
		results, seen := slices.Concat(first, more), make(map[string]bool)
		for _, other := range d.Others {
			call = other
			different, _ := run(0, source...)
			results = append(results, different...)
		}
		if d.Calls != nil {
			zeros, _ := run(0, make([]byte, n)...)
			counted, _ := run(d.Calls.Load(), make([]byte, n)...) // as the last call left it
			time.Sleep(time.Nanosecond)
			later, _ := run(0, make([]byte, n)...)
			results = slices.Concat(results, zeros, counted, later)
		}
		for i, b := range results {
			if seen[string(b)] {
				fail("result %d of several calls, with %d each, occurs again: %x", i, len(first), b)
			}
			seen[string(b)] = true
		}
	})
	return flips
}

// checkMany changes each drawn byte once: the same byte for half of the items, and for the other half, where the bit of
// the item's number that chooses the half is another one for each byte. Exactly their results must change, or also the
// last result, if it is no item's own.
func (d *Draw) checkMany(first [][]byte, source []byte, run func(b []byte) [][]byte, fail func(format string, a ...any)) (flips int) {
	items := d.Bytes / d.Changes
	for place := range d.Changes {
		for half := range 2 {
			b, changes := bytes.Clone(source), make([]bool, items)
			for i := range items {
				if changes[i] = i>>(place%bits.Len(uint(items-1)))&1 == half; changes[i] {
					b[i*d.Changes+place] ^= 1 << (i % 8)
					flips++
				}
			}
			for i, result := range run(b)[:items] {
				if bytes.Equal(first[i], result) == changes[i] {
					fail("byte %d of half %d of the items: result %d changes: %t", place, half, i, !changes[i])
					return flips
				}
			}
		}
	}
	return flips
}
