// Package ecdh computes shared secrets by elliptic-curve Diffie-Hellman over secp256k1. Protocols derive different
// values from the shared point, and each function is named for the value that it returns.
//
// All functions are constant-time. They return p256k1.ErrNoKey if the private or the public key is invalid, and accept
// all other keys.
//
// The examples are in example_test.go.
package ecdh

import (
	"crypto/sha256"
	"fmt"
	"sync"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/hmacsha256"
	"p256k1.mleku.dev/v2/internal/parts"
)

// X returns the x coordinate of the shared point, 32 bytes big-endian (SEC 1, section 3.3.1). It is not uniformly
// random: hash it before using it as a key.
func X(priv *p256k1.PrivateKey, pub *p256k1.PublicKey) (x [32]byte, err error) {
	err = agree(&x, xCoordinate, priv, pub.Point())
	return x, err
}

// XFromXOnly returns the x coordinate of the shared point, 32 bytes big-endian, if only the x coordinate of the peer's
// public key is known. Both points with the peer's x coordinate give the same result.
func XFromXOnly(priv *p256k1.PrivateKey, pub *p256k1.XOnlyPublicKey) (x [32]byte, err error) {
	err = agree(&x, xCoordinate, priv, pub.Point())
	return x, err
}

// SHA256 returns the SHA-256 hash of the shared point's compressed encoding, 32 bytes. This is the default of
// libsecp256k1's secp256k1_ecdh, and Lightning (BOLT 8) uses it. The result depends on the parities of both public
// keys' y coordinates, whereas signer.P256K1Signer.ECDH computes with the points that have even y.
func SHA256(priv *p256k1.PrivateKey, pub *p256k1.PublicKey) (sum [32]byte, err error) {
	err = agree(&sum, hash, priv, pub.Point())
	return sum, err
}

// NIP44ConversationKey returns the conversation key of Nostr's NIP-44, version 2: the HKDF-extract (RFC 5869) with
// SHA-256 of the shared x coordinate with the salt "nip44-v2", 32 bytes.
func NIP44ConversationKey(priv *p256k1.PrivateKey, pub *p256k1.XOnlyPublicKey) (key [32]byte, err error) {
	err = agree(&key, conversationKey, priv, pub.Point())
	return key, err
}

// NIP44ConversationKeyBatch sets dst[i] to NIP44ConversationKey of priv and pubs[i]. The multiplications share
// inversions, and are computed eight at a time if the processor has AVX-512 IFMA. A client that receives gift wraps
// (NIP-59) needs a conversation key for each gift wrap. A client that sends gift wraps uses a new private key for each,
// so it calls p256k1.GenerateKeys and NIP44ConversationKey instead.
//
// The error is p256k1.ErrNoKey if priv is invalid, and all of dst is zero then. Otherwise the error is a
// p256k1.Failures with the reason p256k1.ErrNoKey for each public key that is invalid, or nil if there are none, and
// dst[i] is zero for every index i in this list. NIP44ConversationKeyBatch panics if the slices differ in length.
func NIP44ConversationKeyBatch(dst [][32]byte, priv *p256k1.PrivateKey, pubs []*p256k1.XOnlyPublicKey) error {
	if len(dst) != len(pubs) {
		panic(fmt.Sprintf("ecdh: NIP44ConversationKeyBatch of %d conversation keys and %d public keys", len(dst), len(pubs)))
	}
	points := products.Get().(*[parts.Secrets]curve.Point)
	defer products.Put(points)
	var failures p256k1.Failures
	err := priv.Use(func(d curve.Scalar) error {
		for from, to := range parts.Of(len(pubs), parts.Secrets) {
			failures = sharedByAll(failures, dst, &d, pubs, from, points[:to-from])
		}
		return nil
	})
	if err != nil {
		clear(dst)
		return err
	}
	return failures.Err()
}

// products holds scratch memory that is not in use and has been wiped.
var products = sync.Pool{New: func() any { return new([parts.Secrets]curve.Point) }}

// sharedByAll sets dst[i] to the conversation key of d and pubs[i], for len(points) indexes i beginning with from, and
// appends the indexes without a public key to failures. It uses points as scratch memory and wipes them.
func sharedByAll(failures p256k1.Failures, dst [][32]byte, d *curve.Scalar, pubs []*p256k1.XOnlyPublicKey, from int, points []curve.Point) p256k1.Failures {
	defer clear(points)
	for i := range points {
		points[i].Set(pubs[from+i].Point())
	}
	curve.ScalarMultBatch(points, d, points)
	for i := range points {
		if derive(&dst[from+i], conversationKey, &points[i]) != nil { // the point is infinity
			dst[from+i] = [32]byte{}
			failures = append(failures, p256k1.Failure{Index: from + i, Err: errNoPublicKey()})
		}
	}
	return failures
}

// salt is the salt of NIP-44.
const salt = "nip44-v2"

// A kind says which value is derived from the shared point.
type kind int

const (
	xCoordinate kind = iota
	hash
	conversationKey
)

// agree sets out to the value of the given kind for the shared point priv·point. It stores the shared point in point,
// and wipes it.
//
//go:noinline
func agree(out *[32]byte, result kind, priv *p256k1.PrivateKey, point *curve.Point) error {
	return priv.Use(func(d curve.Scalar) error { return shared(out, result, &d, point) })
}

func shared(out *[32]byte, result kind, d *curve.Scalar, point *curve.Point) error {
	if point.IsInfinity() == 1 {
		return errNoPublicKey()
	}
	defer point.Zero()
	point.ScalarMult(d, point)
	return derive(out, result, point)
}

func errNoPublicKey() error {
	return fmt.Errorf("ecdh: public key: %w: nil or never set", p256k1.ErrNoKey)
}

// derive sets out to the value of the given kind for the shared point.
func derive(out *[32]byte, result kind, point *curve.Point) error {
	if result == hash {
		b := point.Bytes()
		defer clear(b)
		*out = sha256.Sum256(b)
		return nil
	}
	x, err := point.BytesX()
	if err != nil {
		return err
	}
	defer clear(x)
	if result == conversationKey {
		*out = hmacsha256.Sum([]byte(salt), x) // HKDF-Extract (RFC 5869, section 2.2)
	} else {
		copy(out[:], x)
	}
	return nil
}
