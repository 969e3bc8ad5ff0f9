// Package keyformat reads and writes secp256k1 keys in the formats PKCS #8, SEC 1, SubjectPublicKeyInfo, PEM and JWK.
// It also makes and verifies signatures with ES256K (RFC 8812) for JSON Web Signatures. Package crypto/x509 of the
// standard library does not support this curve.
//
// # What is accepted
//
// Each format is written in one form only, and is read in few forms. DER must have no trailing bytes at any level, and
// the curve must be given by its name (1.3.132.0.10). Public keys may be compressed or uncompressed. Everything else is
// refused with an error that names the deviation: other algorithms and curves, explicit curve parameters, attributes,
// encryption, and a public key that does not belong to the private key. Decrypt encrypted keys first, for example with
// “openssl pkcs8”.
//
// PEM is read in the standard and the lax form of RFC 7468: lines of any length that end with LF, CR LF or CR, white
// space before, within and after each line, empty lines, a byte order mark, and text before a block. Where a lax reader
// would have to guess which key is meant, or what is part of it, the file is refused: more than one block apart from EC
// PARAMETERS, anything except white space after the key's block, characters other than base64 and white space within a
// block, missing padding, and a block whose first and last line are not lines of their own or have different labels.
//
// Two deviations from RFC 5915 are accepted. The RFC requires that an ECPrivateKey names its curve, but within PKCS #8
// OpenSSL omits the name, and so does this package. The RFC also requires that private keys on this curve have 32
// bytes, but old versions of OpenSSL and other programs omitted leading zeros, and some versions of Mbed TLS added a
// zero. A private key that lacks leading zeros, or has one more zero, is accepted if the file also contains the public
// key that belongs to it.
//
// # Secrets
//
// No error message depends on bytes of a private key. The base64 digits of a key are read and written without table
// look-ups, and no branch depends on the values of the digits. The time may show where lines, strings and other parts
// of a text that contains a key begin and end, and why a key is refused. Functions leave no copy of a secret behind,
// unless the garbage collector, the scheduler or a signal interrupts them (see SECURITY.md). The caller must wipe
// inputs and results.
//
// # Tokens
//
// SignES256K and VerifyES256K only make and verify the signatures of JWS and JWT. The caller must write and check
// headers and claims, such as the algorithm and the key that a token names, for whom it is meant and when it expires.
// The example of SignES256K makes a token and verifies it. The repository's page docs/jwt.md shows how to use both
// functions through golang-jwt and go-jose.
//
// The examples are in example_test.go.
package keyformat
