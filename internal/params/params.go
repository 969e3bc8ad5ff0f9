// Package params has the constants of the curve, y² = x³ + B over the field of
// package field, of its group and of the endomorphism: those of secp256k1.
//
// The build tag exhaustive, together with one of order7, order13, order199,
// order3319 and order10903, exchanges them for those of a group so small that
// package conformance/exhaustive can try everything in it. It exists for that
// package alone: whatever is built with it has no security at all, and the tests
// beside the code fail. What else it exchanges is in the files that are named
// …_exhaustive.go, with the reason; all other code is that of secp256k1.
package params

// Limb masks the lowest 64 bits of a constant.
const Limb = 1<<64 - 1

// Beta is a cube root of unity modulo the order of the field: (Beta·x, y) is
// Lambda·(x, y).
const Beta = 0x7ae96a2b_657c0710_6e64479e_ac3434e9_9cf04975_12f58995_c1396c28_719501ee
