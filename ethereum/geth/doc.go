// Package geth recovers the senders of all transactions of a block at once, for programs that use an unmodified
// go-ethereum. Prepare stores each sender where types.Sender looks first, so the rest of the program need not change.
// Authorities recovers the authorities of EIP-7702 authorizations at once, and returns them, because go-ethereum does
// not store them.
//
// The interface types.Signer of go-ethereum is not a stable API. This package is tested with go-ethereum v1.17.10,
// the version in the module's go.mod. It leaves unknown signers to go-ethereum, so with the signer of a later fork
// Prepare has no effect, but there is no wrong result.
package geth
