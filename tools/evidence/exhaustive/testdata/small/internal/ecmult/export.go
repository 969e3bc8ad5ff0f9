package ecmult

import (
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/params"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/tables"
)

// Tables and constants for the exhaustive tests. All other code of this package is the code of secp256k1, including the
// constants of its recodings.

// The shape of the tables.
const (
	BaseWidth      = recode.BaseWidth
	GeneratorWidth = recode.GeneratorWidth
)

// BaseTable returns the table of Base: entry j of row i is (2j+1)·2⁶ⁱ·G.
func BaseTable() (table [recode.BaseDigits][recode.BaseEntries]group.Affine) {
	base := tables.Base()
	for i := range table {
		for j := range table[i] {
			x, y := base[i][j].X, base[i][j].Y
			table[i][j].X = field.FromLimbs(x[0], x[1], x[2], x[3])
			table[i][j].Y = field.FromLimbs(y[0], y[1], y[2], y[3])
		}
	}
	return table
}

// GeneratorTable returns the table of G for sums: entry a·2ʷ⁻¹ + b, for w = GeneratorWidth, is 2a + 1 + 2b·λ times G,
// and 2a + 1 + (2b − 2ʷ)·λ for b ≥ 2ʷ⁻².
func GeneratorTable() (table []group.Affine) {
	return tables.GeneratorVartime()
}

// PrecomputedMultiples returns the factors by which the entries are multiples of the point: (a + b·λ)·c, with c modulo
// the order.
func PrecomputedMultiples() (all [][3]int) {
	c, form := 1, &recode.PrecomputedKey
	for range form.Places {
		windows := recode.WindowsOf(form.Width)
		for i := range windows.U {
			u, v := int(windows.U[i]), int(windows.V[i])
			all = append(all, [3]int{u + v, v, c})
		}
		c = c << form.Width % params.N
	}
	return all[:form.Table]
}

// OddMultiples returns the table of Variable: (X/z², Y/z³) is (2i + 1)·a for entry i = (X, Y).
func OddMultiples(a *group.Jacobian) (table [recode.VariableEntries]group.Affine, z field.Element) {
	var ratio [recode.VariableEntries]field.Element
	oddMultiples(table[:], ratio[:], a)
	z = commonDenominator(table[:], ratio[:], nil)
	return table, z
}

// PointTables fills the tables of the terms as SumVartime does.
func PointTables(terms []Term) (z field.Element) {
	return buildTablesVartime(terms)
}

// PointMultiples returns the factors of the entries in the table of a point: a + b·λ.
func PointMultiples() (all [][2]int) {
	for i := range recode.PointEntries {
		a, b := recode.PointMultiple(i)
		all = append(all, [2]int{a, b})
	}
	return all
}

// Entry returns λ to the given power times entry i of the table, and its negation.
func (t *Term) Entry(i, power int) (p, negative group.Affine) {
	d := recode.Digit{Entry: uint16(i), Power: uint8(power)}
	x, y := t.multipleVartime(&d)
	d.Sign = 1<<64 - 1
	negX, negY := t.multipleVartime(&d)
	return group.Affine{X: *x, Y: *y}, group.Affine{X: *negX, Y: *negY}
}
