// Package faults disturbs signing. The tests write hooks into a copy of the library (testdata/hooks.txt). A hook
// inverts a bit of an intermediate value, or sets all its bits to 0 or to 1. These values include the key, the nonce,
// R, r, e, 1/k, s, the public key, the caller's message, negated values, and the verdict of the check. Each bit of each
// place is tried, except in addresses, where a fault would crash the program. A transient fault happens at one pass of
// a place, and a lasting fault at every pass. The tests also flip bits of the generator's table in memory.
//
// Signing with Options.Checked in both schemes, the signing functions of protocols/adaptor, SignDeterministic of FROST
// and MuSig2, and dleq.Prove with Options.Checked must return an error, or the same signature or proof that they return
// without a fault. The exceptions are counted:
//
//   - A key may be misread before anything is computed from it. The signatures are then valid for another key. Its
//     public key must differ from the expected one, so that a caller can notice.
//   - The same fault in both computations of a nonce makes a valid signature with another nonce. For a pre-signature
//     the nonce is computed once, from fresh randomness, so one fault is enough. So it is for partial signatures and
//     proofs.
//   - The same fault in both sessions of SignDeterministic makes a partial signature for another challenge. No test
//     makes such faults.
//
// Two further tests show that these tests can fail. In the functions without a check, a quarter of the transient faults
// or more must lead to wrong signatures. If a part of the check is left out, the tests must find the omission. btcec
// decides which signatures are valid, and the tests check the proofs of pre-signatures with math/big.
//
// P256K1_CASES sets the number of keys and messages for each bit of each place (default 1), and P256K1_SEED chooses
// them. With -short, only one bit in 17 is tried in values with more than 64 bits. All zeros and all ones are tried at
// every place.
//
// Without the tag faults, the test builds the tests that have the tag, with the hooks, and runs them.
package faults
