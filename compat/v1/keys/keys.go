// Package keys has the functions of version 1's package keys. They call functions of package p256k1 in this module. New
// programs should use version 2.
package keys

import (
	"bytes"
	"errors"

	"p256k1.mleku.dev"
)

type (
	// PublicKey is an alias of p256k1.PublicKey.
	PublicKey = p256k1.PublicKey
	// XOnlyPubkey is an alias of p256k1.XOnlyPubkey.
	XOnlyPubkey = p256k1.XOnlyPubkey
	// KeyPair is an alias of p256k1.KeyPair.
	KeyPair = p256k1.KeyPair
)

// These are the forms that SerializePublic writes.
const (
	Compressed   = p256k1.ECCompressed
	Uncompressed = p256k1.ECUncompressed
)

// Generate returns a random key pair.
//
// Deprecated: use GenerateKey of version 2.
func Generate() (*KeyPair, error) { return p256k1.KeyPairGenerate() }

// Create returns the key pair of a private key of 32 bytes.
//
// Deprecated: use NewPrivateKey of version 2.
func Create(privateKey []byte) (*KeyPair, error) { return p256k1.KeyPairCreate(privateKey) }

// CreatePublic returns the public key of a private key of 32 bytes.
//
// Deprecated: use NewPrivateKey and PrivateKey.PublicKey of version 2.
func CreatePublic(privateKey []byte) (*PublicKey, error) {
	pubkey := new(PublicKey)
	if err := p256k1.ECPubkeyCreate(pubkey, privateKey); err != nil {
		return nil, err
	}
	return pubkey, nil
}

// ParsePublic returns the public key that 33 or 65 bytes encode.
//
// Deprecated: use NewPublicKey of version 2.
func ParsePublic(data []byte) (*PublicKey, error) {
	pubkey := new(PublicKey)
	if err := p256k1.ECPubkeyParse(pubkey, data); err != nil {
		return nil, err
	}
	return pubkey, nil
}

// SerializePublic returns the encoding of the public key in the form Compressed or Uncompressed. It returns no bytes
// for another form, or for a key that was never set.
//
// Deprecated: use PublicKey.Bytes or PublicKey.BytesUncompressed of version 2.
func SerializePublic(pubkey *PublicKey, format uint) []byte {
	var b [65]byte
	n := p256k1.ECPubkeySerialize(b[:], pubkey, format)
	return b[:n:n]
}

// ComparePublic compares the compressed encodings of two keys as bytes.Compare does.
//
// Deprecated: compare the results of PublicKey.Bytes of version 2, or use PublicKey.Equal.
func ComparePublic(a, b *PublicKey) int { return p256k1.ECPubkeyCmp(a, b) }

// ParseXOnly returns the public key with the x coordinate in 32 bytes.
//
// Deprecated: use NewXOnlyPublicKey of version 2.
func ParseXOnly(data []byte) (*XOnlyPubkey, error) { return p256k1.XOnlyPubkeyParse(data) }

// XOnlyFromPublic returns the x coordinate of a public key, and 1 if its y coordinate is odd or 0 if it is even.
//
// Deprecated: use PublicKey.XOnly and PublicKey.IsYOdd of version 2.
func XOnlyFromPublic(pubkey *PublicKey) (*XOnlyPubkey, int, error) {
	return p256k1.XOnlyPubkeyFromPubkey(pubkey)
}

// SerializeXOnly returns the 32 bytes of the x coordinate.
//
// Deprecated: use XOnlyPublicKey.Bytes of version 2.
func SerializeXOnly(pubkey *XOnlyPubkey) [32]byte { return pubkey.Serialize() }

// CompareXOnly compares the x coordinates of two keys. It panics if either key is nil.
//
// Deprecated: compare the results of XOnlyPublicKey.Bytes of version 2, or use XOnlyPublicKey.Equal.
func CompareXOnly(a, b *XOnlyPubkey) int { return p256k1.XOnlyPubkeyCmp(a, b) }

// ValidatePrivate reports whether privateKey is a valid private key of 32 bytes.
//
// Deprecated: use NewPrivateKey of version 2.
func ValidatePrivate(privateKey []byte) bool { return p256k1.ECSeckeyVerify(privateKey) }

// TweakAddPrivate returns the sum of a private key and a tweak, 32 bytes each, modulo n.
//
// Deprecated: use PrivateKey.TweakAdd of version 2.
func TweakAddPrivate(privateKey, tweak []byte) ([]byte, error) {
	return tweakPrivate(privateKey, tweak, p256k1.ECSeckeyTweakAdd)
}

// TweakMulPrivate returns the product of a private key and a tweak, 32 bytes each, modulo n.
//
// Deprecated: use PrivateKey.TweakMul of version 2.
func TweakMulPrivate(privateKey, tweak []byte) ([]byte, error) {
	return tweakPrivate(privateKey, tweak, p256k1.ECSeckeyTweakMul)
}

func tweakPrivate(privateKey, tweak []byte, operation func(seckey, tweak []byte) error) ([]byte, error) {
	result := bytes.Clone(privateKey)
	if err := operation(result, tweak); err != nil {
		clear(result)
		return nil, err
	}
	return result, nil
}

// TweakAddPublic returns the sum of a public key and tweak·G.
//
// Deprecated: use PublicKey.TweakAdd of version 2.
func TweakAddPublic(pubkey *PublicKey, tweak []byte) (*PublicKey, error) {
	result := *pubkey
	if err := p256k1.ECPubkeyTweakAdd(&result, tweak); err != nil {
		return nil, err
	}
	return &result, nil
}

// TweakMulPublic returns the product of a public key and a tweak.
//
// Deprecated: use PublicKey.TweakMul of version 2.
func TweakMulPublic(pubkey *PublicKey, tweak []byte) (*PublicKey, error) {
	result := *pubkey
	if err := p256k1.ECPubkeyTweakMul(&result, tweak); err != nil {
		return nil, err
	}
	return &result, nil
}

// NegatePrivate returns the negative of a private key of 32 bytes, modulo n.
//
// Deprecated: use PrivateKey.Negate of version 2.
func NegatePrivate(privateKey []byte) ([]byte, error) {
	result := bytes.Clone(privateKey)
	if !p256k1.ECSeckeyNegate(result) {
		clear(result)
		return nil, errors.New("invalid private key")
	}
	return result, nil
}
