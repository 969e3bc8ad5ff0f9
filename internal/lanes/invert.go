package lanes

import "p256k1.mleku.dev/v2/internal/field"

// This file inverts the lanes of many elements with one inversion, at two levels. First the elements of all blocks are
// multiplied into one element, lane by lane, by Montgomery's trick (docs/inversion.md, I12). Then the eight lanes of
// this element are multiplied into one number, which is inverted. On the way back, the inverse of each number is
// separated from the inverse of the product.
//
// A single 0 would make all products 0, so callers replace zeros by 1 before the call, or do not call.

// Secret elements are modulo p. Public elements are modulo p or n, and have functions of their own, because products of
// public elements modulo p may be computed with doubles, which are not constant-time.

// modulus is the modulus of public elements, p or n.
type modulus bool

const (
	modP modulus = false
	modN modulus = true
)

// mulVartime sets r = a·b.
func (m modulus) mulVartime(r, a, b *Element) {
	if m == modN {
		mulN(r, a, b)
	} else {
		mulVartime(r, a, b)
	}
}

// invertBlocks sets inverse[i] = 1/z[i] modulo p, in constant time. No z[i] may be 0 in any lane. The parameter all is
// scratch memory.
func invertBlocks(inverse, z []Element, all *Element) {
	before := inverse // first, before[i] becomes z[0]·…·z[i−1] for i > 0
	*all = z[0]
	for i := 1; i < len(z); i++ {
		before[i] = *all
		mul(all, all, &z[i])
	}
	invert(all)
	// Before the step for block i, all is 1/(z[0]·…·z[i]).
	for i := len(z) - 1; i > 0; i-- {
		mul(&inverse[i], &before[i], all)
		mul(all, all, &z[i])
	}
	inverse[0] = *all
}

// invertBlocksVartime sets inverse[i] = 1/z[i] modulo m, as invertBlocks does, for public elements. No z[i] may be 0 in
// any lane. The parameter all is scratch memory.
func invertBlocksVartime(m modulus, inverse, z []Element, all *Element) {
	before := inverse
	*all = z[0]
	for i := 1; i < len(z); i++ {
		before[i] = *all
		m.mulVartime(all, all, &z[i])
	}
	invertVartime(m, all)
	for i := len(z) - 1; i > 0; i-- {
		m.mulVartime(&inverse[i], &before[i], all)
		m.mulVartime(all, all, &z[i])
	}
	inverse[0] = *all
}

// halvings holds what an element is before each of three steps, in which each lane is multiplied by the lane that is
// four, two or one lanes further. After the steps, every lane is the product of all lanes. The inverse of the product,
// multiplied by the same lanes in the opposite order, becomes the inverses of the lanes.
type halvings [3]Element

// invert sets a = 1/a modulo p, in constant time. a must not be 0 in any lane.
func invert(a *Element) {
	var t halvings
	var other Element
	for k := range t {
		t[k] = *a
		other.setFurther(a, k)
		mul(a, a, &other)
	}
	all := a.get(0)
	all.Invert(&all)
	for i := range N {
		a.set(i, &all)
	}
	for k := len(t) - 1; k >= 0; k-- {
		other.setFurther(&t[k], k)
		mul(a, a, &other)
	}
}

// invertVartime sets a = 1/a modulo m, in the way of invert, for public elements. a must not be 0 in any lane.
func invertVartime(m modulus, a *Element) {
	var t halvings
	var other Element
	for k := range t {
		t[k] = *a
		other.setFurther(a, k)
		m.mulVartime(a, a, &other)
	}
	if m == modN {
		all := a.getN(0)
		all.InvertVartime(&all)
		loadScalars(a, []laneScalar{all})
	} else {
		var all field.Element
		a.laneVartime(0, &all)
		a.setVartime(all.InvertVartime(&all))
	}
	for k := len(t) - 1; k >= 0; k-- {
		other.setFurther(&t[k], k)
		m.mulVartime(a, a, &other)
	}
}

// setFurther sets lane i of e to lane i + 4, i + 2 or i + 1 of a, for k = 0, 1 and 2.
func (e *Element) setFurther(a *Element, k int) {
	for limb := range e {
		switch a := &a[limb]; k {
		case 0:
			e[limb] = [N]uint64{a[4], a[5], a[6], a[7], a[0], a[1], a[2], a[3]}
		case 1:
			e[limb] = [N]uint64{a[2], a[3], a[4], a[5], a[6], a[7], a[0], a[1]}
		case 2:
			e[limb] = [N]uint64{a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[0]}
		}
	}
}
