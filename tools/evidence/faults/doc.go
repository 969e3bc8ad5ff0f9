// Package faults disturbs signing. The tests write hooks into a copy of the library (hooks_test.go). A hook inverts a
// bit of an intermediate value, or sets all its bits to 0 or to 1. These values are, among others, the key, the nonce,
// R, r, e, 1/k, s, the public key, the caller's message, negated values, and the verdict of the check. Each bit of each
// place is tried, except in addresses, where a fault would crash the program. A transient fault happens at one of the
// times that the place is passed, and a lasting fault every time. The tests also flip bits of the generator's table in
// memory.
//
// SignChecked of both schemes must return an error, or the same signature that it returns without a fault. The
// exceptions are counted:
//
//   - A key may be misread before anything is computed from it. The signatures are
//     then valid for another key. Its public key must differ from the expected one,
//     so that a caller can notice.
//   - The same fault in both computations of a nonce makes a valid signature with
//     another nonce.
//
// Two further tests show that these tests can fail. In the functions without a check, the same faults must lead to
// wrong signatures. If a part of the check is left out, the tests must find this. btcec decides which results are
// valid.
//
// P256K1_CASES sets the number of keys and messages for each bit of each place (default 1), and P256K1_SEED chooses
// them. With -short one bit in 17 is tried, and every bit of values of at most 64 bits. All zeros and all ones are
// tried at every place.
//
// The tests without the tag faults build the tests with the tag, with the hooks, and
// run them.
package faults
