package lanes

import (
	"sync"

	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
	"p256k1.mleku.dev/v2/internal/tables"
)

// halves are the integers k1 and k2 of eight numbers k1 + k2·λ: word w of lane i, in two's
// complement and the least significant one first, is k1[w][i].
type halves struct{ k1, k2 [3][N]uint64 }

// halves returns those of lane i.
func (k *halves) get(i int) (k1, k2 scalar.Signed128) {
	return signed(&k.k1, i), signed(&k.k2, i)
}

// signed returns lane i of k, which has at most 128 bits and a sign.
func signed(k *[3][N]uint64, i int) scalar.Signed128 {
	lo, hi, neg := k[0][i], k[1][i], -(k[2][i] >> 63)
	lo ^= neg
	hi ^= neg
	if lo -= neg; lo == 0 {
		hi -= neg
	}
	return scalar.Signed128{Lo: lo, Hi: hi, Neg: neg}
}

// SplitVartime sets k1[i] and k2[i] to the halves of a[i], of up to eight scalars, as scalar.Split has them.
func SplitVartime(k1, k2 []scalar.Signed128, a []scalar.Scalar) {
	w := workspaces.Get().(*workspace)
	loadScalars(&w.temporary[0], a)
	split(&w.halves, &w.temporary[0])
	for i := range a {
		k1[i], k2[i] = w.halves.get(i)
	}
	workspaces.Put(w)
}

// multiples is a table of points in each lane: those that recode.RegularPointMultiple names,
// all with one Z.
type multiples [recode.RegularPointEntries]multiple

// multiple is an entry of the table: x and 2y, β·x, β²·x and −2y.
type multiple struct {
	Affine // until the entry is complete, Y is y
	turned [2]Element
	minus  Element
}

// Where these are, in rows, which are elements.
const (
	rowPlus   = 1
	rowMinus  = 4
	entryRows = 5
	rowBytes  = 5 * 8 * N
)

// rowX is that of x of λ to a power times the point.
var rowX = [3]uint8{0, 2, 3}

// row returns an element.
func (m *multiple) row(i uint64) *Element {
	return [entryRows]*Element{&m.X, &m.Y, &m.turned[0], &m.turned[1], &m.minus}[i]
}

// pointDigits are the digits of eight numbers for places 0, 3, … 126, as addMixed takes
// them. Each doubling returns the other sign, so the digits of odd places have it too.
type pointDigits struct {
	// Where multiples has the coordinates to be added, x and −2y: how many bytes from its
	// beginning the lowest limb is.
	x, y    [recode.RegularPointDigits][N]uint64
	nonzero [recode.RegularPointDigits]uint8 // the lanes with a digit other than 0
	fits    uint8                            // those whose digits sum to the number: all, for halves of scalars
	_       [20]uint8                        // to a multiple of 64 bytes
}

// generatorDigits are the digits of eight numbers for places 0, 8, … 120 and 126 of G.
type generatorDigits struct {
	at      [recode.RegularGeneratorDigits][N]uint64 // how many bytes from the beginning of the table the entry is
	nonzero [recode.RegularGeneratorDigits]uint8     // the lanes with a digit other than 0
	minus   [recode.RegularGeneratorDigits]uint8     // those with a negative one
	power   [2][recode.RegularGeneratorDigits]uint8  // those with λ and with λ² as a factor
	fits    uint8                                    // as in pointDigits
	_       [59]uint8
}

// classes is what recoding looks up.
type classes struct {
	// For each class x + y·λ modulo 8, in byte x + 8·y: the digit u + v·λ of a point.
	u, v [64]uint8    // u + 8 and v + 8
	x    [64]uint8    // the row of x among all of multiples
	y    [2][64]uint8 // the row of −2y, for even places and for odd ones

	rows [recode.GeneratorWidth]uint64 // recode.RegularGeneratorRow
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

// setVartime sets d to the digits of k.
func (d *pointDigits) setVartime(k *halves) {
	classesOnce.Do(buildClasses)
	recodePointVartime(d, k, &digitClasses)
}

// setVartime sets d to the digits of k, and has the entries brought into the cache.
func (d *generatorDigits) setVartime(k *halves) {
	classesOnce.Do(buildClasses)
	recodeGeneratorVartime(d, k, &digitClasses)
	prefetchVartime(tables.RegularGeneratorVartime(), d)
}

// isomorphism is what brings multiples of G to a curve isomorphic by Z.
type isomorphism struct {
	x [3]Element // Z², β·Z² and β²·Z²
	y [2]Element // −2·Z³ and 2·Z³
}

// set sets f to the isomorphism by z.
func (f *isomorphism) set(z, beta *Element) {
	squareN(&f.x[0], z, 1)
	mul(&f.y[1], &f.x[0], z)
	mul(&f.x[1], &f.x[0], beta)
	mul(&f.x[2], &f.x[1], beta)
	add(&f.y[1], &f.y[1], &f.y[1])
	negate(&f.y[0], &f.y[1], 0xFF)
}
