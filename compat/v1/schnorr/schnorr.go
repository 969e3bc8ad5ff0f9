// Package schnorr has the functions of version 1's package schnorr. They call functions of package p256k1 in this
// module. New programs should use version 2.
package schnorr

import (
	"errors"

	"p256k1.mleku.dev"
)

type (
	// Signature is an alias of p256k1.SchnorrSignature.
	Signature = p256k1.SchnorrSignature
	// XOnlyPubkey is an alias of p256k1.XOnlyPubkey.
	XOnlyPubkey = p256k1.XOnlyPubkey
	// KeyPair is an alias of p256k1.KeyPair.
	KeyPair = p256k1.KeyPair
	// PublicKey is an alias of p256k1.PublicKey.
	PublicKey = p256k1.PublicKey
)

// NewKeyPair returns the key pair of a private key of 32 bytes.
//
// Deprecated: use NewPrivateKey of version 2.
func NewKeyPair(privateKey []byte) (*KeyPair, error) { return p256k1.KeyPairCreate(privateKey) }

// GenerateKeyPair returns a random key pair.
//
// Deprecated: use GenerateKey of version 2.
func GenerateKeyPair() (*KeyPair, error) { return p256k1.KeyPairGenerate() }

// ParseXOnlyPubkey returns the public key with the x coordinate in 32 bytes.
//
// Deprecated: use NewXOnlyPublicKey of version 2.
func ParseXOnlyPubkey(input []byte) (*XOnlyPubkey, error) { return p256k1.XOnlyPubkeyParse(input) }

// XOnlyFromPubkey returns the x coordinate of a public key, and 1 if its y coordinate is odd or 0 if it is even.
//
// Deprecated: use PublicKey.XOnly and PublicKey.IsYOdd of version 2.
func XOnlyFromPubkey(pubkey *PublicKey) (*XOnlyPubkey, int, error) {
	return p256k1.XOnlyPubkeyFromPubkey(pubkey)
}

// Sign returns the signature of a message of 32 bytes (BIP-340). auxRand is 32 bytes of auxiliary randomness. If it is
// nil, zeros are used, which make signatures deterministic.
//
// Deprecated: use Sign of version 2's package schnorr, for which nil means fresh randomness.
func Sign(message []byte, keypair *KeyPair, auxRand []byte) (*Signature, error) {
	sig := new(Signature)
	if err := p256k1.SchnorrSign(sig[:], message, keypair, auxRand); err != nil {
		return nil, err
	}
	return sig, nil
}

// SignRaw writes the signature that Sign makes into the 64 bytes of sig64.
//
// Deprecated: use Sign of version 2's package schnorr, for which nil means fresh randomness.
func SignRaw(sig64, message []byte, keypair *KeyPair, auxRand []byte) error {
	return p256k1.SchnorrSign(sig64, message, keypair, auxRand)
}

// Verify reports whether sig is a valid signature of a message of 32 bytes.
//
// Deprecated: use Verify of version 2's package schnorr.
func Verify(sig *Signature, message []byte, pubkey *XOnlyPubkey) bool {
	return sig != nil && p256k1.SchnorrVerify(sig[:], message, pubkey)
}

// VerifyRaw reports whether sig64, 64 bytes, is a valid signature of a message of 32 bytes.
//
// Deprecated: use Verify of version 2's package schnorr.
func VerifyRaw(sig64, message []byte, pubkey *XOnlyPubkey) bool {
	return p256k1.SchnorrVerify(sig64, message, pubkey)
}

// VerifyItem is one item of a batch: the arguments of Verify.
type VerifyItem struct {
	Signature *Signature
	Message   []byte
	Pubkey    *XOnlyPubkey
}

// VerifyBatch reports whether all signatures are valid. It takes less time than a Verify for each.
//
// Deprecated: use Batch of version 2's package schnorr, which allocates nothing when it is used again.
func VerifyBatch(items []VerifyItem) bool {
	all := make([]p256k1.BatchSchnorrItem, len(items))
	for i := range items {
		item := &items[i]
		all[i] = p256k1.BatchSchnorrItem{Pubkey: item.Pubkey, Message: item.Message}
		if item.Signature != nil {
			all[i].Signature = item.Signature[:]
		}
	}
	return p256k1.SchnorrBatchVerify(all)
}

// ParseSignature returns the 64 bytes of sig64 as a Signature. It accepts any 64 bytes.
//
// Deprecated: version 2 takes signatures as bytes.
func ParseSignature(sig64 []byte) (*Signature, error) {
	if len(sig64) != 64 {
		return nil, errors.New("signature must be 64 bytes")
	}
	sig := Signature(sig64)
	return &sig, nil
}

// Bytes returns the 64 bytes of the signature, as a slice of sig.
func Bytes(sig *Signature) []byte { return sig[:] }

// R returns the first 32 bytes of the signature, as a slice of sig.
func R(sig *Signature) []byte { return sig[:32] }

// S returns the last 32 bytes of the signature, as a slice of sig.
func S(sig *Signature) []byte { return sig[32:] }

// SerializeXOnly returns the 32 bytes of the x coordinate.
//
// Deprecated: use XOnlyPublicKey.Bytes of version 2.
func SerializeXOnly(pubkey *XOnlyPubkey) [32]byte { return pubkey.Serialize() }

// CompareXOnly compares the x coordinates of two keys. It panics if either key is nil.
//
// Deprecated: compare the results of XOnlyPublicKey.Bytes of version 2, or use XOnlyPublicKey.Equal.
func CompareXOnly(a, b *XOnlyPubkey) int { return p256k1.XOnlyPubkeyCmp(a, b) }
