package batch

import (
	"p256k1.mleku.dev/internal/field"
	"p256k1.mleku.dev/internal/group"
	"p256k1.mleku.dev/internal/lanes"
)

// list is n points, from number start on, of an adder's.
type list struct{ start, n int }

// adder adds up lists of points, all lists at a time. One inversion serves many additions
// in affine coordinates then, which are 5M + 1S each, where one in XYZZ is 8M + 2S.
type adder struct {
	points []group.Affine
	lists  []list
	before []field.Element // products

	lanes lanes.Pairs
	pairs []lanes.Pair
}

// reset makes room for that many points, and removes all lists.
func (s *adder) reset(points int) {
	if len(s.points) < points {
		s.points = make([]group.Affine, points)
		s.before = make([]field.Element, points/2)
	}
	s.lists = s.lists[:0]
}

// place puts lists of so many points one after the other, from a start on, with none of them
// yet, and returns their end.
func place(lists []list, start int) (end int) {
	for i := range lists {
		l := &lists[i]
		l.start = start
		start += l.n
		l.n = 0
	}
	return start
}

// next returns the point behind those of l, which becomes one of them.
func (s *adder) next(l *list) *group.Affine {
	l.n++
	return &s.points[l.start+l.n-1]
}

// sumVartime makes each list one of a single point, its sum, or of none if that is infinity.
func (s *adder) sumVartime() {
	for s.addPairsVartime() {
	}
}

// addPairsVartime replaces the points of each list by the sums of the first and the second,
// of the third and the fourth and so on. It reports whether there was anything to add.
func (s *adder) addPairsVartime() bool {
	if lanes.Available() && s.addInLanesVartime() {
		return len(s.pairs) > 0
	}
	// Montgomery's trick (docs/inversion.md, I12). Products are made from the end, so that
	// sums can be stored from the beginning.
	var product, d field.Element
	product.SetUint64(1)
	pairs := 0
	alike := false // some pair is of equal or opposite points
	for i := len(s.lists) - 1; i >= 0; i-- {
		l := s.lists[i]
		for j := l.n &^ 1; j > 0; j -= 2 {
			p := s.points[l.start+j-2 : l.start+j]
			if denominatorVartime(&d, &p[0], &p[1]) != different {
				alike = true
			}
			s.before[pairs].Set(&product)
			product.Mul(&product, &d)
			pairs++
		}
	}
	if pairs == 0 {
		return false
	}
	product.InvertVartime(&product)
	for i := range s.lists {
		l := &s.lists[i]
		to := l.start
		from := s.points[to : to+l.n]
		for ; len(from) > 1; from = from[2:] {
			pairs--
			if !alike {
				s.points[to].AddAffine(&from[0], &from[1], &s.before[pairs], &product)
			} else if !addAlikeVartime(&s.points[to], &from[0], &from[1], &s.before[pairs], &product) {
				continue
			}
			to++
		}
		if len(from) == 1 {
			s.points[to].Set(&from[0])
			to++
		}
		l.n = to - l.start
	}
	return true
}

// addInLanesVartime is addPairsVartime for pairs of which none is of equal or opposite
// points: otherwise it reports false and changes nothing.
func (s *adder) addInLanesVartime() bool {
	s.pairs = s.pairs[:0]
	for _, l := range s.lists {
		for j := range l.n / 2 {
			s.pairs = append(s.pairs, lanes.Pair{To: int32(l.start + j), From: int32(l.start + 2*j)})
		}
	}
	if !s.lanes.AddVartime(s.points, s.pairs) {
		return false
	}
	for i := range s.lists {
		l := &s.lists[i]
		if l.n%2 != 0 {
			s.points[l.start+l.n/2].Set(&s.points[l.start+l.n-1])
		}
		l.n = (l.n + 1) / 2
	}
	return true
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
