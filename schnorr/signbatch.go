package schnorr

import (
	"crypto/rand"
	"fmt"
	"sync"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/secret"
)

// SignBatch sets dst[i] to the signature of msgs[i] by keys[i] that Sign returns for fresh auxiliary randomness from
// crypto/rand. A key may occur in keys more than once. SignBatch is constant-time, except that the time depends on
// the lengths of the messages. It takes less time than signing one by one.
//
// The error is nil if every item is signed. Otherwise the error is a p256k1.Failures with the reason p256k1.ErrNoKey
// for each key that is nil, was wiped or was never set, and dst[i] is zero for every index i in this list. SignBatch
// panics if the slices differ in length. The messages must not overlap dst. Unlike SignChecked, SignBatch does not
// detect hardware errors.
func SignBatch(dst [][64]byte, keys []*p256k1.PrivateKey, msgs [][]byte) error {
	if len(dst) != len(keys) || len(dst) != len(msgs) {
		panic(fmt.Sprintf("schnorr: SignBatch of %d signatures, %d keys and %d messages", len(dst), len(keys), len(msgs)))
	}
	s := signings.Get().(*signing)
	defer signings.Put(s)
	var failures p256k1.Failures
	for from := 0; from < len(dst); from += group {
		to := min(from+group, len(dst))
		s.sign(dst[from:to], keys[from:to], msgs[from:to])
		for _, i := range s.refused { // Sign returns the reason
			var err error
			if dst[from+i], err = Sign(keys[from+i], msgs[from+i], nil); err != nil {
				failures = append(failures, p256k1.Failure{Index: from + i, Err: err})
			}
		}
	}
	return failures.Err()
}

// A signing is the scratch memory for the signatures that are computed at a time.
type signing struct {
	aux     []byte     // 32 bytes for each signature
	px      [][32]byte // x coordinates of the public keys
	d, k    []curve.Scalar
	r       []curve.Point // k·G
	refused []int         // indexes of items without a key
}

// group is the number of signatures that are computed at a time.
const group = 256

// signings holds scratch memory that is not in use and whose keys and nonces have been wiped.
var signings = sync.Pool{New: func() any { return new(signing) }}

// sign sets the signatures of a group, except those in s.refused. An item without a key has the nonce 0, for which no
// signature exists.
func (s *signing) sign(dst [][64]byte, keys []*p256k1.PrivateKey, msgs [][]byte) {
	n := len(dst)
	if len(s.k) < n {
		*s = signing{make([]byte, 32*n), make([][32]byte, n), make([]curve.Scalar, n), make([]curve.Scalar, n), make([]curve.Point, n), nil}
	}
	s.refused = s.refused[:0]
	aux, px, d, k, r := s.aux[:32*n], s.px[:n], s.d[:n], s.k[:n], s.r[:n]
	defer clear(d)
	defer clear(k)
	rand.Read(aux) // never fails
	for i, key := range keys {
		key.Use(func(secret curve.Scalar) error { // without a key, the nonce stays 0
			point := key.PublicKey().Point()
			d[i].CondNegate(&secret, point.IsYOdd())
			x, err := point.BytesX()
			if err != nil {
				return err
			}
			px[i] = [32]byte(x)
			return setNonce(&k[i], &d[i], x, msgs[i], aux[32*i:32*i+32])
		})
	}
	secret.Do(func() {
		curve.ScalarBaseMultBatch(r, k)
		for i := range dst {
			if set(&dst[i], &d[i], px[i][:], msgs[i], &k[i], &r[i]) != nil {
				s.refused = append(s.refused, i)
			}
		}
	})
}
