package batch

import (
	"p256k1.mleku.dev/internal/field"
	"p256k1.mleku.dev/internal/group"
	"p256k1.mleku.dev/internal/recode"
	"p256k1.mleku.dev/internal/scalar"
)

// buckets is N. Pippenger's algorithm ("On the evaluation of powers and related problems",
// 1976): in each place, points with the same digit are added up first. Digits from ℤ[λ]
// leave a sixth of the sums that integers of as many bits would, for a unit is a choice of
// x, βx or β²x and of y or −y (docs/digits.md, S21).
type buckets struct {
	digits []recode.WindowDigit // those of all products at a place, after those at the one before
	points []turned
	bucket adder // of some places: for each pair (u, v) the points with it, whose sum
	row    adder // of all places belongs into number u, and times ω into number v; the sum of row u
	bit    adder // belongs into each bit of u
}

// turned is a point, (x[0], y[0]), and its products with the units: x[i] belongs to λ to the
// power i, y[1] to minus.
type turned struct {
	x [3]field.Element
	y [2]field.Element
}

// sumVartime sets p to the sum of k[i]·a[i], with digits of that width.
func (b *buckets) sumVartime(p *group.Jacobian, width int, k []scalar.Scalar, a []group.Affine) {
	w := recode.WindowsOf(width)
	places := b.recodeVartime(w, k)
	b.turn(a)
	// As many places at a time as share an inversion.
	b.row.reset(2 * len(w.U) * places)
	for from := 0; from < places; {
		n := min(places-from, max(1, together/len(a)))
		b.fillBuckets(w, len(a), from, n)
		b.bucket.sumVartime()
		b.fillRows(w)
		from += n
	}
	b.row.sumVartime()
	b.fillBits(w)
	b.bit.sumVartime()
	*p = group.Jacobian{}
	for i := len(b.bit.lists) - 1; i >= 0; i-- {
		if l := b.bit.lists[i]; l.n > 0 {
			sum := &b.bit.points[l.start]
			p.DoubleAddVartime(p, &sum.X, &sum.Y)
		} else {
			p.Double(p)
		}
	}
}

// together is how many points are in the buckets of several places.
const together = 8192

// recodeVartime writes the digits, and returns the number of places.
func (b *buckets) recodeVartime(w *recode.Windows, k []scalar.Scalar) (places int) {
	if n := recode.MaxWindows * len(k); len(b.digits) < n {
		b.digits = make([]recode.WindowDigit, n)
	} else {
		clear(b.digits[:n])
	}
	for i := range k {
		places = max(places, w.DigitsVartime(b.digits[i:], len(k), &k[i]))
	}
	return places
}

func (b *buckets) turn(a []group.Affine) {
	if len(b.points) < len(a) {
		b.points = make([]turned, len(a))
	}
	for i := range a {
		t := &b.points[i]
		t.x[0].Set(&a[i].X)
		t.x[1].Mul(&a[i].X, &group.Beta)
		t.x[2].Add(&t.x[0], &t.x[1]).Negate(&t.x[2]) // 1 + β + β² = 0
		t.y[0].Set(&a[i].Y)
		t.y[1].Negate(&a[i].Y)
	}
}

// fillBuckets puts all points into the buckets of their digits at n places from one on.
func (b *buckets) fillBuckets(w *recode.Windows, points, from, n int) {
	s := &b.bucket
	s.reset(points * n)
	pairs := len(w.U)
	for range n * pairs {
		s.lists = append(s.lists, list{})
	}
	for i := range n {
		lists := s.lists[i*pairs:][:pairs]
		for _, d := range b.digits[(from+i)*points:][:points] {
			if d != 0 {
				lists[d.Pair()].n++
			}
		}
	}
	place(s.lists, 0)
	for i := range n {
		lists := s.lists[i*pairs:][:pairs]
		for j, d := range b.digits[(from+i)*points:][:points] {
			if d == 0 {
				continue
			}
			p := s.next(&lists[d.Pair()])
			t := &b.points[j]
			p.X.Set(&t.x[d.Power()])
			p.Y.Set(&t.y[d.Sign()&1])
		}
	}
}

// fillRows puts the sum of each bucket into the rows it counts for (S23), after those that
// are there.
func (b *buckets) fillRows(w *recode.Windows) {
	s := &b.row
	start := 0
	if n := len(s.lists); n > 0 {
		start = s.lists[n-1].start + s.lists[n-1].n
	}
	for buckets := b.bucket.lists; len(buckets) > 0; buckets = buckets[len(w.U):] {
		first := len(s.lists)
		for range w.Max {
			s.lists = append(s.lists, list{})
		}
		rows := s.lists[first:]
		for j, l := range buckets[:len(w.U)] {
			if l.n == 0 {
				continue
			}
			rows[w.U[j]-1].n++
			if v := w.V[j]; v > 0 {
				rows[v-1].n++
			}
		}
		start = place(rows, start)
		for j, l := range buckets[:len(w.U)] {
			if l.n == 0 {
				continue
			}
			p := &b.bucket.points[l.start]
			s.next(&rows[w.U[j]-1]).Set(p)
			if v := w.V[j]; v > 0 {
				q := s.next(&rows[v-1])
				// ω = −λ², and β² = −(1 + β).
				q.X.Mul(&p.X, &group.Beta).Add(&q.X, &p.X).Negate(&q.X)
				q.Y.Negate(&p.Y)
			}
		}
	}
}

// fillBits puts the sum of row u of a place into those of the width's bits that u has: what
// they sum to counts 2, 4, 8 and so on times.
func (b *buckets) fillBits(w *recode.Windows) {
	s := &b.bit
	places := len(b.row.lists) / w.Max
	s.reset(places * w.Max * w.Width)
	start := 0
	for rows := b.row.lists; len(rows) > 0; rows = rows[w.Max:] {
		for bit := range w.Width {
			l := list{start: start}
			for j := range w.Max {
				if row := rows[j]; row.n > 0 && (j+1)>>bit&1 != 0 {
					s.next(&l).Set(&b.row.points[row.start])
				}
			}
			s.lists = append(s.lists, l)
			start += l.n
		}
	}
}
