package dleq

import (
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
)

// Item is what Verify takes.
type Item struct {
	A, B, C *p256k1.PublicKey
	Proof   []byte
	Options *Options
}

// VerifyBatch sets valid[i] to what Verify reports on items[i]. A proof has a hash of R₁ and
// R₂ and not these, so that no sum of proofs can be tested in place of each. Yet with eight
// lanes (curve.Lanes) one takes less than half the time; without them it calls Verify. It
// panics if the slices differ in length.
func VerifyBatch(valid []bool, items []Item) {
	if len(valid) != len(items) {
		panic(fmt.Sprintf("dleq: VerifyBatch of slices of %d and %d", len(valid), len(items)))
	}
	verifyAll(valid, items, curve.Lanes() > 1)
}

// verifyAll is VerifyBatch, with as many as there are in each part or one by one.
func verifyAll(valid []bool, items []Item, parts bool) {
	for len(items) > 0 {
		n := min(part, len(items))
		if parts && n > 1 {
			verifyPart(valid[:n], items[:n])
		} else {
			for i, it := range items[:n] {
				valid[i] = Verify(it.A, it.B, it.C, it.Proof, it.Options)
			}
		}
		valid, items = valid[n:], items[n:]
	}
}

// part is how many proofs are verified at once.
const part = 32

// verifyPart is VerifyBatch of at most part items. Of those that cannot be valid it computes
// what the zero values give, and ignores it.
func verifyPart(valid []bool, items []Item) {
	var minusE, s, sOfG, none [part]curve.Scalar
	var a, b, c, g, r1, r2, t [part]curve.Point
	n := len(items)
	others := false // generators
	for i, it := range items {
		valid[i] = parse(&minusE[i], &s[i], it.Proof)
		minusE[i].Negate(&minusE[i])
		a[i].Set(it.A.Point())
		b[i].Set(it.B.Point())
		c[i].Set(it.C.Point())
		setGenerator(&g[i], it.Options)
		if isInfinity(&a[i], &b[i], &c[i], &g[i]) {
			valid[i] = false
		}
		if it.Options != nil && it.Options.Generator != nil {
			others = true
		} else {
			sOfG[i] = s[i]
			g[i].Zero()
		}
	}
	sum := curve.DoubleScalarBaseMultBatchVartime
	sum(r1[:n], minusE[:n], a[:n], sOfG[:n], nil)
	if others {
		sum(t[:n], s[:n], g[:n], none[:n], nil)
		for i := range n {
			r1[i].Add(&r1[i], &t[i])
		}
	}
	sum(r2[:n], minusE[:n], c[:n], none[:n], nil)
	sum(t[:n], s[:n], b[:n], none[:n], nil)
	for i := range n {
		r2[i].Add(&r2[i], &t[i])
	}
	curve.NormalizeBatch(r1[:n])
	curve.NormalizeBatch(r2[:n])
	var about statement
	for i, it := range items {
		if valid[i] {
			about.set(it.A, it.B, it.C, it.Options)
			valid[i] = about.judge(&r1[i], &r2[i], it.Proof)
		}
	}
}
