package ecdsa

import (
	"errors"
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/schemes/verify"
)

// ErrRecover means that there is no public key for which the signature of the digest is valid.
var ErrRecover = errors.New("no public key recoverable")

// Recover returns the public key for which sig is a valid signature of the 32-byte digest (SEC 1, section 4.1.6). For
// any digest, Recover finds some key for about half of all pairs of r and s, so check that the key is the expected one.
// The error is p256k1.ErrLength if digest is not 32 bytes, or ErrRecover if there is no such key. The time depends on
// all arguments, which are public.
func Recover(digest []byte, sig RecoverableSignature) (*p256k1.PublicKey, error) {
	k, err := recoverKey(digest, &sig)
	if err != nil {
		return nil, err
	}
	return &k, nil
}

// RecoverBatch sets dst[i] to the public key for which sigs[i] is a valid signature of the 32-byte digests[i], or to
// the zero value if there is no such key. One call takes less time than calling Recover for each signature, and
// allocates only scratch memory, which later calls use again.
//
// The error is nil if every signature has a key. Otherwise the error is a p256k1.Failures, and the reasons are
// ErrRecover, or p256k1.ErrLength for a digest of another length. RecoverBatch panics if the slices differ in length.
// The time depends on all arguments, which are public.
func RecoverBatch(dst []p256k1.PublicKey, digests [][]byte, sigs []RecoverableSignature) error {
	if len(dst) != len(digests) || len(dst) != len(sigs) {
		panic(fmt.Sprintf("ecdsa: RecoverBatch of %d keys, %d digests and %d signatures", len(dst), len(digests), len(sigs)))
	}
	clear(dst)
	var failures p256k1.Failures
	if len(dst) == 1 {
		k, err := recoverKey(digests[0], &sigs[0])
		if err != nil {
			failures = append(failures, p256k1.Failure{Index: 0, Err: err})
		}
		dst[0] = k
		return failures.Err()
	}
	// Q = (s·R − z·G)/r.
	verify.SumsOfBytesVartime(len(sigs), func(i int, s *curve.Scalar, R *[33]byte, z, r *curve.Scalar) bool {
		sig := sigs[i].Signature()
		if len(digests[i]) != 32 || !sig.scalars(r, s) {
			return false
		}
		z.SetBytesReduced((*[32]byte)(digests[i])).Negate(z)
		return setR(R, &sigs[i])
	}, func(i int, p *curve.Point) {
		k, _ := p256k1.NewPublicKey(p)
		dst[i] = *k
	})
	var z curve.Scalar
	for i := range dst {
		if dst[i].Point().IsInfinity() == 0 {
			continue
		}
		err := setDigest(&z, digests[i])
		if err == nil {
			err = ErrRecover
		}
		failures = append(failures, p256k1.Failure{Index: i, Err: err})
	}
	return failures.Err()
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

// addOrder adds the group order n to the big-endian integer x and reports whether the sum is 2²⁵⁶ or more. Smaller sums
// that are not below the field order p are refused when the point is parsed.
func addOrder(x *[32]byte) (overflow bool) {
	var carry uint
	for i := len(x) - 1; i >= 0; i-- {
		carry += uint(x[i]) + uint(order[i])
		x[i] = byte(carry)
		carry >>= 8
	}
	return carry != 0
}
