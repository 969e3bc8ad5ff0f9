package schnorr

import (
	"crypto/rand"
	"fmt"
	"sync"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
)

// SignBatch sets dst[i] to the signature of msgs[i] by keys[i] that Sign returns for fresh auxiliary randomness from
// crypto/rand. A key may occur in keys more than once. SignBatch is constant-time, except that the time depends on
// the lengths of the messages. It takes less time than signing one by one.
//
// If a key is nil, was wiped or was never set, the error is p256k1.ErrNoKey with the index of the
// first such key, and all of dst is zero. SignBatch panics if the slices differ in length. The
// messages must not overlap dst. Unlike SignChecked, SignBatch does not detect hardware errors.
func SignBatch(dst [][64]byte, keys []*p256k1.PrivateKey, msgs [][]byte) error {
	if len(dst) != len(keys) || len(dst) != len(msgs) {
		panic(fmt.Sprintf("schnorr: SignBatch of %d signatures, %d keys and %d messages", len(dst), len(keys), len(msgs)))
	}
	s := signings.Get().(*signing)
	defer signings.Put(s)
	for from := 0; from < len(dst); from += group {
		to := min(from+group, len(dst))
		if i, err := s.sign(dst[from:to], keys[from:to], msgs[from:to]); err != nil {
			clear(dst)
			return fmt.Errorf("%w (index %d)", err, from+i)
		}
	}
	return nil
}

// A signing is the scratch memory for the signatures that are computed at a time.
type signing struct {
	aux  []byte     // 32 bytes for each signature
	px   [][32]byte // x coordinates of the public keys
	d, k []curve.Scalar
	r    []curve.Point // k·G
}

// group is the number of signatures that are computed at a time.
const group = 256

// signings holds scratch memory that is not in use and whose keys and nonces have been wiped.
var signings = sync.Pool{New: func() any { return new(signing) }}

// sign sets the signatures of a group. If it returns an error, it also returns the index of the first item without a
// key.
func (s *signing) sign(dst [][64]byte, keys []*p256k1.PrivateKey, msgs [][]byte) (int, error) {
	n := len(dst)
	if len(s.k) < n {
		*s = signing{make([]byte, 32*n), make([][32]byte, n), make([]curve.Scalar, n), make([]curve.Scalar, n), make([]curve.Point, n)}
	}
	aux, px, d, k, r := s.aux[:32*n], s.px[:n], s.d[:n], s.k[:n], s.r[:n]
	defer clear(d)
	defer clear(k)
	rand.Read(aux) // never fails
	for i, key := range keys {
		if err := key.Use(func(secret curve.Scalar) error {
			point := key.PublicKey().Point()
			d[i].CondNegate(&secret, point.IsYOdd())
			x, err := point.BytesX()
			if err != nil {
				return err
			}
			px[i] = [32]byte(x)
			return setNonce(&k[i], &d[i], x, msgs[i], aux[32*i:32*i+32])
		}); err != nil {
			return i, err
		}
	}
	var i int
	// The computation runs inside Use, so that Use wipes the stack afterwards.
	err := keys[0].Use(func(curve.Scalar) (err error) {
		curve.ScalarBaseMultBatch(r, k)
		for i = range dst {
			if err = set(&dst[i], &d[i], px[i][:], msgs[i], &k[i], &r[i]); err != nil {
				break
			}
		}
		return err
	})
	return i, err
}
