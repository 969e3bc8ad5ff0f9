package musig2

import (
	"crypto/rand"
	"fmt"
	"slices"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
)

// Servers that cosign whole trees of transactions aggregate and verify for many sessions at once. The functions of this file
// give the results of one call for each, and take less time: products run eight at a time on processors with lanes, and
// equations are added with random weights. All values are public.

// ItemError says which item of many an error belongs to.
type ItemError struct {
	Item int
	Err  error
}

// Error returns a text with the index.
func (e *ItemError) Error() string { return fmt.Sprintf("item %d: %v", e.Item, e.Err) }

// Unwrap returns what is wrong.
func (e *ItemError) Unwrap() error { return e.Err }

// AggregateBatch aggregates each of many sets of keys, as Aggregate aggregates one. On processors with AVX-512 IFMA it
// takes about half the time. On other processors, calls of Aggregate take less time for sets of more than two keys. The
// error is an *ItemError with the error of Aggregate for the first set that is wrong.
func AggregateBatch(sets [][]*p256k1.PublicKey) ([]*KeySet, error) {
	all := make([]*KeySet, len(sets))
	// Pairs of products, so that each sum of two takes one call: k·A + l·B.
	var k, l []curve.Scalar
	var a, b []curve.Point
	var of []int
	sums := make([]curve.Point, len(sets))
	for i, keys := range sets {
		s, err := newKeySet(keys)
		if err != nil {
			return nil, fmt.Errorf("musig2: %w", &ItemError{i, err})
		}
		all[i] = s
		half := false
		for j, key := range keys {
			var coefficient curve.Scalar
			switch {
			case s.isSecond(&s.encoded[j]): // the coefficient is 1
				sums[i].Add(&sums[i], key.Point())
			case half:
				l[len(l)-1].Set(s.coefficient(&coefficient, &s.encoded[j]))
				b[len(b)-1].Set(key.Point())
				half = false
			default:
				k, a = append(k, *s.coefficient(&coefficient, &s.encoded[j])), append(a, *key.Point())
				l, b = append(l, curve.Scalar{}), append(b, curve.Point{})
				of = append(of, i)
				half = true
			}
		}
	}
	products := make([]curve.Point, len(of))
	curve.DoubleScalarMultBatchVartime(products, k, a, l, b)
	for j, i := range of {
		sums[i].Add(&sums[i], &products[j])
	}
	curve.NormalizeBatch(sums)
	for i, s := range all {
		s.q.Set(&sums[i])
		if err := s.finish(); err != nil {
			return nil, fmt.Errorf("musig2: %w", &ItemError{i, err})
		}
	}
	return all, nil
}

// SessionParams has the arguments of NewSession for one session of NewSessionBatch.
type SessionParams struct {
	Keys    *KeySet
	Nonce   AggregateNonce
	Message []byte
}

// NewSessionBatch begins many sessions, each as NewSession does. The error is an *ItemError with the error of
// NewSession for the first session that is wrong.
func NewSessionBatch(params []SessionParams) ([]*Session, error) {
	all := make([]*Session, len(params))
	b, second, r := make([]curve.Scalar, len(params)), make([]curve.Point, len(params)), make([]curve.Point, len(params))
	zero := make([]curve.Scalar, len(params))
	for i := range params {
		s, err := begin(params[i].Keys, &params[i].Nonce.p, params[i].Message)
		if err != nil {
			return nil, fmt.Errorf("musig2: %w", &ItemError{i, err})
		}
		all[i] = s
		b[i].Set(&s.b)
		second[i].Set(&params[i].Nonce.p.R[1])
	}
	curve.DoubleScalarBaseMultBatchVartime(r, b, second, zero)
	for i := range r {
		r[i].Add(&r[i], &params[i].Nonce.p.R[0])
	}
	curve.NormalizeBatch(r)
	for i, s := range all {
		s.r.Set(&r[i])
		if err := s.finish(params[i].Message); err != nil {
			return nil, fmt.Errorf("musig2: %w", &ItemError{i, err})
		}
	}
	return all, nil
}

// Partial is one partial signature with the arguments of VerifyPartial.
type Partial struct {
	Session   *Session
	Signature PartialSignature
	Nonce     PublicNonce
	Key       *p256k1.PublicKey
}

// InvalidPartials returns the indexes of all partial signatures that VerifyPartial refuses, of any sessions. It tests random
// sums of their equations, and of halves of a sum that is wrong, so that a signature that is not valid passes with a
// probability of 2⁻¹²⁸.
func InvalidPartials(partials []Partial) []int {
	var bad, rest []int
	index := make([]([33]byte), len(partials))
	for i := range partials {
		p := &partials[i]
		index[i] = encode(p.Key)
		if p.Session.isNone() || !p.Nonce.p.IsSet() || index[i][0] == 0 || !p.Session.keys.has(&index[i]) {
			bad = append(bad, i)
		} else {
			rest = append(rest, i)
		}
	}
	bisect(&bad, rest,
		func(i int) bool {
			return partials[i].Session.valid(&partials[i].Signature.s, &partials[i].Nonce.p, &index[i])
		},
		func(all []int) bool { return allValid(partials, index, all) })
	slices.Sort(bad)
	return bad
}

// largest is the number of equations in one sum, which bounds the memory.
const largest = 1024

// bisect appends to bad all indexes for which valid is false. allValid tells of some together.
func bisect(bad *[]int, all []int, valid func(i int) bool, allValid func(all []int) bool) {
	for len(all) > largest {
		bisect(bad, all[:largest], valid, allValid)
		all = all[largest:]
	}
	switch {
	case len(all) == 1:
		if !valid(all[0]) {
			*bad = append(*bad, all[0])
		}
	case len(all) > 1 && !allValid(all):
		bisect(bad, all[:len(all)/2], valid, allValid)
		bisect(bad, all[len(all)/2:], valid, allValid)
	}
}

// A sum of products is infinity if all of the equations in it hold.
type sum struct {
	scalars []curve.Scalar
	points  []*curve.Point
	g       curve.Scalar
}

func newSum(terms int) *sum {
	return &sum{make([]curve.Scalar, 0, terms+1), make([]*curve.Point, 0, terms+1), curve.Scalar{}}
}

// add returns the scalar of a new term with this point, which is not copied.
func (s *sum) add(p *curve.Point) *curve.Scalar {
	s.scalars, s.points = append(s.scalars, curve.Scalar{}), append(s.points, p)
	return &s.scalars[len(s.scalars)-1]
}

func (s *sum) isInfinity() bool {
	var g, total curve.Point
	s.add(g.SetGenerator()).Set(&s.g)
	terms := make([]*curve.Scalar, len(s.scalars))
	for i := range terms {
		terms[i] = &s.scalars[i]
	}
	return total.MultiScalarMultVartime(terms, s.points).IsInfinity() == 1
}

// weight sets w to 128 random bits.
func weight(w *curve.Scalar) *curve.Scalar {
	var random [16]byte
	rand.Read(random[:]) // never fails
	return w.SetWeight(&random)
}

// allValid reports whether Σ w·(±s·G − R1 − b·R2 ∓ f·P) = 0 for random weights, where the upper sign is for R with even y.
func allValid(partials []Partial, encoded [][33]byte, all []int) bool {
	sum := newSum(3 * len(all))
	for _, i := range all {
		p := &partials[i]
		var w, f curve.Scalar
		weight(&w)
		sum.add(&p.Nonce.p.R[0]).Set(&w)
		sum.add(&p.Nonce.p.R[1]).Mul(&w, &p.Session.b)
		f.Mul(&w, p.Session.factor(&f, &encoded[i]))
		sum.add(p.Key.Point()).CondNegate(&f, p.Session.odd)
		f.Mul(&w, &p.Signature.s)
		sum.g.Sub(&sum.g, f.CondNegate(&f, p.Session.odd))
	}
	return sum.isInfinity()
}

// Combination has the arguments of Combine for one session of CombineBatch.
type Combination struct {
	Session    *Session
	Signatures []PartialSignature
	Nonces     []PublicNonce
}

// CombineBatch combines the partial signatures of many sessions, each as Combine does. It returns a signature for each
// session, zeros for a session that fails, and an *ItemError with the error of Combine for each session that fails, in
// ascending order.
func CombineBatch(items []Combination) (sigs [][64]byte, failed []*ItemError) {
	totals, sigs := make([]curve.Scalar, len(items)), make([][64]byte, len(items))
	var rest, bad []int
	for i := range items {
		c := &items[i]
		if err := c.Session.fits(c.Signatures, c.Nonces, false); err != nil {
			failed = append(failed, &ItemError{i, err})
			continue
		}
		totals[i] = c.Session.total(c.Signatures)
		rest = append(rest, i)
	}
	bisect(&bad, rest,
		func(i int) bool { return items[i].Session.holds(&totals[i]) },
		func(all []int) bool {
			// Σ w·(s·G − e·P ∓ R) = 0, where P has even y.
			sum := newSum(2 * len(all))
			for _, i := range all {
				s := items[i].Session
				var w, f curve.Scalar
				weight(&w)
				sum.add(&s.r).CondNegate(&w, 1^s.odd)
				f.Mul(&w, &s.e)
				sum.add(&s.keys.q).CondNegate(&f, 1^s.keys.q.IsYOdd())
				sum.g.Add(&sum.g, f.Mul(&w, &totals[i]))
			}
			return sum.isInfinity()
		})
	for _, i := range rest {
		if slices.Contains(bad, i) {
			failed = append(failed, &ItemError{i, items[i].Session.blame(items[i].Signatures, items[i].Nonces)})
		} else {
			sigs[i] = items[i].Session.encode(&totals[i])
		}
	}
	slices.SortFunc(failed, func(a, b *ItemError) int { return a.Item - b.Item })
	return sigs, failed
}
