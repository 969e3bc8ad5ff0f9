// Package p256k1 holds the keys of secp256k1, the elliptic curve of Bitcoin,
// Nostr, Ethereum and Cosmos (SEC 2, section 2.4.1), in pure Go without cgo.
//
// The schemes that use the keys are packages of their own: ecdsa, schnorr
// (BIP-340), ecdh, ellswift (BIP-324), and signer for Nostr programs. Package curve is the group
// underneath, for authors of protocols.
//
// A nil pointer to a key is no key, and neither is the zero value or a private key after
// Zero. All three are treated alike, as arguments and as receivers, in every package here:
// a function that needs a key returns ErrNoKey, or false if it returns no error. A key that
// is none encodes to no bytes, and its Point is infinity. The exceptions are methods that
// package fmt and encoders call on values, such as String and MarshalText, and methods that
// decode into a key: they panic for a nil pointer, as does any other pointer that is nil.
//
// Functions of several slices whose elements belong together, in every package here, panic
// if the slices differ in length: that is an error of the program, not of its input.
//
// Operations on private keys are constant-time. Parsing and comparing public
// keys, and verifying with them, is not: public keys are public.
package p256k1
