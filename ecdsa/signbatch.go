package ecdsa

import (
	"fmt"
	"sync"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/rfc6979"
	"p256k1.mleku.dev/v2/secret"
)

// SignBatch sets dst[i] to the signature of the 32-byte digests[i] by keys[i], which is the deterministic, low-S
// signature that Sign returns. A key may occur in keys more than once. SignBatch is constant-time, and takes less
// time than signing one by one.
//
// The error is nil if every item is signed. Otherwise the error is a p256k1.Failures, and dst[i] is the zero value for
// every index i in this list. The reasons are p256k1.ErrNoKey for a key that is nil, was wiped or was never set, and
// p256k1.ErrLength for a digest of another length. SignBatch panics if the slices differ in length.
//
// Unlike SignChecked, SignBatch does not detect hardware errors. One error can spoil many signatures, because the
// signatures share an inversion.
func SignBatch(dst []Signature, keys []*p256k1.PrivateKey, digests [][]byte) error {
	if len(dst) != len(keys) || len(dst) != len(digests) {
		panic(fmt.Sprintf("ecdsa: SignBatch of %d signatures, %d keys and %d digests", len(dst), len(keys), len(digests)))
	}
	s := signings.Get().(*signing)
	defer signings.Put(s)
	var failures p256k1.Failures
	for from := 0; from < len(dst); from += group {
		to := min(from+group, len(dst))
		s.sign(dst[from:to], keys[from:to], digests[from:to])
		for _, i := range s.refused { // Sign continues with the next nonce, or returns the reason
			var err error
			if dst[from+i], err = Sign(keys[from+i], digests[from+i]); err != nil {
				failures = append(failures, p256k1.Failure{Index: from + i, Err: err})
			}
		}
	}
	return failures.Err()
}

// group is the number of signatures that are computed at a time.
const group = 256

// A signing is the scratch memory for the signatures that are computed at a time.
type signing struct {
	d, z, k, inverse []curve.Scalar
	point            []curve.Point // k·G
	refused          []int         // indexes of items that are invalid, or, with a probability below 2⁻¹²⁷, have r = 0 or s = 0
}

// signings holds scratch memory that is not in use and whose secrets have been wiped.
var signings = sync.Pool{New: func() any { return new(signing) }}

// sign sets the signatures of a group, except those in s.refused. An item without a key or a digest has the nonce 0,
// for which no signature exists.
func (s *signing) sign(dst []Signature, keys []*p256k1.PrivateKey, digests [][]byte) {
	n := len(dst)
	if len(s.k) < n {
		*s = signing{make([]curve.Scalar, n), make([]curve.Scalar, n), make([]curve.Scalar, n), make([]curve.Scalar, n), make([]curve.Point, n), nil}
	}
	s.refused = s.refused[:0]
	d, z, k, inverse, point := s.d[:n], s.z[:n], s.k[:n], s.inverse[:n], s.point[:n]
	defer clear(d)
	defer clear(k)
	defer clear(inverse)
	for i, key := range keys {
		if setDigest(&z[i], digests[i]) != nil {
			continue
		}
		key.Use(func(secret curve.Scalar) error { // without a key, the nonce stays 0
			var nonces rfc6979.Generator
			var nonce [32]byte
			defer nonces.Zero()
			defer clear(nonce[:])
			d[i].Set(&secret)
			seed(&nonces, &d[i], &z[i], nil)
			err := nonces.Next(&nonce)
			setNonce(&k[i], &nonce)
			return err
		})
	}
	secret.Do(func() {
		curve.ScalarBaseMultBatch(point, k)
		curve.InvertBatch(inverse, k)
		for i := range dst {
			var sig RecoverableSignature
			if !sig.set(&d[i], &z[i], &inverse[i], &point[i]) {
				s.refused = append(s.refused, i)
			}
			dst[i] = sig.Signature()
		}
	})
}
