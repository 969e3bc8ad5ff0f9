package p256k1

import (
	"bytes"
	"crypto/subtle"
	"errors"
	"slices"

	p256k1 "p256k1.mleku.dev/v2"
)

// XOnlyPubkey is a BIP-340 public key: an x coordinate. The zero value is not a key.
//
// Deprecated: use XOnlyPublicKey of version 2.
type XOnlyPubkey struct{ key p256k1.XOnlyPublicKey }

// V2 returns the key as a key of version 2, so that a program can move to version 2 step by step.
func (xonly *XOnlyPubkey) V2() *p256k1.XOnlyPublicKey { return &xonly.key }

// Serialize returns the x coordinate, big-endian, or zeros if there is no key.
//
// Deprecated: use XOnlyPublicKey.Bytes of version 2.
func (xonly *XOnlyPubkey) Serialize() (b [32]byte) {
	copy(b[:], xonly.key.Bytes())
	return b
}

// XOnlyPubkeyParse returns the key with the 32-byte big-endian x coordinate input32. It returns an error if the integer
// is not below p, or is not the x coordinate of a point.
//
// Deprecated: use NewXOnlyPublicKey of version 2.
func XOnlyPubkeyParse(input32 []byte) (*XOnlyPubkey, error) {
	key, err := p256k1.ParseXOnlyPublicKey(input32)
	switch {
	case err == nil:
		return &XOnlyPubkey{*key}, nil
	case len(input32) != 32:
		return nil, errors.New("input must be 32 bytes")
	}
	return nil, errors.New("X coordinate does not correspond to a valid point")
}

// XOnlyPubkeyFromPubkey returns the x coordinate of pubkey, and 1 if its y coordinate is odd or 0 if it is even.
//
// Deprecated: use PublicKey.XOnly and PublicKey.IsYOdd of version 2.
func XOnlyPubkeyFromPubkey(pubkey *PublicKey) (*XOnlyPubkey, int, error) {
	if pubkey == nil {
		return nil, 0, errNilPublic
	}
	if !pubkey.isSet() {
		return nil, 0, errPublic
	}
	parity := 0
	if pubkey.key.IsYOdd() {
		parity = 1
	}
	return &XOnlyPubkey{*pubkey.key.XOnly()}, parity, nil
}

// XOnlyPubkeyCmp compares the x coordinates of two keys from the last byte to the first, as version 1 does, so that a
// list keeps its order. It panics if either is nil.
//
// Deprecated: compare the results of XOnlyPublicKey.Bytes of version 2, or use XOnlyPublicKey.Equal.
func XOnlyPubkeyCmp(xonly1, xonly2 *XOnlyPubkey) int {
	if xonly1 == nil || xonly2 == nil {
		panic("xonly pubkey cannot be nil")
	}
	a, b := xonly1.Serialize(), xonly2.Serialize()
	slices.Reverse(a[:])
	slices.Reverse(b[:])
	return bytes.Compare(a[:], b[:])
}

// KeyPair is a private key with its public key.
//
// Deprecated: use PrivateKey of version 2.
type KeyPair struct {
	key    *p256k1.PrivateKey
	pubkey PublicKey
	seckey [32]byte // the bytes that Seckey returns, which callers can overwrite
	own    [32]byte // the bytes of key
}

// newKeyPair returns the key pair of key, whose encoding is the 32 bytes seckey.
func newKeyPair(key *p256k1.PrivateKey, seckey []byte) *KeyPair {
	kp := &KeyPair{key: key, pubkey: PublicKey{*key.PublicKey()}}
	copy(kp.seckey[:], seckey)
	kp.own = kp.seckey
	return kp
}

// signing returns the private key, or nil if there is none or the caller has overwritten the bytes that Seckey
// returned. In that case it wipes the key, because callers wipe keys so.
func (kp *KeyPair) signing() *p256k1.PrivateKey {
	if kp.key != nil && subtle.ConstantTimeCompare(kp.seckey[:], kp.own[:]) == 0 {
		kp.key.Zero()
		clear(kp.own[:])
		kp.key = nil
	}
	return kp.key
}

// KeyPairCreate returns the key pair of the 32-byte private key seckey.
//
// Deprecated: use NewPrivateKey of version 2.
func KeyPairCreate(seckey []byte) (*KeyPair, error) {
	key, err := parseSecret(seckey)
	if err != nil {
		return nil, err
	}
	return newKeyPair(key, seckey), nil
}

// KeyPairGenerate returns a random key pair.
//
// Deprecated: use GenerateKey of version 2.
func KeyPairGenerate() (*KeyPair, error) {
	key, err := p256k1.GenerateKey()
	if err != nil {
		return nil, err
	}
	b := key.Bytes()
	defer clear(b)
	return newKeyPair(key, b), nil
}

// V2 returns the private key as a key of version 2, so that a program can move to version 2 step by step. The result is
// not a copy, so Clear wipes it, too.
func (kp *KeyPair) V2() *p256k1.PrivateKey { return kp.key }

// Seckey returns the 32 bytes of the private key. All calls return the same slice, which Clear wipes. After the caller
// has written to the slice, for example zeros, SchnorrSign returns an error.
//
// Deprecated: use PrivateKey.Bytes of version 2.
func (kp *KeyPair) Seckey() []byte { return kp.seckey[:] }

// Pubkey returns the public key.
//
// Deprecated: use PrivateKey.PublicKey of version 2.
func (kp *KeyPair) Pubkey() *PublicKey { return &kp.pubkey }

// XOnlyPubkey returns the x coordinate of the public key.
//
// Deprecated: use PublicKey.XOnly of version 2.
func (kp *KeyPair) XOnlyPubkey() (*XOnlyPubkey, error) {
	xonly, _, err := XOnlyPubkeyFromPubkey(&kp.pubkey)
	return xonly, err
}

// Clear wipes the key pair, which can then no longer sign.
//
// Deprecated: use PrivateKey.Zero of version 2.
func (kp *KeyPair) Clear() {
	kp.key.Zero()
	clear(kp.seckey[:])
	clear(kp.own[:])
	kp.pubkey = PublicKey{}
}
