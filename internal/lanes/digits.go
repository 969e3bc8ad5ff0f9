package lanes

import (
	"sync"

	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
	"p256k1.mleku.dev/v2/internal/tables"
)

// This file writes eight public scalars in digits of ℤ[λ], at places that are the same for all scalars. Scalars of a
// point have digits at every third place, and scalars of G at every eighth place up to 120 and at place 126
// (docs/digits.md, "Digits at regular places"). A digit may be 0. For each digit and lane, the routines store where in
// the table the digit's multiple is, so that the loop of double.go only gathers and adds.

// halves holds the integers k1 and k2 of eight scalars k1 + k2·λ. Word w of lane i of k1 is k1[w][i], in two's
// complement with the least significant word first.
type halves struct{ k1, k2 [3][N]uint64 }

// get returns k1 and k2 of lane i.
func (k *halves) get(i int) (k1, k2 scalar.Signed128) {
	return signed(&k.k1, i), signed(&k.k2, i)
}

// set sets lane i to k1 and k2, integers with absolute values below 2¹²⁸.
func (k *halves) set(i int, k1, k2 scalar.Signed128) {
	k.k1[0][i], k.k1[1][i], k.k1[2][i] = k1.Limbs()
	k.k2[0][i], k.k2[1][i], k.k2[2][i] = k2.Limbs()
}

// signed returns lane i of k, an integer whose absolute value is below 2¹²⁸.
func signed(k *[3][N]uint64, i int) scalar.Signed128 {
	lo, hi, neg := k[0][i], k[1][i], -(k[2][i] >> 63)
	lo ^= neg
	hi ^= neg
	if lo -= neg; lo == 0 {
		hi -= neg
	}
	return scalar.Signed128{Lo: lo, Hi: hi, Neg: neg}
}

// SplitVartime splits one to eight scalars: it sets k1[i] and k2[i] to the integers that scalar.Split returns, whose
// absolute values are below 2¹²⁸, with a[i] ≡ k1[i] + k2[i]·λ modulo n.
func SplitVartime(k1, k2 []scalar.Signed128, a []scalar.Scalar) {
	w := workspaceVartime()
	loadScalars(&w.temporary[0], a)
	split(&w.halves, &w.temporary[0])
	for i := range a {
		k1[i], k2[i] = w.halves.get(i)
	}
	workspaces.Put(w)
}

// multiples holds a table for each lane: the multiples of the lane's point that recode.RegularPointMultiple names. All
// entries of a lane have one common Z, which is stored outside the table.
type multiples [recode.RegularPointEntries]multiple

// multiple is an entry of the table. Its five elements are enough for six points, ±1, ±λ and ±λ² times the multiple,
// because λᵖ·(x, y) = (βᵖ·x, y).
type multiple struct {
	Affine            // x and 2y; until the entry is complete, Y is y
	turned [2]Element // β·x and β²·x
	minus  Element    // −2y
}

// An entry consists of entryRows elements, called rows. These constants and rowX say which row holds which coordinate.
const (
	rowPlus   = 1 // 2y
	rowMinus  = 4 // −2y
	entryRows = 5
	rowBytes  = 5 * 8 * N
)

// rowX[p] is the row of βᵖ·x.
var rowX = [3]uint8{0, 2, 3}

// row returns row i of the entry.
func (m *multiple) row(i uint64) *Element {
	return [entryRows]*Element{&m.X, &m.Y, &m.turned[0], &m.turned[1], &m.minus}[i]
}

// pointDigits holds the digits of eight scalars at places 0, 3, …, 126, where digit i is at place 3·i. The routine that
// doubles returns the opposite of the double (docs/lanes.md, L5). When digit i is added, doublings at 3·i further
// places still follow, and each negates the sum. Digits at odd places are therefore negated as well, so that the sign
// at place 0 is right.
type pointDigits struct {
	// x and y are the positions of the coordinates x and −2y of the point to be added: the distance in bytes from the
	// beginning of multiples to the lowest limb.
	x, y    [recode.RegularPointDigits][N]uint64
	nonzero [recode.RegularPointDigits]uint8 // the lanes in which the digit is not 0
	fits    uint8                            // the lanes whose digits sum to the scalar: all lanes, for halves from split
	_       [20]uint8                        // padding to a multiple of 64 bytes
}

// generatorDigits holds the digits of eight scalars at places 0, 8, …, 120 and 126, for the multiples of G. All of
// these places are even, so no digit is negated.
type generatorDigits struct {
	offset  [recode.RegularGeneratorDigits][N]uint64 // the distance in bytes from the table's beginning to the entry
	nonzero [recode.RegularGeneratorDigits]uint8     // the lanes in which the digit is not 0
	minus   [recode.RegularGeneratorDigits]uint8     // the lanes in which the digit has a minus sign
	power   [2][recode.RegularGeneratorDigits]uint8  // the lanes in which the digit has the factor λ, and the lanes with λ²
	fits    uint8                                    // the lanes whose digits sum to the scalar
	_       [59]uint8                                // padding to a multiple of 64 bytes
}

// classes holds the tables from which the routines read digits.
type classes struct {
	// For each class x + y·λ modulo 8, at index x + 8·y, the digit u + v·λ of the class and the place of its multiple.
	u, v [64]uint8    // u + 8 and v + 8
	x    [64]uint8    // the row of the multiple's x coordinate, counted from the first row of multiples
	y    [2][64]uint8 // the row of −2y of the point to be added, for digits at even places and at odd places

	rows [recode.GeneratorWidth]uint64 // recode.RegularGeneratorRow of each index
}

var (
	digitClasses classes
	classesOnce  sync.Once
)

func buildClasses() {
	c := &digitClasses
	for i := range c.u {
		d := recode.RegularPointClass(uint64(i%8), uint64(i/8))
		c.u[i], c.v[i] = uint8(d.A+8), uint8(d.B+8)
		row := uint8(entryRows * d.Entry)
		c.x[i] = row + rowX[d.Power]
		c.y[0][i], c.y[1][i] = row+rowMinus, row+rowPlus
		if d.Minus {
			c.y[0][i], c.y[1][i] = c.y[1][i], c.y[0][i]
		}
	}
	for v := range c.rows {
		c.rows[v] = uint64(recode.RegularGeneratorRow(v))
	}
}

// setVartime sets d to the digits of the scalars k.
func (d *pointDigits) setVartime(k *halves) {
	classesOnce.Do(buildClasses)
	recodePointVartime(d, k, &digitClasses)
}

// setVartime sets d to the digits of the scalars k, and prefetches the entries of the table that the digits stand for.
func (d *generatorDigits) setVartime(k *halves) {
	classesOnce.Do(buildClasses)
	recodeGeneratorVartime(d, k, &digitClasses)
	prefetchVartime(tables.RegularGeneratorVartime(), d)
}

// isomorphism holds the factors that map multiples of G to the curve of a table whose entries have a common Z. An entry
// (X, Y) of that table stands for the point (X/Z², Y/Z³). Taken as affine coordinates, X and Y are a point of the curve
// y² = x³ + 7·Z⁶. The map φ(x, y) = (Z²·x, Z³·y) takes secp256k1 to this curve, and takes sums to sums. The formulas
// for doubling and addition do not use the constant 7. So if φ maps the multiples of G to the same curve, additions do
// not need the Z of the table. Multiplying the Z of the final sum by the Z of the table maps the sum back.
type isomorphism struct {
	x [3]Element // Z², β·Z² and β²·Z²
	y [2]Element // −2·Z³ and 2·Z³
}

// setVartime sets f to the factors for Z = z, given beta = β.
func (f *isomorphism) setVartime(z, beta *Element) {
	squareNVartime(&f.x[0], z, 1)
	mulVartime(&f.y[1], &f.x[0], z)
	mulVartime(&f.x[1], &f.x[0], beta)
	mulVartime(&f.x[2], &f.x[1], beta)
	addVartime(&f.y[1], &f.y[1], &f.y[1])
	negateVartime(&f.y[0], &f.y[1], 0xFF)
}
