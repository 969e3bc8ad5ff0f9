// Package toy has functions with good and with bad tests, for the tests of tools/evidence/mutation.
package toy

import (
	"errors"
	"fmt"
	"math/bits"
)

const (
	limit = 0x10000000
	low   = 3
)

var table = [2]uint64{0x1234567812345678, low & 2} // with low = 2 the value is the same, so that mutant changes nothing

var errTooLarge = errors.New("too large")

// Add is tested well.
func Add(a, b [2]uint64) (sum [2]uint64, carry uint64) {
	sum[0], carry = bits.Add64(a[0], b[0], 0)
	sum[1], carry = bits.Add64(a[1], b[1], carry)
	return sum, carry
}

// Untested is called, but no test checks its result.
func Untested(a, b uint64) uint64 {
	lo, k := bits.Add64(a, b, 0)
	hi, _ := bits.Add64(a, b, k)
	if a > b {
		return lo
	}
	return hi
}

// Select is tested with one value of its mask.
func Select(a, b, mask uint64) uint64 {
	return b ^ mask&(a^b)
}

// Max is tested well, and one of its mutants is equivalent.
func Max(a, b int) int {
	if a > b {
		return a
	}
	return b
}

// Check is well tested, except for the error that it wraps.
func Check(x uint64) error {
	if x > limit {
		return fmt.Errorf("toy: %w", errTooLarge)
	}
	return nil
}

// Sum loops forever after some mutations.
func Sum(n int) (sum uint64) {
	for i := 0; i != n; i++ {
		sum += table[i&1]
	}
	return sum
}

// Counter has a method that returns its receiver.
type Counter struct{ n int }

// Inc is tested well, but only in package user.
func (n *Counter) Inc(int) *Counter {
	n.n++
	return n
}

// String keeps fmt imported when a mutant removes the other use of fmt.
func (c *Counter) String() string { return fmt.Sprint(c.n) }

// Value returns the count.
func (c *Counter) Value() int { return c.n }

// Zero wipes c.
func (c *Counter) Zero() { c.n = 0 }

// Use uses a counter and wipes it.
func Use(c *Counter) int {
	defer c.Zero()
	return c.Inc(c.n).Inc(c.n).Value()
}
