package p256k1

import (
	"bytes"
	"errors"

	p256k1 "p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
)

// PublicKey is a public key. The zero value is not a key.
//
// Deprecated: use PublicKey of version 2.
type PublicKey struct{ key p256k1.PublicKey }

// These are the forms that ECPubkeySerialize writes.
const (
	ECCompressed   = 0x02 // 33 bytes
	ECUncompressed = 0x04 // 65 bytes
)

// V2 returns the key as a key of version 2, so that a program can move to version 2 step by step.
func (p *PublicKey) V2() *p256k1.PublicKey { return &p.key }

// isSet reports whether p has been set to a key.
func (p *PublicKey) isSet() bool { return p.key.Point().IsInfinity() == 0 }

// ECPubkeyParse sets pubkey to the key that 33 or 65 bytes encode (SEC 1, section 2.3.4). If there is an error, pubkey
// is unchanged.
//
// Deprecated: use NewPublicKey of version 2.
func ECPubkeyParse(pubkey *PublicKey, input []byte) error {
	key, err := p256k1.ParsePublicKey(input)
	if err == nil {
		pubkey.key = *key
		return nil
	}
	switch {
	case len(input) == 0:
		return errors.New("input cannot be empty")
	case len(input) == 33 && input[0]&^1 != 2:
		return errors.New("invalid compressed public key prefix")
	case len(input) == 65 && input[0] != 4:
		return errors.New("invalid uncompressed public key prefix")
	case len(input) == 65:
		return errors.New("public key not on curve")
	case len(input) != 33:
		return errors.New("invalid public key length")
	}
	return errPublic
}

// ECPubkeySerialize writes pubkey into output in the form that flags names, and returns the number of bytes written. It
// returns 0 if pubkey was never set, output is too short, or flags is neither ECCompressed nor ECUncompressed.
//
// Deprecated: use PublicKey.Bytes or PublicKey.BytesUncompressed of version 2.
func ECPubkeySerialize(output []byte, pubkey *PublicKey, flags uint) int {
	switch {
	case flags == ECCompressed && len(output) >= 33:
		return copy(output, pubkey.key.Bytes())
	case flags == ECUncompressed && len(output) >= 65:
		return copy(output, pubkey.key.BytesUncompressed())
	}
	return 0
}

// ECPubkeyCmp compares the compressed encodings of two keys as bytes.Compare does.
//
// Deprecated: compare the results of PublicKey.Bytes of version 2, or use PublicKey.Equal.
func ECPubkeyCmp(pubkey1, pubkey2 *PublicKey) int {
	return bytes.Compare(pubkey1.key.Bytes(), pubkey2.key.Bytes())
}

// ECPubkeyCreate sets pubkey to the public key of the private key in seckey.
//
// Deprecated: use NewPrivateKey and PrivateKey.PublicKey of version 2.
func ECPubkeyCreate(pubkey *PublicKey, seckey []byte) error {
	if len(seckey) != 32 {
		return errors.New("private key must be 32 bytes")
	}
	key, err := p256k1.ParsePrivateKey(seckey)
	if err != nil {
		return errors.New("invalid private key")
	}
	pubkey.key = *key.PublicKey()
	key.Zero()
	return nil
}

// ECPubkeyTweakAdd adds tweak·G to pubkey, for a tweak of 32 bytes that is not zero. If there is an error, pubkey is
// unchanged.
//
// Deprecated: use PublicKey.TweakAdd of version 2.
func ECPubkeyTweakAdd(pubkey *PublicKey, tweak []byte) error {
	if err := checkTweaked(pubkey, tweak); err != nil {
		return err
	}
	var t curve.Scalar
	if _, err := t.SetBytes(tweak); err != nil {
		return errTweak
	}
	var sum curve.Point
	return pubkey.set(sum.Add(sum.ScalarBaseMult(&t), pubkey.key.Point()))
}

// ECPubkeyTweakMul multiplies pubkey by a tweak of 32 bytes that is not zero. If there is an error, pubkey is
// unchanged.
//
// Deprecated: use PublicKey.TweakMul of version 2.
func ECPubkeyTweakMul(pubkey *PublicKey, tweak []byte) error {
	if err := checkTweaked(pubkey, tweak); err != nil {
		return err
	}
	var t curve.Scalar
	if _, err := t.SetBytes(tweak); err != nil {
		return errTweak
	}
	var product curve.Point
	return pubkey.set(product.ScalarMult(&t, pubkey.key.Point()))
}

// set sets p to a point. If the point is infinity, it returns an error, and p is unchanged.
func (p *PublicKey) set(point *curve.Point) error {
	if point.IsInfinity() == 1 {
		return errInfinity
	}
	return p.key.UnmarshalBinary(point.BytesUncompressed())
}

// checkTweaked returns an error if the tweak is invalid, or if the public key was never set.
func checkTweaked(pubkey *PublicKey, tweak []byte) error {
	if err := checkTweak(tweak); err != nil {
		return err
	}
	if !pubkey.isSet() {
		return errPublic
	}
	return nil
}
