package ecdsa

import (
	"errors"
	"fmt"
	"sync"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/verify"
)

// ErrRecover means that there is no public key for which the signature of the digest is valid.
var ErrRecover = errors.New("no public key recoverable")

// Recover returns the public key for which sig is a valid signature of the 32-byte digest (SEC 1, section 4.1.6). For
// any digest, Recover finds some key for about half of all pairs of r and s, so check that the key is the expected
// one. The error is p256k1.ErrLength if digest is not 32 bytes, or ErrRecover if there is no such key. The time
// depends on all arguments, which are public.
func Recover(digest []byte, sig RecoverableSignature) (*p256k1.PublicKey, error) {
	k, err := recoverKey(digest, &sig)
	if err != nil {
		return nil, err
	}
	return &k, nil
}

// RecoverBatch sets dst[i] to a new public key, for which sigs[i] is a valid signature of the
// 32-byte digests[i], or to nil if there is no such key or the digest has another length. It
// returns the number of keys. One call takes less time than calling Recover for each signature. RecoverBatch panics
// if the slices differ in length. The time depends on all arguments, which are public.
func RecoverBatch(dst []*p256k1.PublicKey, digests [][]byte, sigs []RecoverableSignature) int {
	if len(dst) != len(digests) || len(dst) != len(sigs) {
		panic(fmt.Sprintf("ecdsa: RecoverBatch of %d keys, %d digests and %d signatures", len(dst), len(digests), len(sigs)))
	}
	if len(dst) == 1 {
		if dst[0], _ = Recover(digests[0], sigs[0]); dst[0] == nil {
			return 0
		}
		return 1
	}
	clear(dst)
	w := recoveries.Get().(*recovery)
	defer recoveries.Put(w)
	found := 0
	for len(sigs) > 0 {
		n := min(group, len(sigs))
		for i := range w.recoverVartime(digests[:n], sigs[:n]) {
			if k, err := p256k1.NewPublicKey(&w.point[i]); err == nil {
				dst[w.of[i]] = k
				found++
			}
		}
		dst, digests, sigs = dst[n:], digests[n:], sigs[n:]
	}
	return found
}

// RecoverBatchInto recovers keys like RecoverBatch, but stores them in the caller's memory: it sets dst[i] to the key,
// or to the zero value if there is no such key. It allocates only scratch memory, which later calls use again.
func RecoverBatchInto(dst []p256k1.PublicKey, digests [][]byte, sigs []RecoverableSignature) int {
	if len(dst) != len(digests) || len(dst) != len(sigs) {
		panic(fmt.Sprintf("ecdsa: RecoverBatchInto of %d keys, %d digests and %d signatures", len(dst), len(digests), len(sigs)))
	}
	clear(dst)
	if len(dst) == 1 {
		k, err := recoverKey(digests[0], &sigs[0])
		if err != nil {
			return 0
		}
		dst[0] = k
		return 1
	}
	w := recoveries.Get().(*recovery)
	defer recoveries.Put(w)
	found := 0
	for len(sigs) > 0 {
		n := min(group, len(sigs))
		for i := range w.recoverVartime(digests[:n], sigs[:n]) {
			if k, err := p256k1.NewPublicKey(&w.point[i]); err == nil {
				dst[w.of[i]] = *k
				found++
			}
		}
		dst, digests, sigs = dst[n:], digests[n:], sigs[n:]
	}
	return found
}

// group is the number of keys that are recovered at a time, or of signatures that SignBatch computes at a time.
const group = 256

// A recovery is the scratch memory of RecoverBatch and RecoverBatchInto for a group of signatures.
type recovery struct {
	of      [group]int // the index of the signature
	r, s, z [group]curve.Scalar
	encoded [group][33]byte // the encodings of R
	point   [group]curve.Point
}

// recoveries holds scratch memory that is not in use.
var recoveries = sync.Pool{New: func() any { return new(recovery) }}

// recoverVartime computes the keys for a group of signatures and returns the number n of signatures that may have a
// key. For j < n, it sets w.point[j] to the key of the signature w.of[j], or to infinity if that signature has no
// key.
func (w *recovery) recoverVartime(digests [][]byte, sigs []RecoverableSignature) int {
	n := 0
	for i := range sigs {
		sig := sigs[i].Signature()
		if len(digests[i]) != 32 || !sig.scalars(&w.r[n], &w.s[n]) {
			continue
		}
		if !setR(&w.encoded[n], &sigs[i]) {
			continue
		}
		w.z[n].SetBytesReduced((*[32]byte)(digests[i])).Negate(&w.z[n])
		w.of[n] = i
		n++
	}
	// Q = (s·R − z·G)/r.
	verify.SumsOfBytesVartime(w.point[:n], w.s[:n], w.encoded[:n], w.z[:n], w.r[:n])
	return n
}

func recoverKey(digest []byte, sig *RecoverableSignature) (k p256k1.PublicKey, err error) {
	var z, r, s curve.Scalar
	if err := setDigest(&z, digest); err != nil {
		return k, err
	}
	plain := sig.Signature()
	if !plain.scalars(&r, &s) {
		return k, fmt.Errorf("ecdsa: %w: r or s is zero", ErrRecover)
	}

	var encoded [33]byte
	if !setR(&encoded, sig) {
		return k, fmt.Errorf("ecdsa: %w: v says x = r + n, which is not below the field order", ErrRecover)
	}

	// Q = s/r·R − z/r·G.
	r.InvertVartime(&r)
	z.Mul(&z, &r).Negate(&z)
	s.Mul(&s, &r)
	var point curve.Point
	if err := verify.SumOfBytesVartime(&point, &s, encoded[:], &z); err != nil {
		return k, fmt.Errorf("ecdsa: %w: R: %w", ErrRecover, errors.Unwrap(err))
	}
	q, err := p256k1.NewPublicKey(&point)
	if err != nil {
		return k, fmt.Errorf("ecdsa: %w: %w", ErrRecover, errors.Unwrap(err))
	}
	return *q, nil
}

// setR sets b to the encoding of R. The x coordinate of R is r, or r + n if bit 1 of the recovery id is set. setR
// reports false if r + n is 2²⁵⁶ or more. If r + n is p or more, b encodes no point, which is detected when b is
// parsed.
func setR(b *[33]byte, sig *RecoverableSignature) bool {
	v := sig.rsv[64]
	b[0] = 2 | v&1
	copy(b[1:], sig.rsv[:32])
	return v&2 == 0 || !addOrder((*[32]byte)(b[1:]))
}

// order is the group order n, big-endian.
var order = [32]byte{
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe,
	0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41,
}

// addOrder adds the group order n to the big-endian integer x and reports whether the sum is 2²⁵⁶ or more. Smaller
// sums that are not below the field order p are refused when the point is parsed.
func addOrder(x *[32]byte) (overflow bool) {
	var carry uint
	for i := len(x) - 1; i >= 0; i-- {
		carry += uint(x[i]) + uint(order[i])
		x[i] = byte(carry)
		carry >>= 8
	}
	return carry != 0
}
