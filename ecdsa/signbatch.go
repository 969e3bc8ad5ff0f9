package ecdsa

import (
	"fmt"
	"sync"

	"p256k1.mleku.dev"
	"p256k1.mleku.dev/curve"
	"p256k1.mleku.dev/rfc6979"
)

// SignBatch sets dst[i] to what Sign returns for keys[i] and digests[i]: signatures are
// deterministic and low-S. A key may stand in keys more than once. It is constant-time, and
// takes less time than signing one by one.
//
// The error names the index of the first key or digest that Sign refuses, and is that of
// Sign. A nil key is refused like one that was never set. All of dst is then zero.
// SignBatch panics if the slices differ in length.
//
// It does not look for errors of the machine, as SignChecked does. Here one of them can
// spoil many signatures, since these share an inversion.
func SignBatch(dst []Signature, keys []*p256k1.PrivateKey, digests [][]byte) error {
	if len(dst) != len(keys) || len(dst) != len(digests) {
		panic(fmt.Sprintf("ecdsa: SignBatch of %d signatures, %d keys and %d digests", len(dst), len(keys), len(digests)))
	}
	s := signings.Get().(*signing)
	defer signings.Put(s)
	for from := 0; from < len(dst); from += group {
		to := min(from+group, len(dst))
		if i, err := s.sign(dst[from:to], keys[from:to], digests[from:to]); err != nil {
			clear(dst)
			return fmt.Errorf("%w (index %d)", err, from+i)
		}
		for _, i := range s.refused { // what comes next in Sign is another nonce
			var err error
			if dst[from+i], err = Sign(keys[from+i], digests[from+i]); err != nil {
				clear(dst)
				return fmt.Errorf("%w (index %d)", err, from+i)
			}
		}
	}
	return nil
}

// A signing is what a group of signatures has in memory: nonces and what follows from
// them, but no key, each of which is used twice instead.
type signing struct {
	z, k, inverse []curve.Scalar
	point         []curve.Point // k·G
	refused       []int         // indexes of those with r or s zero, one in 2²⁵⁴
}

// signings are those that no SignBatch uses, without secrets.
var signings = sync.Pool{New: func() any { return new(signing) }}

// sign is SignBatch for a group, but for those that it refuses. Beside an error it returns
// the index.
func (s *signing) sign(dst []Signature, keys []*p256k1.PrivateKey, digests [][]byte) (int, error) {
	if n := len(dst); len(s.k) < n {
		*s = signing{make([]curve.Scalar, n), make([]curve.Scalar, n), make([]curve.Scalar, n), make([]curve.Point, n), nil}
	}
	s.refused = s.refused[:0]
	z, k, inverse, point := s.z[:len(dst)], s.k[:len(dst)], s.inverse[:len(dst)], s.point[:len(dst)]
	defer clear(k)
	defer clear(inverse)
	for i, key := range keys {
		if key == nil {
			key = new(p256k1.PrivateKey)
		}
		err := setDigest(&z[i], digests[i])
		if err == nil {
			err = key.Use(func(d curve.Scalar) error { return setNonce(&k[i], &d, &z[i]) })
		}
		if err != nil {
			return i, err
		}
	}
	// Within Use for what it wipes.
	if err := keys[0].Use(func(curve.Scalar) error {
		curve.ScalarBaseMultBatch(point, k)
		curve.InvertBatch(inverse, k)
		return nil
	}); err != nil {
		return 0, err
	}
	for i, key := range keys {
		if err := key.Use(func(d curve.Scalar) error {
			if !dst[i].set(&d, &z[i], &inverse[i], &point[i]) {
				s.refused = append(s.refused, i)
			}
			return nil
		}); err != nil {
			return i, err
		}
	}
	return 0, nil
}

// setNonce sets k to the first nonce of RFC 6979 in [1, n−1].
func setNonce(k, d, z *curve.Scalar) error {
	var nonces rfc6979.Generator
	var nonce [32]byte
	key := (*[32]byte)(d.Bytes())
	defer nonces.Zero()
	defer clear(nonce[:])
	defer clear(key[:])
	nonces.Init(key, (*[32]byte)(z.Bytes()), nil)
	for range 16 { // as in signScalar
		if err := nonces.Next(&nonce); err != nil {
			return err
		}
		// That a nonce was refused says nothing about the one that is used.
		if _, err := k.SetBytes(nonce[:]); err == nil && k.IsZero() == 0 {
			return nil
		}
	}
	return errFault()
}

// set sets sig to the low-S signature of z with the key d, the inverse of the nonce and
// the point R, which is public, and reports whether r and s are not zero.
func (sig *Signature) set(d, z, inverse *curve.Scalar, point *curve.Point) bool {
	x, err := point.BytesX()
	if err != nil {
		return false
	}
	var r, s curve.Scalar
	r.SetBytesReduced((*[32]byte)(x))
	// s = k⁻¹·(z + r·d), negated if high.
	s.Mul(&r, d).Add(&s, z)
	s.Mul(&s, inverse)
	s.CondNegate(&s, s.IsHigh())
	copy(sig.rs[:32], r.Bytes())
	copy(sig.rs[32:], s.Bytes())
	return r.IsZero()|s.IsZero() == 0
}
