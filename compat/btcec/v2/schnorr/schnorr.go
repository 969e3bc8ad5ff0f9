// Package schnorr takes the place of btcd's package of the same path. It implements BIP-340 signatures of 32-byte
// hashes. Signing is constant-time.
package schnorr

import (
	"errors"
	"fmt"

	"github.com/btcsuite/btcd/btcec/v2"
	dcr "github.com/decred/dcrd/dcrec/secp256k1/v4/schnorr"
	"p256k1.mleku.dev/v2/schnorr"
)

type (
	Error     = dcr.Error
	ErrorKind = dcr.ErrorKind
)

func fail(kind ErrorKind, format string, args ...any) error {
	return Error{Err: kind, Description: fmt.Sprintf(format, args...)}
}

// These are the lengths of an encoded public key and of an encoded signature.
const (
	PubKeyBytesLen = 32
	SignatureSize  = 64
)

// ParsePubKey returns the public key with even y and the 32-byte x coordinate pubKeyStr.
func ParsePubKey(pubKeyStr []byte) (*btcec.PublicKey, error) {
	switch {
	case pubKeyStr == nil:
		return nil, errors.New("nil pubkey byte string")
	case len(pubKeyStr) != PubKeyBytesLen:
		return nil, fmt.Errorf("bad pubkey byte string size (want %v, have %v)", PubKeyBytesLen, len(pubKeyStr))
	}
	encoded := btcec.SerializedKey{0: 2}
	copy(encoded[1:], pubKeyStr)
	return encoded.ToPubKey()
}

// SerializePubKey returns the x coordinate of pub, 32 bytes.
func SerializePubKey(pub *btcec.PublicKey) []byte { return pub.SerializeCompressed()[1:] }

// Signature is a signature (r, s).
type Signature struct {
	r btcec.FieldVal // canonical
	s btcec.ModNScalar
}

// NewSignature returns the signature (r, s).
func NewSignature(r *btcec.FieldVal, s *btcec.ModNScalar) *Signature {
	sig := &Signature{*r, *s}
	sig.r.Normalize()
	return sig
}

// Serialize returns r‖s, 64 bytes.
func (sig Signature) Serialize() []byte {
	b := make([]byte, SignatureSize)
	sig.put((*[SignatureSize]byte)(b))
	return b
}

func (sig *Signature) put(b *[SignatureSize]byte) {
	sig.r.PutBytesUnchecked(b[:32])
	sig.s.PutBytesUnchecked(b[32:])
}

// ParseSignature parses r‖s, 64 bytes, with r below p and s below n. The error is an Error with a kind that Decred's
// package schnorr defines.
func ParseSignature(sig []byte) (*Signature, error) {
	parsed := new(Signature)
	switch {
	case len(sig) < SignatureSize:
		return nil, fail(dcr.ErrSigTooShort, "malformed signature: too short: %d < %d", len(sig), SignatureSize)
	case len(sig) > SignatureSize:
		return nil, fail(dcr.ErrSigTooLong, "malformed signature: too long: %d > %d", len(sig), SignatureSize)
	case parsed.r.SetByteSlice(sig[:32]):
		return nil, fail(dcr.ErrSigRTooBig, "invalid signature: r >= field prime")
	case parsed.s.SetByteSlice(sig[32:]):
		return nil, fail(dcr.ErrSigSTooBig, "invalid signature: s >= group order")
	}
	return parsed, nil
}

// IsEqual reports whether both signatures have the same r and the same s.
func (sig Signature) IsEqual(otherSig *Signature) bool {
	return sig.r.Equals(&otherSig.r) && sig.s.Equals(&otherSig.s)
}

// Verify reports whether sig is a valid signature of hash, 32 bytes, by the key with the x coordinate of pubKey. The y
// coordinate of pubKey is ignored.
func (sig *Signature) Verify(hash []byte, pubKey *btcec.PublicKey) bool {
	x := xOf(pubKey)
	if len(hash) != 32 {
		return false
	}
	if sig == nil { // as in btcec, a key without a point is invalid before a nil signature panics
		if _, err := ParsePubKey(x[:]); err != nil {
			return false
		}
	}
	return sig.verify(&x, hash)
}

func (sig *Signature) verify(x *[32]byte, hash []byte) bool {
	var b [SignatureSize]byte
	sig.put(&b)
	return schnorr.VerifyBytes(x[:], hash, b[:])
}

// xOf returns the x coordinate of a public key.
func xOf(key *btcec.PublicKey) (x [32]byte) {
	var p btcec.JacobianPoint
	key.AsJacobian(&p)
	p.X.PutBytes(&x)
	return x
}
