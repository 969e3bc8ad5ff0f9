package secp256k1

import (
	"crypto/rand"
	"fmt"
	"io"
)

// These are the lengths of encoded keys, and the first bytes of encoded public keys (SEC 1, section 2.3.3; for the
// hybrid form, ANSI X9.62, section 4.3.6).
const (
	PrivKeyBytesLen            = 32
	PubKeyBytesLenCompressed   = 33
	PubKeyBytesLenUncompressed = 65

	PubKeyFormatCompressedEven byte = 0x02
	PubKeyFormatCompressedOdd  byte = 0x03
	PubKeyFormatUncompressed   byte = 0x04
	PubKeyFormatHybridEven     byte = 0x06
	PubKeyFormatHybridOdd      byte = 0x07
)

// PrivateKey is a private key. It can be 0, which is not a valid key.
type PrivateKey struct{ Key ModNScalar }

// NewPrivateKey returns the private key whose value is key.
func NewPrivateKey(key *ModNScalar) *PrivateKey { return &PrivateKey{*key} }

// PrivKeyFromBytes returns the private key whose value is the first 32 bytes of b, as a big-endian integer modulo n. It
// accepts 0, and values of n or more.
func PrivKeyFromBytes(b []byte) *PrivateKey {
	k := new(PrivateKey)
	k.Key.SetByteSlice(b)
	return k
}

// GeneratePrivateKey returns a new private key from the system's randomness.
func GeneratePrivateKey() (*PrivateKey, error) {
	return GeneratePrivateKeyFromRand(rand.Reader)
}

// GeneratePrivateKeyFromRand returns a new private key from 32 bytes of r. If these are 0 or not below n, it tries the
// next 32 bytes.
func GeneratePrivateKeyFromRand(r io.Reader) (*PrivateKey, error) {
	k, b := new(PrivateKey), new([32]byte)
	defer clear(b[:])
	for {
		if _, err := io.ReadFull(r, b[:]); err != nil {
			return nil, err
		}
		if k.Key.SetBytes(b)|k.Key.IsZeroBit() == 0 {
			return k, nil
		}
	}
}

// PubKey returns the public key of p, in constant time.
func (p *PrivateKey) PubKey() *PublicKey {
	var j JacobianPoint
	ScalarBaseMultNonConst(&p.Key, &j)
	return NewPublicKey(&j.X, &j.Y)
}

// Zero wipes p.
func (p *PrivateKey) Zero() { p.Key.Zero() }

// Serialize returns the private key as a 32-byte big-endian integer.
func (p PrivateKey) Serialize() []byte {
	b := new([PrivKeyBytesLen]byte)
	k := p.Key.scalar()
	k.FillBytes(b)
	return b[:]
}

// PublicKey is a pair of coordinates. NewPublicKey accepts any coordinates, and PrivateKey.PubKey returns (0, 0) for
// the private key 0. All other keys that functions return are points of the curve.
type PublicKey struct{ x, y FieldVal }

// NewPublicKey returns the public key with these coordinates, even if no point of the curve has them: see IsOnCurve.
func NewPublicKey(x, y *FieldVal) *PublicKey { return &PublicKey{*x, *y} }

// ParsePubKey returns the public key that b encodes in the compressed, uncompressed or hybrid form. The error is an
// Error whose Err is an ErrorKind of this package.
func ParsePubKey(b []byte) (*PublicKey, error) {
	const invalid = "invalid public key: "
	fail := func(kind ErrorKind, format string, args ...any) (*PublicKey, error) {
		return nil, makeError(kind, fmt.Sprintf(format, args...))
	}
	var x, y FieldVal
	switch len(b) {
	case PubKeyBytesLenCompressed:
		if b[0] != PubKeyFormatCompressedEven && b[0] != PubKeyFormatCompressedOdd {
			return fail(ErrPubKeyInvalidFormat, invalid+"unsupported format: %x", b[0])
		}
		if x.SetByteSlice(b[1:]) {
			return fail(ErrPubKeyXTooBig, invalid+"x >= field prime")
		}
		if !DecompressY(&x, b[0] == PubKeyFormatCompressedOdd, &y) {
			return fail(ErrPubKeyNotOnCurve, invalid+"x coordinate %v is not on the secp256k1 curve", x)
		}
	case PubKeyBytesLenUncompressed:
		hybrid := b[0] == PubKeyFormatHybridEven || b[0] == PubKeyFormatHybridOdd
		if b[0] != PubKeyFormatUncompressed && !hybrid {
			return fail(ErrPubKeyInvalidFormat, invalid+"unsupported format: %x", b[0])
		}
		if x.SetByteSlice(b[1:33]) {
			return fail(ErrPubKeyXTooBig, invalid+"x >= field prime")
		}
		if y.SetByteSlice(b[33:]) {
			return fail(ErrPubKeyYTooBig, invalid+"y >= field prime")
		}
		if odd := b[0] == PubKeyFormatHybridOdd; hybrid && y.IsOdd() != odd {
			return fail(ErrPubKeyMismatchedOddness, invalid+"y oddness does not match specified value of %v", odd)
		}
		if !isOnCurve(&x, &y) {
			return fail(ErrPubKeyNotOnCurve, invalid+"[%v,%v] not on secp256k1 curve", x, y)
		}
	default:
		return fail(ErrPubKeyInvalidLen, "malformed public key: invalid length: %d", len(b))
	}
	return NewPublicKey(&x, &y), nil
}

// SerializeUncompressed returns the uncompressed encoding, 65 bytes.
func (p PublicKey) SerializeUncompressed() []byte {
	b := make([]byte, PubKeyBytesLenUncompressed)
	b[0] = PubKeyFormatUncompressed
	p.x.PutBytesUnchecked(b[1:33])
	p.y.PutBytesUnchecked(b[33:])
	return b
}

// SerializeCompressed returns the compressed encoding, 33 bytes.
func (p PublicKey) SerializeCompressed() []byte {
	b := make([]byte, PubKeyBytesLenCompressed)
	y := p.y
	b[0] = PubKeyFormatCompressedEven | byte(y.Normalize().IsOddBit())
	p.x.PutBytesUnchecked(b[1:])
	return b
}

// IsEqual reports whether the two keys have the same coordinates.
func (p *PublicKey) IsEqual(other *PublicKey) bool {
	return p.x.Equals(&other.x) && p.y.Equals(&other.y)
}

// AsJacobian sets result to the point of p.
func (p *PublicKey) AsJacobian(result *JacobianPoint) {
	result.X, result.Y = p.x, p.y
	result.Z.SetInt(1)
}

// IsOnCurve reports whether p is a point of the curve.
func (p *PublicKey) IsOnCurve() bool { return isOnCurve(&p.x, &p.y) }

// GenerateSharedSecret returns the x coordinate of privkey·pubkey, 32 bytes (RFC 5903, section 9), in constant time.
// Hash it before using it as a key.
func GenerateSharedSecret(privkey *PrivateKey, pubkey *PublicKey) []byte {
	var p JacobianPoint
	pubkey.AsJacobian(&p)
	ScalarMultNonConst(&privkey.Key, &p, &p)
	return p.X.Bytes()[:]
}
