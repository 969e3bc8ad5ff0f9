package main

import (
	"p256k1.mleku.dev/v2/internal/params"
)

// productOf returns a·b, folded.
func (e *vectors) productOf(a, b laneElement) laneSum {
	var w laneProduct
	e.accumulate(&w, a, b)
	return e.fold(w)
}

// lanesMultiples emits the routines that complete an entry of a table of multiples, which at first holds x and y.
func lanesMultiples(e *emitter) {
	const beta = params.Beta
	row := func(i int) memory { return element("m", i) }
	complete := func(v *vectors, x laneElement, y laneSum) {
		v.begin("entry", "the entry gets 2y, −2y, β·x and β²·x = −x − β·x, since 1 + β + β² = 0")
		v.y = "β"
		bx := v.productOf(x, laneElement{v.constant(beta & limbMask), v.constant(beta >> 52 & limbMask), v.constant(beta >> 104 & limbMask), v.constant(beta >> 156 & limbMask), v.constant(beta >> 208)})
		y = v.times(2, y)
		v.keepElement(row(1), v.carry(y))
		v.keepElement(row(2), v.carry(bx))
		v.keepElement(row(3), v.carry(v.minus(laneSum{}, v.plus(v.clean(x), bx))))
		v.keepElement(row(4), v.carry(v.minus(laneSum{}, y)))
	}
	e.straight("completeVartime", "func(m *multiple)", "completeVartime sets m to x, 2y, β·x, β²·x and −2y of the point (x, y) that m holds.", func(v *vectors) {
		complete(v, v.element(row(0)), v.clean(v.element(row(1))))
	})
	e.straight("completeRescaledVartime", "func(m *multiple, z, ratio *Element)",
		"completeRescaledVartime sets z = z·ratio, multiplies the x of m by z² and its y by z³, and completes m.",
		func(v *vectors) {
			place := element("z", 0)
			v.begin("z", "z = z·ratio")
			z := v.carry(v.productOf(v.element(place), v.element(element("ratio", 0))))
			v.keepElement(place, z)
			v.begin("z2", "z2 = z²")
			z2 := v.carry(v.fold(v.square(z, laneSum{})))
			v.begin("m.X", "m.X = m.X·z2")
			x := v.carry(v.productOf(v.element(row(0)), z2))
			v.begin("z3", "z3 = z2·z")
			z3 := v.carry(v.productOf(z2, z))
			v.begin("m.Y", "m.Y = m.Y·z3")
			complete(v, x, v.productOf(v.element(row(1)), z3))
			v.keepElement(row(0), x)
		})
}
