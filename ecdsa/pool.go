package ecdsa

import (
	"context"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/schemes/pool"
	"p256k1.mleku.dev/v2/internal/schemes/verify"
)

// Pool verifies signatures for many goroutines, which share one Pool and call its methods at any time. Signatures whose
// goroutines would wait for a core are verified together, which takes less time, as in a Batch. A Pool has no
// goroutines of its own, and nobody waits for a group to fill, as schnorr.Pool documents. The zero value is ready for
// use. A Pool must not be copied.
//
// With 64 goroutines or more for each core, a Pool verifies four times as many signatures per second as VerifyDER on
// processors with AVX-512 IFMA, and 1.6 times as many with AVX2 and FMA. On other processors it gains nothing, so its
// methods only call VerifyDER and VerifyCompact.
type Pool struct {
	unstored

	pool pool.Pool[equation, equations, *equations]
}

// VerifyDER reports the same as the function VerifyDER. It does not use its arguments after it has returned.
//
// If ctx has ended before, or ends while the signature waits or another goroutine verifies it, VerifyDER returns the
// error of ctx at once. A goroutine that verifies a group first finishes it. If a panic or runtime.Goexit interrupts
// the verification of a group, the other goroutines of the group get an error. There are no other errors, and the bool
// is false with each. ctx must not be nil.
func (p *Pool) VerifyDER(ctx context.Context, pub, digest, der []byte) (bool, error) {
	var sig Signature
	if sig.setDER(der).text != "" {
		return false, ctx.Err()
	}
	return p.verifyVartime(ctx, pub, digest, &sig)
}

// VerifyCompact reports the same as the function VerifyCompact, for a signature of 64 bytes, with the errors of
// VerifyDER. It does not use its arguments after it has returned.
func (p *Pool) VerifyCompact(ctx context.Context, pub, digest, sig []byte) (bool, error) {
	parsed, err := ParseCompact(sig)
	if err != nil {
		return false, ctx.Err()
	}
	return p.verifyVartime(ctx, pub, digest, &parsed)
}

func (p *Pool) verifyVartime(ctx context.Context, pub, digest []byte, sig *Signature) (bool, error) {
	if err := ctx.Err(); err != nil || !verify.InLanesVartime() {
		return err == nil && verifyVartime(pub, digest, sig), err
	}
	var q equation
	if !sig.scalars(&q.r, &q.s) || setDigest(&q.z, digest) != nil {
		return false, nil
	}
	switch len(pub) {
	case 33:
		q.pub = [33]byte(pub)
	case 65:
		var point curve.Point
		if _, err := point.SetBytes(pub); err != nil {
			return false, nil
		}
		q.pub[0] = 2 | pub[64]&1
		copy(q.pub[1:], pub[1:33])
	default:
		return false, nil
	}
	return p.pool.VerifyVartime(ctx, q)
}

// equation is the claim that the x coordinate of (r·P + z·G)/s is r modulo n, where pub is the compressed encoding of
// P.
type equation struct {
	r, s, z curve.Scalar
	pub     [33]byte
}

// equations is a batch of the pool.
type equations struct{ verify.ECDSA }

func (*equations) OneVartime(q *equation) bool {
	u1, u2 := q.z, q.s
	divideVartime(&u1, &u2, &q.r)
	return verify.XModNOfBytesVartime(&u2, q.pub[:], &u1, &q.r)
}

func (b *equations) Add(q *equation) { b.ECDSA.Add(&q.r, &q.r, &q.pub, &q.z, &q.s) }
