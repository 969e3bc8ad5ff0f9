// Package geth recovers the senders of all transactions of a block together for programs with an unmodified
// go-ethereum. Prepare stores each sender where types.Sender looks first, so the rest of the program stays as it is.
// Authorities does the same for the authorizations of EIP-7702, whose recovery go-ethereum does not store.
//
// go-ethereum calls types.Signer no stable API. The module is tested with go-ethereum v1.17.10, the version in its
// go.mod. Signers that it does not know are left to go-ethereum, so a signer of a later fork gains nothing, and gives no
// wrong result.
package geth
