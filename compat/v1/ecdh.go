package p256k1

import (
	"crypto/hkdf"
	"crypto/sha256"
	"errors"

	p256k1 "p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdh"
)

// ECDHHashFunction writes the shared secret for the shared point with the coordinates x32 and y32, 32 bytes each, into
// output, and reports whether it succeeded.
type ECDHHashFunction func(output, x32, y32 []byte) bool

// parseExchange returns the private key in seckey. The errors have the same texts as in version 1.
func parseExchange(pubkey *PublicKey, seckey []byte) (*p256k1.PrivateKey, error) {
	switch {
	case len(seckey) != 32:
		return nil, errors.New("seckey must be 32 bytes")
	case pubkey == nil:
		return nil, errNilPublic
	case !pubkey.isSet():
		return nil, errPublic
	}
	return parseSecret(seckey)
}

// ECDH writes the shared secret of the public and the private key into the 32 bytes of output: the result of hashfp for
// the shared point, or the SHA-256 of the point's compressed encoding if hashfp is nil.
//
// Deprecated: use SHA256 of version 2's package ecdh or, for another hash, PrivateKey.Use and Point.ScalarMult of
// package curve.
func ECDH(output []byte, pubkey *PublicKey, seckey []byte, hashfp ECDHHashFunction) error {
	if len(output) != 32 {
		return errOutputLength
	}
	key, err := parseExchange(pubkey, seckey)
	if err != nil {
		return err
	}
	defer key.Zero()
	if hashfp == nil {
		sum, err := ecdh.SHA256(key, &pubkey.key)
		if err != nil {
			return err
		}
		copy(output, sum[:])
		return nil
	}
	return key.Use(func(d curve.Scalar) error {
		var shared curve.Point
		defer shared.Zero()
		b := shared.ScalarMult(&d, pubkey.key.Point()).BytesUncompressed()
		defer clear(b)
		if !hashfp(output, b[1:33:33], b[33:]) {
			return errors.New("hash function failed")
		}
		return nil
	})
}

// ECDHXOnly writes the x coordinate of the shared point into the 32 bytes of output.
//
// Deprecated: use X of version 2's package ecdh.
func ECDHXOnly(output []byte, pubkey *PublicKey, seckey []byte) error {
	if len(output) != 32 {
		return errOutputLength
	}
	key, err := parseExchange(pubkey, seckey)
	if err != nil {
		return err
	}
	defer key.Zero()
	x, err := ecdh.X(key, &pubkey.key)
	if err != nil {
		return err
	}
	copy(output, x[:])
	clear(x[:])
	return nil
}

// HKDF fills output, which must have 1 to 8,160 bytes, with the HKDF-SHA256 of ikm (RFC 5869).
//
// Deprecated: use crypto/hkdf.
func HKDF(output, ikm, salt, info []byte) error {
	if len(output) == 0 {
		return errors.New("output length must be greater than 0")
	}
	key, err := hkdf.Key(sha256.New, ikm, salt, string(info), len(output))
	if err != nil {
		return err
	}
	copy(output, key)
	clear(key)
	return nil
}

// ECDHWithHKDF fills output with the HKDF-SHA256 of the shared secret that ECDH computes.
//
// Deprecated: use SHA256 of version 2's package ecdh, and crypto/hkdf.
func ECDHWithHKDF(output []byte, pubkey *PublicKey, seckey, salt, info []byte) error {
	var secret [32]byte
	defer clear(secret[:])
	if err := ECDH(secret[:], pubkey, seckey, nil); err != nil {
		return err
	}
	return HKDF(output, secret[:], salt, info)
}
