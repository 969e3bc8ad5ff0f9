package platform

// This file decides which engine computes: one item at a time, or eight of them in lanes; by which
// algorithm; and from how many items on something else pays. The functions know counts and nothing
// else, so a choice depends on no value that may be secret. No other file asks what the processor
// has or compares a count with a measured bound. CONTRIBUTING.md says how to measure the bounds again.

// Lanes is how many items package lanes computes at a time.
const Lanes = 8

// HasLanes reports whether package lanes is in use: with AVX-512 IFMA, or in Go for tests.
func HasLanes() bool { return IFMA || lanesInGo }

// OneBaseInLanes reports whether one product of G is spread over the lanes.
func OneBaseInLanes() bool { return HasLanes() }

// BasesInLanes returns how many of n products of G go through lanes, the first ones. Eight lanes
// take as long as four products one by one.
func BasesInLanes(n int) int {
	switch {
	case !HasLanes():
		return 0
	case n%Lanes < 4:
		return n - n%Lanes
	}
	return n
}

// InLanes returns how many of n items, that is square roots, products of any points or sums, go
// through lanes, the first ones. Lanes take as long for one item as for eight: about as long as
// two items take one by one.
func InLanes(n int) int {
	if !HasLanes() {
		return 0
	}
	if n%Lanes == 1 {
		n--
	}
	return n
}

// SumsInLanes is InLanes for n sums k·A + g·G. Of the last n%Lanes of them, tabled ones have a table
// of multiples of A. In units of a sum with such a table, one without takes 5 by itself, and lanes
// take 9 for eight.
func SumsInLanes(n, tabled int) int {
	if tabled == 0 || !HasLanes() {
		return InLanes(n)
	}
	last := n % Lanes
	if 5*(last-tabled)+tabled < 9 {
		return n - last
	}
	return n
}

// TermsInLanes reports whether so many points of tables are added up in lanes.
func TermsInLanes(n int) bool { return n >= 2*Lanes && HasLanes() }

// Shared reports whether so many products of one point take less time with what they share.
func Shared(products int) bool { return products >= 3 }

// LiftAll reports whether the points of a batch of so many sums are found first, by their square
// roots. Otherwise a sum with a point of which x is known is tested without y, if that suffices.
func LiftAll(sums int) bool { return sums > 1 && HasLanes() }

// BucketWidth returns the width of the digits with which buckets are best for a sum of so many
// products, or 0 if Straus's algorithm is.
func BucketWidth(products int) int {
	most := &mostProducts
	if HasLanes() {
		most = &mostInLanes
	}
	for i, n := range most {
		if products <= n {
			return widths[i]
		}
	}
	return 6
}

// The most products for Straus's algorithm and for each width but the last, measured on AMD's
// Zen 4; the bounds of code in Go are those of assembly.
var (
	widths       = [4]int{0, 3, 4, 5}
	mostProducts = [4]int{36, 100, 500, 7000}
	mostInLanes  = [4]int{12, 200, 750, 8000}
)

// BucketsInLanes reports whether buckets are added up in lanes.
func BucketsInLanes() bool { return HasLanes() }

// Combine reports whether so many signatures by so many different keys take less time as one random
// linear combination than one by one.
func Combine(signatures, keys int) bool {
	if !HasLanes() {
		return signatures > 8
	}
	return signatures > 48 && (signatures >= 256 || 2*keys <= signatures)
}

// Patience returns how many signatures a search for the ones that are not valid among n may combine
// again, before it is faster to verify one by one, which takes longer without lanes.
func Patience(n int) int {
	if HasLanes() {
		return n
	}
	return 2 * n
}
