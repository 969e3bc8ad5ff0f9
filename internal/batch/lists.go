package batch

import (
	"slices"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/lanes"
)

// list is n terms, from number start on, of an adder's.
type list struct{ start, n int }

// adder adds up lists of terms, all lists at a time. One inversion serves many additions
// in affine coordinates then, which are 5M + 1S each, where one in XYZZ is 8M + 2S.
type adder struct {
	points []group.Affine // those given, and sums
	terms  []lanes.Term   // of points, in lists
	lists  []list

	order   []int32 // the numbers of lists, the shortest first
	pairs   []lanes.Pair
	alike   []lanes.Pair    // those of equal or opposite points, which lanes leave out,
	alikeAt []int           // and their numbers
	before  []field.Element // products
	lanes   lanes.Pairs
}

// withRoom returns s with room for n more. What a sum takes of memory differs a little from that
// of another as long, so it makes twice the room.
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

// add adds empty lists.
func (s *adder) add(n int) []list {
	first := len(s.lists)
	s.lists = withRoom(s.lists, n)[:first+n]
	clear(s.lists[first:])
	return s.lists[first:]
}

// place gives lists the places of as many terms as they say, of which they have none then.
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

// put makes t one more of the terms of l.
func (s *adder) put(l *list, t lanes.Term) {
	s.terms[l.start+l.n] = t
	l.n++
}

// sumVartime makes each list one of a single term, their sum, or of none if that is infinity.
func (s *adder) sumVartime(inLanes bool) {
	s.sortLists()
	for s.pair() {
		s.addPairsVartime(inLanes)
	}
}

// sortLists orders the lists of more than one term by their lengths, but for long ones. So a loop
// over one takes as many turns as that over the one before, which the processor foresees.
func (s *adder) sortLists() {
	const long = 63
	var to [long + 2]int32 // where lists of a length begin
	for _, l := range s.lists {
		to[min(l.n, long)+1]++
	}
	to[2] = 0
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

// pair makes pairs of the first and the second term of each list, the third and the fourth and so
// on, and their sums terms in place of them. It reports whether there are any.
func (s *adder) pair() bool {
	order := s.order
	for len(order) > 0 && s.lists[order[0]].n < 2 {
		order = order[1:]
	}
	s.pairs = withRoom(s.pairs[:0], len(s.terms)/2)
	sum := lanes.Term(2 * len(s.points))
	for _, i := range order {
		l := &s.lists[i]
		t := s.terms[l.start:][:l.n]
		for j := range l.n / 2 {
			s.pairs = append(s.pairs, lanes.Pair{P: t[2*j], Q: t[2*j+1]})
			t[j] = sum
			sum += 2
		}
		if l.n%2 != 0 {
			t[l.n/2] = t[l.n-1]
		}
		l.n = (l.n + 1) / 2
	}
	return len(s.pairs) > 0
}

// addPairsVartime makes the sums of the pairs points.
func (s *adder) addPairsVartime(inLanes bool) {
	n := len(s.points)
	s.points = withRoom(s.points, len(s.pairs))[:n+len(s.pairs)]
	of, sums := s.points[:n], s.points[n:]
	pairs, at := s.pairs, []int(nil)
	if inLanes {
		if s.lanes.AddVartime(sums, of, pairs) {
			return
		}
		if s.setAlikeVartime(of) {
			s.lanes.AddVartime(sums, of, pairs)
			pairs, at = s.alike, s.alikeAt
		}
	}
	if !s.addOneByOneVartime(sums, of, pairs, at) {
		s.removeInfinitiesVartime()
	}
}

// setAlikeVartime puts another pair in the place of those of equal or opposite points. It reports
// false, and does not, if there is none.
func (s *adder) setAlikeVartime(of []group.Affine) bool {
	s.alike, s.alikeAt = withRoom(s.alike[:0], len(s.pairs)), withRoom(s.alikeAt[:0], len(s.pairs))
	other := -1
	for i, pair := range s.pairs {
		var d field.Element
		if !d.Sub(&of[pair.P>>1].X, &of[pair.Q>>1].X).IsZeroVartime() {
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

// addOneByOneVartime is AddVartime of lanes for all pairs of points, of which pair i has number
// at[i], or i if at is nil. It reports whether all sums are finite: those that are not are zero,
// which no point is.
func (s *adder) addOneByOneVartime(dst, of []group.Affine, pairs []lanes.Pair, at []int) (finite bool) {
	s.before = withRoom(s.before[:0], len(s.pairs))[:len(pairs)]
	// Montgomery's trick (docs/inversion.md, I12).
	var product, d field.Element
	var p, q group.Affine // where a term may be the opposite of a point
	product.SetUint64(1)
	different, either := true, lanes.Term(0)
	for i, pair := range pairs {
		either |= pair.P | pair.Q
		if d.Sub(&of[pair.Q>>1].X, &of[pair.P>>1].X).IsZeroVartime() {
			different = false
			denominatorVartime(&d, pointOf(pair.P, of, &p, true), pointOf(pair.Q, of, &q, true))
		}
		s.before[i].Set(&product)
		product.Mul(&product, &d)
	}
	product.InvertVartime(&product)
	finite = true
	signs := either&1 != 0
	for i := len(pairs) - 1; i >= 0; i-- {
		to := &dst[i]
		if at != nil {
			to = &dst[at[i]]
		}
		first, second := pointOf(pairs[i].P, of, &p, signs), pointOf(pairs[i].Q, of, &q, signs)
		if different {
			to.AddAffine(first, second, &s.before[i], &product)
		} else if !addAlikeVartime(to, first, second, &s.before[i], &product) {
			*to = group.Affine{}
			finite = false
		}
	}
	return finite
}

// pointOf returns the point that t is, which is one of the slice or p. It does not branch on signs,
// which nobody foresees, where there are any.
func pointOf(t lanes.Term, of []group.Affine, p *group.Affine, signs bool) *group.Affine {
	if !signs {
		return &of[t>>1]
	}
	t.Point(p, of)
	return p
}

// removeInfinitiesVartime takes the terms that are infinity out of the lists.
func (s *adder) removeInfinitiesVartime() {
	for _, i := range s.order {
		l := &s.lists[i]
		t := s.terms[l.start:][:l.n]
		l.n = 0
		for _, term := range t {
			if p := &s.points[term>>1]; !p.X.IsZeroVartime() || !p.Y.IsZeroVartime() {
				s.put(l, term)
			}
		}
	}
}

// addAlikeVartime is AddAffine for all points, with the denominator of denominatorVartime in
// the product. It reports whether the sum is finite.
func addAlikeVartime(sum, p, q *group.Affine, before, inverse *field.Element) bool {
	var d, slope, t field.Element
	kind := denominatorVartime(&d, p, q)
	if kind == different {
		sum.AddAffine(p, q, before, inverse)
		return true
	}
	slope.Mul(inverse, before)
	inverse.Mul(inverse, &d)
	if kind == opposite {
		return false
	}
	t.Square(&p.X)
	d.Add(&t, &t).Add(&d, &t)
	slope.Mul(&slope, &d) // 3·X²/(2·Y)
	d.Square(&slope).Sub(&d, &p.X).Sub(&d, &p.X)
	t.Sub(&p.X, &d)
	t.Mul(&t, &slope)
	sum.Y.Sub(&t, &p.Y)
	sum.X.Set(&d)
	return true
}

// How two points can be.
const (
	different = iota
	equal
	opposite
)

// denominatorVartime sets d to the denominator of the slope of the line through p and q:
// X₂ − X₁, or 2·Y₁ if they are equal, and 1 if they are opposite.
func denominatorVartime(d *field.Element, p, q *group.Affine) int {
	if !d.Sub(&q.X, &p.X).IsZeroVartime() {
		return different
	}
	if d.Add(&p.Y, &q.Y).IsZeroVartime() {
		d.SetUint64(1)
		return opposite
	}
	return equal
}
