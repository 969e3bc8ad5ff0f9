package batch

// This file adds up lists of points, many lists at a time, in affine coordinates.
//
// An affine addition divides by X₂ − X₁. Additions that do not depend on each other share one inversion for all their
// divisors by Montgomery's trick (docs/inversion.md, I12), so that each addition takes 5M + 1S and a share of the
// inversion. An addition in XYZZ coordinates takes 8M + 2S and no inversion.
//
// Additions are made in rounds. A round adds the first and the second term of each list, the third and the fourth, and
// so on, with one inversion for all lists. A list of n terms has ⌈n/2⌉ terms afterwards:
//
//	a, b, c, d, e    →    a+b, c+d, e    →    (a+b)+(c+d), e    →    the sum
//
// The digits of the scalars determine the lists, so equal and opposite points can meet in a list, by chance or because
// an attacker chose them. The formula fails for equal and for opposite points, since X₂ − X₁ = 0. Every round therefore
// checks X₂ − X₁ for every pair. Two equal points are replaced by their double, and two opposite points are removed
// from their list.

import (
	"slices"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/lanes"
)

// list is a list of an adder: the n terms adder.terms[start], …, adder.terms[start+n−1].
type list struct{ start, n int }

// adder adds up lists of terms, all lists at once.
//
// A term is twice the index of a point in points, plus 1 if the term stands for the opposite of that point. Sums are
// appended to points, so that a term keeps its meaning until reset. Each list owns a part of terms that no other list
// uses: a round overwrites the terms that it has added with the terms of the sums, and reduces n.
//
// Between two rounds, every term refers to a finite point. Within a round, the point (0, 0), which is not on the curve,
// represents a sum that is infinity, and removeInfinitiesVartime removes its term before the next round.
type adder struct {
	points []group.Affine // the points to be added, followed by the sums that the rounds have computed
	terms  []lanes.Term   // the terms of all lists
	lists  []list

	// The following fields are scratch memory of sumVartime, kept for the next sum.
	order   []int32         // the indexes of the lists with two terms or more, the shortest list first
	pairs   []lanes.Pair    // the pairs of this round; the sum of pair i becomes the i-th new point
	alike   []lanes.Pair    // the pairs of equal or opposite points, which package lanes cannot add,
	alikeAt []int           // and the indexes of these pairs in pairs
	before  []field.Element // before[i] is the product of the divisors of the pairs before pair i
	lanes   lanes.Pairs
}

// withRoom returns s with capacity for n more elements. Two sums of equally many products need slightly different
// amounts of memory, because their digits differ. If withRoom allocates, it allocates more than twice the requested
// capacity, so that the next sum of equally many products seldom allocates.
func withRoom[T any](s []T, n int) []T {
	if cap(s)-len(s) < n {
		return slices.Grow(s, len(s)+2*n+n/4)
	}
	return s
}

// reset removes all points, terms and lists.
func (s *adder) reset() {
	s.points, s.terms, s.lists = s.points[:0], s.terms[:0], s.lists[:0]
}

// add appends n empty lists and returns them.
func (s *adder) add(n int) []list {
	first := len(s.lists)
	s.lists = withRoom(s.lists, n)[:first+n]
	clear(s.lists[first:])
	return s.lists[first:]
}

// place reserves for each of the lists a part of s.terms with room for the n terms of the list. It then sets n to 0,
// and put increments n.
func (s *adder) place(lists []list) {
	end := len(s.terms)
	for i := range lists {
		l := &lists[i]
		l.start = end
		end += l.n
		l.n = 0
	}
	s.terms = withRoom(s.terms, end-len(s.terms))[:end]
}

// put appends the term t to the list l, for which place has reserved room.
func (s *adder) put(l *list, t lanes.Term) {
	s.terms[l.start+l.n] = t
	l.n++
}

// sumVartime adds up every list. Afterwards a list has a single term, which is its sum, or no term if the sum is
// infinity.
func (s *adder) sumVartime(inLanes bool) {
	s.sortLists()
	for s.pair() {
		s.addPairsVartime(inLanes)
	}
}

// sortLists sets order to the lists of two terms or more, sorted by length. Lists of 63 terms or more count as equally
// long, and come last. In this order the loop over the terms of a list mostly has as many iterations as for the
// previous list, so that the processor can predict when the loop ends.
func (s *adder) sortLists() {
	// This is a counting sort. First, to[n+1] counts the lists of length n. Adding up the counts then makes to[n] the
	// index in order at which the lists of length n begin.
	const long = 63
	var to [long + 2]int32
	for _, l := range s.lists {
		to[min(l.n, long)+1]++
	}
	to[2] = 0 // lists of one term have nothing to add, and are left out
	for n := 2; n < long; n++ {
		to[n+1] += to[n]
	}
	s.order = withRoom(s.order[:0], len(s.lists))[:to[long]+to[long+1]]
	for i, l := range s.lists {
		if n := min(l.n, long); n > 1 {
			s.order[to[n]] = int32(i)
			to[n]++
		}
	}
}

// pair begins a round: it sets pairs to the first and second term of each list, the third and fourth term, and so on.
// In the list, the term of the sum takes the place of each pair, although addPairsVartime has not yet computed the sum.
// In a list of odd length the last term stays. pair reports whether there is anything to add.
func (s *adder) pair() bool {
	// The shortest lists, most of which are at the front of order, are finished first.
	order := s.order
	for len(order) > 0 && s.lists[order[0]].n < 2 {
		order = order[1:]
	}
	s.pairs = withRoom(s.pairs[:0], len(s.terms)/2)
	sum := lanes.Term(2 * len(s.points)) // the term of the next sum
	for _, i := range order {
		l := &s.lists[i]
		t := s.terms[l.start:][:l.n]
		for j := range l.n / 2 {
			s.pairs = append(s.pairs, lanes.Pair{P: t[2*j], Q: t[2*j+1]})
			t[j] = sum // term j was read for pair j or an earlier pair
			sum += 2
		}
		if l.n%2 != 0 {
			t[l.n/2] = t[l.n-1]
		}
		l.n = (l.n + 1) / 2
	}
	return len(s.pairs) > 0
}

// addPairsVartime appends the sums of the pairs to points, in the order of the pairs, and removes the terms of sums
// that are infinity.
//
// Package lanes adds all pairs or none. It reports whether any pair consists of equal or opposite points, but not which
// pair, because all divisors are factors of one product. Such pairs are rare, so the first attempt is made without
// looking for them. If the attempt fails, another pair takes the place of every pair of equal or opposite points, and
// package lanes adds all pairs once more. The sums of the replaced pairs are then computed one by one.
func (s *adder) addPairsVartime(inLanes bool) {
	n := len(s.points)
	s.points = withRoom(s.points, len(s.pairs))[:n+len(s.pairs)]
	points, sums := s.points[:n], s.points[n:]
	pairs, places := s.pairs, []int(nil)
	if inLanes {
		if s.lanes.AddVartime(sums, points, pairs) {
			return
		}
		if s.setAlikeVartime(points) {
			s.lanes.AddVartime(sums, points, pairs)
			pairs, places = s.alike, s.alikeAt
		}
	}
	if !s.addOneByOneVartime(sums, points, pairs, places) {
		s.removeInfinitiesVartime()
	}
}

// setAlikeVartime moves the pairs of equal or opposite points to s.alike and their indexes to s.alikeAt, and puts a
// copy of another pair in their places. If there is no other pair, it changes nothing and reports false.
func (s *adder) setAlikeVartime(points []group.Affine) bool {
	s.alike, s.alikeAt = withRoom(s.alike[:0], len(s.pairs)), withRoom(s.alikeAt[:0], len(s.pairs))
	other := -1
	for i, pair := range s.pairs {
		var d field.Element // P and −P have the same x coordinate, so the signs of the terms do not matter here
		if !d.Sub(&points[pair.P>>1].X, &points[pair.Q>>1].X).IsZeroVartime() {
			other = i
		} else {
			s.alike, s.alikeAt = append(s.alike, pair), append(s.alikeAt, i)
		}
	}
	if other >= 0 {
		for _, i := range s.alikeAt {
			s.pairs[i] = s.pairs[other]
		}
	}
	return other >= 0
}

// addOneByOneVartime sets dst[places[i]], or dst[i] if places is nil, to the sum of the points of pairs[i], which may
// be equal or opposite. The terms of the pairs refer to the slice points, which does not overlap dst. A sum that is
// infinity becomes (0, 0). The result finite reports whether all sums are finite.
func (s *adder) addOneByOneVartime(dst, points []group.Affine, pairs []lanes.Pair, places []int) (finite bool) {
	s.before = withRoom(s.before[:0], len(s.pairs))[:len(pairs)]
	// All divisors share an inversion. No divisor is 0, because denominatorVartime returns 2·Y for equal points and 1
	// for opposite points.
	var product, d field.Element
	var p, q group.Affine // scratch memory for the opposites of points
	product.SetUint64(1)
	different, either := true, lanes.Term(0) // whether all X₂ − X₁ ≠ 0; bit 0 tells whether any term has a minus sign
	for i, pair := range pairs {
		either |= pair.P | pair.Q
		if d.Sub(&points[pair.Q>>1].X, &points[pair.P>>1].X).IsZeroVartime() {
			different = false
			denominatorVartime(&d, pointOf(pair.P, points, &p, true), pointOf(pair.Q, points, &q, true))
		}
		field.Append(&product, &s.before[i], &d)
	}
	// The second loop runs backwards. Before step i, product = 1/(d₀·…·dᵢ), so that 1/dᵢ = product·before[i]. Each
	// addition multiplies product by its dᵢ.
	product.InvertVartime(&product)
	finite = true
	signs := either&1 != 0
	for i := len(pairs) - 1; i >= 0; i-- {
		to := &dst[i]
		if places != nil {
			to = &dst[places[i]]
		}
		first, second := pointOf(pairs[i].P, points, &p, signs), pointOf(pairs[i].Q, points, &q, signs)
		if different {
			to.AddAffine(first, second, &s.before[i], &product)
		} else if !addAlikeVartime(to, first, second, &s.before[i], &product) {
			*to = group.Affine{}
			finite = false
		}
	}
	return finite
}

// pointOf returns the point that the term t stands for. If signs is false, no term has a minus sign, and the result is
// an element of the slice, without a copy. Otherwise pointOf sets p to the point, without a branch on the sign of t,
// because the processor could not predict the branch.
func pointOf(t lanes.Term, points []group.Affine, p *group.Affine, signs bool) *group.Affine {
	if !signs {
		return &points[t>>1]
	}
	t.Point(p, points)
	return p
}

// removeInfinitiesVartime removes from the lists the terms of (0, 0), the point that stands for infinity. A list that
// had a single term from the start has no such term, because the points to be added are finite.
func (s *adder) removeInfinitiesVartime() {
	for _, i := range s.order {
		l := &s.lists[i]
		t := s.terms[l.start:][:l.n]
		l.n = 0 // put overwrites only terms that the loop has read
		for _, term := range t {
			if p := &s.points[term>>1]; !p.X.IsZeroVartime() || !p.Y.IsZeroVartime() {
				s.put(l, term)
			}
		}
	}
}

// addAlikeVartime sets sum = p + q for any points p and q, and reports whether the sum is finite. If the sum is
// infinity, it leaves sum unchanged. Before the call, inverse is 1/(before·d) with d from denominatorVartime. After the
// call, inverse is 1/before.
func addAlikeVartime(sum, p, q *group.Affine, before, inverse *field.Element) bool {
	var d, slope, t field.Element
	kind := denominatorVartime(&d, p, q)
	if kind == different {
		sum.AddAffine(p, q, before, inverse)
		return true
	}
	field.Remove(inverse, &slope, before, &d)
	if kind == opposite {
		return false
	}
	// For equal points the tangent has the slope L = 3·X²/(2·Y), and the sum is X₃ = L² − 2·X, Y₃ = L·(X − X₃) − Y.
	t.Square(&p.X)
	d.Add(&t, &t).Add(&d, &t)
	slope.Mul(&slope, &d)
	d.Square(&slope).Sub(&d, &p.X).Sub(&d, &p.X)
	t.Sub(&p.X, &d)
	t.Mul(&t, &slope)
	sum.Y.Sub(&t, &p.Y)
	sum.X.Set(&d)
	return true
}

// These are the relations that two points can have.
const (
	different = iota // their x coordinates differ
	equal
	opposite
)

// denominatorVartime sets d to the denominator of the slope of the line through p and q, and returns how p and q
// relate. The denominator is X₂ − X₁ for different points and 2·Y₁ for equal points. 2·Y₁ is never 0, because the order
// of the group is odd and so no point has Y = 0. The line through opposite points is vertical and has no slope. In this
// case d is 1.
func denominatorVartime(d *field.Element, p, q *group.Affine) int {
	if !d.Sub(&q.X, &p.X).IsZeroVartime() {
		return different
	}
	if d.Add(&p.Y, &q.Y).IsZeroVartime() { // Y₂ = ±Y₁, so d is 0 or 2·Y₁
		d.SetUint64(1)
		return opposite
	}
	return equal
}
