package lanes

import (
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/scalar"
	"p256k1.mleku.dev/v2/internal/tables"
)

// Item is a sum (K·A + G·G)/D of public values, for the generator G, and what is claimed and known about it. A function
// divides by D if it says so, and 1/0 counts as 0.
type Item struct {
	K, G scalar.Scalar
	D, X scalar.Scalar // X is the x coordinate, modulo n, that the sum is claimed to have
	A    group.Affine
	Sum  group.Jacobian

	Table tables.Table // multiples of A, if A has a table

	// OK is false if the item is malformed or known to be invalid. Such an item stays in its place, and its sum is not
	// computed, or computed and ignored.
	OK bool

	// Done is true if package lanes has computed the sum, with Z = 1, or has compared it with X.
	Done bool

	_ [14]byte // padding to five cache lines
}

// block returns the items of block i: items 8·i, …, 8·i + 7, or fewer in the last block.
func block(items []Item, i int) []Item { return items[N*i : min(N*(i+1), len(items))] }

// IsNormalized reports whether Z of the sum is 1, so that X and Y are the affine coordinates. Sums that package lanes
// computed have Z = 1.
func (m *Item) IsNormalized() bool { return m.Sum.Z.Limbs() == [4]uint64{1} }
