package batch

import (
	"slices"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/lanes"
	"p256k1.mleku.dev/v2/internal/params"
	"p256k1.mleku.dev/v2/internal/parts"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// buckets computes a sum of products k[i]·a[i] by N. Pippenger's algorithm ("On the evaluation of powers and related
// problems", 1976). At each place, the points whose scalars have the same digit are added up first, and only their sum
// is multiplied by the digit.
//
// Scalars have digits from ℤ[λ] in base 2ʷ, where w is the width. A digit that is not 0 is a unit ±λᵖ times a pair u +
// v·ω, with 0 < u ≤ 2ʷ⁻¹, 0 ≤ v < 2ʷ⁻¹ and ω = 1 + λ = −λ² (docs/digits.md, S19). The point is multiplied by the unit
// before it is added: ±λᵖ·(x, y) = (βᵖ·x, ±y), which takes at most one product. So there is one bucket for each pair
// (u, v) rather than for each digit, which is a sixth of the number of buckets. For place j and pair (u, v), let B(j,
// u, v) be the sum of ±λᵖ·a[i] over the products i with such a digit. Then
//
//	Σᵢ k[i]·a[i] = Σⱼ 2^(w·j) · Σ (u + v·ω)·B(j, u, v)                       over the pairs (u, v)
//	             = Σⱼ 2^(w·j) · Σ m·(R(j, m) + ω·S(j, m))                     over m from 1 to 2ʷ⁻¹
//	             = Σⱼ Σ 2^(w·j+b) · T(j, b)                                   over b from 0 to w − 1
//
// where R(j, m) is the sum of the buckets with u = m, S(j, m) is the sum of the buckets with v = m, and T(j, b) is the
// sum of R(j, m) + ω·S(j, m) over those m whose bit b is 1 (S23). All of B, R, S and T are sums of lists of points,
// which an adder computes with a few inversions in all. The last line of the equation takes one doubling and at most
// one addition for each T(j, b).
//
// The points to be added may be equal or opposite, because an adder and the additions of the last line accept equal and
// opposite points.
type buckets struct {
	// digits[stride·j+i] is the digit of k[i] at place j.
	digits []recode.WindowDigit
	stride int

	// bucket has the lists for B at some places. Its first 3·len(a) points are the multiples λᵖ·a[i] (see turn), which
	// are used at all places.
	bucket adder

	// row has the lists for R and S at all places, and later the lists for T. Its points begin with the sums of the
	// buckets.
	row adder
}

// sumVartime sets p to the sum of k[i]·a[i], for one or more finite points a[i]. The digits have the given width, from
// recode.MinWindow to recode.MaxWindow.
func (b *buckets) sumVartime(p *group.Jacobian, width int, k []scalar.Scalar, a []group.Affine) {
	w := recode.WindowsOf(width)
	inLanes := platform.BucketsInLanes()
	places := b.recodeVartime(w, k)
	b.turn(a)
	b.row.reset()
	// Fill and add up the buckets of several places at a time. The buckets of these places share the inversions in the
	// adder's rounds.
	for from := 0; from < places; {
		n := min(places-from, max(1, parts.Bucketed/len(a)))
		b.fillBuckets(w, len(a), from, n)
		b.bucket.sumVartime(inLanes)
		b.fillRows(w)
		from += n
	}
	b.row.sumVartime(inLanes) // R and S of all places
	bits := b.fillBits(w)
	b.row.sumVartime(inLanes) // T of all places
	// Horner's rule: bits has T(j, b) at index w·j + b, so p becomes 2·p + T for each T from the last to the first.
	// DoubleAddVartime is correct for all points, including infinity and equal points.
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

// beta2 is β² = −1 − β, since 1 + β + β² = 0.
var beta2 = field.FromLimbs(minusBeta1&params.Limb, minusBeta1>>64&params.Limb, minusBeta1>>128&params.Limb, minusBeta1>>192)

const minusBeta1 = 1<<256 - 1<<32 - 977 - 1 - params.Beta // p − 1 − β

// recodeVartime writes the digits of the scalars k, and returns the number of places: 1 more than the highest place at
// which any scalar has a digit other than 0. Scalars with fewer digits are extended by zeros.
func (b *buckets) recodeVartime(w *recode.Windows, k []scalar.Scalar) (places int) {
	// The stride is an odd number of cache lines of 64 bytes. If the stride were a power of two, the digits of one
	// scalar would all be in the same few sets of the cache. Because they are written one after the other, they would
	// then evict each other.
	const line = 64 / 2 // digits in a cache line
	b.stride = ((len(k)+line-1)/line | 1) * line
	if n := recode.MaxWindows * b.stride; len(b.digits) < n {
		b.digits = make([]recode.WindowDigit, n)
	} else {
		clear(b.digits[:n])
	}
	var k1, k2 [lanes.N]scalar.Signed128
	for from := 0; from < len(k); from += lanes.N {
		block := k[from:min(from+lanes.N, len(k))]
		if platform.ScalarsInLanes() {
			lanes.SplitVartime(k1[:len(block)], k2[:len(block)], block)
		} else {
			for i := range block {
				k1[i], k2[i] = block[i].Split()
			}
		}
		for i := range block {
			places = max(places, w.DigitsVartime(b.digits[from+i:], b.stride, k1[i], k2[i]))
		}
	}
	return places
}

// turn sets the points of b.bucket to multiples of a: points[3·i+p] = λᵖ·a[i] = (βᵖ·x, y), where a[i] = (x, y).
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

// fillBuckets puts the points with indexes below points into the buckets of their digits, for the n places from, …,
// from + n − 1. List i·pairs + j is for place from + i and pair j. The digits are read twice: first to compute the
// length of each list, which determines where the next list begins, and then to put the terms into the lists.
func (b *buckets) fillBuckets(w *recode.Windows, points, from, n int) {
	s := &b.bucket
	// Remove the sums of the earlier places, and keep the multiples of a.
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
			if d != 0 { // the term of ±λᵖ·a[j], for p = d.Power()
				s.put(&lists[d.Pair()], lanes.Term(2*(3*j+d.Power()))|lanes.Term(d.Sign()&1))
			}
		}
	}
}

// fillRows appends the lists for R and S of the places whose buckets have been added up. Each place has 2·w.Max lists,
// for R(j, 1), R(j, 2), … and then for S(j, 1), S(j, 2), … The sum of bucket (u, v) is in the list for R(j, u) and, if
// v > 0, in the list for S(j, v). A bucket that is empty or whose sum is infinity is in neither list (S23).
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
			// Copy the sum, because the next places overwrite the points of bucket.
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

// fillBits appends and returns the lists for T, w.Width lists for each place. The lists for R(j, m) and S(j, m) have
// been added up, so each has at most one term. R(j, m) and ω·S(j, m) go into the list for T(j, b) for each bit b of m
// that is 1. Because m ≤ w.Max = 2ʷ⁻¹, m has at most w bits.
func (b *buckets) fillBits(w *recode.Windows) []list {
	s := &b.row
	count := len(s.lists)
	places := count / (2 * w.Max)
	s.add(places * w.Width)
	rows, all := s.lists[:count], s.lists[count:]
	for ; len(rows) > 0; rows = rows[2*w.Max:] {
		// ω·S = −λ²·S = (β²·x, −y).
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
		// bits are the lists of this place. Row i, whether it belongs to R or to S, counts m = i%w.Max + 1 times.
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
