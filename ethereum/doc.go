// Package ethereum recovers the senders of Ethereum transactions, one by one or for a whole block at once, without
// cgo and without go-ethereum. It also implements addresses as text (EIP-55), Keccak-256, the hashes of messages and
// of typed data (EIP-191, EIP-712), the rules of Frontier and of Homestead for signatures (EIP-2), the values of v
// (EIP-155), and the precompiled contract ecrecover.
//
// This package handles only public data, and its time depends on the data. To sign, call ecdsa.SignRecoverable of the
// library with the 32-byte hash, and call BytesEthereum on the result.
package ethereum
