// Package p256k1 holds the keys of secp256k1, the elliptic curve of Bitcoin,
// Nostr, Ethereum and Cosmos (SEC 2, section 2.4.1), in pure Go without cgo.
//
// The schemes that use the keys are packages of their own: ecdsa, schnorr
// (BIP-340), ecdh, ellswift (BIP-324), and signer for Nostr programs. Package curve is the group
// underneath, for authors of protocols.
//
// Operations on private keys are constant-time. Parsing and comparing public
// keys, and verifying with them, is not: public keys are public.
package p256k1
