package lanes

import "p256k1.mleku.dev/v2/internal/recode"

// fill fills the table with the multiples of p.point, and sets p.z to their Z. Each multiple is the
// one before plus a unit times the point, of one denominator, and never equal or opposite to
// it, since the point's order is a large prime (recode's S18).
func (w *workspace) fill(p *product) {
	table, unit, ratio := &p.table, &w.temporaryPoint[0], &w.ratio
	*unit = p.point
	table[0].Affine = p.point
	var step recode.RegularStep
	for i := 1; i < len(table); i++ {
		next := recode.RegularSteps[i]
		switch (next.Power + 3 - step.Power) % 3 {
		case 1:
			mul(&unit.X, &unit.X, &w.beta)
		case 2:
			mul(&unit.X, &unit.X, &w.beta2)
		}
		if next.Minus != step.Minus {
			negate(&unit.Y, &unit.Y, 0xFF)
		}
		step = next
		addCoZ(&table[i].Affine, unit, &table[i-1].Affine, &ratio[i])
	}

	// From the last entry, whose Z it shall be, to the first.
	complete(&table[len(table)-1])
	p.z = w.one
	for i := len(table) - 2; i >= 0; i-- {
		completeRescaled(&table[i], &p.z, &ratio[i+1])
	}
}
