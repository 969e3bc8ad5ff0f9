package main

import (
	"fmt"

	"p256k1.mleku.dev/v2/internal/params"
)

// This file has the routines of stages in lanes that are no formulas of points.

// lanesTogether emits the routines on two elements at a time, and on three. A run of
// squarings waits for itself: some of them take turns, and fill the time.
func lanesTogether(e *emitter) {
	for _, r := range []struct {
		n         int
		name, all string
	}{{2, "squarePairN", "both"}, {3, "squareTripleN", "all three"}} {
		each := make([]laneElement, r.n)
		e.vectorRoutine(r.name, fmt.Sprintf("func(r, a *[%d]Element, n int)", r.n), r.name+" sets r = a^(2ⁿ) in "+r.all+", for n > 0.",
			block{describe: func(v *vectors, _ []laneElement) []laneElement {
				for i := range each {
					each[i] = v.element(memory{"a", size * i})
				}
				return each
			}},
			block{count: "n", in: r.n, describe: func(v *vectors, in []laneElement) (out []laneElement) {
				for _, a := range in {
					out = append(out, v.carry(v.fold(v.square(a, nil))))
				}
				return out
			}},
			block{in: r.n, describe: func(v *vectors, in []laneElement) []laneElement {
				for i, x := range in {
					v.keepElement(memory{"r", size * i}, x)
				}
				return nil
			}})
	}
}

// productOf is a·b, folded.
func (e *vectors) productOf(a, b laneElement) laneSum {
	var w laneProduct
	e.accumulate(&w, a, b)
	return e.fold(w)
}

// lanesMultiples emits what completes an entry of a table of multiples, which begins with x and y.
func lanesMultiples(e *emitter) {
	const beta = params.Beta
	row := func(i int) memory { return memory{"m", size * i} }
	complete := func(v *vectors, x laneElement, y laneSum) {
		bx := v.productOf(x, laneElement{v.constant(beta & limbMask), v.constant(beta >> 52 & limbMask), v.constant(beta >> 104 & limbMask), v.constant(beta >> 156 & limbMask), v.constant(beta >> 208)})
		y = v.times(2, y)
		v.keepElement(row(1), v.carry(y))
		v.keepElement(row(2), v.carry(bx))
		v.keepElement(row(3), v.carry(v.minus(nil, v.plus(v.clean(x), bx)))) // 1 + β + β² = 0
		v.keepElement(row(4), v.carry(v.minus(nil, y)))
	}
	e.vectorRoutine("complete", "func(m *multiple)", "complete sets m to x, 2y, β·x, β²·x and −2y, given x and y.",
		block{describe: func(v *vectors, _ []laneElement) []laneElement {
			complete(v, v.element(row(0)), v.clean(v.element(row(1))))
			return nil
		}})
	e.vectorRoutine("completeRescaled", "func(m *multiple, z, ratio *Element)",
		"completeRescaled sets z = z·ratio, and m as complete does, given the point of it on the curve isomorphic by 1/z.",
		block{describe: func(v *vectors, _ []laneElement) []laneElement {
			at := memory{"z", 0}
			z := v.carry(v.productOf(v.element(at), v.element(memory{"ratio", 0})))
			v.keepElement(at, z)
			z2 := v.carry(v.fold(v.square(z, nil)))
			x := v.carry(v.productOf(v.element(row(0)), z2))
			z3 := v.carry(v.productOf(z2, z))
			complete(v, x, v.productOf(v.element(row(1)), z3))
			v.keepElement(row(0), x)
			return nil
		}})
}
