package lanes

import (
	"sync"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
	"p256k1.mleku.dev/v2/internal/tables"
)

// Multiples of G by eight secret scalars at once, as Base of package ecmult has them, with a
// look-up in registers: permuting them takes the same time for every index.

// baseRow is the multiples for a window.
type baseRow = tables.LanesRow

// baseWords are two words of scalars one after the other: word k of lane i is w[k][i].
type baseWords [2][N]uint64

// baseWorkspace holds the vectors of a multiplication of G. It is larger than 32 KiB, so
// it begins a page, and vectors lie on 64 bytes. What is not constant is wiped after use.
type baseWorkspace struct {
	one, beta Element
	step      baseStep
	blocks    baseSums
	_         [32 << 10]byte
}

// baseStep is what one window takes.
type baseStep struct {
	packed Words
	x, y   Element
	p, q   XYZZ
	minus  uint8 // the lanes with a negative digit
	_      [63]byte
}

// baseBlocks is how many blocks have their inversion in common.
const baseBlocks = 8

// baseSums are the sums of these.
type baseSums struct {
	words              [baseBlocks][5][N]uint64 // of scalars, and 0
	sum                [baseBlocks]XYZZ
	before             [baseBlocks]Element
	opposite, infinite [baseBlocks]uint8 // the lanes whose scalar was negated, and which are infinity
}

// baseWorkspaces are those that nobody uses.
var baseWorkspaces = sync.Pool{New: func() any {
	w := new(baseWorkspace)
	for i := range N {
		w.one.set(i, &one)
		w.beta.set(i, &group.Beta)
	}
	return w
}}

// baseException is the scalar for which the last addition of Base would meet equal points
// (docs/digits.md, S11). Its negative takes its place, for which none does.
var baseException = scalar.FromLimbs(0x7d812bb362f7918e, 0x3590149d95f8c344, 0xffffffffffffffee, 0x1fffffffffffffff)

// avoidException sets d to k, or to −k if k is the exception, and returns all ones in that case.
func avoidException(d, k, exception *scalar.Scalar) (negated uint64) {
	negated = k.Equal(exception)
	d.CondNegate(k, negated)
	return negated
}

// Base sets p[i] = k[i]·G, with Z = 1, or Z = 0 for infinity.
func Base(p []*group.Jacobian, k []*scalar.Scalar) {
	if len(k) == 0 {
		return
	}
	w := baseWorkspaces.Get().(*baseWorkspace)
	for len(k) > 0 {
		n := min(baseBlocks*N, len(k))
		w.base(p[:n], k[:n])
		p, k = p[n:], k[n:]
	}
	w.step = baseStep{} // one by one: together they would be on the stack first
	w.blocks = baseSums{}
	baseWorkspaces.Put(w)
}

// base is Base for up to baseBlocks blocks.
func (w *baseWorkspace) base(p []*group.Jacobian, k []*scalar.Scalar) {
	blocks := (len(k) + N - 1) / N
	g := &w.blocks
	for i := range blocks {
		g.load(i, k[N*i:min(N*(i+1), len(k))])
	}
	w.addWindows(blocks)
	// Montgomery's trick (docs/inversion.md, I12), with 1 in place of 0.
	all, z := &w.step.x, &w.step.y
	*all = w.one
	for i := range blocks {
		sum := &g.sum[i]
		g.infinite[i] = isZero(&sum.ZZZ)
		blend(&sum.ZZZ, &w.one, &sum.ZZZ, g.infinite[i])
		g.before[i] = *all
		mul(all, all, &sum.ZZZ)
	}
	invert(all)
	for i := blocks - 1; i >= 0; i-- {
		sum := &g.sum[i]
		mul(z, all, &g.before[i]) // 1/Z³
		mul(all, all, &sum.ZZZ)
		mul(&sum.Y, &sum.Y, z)
		mul(z, z, &sum.ZZ) // 1/Z
		squareN(z, z, 1)
		mul(&sum.X, &sum.X, z)
		negate(&sum.Y, &sum.Y, g.opposite[i])
		w.store(p[N*i:min(N*(i+1), len(p))], i)
	}
}

// load sets the bits of block i to those of k.
func (g *baseSums) load(i int, k []*scalar.Scalar) {
	var d scalar.Scalar
	opposite := uint8(0)
	for lane := range N {
		negated := avoidException(&d, k[inLane(lane, len(k))], &baseException)
		for word, bits := range recode.Lanes(&d) {
			g.words[i][word][lane] = bits
		}
		opposite |= uint8(negated) & 1 << lane
	}
	g.opposite[i] = opposite
}

// addWindows sets the sums of blocks, which take turns with the row of a window.
func (w *baseWorkspace) addWindows(blocks int) {
	s, g, table := &w.step, &w.blocks, tables.BaseLanes()
	for window := range recode.LanesDigits {
		at := window * recode.LanesWidth
		for i := range blocks {
			baseLookup(&s.x, &s.y, &s.minus, &table[window], (*baseWords)(g.words[i][at/64:]), at%64)
			if window == 0 {
				s.start(&g.sum[i], &w.one)
			} else {
				addMixedXYZZ(&g.sum[i], &s.x, &s.y, s.minus, 0xFF)
			}
		}
	}
}

// start sets p to the first points.
func (s *baseStep) start(p *XYZZ, one *Element) {
	p.X = s.x
	negate(&p.Y, &s.y, s.minus)
	p.ZZ = *one
	p.ZZZ = *one
}

// get sets e to lane i.
func (w *Words) get(i int, e *field.Element) {
	*e = field.FromLimbs(w[0][i], w[1][i], w[2][i], w[3][i])
}

// set sets lane i to e.
func (w *Words) set(i int, e *field.Element) {
	for k, word := range e.Limbs() {
		w[k][i] = word
	}
}

// store sets p to the affine points in sum i.
func (w *baseWorkspace) store(p []*group.Jacobian, i int) {
	sum, packed := &w.blocks.sum[i], &w.step.packed
	pack(packed, &sum.X)
	for lane := range p {
		packed.get(lane, &p[lane].X)
	}
	pack(packed, &sum.Y)
	for lane := range p {
		packed.get(lane, &p[lane].Y)
		p[lane].Z.Select(&field.Element{}, &one, -uint64(w.blocks.infinite[i]>>lane&1))
	}
}
