package curve

import (
	"sync"

	"p256k1.mleku.dev/v2/internal/batch"
	"p256k1.mleku.dev/v2/internal/ecmult"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// DoubleScalarBaseMultBatchVartime sets p[i] = (k[i]·a[i] + g[i]·G)/d[i], where 1/0 is 0, in
// time that depends on all of them, which must not be secret. d may be nil, which stands
// for ones.
//
// With the key, r, the digest and s of an ECDSA signature that is the point R that its
// verification compares (SEC 1, section 4.1.4). With R, s, the negated digest and r it is the key
// that is recovered from one (section 4.1.6).
func DoubleScalarBaseMultBatchVartime(p []Point, k []Scalar, a []Point, g, d []Scalar) {
	sameLength("DoubleScalarBaseMultBatchVartime", len(p), len(k), len(a), len(g), lengthOr(d, len(p)))
	w := quotientsPool.Get().(*quotients)
	for from := 0; from < len(p); from += batch.Doubles {
		n := w.loadVartime(from, k, a, g, d)
		batch.DoubleScalarVartime(w.p[:n], w.k[:n], w.a[:n], w.tables, w.g[:n], w.divisors(n, d))
		for i := range n {
			p[from+i].setJacobian(&w.p[i])
		}
	}
	w.release()
}

// EqualXModNBatchVartime sets equal[i] to what EqualXModNVartime of x[i] reports on the point
// that DoubleScalarBaseMultBatchVartime has for the other arguments. That takes less time
// than both, and less where some of 256 points are equal.
func EqualXModNBatchVartime(equal []bool, x, k []Scalar, a []Point, g, d []Scalar) {
	sameLength("EqualXModNBatchVartime", len(equal), len(x), len(k), len(a), len(g), lengthOr(d, len(equal)))
	w := quotientsPool.Get().(*quotients)
	for from := 0; from < len(equal); from += batch.Doubles {
		n := w.loadVartime(from, k, a, g, d)
		for i := range n {
			w.x[i] = x[from+i].s
		}
		batch.EqualXModNVartime(equal[from:from+n], w.done[:n], w.p[:n], w.x[:n], w.k[:n], w.a[:n], w.tables, w.g[:n], w.divisors(n, d))
		for i := range n {
			if !w.done[i] {
				var p Point
				p.setJacobian(&w.p[i])
				equal[from+i] = p.EqualXModNVartime(&x[from+i])
			}
		}
	}
	w.release()
}

// SumHasXModNBatchVartime is EqualXModNBatchVartime for points of which a has the compressed
// encodings. It sets has[i] to what SumHasXModNVartime reports on a[i] and x[i] with the
// scalars k[i]/d[i] and g[i]/d[i]. That takes less time than finding the points first.
func SumHasXModNBatchVartime(has []bool, x, k []Scalar, a [][33]byte, g, d []Scalar) {
	sameLength("SumHasXModNBatchVartime", len(has), len(x), len(k), len(a), len(g), lengthOr(d, len(has)))
	w := quotientsPool.Get().(*quotients)
	for len(has) > 0 {
		n := min(batch.Doubles, len(has))
		var divisors []Scalar
		if d != nil {
			divisors, d = d[:n], d[n:]
		}
		w.sumHasXModNVartime(has[:n], x[:n], k[:n], a[:n], g[:n], divisors)
		has, x, k, a, g = has[n:], x[n:], k[n:], a[n:], g[n:]
	}
	w.release()
}

// sumHasXModNVartime is SumHasXModNBatchVartime for a group.
func (w *quotients) sumHasXModNVartime(has []bool, x, k []Scalar, a [][33]byte, g, d []Scalar) {
	switch {
	case len(has) == 1:
		w.askVartime(has, x, k, a, g, d)
	case platform.LiftAll(len(has)):
		w.liftedHaveXModNVartime(has, x, k, a, g, d)
	case w.alike.SetVartime(a) == len(a):
		w.askVartime(has, x, k, a, g, d)
	default:
		w.askOrLiftVartime(has, x, k, a, g, d)
	}
}

// liftedHaveXModNVartime is sumHasXModNVartime by way of the points.
func (w *quotients) liftedHaveXModNVartime(has []bool, x, k []Scalar, a [][33]byte, g, d []Scalar) {
	w.liftVartime(a)
	EqualXModNBatchVartime(has, x, k, w.lifted[:len(a)], g, d)
	for i := range has {
		has[i] = has[i] && w.lifted[i].known.normalized
	}
}

// askOrLiftVartime is sumHasXModNVartime where w.alike says which points are equal: it lifts
// those that are there often, and asks about the others.
func (w *quotients) askOrLiftVartime(has []bool, x, k []Scalar, a [][33]byte, g, d []Scalar) {
	// The others come first, and the ones to lift last.
	in := &w.sorted
	from, to := 0, len(a)
	for i := range a {
		n := w.alike.Count(i)
		lift := platform.Shared(n)
		for j := i; n > 0; j, n = w.alike.Next(j), n-1 {
			at := from
			if lift {
				to--
				at = to
			} else {
				from++
			}
			in.of[at], in.x[at], in.k[at], in.a[at], in.g[at] = j, x[j], k[j], a[j], g[j]
			if d != nil {
				in.d[at] = d[j]
			}
		}
	}
	var ofFirst, ofLast []Scalar
	if d != nil {
		ofFirst, ofLast = in.d[:from], in.d[from:len(a)]
	}
	if from > 0 {
		w.askVartime(in.has[:from], in.x[:from], in.k[:from], in.a[:from], in.g[:from], ofFirst)
	}
	if n := len(a); from < n {
		w.liftedHaveXModNVartime(in.has[from:n], in.x[from:n], in.k[from:n], in.a[from:n], in.g[from:n], ofLast)
	}
	for at, i := range in.of[:len(a)] {
		has[i] = in.has[at]
	}
}

// askVartime is sumHasXModNVartime without lanes, with one inversion modulo n and one
// modulo p for all.
func (w *quotients) askVartime(has []bool, x, k []Scalar, a [][33]byte, g, d []Scalar) {
	inverse := w.inverse[:len(d)]
	InvertBatch(inverse, d)
	asked := 0
	for i := range has {
		u, v := k[i], g[i]
		if d != nil {
			u.Mul(&u, &inverse[i])
			v.Mul(&v, &inverse[i])
		}
		if !ask(&w.questions[asked], &u, &a[i], &v, &x[i]) {
			has[i] = pointHasXModNVartime(&u, a[i][:], &v, &x[i])
			continue
		}
		w.of[asked] = i
		asked++
	}
	ecmult.SumsHaveXVartime(w.questions[:asked])
	for j := range asked {
		q, i := &w.questions[j], w.of[j]
		has[i] = q.Verdict == ecmult.Yes
		if q.Verdict == ecmult.Unknown {
			has[i] = pointHasXModNVartime(&Scalar{s: q.K}, a[i][:], &Scalar{s: q.G}, &x[i])
		}
	}
}

// liftVartime sets w.lifted to the points that a encodes, infinity where a[i] encodes none.
func (w *quotients) liftVartime(a [][33]byte) {
	// Of equal ones the first is lifted.
	different := w.alike.SetVartime(a)
	n := 0
	for i := range a {
		if w.alike.Count(i) > 0 {
			w.xs[n] = [32]byte(a[i][1:])
			n++
		}
	}
	LiftXBatch(w.lifted[:n], w.xs[:n])
	for i := len(a) - 1; i >= 0; i-- {
		n := w.alike.Count(i)
		if n == 0 {
			continue
		}
		different--
		p := w.lifted[different]
		p.CondNegate(&p, int(a[i][0]&1))
		if a[i][0]&^1 != 2 {
			p = Point{}
		}
		for j := i; n > 0; j, n = w.alike.Next(j), n-1 {
			w.lifted[j] = p
		}
	}
}

// quotients are arguments and results of package batch.
type quotients struct {
	k, g, d, x [batch.Doubles]scalar.Scalar
	a, affine  [batch.Doubles]group.Affine
	p          [batch.Doubles]group.Jacobian
	done       [batch.Doubles]bool
	table      [batch.Doubles]batch.Table
	tables     []batch.Table // those of the points, or nil if none has one

	// Of SumHasXModNBatchVartime.
	alike   batch.Alike
	sorted  sortedSums
	xs      [batch.Doubles][32]byte
	lifted  [batch.Doubles]Point
	inverse [batch.Doubles]Scalar

	questions [batch.Doubles]ecmult.XQuestion
	of        [batch.Doubles]int // what they are about
}

// sortedSums are arguments of SumHasXModNBatchVartime in another order.
type sortedSums struct {
	of         [batch.Doubles]int // their numbers
	has        [batch.Doubles]bool
	x, k, g, d [batch.Doubles]Scalar
	a          [batch.Doubles][33]byte
}

// quotientsPool has those that nobody uses.
var quotientsPool = sync.Pool{New: func() any { return new(quotients) }}

// release gives w back, without the tables that it refers to.
func (w *quotients) release() {
	clear(w.table[:])
	quotientsPool.Put(w)
}

// lengthOr returns the length of d, or n if d is nil.
func lengthOr(d []Scalar, n int) int {
	if d == nil {
		return n
	}
	return len(d)
}

// loadVartime sets the arguments from one on, and returns how many.
func (w *quotients) loadVartime(from int, k []Scalar, a []Point, g, d []Scalar) (n int) {
	n = min(batch.Doubles, len(k)-from)
	k, a, g = k[from:from+n], a[from:from+n], g[from:from+n]
	some := 0
	w.tables = nil
	for i := range n {
		if a[i].IsPrecomputed() {
			if w.tables == nil {
				w.tables = w.table[:n]
				clear(w.tables)
			}
			w.tables[i] = batch.Table{Multiples: a[i].known.multiples, Minus: a[i].known.minus}
		}
		w.k[i], w.g[i] = k[i].s, g[i].s
		w.a[i] = group.Affine{X: a[i].p.X, Y: a[i].p.Y}
		if !a[i].known.normalized {
			w.p[some].Set(&a[i].p)
			if a[i].p.IsInfinity() != 0 {
				w.k[i] = scalar.Scalar{} // times G instead
				w.p[some].SetAffine(&group.Generator)
			}
			some++
		}
	}
	if some > 0 {
		group.BatchToAffineVartime(w.affine[:some], w.p[:some])
		for i := n - 1; some > 0; i-- {
			if !a[i].known.normalized {
				some--
				w.a[i].Set(&w.affine[some])
			}
		}
	}
	if d != nil {
		for i := range n {
			w.d[i] = d[from+i].s
		}
	}
	return n
}

// setJacobian sets p = a.
func (p *Point) setJacobian(a *group.Jacobian) {
	p.p.Set(a)
	p.known = known{normalized: a.Z.Limbs() == [4]uint64{1}}
}

// divisors returns n divisors, or nil if d is.
func (w *quotients) divisors(n int, d []Scalar) []scalar.Scalar {
	if d == nil {
		return nil
	}
	return w.d[:n]
}
