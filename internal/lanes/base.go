package lanes

import (
	"sync"

	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/parts"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
	"p256k1.mleku.dev/v2/internal/tables"
)

// This file multiplies G by secret scalars, in two ways.
//
// Base multiplies G by eight scalars at once, one in each lane. A scalar has 37 odd digits of 7 bits, and the product
// is the sum of one table entry for each digit: Σ dᵢ·2⁷ⁱ·G. There are no doublings. A look-up permutes registers that
// hold all entries of a row.
//
// BaseOne multiplies G by one scalar k1 + k2·λ, whose halves have 26 digits each. Lanes 0 to 3 take the digits of k1,
// and lanes 4 to 7 those of k2. A look-up reads all entries of its rows.
//
// The addition formula fails for equal points, so it must be shown that no addition has equal points. Because the first
// digit is odd, the sum before window i is an odd multiple s·G with |s| < 2⁷ⁱ, and the point to be added is d·2⁷ⁱ·G
// with 0 < |d| < 2⁷. Neither d·2⁷ⁱ + s nor d·2⁷ⁱ − s is 0, and before the last window the absolute values of both are
// below the group order. In the last addition, the points are equal for one scalar, which is avoided (baseException),
// and opposite for the scalar 0. For opposite points the formula gives ZZZ ≡ 0, which correctly stands for infinity.
// docs/digits.md proves these statements for Base in S11, and for BaseOne in S21.

// baseRow holds the multiples of G for one window of eight scalars.
type baseRow = tables.LanesRow

// baseOneRows holds the multiples of G for four windows. Lanes i and i + 4 use row i.
type baseOneRows [N / 2]tables.LanesOneRow

// baseWords is two consecutive words of eight scalars: word k of lane i is w[k][i].
type baseWords [2][N]uint64

// secretWorkspace holds the vectors of multiplications by secret scalars. It is larger than 32 KiB, so Go allocates it
// at the beginning of a page, and its vectors are aligned to 64 bytes. Everything in it is wiped after use, except the
// constants and the coordinates of the points that LiftX computes.
type secretWorkspace struct {
	one, half, beta Element
	base            baseStep
	bases           baseSums
	variable        variableStep
	variables       variableSums
	lift            lift
	_               [32 << 10]byte
}

// secretWorkspaces holds workspaces that are not in use.
var secretWorkspaces = sync.Pool{New: func() any {
	w := new(secretWorkspace)
	for i := range N {
		w.one.set(i, &one)
		w.half.set(i, &half)
		w.beta.set(i, &group.Beta)
		w.lift.b.set(i, &b)
	}
	return w
}}

// baseStep holds the vectors for adding one window. BaseOne also uses these vectors.
type baseStep struct {
	packed Words
	x, y   Element
	p, q   XYZZ
	minus  uint8 // the lanes with a negative digit
	_      [63]byte
}

// baseBlocks is the number of blocks that share an inversion.
const baseBlocks = parts.Bases / N

// baseSums holds the scalars and the sums of the blocks that share an inversion.
type baseSums struct {
	words              [baseBlocks][5][N]uint64 // four words of each scalar's digits, and a fifth that is 0
	sum                [baseBlocks]XYZZ
	zzz, inverse       [baseBlocks]Element // ZZZ of the sums, with 1 in place of 0, and 1/ZZZ
	opposite, infinite [baseBlocks]uint8   // the lanes whose scalar was negated, and the lanes whose sum is infinity
	_                  [48]byte            // padding to a multiple of 64 bytes
}

// baseException is the one scalar for which the last addition of Base would have equal points (docs/digits.md, S11).
// Base multiplies by the negative of this scalar instead, for which no addition has equal points, and negates the
// product.
var baseException = scalar.FromLimbs(0x7d812bb362f7918e, 0x3590149d95f8c344, 0xffffffffffffffee, 0x1fffffffffffffff)

// baseOneException is the one scalar for which the last addition of BaseOne would have equal points (docs/digits.md,
// S21). BaseOne multiplies by the negative of this scalar instead, and negates the product.
var baseOneException = scalar.FromLimbs(0x10062a7471dd118a, 0xe1a3b275347dca84, 0xfd9e9cb5450ae590, 0xf985643ee90f61da)

// avoidException sets d = k and returns zero or, if k is the exception, sets d = −k and returns all ones. It does not
// branch on k.
func avoidException(d, k, exception *scalar.Scalar) (negated uint64) {
	negated = k.Equal(exception)
	d.CondNegate(k, negated)
	return negated
}

// Base sets p[i] = k[i]·G, with Z = 1, or with Z = 0 for infinity. It takes any number of scalars.
func Base(p []*group.Jacobian, k []*scalar.Scalar) {
	if len(k) == 0 {
		return
	}
	w := secretWorkspaces.Get().(*secretWorkspace)
	for from, to := range parts.Of(len(k), parts.Bases) {
		w.multiplyBase(p[from:to], k[from:to])
	}
	// The fields are wiped one by one, because a composite value of both would first be built on the stack.
	w.base = baseStep{}
	w.bases = baseSums{}
	secretWorkspaces.Put(w)
}

// multiplyBase sets p[i] = k[i]·G for the scalars of up to baseBlocks blocks, with one inversion for all of them.
func (w *secretWorkspace) multiplyBase(p []*group.Jacobian, k []*scalar.Scalar) {
	blocks := (len(k) + N - 1) / N
	g := &w.bases
	for i := range blocks {
		g.load(i, k[N*i:min(N*(i+1), len(k))])
	}
	w.addWindows(blocks)
	// ZZZ is 0 in the lanes whose sum is infinity. In these lanes 1 takes the place of ZZZ, because the product of all
	// ZZZ must not be 0.
	for i := range blocks {
		zzz := &g.sum[i].ZZZ
		g.infinite[i] = isZero(zzz)
		blend(&g.zzz[i], &w.one, zzz, g.infinite[i])
	}
	invertBlocks(g.inverse[:blocks], g.zzz[:blocks], &w.base.x)
	for i := range blocks {
		sum, z := &g.sum[i], &g.inverse[i]
		mul(&sum.Y, &sum.Y, z) // y = Y/ZZZ
		mul(z, z, &sum.ZZ)     // ZZ/ZZZ; its square is 1/ZZ, because ZZ³ = ZZZ²
		squareN(z, z, 1)
		mul(&sum.X, &sum.X, z) // x = X/ZZ
		negate(&sum.Y, &sum.Y, g.opposite[i])
		storeAffine(p[N*i:min(N*(i+1), len(p))], &sum.X, &sum.Y, g.infinite[i], &w.base.packed)
	}
}

// load sets the words of block i to the digits of one to eight scalars k. Lanes without a scalar repeat the first
// scalar.
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

// addWindows sets the sums of the blocks. It adds one window to all blocks before it goes on to the next window, so
// that all blocks use the row of that window while it is in the cache.
func (w *secretWorkspace) addWindows(blocks int) {
	s, g, table := &w.base, &w.bases, tables.BaseLanes()
	for window := range recode.LanesDigits {
		shift := window * recode.LanesWidth
		for i := range blocks {
			baseLookup(&s.x, &s.y, &s.minus, &table[window], (*baseWords)(g.words[i][shift/64:]), shift%64)
			if window == 0 {
				s.start(&g.sum[i], &w.one)
			} else {
				addMixedXYZZ(&g.sum[i], &s.x, &s.y, s.minus, 0xFF)
			}
		}
	}
}

// start sets p to the points (x, y) that the first look-up found, with the signs of their digits.
func (s *baseStep) start(p *XYZZ, one *Element) {
	p.X = s.x
	negate(&p.Y, &s.y, s.minus)
	p.ZZ = *one
	p.ZZZ = *one
}

// BaseOne sets p = k·G. In general Z is not 1, and Z ≡ 0 for k = 0.
//
// The scalar is k1 + k2·λ, with 26 odd digits of 5 bits in each half (recode.Variable). Lane i, from 0 to 3, adds up
// windows i, i + 4, … of k1, and lane i + 4 the same windows of k2. Both lanes look up in the same row, so each row is
// read once for two windows. Then lanes 4 to 7 are multiplied by λ, and the eight lanes are added in three steps: four
// lanes to four, two to two, and one to one. No addition has equal points, because baseOneException is avoided. Only
// the last addition can have opposite points, for k = 0 (docs/digits.md, S21).
func BaseOne(p *group.Jacobian, k *scalar.Scalar) {
	table := tables.BaseLanesOne()
	w := secretWorkspaces.Get().(*secretWorkspace)
	s := &w.base
	var d scalar.Scalar
	negated := avoidException(&d, k, &baseOneException)
	k1, k2 := recode.Variable(&d)
	const perStep = N / 2
	for i := 0; i < recode.VariableDigits; i += perStep {
		n := min(perStep, recode.VariableDigits-i) // the last iteration has fewer windows, so some lanes add nothing
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
	w.base = baseStep{}
	secretWorkspaces.Put(w)
}
