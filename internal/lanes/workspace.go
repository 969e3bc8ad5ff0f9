package lanes

import (
	"sync"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/params"
	"p256k1.mleku.dev/v2/internal/recode"
)

// workspace holds the vectors of a computation with eight lanes. It is larger than 32
// KiB, so it begins a page, and vectors lie on 64 bytes. Nothing in it is secret.
type workspace struct {
	one, half, beta, beta2, b Element // constants

	// Of all blocks of a chunk: the divisors or their inverses, products of those before, and the sums.
	divisor, before [chunkBlocks]Element
	sums            [chunkBlocks]Jacobian2Y

	// Of up to two blocks at a time.
	products [2]product
	sum      [2]Jacobian2Y
	infinity [2]uint8 // the lanes in which the sum has not begun
	_        [62]byte

	lift lift

	temporary      [4]Element
	temporaryPoint [2]Affine
	ratio          [recode.RegularPointEntries]Element

	halves halves

	affine    [N]group.Affine    // of a group
	noDivisor [chunkBlocks]uint8 // the lanes whose divisor is 0
}

// product is what eight sums k·point + g·G are made of.
type product struct {
	point   Affine    // in each lane
	table   multiples // of these
	z       Element   // of the table
	toTable isomorphism
	ofPoint pointDigits
	ofG     generatorDigits
}

// workspaces are those that nobody uses.
var workspaces = sync.Pool{New: func() any {
	w := new(workspace)
	for i := range N {
		w.one.set(i, &one)
		w.half.set(i, &half)
		w.beta.set(i, &group.Beta)
		w.beta2.set(i, new(field.Element).Square(&group.Beta))
		w.b.set(i, &b)
	}
	return w
}}

var (
	one  = field.FromLimbs(1, 0, 0, 0)
	half = *new(field.Element).Half(&one)
	b    = field.FromLimbs(params.B&params.Limb, params.B>>64&params.Limb, params.B>>128&params.Limb, params.B>>192)
)

// A chunk is what shares an inversion.
const (
	chunkBlocks = 32
	chunk       = chunkBlocks * N
)
