package batch

import (
	"slices"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/lanes"
	"p256k1.mleku.dev/v2/internal/params"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// buckets is N. Pippenger's algorithm ("On the evaluation of powers and related problems",
// 1976): in each place, points with the same digit are added up first. Digits from ℤ[λ]
// leave a sixth of the sums that integers of as many bits would, for a unit is a choice of
// x, βx or β²x and of y or −y (docs/digits.md, S19).
type buckets struct {
	digits []recode.WindowDigit // those of all products at a place, a stride after those at the one before
	stride int
	bucket adder // for each pair (u, v), at some places, the points with it; its own points begin with those of turn
	row    adder // the buckets of each u and of each v, at all places, and then the rows with each bit
}

// sumVartime sets p to the sum of k[i]·a[i], with digits of that width.
func (b *buckets) sumVartime(p *group.Jacobian, width int, k []scalar.Scalar, a []group.Affine) {
	w := recode.WindowsOf(width)
	inLanes := platform.BucketsInLanes()
	places := b.recodeVartime(w, k, inLanes)
	b.turn(a)
	b.row.reset()
	// As many places at a time as share an inversion.
	for from := 0; from < places; {
		n := min(places-from, max(1, together/len(a)))
		b.fillBuckets(w, len(a), from, n)
		b.bucket.sumVartime(inLanes)
		b.fillRows(w)
		from += n
	}
	b.row.sumVartime(inLanes)
	bits := b.fillBits(w)
	b.row.sumVartime(inLanes)
	*p = group.Jacobian{}
	for _, l := range slices.Backward(bits) {
		if l.n > 0 {
			var sum group.Affine
			b.row.terms[l.start].Point(&sum, b.row.points)
			p.DoubleAddVartime(p, &sum.X, &sum.Y)
		} else {
			p.Double(p)
		}
	}
}

// beta2 is β² = −1 − β.
var beta2 = field.FromLimbs(minusBeta1&params.Limb, minusBeta1>>64&params.Limb, minusBeta1>>128&params.Limb, minusBeta1>>192)

const minusBeta1 = 1<<256 - 1<<32 - 977 - 1 - params.Beta // p − 1 − β

// together is how many points are in the buckets of several places.
const together = 8192

// recodeVartime writes the digits, and returns the number of places.
func (b *buckets) recodeVartime(w *recode.Windows, k []scalar.Scalar, inLanes bool) (places int) {
	// Digits of a scalar are so many lines of the cache apart that these do not compete.
	const line = 64 / 2
	b.stride = ((len(k)+line-1)/line | 1) * line
	if n := recode.MaxWindows * b.stride; len(b.digits) < n {
		b.digits = make([]recode.WindowDigit, n)
	} else {
		clear(b.digits[:n])
	}
	var k1, k2 [lanes.N]scalar.Signed128
	for from := 0; from < len(k); from += lanes.N {
		some := k[from:min(from+lanes.N, len(k))]
		if inLanes {
			lanes.SplitVartime(k1[:len(some)], k2[:len(some)], some)
		} else {
			for i := range some {
				k1[i], k2[i] = some[i].Split()
			}
		}
		for i := range some {
			places = max(places, w.DigitsVartime(b.digits[from+i:], b.stride, k1[i], k2[i]))
		}
	}
	return places
}

// turn begins the points of buckets with those of a and their products with λ and λ².
func (b *buckets) turn(a []group.Affine) {
	s := &b.bucket
	s.points = withRoom(s.points[:0], 3*len(a))[:3*len(a)]
	for i := range a {
		t := s.points[3*i:][:3]
		for j := range t {
			t[j].Y.Set(&a[i].Y)
		}
		t[0].X.Set(&a[i].X)
		t[1].X.Mul(&a[i].X, &group.Beta)
		t[2].X.Add(&t[0].X, &t[1].X).Negate(&t[2].X) // 1 + β + β² = 0
	}
}

// fillBuckets puts all points into the buckets of their digits at n places from one on.
func (b *buckets) fillBuckets(w *recode.Windows, points, from, n int) {
	s := &b.bucket
	s.points, s.terms, s.lists = s.points[:3*points], s.terms[:0], s.lists[:0]
	pairs := len(w.U)
	s.add(n * pairs)
	for i := range n {
		lists := s.lists[i*pairs:][:pairs]
		for _, d := range b.digits[(from+i)*b.stride:][:points] {
			if d != 0 {
				lists[d.Pair()].n++
			}
		}
	}
	s.place(s.lists)
	for i := range n {
		lists := s.lists[i*pairs:][:pairs]
		for j, d := range b.digits[(from+i)*b.stride:][:points] {
			if d != 0 {
				s.put(&lists[d.Pair()], lanes.Term(2*(3*j+d.Power()))|lanes.Term(d.Sign()&1))
			}
		}
	}
}

// fillRows puts the sum of each bucket into the rows that it counts for (S23).
func (b *buckets) fillRows(w *recode.Windows) {
	s := &b.row
	for buckets := b.bucket.lists; len(buckets) > 0; buckets = buckets[len(w.U):] {
		rows := s.add(2 * w.Max)
		ofU, ofV := rows[:w.Max], rows[w.Max:]
		for j, l := range buckets[:len(w.U)] {
			ofU[w.U[j]-1].n += l.n
			if v := w.V[j]; v > 0 {
				ofV[v-1].n += l.n
			}
		}
		s.place(rows)
		for j, l := range buckets[:len(w.U)] {
			if l.n == 0 {
				continue
			}
			var sum group.Affine
			b.bucket.terms[l.start].Point(&sum, b.bucket.points)
			t := lanes.Term(2 * len(s.points))
			s.points = append(s.points, sum)
			s.put(&ofU[w.U[j]-1], t)
			if v := w.V[j]; v > 0 {
				s.put(&ofV[v-1], t)
			}
		}
	}
}

// fillBits puts the sum of row u of a place into those of the width's bits that u has: what
// they sum to counts 2, 4, 8 and so on times. It returns these lists. The sum for each v is
// multiplied by ω before, which is −λ².
func (b *buckets) fillBits(w *recode.Windows) []list {
	s := &b.row
	count := len(s.lists)
	places := count / (2 * w.Max)
	s.add(places * w.Width)
	rows, all := s.lists[:count], s.lists[count:]
	for ; len(rows) > 0; rows = rows[2*w.Max:] {
		for _, l := range rows[w.Max:][:w.Max] {
			if l.n > 0 {
				var p group.Affine
				s.terms[l.start].Point(&p, s.points)
				p.X.Mul(&p.X, &beta2)
				p.Y.Negate(&p.Y)
				s.terms[l.start] = lanes.Term(2 * len(s.points))
				s.points = append(s.points, p)
			}
		}
		bits := all[len(all)-len(rows)/(2*w.Max)*w.Width:][:w.Width]
		for i := range 2 * w.Max {
			for bit := range bits {
				if (i%w.Max+1)>>bit&1 != 0 {
					bits[bit].n += rows[i].n
				}
			}
		}
		s.place(bits)
		for i := range 2 * w.Max {
			for bit := range bits {
				if (i%w.Max+1)>>bit&1 != 0 && rows[i].n > 0 {
					s.put(&bits[bit], s.terms[rows[i].start])
				}
			}
		}
	}
	return all
}
