package lanes

import (
	"sync"

	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// This file multiplies eight points at once by one secret scalar, as Variable of package ecmult does.
// All lanes have the same digits. So a look-up is a choice between vectors, and reads all.

// variableTable is the odd multiples of eight points, on a curve isomorphic to theirs: x, and y
// or, once all are there, −2y.
type variableTable [recode.VariableEntries]Affine

// variableWorkspace holds the vectors of these multiplications. It is larger than 32 KiB, so it
// begins a page, and vectors lie on 64 bytes. What is not constant is wiped after use.
type variableWorkspace struct {
	one, half, beta Element
	step            variableStep
	blocks          variableSums
	_               [32 << 10]byte
}

// variableStep is what one block takes.
type variableStep struct {
	table  variableTable
	ratio  [recode.VariableEntries]Element // of the denominators of an entry and of the one before
	double Jacobian2Y
	twice  Affine
	x, y   Element // a multiple that was looked up
	z      Element // the denominator of the table
	t      Element
	packed [3]Words
}

// variableBlocks is how many blocks have their inversion in common.
const variableBlocks = 4

// variableSums are the sums of these.
type variableSums struct {
	sum      [variableBlocks]Jacobian2Y
	z        [variableBlocks]Element // of the sums, with 1 in place of 0
	inverse  [variableBlocks]Element // 1/z
	infinite [variableBlocks]uint8   // the lanes that are infinity
	_        [60]byte
}

// variableWorkspaces are those that nobody uses.
var variableWorkspaces = sync.Pool{New: func() any {
	w := new(variableWorkspace)
	for i := range N {
		w.one.set(i, &one)
		w.half.set(i, &half)
		w.beta.set(i, &group.Beta)
	}
	return w
}}

// variableException is the scalar for which the last addition of Variable would meet equal
// points (docs/digits.md, S24). Its negative takes its place, for which none does.
var variableException = scalar.FromLimbs(0xa7b054343fef338c, 0x0338a491d2df6668, 0xc5ded841d1de3130, 0x781f99cb895cf6d0)

// Variable sets p[i] = k·a[i], with Z = 1, or Z = 0 for infinity.
func Variable(p []*group.Jacobian, k *scalar.Scalar, a []*group.Jacobian) {
	if len(a) == 0 {
		return
	}
	w := variableWorkspaces.Get().(*variableWorkspace)
	var d scalar.Scalar
	negated := avoidException(&d, k, &variableException)
	k1, k2 := recode.Variable(&d)
	for len(a) > 0 {
		n := min(variableBlocks*N, len(a))
		w.variable(p[:n], &k1, &k2, uint8(negated), a[:n])
		p, a = p[n:], a[n:]
	}
	w.step = variableStep{} // one by one: together they would be on the stack first
	w.blocks = variableSums{}
	variableWorkspaces.Put(w)
}

// variable is Variable for up to variableBlocks blocks, given the digits and whether they are
// those of −k.
func (w *variableWorkspace) variable(p []*group.Jacobian, k1, k2 *recode.Odd, negated uint8, a []*group.Jacobian) {
	s, g := &w.step, &w.blocks
	blocks := (len(a) + N - 1) / N
	for i := range blocks {
		w.load(a[N*i : min(N*(i+1), len(a))])
		w.multiply(&g.sum[i], k1, k2)
	}
	for i := range blocks {
		z := &g.sum[i].Z
		g.infinite[i] = isZero(z)
		blend(&g.z[i], &w.one, z, g.infinite[i])
	}
	invertBlocks(g.inverse[:blocks], g.z[:blocks], &s.x)
	for i := range blocks {
		sum := &g.sum[i]
		sum.toAffine(&g.inverse[i], &w.half, &s.t)
		negate(&sum.Y, &sum.Y, negated)
		storeAffine(p[N*i:min(N*(i+1), len(p))], &sum.X, &sum.Y, g.infinite[i], &s.packed[0])
	}
}

// load sets the table to 1, 3, 5, … times the points, which for infinity is anything, and z to
// its denominator, for infinity 0.
func (w *variableWorkspace) load(a []*group.Jacobian) {
	s := &w.step
	first, last := &s.table[0], len(s.table)-1
	for lane := range N {
		q := a[inLane(lane, len(a))]
		s.packed[0].set(lane, &q.X)
		s.packed[1].set(lane, &q.Y)
		s.packed[2].set(lane, &q.Z)
	}
	unpack(&first.X, &s.packed[0])
	unpack(&first.Y, &s.packed[1])
	unpack(&s.z, &s.packed[2])

	// Twice the point has the ratio of the denominators for its Z.
	d := &s.double
	d.X, d.Z = first.X, w.one
	add(&d.Y, &first.Y, &first.Y)
	doubleNegateN(d, 1)
	s.twice.X = d.X
	mul(&s.twice.Y, &d.Y, &w.half)
	negate(&s.twice.Y, &s.twice.Y, 0xFF)
	mul(&s.z, &s.z, &d.Z)
	s.rescale(first, &d.Z)
	for i := 1; i <= last; i++ { // neither equal nor opposite (S9)
		addCoZ(&s.table[i], &s.twice, &s.table[i-1], &s.ratio[i])
	}
	// All to the denominator of the last one.
	product := &s.x
	*product = s.ratio[last]
	for i := last - 1; i >= 0; i-- {
		s.rescale(&s.table[i], product)
		if i > 0 {
			mul(product, product, &s.ratio[i])
		}
	}
	mul(&s.z, &s.z, product)
	for i := range s.table {
		y := &s.table[i].Y
		add(y, y, y)
		negate(y, y, 0xFF)
	}
}

// rescale multiplies x by z² and y by z³.
func (s *variableStep) rescale(p *Affine, z *Element) {
	t := &s.t
	squareN(t, z, 1)
	mul(&p.X, &p.X, t)
	mul(t, t, z)
	mul(&p.Y, &p.Y, t)
}

// multiply sets sum to the product, from the table of the points.
func (w *variableWorkspace) multiply(sum *Jacobian2Y, k1, k2 *recode.Odd) {
	s := &w.step
	const last = recode.VariableDigits - 1
	for i := last; i >= 0; i-- {
		// Doubling returns the other sign, so that of the sum is another in each window.
		minus := uint8(last-i) & 1
		s.lookup(k1.VariableWindow(i), minus)
		if i == last {
			sum.X = s.x
			negate(&sum.Y, &s.y, 0xFF)
			sum.Z = w.one
		} else {
			doubleNegateN(sum, recode.VariableWidth)
			addMixed(sum, &s.x, &s.y, 0xFF)
		}
		s.lookup(k2.VariableWindow(i), minus)
		mul(&s.x, &s.x, &w.beta)
		addMixed(sum, &s.x, &s.y, 0xFF)
	}
	negate(&sum.Y, &sum.Y, 0xFF*(last&1))
	mul(&sum.Z, &sum.Z, &s.z)
}

// lookup sets x and y to x and −2y of the multiple that a window stands for (see lookup in
// package ecmult), or of its opposite if minus is 1.
func (s *variableStep) lookup(window uint64, minus uint8) {
	index, negative := baseIndex(window, recode.VariableEntries)
	variableLookup(&s.x, &s.y, &s.table, index)
	negate(&s.y, &s.y, uint8(negative)^-minus)
}
