package p256k1_test

import (
	"testing"

	"p256k1.mleku.dev"
	"p256k1.mleku.dev/ecdsa"
	"p256k1.mleku.dev/exchange"
	"p256k1.mleku.dev/keys"
	"p256k1.mleku.dev/schnorr"
	"p256k1.mleku.dev/signer"
)

// This file uses the names of version 1 with their types, so a program that was written for version 1 compiles if this
// file compiles. The file omits:
//   - the field elements, scalars, group elements and multiplications of package p256k1, which the documentation of
//     version 1 called internal,
//   - the nonce generators RFC6979HMACSHA256, which did not follow RFC 6979, and NonceFunctionBIP340,
//   - GetLibSecp256k1, which loaded a C library,
//   - the functions that controlled the assembly, except HasAVX2CPU and SetAVX2Enabled.
var (
	_ func([]byte) bool                                             = p256k1.ECSeckeyVerify
	_ func([]byte) bool                                             = p256k1.ECSeckeyNegate
	_ func() ([]byte, error)                                        = p256k1.ECSeckeyGenerate
	_ func() ([]byte, *p256k1.PublicKey, error)                     = p256k1.ECKeyPairGenerate
	_ func(seckey, tweak []byte) error                              = p256k1.ECSeckeyTweakAdd
	_ func(seckey, tweak []byte) error                              = p256k1.ECSeckeyTweakMul
	_ func(*p256k1.PublicKey, []byte) error                         = p256k1.ECPubkeyCreate
	_ func(*p256k1.PublicKey, []byte) error                         = p256k1.ECPubkeyParse
	_ func([]byte, *p256k1.PublicKey, uint) int                     = p256k1.ECPubkeySerialize
	_ func(a, b *p256k1.PublicKey) int                              = p256k1.ECPubkeyCmp
	_ func(*p256k1.PublicKey, []byte) error                         = p256k1.ECPubkeyTweakAdd
	_ func(*p256k1.PublicKey, []byte) error                         = p256k1.ECPubkeyTweakMul
	_ func([]byte) (*p256k1.KeyPair, error)                         = p256k1.KeyPairCreate
	_ func() (*p256k1.KeyPair, error)                               = p256k1.KeyPairGenerate
	_ func([]byte) (*p256k1.XOnlyPubkey, error)                     = p256k1.XOnlyPubkeyParse
	_ func(*p256k1.PublicKey) (*p256k1.XOnlyPubkey, int, error)     = p256k1.XOnlyPubkeyFromPubkey
	_ func(a, b *p256k1.XOnlyPubkey) int                            = p256k1.XOnlyPubkeyCmp
	_ func(*p256k1.ECDSASignature, []byte, []byte) error            = p256k1.ECDSASign
	_ func(*p256k1.ECDSASignatureCompact, []byte, []byte) error     = p256k1.ECDSASignCompact
	_ func(msghash32, seckey []byte) ([]byte, error)                = p256k1.ECDSASignDER
	_ func(*p256k1.ECDSARecoverableSignature, []byte, []byte) error = p256k1.ECDSASignRecoverable

	_ func(*p256k1.ECDSASignature, []byte, *p256k1.PublicKey) bool              = p256k1.ECDSAVerify
	_ func(*p256k1.ECDSASignatureCompact, []byte, *p256k1.PublicKey) bool       = p256k1.ECDSAVerifyCompact
	_ func(sigDER, msghash32 []byte, pubkey *p256k1.PublicKey) bool             = p256k1.ECDSAVerifyDER
	_ func(*p256k1.PublicKey, *p256k1.ECDSARecoverableSignature, []byte) error  = p256k1.ECDSARecover
	_ func(*p256k1.PublicKey, []byte, int, []byte) error                        = p256k1.ECDSARecoverCompact
	_ func(sig64, msg32 []byte, k *p256k1.KeyPair, aux []byte) error            = p256k1.SchnorrSign
	_ func(sig64, msg32 []byte, xonly *p256k1.XOnlyPubkey) bool                 = p256k1.SchnorrVerify
	_ func([]p256k1.BatchSchnorrItem) bool                                      = p256k1.SchnorrBatchVerify
	_ func([]p256k1.BatchSchnorrItem) (bool, []int)                             = p256k1.SchnorrBatchVerifyWithFallback
	_ func([]byte, *p256k1.PublicKey, []byte, p256k1.ECDHHashFunction) error    = p256k1.ECDH
	_ func([]byte, *p256k1.PublicKey, []byte) error                             = p256k1.ECDHXOnly
	_ func(output []byte, p *p256k1.PublicKey, seckey, salt, info []byte) error = p256k1.ECDHWithHKDF
	_ func(output, ikm, salt, info []byte) error                                = p256k1.HKDF
	_ func(tag, data []byte) [32]byte                                           = p256k1.TaggedHash
	_ func() bool                                                               = p256k1.HasAVX2CPU
	_ func(bool)                                                                = p256k1.SetAVX2Enabled
	_ func(uint) *p256k1.Context                                                = p256k1.ContextCreate
	_ func(*p256k1.Context)                                                     = p256k1.ContextDestroy
	_ uint                                                                      = p256k1.ECCompressed | p256k1.ECUncompressed
	_ uint                                                                      = p256k1.ContextNone | p256k1.ContextSign | p256k1.ContextVerify
	_                                                                           = [64]byte(p256k1.SchnorrSignature{})

	_ func() (*keys.KeyPair, error)                          = keys.Generate
	_ func([]byte) (*keys.KeyPair, error)                    = keys.Create
	_ func([]byte) (*keys.PublicKey, error)                  = keys.CreatePublic
	_ func([]byte) (*keys.PublicKey, error)                  = keys.ParsePublic
	_ func(*keys.PublicKey, uint) []byte                     = keys.SerializePublic
	_ func(a, b *keys.PublicKey) int                         = keys.ComparePublic
	_ func([]byte) (*keys.XOnlyPubkey, error)                = keys.ParseXOnly
	_ func(*keys.PublicKey) (*keys.XOnlyPubkey, int, error)  = keys.XOnlyFromPublic
	_ func(*keys.XOnlyPubkey) [32]byte                       = keys.SerializeXOnly
	_ func(a, b *keys.XOnlyPubkey) int                       = keys.CompareXOnly
	_ func([]byte) bool                                      = keys.ValidatePrivate
	_ func(privateKey, tweak []byte) ([]byte, error)         = keys.TweakAddPrivate
	_ func(privateKey, tweak []byte) ([]byte, error)         = keys.TweakMulPrivate
	_ func(*keys.PublicKey, []byte) (*keys.PublicKey, error) = keys.TweakAddPublic
	_ func(*keys.PublicKey, []byte) (*keys.PublicKey, error) = keys.TweakMulPublic
	_ func([]byte) ([]byte, error)                           = keys.NegatePrivate
	_ uint                                                   = keys.Compressed | keys.Uncompressed

	_ func([]byte) (*schnorr.KeyPair, error)                             = schnorr.NewKeyPair
	_ func() (*schnorr.KeyPair, error)                                   = schnorr.GenerateKeyPair
	_ func([]byte) (*schnorr.XOnlyPubkey, error)                         = schnorr.ParseXOnlyPubkey
	_ func(*schnorr.PublicKey) (*schnorr.XOnlyPubkey, int, error)        = schnorr.XOnlyFromPubkey
	_ func([]byte, *schnorr.KeyPair, []byte) (*schnorr.Signature, error) = schnorr.Sign
	_ func(sig64, message []byte, k *schnorr.KeyPair, aux []byte) error  = schnorr.SignRaw
	_ func(*schnorr.Signature, []byte, *schnorr.XOnlyPubkey) bool        = schnorr.Verify
	_ func(sig64, message []byte, pubkey *schnorr.XOnlyPubkey) bool      = schnorr.VerifyRaw
	_ func([]schnorr.VerifyItem) bool                                    = schnorr.VerifyBatch
	_ func([]byte) (*schnorr.Signature, error)                           = schnorr.ParseSignature
	_ func(*schnorr.Signature) []byte                                    = schnorr.Bytes
	_ func(*schnorr.Signature) []byte                                    = schnorr.R
	_ func(*schnorr.Signature) []byte                                    = schnorr.S
	_ func(*schnorr.XOnlyPubkey) [32]byte                                = schnorr.SerializeXOnly
	_ func(a, b *schnorr.XOnlyPubkey) int                                = schnorr.CompareXOnly

	_ func(messageHash, privateKey []byte) (*ecdsa.Signature, error)            = ecdsa.Sign
	_ func(messageHash, privateKey []byte) (*ecdsa.CompactSignature, error)     = ecdsa.SignCompact
	_ func(messageHash, privateKey []byte) ([]byte, error)                      = ecdsa.SignDER
	_ func(messageHash, privateKey []byte) (*ecdsa.RecoverableSignature, error) = ecdsa.SignRecoverable
	_ func(*ecdsa.Signature, []byte, *ecdsa.PublicKey) bool                     = ecdsa.Verify
	_ func(*ecdsa.CompactSignature, []byte, *ecdsa.PublicKey) bool              = ecdsa.VerifyCompact
	_ func(sigDER, messageHash []byte, pubkey *ecdsa.PublicKey) bool            = ecdsa.VerifyDER
	_ func(*ecdsa.RecoverableSignature, []byte) (*ecdsa.PublicKey, error)       = ecdsa.Recover
	_ func(sig64 []byte, recid int, hash []byte) (*ecdsa.PublicKey, error)      = ecdsa.RecoverCompact
	_ func(*ecdsa.CompactSignature) (*ecdsa.Signature, error)                   = ecdsa.FromCompact
	_ func([]byte) (*ecdsa.Signature, error)                                    = ecdsa.ParseDER
	_ func([]byte, int) (*ecdsa.RecoverableSignature, error)                    = ecdsa.FromCompactRecoverable

	_ func(*exchange.PublicKey, []byte) ([]byte, error)                                      = exchange.SharedSecret
	_ func(*exchange.PublicKey, []byte, exchange.HashFunction) ([]byte, error)               = exchange.SharedSecretWithHash
	_ func([]byte, *exchange.PublicKey, []byte) error                                        = exchange.SharedSecretRaw
	_ func(*exchange.PublicKey, []byte) ([]byte, error)                                      = exchange.XOnlySharedSecret
	_ func([]byte, *exchange.PublicKey, []byte) error                                        = exchange.XOnlySharedSecretRaw
	_ func(output, ikm, salt, info []byte) error                                             = exchange.DeriveKey
	_ func(p *exchange.PublicKey, privateKey, salt, info []byte, keyLen int) ([]byte, error) = exchange.SharedSecretWithDerivation
	_ func(output []byte, p *exchange.PublicKey, privateKey, salt, info []byte) error        = exchange.SharedSecretWithDerivationRaw

	_ signer.I   = signer.NewP256K1Signer()
	_ signer.Gen = signer.NewP256K1Gen()
	_            = (*signer.P256K1Signer).PubCompressed
	_            = signer.NewBtcecSigner
)

// These are the methods of version 1.
var (
	_ interface {
		Seckey() []byte
		Pubkey() *p256k1.PublicKey
		XOnlyPubkey() (*p256k1.XOnlyPubkey, error)
		Clear()
	} = (*p256k1.KeyPair)(nil)
	_ interface{ Serialize() [32]byte } = (*p256k1.XOnlyPubkey)(nil)
	_ interface {
		ToCompact() *p256k1.ECDSASignatureCompact
		FromCompact(*p256k1.ECDSASignatureCompact) error
		SerializeDER() []byte
		ParseDER([]byte) error
		GetR() []byte
		GetS() []byte
		IsLowS() bool
		NormalizeLowS()
	} = (*p256k1.ECDSASignature)(nil)
	_ interface {
		ToCompact() ([]byte, int)
		FromCompact(compact []byte, recid int) error
	} = (*p256k1.ECDSARecoverableSignature)(nil)
	_ interface {
		ToCompact() *ecdsa.CompactSignature
		SerializeDER() []byte
		R() []byte
		S() []byte
		IsLowS() bool
		NormalizeLowS()
	} = (*ecdsa.Signature)(nil)
	_ interface{ ToCompact() ([]byte, int) } = (*ecdsa.RecoverableSignature)(nil)
)

// TestHashes compares the hashes that version 1 exported with published values.
func TestHashes(t *testing.T) {
	h, m := p256k1.NewSHA256(), p256k1.NewHMACSHA256([]byte("Jefe"))
	h.Write([]byte("ab"))
	h.Write([]byte("c"))
	m.Write([]byte("what do ya want for nothing?"))
	var a, b [32]byte
	h.Finalize(a[:])
	m.Finalize(b[:])
	check(t, a[:], "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad") // FIPS 180-4
	check(t, h.Sum(nil), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
	check(t, b[:], "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843") // RFC 4231, case 2
	h.Clear()
	m.Clear()

	var okm [42]byte // RFC 5869, case 1
	if err := p256k1.HKDF(okm[:], unhex(t, "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b"), unhex(t, "000102030405060708090a0b0c"), unhex(t, "f0f1f2f3f4f5f6f7f8f9")); err != nil {
		t.Fatal(err)
	}
	check(t, okm[:], "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
	if p256k1.HKDF(nil, nil, nil, nil) == nil || p256k1.HKDF(make([]byte, 8161), nil, nil, nil) == nil {
		t.Error("HKDF of no bytes, or of more than it has")
	}
}
