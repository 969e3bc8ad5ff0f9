package batch

import (
	"p256k1.mleku.dev/v2/internal/ecmult"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/lanes"
	"p256k1.mleku.dev/v2/internal/parts"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// This file computes sums (k·a + g·G)/d of public values. Each sum is computed in one of four ways:
//
//   - in lanes, eight at a time, if the processor has them;
//   - with a table of multiples of a, if a has a Table;
//   - together with its neighbours that have the same point, if there are at least three, with shared tables;
//   - by itself.
//
// Package lanes computes its sums first. If its formulas fail for a sum, it sets Done = false. restVartime then
// computes the sums that are not done, by formulas that hold for all points. So the choice between the four ways
// affects only how long a sum takes, and never its value. The divisors of the sums that lanes have not computed share
// one inversion modulo n.

// Item is a sum (K·A + G·G)/D of public values, and what is claimed and known about it.
type Item = lanes.Item

// inLanes returns the items that lanes compute, which are the first items. Lanes in doubles compute none from the first
// point with a table on. Otherwise only tables among the last n%lanes.N of n items count, because lanes, if the
// processor has them, compute all other sums in any case.
func inLanes(items []Item) []Item {
	n, tabled := len(items), 0
	if !platform.TablesInLanes() {
		n = 0
		for n < len(items) && items[n].Table.Multiples == nil {
			n++
		}
		return items[:platform.SumsInLanes(n, 0)]
	}
	for i := n - n%lanes.N; i < n; i++ {
		if items[i].Table.Multiples != nil {
			tabled++
		}
	}
	return items[:platform.SumsInLanes(n, tabled)]
}

// DoubleScalarVartime sets the sum of each item with OK to (K·A + G·G)/D, or to K·A + G·G if divided is false, and
// changes K and G. If D = 0 the sum is infinity, because 1/0 counts as 0. The points must be on the curve. Sums from
// lanes have Z = 1. Neighbouring items with equal points share work.
func DoubleScalarVartime(items []Item, divided bool) {
	divided = divideVartime(items, divided)
	first := inLanes(items)
	if len(first) > 0 && lanes.DoubleScalarVartime(first, divided) {
		items = items[len(first):]
		first = nil
	}
	restVartime(items, len(first), divided)
}

// EqualXModNVartime sets OK to whether (K·A + G·G)/D is finite and its x coordinate, reduced modulo n, is X, for each
// item with OK, and sets Done = true. For some items it does not compare, but sets Done = false and the sum, as
// DoubleScalarVartime does.
func EqualXModNVartime(items []Item) {
	divided := divideVartime(items, true)
	first := inLanes(items)
	if len(first) > 0 && lanes.EqualXModNVartime(first, divided) {
		items = items[len(first):]
		first = nil
	}
	restVartime(items, len(first), divided)
}

// divideVartime divides K and G of all items with OK by D, if divided is true and lanes do not divide. It reports
// whether they are still to be divided.
func divideVartime(items []Item, divided bool) bool {
	if !divided || platform.ScalarsInLanes() {
		return divided
	}
	for i := range items {
		items[i].Done = false
	}
	DivideVartime(items)
	return false
}

// isDue reports whether the sum of an item is to be computed here.
func isDue(m *Item) bool { return m.OK && !m.Done }

// restVartime sets the sums of the items that are due, and changes K and G. Package lanes has set Done of the first n
// items.
func restVartime(items []Item, n int, divided bool) {
	for i := n; i < len(items); i++ {
		items[i].Done = false
	}
	if divided {
		DivideVartime(items)
	}
	for from := 0; from < len(items); {
		to := run(items, from)
		switch first := &items[from]; {
		case !isDue(first):
		case first.Table.Multiples != nil:
			first.K.CondNegate(&first.K, first.Table.Minus)
			ecmult.DoubleScalarPrecomputedVartime(&first.Sum, &first.K, first.Table.Multiples, &first.G)
		case platform.Shared(to - from):
			sharedVartime(items[from:to])
		default:
			for i := from; i < to; i++ {
				var p group.Jacobian
				p.SetAffine(&items[i].A)
				ecmult.DoubleScalarVartime(&items[i].Sum, &items[i].K, &p, &items[i].G)
			}
		}
		from = to
	}
}

// DivideVartime sets K = K/D and G = G/D for the items that are OK and not done, with one inversion for all items, of
// which there are up to parts.Sums. 1/0 counts as 0.
func DivideVartime(items []Item) {
	var before [parts.Sums]scalar.Scalar
	all, due := scalar.FromLimbs(1, 0, 0, 0), false
	for i := range items {
		if m := &items[i]; isDue(m) {
			if m.D.IsZero() != 0 {
				m.K, m.G, m.D = scalar.Scalar{}, scalar.Scalar{}, scalar.FromLimbs(1, 0, 0, 0)
			}
			scalar.Append(&all, &before[i], &m.D)
			due = true
		}
	}
	if !due {
		return
	}
	all.InvertVartime(&all)
	for i := len(items) - 1; i >= 0; i-- {
		if m := &items[i]; isDue(m) {
			var inverse scalar.Scalar
			scalar.Remove(&all, &inverse, &before[i], &m.D)
			m.K.Mul(&m.K, &inverse)
			m.G.Mul(&m.G, &inverse)
		}
	}
}

// NormalizeVartime changes the sums of the items with OK to coordinates with Z = 1, with one inversion for all items.
// If a sum is infinity, it sets OK = false. It changes A.
func NormalizeVartime(items []Item) {
	all, due := field.FromLimbs(1, 0, 0, 0), false
	for i := range items {
		m := &items[i]
		m.OK = m.OK && m.Sum.IsInfinity() == 0
		if m.OK && !m.IsNormalized() {
			field.Append(&all, &m.A.X, &m.Sum.Z)
			due = true
		}
	}
	if !due {
		return
	}
	all.InvertVartime(&all)
	for i := len(items) - 1; i >= 0; i-- {
		if m := &items[i]; m.OK && !m.IsNormalized() {
			var inverse field.Element
			field.Remove(&all, &inverse, &m.A.X, &m.Sum.Z)
			a := group.Affine{X: m.Sum.X, Y: m.Sum.Y}
			a.Rescale(&a, &inverse)
			m.Sum.SetAffine(&a)
		}
	}
}

// run returns the end of the run of items that begins with item from. A run consists of successive items that are due,
// have no table, and have the same point. If item from is not due or has a table, the run is item from alone.
func run(items []Item, from int) (to int) {
	first := &items[from]
	to = from + 1
	if !isDue(first) || first.Table.Multiples != nil {
		return to
	}
	for to < len(items) && isDue(&items[to]) && items[to].Table.Multiples == nil && same(&first.A, &items[to].A) {
		to++
	}
	return to
}

// same reports whether two points have the same limbs. Equal points may have different limbs, since field elements need
// not be reduced. Such points share no work, but their sums are correct all the same.
func same(a, b *group.Affine) bool {
	return a.X.Limbs() == b.X.Limbs() && a.Y.Limbs() == b.Y.Limbs()
}

// sharedVartime computes the sums of items that all have the same point.
func sharedVartime(items []Item) {
	var tables ecmult.Shared
	tables.SetVartime(&items[0].A)
	for i := range items {
		tables.DoubleScalarVartime(&items[i].Sum, &items[i].K, &items[i].G)
	}
}
