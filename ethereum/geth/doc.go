// Package geth recovers the senders of all transactions of a block together, for programs that use an unmodified
// go-ethereum. Prepare stores each sender where types.Sender looks first, so the rest of the program need not change.
// Authorities recovers the authorities of many EIP-7702 authorizations together, and returns them, because go-ethereum
// does not store authorities.
//
// The interface types.Signer of go-ethereum is not a stable API. This package is tested with go-ethereum v1.17.10, the
// version in the module's go.mod. Prepare has no effect with a signer that the package does not know, such as the
// signer of a later fork. types.Sender then recovers the senders as usual.
//
// The examples are in example_test.go.
package geth
