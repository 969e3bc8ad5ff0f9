// Package lanes computes with eight elements or points at a time, one in each lane of a vector. docs/lanes.md explains
// why the results are correct.
//
// There are two kinds of lanes. Lanes in integers, for all data, are vectors of 512 bits, and use the AVX-512
// instructions that multiply 52-bit integers (IFMA). Lanes in doubles, for public data only, are pairs of vectors of
// 256 bits, and use AVX2 and FMA3 on processors without IFMA.
//
// A block is eight items, one in each lane. A routine is a function in assembly. It computes with one block, or with
// two or three blocks, whose instructions are interleaved in lanes of integers, so that the processor works on one
// block while another waits for results. Each routine has a twin in Go, with the suffix Generic, that computes one lane
// after the other (generic.go, genericdigits.go), and each routine in doubles has another twin, with the suffix Doubles
// (doubles.go). Algorithms are written in Go and call routines, and keep their vectors in a workspace on the heap.
//
// No instruction of a point formula moves values between lanes. So a lane in which a formula fails, because points are
// equal or opposite, cannot change another lane (docs/lanes.md, L3). A formula that fails sets Z ≡ 0, and Z stays 0
// because later formulas multiply Z by other values.
//
//	lanes.go      what an element is, and how lanes are read and set
//	invert.go     one inversion for all lanes and blocks
//	base.go       multiples of G by secret scalars
//	variable.go   multiples of any points by one secret scalar
//	digits.go     the digits of public scalars, and the tables in which they are looked up
//	double.go     sums k·P + g·G of public scalars
//	sums.go       sums of several products of public scalars
//	lift.go       points from their x coordinates
//	lists.go      additions of points in lists
//
// Everything is constant-time except functions with Vartime in their names and the helpers of these functions. A
// routine such as mulVartime does for public data what mul does for all data. With IFMA both are the same assembly.
// Otherwise mul is slow Go, which only tests use, and mulVartime may be assembly that computes with doubles, whose time
// may depend on the data (docs/lanes.md, L13). The limbs of the two kinds differ. So a function that computes modulo p
// keeps to the routines of one kind, and passes elements to a function of the other kind only as integers in Words or
// in Go's types. Integers modulo n have one kind of routines.
package lanes

import (
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/params"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// N is the number of lanes. On processors without the instructions of a routine its twin runs. The twins are slow, and
// only tests use them. Package platform decides which operations use lanes.
const N = platform.Lanes

// Words is eight integers below 2²⁵⁶. Word k of lane i is w[k][i], where word 0 is the least significant.
type Words [4][N]uint64

// Element is eight integers modulo p. Limb k of lane i is e[k][i]. In lanes of integers, the integer is the sum of limb
// k times 2^(52k). Only the low 52 bits of limbs 0 to 3 count, because the multiplier ignores the bits above them, and
// limb 4 is below 2⁴⁹. All routines take and return such elements, unless their comments promise more (docs/lanes.md,
// L1). In lanes of doubles, a limb holds the bits of a double, which math.Float64bits returns, and docs/lanes.md, L14,
// says what the limbs stand for. Therefore code with Vartime in its name loads and packs elements modulo p by routines,
// and reads no limbs.
//
// Elements are aligned to 64 bytes, so that no vector touches two cache lines. Go guarantees such alignment neither on
// the stack nor for small objects. The elements of a computation are therefore at multiples of 64 bytes in heap objects
// of more than 32 KiB, which Go allocates at the beginning of a page.
type Element [5][N]uint64

// Affine is eight points other than infinity.
type Affine struct{ X, Y Element }

// Jacobian2Y is eight points (X/Z², Y/(2·Z³)), or infinity if Z ≡ 0. Y is twice the Y of Jacobian coordinates, so that
// no formula has to halve anything (docs/lanes.md, L4).
type Jacobian2Y struct{ X, Y, Z Element }

// XYZZ is eight points (X/ZZ, Y/ZZZ) with ZZ³ = ZZZ², or infinity if ZZ ≡ 0.
type XYZZ struct{ X, Y, ZZ, ZZZ Element }

const (
	limbBits = 52
	limbMask = 1<<limbBits - 1
)

var (
	one  = field.FromLimbs(1, 0, 0, 0)
	half = *new(field.Element).Half(&one)
	b    = field.FromLimbs(params.B&params.Limb, params.B>>64&params.Limb, params.B>>128&params.Limb, params.B>>192)
)

// lane returns lane i of e as four words of 64 bits and the bits above 2²⁵⁶.
func (e *Element) lane(i int) (words [4]uint64, above uint64) {
	l0, l1, l2, l3, l4 := e[0][i]&limbMask, e[1][i]&limbMask, e[2][i]&limbMask, e[3][i]&limbMask, e[4][i]
	return [4]uint64{l0 | l1<<52, l1>>12 | l2<<40, l2>>24 | l3<<28, l3>>36 | l4<<16}, l4 >> 48
}

// setLane sets lane i of e to an integer below 2²⁵⁶.
func (e *Element) setLane(i int, w *[4]uint64) {
	e[0][i] = w[0] & limbMask
	e[1][i] = (w[0]>>52 | w[1]<<12) & limbMask
	e[2][i] = (w[1]>>40 | w[2]<<24) & limbMask
	e[3][i] = (w[2]>>28 | w[3]<<36) & limbMask
	e[4][i] = w[3] >> 16
}

// get returns lane i of e, modulo p.
func (e *Element) get(i int) field.Element {
	w, above := e.lane(i)
	v, t := field.FromLimbs(w[0], w[1], w[2], w[3]), field.FromLimbs(above*(1<<32+977), 0, 0, 0) // 2²⁵⁶ ≡ 2³² + 977
	v.Add(&v, &t)
	return v
}

// set sets lane i of e to v, reduced to [0, p).
func (e *Element) set(i int, v *field.Element) {
	var least field.Element
	w := least.Normalize(v).Limbs()
	e.setLane(i, &w)
}

// getN returns lane i of a, for an element of integers modulo the group order n in place of p.
func (a *Element) getN(i int) scalar.Scalar {
	w, above := a.lane(i)
	var low, high scalar.Scalar
	low.SetLimbs(&w)
	high.SetLimbs(&[4]uint64{0, 0, 0, 1 << 63}).Add(&high, &high) // 2²⁵⁶
	for range above {
		low.Add(&low, &high)
	}
	return low
}

// setN sets lane i of a to s, for an element of integers modulo n.
func (a *Element) setN(i int, s *scalar.Scalar) {
	w := s.Limbs()
	a.setLane(i, &w)
}

// get sets e to the integer in lane i.
func (w *Words) get(i int, e *field.Element) {
	*e = field.FromLimbs(w[0][i], w[1][i], w[2][i], w[3][i])
}

// set sets lane i to the limbs of e, which need not be reduced.
func (w *Words) set(i int, e *field.Element) {
	for k, word := range e.Limbs() {
		w[k][i] = word
	}
}

// get returns lane i of p in Jacobian coordinates, whose Y is half of the lane's Y.
func (p *Jacobian2Y) get(i int) group.Jacobian {
	q := group.Jacobian{X: p.X.get(i), Y: p.Y.get(i), Z: p.Z.get(i)}
	q.Y.Half(&q.Y)
	return q
}

// set sets lane i of p to q, and changes the coordinates of q. The doubling and the addition of eight points return
// twice the Z that the formulas of package group return. Twins call set after a formula of group, so set multiplies Z
// by 2.
func (p *Jacobian2Y) set(i int, q *group.Jacobian) {
	two := field.FromLimbs(2, 0, 0, 0)
	q.Rescale(q, &two)
	q.Y.Add(&q.Y, &q.Y)
	p.X.set(i, &q.X)
	p.Y.set(i, &q.Y)
	p.Z.set(i, &q.Z)
}

func (p *Affine) get(i int) group.Affine { return group.Affine{X: p.X.get(i), Y: p.Y.get(i)} }

func (p *Affine) set(i int, q *group.Affine) {
	p.X.set(i, &q.X)
	p.Y.set(i, &q.Y)
}

func (p *XYZZ) get(i int) group.XYZZ {
	return group.XYZZ{X: p.X.get(i), Y: p.Y.get(i), ZZ: p.ZZ.get(i), ZZZ: p.ZZZ.get(i)}
}

func (p *XYZZ) set(i int, q *group.XYZZ) {
	p.X.set(i, &q.X)
	p.Y.set(i, &q.Y)
	p.ZZ.set(i, &q.ZZ)
	p.ZZZ.set(i, &q.ZZZ)
}

// The types of the items that routines load into lanes and store from them.
type (
	laneScalar  = scalar.Scalar
	laneElement = field.Element
	lanePoint   = group.Affine
)

// inLane returns the index of the item in lane i, for n ≥ 1 items: lanes from n on repeat item 0.
func inLane(i, n int) int {
	if i < n {
		return i
	}
	return 0
}

// pointers holds the addresses of eight points, one for each lane.
type pointers [N]*group.Affine

// storeNormal sets a[i] to the point (x, y) of lane i, for up to eight points. It reduces x and y first.
func storeNormal(a []lanePoint, x, y *Element) {
	normalize(x, x)
	normalize(y, y)
	storePoints(a, x, y)
}

// storeVartime does for public data what storeNormal does.
func storeVartime(a []lanePoint, x, y *Element) {
	if platform.FMA || platform.DoublesInGo {
		storePackedVartime(a, x, y)
	} else {
		storeNormal(a, x, y) // faster, but only for elements of 52-bit limbs
	}
}

// storePackedVartime sets a[i] to the point (x, y) of lane i, for up to eight public points.
func storePackedVartime(a []lanePoint, x, y *Element) {
	var w Words
	packVartime(&w, x)
	for i := range a {
		w.get(i, &a[i].X)
	}
	packVartime(&w, y)
	for i := range a {
		w.get(i, &a[i].Y)
	}
}

// setVartime sets all lanes of e to v, which is public.
func (e *Element) setVartime(v *field.Element) { loadElementsVartime(e, []laneElement{*v}) }

// storeVartime sets dst[i] to the point of lane i, whose Y is half of the lane's Y, for up to eight public points.
func (p *Jacobian2Y) storeVartime(dst []group.Jacobian) {
	var x, y, z Words
	packVartime(&x, &p.X)
	packVartime(&y, &p.Y)
	packVartime(&z, &p.Z)
	for i := range dst {
		q := &dst[i]
		x.get(i, &q.X)
		y.get(i, &q.Y)
		q.Y.Half(&q.Y)
		z.get(i, &q.Z)
	}
}

// laneVartime sets v to lane i of e, which is public.
func (e *Element) laneVartime(i int, v *field.Element) {
	var w Words
	packVartime(&w, e)
	w.get(i, v)
}

// storeAffine sets p[i] to the point (x, y) of lane i with Z = 1, or with Z = 0 in the lanes of infinite, for up to
// eight points. It uses packed as scratch memory.
func storeAffine(p []*group.Jacobian, x, y *Element, infinite uint8, packed *Words) {
	pack(packed, x)
	for lane := range p {
		packed.get(lane, &p[lane].X)
	}
	pack(packed, y)
	for lane := range p {
		packed.get(lane, &p[lane].Y)
		p[lane].Z.Select(&field.Element{}, &one, -uint64(infinite>>lane&1))
	}
}

// toAffine replaces X and Y of p by the affine coordinates X/Z² and Y/(2·Z³), given inverse = 1/Z and half = 1/2. It
// changes inverse and t.
func (p *Jacobian2Y) toAffine(inverse, half, t *Element) {
	squareN(t, inverse, 1)
	mul(&p.X, &p.X, t)
	mul(inverse, inverse, t)
	mul(inverse, inverse, half)
	mul(&p.Y, &p.Y, inverse)
}

// toAffineVartime does for public data what toAffine does.
func (p *Jacobian2Y) toAffineVartime(inverse, half, t *Element) {
	squareNVartime(t, inverse, 1)
	mulVartime(&p.X, &p.X, t)
	mulVartime(inverse, inverse, t)
	mulVartime(inverse, inverse, half)
	mulVartime(&p.Y, &p.Y, inverse)
}

// has reports whether lane i is in the set k, which must be public.
func has(k uint8, i int) bool { return k>>i&1 != 0 }

// mask returns all ones if lane i is in the set k, else zero.
func mask(k uint8, i int) uint64 { return -uint64(k >> i & 1) }

// setBit adds lane i to the set k, or removes it if to is false. It branches on to, which must be public.
func setBit(k *uint8, i int, to bool) {
	*k &^= 1 << i
	if to {
		*k |= 1 << i
	}
}

// below returns the set of the lanes below n.
func below(n int) uint {
	return 1<<max(0, min(n, N)) - 1
}

// isZero returns the set of the lanes in which a ≡ 0 modulo p.
func isZero(a *Element) (k uint8) {
	var least Element
	normalize(&least, a)
	for i := range N {
		l := least[0][i] | least[1][i] | least[2][i] | least[3][i] | least[4][i]
		k |= uint8(^(l|-l)>>63) << i // l or −l has bit 63 set unless l = 0
	}
	return k
}

// isZeroVartime returns the set of the lanes in which a ≡ 0 modulo p, for public data.
func isZeroVartime(a *Element) (k uint8) {
	var w Words
	packVartime(&w, a)
	for i := range N {
		setBit(&k, i, w[0][i]|w[1][i]|w[2][i]|w[3][i] == 0)
	}
	return k
}

// isOddVartime returns the set of the lanes in which a is odd as an integer below p, for public data.
func isOddVartime(a *Element) (k uint8) {
	var w Words
	packVartime(&w, a)
	for i := range N {
		k |= uint8(w[0][i]&1) << i
	}
	return k
}

// isOdd returns the set of the lanes in which a, which must be normalized, is odd.
func isOdd(a *Element) (k uint8) {
	for i := range N {
		k |= uint8(a[0][i]&1) << i
	}
	return k
}

// report sets dst[i] to whether lane i is in the set k.
func report(dst []bool, k uint8) {
	for i := range dst {
		dst[i] = has(k, i)
	}
}
