// Package faults disturbs signing. The tests write hooks into a copy of the library
// (hooks_test.go). A hook inverts a bit of an intermediate value, or sets all its bits
// to 0 or to 1. These values are, among others, the key, the nonce, R, r, e, 1/k, s,
// the public key, the caller's message, what is negated, and the verdict of the check.
// Each bit of each place is tried, except for addresses, with which a program would
// end. A transient fault is at one of the times that the place is passed, a lasting one
// at all of them. Bits of the table of multiples of the generator in memory are tried
// too.
//
// SignChecked of both schemes must return the very signature that it returns
// undisturbed, or an error. The exceptions are counted:
//
//   - A key may be misread before anything is computed from it. It is another key then,
//     whose signatures are valid for it. Its public key must differ from the expected
//     one, which is how a caller finds out.
//   - The same fault in both computations of a nonce makes a valid signature with
//     another nonce.
//
// Two things show that the test can fail. The same flips in the functions that do not
// check must return wrong signatures. Checks with a part left out must be found. btcec
// says which results are valid.
//
// P256K1_CASES sets how many keys and messages each bit of each place is tried with
// (1), P256K1_SEED which. With -short one bit in 17 is tried, and every bit of values
// of at most 64 bits. All 0 and all 1 are tried of each.
//
// The tests without the tag faults build the tests with the tag, with the hooks, and
// run them.
package faults
