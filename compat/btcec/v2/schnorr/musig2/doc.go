// Package musig2 takes the place of btcec's package of the same path. It implements the multi-signatures of BIP-327:
// several signers make one BIP-340 signature that verifies with the aggregate of their keys.
//
// Computations on private keys and secret nonces are constant-time. The time of all other computations may depend on
// public values. README.md lists the dangers that this interface cannot avoid. New programs should use
// p256k1.mleku.dev/v2/protocols/musig2 instead, whose secret nonces cannot be used twice.
package musig2
