// Package p256k1 implements keys on secp256k1, the elliptic curve of Bitcoin, Nostr, Ethereum and Cosmos (SEC 2,
// section 2.4.1), without cgo.
//
// The schemes that use the keys are packages of their own: ecdsa, schnorr (BIP-340), ecdh, ellswift (BIP-324), and
// signer for Nostr programs. Package curve implements scalars and points of the group, for authors of protocols.
//
// A key is invalid if it is nil, the zero value, or a private key after Zero. The same word is used for other values
// that only this module and the modules around it can make, such as shares, nonces and sessions. Every package treats
// all invalid keys alike, as arguments and as receivers: a function that needs a key returns ErrNoKey or, if the
// function returns no error, false or an invalid key. For an invalid key, Bytes returns nil and Point returns infinity.
// One thing remains after Zero: PrivateKey.PublicKey still returns the public key. Two kinds of methods panic for a nil
// pointer to a key: methods that package fmt and encoders call on values, such as String and MarshalText, and methods
// that decode into a key. Functions also panic for other nil pointers, unless their documentation says otherwise.
//
// In every package of this module, functions that take several slices whose elements belong together panic if the
// slices differ in length, because that is an error in the program and not in its input. So does GenerateKeys of a
// negative number.
//
// Encoders such as encoding/json write public keys and signatures as hexadecimal text. Package database/sql refuses the
// types of this module and of the modules around it, which do not import it. In a column of bytes, store the Bytes of a
// public key, a signature or a message, or the elements of an array such as ethereum.Address, and read them with
// functions such as ParsePublicKey or ecdsa.ParseCompact. In a column of text, store the result of MarshalText, and
// read it with UnmarshalText. The example named Database wraps a key for a column of bytes.
//
// Operations on private keys are constant-time. The time of operations on public keys and of verifying signatures may
// depend on public keys, messages and signatures, which are not secret.
//
// The examples are in example_test.go and example_database_test.go.
package p256k1
