package p256k1

import (
	"crypto/subtle"

	p256k1 "p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
)

// parseSecret returns the private key in b. The errors have the same texts as in version 1.
func parseSecret(b []byte) (*p256k1.PrivateKey, error) {
	if len(b) != 32 {
		return nil, errSecretLength
	}
	key, err := p256k1.ParsePrivateKey(b)
	if err != nil {
		return nil, errSecret
	}
	return key, nil
}

// overwrite sets seckey to the bytes of key, and wipes key.
func overwrite(seckey []byte, key *p256k1.PrivateKey) {
	b := key.Bytes()
	copy(seckey, b)
	clear(b)
	key.Zero()
}

// ECSeckeyVerify reports whether seckey is a private key: 32 bytes, big-endian, from 1 to n − 1.
//
// Deprecated: use NewPrivateKey of version 2, and keep the parsed key.
func ECSeckeyVerify(seckey []byte) bool {
	key, err := parseSecret(seckey)
	if err != nil {
		return false
	}
	key.Zero()
	return true
}

// ECSeckeyNegate replaces the private key in the 32 bytes of seckey by its negative modulo n. If seckey is not a
// private key, it returns false and changes nothing.
//
// Deprecated: use PrivateKey.Negate of version 2.
func ECSeckeyNegate(seckey []byte) bool {
	key, err := parseSecret(seckey)
	if err != nil {
		return false
	}
	defer key.Zero()
	overwrite(seckey, key.Negate())
	return true
}

// ECSeckeyGenerate returns the 32 bytes of a random private key.
//
// Deprecated: use GenerateKey of version 2.
func ECSeckeyGenerate() ([]byte, error) {
	key, err := p256k1.GenerateKey()
	if err != nil {
		return nil, err
	}
	defer key.Zero()
	return key.Bytes(), nil
}

// ECKeyPairGenerate returns the 32 bytes of a random private key, and its public key.
//
// Deprecated: use GenerateKey of version 2.
func ECKeyPairGenerate() (seckey []byte, pubkey *PublicKey, err error) {
	key, err := p256k1.GenerateKey()
	if err != nil {
		return nil, nil, err
	}
	defer key.Zero()
	return key.Bytes(), &PublicKey{*key.PublicKey()}, nil
}

// ECSeckeyTweakAdd adds a tweak of 32 bytes to the private key in seckey, modulo n. The error says that the key or the
// tweak does not have 32 bytes or is not in [1, n−1], or that the sum is zero. If there is an error, seckey is
// unchanged.
//
// Deprecated: use PrivateKey.TweakAdd of version 2.
func ECSeckeyTweakAdd(seckey, tweak []byte) error {
	return tweakSecret(seckey, tweak, false)
}

// ECSeckeyTweakMul multiplies the private key in seckey by a tweak of 32 bytes, modulo n. The error says that the key
// or the tweak does not have 32 bytes or is not in [1, n−1]. If there is an error, seckey is unchanged.
//
// Deprecated: use PrivateKey.TweakMul of version 2.
func ECSeckeyTweakMul(seckey, tweak []byte) error {
	return tweakSecret(seckey, tweak, true)
}

// tweakSecret adds a tweak to the private key in seckey, or multiplies the key by the tweak, in constant time except
// for checkTweak.
func tweakSecret(seckey, tweak []byte, multiply bool) error {
	if len(seckey) != 32 {
		return errSecretLength
	}
	if err := checkTweak(tweak); err != nil {
		return err
	}
	key, err := parseSecret(seckey)
	if err != nil {
		return err
	}
	defer key.Zero()
	return key.Use(func(d curve.Scalar) error { // Use wipes the stack
		var t curve.Scalar
		if _, err := t.SetBytes(tweak); err != nil {
			return errTweak
		}
		if multiply {
			d.Mul(&d, &t)
		} else {
			d.Add(&d, &t)
		}
		if d.IsZero() == 1 {
			return errZeroSecret
		}
		b := d.Bytes()
		copy(seckey, b)
		clear(b)
		return nil
	})
}

// checkTweak returns an error for a tweak that does not have 32 bytes or is zero. Version 1 refused the tweak zero,
// whereas version 2 accepts it in TweakAdd. The time of the check may reveal how many of the tweak's first bytes are
// zero.
func checkTweak(tweak []byte) error {
	if len(tweak) != 32 {
		return errTweakLength
	}
	if subtle.ConstantTimeCompare(tweak, make([]byte, 32)) == 1 {
		return errTweak
	}
	return nil
}
