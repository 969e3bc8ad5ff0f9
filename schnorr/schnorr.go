// Package schnorr makes and verifies the Schnorr signatures of BIP-340, which Bitcoin's Taproot and Nostr use. Messages
// may have any length.
//
// The examples are in example_test.go.
package schnorr

import (
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/schemes/verify"
)

// Size is the length of a signature in bytes.
const Size = 64

// Options holds the optional arguments of the functions that sign. A nil *Options stands for the zero value.
type Options struct {
	unstored

	// AuxRand is the auxiliary randomness of BIP-340, which protects the key against attackers who measure or disturb
	// the computation. If AuxRand is nil, each signature takes 32 fresh bytes from crypto/rand. If AuxRand is all
	// zeros, signatures are deterministic. The signatures of a batch share AuxRand, and their nonces differ because
	// their keys or messages do.
	AuxRand *[32]byte

	// Checked makes signing detect hardware errors, with the check that BIP-340 recommends. Without the check, one
	// wrong signature can reveal the private key, and so can two signatures of one message with related nonces. With
	// Checked, each message is signed twice with the same auxiliary randomness, and a signature is returned only if
	// both signatures are the same and valid for the public key of the private key. Otherwise the error is
	// p256k1.ErrFault. Checked signing takes about as long as signing twice and verifying.
	//
	// A single hardware error, transient or permanent, in the computation from the private key, the message and AuxRand
	// never leads to a signature that differs from the result without an error. Checked does not detect these errors:
	//
	//   - Errors in the bytes of the key or of the message before the call. Compare the public key of the private key
	//     with the expected one.
	//   - The same error in both computations of a nonce. The signature is then valid, and with fresh auxiliary
	//     randomness it does not reveal the key, unless the nonce becomes predictable.
	//   - An error that makes the program skip the check.
	Checked bool
}

// get returns the options, or the zero value for nil.
func (o *Options) get() Options {
	if o == nil {
		return Options{}
	}
	return *o
}

// Sign returns the signature of a message of any length, 64 bytes: R.x‖s. Sign is constant-time, except that the time
// depends on the length of the message, and allocates nothing. The error is p256k1.ErrNoKey if priv is invalid, or
// p256k1.ErrFault, see Options.Checked.
func Sign(priv *p256k1.PrivateKey, msg []byte, opts *Options) ([64]byte, error) {
	var sig, again [64]byte
	var aux [32]byte
	o := opts.get()
	if o.AuxRand != nil {
		aux = *o.AuxRand
	} else {
		rand.Read(aux[:]) // never fails
	}
	err := sign(&sig, priv, msg, &aux)
	if err != nil || !o.Checked {
		return sig, err
	}
	err = sign(&again, priv, msg, &aux)
	// The check calls VerifyBytes with the bytes of the key that the challenge hashes, because a hardware error may
	// have changed the point.
	if err != nil || again != sig || !VerifyBytes(priv.PublicKey().XOnly().Bytes(), msg, sig[:]) {
		return [64]byte{}, errFault()
	}
	return sig, nil
}

func sign(sig *[64]byte, priv *p256k1.PrivateKey, msg []byte, aux *[32]byte) error {
	return priv.Use(func(d curve.Scalar) error { return signScalar(sig, &d, priv.PublicKey(), msg, aux) })
}

// signScalar sets sig to the signature of msg with the private key d, whose public key is pub. It overwrites d.
func signScalar(sig *[64]byte, d *curve.Scalar, pub *p256k1.PublicKey, msg []byte, aux *[32]byte) error {
	// The names are those of BIP-340, "Default Signing".
	point := pub.Point()
	d.CondNegate(d, point.IsYOdd())
	px, err := point.BytesX()
	if err != nil {
		return err
	}
	var k curve.Scalar
	defer k.Zero()
	if err := setNonce(&k, d, px, msg, aux[:]); err != nil {
		return err
	}
	point.ScalarBaseMult(&k).Normalize()
	return set(sig, d, px, msg, &k, point)
}

// setNonce sets k to BIP-340's nonce for the message and the private key d, whose public key has even y and x
// coordinate px.
func setNonce(k, d *curve.Scalar, px, msg, aux []byte) error {
	t := auxTag.Sum(aux)
	defer clear(t[:])
	key := d.Bytes()
	defer clear(key)
	subtle.XORBytes(t[:], t[:], key)
	nonce := nonceTag.Sum(t[:], px, msg)
	defer clear(nonce[:])
	if k.SetBytesReduced(&nonce).IsZero() == 1 {
		return errNonce
	}
	return nil
}

// set sets sig to the signature of msg with the nonce k and the private key d, whose public key has even y and x
// coordinate px. r must be k·G. set overwrites k.
func set(sig *[64]byte, d *curve.Scalar, px, msg []byte, k *curve.Scalar, r *curve.Point) error {
	k.CondNegate(k, r.IsYOdd())
	rx, err := r.BytesX()
	if err != nil {
		return errNonce
	}
	e := Challenge(rx, px, msg)
	copy(sig[:32], rx)
	copy(sig[32:], e.Mul(&e, d).Add(&e, k).Bytes())
	return nil
}

// Verify reports whether sig, 64 bytes, is a valid signature of the message by pub. It reports false if sig has another
// length, or if pub is invalid. The time depends on all arguments, which must not be secret.
func Verify(pub *p256k1.XOnlyPublicKey, msg, sig []byte) bool {
	if len(sig) != Size {
		return false
	}
	point := pub.Point()
	var s curve.Scalar
	if _, err := s.SetBytes(sig[32:]); err != nil || point.IsInfinity() == 1 {
		return false
	}
	e := Challenge(sig[:32], pub.Bytes(), msg)
	return verify.EvenYVartime(e.Negate(&e), point, &s, sig[:32])
}

// VerifyBytes reports whether sig, 64 bytes, is a valid signature of the message by the 32-byte x-only public key pub.
// It reports false if pub is not a key or sig has another length. VerifyBytes takes less time than ParseXOnlyPublicKey
// and Verify together, because it does not compute the y coordinate of the key. The time depends on all arguments,
// which must not be secret.
func VerifyBytes(pub, msg, sig []byte) bool {
	if len(sig) != Size {
		return false
	}
	var s curve.Scalar
	if _, err := s.SetBytes(sig[32:]); err != nil {
		return false
	}
	e := Challenge(sig[:32], pub, msg)
	return verify.EvenYOfBytesVartime(e.Negate(&e), pub, &s, sig[:32])
}

// Challenge returns the challenge e of BIP-340, for protocols that make signatures in other ways than Sign: the tagged
// hash of rx, px and the message, reduced modulo the group order. rx and px are the x coordinates of the nonce point R
// and of the public key, and must have 32 bytes each, which Challenge does not check. A signature (R, s) is valid if
// s·G = R + e·P, where R and P are the points with even y. Challenge does not allocate.
func Challenge(rx, px, msg []byte) (e curve.Scalar) {
	h := challengeTag.Sum(rx, px, msg)
	e.SetBytesReduced(&h)
	return e
}

var errNonce = errors.New("schnorr: nonce is zero") // with probability 2⁻²⁵⁵, because n is reduced to 0 too

func errFault() error {
	return fmt.Errorf("schnorr: signature withheld: %w", p256k1.ErrFault)
}
