package verify

import (
	"sync"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/batch"
	"p256k1.mleku.dev/v2/internal/ecmult"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// sums are the sums of a batch, (k·A + g·G)/d, each for the signature of an item, with what is
// claimed of them and with the verdicts. Sums that were there before allocate nothing.
type sums struct {
	modN bool // the claim: that x modulo n is x, or else that the sum is rx lifted, where d is 1

	keys keys
	key  []int32 // the numbers of the points A, or −1 for items that are malformed
	k, g []scalar.Scalar
	d, x []scalar.Scalar // if modN
	rx   []field.Element // if not

	valid  []bool
	judged int // how many of the first items have a verdict

	// What sort leaves.
	order []int32
	runs  []run
	place []int32 // by key: 0
}

// run is some items by one key: how many from one of sums.order on.
type run struct{ key, start, n int32 }

// add adds an item with the key of that number.
func (b *sums) add(key int32, k, g *curve.Scalar) {
	b.key = append(b.key, key)
	b.k = append(b.k, *scalarOf(k))
	b.g = append(b.g, *scalarOf(g))
	b.valid = append(b.valid, false)
}

// Len returns how many items there are.
func (b *sums) Len() int { return len(b.key) }

// reset removes all items, and keeps the memory.
func (b *sums) reset() {
	b.keys.reset()
	b.key, b.k, b.g, b.d, b.x, b.rx = b.key[:0], b.k[:0], b.g[:0], b.d[:0], b.x[:0], b.rx[:0]
	b.valid, b.judged = b.valid[:0], 0
}

// sort sets order to the items from one on to another that are not malformed, those by one key side
// by side, and runs to where they are.
func (b *sums) sort(from, to int) {
	for len(b.place) < len(b.keys.all) {
		b.place = append(b.place, 0)
	}
	b.runs = b.runs[:0]
	for _, key := range b.key[from:to] {
		if key < 0 {
			continue
		}
		if b.place[key] == 0 {
			b.runs = append(b.runs, run{key: key})
			b.place[key] = int32(len(b.runs))
		}
		b.runs[b.place[key]-1].n++
	}
	end := int32(0)
	for i := range b.runs {
		r := &b.runs[i]
		r.start = end
		end += r.n
		r.n = 0
	}
	for len(b.order) < int(end) {
		b.order = append(b.order, 0)
	}
	for i, key := range b.key[from:to] {
		if key >= 0 {
			r := &b.runs[b.place[key]-1]
			b.order[r.start+r.n] = int32(from + i)
			r.n++
		}
	}
	for _, r := range b.runs {
		b.place[r.key] = 0
	}
}

// judgeAllVartime gives a verdict on the items that have none.
func (b *sums) judgeAllVartime() {
	b.judgeVartime(b.judged, len(b.key))
	b.judged = len(b.key)
}

// judgeVartime gives verdicts on the items from one on to another, each by itself.
func (b *sums) judgeVartime(from, to int) {
	clear(b.valid[from:to])
	b.sort(from, to)
	if len(b.runs) == 0 {
		return
	}
	w := chunks.Get().(*chunk)
	w.lifter.keys = &b.keys
	all := platform.LiftAll(to - from)
	for _, r := range b.runs {
		if all || platform.Shared(int(r.n)) {
			w.lifter.add(r.key)
		}
	}
	w.lifter.flush()
	for _, s := range [...]state{lifted, encoded} {
		for _, r := range b.runs {
			key := &b.keys.all[r.key]
			if key.state != s {
				continue
			}
			for _, i := range b.order[r.start:][:r.n] {
				if w.n == len(w.of) {
					w.judgeVartime(b, s)
				}
				w.load(b, i, key)
			}
		}
		w.judgeVartime(b, s)
	}
	w.release()
}

// chunk is what some items need of memory while they are judged.
type chunk struct {
	n      int
	of     [batch.Doubles]int32 // the items
	k, g   [batch.Doubles]scalar.Scalar
	d, x   [batch.Doubles]scalar.Scalar // if modN
	a      [batch.Doubles]group.Affine  // if the points are known
	table  [batch.Doubles]batch.Table
	tables []batch.Table // those of the points, or nil if none has one

	sum         [batch.Doubles]group.Jacobian
	affine      [batch.Doubles]group.Affine
	equal, done [batch.Doubles]bool
	picked      [batch.Doubles]int // which are asked about, or have the x coordinate
	inverse     [batch.Doubles]scalar.Scalar
	questions   [batch.Doubles]ecmult.XQuestion
	lifter      lifter
}

// chunks are those that nobody uses.
var chunks = sync.Pool{New: func() any { return new(chunk) }}

// release gives w back, without what it refers to.
func (w *chunk) release() {
	w.clear()
	w.lifter.keys = nil
	chunks.Put(w)
}

// clear removes all items.
func (w *chunk) clear() {
	if w.tables != nil {
		clear(w.table[:])
	}
	w.n, w.tables = 0, nil
}

// load adds item i, by that key.
func (w *chunk) load(b *sums, i int32, key *key) {
	at := w.n
	w.of[at], w.k[at], w.g[at] = i, b.k[i], b.g[i]
	if b.modN {
		w.d[at], w.x[at] = b.d[i], b.x[i]
	}
	w.a[at].Set(&key.point)
	w.table[at] = key.table
	if key.table.Multiples != nil {
		w.tables = w.table[:]
	}
	w.n++
}

// judgeVartime gives verdicts on the items of w, whose points are lifted or encoded, and removes
// them.
func (w *chunk) judgeVartime(b *sums, points state) {
	n := w.n
	if w.tables != nil {
		w.tables = w.tables[:n]
	}
	switch {
	case n == 0:
		return
	case b.modN && points == lifted:
		batch.EqualXModNVartime(w.equal[:n], w.done[:n], w.sum[:n], w.x[:n], w.k[:n], w.a[:n], w.tables, w.g[:n], w.d[:n])
		for i := range n {
			if !w.done[i] {
				w.equal[i] = hasXModN(&w.sum[i], &w.x[i])
			}
		}
	case b.modN:
		w.askVartime(b)
	case points == lifted:
		batch.DoubleScalarVartime(w.sum[:n], w.k[:n], w.a[:n], w.tables, w.g[:n], nil)
		w.areLiftXVartime(b)
	default:
		for at, i := range w.of[:n] {
			var x field.Element
			w.equal[at] = b.keys.all[b.key[i]].setX(&x) && isLiftXOfXVartime(&w.k[at], &x, &w.g[at], &b.rx[i])
		}
	}
	for at, i := range w.of[:n] {
		b.valid[i] = w.equal[at]
	}
	w.clear()
}

// askVartime sets w.equal to the answers for points that are not lifted, with one inversion modulo n
// and one modulo p for all.
func (w *chunk) askVartime(b *sums) {
	batch.InvertVartime(w.inverse[:w.n], w.d[:w.n], nil)
	asked := 0
	for at, i := range w.of[:w.n] {
		k, g, a := &w.k[at], &w.g[at], &b.keys.all[b.key[i]].encoded
		k.Mul(k, &w.inverse[at])
		g.Mul(g, &w.inverse[at])
		if ask(&w.questions[asked], k, a, g, &w.x[at]) {
			w.picked[asked] = at
			asked++
		} else {
			w.equal[at] = liftedXModNVartime(k, a[:], g, &w.x[at])
		}
	}
	ecmult.SumsHaveXVartime(w.questions[:asked])
	for j, at := range w.picked[:asked] {
		v := w.questions[j].Verdict
		w.equal[at] = v == ecmult.Yes
		if v == ecmult.Unknown {
			w.equal[at] = liftedXModNVartime(&w.k[at], b.keys.all[b.key[w.of[at]]].encoded[:], &w.g[at], &w.x[at])
		}
	}
}

// isNormalized reports whether Z = 1, as sums from lanes have it, so that X and Y are the affine coordinates.
func isNormalized(p *group.Jacobian) bool { return p.Z.Limbs() == [4]uint64{1} }

// areLiftXVartime sets w.equal to which of the sums are rx lifted, with one inversion for all that
// have the x coordinate and whose Z is not 1.
func (w *chunk) areLiftXVartime(b *sums) {
	picked := 0
	for at, i := range w.of[:w.n] {
		p, r := &w.sum[at], &b.rx[i]
		w.equal[at] = false
		if isNormalized(p) {
			w.equal[at] = isEvenAt(&group.Affine{X: p.X, Y: p.Y}, r)
			continue
		}
		var x field.Element
		x.Square(&p.Z).Mul(&x, r)
		if p.IsInfinity() == 0 && x.Equal(&p.X) != 0 {
			w.sum[picked].Set(p) // no sum that is still to be looked at is there
			w.picked[picked] = at
			picked++
		}
	}
	group.BatchToAffineVartime(w.affine[:picked], w.sum[:picked])
	for j, at := range w.picked[:picked] {
		w.equal[at] = isEvenAt(&w.affine[j], &b.rx[w.of[at]])
	}
}
