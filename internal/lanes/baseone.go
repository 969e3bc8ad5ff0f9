package lanes

import (
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
	"p256k1.mleku.dev/v2/internal/tables"
)

// A multiple of G by one secret scalar. Its windows are those of recode.Variable, for k1 in
// lanes 0 to 3 and for k2 in lanes 4 to 7, so that a row of multiples is read for two windows.

// baseOneRows are the multiples for the windows of four lanes.
type baseOneRows [N / 2]tables.LanesOneRow

// baseOneException is the scalar for which the last addition of BaseOne would meet equal
// points (docs/digits.md, S21). Its negative takes its place, for which none does.
var baseOneException = scalar.FromLimbs(0x10062a7471dd118a, 0xe1a3b275347dca84, 0xfd9e9cb5450ae590, 0xf985643ee90f61da)

// BaseOne sets p = k·G. Lane i adds up windows i, i + 4, … Then the lanes are added, in which
// no two points are equal or opposite, unless k = 0.
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
