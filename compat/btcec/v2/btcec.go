// Package btcec takes the place of btcd's package of the same path, version 2.5.1. As in btcd, its types are the types
// of Decred's module, and most of its functions are functions of that module. The package
// p256k1.mleku.dev/v2/compat/decred documents these types and functions, and says which functions are constant-time.
package btcec

import (
	"fmt"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	compat "p256k1.mleku.dev/v2/compat/decred"
)

// If the compiler reports an error in the second of the next lines, go.mod replaces btcec's module, but must also
// replace Decred's module. With Decred's own types this package would sign in variable time. README.md has the lines
// for go.mod.
var replaceDecredsModuleToo *compat.PrivateKey
var _ *secp256k1.PrivateKey = replaceDecredsModuleToo

type (
	CurveParams   = secp256k1.CurveParams
	Error         = secp256k1.Error
	ErrorKind     = secp256k1.ErrorKind
	FieldVal      = secp256k1.FieldVal
	JacobianPoint = secp256k1.JacobianPoint
	KoblitzCurve  = secp256k1.KoblitzCurve
	ModNScalar    = secp256k1.ModNScalar
	PrivateKey    = secp256k1.PrivateKey
	PublicKey     = secp256k1.PublicKey
)

// These are the lengths of encoded keys.
const (
	PrivKeyBytesLen          = 32
	PubKeyBytesLenCompressed = 33
)

func AddNonConst(p1, p2, result *JacobianPoint) { secp256k1.AddNonConst(p1, p2, result) }

func DecompressY(x *FieldVal, odd bool, resultY *FieldVal) bool {
	return secp256k1.DecompressY(x, odd, resultY)
}

func DoubleNonConst(p, result *JacobianPoint) { secp256k1.DoubleNonConst(p, result) }

func GenerateSharedSecret(privkey *PrivateKey, pubkey *PublicKey) []byte {
	return secp256k1.GenerateSharedSecret(privkey, pubkey)
}

func MakeJacobianPoint(x, y, z *FieldVal) JacobianPoint { return secp256k1.MakeJacobianPoint(x, y, z) }

func NewPublicKey(x, y *FieldVal) *PublicKey { return secp256k1.NewPublicKey(x, y) }

func NonceRFC6979(privKey []byte, hash []byte, extra []byte, version []byte, extraIterations uint32) *ModNScalar {
	return secp256k1.NonceRFC6979(privKey, hash, extra, version, extraIterations)
}

func Params() *CurveParams { return secp256k1.Params() }

func ParsePubKey(pubKeyStr []byte) (*PublicKey, error) { return secp256k1.ParsePubKey(pubKeyStr) }

// S256 returns the curve secp256k1. It always returns the same pointer. The methods of the curve take and return
// integers of math/big.
func S256() *KoblitzCurve { return secp256k1.S256() } //lint:ignore SA1019 btcec's is not deprecated

func ScalarBaseMultNonConst(k *ModNScalar, result *JacobianPoint) {
	secp256k1.ScalarBaseMultNonConst(k, result)
}

func ScalarMultNonConst(k *ModNScalar, point, result *JacobianPoint) {
	secp256k1.ScalarMultNonConst(k, point, result)
}

// NewPrivateKey returns a new private key from the system's randomness.
func NewPrivateKey() (*PrivateKey, error) { return secp256k1.GeneratePrivateKey() }

// PrivKeyFromBytes returns the private key whose value is the first 32 bytes of pk, as a big-endian integer modulo n,
// and its public key. It accepts 0, and values of n or more.
func PrivKeyFromBytes(pk []byte) (*PrivateKey, *PublicKey) {
	key := secp256k1.PrivKeyFromBytes(pk)
	return key, key.PubKey()
}

// PrivKeyFromScalar returns the private key whose value is key.
func PrivKeyFromScalar(key *ModNScalar) *PrivateKey { return secp256k1.NewPrivateKey(key) }

// IsCompressedPubKey reports whether pubKey has the length and the first byte of a compressed public key.
func IsCompressedPubKey(pubKey []byte) bool {
	return len(pubKey) == PubKeyBytesLenCompressed && pubKey[0]&^1 == secp256k1.PubKeyFormatCompressedEven
}

// SerializedKey is the compressed encoding of a public key. It can be used as the key of a map.
type SerializedKey [PubKeyBytesLenCompressed]byte

// ToSerialized returns the compressed encoding of pubKey.
func ToSerialized(pubKey *PublicKey) SerializedKey {
	return SerializedKey(pubKey.SerializeCompressed())
}

// ToPubKey returns the public key that s encodes, or an error of ParsePubKey.
func (s SerializedKey) ToPubKey() (*PublicKey, error) { return ParsePubKey(s[:]) }

// SchnorrSerialized returns the x coordinate of the key, 32 bytes, which is the encoding of public keys in BIP-340.
func (s SerializedKey) SchnorrSerialized() [32]byte { return [32]byte(s[1:]) }

// CopyBytes returns the 33 bytes of s.
func (s SerializedKey) CopyBytes() []byte { return s[:] }

// Generator returns the generator G as a public key.
func Generator() *PublicKey {
	var g JacobianPoint
	GeneratorJacobian(&g)
	return NewPublicKey(&g.X, &g.Y)
}

// GeneratorJacobian sets jacobian to the generator G, with Z = 1.
func GeneratorJacobian(jacobian *JacobianPoint) {
	ScalarBaseMultNonConst(new(ModNScalar).SetInt(1), jacobian)
}

// ParseJacobian returns the point that a compressed encoding of 33 bytes encodes, with Z = 1. An encoding whose first
// byte is 0 stands for infinity, whatever its other bytes are.
func ParseJacobian(point []byte) (JacobianPoint, error) {
	var p JacobianPoint
	if len(point) != PubKeyBytesLenCompressed {
		return p, Error{
			Err:         secp256k1.ErrPubKeyInvalidLen,
			Description: fmt.Sprintf("invalid nonce: invalid length: %v", len(point)),
		}
	}
	if point[0] == 0 {
		return p, nil
	}
	key, err := ParsePubKey(point)
	if err != nil {
		return p, err
	}
	key.AsJacobian(&p)
	return p, nil
}

// JacobianToByteSlice returns the compressed encoding of a point, 33 bytes. If X and Y are 0, the point is infinity,
// and all bytes are 0.
func JacobianToByteSlice(point JacobianPoint) []byte {
	if point.X.IsZero() && point.Y.IsZero() {
		return make([]byte, PubKeyBytesLenCompressed)
	}
	point.ToAffine()
	return NewPublicKey(&point.X, &point.Y).SerializeCompressed()
}
