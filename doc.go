// Package p256k1 holds the keys of secp256k1, the elliptic curve of Bitcoin,
// Nostr, Ethereum and Cosmos (SEC 2, section 2.4.1), in pure Go without cgo.
//
// The schemes that use the keys are packages of their own: ecdsa, schnorr
// (BIP-340), ecdh, ellswift (BIP-324), and signer for Nostr programs. Package curve has the
// group itself, scalars and points, for authors of protocols.
//
// A nil pointer to a key is not a key. Neither is the zero value, nor a private key after Zero.
// All three are treated alike, as arguments and as receivers, in every package of this module:
// a function that needs a key returns ErrNoKey, or false if it returns no error. Bytes of such
// a key are nil, and its Point is infinity. The exceptions are methods that package fmt and
// encoders call on values, such as String and MarshalText, and methods that decode into a key:
// they panic for a nil pointer. Other nil pointers panic too, unless a function accepts them.
//
// Functions that take several slices whose elements belong together panic if the slices differ in
// length, in every package of this module: that is an error of the program, not of its input.
//
// Operations on private keys are constant-time. Parsing, comparing and verifying
// with public keys is not, because public keys are public.
package p256k1
