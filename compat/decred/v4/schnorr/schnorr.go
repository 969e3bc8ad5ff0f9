// Package schnorr takes the place of Decred's package of the same path. It implements Decred's own scheme
// EC-Schnorr-DCRv0, which differs from BIP-340: the signature is r‖s, where R = k·G has an even y, r = x(R), e =
// BLAKE-256(r‖hash) and s = k − e·d. Signing is constant-time.
package schnorr

import (
	"errors"
	"fmt"

	"github.com/decred/dcrd/crypto/blake256"
	secp256k1 "p256k1.mleku.dev/v2/compat/decred"
)

// These are the lengths of an encoded public key and of an encoded signature.
const (
	PubKeyBytesLen = 33
	SignatureSize  = 64
)

// Signature is a signature (r, s).
type Signature struct {
	r secp256k1.FieldVal // canonical
	s secp256k1.ModNScalar
}

func fail(kind ErrorKind, format string, args ...any) error {
	return Error{kind, fmt.Sprintf(format, args...)}
}

// ParsePubKey returns the public key that a compressed encoding of 33 bytes encodes.
func ParsePubKey(pubKeyStr []byte) (*secp256k1.PublicKey, error) {
	switch {
	case pubKeyStr == nil:
		return nil, errors.New("nil pubkey byte string")
	case len(pubKeyStr) != PubKeyBytesLen:
		return nil, fmt.Errorf("bad pubkey byte string size (want %v, have %v)", PubKeyBytesLen, len(pubKeyStr))
	case pubKeyStr[0]&^1 != secp256k1.PubKeyFormatCompressedEven:
		return nil, errors.New("wrong pubkey type (not compressed)")
	}
	return secp256k1.ParsePubKey(pubKeyStr)
}

// NewSignature returns the signature (r, s).
func NewSignature(r *secp256k1.FieldVal, s *secp256k1.ModNScalar) *Signature {
	sig := &Signature{*r, *s}
	sig.r.Normalize()
	return sig
}

// R returns r.
func (sig *Signature) R() secp256k1.FieldVal { return sig.r }

// S returns s.
func (sig *Signature) S() secp256k1.ModNScalar { return sig.s }

// Serialize returns r‖s, 64 bytes.
func (sig Signature) Serialize() []byte {
	b := make([]byte, SignatureSize)
	sig.r.PutBytesUnchecked(b[:32])
	sig.s.PutBytesUnchecked(b[32:])
	return b
}

// ParseSignature parses r‖s, 64 bytes, with r below p and s below n. The error is an Error whose Err is an ErrorKind of
// this package.
func ParseSignature(sig []byte) (*Signature, error) {
	parsed := new(Signature)
	switch {
	case len(sig) < SignatureSize:
		return nil, fail(ErrSigTooShort, "malformed signature: too short: %d < %d", len(sig), SignatureSize)
	case len(sig) > SignatureSize:
		return nil, fail(ErrSigTooLong, "malformed signature: too long: %d > %d", len(sig), SignatureSize)
	case parsed.r.SetByteSlice(sig[:32]):
		return nil, fail(ErrSigRTooBig, "invalid signature: r >= field prime")
	case parsed.s.SetByteSlice(sig[32:]):
		return nil, fail(ErrSigSTooBig, "invalid signature: s >= group order")
	}
	return parsed, nil
}

// IsEqual reports whether both signatures have the same r and the same s.
func (sig Signature) IsEqual(otherSig *Signature) bool {
	return sig.r.Equals(&otherSig.r) && sig.s.Equals(&otherSig.s)
}

// challenge sets e = BLAKE-256(r‖hash), and reports whether the hash is below n.
func challenge(e *secp256k1.ModNScalar, r *secp256k1.FieldVal, hash []byte) bool {
	var b [64]byte
	r.PutBytesUnchecked(b[:32])
	copy(b[32:], hash)
	sum := blake256.Sum256(b[:])
	return e.SetBytes(&sum) == 0
}

// Verify reports whether sig is a valid signature of hash, 32 bytes, by pubKey.
func (sig *Signature) Verify(hash []byte, pubKey *secp256k1.PublicKey) bool {
	var e secp256k1.ModNScalar
	if len(hash) != 32 || !pubKey.IsOnCurve() || !challenge(&e, &sig.r, hash) {
		return false
	}
	// The signature is valid if R = s·G + e·Q has an even y, and r is its x coordinate.
	var R secp256k1.JacobianPoint
	pubKey.AsJacobian(&R)
	secp256k1.DoubleScalarMultVartime(&sig.s, &e, &R, &R)
	if R.Z.IsZero() {
		return false
	}
	R.ToAffine()
	return !R.Y.IsOdd() && sig.r.Equals(&R.X)
}

// nonceData returns the additional data of RFC 6979, BLAKE-256("EC-Schnorr-DCRv0"), which make the nonces differ from
// ECDSA's nonces for the same key and hash.
func nonceData() [32]byte { return blake256.Sum256([]byte("EC-Schnorr-DCRv0")) }

// schnorrSign returns the signature of hash with the given nonce, or an error if the challenge is not below n, which
// happens with a probability of about 2⁻¹²⁸.
func schnorrSign(privKey, nonce *secp256k1.ModNScalar, hash []byte) (*Signature, error) {
	var R secp256k1.JacobianPoint
	secp256k1.ScalarBaseMultNonConst(nonce, &R)
	sig := &Signature{r: R.X}
	var e, odd, twice secp256k1.ModNScalar
	if !challenge(&e, &sig.r, hash) {
		return nil, fail(ErrSchnorrHashValue, "hash of (R || m) too big")
	}
	// If y(R) is odd, the nonce becomes −k, which is computed as k − 2·k without a branch.
	odd.SetInt(R.Y.IsOddBit())
	twice.Add2(nonce, nonce).Negate().Mul(&odd).Add(nonce)
	sig.s.Mul2(&e, privKey).Negate().Add(&twice)
	twice.Zero()
	return sig, nil
}

// Sign returns the signature of a 32-byte hash, with the nonce of RFC 6979. The error is an Error whose Err is an
// ErrorKind of this package.
func Sign(privKey *secp256k1.PrivateKey, hash []byte) (*Signature, error) {
	if len(hash) != 32 {
		return nil, fail(ErrInvalidHashLen, "wrong size for message hash (got %v, want 32)", len(hash))
	}
	if privKey.Key.IsZero() {
		return nil, fail(ErrPrivateKeyIsZero, "private key is zero")
	}
	d := privKey.Key.Bytes()
	defer clear(d[:])
	extra := nonceData()
	for i := uint32(0); ; i++ {
		k := secp256k1.NonceRFC6979(d[:], hash, extra[:], nil, i)
		sig, err := schnorrSign(&privKey.Key, k, hash)
		k.Zero()
		if err == nil {
			return sig, nil
		}
	}
}
