package platform

// This file decides which code computes: one item at a time or eight in lanes, by which algorithm, and from which
// number of items on. The functions get only numbers of items, so no choice depends on a value that may be secret. No
// other file asks for the features of the processor, or compares a number with a measured bound. CONTRIBUTING.md says
// how to measure the bounds again.

// Lanes is the number of items that package lanes computes at a time.
const Lanes = 8

// HasLanes reports whether package lanes is in use: with AVX-512 IFMA, or in Go for tests.
func HasLanes() bool { return IFMA || lanesInGo }

// OneBaseInLanes reports whether a single product k·G is computed in lanes, over which k is spread.
func OneBaseInLanes() bool { return HasLanes() }

// BasesInLanes returns m ≤ n: of n products k·G, the first m are computed in lanes and the others one by one. Eight
// lanes take as long as four products one by one.
func BasesInLanes(n int) int {
	switch {
	case !HasLanes():
		return 0
	case n%Lanes < 4:
		return n - n%Lanes
	}
	return n
}

// InLanes returns m ≤ n: of n square roots, products of any points, or sums, the first m are computed in lanes and the
// others one by one. Lanes take as long for one item as for eight, which is about as long as two items take one by one.
func InLanes(n int) int {
	if !HasLanes() {
		return 0
	}
	if n%Lanes == 1 {
		n--
	}
	return n
}

// SumsInLanes returns m ≤ n: of n sums k·A + g·G, the first m are computed in lanes and the others one by one. tabled
// is the number of the last n%Lanes points A that have a table of multiples. If a sum with such a table takes the time
// 1, a sum without takes 5, and lanes take 9 for eight sums.
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

// TermsInLanes reports whether a sum of n points from tables is computed in lanes.
func TermsInLanes(n int) bool { return n >= 2*Lanes && HasLanes() }

// Shared reports whether that many products of one point take less time with tables that they share (ecmult.Shared)
// than one by one.
func Shared(products int) bool { return products >= 3 }

// LiftAll reports whether, for a batch of that many sums, the y coordinates of all points are computed first. Otherwise
// sums are tested with the x coordinates alone, where that is possible.
func LiftAll(sums int) bool { return sums > 1 && HasLanes() }

// BucketWidth returns how to compute a sum of that many products in the least time: the width of the digits for
// Pippenger's algorithm, or 0 for Straus's algorithm.
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

// The largest numbers of products for Straus's algorithm (width 0) and for each width except 6, measured on AMD's Zen
// 4. Code in Go has the same bounds as assembly.
var (
	widths       = [4]int{0, 3, 4, 5}
	mostProducts = [4]int{36, 100, 500, 7000}
	mostInLanes  = [4]int{12, 200, 750, 8000}
)

// BucketsInLanes reports whether the points of a bucket are added in lanes.
func BucketsInLanes() bool { return HasLanes() }

// Combine reports whether that many signatures by that many different keys take less time to verify by one random
// linear combination than one by one.
func Combine(signatures, keys int) bool {
	if !HasLanes() {
		return signatures > 8
	}
	return signatures > 48 && (signatures >= 256 || 2*keys <= signatures)
}

// Patience returns the number of signatures that a search for the invalid ones among n may combine again before it
// verifies one by one. Without lanes it may combine more, because verifying one by one takes longer.
func Patience(n int) int {
	if HasLanes() {
		return n
	}
	return 2 * n
}
