// Package keyformat reads and writes secp256k1 keys in the formats of files and of
// JSON: PKCS #8, SEC 1, SubjectPublicKeyInfo, PEM and JWK. It also signs JSON Web
// Signatures with ES256K (RFC 8812). Package crypto/x509 of the standard library
// refuses keys on this curve.
//
// # What is accepted
//
// Each format has one form that is written, and few that are read: DER with nothing
// after it at any level, the curve by its name (1.3.132.0.10), public keys compressed
// or not. Whatever else is in a key is refused with an error that names it. That goes
// for other algorithms and curves, explicit curve parameters, attributes, encryption,
// and a public key that is not that of the private key. Encrypted keys are to be
// decrypted first, for example by “openssl pkcs8”.
//
// One deviation from the standards is accepted. RFC 5915 gives private keys 32 bytes.
// Old versions of OpenSSL and of others left out leading zeros, and some of Mbed TLS
// put a zero before. A private key of another length is accepted if its file holds the
// public key too, and that is the right one.
//
// # Secrets
//
// No text of an error depends on bytes of a private key. Its digits in base64 are read
// and written without table look-ups, and no branch depends on their values. The time
// shows where lines, strings and other parts begin and end in a text with a key.
// Refusing a key may tell why. Functions leave no copy of a secret behind, unless they
// are interrupted. Input and results are the caller's to wipe.
//
// # Tokens
//
// SignES256K and VerifyES256K are the signatures of JWS and JWT, and nothing more.
// Headers and claims are the caller's: which algorithm and key a token may name,
// for whom it is and when it expires has to be checked besides the signature. The
// example of SignES256K makes a token and verifies it. The repository's page
// docs/jwt.md puts both functions behind the interfaces of golang-jwt and go-jose.
package keyformat
