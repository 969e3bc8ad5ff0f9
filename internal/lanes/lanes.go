// Package lanes computes with eight elements or points at a time, one in each lane of
// a vector of 512 bits, by the AVX-512 instructions that multiply 52 bits (IFMA).
//
// A routine is in assembly, and nameGeneric is its twin in Go, which takes the lanes in
// turn. Stages are written in Go and call routines; what they work on is in one
// workspace on the heap.
//
// Everything is constant-time except what is named Vartime.
package lanes

import "p256k1.mleku.dev/v2/internal/platform"

// N is how many lanes there are. Where the processor has no such instructions the twins run,
// which are there for tests: package platform says who uses lanes, and for what.
const N = platform.Lanes

// Words are eight integers below 2²⁵⁶: word k of lane i, the least significant one
// first, is w[k][i].
type Words [4][N]uint64

// Element is eight integers modulo p. Limb k of lane i is e[k][i] and counts 2^(52k).
// Of limbs 0 to 3 the low 52 bits count, whatever stands above them; limb 4 is below
// 2⁴⁹. All routines take such elements and return them, unless they say more.
//
// Elements lie on 64 bytes, for otherwise each vector touches two lines of the cache:
// at multiples of 64 bytes in objects of more than 32 KiB on the heap, which begin a page.
// Go's stack is not aligned.
type Element [5][N]uint64

// Affine is eight points other than infinity.
type Affine struct{ X, Y Element }

// Jacobian2Y is eight points, of which X, Y and Z stand for (X/Z², Y/(2·Z³)), or for
// infinity if Z ≡ 0. With Y twice as large no formula halves.
type Jacobian2Y struct{ X, Y, Z Element }

// XYZZ is eight points (X/ZZ, Y/ZZZ) with ZZ³ = ZZZ², or infinity if ZZ ≡ 0.
type XYZZ struct{ X, Y, ZZ, ZZZ Element }

const (
	limbBits = 52
	limbMask = 1<<limbBits - 1
)

// lane returns lane i of e.
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
