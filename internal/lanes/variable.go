package lanes

import (
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/parts"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// This file multiplies eight points at once by one secret scalar k = k1 + k2·λ. Each half has 26 odd digits of 5 bits
// (docs/digits.md, S12). From the highest window to the lowest, the sum is doubled five times, and then d·P and d′·λ·P
// are added, for the digits d of k1 and d′ of k2. All lanes have the same digits, so a look-up selects one of several
// vectors. It reads all of them, so its time does not depend on the digit.
//
// The addition formula fails for equal points, so it must be shown that no addition has equal points. In every window
// except the last, the sum and the difference of the two points are multiples a + b·λ of P with 0 < N(a + b·λ) < n, so
// they are not infinity (docs/digits.md, S13). In the last window, an addition has equal points for one scalar, which
// is avoided (variableException), and opposite points for k = 0, for which the result Z ≡ 0 is correct (S24).

// variableTable holds the multiples 1, 3, 5, … of eight points, as coordinates with one common denominator. Y of an
// entry is y at first and, once the table is complete, −2y, which is the form that addMixed takes.
type variableTable [recode.VariableEntries]Affine

// variableStep holds the vectors for one block.
type variableStep struct {
	table  variableTable
	ratio  [recode.VariableEntries]Element // ratio[i] is the denominator of entry i divided by the denominator of entry i − 1
	double Jacobian2Y                      // twice the points
	twice  Affine                          // twice the points, with the denominator of the latest entry
	x, y   Element                         // x and −2y of the multiple that was looked up
	z      Element                         // the common denominator of the table
	t      Element
	packed [3]Words
}

// variableBlocks is the number of blocks that share an inversion.
const variableBlocks = parts.Secrets / N

// variableSums holds the sums of the blocks that share an inversion.
type variableSums struct {
	sum      [variableBlocks]Jacobian2Y
	z        [variableBlocks]Element // Z of the sums, with 1 in place of 0
	inverse  [variableBlocks]Element // 1/z
	infinite [variableBlocks]uint8   // the lanes whose sum is infinity
	_        [60]byte                // padding to a multiple of 64 bytes
}

// variableException is the one scalar for which the last addition of Variable would have equal points (docs/digits.md,
// S24). Variable multiplies by the negative of this scalar instead, and negates the products.
var variableException = scalar.FromLimbs(0xa7b054343fef338c, 0x0338a491d2df6668, 0xc5ded841d1de3130, 0x781f99cb895cf6d0)

// Variable sets p[i] = k·a[i], with Z = 1, or with Z = 0 for infinity. It takes any number of points, and the a[i] may
// be infinity.
func Variable(p []*group.Jacobian, k *scalar.Scalar, a []*group.Jacobian) {
	if len(a) == 0 {
		return
	}
	w := secretWorkspaces.Get().(*secretWorkspace)
	var d scalar.Scalar
	negated := avoidException(&d, k, &variableException)
	k1, k2 := recode.Variable(&d)
	for from, to := range parts.Of(len(a), parts.Secrets) {
		w.multiplyVariable(p[from:to], &k1, &k2, uint8(negated), a[from:to])
	}
	// The fields are wiped one by one, because a composite value of both would first be built on the stack.
	w.variable = variableStep{}
	w.variables = variableSums{}
	secretWorkspaces.Put(w)
}

// multiplyVariable sets p[i] to the product of a[i] and the scalar with the digits k1 and k2, or to the opposite if
// negated is 0xFF, for the points of up to variableBlocks blocks.
func (w *secretWorkspace) multiplyVariable(p []*group.Jacobian, k1, k2 *recode.Odd, negated uint8, a []*group.Jacobian) {
	s, g := &w.variable, &w.variables
	blocks := (len(a) + N - 1) / N
	for i := range blocks {
		w.load(a[N*i : min(N*(i+1), len(a))])
		w.multiply(&g.sum[i], k1, k2)
	}
	// Z is 0 in the lanes whose sum is infinity. In these lanes 1 takes the place of Z, because the product of all Z
	// must not be 0.
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

// load sets the table to 1, 3, 5, … times the points, and z to the denominator of the table. For infinity the table is
// undefined and z = 0, so that the Z of the product is 0 too.
//
// Each entry is the previous entry plus twice the point. Both have the same denominator, so addCoZ adds them with 4
// multiplications and 2 squarings. It gives the sum a new denominator, brings twice the point to this denominator as
// well, and stores the quotient of the two denominators.
func (w *secretWorkspace) load(a []*group.Jacobian) {
	s := &w.variable
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

	// If the denominator of the point is taken as 1, twice the point is (X/Z², Y/Z³). So the denominator of twice the
	// point is Z times the denominator of the point. The first entry is brought to the same denominator.
	d := &s.double
	d.X, d.Z = first.X, w.one
	add(&d.Y, &first.Y, &first.Y)
	doubleNegateN(d, 1)
	s.twice.X = d.X
	mul(&s.twice.Y, &d.Y, &w.half) // Jacobian2Y holds 2Y in place of Y, and doubleNegateN returns the opposite point
	negate(&s.twice.Y, &s.twice.Y, 0xFF)
	mul(&s.z, &s.z, &d.Z)
	s.rescale(first, &d.Z)
	// 2·P and (2·i − 1)·P are never equal or opposite: their sum and difference are small odd multiples of P, whose
	// order is a large prime.
	for i := 1; i <= last; i++ {
		addCoZ(&s.table[i], &s.twice, &s.table[i-1], &s.ratio[i])
	}
	// Bring all entries to the denominator of the last entry, from the last entry to the first. Before step i, product
	// = ratio[i+1]·…·ratio[last].
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

// rescale multiplies x of p by z² and y by z³.
func (s *variableStep) rescale(p *Affine, z *Element) {
	t := &s.t
	squareN(t, z, 1)
	mul(&p.X, &p.X, t)
	mul(t, t, z)
	mul(&p.Y, &p.Y, t)
}

// multiply sets sum to the products of the points of the table and the scalar that has the digits k1 and k2.
func (w *secretWorkspace) multiply(sum *Jacobian2Y, k1, k2 *recode.Odd) {
	s := &w.variable
	const last = recode.VariableDigits - 1
	for i := last; i >= 0; i-- {
		// A doubling returns the opposite of the double, and a window has five doublings, so the sign of the sum
		// changes with each window. The points to be added have the same sign as the sum.
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

// lookup sets s.x and s.y to x and −2y of d times the point, or of −d times the point if minus is 1. d is the odd digit
// with |d| < 2⁵ that the bits of the window stand for.
func (s *variableStep) lookup(window uint64, minus uint8) {
	index, negative := baseIndex(window, recode.VariableEntries)
	variableLookup(&s.x, &s.y, &s.table, index)
	negate(&s.y, &s.y, uint8(negative)^-minus)
}
