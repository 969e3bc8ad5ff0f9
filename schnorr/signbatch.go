package schnorr

import (
	"crypto/rand"
	"fmt"
	"sync"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/parts"
	"p256k1.mleku.dev/v2/secret"
)

// SignBatch sets dst[i] to the signature of msgs[i] by keys[i] that Sign returns. A key may occur in keys more than
// once. SignBatch is constant-time, except that the time depends on the lengths of the messages. It takes less time
// than signing one by one.
//
// The error is nil if every item is signed. Otherwise the error is a p256k1.Failures, and dst[i] is zero for every
// index i in this list. The reasons are p256k1.ErrNoKey for an invalid key, and p256k1.ErrFault, see Options.Checked.
// SignBatch panics if the slices differ in length. The messages must not overlap dst.
func SignBatch(dst [][64]byte, keys []*p256k1.PrivateKey, msgs [][]byte, opts *Options) error {
	if len(dst) != len(keys) || len(dst) != len(msgs) {
		panic(fmt.Sprintf("schnorr: SignBatch of %d signatures, %d keys and %d messages", len(dst), len(keys), len(msgs)))
	}
	s := signings.Get().(*signing)
	defer signings.Put(s)
	o := opts.get()
	var failures p256k1.Failures
	for from, to := range parts.Of(len(dst), parts.Sums) {
		s.begin(to-from, o.AuxRand)
		s.sign(dst[from:to], keys[from:to], msgs[from:to])
		if o.Checked {
			s.again = append(s.again[:0], dst[from:to]...)
			s.sign(dst[from:to], keys[from:to], msgs[from:to])
		}
		for i, sig := range dst[from:to] {
			key, msg := keys[from+i], msgs[from+i]
			var err error
			if !s.ok[i] { // Sign returns the reason
				dst[from+i], err = Sign(key, msg, opts)
			} else if o.Checked && (s.again[i] != sig || !VerifyBytes(key.PublicKey().XOnly().Bytes(), msg, sig[:])) {
				dst[from+i], err = [64]byte{}, errFault()
			}
			if err != nil {
				failures = append(failures, p256k1.Failure{Index: from + i, Err: err})
			}
		}
	}
	return failures.Err()
}

// A signing is the scratch memory for the signatures that are computed at a time.
type signing struct {
	aux  []byte     // 32 bytes for each signature
	px   [][32]byte // x coordinates of the public keys
	d, k []curve.Scalar
	r    []curve.Point // k·G
	ok   []bool        // whether the signature was computed

	again [][64]byte // with Options.Checked: the signatures of the first computation
}

// signings holds scratch memory that is not in use and whose keys and nonces have been wiped.
var signings = sync.Pool{New: func() any { return new(signing) }}

// begin prepares s for a part of n signatures, and sets their auxiliary randomness.
func (s *signing) begin(n int, auxRand *[32]byte) {
	if len(s.k) < n {
		*s = signing{aux: make([]byte, 32*n), px: make([][32]byte, n), d: make([]curve.Scalar, n), k: make([]curve.Scalar, n), r: make([]curve.Point, n), ok: make([]bool, n)}
	}
	if auxRand == nil {
		rand.Read(s.aux[:32*n]) // never fails
		return
	}
	for i := range n {
		copy(s.aux[32*i:], auxRand[:])
	}
}

// sign sets the signatures of a part, and s.ok to whether they were computed. They were not if the item has no key.
func (s *signing) sign(dst [][64]byte, keys []*p256k1.PrivateKey, msgs [][]byte) {
	n := len(dst)
	px, d, k, r := s.px[:n], s.d[:n], s.k[:n], s.r[:n]
	defer clear(d)
	defer clear(k)
	for i, key := range keys {
		key.Use(func(own curve.Scalar) error {
			point := key.PublicKey().Point()
			d[i].CondNegate(&own, point.IsYOdd())
			x, err := point.BytesX()
			if err != nil {
				return err
			}
			px[i] = [32]byte(x)
			return setNonce(&k[i], &d[i], x, msgs[i], s.aux[32*i:32*i+32])
		})
	}
	secret.Do(func() {
		curve.ScalarBaseMultBatch(r, k)
		for i := range dst {
			s.ok[i] = set(&dst[i], &d[i], px[i][:], msgs[i], &k[i], &r[i]) == nil // without a key, k = 0
		}
	})
}
