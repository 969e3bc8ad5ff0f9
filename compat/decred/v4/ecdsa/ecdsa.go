// Package ecdsa takes the place of Decred's package of the same path. Its types are aliases of the types of package
// p256k1.mleku.dev/v2/compat/decred/ecdsa, and its functions call that package's functions. That package documents
// them.
package ecdsa

import (
	secp256k1 "p256k1.mleku.dev/v2/compat/decred"
	"p256k1.mleku.dev/v2/compat/decred/ecdsa"
)

type (
	Error     = ecdsa.Error
	ErrorKind = ecdsa.ErrorKind
	Signature = ecdsa.Signature
)

const (
	ErrSigTooShort            = ecdsa.ErrSigTooShort
	ErrSigTooLong             = ecdsa.ErrSigTooLong
	ErrSigInvalidSeqID        = ecdsa.ErrSigInvalidSeqID
	ErrSigInvalidDataLen      = ecdsa.ErrSigInvalidDataLen
	ErrSigMissingSTypeID      = ecdsa.ErrSigMissingSTypeID
	ErrSigMissingSLen         = ecdsa.ErrSigMissingSLen
	ErrSigInvalidSLen         = ecdsa.ErrSigInvalidSLen
	ErrSigInvalidRIntID       = ecdsa.ErrSigInvalidRIntID
	ErrSigZeroRLen            = ecdsa.ErrSigZeroRLen
	ErrSigNegativeR           = ecdsa.ErrSigNegativeR
	ErrSigTooMuchRPadding     = ecdsa.ErrSigTooMuchRPadding
	ErrSigRIsZero             = ecdsa.ErrSigRIsZero
	ErrSigRTooBig             = ecdsa.ErrSigRTooBig
	ErrSigInvalidSIntID       = ecdsa.ErrSigInvalidSIntID
	ErrSigZeroSLen            = ecdsa.ErrSigZeroSLen
	ErrSigNegativeS           = ecdsa.ErrSigNegativeS
	ErrSigTooMuchSPadding     = ecdsa.ErrSigTooMuchSPadding
	ErrSigSIsZero             = ecdsa.ErrSigSIsZero
	ErrSigSTooBig             = ecdsa.ErrSigSTooBig
	ErrSigInvalidLen          = ecdsa.ErrSigInvalidLen
	ErrSigInvalidRecoveryCode = ecdsa.ErrSigInvalidRecoveryCode
	ErrSigOverflowsPrime      = ecdsa.ErrSigOverflowsPrime
	ErrPointNotOnCurve        = ecdsa.ErrPointNotOnCurve
)

func NewSignature(r, s *secp256k1.ModNScalar) *Signature { return ecdsa.NewSignature(r, s) }

func ParseDERSignature(sig []byte) (*Signature, error) { return ecdsa.ParseDERSignature(sig) }

func RecoverCompact(signature, hash []byte) (*secp256k1.PublicKey, bool, error) {
	return ecdsa.RecoverCompact(signature, hash)
}

func Sign(key *secp256k1.PrivateKey, hash []byte) *Signature { return ecdsa.Sign(key, hash) }

func SignCompact(key *secp256k1.PrivateKey, hash []byte, isCompressedKey bool) []byte {
	return ecdsa.SignCompact(key, hash, isCompressedKey)
}

// inlined is never called. The comment of the function inlined in package secp256k1 says why such functions exist.
func inlined(sig *Signature) (r, s secp256k1.ModNScalar) { return sig.R(), sig.S() }

var _ = inlined
