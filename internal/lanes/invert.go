package lanes

// This file inverts the lanes of many elements with one inversion, at two levels. First the elements of all blocks are
// multiplied into one element, lane by lane, by Montgomery's trick (docs/inversion.md, I12). Then the eight lanes of
// this element are multiplied into one number, which is inverted. On the way back, the inverse of each number is
// separated from the inverse of the product.
//
// A single 0 would make all products 0, so callers replace zeros by 1 before the call, or do not call.

// modulus is the modulus of elements, p or n.
type modulus bool

const (
	modP modulus = false
	modN modulus = true
)

// mul sets r = a·b.
func (m modulus) mul(r, a, b *Element) {
	if m == modN {
		mulN(r, a, b)
	} else {
		mul(r, a, b)
	}
}

// invertBlocks sets inverse[i] = 1/z[i] modulo p, in constant time. No z[i] may be 0 in any lane. The parameter all is
// scratch memory.
func invertBlocks(inverse, z []Element, all *Element) {
	modP.multiplyUp(inverse, z, all)
	invert(all)
	modP.divideDown(inverse, z, all)
}

// invertBlocksVartime sets inverse[i] = 1/z[i] modulo m, in variable time. No z[i] may be 0 in any lane. The parameter
// all is scratch memory.
func invertBlocksVartime(m modulus, inverse, z []Element, all *Element) {
	m.multiplyUp(inverse, z, all)
	invertVartime(m, all)
	m.divideDown(inverse, z, all)
}

// multiplyUp sets before[i] = z[0]·…·z[i−1] for i > 0, and all = z[0]·…·z[last]. It does not set before[0].
func (m modulus) multiplyUp(before, z []Element, all *Element) {
	*all = z[0]
	for i := 1; i < len(z); i++ {
		before[i] = *all
		m.mul(all, all, &z[i])
	}
}

// divideDown sets before[i] = 1/z[i], given before as multiplyUp sets it and all = 1/(z[0]·…·z[last]). It changes the
// value of all, which is 1/(z[0]·…·z[i]) before the step for element i.
func (m modulus) divideDown(before, z []Element, all *Element) {
	for i := len(z) - 1; i > 0; i-- {
		m.mul(&before[i], &before[i], all)
		m.mul(all, all, &z[i])
	}
	before[0] = *all
}

// invert sets a = 1/a modulo p, in constant time. a must not be 0 in any lane.
func invert(a *Element) {
	var t halvings
	t.multiply(a, modP)
	all := a.get(0)
	a.set(0, all.Invert(&all))
	t.divide(a, modP)
}

// invertVartime sets a = 1/a modulo m, in variable time. a must not be 0 in any lane.
func invertVartime(m modulus, a *Element) {
	var t halvings
	t.multiply(a, m)
	if m == modN {
		all := a.getN(0)
		a.setN(0, all.InvertVartime(&all))
	} else {
		all := a.get(0)
		a.set(0, all.InvertVartime(&all))
	}
	t.divide(a, m)
}

// halvings holds what an element is before each of three steps, in which each lane is multiplied by the lane that is
// four, two or one lanes further. After the steps, every lane is the product of all lanes.
type halvings [3]Element

// multiply sets a to the product of all lanes of a, in every lane.
func (t *halvings) multiply(a *Element, m modulus) {
	var other Element
	for k := range t {
		t[k] = *a
		other.setFurther(a, k)
		m.mul(a, a, &other)
	}
}

// divide sets a to the inverses of the lanes that multiply multiplied, given the inverse of their product in lane 0.
func (t *halvings) divide(a *Element, m modulus) {
	var other Element
	for k := range a {
		for i := range N {
			a[k][i] = a[k][0]
		}
	}
	for k := len(t) - 1; k >= 0; k-- {
		other.setFurther(&t[k], k)
		m.mul(a, a, &other)
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
