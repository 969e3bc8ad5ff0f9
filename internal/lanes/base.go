package lanes

import (
	"sync"

	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
	"p256k1.mleku.dev/v2/internal/tables"
)

// This file multiplies G by secret scalars: by eight at once, as Base of package ecmult does, and by
// one that is spread over the lanes. Look-ups permute registers, or memory that is read in any
// case, which takes the same time for every index.

// baseRow is the multiples for a window.
type baseRow = tables.LanesRow

// baseOneRows are the multiples for the windows of four lanes.
type baseOneRows [N / 2]tables.LanesOneRow

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
	zzz, inverse       [baseBlocks]Element // ZZZ of the sums, with 1 in place of 0, and 1/ZZZ
	opposite, infinite [baseBlocks]uint8   // the lanes whose scalar was negated, and which are infinity
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

// baseOneException is the scalar for which the last addition of BaseOne would meet equal
// points (docs/digits.md, S21). Its negative takes its place, for which none does.
var baseOneException = scalar.FromLimbs(0x10062a7471dd118a, 0xe1a3b275347dca84, 0xfd9e9cb5450ae590, 0xf985643ee90f61da)

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
	for i := range blocks {
		zzz := &g.sum[i].ZZZ
		g.infinite[i] = isZero(zzz)
		blend(&g.zzz[i], &w.one, zzz, g.infinite[i])
	}
	invertBlocks(g.inverse[:blocks], g.zzz[:blocks], &w.step.x)
	for i := range blocks {
		sum, z := &g.sum[i], &g.inverse[i]
		mul(&sum.Y, &sum.Y, z)
		mul(z, z, &sum.ZZ) // 1/Z
		squareN(z, z, 1)
		mul(&sum.X, &sum.X, z)
		negate(&sum.Y, &sum.Y, g.opposite[i])
		storeAffine(p[N*i:min(N*(i+1), len(p))], &sum.X, &sum.Y, g.infinite[i], &w.step.packed)
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

// BaseOne sets p = k·G. The windows are those of recode.Variable, for k1 in lanes 0 to 3 and for k2
// in lanes 4 to 7, so that a row of multiples is read for two windows. Lane i adds up windows
// i, i + 4, … Then the lanes are added, in which no two points are equal or opposite, unless k = 0.
func BaseOne(p *group.Jacobian, k *scalar.Scalar) {
	table := tables.BaseLanesOne()
	w := baseWorkspaces.Get().(*baseWorkspace)
	s := &w.step
	var d scalar.Scalar
	negated := avoidException(&d, k, &baseOneException)
	k1, k2 := recode.Variable(&d)
	const perStep = N / 2
	for i := 0; i < recode.VariableDigits; i += perStep {
		n := min(perStep, recode.VariableDigits-i)
		windows := k1.VariableWindows(i, perStep) | k2.VariableWindows(i, perStep)<<(perStep*recode.VariableWidth)
		baseLookupOne(&s.x, &s.y, &s.minus, (*baseOneRows)(table[i:]), windows, n)
		if i == 0 {
			s.start(&s.p, &w.one)
		} else {
			addMixedXYZZ(&s.p, &s.x, &s.y, s.minus, 0x11*(1<<n-1))
		}
	}
	mul(&s.x, &s.p.X, &w.beta) // times λ
	blend(&s.p.X, &s.x, &s.p.X, 0xF0)
	for n := N / 2; n > 0; n /= 2 {
		turn(&s.q, &s.p, n)
		addXYZZ(&s.p, &s.q)
	}
	sum := s.p.get(0)
	sum.Y.CondNegate(&sum.Y, negated)
	p.SetXYZZ(&sum)
	w.step = baseStep{}
	baseWorkspaces.Put(w)
}
