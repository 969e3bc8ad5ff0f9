// Package ethereum recovers the senders of Ethereum's transactions, one by one or all of a block together, without cgo
// and without go-ethereum. It has addresses as text (EIP-55), Keccak-256, the hashes of messages and of typed data
// (EIP-191, EIP-712), the rules of Frontier and of Homestead for signatures (EIP-2), the values of v (EIP-155), and the
// precompiled contract ecrecover.
//
// Everything in this package is public data, and the time depends on it. To sign, use ecdsa.SignRecoverable of the
// library with the 32-byte hash, and BytesEthereum of its result.
package ethereum
