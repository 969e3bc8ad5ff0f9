// Package ethereum recovers the senders of Ethereum transactions, for one transaction or for a whole block at once,
// without cgo and without go-ethereum. It also implements
//
//   - addresses as text (EIP-55),
//   - Keccak-256, and the hashes of messages and of typed data (EIP-191, EIP-712),
//   - the rules for signatures since Frontier and since Homestead (EIP-2), and the values of v (EIP-155), and
//   - the precompiled contract ecrecover.
//
// This package handles only public data, and its time depends on the data. To sign a 32-byte hash, call
// ecdsa.SignRecoverable, and call BytesEthereum on the result.
//
// The examples are in example_test.go.
package ethereum
