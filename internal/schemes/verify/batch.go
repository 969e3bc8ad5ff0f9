package verify

import (
	"sync"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/batch"
	"p256k1.mleku.dev/v2/internal/ecmult"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/parts"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/scalar"
	"p256k1.mleku.dev/v2/internal/tables"
)

// sums is the part that batches of both schemes have in common. It holds items, each of which claims something about a
// sum (k·A + g·G)/d, and the verdicts on these items. reset keeps the memory, so that a batch that is no longer than
// the previous batch seldom allocates.
//
// Items with the same key are judged together, because they share work: tables (batch.DoubleScalarVartime), and the
// point of the key if it is computed before. So sort groups the items of a call by their keys, lifter computes the
// points of keys if that saves time, and chunk judges many items at a time.
type sums struct {
	modN bool // the claim is that x(sum) ≡ x modulo n, or else, with d = 1, that the sum has the x coordinate rx and even y

	keys keys
	key  []int32 // for each item: the index of the key A in keys, or −1 if the item is malformed
	k, g []scalar.Scalar
	d, x []scalar.Scalar // if modN
	rx   []field.Element // if not modN

	valid  []bool  // for each item: the verdict
	judged int     // the number of items that have a verdict; they are the first items
	items  []int32 // the result of unjudged

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

// appendInvalid appends the indexes of the items whose verdict is not valid to dst, in ascending order.
func (b *sums) appendInvalid(dst []int) []int {
	for i, ok := range b.valid {
		if !ok {
			dst = append(dst, i)
		}
	}
	return dst
}

// unjudged returns the items that have no verdict, except malformed items, which are not valid without any work. The
// slice is valid until the next call.
func (b *sums) unjudged() []int32 {
	b.items = b.items[:0]
	for i := b.judged; i < len(b.key); i++ {
		if b.key[i] >= 0 {
			b.items = append(b.items, int32(i))
		}
	}
	return b.items
}

// sort sets order to the given items. Items with the same key are next to each other in order, and runs says where.
// sort is a counting sort, with the keys in the order of their first items.
func (b *sums) sort(items []int32) {
	// First pass: make a run for each key and count its items. place[key] is 1 more than the index of the run.
	for len(b.place) < len(b.keys.all) {
		b.place = append(b.place, 0)
	}
	b.runs = b.runs[:0]
	for _, i := range items {
		key := b.key[i]
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
	for _, i := range items {
		r := &b.runs[b.place[b.key[i]]-1]
		b.order[r.start+r.n] = i
		r.n++
	}
	// Clear place for the next call. Clearing only the keys of this call takes less time than clearing all keys.
	for _, r := range b.runs {
		b.place[r.key] = 0
	}
}

// judgeVartime gives verdicts on the given items, each by its own equation.
func (b *sums) judgeVartime(items []int32) {
	b.sort(items)
	if len(b.runs) == 0 {
		return
	}
	w := chunks.Get().(*chunk)
	w.lifter.keys = &b.keys
	// Compute the points of all keys if package lanes then computes eight sums at a time, and otherwise the points of
	// the keys with enough items. A key that is not lifted stays encoded, and its items are judged by the x coordinate
	// of the key (docs/rootless.md).
	all := platform.LiftAllVartime(len(items))
	for _, r := range b.runs {
		if all || platform.Shared(int(r.n)) {
			w.lifter.addVartime(r.key)
		}
	}
	w.lifter.flushVartime()
	// Items whose key encodes no point (refused) are not valid. Items whose keys have been lifted and items whose keys
	// are still encoded go into different chunks. Keys with tables come last among the lifted keys (batch.inLanes).
	for i, group := range [...]struct {
		state
		table bool
	}{{lifted, false}, {lifted, true}, {encoded, false}} {
		for _, r := range b.runs {
			key := &b.keys.all[r.key]
			if key.state != group.state || (key.table.Multiples != nil) != group.table {
				continue
			}
			for _, item := range b.order[r.start:][:r.n] {
				if w.n == len(w.items) {
					w.judgeVartime(b, group.state)
				}
				w.load(b, item, key)
			}
		}
		if i > 0 {
			w.judgeVartime(b, group.state)
		}
	}
	w.release()
}

// chunk is the memory for judging up to parts.Sums items.
type chunk struct {
	items     [parts.Sums]batch.Item // first, so that items begin at cache lines
	index     [parts.Sums]int32      // the indexes of the items in the batch
	n         int
	questions [parts.Sums]ecmult.XQuestion
	lifter    lifter

	// The following fields are for SumsOfBytesVartime, whose callers may keep no pointers to them.
	encoded [33]byte
	k, g, d curve.Scalar
	point   curve.Point
}

// chunks holds chunks that are not in use.
var chunks = sync.Pool{New: func() any { return new(chunk) }}

// release puts w back into chunks, without references to keys and tables.
func (w *chunk) release() {
	w.lifter.keys = nil
	chunks.Put(w)
}

// load adds item i of the batch, whose key is given.
func (w *chunk) load(b *sums, i int32, key *key) {
	m := &w.items[w.n]
	w.index[w.n], m.K, m.G, m.A, m.Table, m.OK = i, b.k[i], b.g[i], key.point, key.table, true
	if b.modN {
		m.D, m.X = b.d[i], b.x[i]
	}
	w.n++
}

// judgeVartime gives verdicts on the items of w, whose keys are all lifted or all encoded, and removes these items.
func (w *chunk) judgeVartime(b *sums, points state) {
	items := w.items[:w.n]
	switch {
	case w.n == 0:
		return
	case b.modN && points == lifted: // ECDSA: compares, or computes the sum
		batch.EqualXModNVartime(items)
		for i := range items {
			m := &items[i]
			m.OK = m.OK && (m.Done || hasXModN(&m.Sum, &m.X))
		}
	case b.modN: // ECDSA, without y of the keys
		w.askVartime(b)
	case points == lifted: // BIP-340 needs y of the sum
		batch.DoubleScalarVartime(items, false)
		w.areEvenYVartime(b)
	default: // BIP-340, without y of the keys
		for j, i := range w.index[:w.n] {
			var x field.Element
			m := &items[j]
			m.OK = setX(&x, &b.keys.all[b.key[i]].encoded) && isEvenYOfXVartime(&m.K, &x, &m.G, &b.rx[i])
		}
	}
	for j, i := range w.index[:w.n] {
		b.valid[i] = items[j].OK
		items[j].Table = tables.Table{}
	}
	w.n = 0
}

// askVartime sets OK to the verdicts on claims about x modulo n whose keys are encoded. For most items it does not
// compute the y of the key, and it makes one inversion modulo n and one modulo p for all items. Items that cannot be
// judged without y, or that remain undecided, are judged one by one, with y.
func (w *chunk) askVartime(b *sums) {
	items, questions := w.items[:w.n], w.questions[:w.n]
	for i := range items {
		items[i].Done = false
	}
	batch.DivideVartime(items)
	for j, i := range w.index[:w.n] {
		m := &items[j]
		questions[j].Skip = !ask(&questions[j], &m.K, &b.keys.all[b.key[i]].encoded, &m.G, &m.X)
	}
	ecmult.SumsHaveXVartime(questions)
	for j, i := range w.index[:w.n] {
		m, v := &items[j], questions[j].Verdict
		m.OK = v == ecmult.Yes || (v == ecmult.Unknown && liftedXModNVartime(&m.K, b.keys.all[b.key[i]].encoded[:], &m.G, &m.X))
	}
}

// areEvenYVartime sets OK to whether each sum has the x coordinate rx and even y. If Z ≠ 1, it first compares X with
// rx·Z², which needs no inversion. Only sums that pass this comparison also need y, and they share one inversion.
func (w *chunk) areEvenYVartime(b *sums) {
	items := w.items[:w.n]
	for j, i := range w.index[:w.n] {
		if m := &items[j]; !m.IsNormalized() {
			var x field.Element
			x.Square(&m.Sum.Z).Mul(&x, &b.rx[i])
			m.OK = x.Equal(&m.Sum.X) != 0
		}
	}
	batch.NormalizeVartime(items)
	for j, i := range w.index[:w.n] {
		m := &items[j]
		m.OK = m.OK && isEvenAt(&group.Affine{X: m.Sum.X, Y: m.Sum.Y}, &b.rx[i])
	}
}
