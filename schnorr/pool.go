package schnorr

import (
	"context"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/schemes/pool"
	"p256k1.mleku.dev/v2/internal/schemes/verify"
)

// Pool verifies signatures for many goroutines, which share one Pool and call Verify at any time. Signatures whose
// goroutines would wait for a core are verified together, which takes less time, as in a Batch. A Pool has no
// goroutines of its own, and nobody waits for a group to fill: a goroutine that finds a core free verifies its own
// signature at once, together with those that wait. The zero value is ready for use. A Pool must not be copied.
//
// With 64 goroutines or more for each core, a Pool verifies four times as many signatures per second as VerifyBytes on
// processors with AVX-512 IFMA, twice as many with AVX2 and FMA, and 1.3 times as many without. It gains nothing for
// fewer than three goroutines per core, or fewer than sixteen without AVX2 and FMA. A lone call takes at most 3 %
// longer than VerifyBytes.
//
// A group has at most 256 signatures. A call that arrives while all cores verify such groups waits for the first of
// them, for 2 ms or less, before its own group. All calls share one lock, and only two cores have been measured: with
// many cores, several Pools, each for a part of the goroutines, may be faster than one. A Pool keeps the memory of one
// Batch per core, and calls do not allocate once it has grown. It keeps channels too, so a Pool must not be shared by
// bubbles of package testing/synctest.
//
// A goroutine that is about to verify may first let the goroutines run that are ready, so that they can join it. If
// they compute something else, they may take 10 ms each. Then only one call in 64 does so, unless others join.
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
	return p.pool.VerifyVartime(ctx, q)
}

// equation is the claim that e·P + s·G = R, where pub and r are the x coordinates of P and R, which have even y.
type equation struct {
	e, s   curve.Scalar
	pub, r [32]byte
}

// equations is a batch of the pool.
type equations struct{ verify.Schnorr }

func (*equations) OneVartime(q *equation) bool {
	return verify.EvenYOfBytesVartime(&q.e, q.pub[:], &q.s, q.r[:])
}

func (b *equations) Add(q *equation) { b.Schnorr.Add(&q.e, &q.pub, &q.s, &q.r) }
