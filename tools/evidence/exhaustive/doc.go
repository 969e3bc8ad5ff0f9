// Package exhaustive tries all inputs in small groups. A patched copy of the library (package small) computes on y² =
// x³ + b over the field of secp256k1, in a group of order 7, 13, 199, 3319 or 10903. In such a group all points and
// scalars can be listed. Every result is compared with a list of the multiples of G, made by adding G to itself with
// math/big. The schemes are compared with their equations on integers modulo the order.
//
// The code that runs is the code of secp256k1: the field, the formulas for points (in assembly or not), the inversion,
// the recodings with all their windows and tables, keys and schemes. The files that the patch replaces are in
// testdata/small, with the reason. The patched library differs in four ways, none of which reduces what is tested:
//
//   - A scalar below n has only a few bits. For each multiplication a random congruent integer of 256 bits replaces it
//     (internal/scalar). So every window, table and digit is in use, and many computations lead to the same multiple.
//   - Additions of equal and of opposite points, and of infinity, are common (internal/group). A multiplication in
//     secp256k1 never sees them, since the group is too large. The H that the formulas return identifies them.
//   - A hash is never below a small n, so the nonces of Cashu's proofs are reduced (protocols/cashu).
//   - The generator has x = 1. So ECDSA meets the case x < n. Other points with x ≡ 0 mod n bring the case r = 0.
//
// The tests without tags build and run the tests with tags, for each order. To run the tests of one order by hand:
//
//	overlay=$(go run ./tools/evidence/exhaustive/overlay -o DIR)
//	go test -v -overlay "$overlay" -tags exhaustive,order13 ./tools/evidence/exhaustive
//
// P256K1_LONG=1 adds the orders 3319 and 10903. Some tests have too many cases to try them all: P256K1_CASES sets the
// number of cases, and P256K1_SEED selects the cases.
package exhaustive
