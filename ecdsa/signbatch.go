package ecdsa

import (
	"fmt"
	"sync"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/parts"
	"p256k1.mleku.dev/v2/rfc6979"
	"p256k1.mleku.dev/v2/secret"
)

// SignBatch sets dst[i] to the signature of the 32-byte digests[i] by keys[i], which is the low-S signature that Sign
// returns. A key may occur in keys more than once. SignBatch is constant-time, and takes less time than signing one by
// one. Without Options.Checked, one hardware error can spoil many signatures, because the signatures share an
// inversion.
//
// The error is nil if every item is signed. Otherwise the error is a p256k1.Failures, and dst[i] is the zero value for
// every index i in this list. The reasons are p256k1.ErrNoKey for an invalid key, p256k1.ErrLength for a digest of
// another length, and p256k1.ErrFault, see Options.Checked. SignBatch panics if the slices differ in length.
func SignBatch(dst []Signature, keys []*p256k1.PrivateKey, digests [][]byte, opts *Options) error {
	return signBatch("SignBatch", len(dst), keys, digests, opts, func(i int, sig RecoverableSignature) { dst[i] = sig.Signature() })
}

// SignRecoverableBatch signs digests like SignBatch, and returns the signatures with their recovery ids, like
// SignRecoverable.
func SignRecoverableBatch(dst []RecoverableSignature, keys []*p256k1.PrivateKey, digests [][]byte, opts *Options) error {
	return signBatch("SignRecoverableBatch", len(dst), keys, digests, opts, func(i int, sig RecoverableSignature) { dst[i] = sig })
}

// signBatch calls set with the signature of each of n items, or with the zero value if the item fails. name is the name
// of the exported function.
func signBatch(name string, n int, keys []*p256k1.PrivateKey, digests [][]byte, opts *Options, set func(int, RecoverableSignature)) error {
	if n != len(keys) || n != len(digests) {
		panic(fmt.Sprintf("ecdsa: %s of %d signatures, %d keys and %d digests", name, n, len(keys), len(digests)))
	}
	s := signings.Get().(*signing)
	defer signings.Put(s)
	o := opts.get()
	var failures p256k1.Failures
	for from, to := range parts.Of(n, parts.Sums) {
		s.sign(keys[from:to], digests[from:to], o.Entropy)
		if o.Checked {
			s.again = append(s.again[:0], s.sigs...)
			s.sign(keys[from:to], digests[from:to], o.Entropy)
		}
		for i, sig := range s.sigs {
			key, digest := keys[from+i], digests[from+i]
			var err error
			if !s.ok[i] { // SignRecoverable continues with the next nonce, or returns the reason
				sig, err = SignRecoverable(key, digest, opts)
			} else if o.Checked && (s.again[i] != sig || !check(key.PublicKey(), digest, &sig)) {
				sig, err = RecoverableSignature{}, errFault()
			}
			if err != nil {
				failures = append(failures, p256k1.Failure{Index: from + i, Err: err})
			}
			set(from+i, sig)
		}
	}
	return failures.Err()
}

// A signing is the scratch memory for the signatures that are computed at a time.
type signing struct {
	d, z, k, inverse []curve.Scalar
	point            []curve.Point          // k·G
	sigs, again      []RecoverableSignature // the signatures, and with Options.Checked those of the first computation
	ok               []bool                 // whether the signature was computed
}

// signings holds scratch memory that is not in use and whose secrets have been wiped.
var signings = sync.Pool{New: func() any { return new(signing) }}

// sign sets s.sigs to the signatures of a part, and s.ok to whether they were computed. They were not if the item is
// invalid or, with a probability below 2⁻¹²⁷, the first nonce is rejected.
func (s *signing) sign(keys []*p256k1.PrivateKey, digests [][]byte, entropy *[32]byte) {
	n := len(keys)
	if len(s.k) < n {
		*s = signing{d: make([]curve.Scalar, n), z: make([]curve.Scalar, n), k: make([]curve.Scalar, n), inverse: make([]curve.Scalar, n),
			point: make([]curve.Point, n), sigs: make([]RecoverableSignature, n), ok: make([]bool, n)}
	}
	d, z, k, inverse, point := s.d[:n], s.z[:n], s.k[:n], s.inverse[:n], s.point[:n]
	s.sigs = s.sigs[:n]
	defer clear(d)
	defer clear(k)
	defer clear(inverse)
	for i, key := range keys {
		if setDigest(&z[i], digests[i]) != nil {
			continue // the nonce stays 0, which is rejected
		}
		key.Use(func(own curve.Scalar) error {
			var nonces rfc6979.Generator
			var nonce [32]byte
			defer nonces.Zero()
			defer clear(nonce[:])
			d[i].Set(&own)
			seed(&nonces, &d[i], &z[i], entropy)
			err := nonces.Next(&nonce)
			setNonce(&k[i], &nonce)
			return err
		})
	}
	secret.Do(func() {
		curve.ScalarBaseMultBatch(point, k)
		curve.InvertBatch(inverse, k)
		for i := range s.sigs {
			s.ok[i] = s.sigs[i].set(&d[i], &z[i], &inverse[i], &point[i])
		}
	})
}
