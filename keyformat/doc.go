// Package keyformat reads and writes secp256k1 keys in the formats of files and of
// JSON: PKCS #8, SEC 1, SubjectPublicKeyInfo, PEM and JWK. It also signs JSON Web
// Signatures with ES256K (RFC 8812). Package crypto/x509 of the standard library
// refuses keys on this curve.
//
// # What is accepted
//
// Each format has one form in which it is written, and few forms in which it is read: DER with nothing after it at any
// level, the curve by its name (1.3.132.0.10), public keys compressed or uncompressed. Everything else is refused with
// an error that names it: other algorithms and curves, explicit curve parameters, attributes, encryption, and a public
// key that does not belong to the private key. Decrypt encrypted keys first, for example with “openssl pkcs8”.
//
// One deviation from the standards is accepted. In RFC 5915 private keys have 32 bytes.
// Old versions of OpenSSL and other programs left out leading zeros, and some versions of
// Mbed TLS added a zero. A private key of another length is accepted if its file has the
// public key as well, and the two belong together.
//
// # Secrets
//
// No error message depends on bytes of a private key. The base64 digits of a key are read
// and written without table look-ups, and no branch depends on their values. The time may
// show where lines, strings and other parts of a text with a key begin and end, and why a
// key is refused. Functions leave no copy of a secret behind, unless they are interrupted.
// The caller must wipe inputs and results.
//
// # Tokens
//
// SignES256K and VerifyES256K make and verify the signatures of JWS and JWT, and nothing
// else. The caller must write and check headers and claims: which algorithm and key a token
// names, for whom it is and when it expires. The example of SignES256K makes a token and
// verifies it. The repository's page docs/jwt.md puts both functions behind the interfaces
// of golang-jwt and go-jose.
package keyformat
