// Package halfagg joins many BIP-340 signatures into one aggregate that is about half as long (BIP-458). The aggregate
// has 32 bytes for each signature and 32 more, instead of 64 bytes for each signature. The package follows the draft in
// bitcoin/bips pull request 2205 at ab5a023d, which may change. Anybody can aggregate signatures, without the help of
// the signers. There is no aggregate key: the aggregate is verified against the list of public keys and messages, in
// the order in which their signatures were aggregated.
//
// The aggregate of the signatures (Rᵢ, sᵢ) is R₀ ‖ … ‖ Rᵤ₋₁ ‖ s for s = Σ zᵢ·sᵢ. It is valid if
//
//	s·G = Σ zᵢ·(Rᵢ + eᵢ·Pᵢ)
//
// for the challenges eᵢ of BIP-340 and coefficients zᵢ, where z₀ = 1 and zᵢ is a hash of R₀, P₀, m₀, …, Rᵢ, Pᵢ, mᵢ. So
// signatures can be added to an aggregate later. Signatures cannot be removed from an aggregate, and two aggregates
// cannot be joined.
//
// Messages have 32 bytes. All values are public, and no function is constant-time. An aggregate does not reveal the
// secret of an adaptor signature in it, so the signatures of protocols that extract secrets must not be aggregated.
//
// The examples are in example_test.go.
package halfagg

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"sync"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/schnorr"
)

// A Claim is a 32-byte x-only public key and a 32-byte message that the owner of the key has signed.
type Claim struct {
	PublicKey, Message [32]byte
}

// ErrSignature means that a signature is invalid.
var ErrSignature = errors.New("signature is not valid")

// Size returns the length in bytes of the aggregate of n signatures.
func Size(n int) int { return 32 * (n + 1) }

// Aggregate returns the aggregate of the signatures, which has Size(len(claims)) bytes. sigs[i] is the signature for
// claims[i]. Aggregate verifies the signatures first, because an invalid signature would spoil the aggregate. The error
// is a p256k1.Failures with ErrSignature for each invalid signature. The aggregate of no signatures is 32 zero bytes.
// Aggregate panics if the slices differ in length.
func Aggregate(claims []Claim, sigs [][64]byte) ([]byte, error) {
	return Add(make([]byte, Size(0)), nil, claims, sigs)
}

// Add adds signatures to an aggregate and returns the new aggregate. The claims of aggregate are old, and sigs[i] is
// the signature for claims[i]. Add verifies the new signatures, and neither changes nor verifies aggregate. If
// aggregate comes from others, call Verify first, because the result can be valid even if aggregate is invalid.
//
// The error is p256k1.ErrLength if aggregate does not have Size(len(old)) bytes, p256k1.ErrRange if its last 32 bytes
// are not below the group order, or a p256k1.Failures as from Aggregate. Add panics if claims and sigs differ in
// length.
func Add(aggregate []byte, old, claims []Claim, sigs [][64]byte) ([]byte, error) {
	if len(claims) != len(sigs) {
		panic(fmt.Sprintf("halfagg: %d claims and %d signatures", len(claims), len(sigs)))
	}
	var batch schnorr.Batch
	for i := range claims {
		batch.Add(claims[i].PublicKey[:], claims[i].Message[:], sigs[i][:])
	}
	var failures p256k1.Failures
	reason := fmt.Errorf("halfagg: %w", ErrSignature)
	for _, i := range batch.Invalid(nil) {
		failures = append(failures, p256k1.Failure{Index: i, Err: reason})
	}
	if failures != nil {
		return nil, failures
	}
	return add(aggregate, old, claims, sigs)
}

// add adds signatures to an aggregate without verifying them (IncAggregate of BIP-458).
func add(aggregate []byte, old, claims []Claim, sigs [][64]byte) ([]byte, error) {
	if len(aggregate) != Size(len(old)) {
		return nil, fmt.Errorf("halfagg: aggregate: %w: %d bytes, want %d for %d signatures", p256k1.ErrLength, len(aggregate), Size(len(old)), len(old))
	}
	r, last := aggregate[:32*len(old)], aggregate[32*len(old):]
	var s, si, z curve.Scalar
	if _, err := s.SetBytes(last); err != nil {
		return nil, fmt.Errorf("halfagg: aggregate: s: %w", err)
	}
	c := newCoefficients()
	for i := range old {
		c.add(r[32*i:][:32], &old[i])
	}
	out := append(make([]byte, 0, Size(len(old)+len(claims))), r...)
	for i := range claims {
		if _, err := si.SetBytes(sigs[i][32:]); err != nil {
			return nil, fmt.Errorf("halfagg: signature %d: s: %w", i, err)
		}
		c.add(sigs[i][:32], &claims[i])
		c.last(&z)
		s.Add(&s, z.Mul(&z, &si))
		out = append(out, sigs[i][:32]...)
	}
	return append(out, s.Bytes()...), nil
}

// Verify reports whether aggregate is valid for the claims (VerifyAggregate of BIP-458). If it is valid, the owner of
// each key has signed the key's message. Verify returns false for an aggregate whose length is not Size(len(claims)).
// Verify keeps about 500 bytes of memory for each claim, and allocates nothing if it has been called for as many claims
// before.
func Verify(aggregate []byte, claims []Claim) bool {
	if len(aggregate) != Size(len(claims)) {
		return false
	}
	w := works.Get().(*work)
	defer works.Put(w)
	return w.verify(aggregate, claims)
}

// coefficients hashes the text R₀ ‖ P₀ ‖ m₀ ‖ R₁ ‖ …. Each coefficient is the hash of a longer prefix of this text.
type coefficients struct {
	hash hash.Hash
	n    int
	sum  [32]byte
}

var randomizerTag = schnorr.NewTag("HalfAgg/randomizer")

func newCoefficients() *coefficients {
	c := &coefficients{hash: sha256.New()}
	c.reset()
	return c
}

func (c *coefficients) reset() {
	c.n = 0
	c.hash.Reset()
	c.hash.Write(randomizerTag[:])
	c.hash.Write(randomizerTag[:])
}

// add appends R of a signature, which has 32 bytes, and the signature's claim to the text.
func (c *coefficients) add(r []byte, claim *Claim) {
	c.hash.Write(r)
	c.hash.Write(claim.PublicKey[:])
	c.hash.Write(claim.Message[:])
	c.n++
}

// last sets z to the coefficient of the signature that was added last.
func (c *coefficients) last(z *curve.Scalar) {
	if c.n == 1 {
		z.SetUint64(1)
		return
	}
	c.hash.Sum(c.sum[:0]) // Sum does not change the state
	z.SetBytesReduced(&c.sum)
}

// work is the scratch memory for verifying n signatures: a sum of 2·n + 1 terms.
type work struct {
	c       *coefficients
	x       [][32]byte     // R₀, P₀, R₁, P₁ and so on, in the order of points and scalars
	points  []curve.Point  // the points of x, then G
	scalars []curve.Scalar // the coefficients of the points, then −s
	terms   []*curve.Scalar
	bases   []*curve.Point
}

var works = sync.Pool{New: func() any { return &work{c: newCoefficients()} }}

func (w *work) grow(n int) {
	if n <= cap(w.points) {
		w.x, w.points, w.scalars, w.terms, w.bases = w.x[:n-1], w.points[:n], w.scalars[:n], w.terms[:n], w.bases[:n]
		return
	}
	w.x, w.points, w.scalars = make([][32]byte, n-1), make([]curve.Point, n), make([]curve.Scalar, n)
	w.terms, w.bases = make([]*curve.Scalar, n), make([]*curve.Point, n)
	for i := range n {
		w.terms[i], w.bases[i] = &w.scalars[i], &w.points[i]
	}
}

func (w *work) verify(aggregate []byte, claims []Claim) bool {
	n := len(claims)
	w.grow(2*n + 1)
	s, g := &w.scalars[2*n], &w.points[2*n]
	if _, err := s.SetBytes(aggregate[32*n:]); err != nil {
		return false
	}
	s.Negate(s)
	g.SetGenerator()
	w.c.reset()
	for i := range claims {
		r := (*[32]byte)(aggregate[32*i:])
		w.x[2*i], w.x[2*i+1] = *r, claims[i].PublicKey
		z, ze := &w.scalars[2*i], &w.scalars[2*i+1]
		w.c.add(r[:], &claims[i])
		w.c.last(z)
		e := schnorr.Challenge(r[:], claims[i].PublicKey[:], claims[i].Message[:])
		ze.Mul(&e, z)
	}
	curve.LiftXBatchVartime(w.points[:2*n], w.x)
	for i := range w.points[:2*n] {
		if w.points[i].IsInfinity() == 1 {
			return false
		}
	}
	var sum curve.Point
	return sum.MultiScalarMultVartime(w.terms, w.bases).IsInfinity() == 1
}
