package keyformat

import (
	"errors"
	"fmt"
)

// These errors say what is wrong with the format of a key. For invalid integers and points, the errors are
// p256k1.ErrRange, ErrPrefix, ErrLength and ErrNotOnCurve.
var (
	// ErrDER means that bytes are not strict DER, or do not have the structure that the function reads.
	ErrDER = errors.New("invalid DER")
	// ErrPEM means that a file does not have the PEM block that the function reads, that the block is malformed, or
	// that something other than white space follows the block.
	ErrPEM = errors.New("invalid PEM")
	// ErrJWK means that a text is not a JSON object with the members of a key, that a member occurs twice, or that a
	// member contradicts the use of the key.
	ErrJWK = errors.New("invalid JWK")
	// ErrAlgorithm means that the key is not an elliptic-curve key.
	ErrAlgorithm = errors.New("not an elliptic-curve key")
	// ErrCurve means that the key is on a curve other than secp256k1, or that NULL takes the place of the curve's name.
	ErrCurve = errors.New("not on secp256k1")
	// ErrExplicitParameters means that the curve is given by its parameters and not by its name. Programs that did not
	// check such parameters accepted forged signatures (CVE-2020-0601).
	ErrExplicitParameters = errors.New("explicit curve parameters")
	// ErrEncrypted means that the key is encrypted.
	ErrEncrypted = errors.New("encrypted")
	// ErrMismatch means that the public key in a file does not belong to the private key.
	ErrMismatch = errors.New("private key and public key do not belong together")
	// ErrSigner means that the public key of a crypto.Signer is not a *p256k1.PublicKey.
	ErrSigner = errors.New("not a signer with a secp256k1 key")
)

// A parser remembers the first error, after which its methods do nothing.
type parser struct {
	what string
	err  error
}

// fail records an error of the given kind. The message must not depend on secrets: if a length or a name is wrong, any
// byte of the input may be a byte of the key.
func (p *parser) fail(kind error, format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("keyformat: %s: %w: %s", p.what, kind, fmt.Sprintf(format, args...))
	}
}

// wrap records err, an error of package p256k1 about a key, without the name of that package. It does nothing if err is
// nil.
func (p *parser) wrap(key string, err error) {
	if p.err == nil && err != nil {
		p.err = fmt.Errorf("keyformat: %s: %s: %w", p.what, key, errors.Unwrap(err))
	}
}
