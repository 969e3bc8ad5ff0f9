// Package ecdsa takes the place of btcd's package of the same path. As in btcd, the type Signature and the functions
// that sign, verify and recover come from Decred's package ecdsa. The package p256k1.mleku.dev/v2/compat/decred/ecdsa
// documents them.
package ecdsa

import (
	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
)

type (
	Error     = ecdsa.ErrorKind // the kind, not ecdsa.Error, despite the name
	ErrorKind = ecdsa.ErrorKind
	Signature = ecdsa.Signature
)

func NewSignature(r, s *btcec.ModNScalar) *Signature { return ecdsa.NewSignature(r, s) }

func RecoverCompact(signature, hash []byte) (*btcec.PublicKey, bool, error) {
	return ecdsa.RecoverCompact(signature, hash)
}

func Sign(key *btcec.PrivateKey, hash []byte) *Signature { return ecdsa.Sign(key, hash) }

func SignCompact(key *btcec.PrivateKey, hash []byte, isCompressedKey bool) []byte {
	return ecdsa.SignCompact(key, hash, isCompressedKey)
}
