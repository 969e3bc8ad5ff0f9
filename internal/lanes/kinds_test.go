package lanes

import (
	"math"
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// A kind is the routines for all data or the routines for public data, and how tests read and write their elements.
// Elements of public data may have limbs that are doubles, so tests read and write these elements by routines.
type kind struct {
	name    string
	random  func(e *Element, r *oracle.Rand)
	put     func(e *Element, i int, v *big.Int)
	value   func(e *Element, i int) *big.Int
	bounded func(e *Element, t *testing.T, name string)

	mul, add, sub func(r, a, b *Element)
	squareN       func(r, a *Element, n int)
	squarePairN   func(r, a *[2]Element, n int)
	squareTripleN func(r, a *[3]Element, n int)
	negate        func(r, a *Element, k uint8)
	blend         func(r, a, b *Element, k uint8)
	pack          func(w *Words, a *Element)
	isZero        func(a *Element) uint8
	loadElements  func(r *Element, a []laneElement)
	store         func(a []lanePoint, x, y *Element)
	doubleNegateN func(p *Jacobian2Y, n int)
	addMixed      func(p *Jacobian2Y, x, ny *Element, k uint8)
	addCoZ        func(p, u, q *Affine, ratio *Element)
	addMixedXYZZ  func(p *XYZZ, x, y *Element, minus, k uint8)
	addXYZZ       func(p, q *XYZZ)
}

var kinds = []kind{
	{
		"", (*Element).random, (*Element).put, (*Element).value, (*Element).bounded,
		mul, add, sub, squareN, squarePairN, squareTripleN, negate, blend, pack, isZero, loadElements, storeNormal,
		doubleNegateN, addMixed, addCoZ, addMixedXYZZ, addXYZZ,
	},
	{
		"Vartime", (*Element).randomVartime, (*Element).putVartime, (*Element).valueVartime, (*Element).boundedVartime,
		mulVartime, addVartime, subVartime, squareNVartime, squarePairNVartime, squareTripleNVartime, negateVartime, blendVartime,
		packVartime, isZeroVartime, loadElementsVartime, storeVartime,
		doubleNegateNVartime, addMixedVartime, addCoZVartime, addMixedXYZZVartime, addXYZZVartime,
	},
}

// inDoubles reports whether the limbs of public elements are doubles.
func inDoubles() bool {
	var e Element
	e.setVartime(&one)
	return e[0][0] != 1
}

// randomVartime sets each lane to a random integer, often an edge case. Limbs that are not doubles may have stray bits.
func (e *Element) randomVartime(r *oracle.Rand) {
	if !inDoubles() {
		e.random(r)
		return
	}
	var a [N]laneElement
	for i := range a {
		l := r.Limbs()
		a[i] = field.FromLimbs(l[0], l[1], l[2], l[3])
	}
	loadElementsVartime(e, a[:])
}

// putVartime sets lane i to an integer.
func (e *Element) putVartime(i int, v *big.Int) {
	var a Element
	l := oracle.Limbs(oracle.Fp.Reduce(v))
	x := field.FromLimbs(l[0], l[1], l[2], l[3])
	a.setVartime(&x)
	for k := range e {
		e[k][i] = a[k][i]
	}
}

// valueVartime returns the integer in lane i, modulo p.
func (e *Element) valueVartime(i int) *big.Int {
	var w Words
	packVartime(&w, e)
	return oracle.FromLimbs([4]uint64{w[0][i], w[1][i], w[2][i], w[3][i]})
}

// boundedVartime fails the test if a limb is out of its range.
func (e *Element) boundedVartime(t *testing.T, name string) {
	t.Helper()
	if !inDoubles() {
		e.bounded(t, name)
		return
	}
	for k := range e {
		most := 1<<50 + 16.0
		if k == 0 {
			most = 1<<51 + 1<<36
		}
		for i := range N {
			if x := math.Float64frombits(e[k][i]); x != math.Trunc(x) || math.Abs(x) > most {
				t.Fatalf("%s: limb %d of lane %d is %v", name, k, i, x)
			}
		}
	}
}

// plain returns the same integers as e in limbs of 52 bits, for the twins in Go.
func (e *Element) plain() (a Element) {
	for i := range N {
		a.put(i, e.valueVartime(i))
	}
	return a
}
