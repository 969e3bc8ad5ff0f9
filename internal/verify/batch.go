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

// sums is the part that batches of both schemes have in common. It holds items, each of which claims something about
// a sum (k·A + g·G)/d, and the verdicts on these items. reset keeps the memory, so that a batch that is no longer
// than the previous batch seldom allocates.
//
// Items with the same key are judged together, because they share work: tables (batch.DoubleScalarVartime), and the
// point of the key if it is computed before. So sort groups the items of a call by their keys, lifter computes the
// points of keys if that saves time, and chunk judges up to 256 items at a time.
type sums struct {
	modN bool // the claim is that x(sum) ≡ x modulo n, or else, with d = 1, that the sum has the x coordinate rx and even y

	keys keys
	key  []int32 // for each item: the index of the key A in keys, or −1 if the item is malformed
	k, g []scalar.Scalar
	d, x []scalar.Scalar // if modN
	rx   []field.Element // if not modN

	valid  []bool // for each item: the verdict
	judged int    // the number of items that have a verdict; they are the first items

	// The following fields are the results of sort.
	order []int32 // the items; the items of one key are side by side
	runs  []run   // for each key: where its items are in order
	place []int32 // for each key: scratch memory of sort, which is 0 between calls of sort
}

// run describes where the items of one key are: order[start], …, order[start+n−1].
type run struct{ key, start, n int32 }

// add adds an item with the key of index key, or a malformed item if key is −1.
func (b *sums) add(key int32, k, g *curve.Scalar) {
	b.key = append(b.key, key)
	b.k = append(b.k, *scalarOf(k))
	b.g = append(b.g, *scalarOf(g))
	b.valid = append(b.valid, false)
}

// Len returns the number of items.
func (b *sums) Len() int { return len(b.key) }

// reset removes all items, and keeps the memory.
func (b *sums) reset() {
	b.keys.reset()
	b.key, b.k, b.g, b.d, b.x, b.rx = b.key[:0], b.k[:0], b.g[:0], b.d[:0], b.x[:0], b.rx[:0]
	b.valid, b.judged = b.valid[:0], 0
}

// sort sets order to items from, …, to − 1, except malformed items. Items with the same key are next to each other in
// order, and runs says where. sort is a counting sort, with the keys in the order of their first items.
func (b *sums) sort(from, to int) {
	// First pass: make a run for each key and count its items. place[key] is 1 more than the index of the run.
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
	// Second pass: find where each run starts, and put the items there.
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
	// Clear place for the next call. Clearing only the keys of this call takes less time than clearing all keys.
	for _, r := range b.runs {
		b.place[r.key] = 0
	}
}

// judgeAllVartime gives a verdict on each item that has none.
func (b *sums) judgeAllVartime() {
	b.judgeVartime(b.judged, len(b.key))
	b.judged = len(b.key)
}

// judgeVartime gives verdicts on items from, …, to − 1, each by its own equation.
func (b *sums) judgeVartime(from, to int) {
	clear(b.valid[from:to])
	b.sort(from, to)
	if len(b.runs) == 0 {
		return
	}
	w := chunks.Get().(*chunk)
	w.lifter.keys = &b.keys
	// Compute the points of all keys if package lanes then computes eight sums at a time, and otherwise the points of
	// the keys with enough items. A key that is not lifted stays encoded, and its items are judged by the x
	// coordinate of the key (docs/rootless.md).
	all := platform.LiftAll(to - from)
	for _, r := range b.runs {
		if all || platform.Shared(int(r.n)) {
			w.lifter.add(r.key)
		}
	}
	w.lifter.flush()
	// Items whose key encodes no point (refused) are not valid. Items whose keys have been lifted and items whose keys are
	// still encoded go into different chunks.
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

// chunk is the memory for judging up to batch.Doubles items.
type chunk struct {
	n      int
	of     [batch.Doubles]int32 // the indexes of the items in the batch
	k, g   [batch.Doubles]scalar.Scalar
	d, x   [batch.Doubles]scalar.Scalar // if modN
	a      [batch.Doubles]group.Affine  // the keys, if they are lifted
	table  [batch.Doubles]batch.Table
	tables []batch.Table // table[:n], or nil if no key has a table

	sum         [batch.Doubles]group.Jacobian
	affine      [batch.Doubles]group.Affine
	equal, done [batch.Doubles]bool
	picked      [batch.Doubles]int // the indexes in this chunk of the items that need a further step
	inverse     [batch.Doubles]scalar.Scalar
	questions   [batch.Doubles]ecmult.XQuestion
	lifter      lifter
}

// chunks holds chunks that are not in use.
var chunks = sync.Pool{New: func() any { return new(chunk) }}

// release puts w back into chunks, without references to keys and tables.
func (w *chunk) release() {
	w.clear()
	w.lifter.keys = nil
	chunks.Put(w)
}

// clear removes all items of the chunk.
func (w *chunk) clear() {
	if w.tables != nil {
		clear(w.table[:])
	}
	w.n, w.tables = 0, nil
}

// load adds item i of the batch, whose key is given.
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

// judgeVartime gives verdicts on the items of w, whose keys are all lifted or all encoded, and removes these items.
func (w *chunk) judgeVartime(b *sums, points state) {
	n := w.n
	if w.tables != nil {
		w.tables = w.tables[:n]
	}
	switch {
	case n == 0:
		return
	case b.modN && points == lifted: // ECDSA: compares, or computes the sum
		batch.EqualXModNVartime(w.equal[:n], w.done[:n], w.sum[:n], w.x[:n], w.k[:n], w.a[:n], w.tables, w.g[:n], w.d[:n])
		for i := range n {
			if !w.done[i] {
				w.equal[i] = hasXModN(&w.sum[i], &w.x[i])
			}
		}
	case b.modN: // ECDSA, without y of the keys
		w.askVartime(b)
	case points == lifted: // BIP-340 needs y of the sum
		batch.DoubleScalarVartime(w.sum[:n], w.k[:n], w.a[:n], w.tables, w.g[:n], nil)
		w.areLiftXVartime(b)
	default: // BIP-340, without y of the keys
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

// askVartime sets w.equal to the verdicts on claims about x modulo n whose keys are encoded. For most items it does
// not compute the y of the key, and it makes one inversion modulo n and one modulo p for all items. Items that cannot
// be judged without y, or that remain undecided, are judged one by one, with y.
func (w *chunk) askVartime(b *sums) {
	scalar.InvertBatchVartime(w.inverse[:w.n], w.d[:w.n])
	asked := 0 // the number of questions to package ecmult; picked has the indexes of their items
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

// isNormalized reports whether Z = 1, so that X and Y are the affine coordinates. Sums that package lanes computed
// have Z = 1.
func isNormalized(p *group.Jacobian) bool { return p.Z.Limbs() == [4]uint64{1} }

// areLiftXVartime sets w.equal to whether each sum has the x coordinate rx and even y. If Z ≠ 1, it first compares X
// with rx·Z², which needs no inversion. Only sums that pass this comparison also need y, and they share one inversion.
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
			w.sum[picked].Set(p) // picked ≤ at, so no sum is overwritten before its turn
			w.picked[picked] = at
			picked++
		}
	}
	group.BatchToAffineVartime(w.affine[:picked], w.sum[:picked])
	for j, at := range w.picked[:picked] {
		w.equal[at] = isEvenAt(&w.affine[j], &b.rx[w.of[at]])
	}
}
