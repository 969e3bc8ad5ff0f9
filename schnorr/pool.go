package schnorr

import (
	"context"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/schemes/pool"
	"p256k1.mleku.dev/v2/internal/schemes/verify"
)

// Pool verifies signatures for many goroutines, which share one Pool and call Verify at any time. Signatures whose
// goroutines would wait for a core are verified together, which takes less time, as in a Batch. Nobody waits for a
// group to fill: a goroutine that finds a core free verifies its own signature at once, together with those that wait.
// A Pool has no goroutines of its own. The zero value is ready for use. A Pool must not be copied.
type Pool struct {
	unstored

	pool pool.Pool[equation, equations, *equations]
}

// Verify reports whether sig, 64 bytes, is a valid signature of the message by the 32-byte x-only public key pub, with
// the verdicts of VerifyBytes or, in a group, of Batch. It does not use its arguments after it has returned.
//
// If ctx has ended before, or ends while the signature waits or another goroutine verifies it, Verify returns the error
// of ctx at once. A goroutine that verifies a group first finishes it. If a panic or runtime.Goexit interrupts the
// verification of a group, the other goroutines of the group get an error. There are no other errors, and the bool is
// false with each. ctx must not be nil.
func (p *Pool) Verify(ctx context.Context, pub, msg, sig []byte) (bool, error) {
	var q equation
	if len(pub) != 32 || !claim(&q.e, &q.s, pub, msg, sig) {
		return false, ctx.Err()
	}
	q.pub, q.r = [32]byte(pub), [32]byte(sig)
	return p.pool.Verify(ctx, q)
}

// equation is the claim that e·P + s·G = R, where pub and r are the x coordinates of P and R, which have even y.
type equation struct {
	e, s   curve.Scalar
	pub, r [32]byte
}

// equations is a batch of the pool.
type equations struct{ verify.Schnorr }

func (*equations) One(q *equation) bool {
	return verify.EvenYOfBytesVartime(&q.e, q.pub[:], &q.s, q.r[:])
}

func (b *equations) Add(q *equation) { b.Schnorr.Add(&q.e, &q.pub, &q.s, &q.r) }
