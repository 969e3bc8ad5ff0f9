// Package exchange has the functions of version 1's package exchange. They call functions of package p256k1 in this
// module. New programs should use version 2.
package exchange

import (
	"p256k1.mleku.dev"
)

type (
	// PublicKey is an alias of p256k1.PublicKey.
	PublicKey = p256k1.PublicKey
	// HashFunction is an alias of p256k1.ECDHHashFunction.
	HashFunction = p256k1.ECDHHashFunction
)

// SharedSecret returns the SHA-256 of the shared point's compressed encoding, 32 bytes.
//
// Deprecated: use SHA256 of version 2's package ecdh.
func SharedSecret(pubkey *PublicKey, privateKey []byte) ([]byte, error) {
	return SharedSecretWithHash(pubkey, privateKey, nil)
}

// SharedSecretWithHash returns the 32 bytes that hash computes from the shared point, or the result of SharedSecret if
// hash is nil.
//
// Deprecated: use SHA256 of version 2's package ecdh or, for another hash, PrivateKey.Use and Point.ScalarMult of
// package curve.
func SharedSecretWithHash(pubkey *PublicKey, privateKey []byte, hash HashFunction) ([]byte, error) {
	output := make([]byte, 32)
	if err := p256k1.ECDH(output, pubkey, privateKey, hash); err != nil {
		return nil, err
	}
	return output, nil
}

// SharedSecretRaw writes the secret that SharedSecret returns into the 32 bytes of output.
//
// Deprecated: use SHA256 of version 2's package ecdh.
func SharedSecretRaw(output []byte, pubkey *PublicKey, privateKey []byte) error {
	return p256k1.ECDH(output, pubkey, privateKey, nil)
}

// XOnlySharedSecret returns the x coordinate of the shared point, 32 bytes.
//
// Deprecated: use X of version 2's package ecdh.
func XOnlySharedSecret(pubkey *PublicKey, privateKey []byte) ([]byte, error) {
	output := make([]byte, 32)
	if err := p256k1.ECDHXOnly(output, pubkey, privateKey); err != nil {
		return nil, err
	}
	return output, nil
}

// XOnlySharedSecretRaw writes the x coordinate of the shared point into the 32 bytes of output.
//
// Deprecated: use X of version 2's package ecdh.
func XOnlySharedSecretRaw(output []byte, pubkey *PublicKey, privateKey []byte) error {
	return p256k1.ECDHXOnly(output, pubkey, privateKey)
}

// DeriveKey fills output with the HKDF-SHA256 of ikm (RFC 5869).
//
// Deprecated: use crypto/hkdf.
func DeriveKey(output, ikm, salt, info []byte) error { return p256k1.HKDF(output, ikm, salt, info) }

// SharedSecretWithDerivation returns keyLen bytes of the HKDF-SHA256 of the secret that SharedSecret returns. It panics
// if keyLen is negative.
//
// Deprecated: use SHA256 of version 2's package ecdh, and crypto/hkdf.
func SharedSecretWithDerivation(pubkey *PublicKey, privateKey, salt, info []byte, keyLen int) ([]byte, error) {
	output := make([]byte, keyLen)
	if err := p256k1.ECDHWithHKDF(output, pubkey, privateKey, salt, info); err != nil {
		return nil, err
	}
	return output, nil
}

// SharedSecretWithDerivationRaw fills output with the HKDF-SHA256 of the secret that SharedSecret returns.
//
// Deprecated: use SHA256 of version 2's package ecdh, and crypto/hkdf.
func SharedSecretWithDerivationRaw(output []byte, pubkey *PublicKey, privateKey, salt, info []byte) error {
	return p256k1.ECDHWithHKDF(output, pubkey, privateKey, salt, info)
}
