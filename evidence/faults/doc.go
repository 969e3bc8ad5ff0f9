// Package faults disturbs signing. In a copy of the library, into which the tests write hooks (hooks_test.go), a bit of an
// intermediate value is inverted, or all its bits are set to 0 or to 1: of the key, the nonce, R, r, e, 1/k, s, the public key,
// the caller's message, what is negated, the verdict of the check, and so on. Each bit of each place is tried, at each of the
// times that the place is passed, which is a transient fault, and at all of them, which is a lasting one; and bits of the table
// of multiples of the generator in memory.
//
// SignChecked of both schemes must return the very signature that it returns undisturbed, or an error. The exceptions are
// counted:
//
//   - A key that is misread before anything is computed from it is another key, whose signatures are valid for it. Its public
//     key must differ from the expected one, which is how a caller finds out.
//   - The same fault in both computations of a nonce makes a valid signature with another nonce.
//
// The same flips in the functions that do not check, which must return wrong signatures, show that the test can fail, and so do
// checks with a part left out. What is valid, btcec says.
//
// P256K1_CASES sets how many keys and messages each bit of each place is tried with (1), P256K1_SEED which; with -short one
// bit in 17 is tried, but all of what has no more than 64, and all 0 and all 1 of each.
//
// The tests with the tag faults are those that the tests without it build with the hooks and run.
package faults
