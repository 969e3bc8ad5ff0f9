package platform

// This file decides, from the number of items, whether they are computed one at a time or eight at a time by package
// lanes, and by which algorithm. The arguments of its functions are only numbers of items, so no choice depends on a
// value that may be secret. No other file compares a number with a measured bound. CONTRIBUTING.md says how to measure
// the bounds again.

// Lanes is the number of items that package lanes computes at a time.
const Lanes = 8

// HasLanes reports whether package lanes computes with secret data and with integers modulo n: with AVX-512 IFMA, or in
// Go for tests.
func HasLanes() bool { return IFMA || lanesInGo }

// hasPublicLanes reports whether package lanes computes with public data. Besides the lanes for secret data these are
// lanes in doubles, which are for public data alone, because the time of an instruction on doubles may depend on its
// operands.
func hasPublicLanes() bool {
	return HasLanes() || FMA || DoublesInGo
}

// OneBaseInLanes reports whether package lanes computes a single product k·G, with the digits of k spread over the
// lanes.
func OneBaseInLanes() bool { return HasLanes() }

// BasesInLanes returns how many of n products k·G package lanes computes. It computes the first products, and the
// others are computed one by one. Eight products in lanes take as long as four products one by one.
func BasesInLanes(n int) int {
	switch {
	case !HasLanes():
		return 0
	case n%Lanes < 4:
		return n - n%Lanes
	}
	return n
}

// InLanes returns how many of n square roots or products of any points package lanes computes. It computes the first
// items, and the others are computed one by one. Package lanes takes the same time for one item as for eight, which is
// about the time of two items one by one.
func InLanes(n int) int { return blocks(n, HasLanes(), 2) }

// InLanesVartime returns how many of n square roots or sums of public data package lanes computes, as InLanes does.
func InLanesVartime(n int) int { return publicBlocks(n) }

// publicBlocks returns how many of n items of public data are computed in lanes. Eight items in doubles take as long as
// four or five one by one.
func publicBlocks(n int) int {
	if HasLanes() {
		return InLanes(n)
	}
	return blocks(n, hasPublicLanes(), 5)
}

// blocks returns how many of n items are computed in lanes, if there are lanes. Items of the last block are computed
// one by one if there are fewer than least.
func blocks(n int, lanes bool, least int) int {
	switch {
	case !lanes:
		return 0
	case n%Lanes < least:
		return n - n%Lanes
	}
	return n
}

// SumsInLanes returns how many of n sums k·A + g·G package lanes computes. It computes the first sums, and the others
// are computed one by one. tabled says how many of the last n%Lanes points A have a table of multiples. If a sum with a
// table takes the time 1, a sum without a table takes 5, and eight sums in lanes take 9.
func SumsInLanes(n, tabled int) int {
	if tabled == 0 || !hasPublicLanes() {
		return publicBlocks(n)
	}
	last := n % Lanes
	if 5*(last-tabled)+tabled < 9 {
		return n - last
	}
	return n
}

// TablesInLanes reports whether sums whose points have tables of multiples take less time in full blocks of lanes than
// one by one. Lanes in doubles take 1.2 times as long.
func TablesInLanes() bool { return !hasPublicLanes() || HasLanes() }

// LeastTerms is the least number of points from tables that package lanes sums. The sum needs a point for each lane.
const LeastTerms = 2 * Lanes

// TermsInLanes reports whether package lanes computes a sum of n points from tables. Lanes in doubles would take 1.1
// times as long as no lanes.
func TermsInLanes(n int) bool { return n >= LeastTerms && HasLanes() }

// Shared reports whether the given number of products of one point take less time with shared tables (ecmult.Shared)
// than one by one.
func Shared(products int) bool { return products >= 3 }

// LiftAllVartime reports whether, for a batch of the given number of sums, the y coordinates of all points are computed
// first. Otherwise sums are tested with only the x coordinates of the points, if possible.
func LiftAllVartime(sums int) bool { return InLanesVartime(sums) > 0 }

// BucketWidth returns the fastest way to compute a sum of the given number of products: the width of the digits for
// Pippenger's algorithm, or 0 for Straus's algorithm.
func BucketWidth(products int) int {
	most := &mostProducts
	switch {
	case HasLanes():
		most = &mostInLanes
	case hasPublicLanes():
		most = &mostInDoubles
	}
	for i, n := range most {
		if products <= n {
			return widths[i]
		}
	}
	return 6
}

// These are the largest numbers of products for Straus's algorithm (width 0) and for each width except 6, measured on
// AMD's Zen 4 and, in doubles, on Zen 5. The Go code uses the same bounds as the assembly.
var (
	widths        = [4]int{0, 3, 4, 5}
	mostProducts  = [4]int{36, 100, 500, 7000}
	mostInLanes   = [4]int{12, 200, 750, 8000}
	mostInDoubles = [4]int{12, 140, 500, 8000}
)

// BucketsInLanes reports whether package lanes adds the points of buckets.
func BucketsInLanes() bool { return hasPublicLanes() }

// ScalarsInLanes reports whether package lanes multiplies and splits scalars. Scalars are integers modulo n, for which
// lanes in doubles have no routines.
func ScalarsInLanes() bool { return HasLanes() }

// Combine reports whether the given number of signatures, by the given number of different keys, take less time to
// verify by one random linear combination than one by one.
func Combine(signatures, keys int) bool {
	switch {
	case !hasPublicLanes():
		return signatures > 8
	case !HasLanes():
		return signatures > 20
	}
	return signatures > 48 && (signatures >= 240 || 2*keys <= signatures)
}

// Flood reports whether a call in which bad of n signatures were invalid begins a flood, in which a batch verifies one
// by one. Without lanes and with four lanes, combining takes less time only with at most one bad signature, because two
// are seldom in the same half, and only if it is one of many signatures. With eight lanes, a single one takes most of
// the gain.
func Flood(bad, n int) bool {
	if HasLanes() {
		return bad > 0
	}
	return bad > 1 || 700*bad > n
}

// Sample returns how many of the n signatures in the first call of a batch, chosen at random, are verified before the
// others are combined, so that a flood is noticed before all are combined. The sample takes 3 to 10 % of the time, and
// without it the first call in a flood would take 1.6 times as long as one by one without lanes, instead of 1.3 times.
// Later calls have no sample: the batch remembers a flood, and a sample of one in 32 took 2 to 13 % of their time.
func Sample(n int) int {
	if n < 8*Lanes {
		return 0
	}
	return min(n/4, 32*Lanes) / Lanes * Lanes
}

// Narrow reports whether, if a combination of n signatures fails, one of its halves is combined, before the signatures
// are verified one by one. A half of fewer signatures takes nearly the time that it can save. Eight lanes verify one by
// one in the time of half a combination.
func Narrow(n int) bool { return n >= 400 && !HasLanes() }
