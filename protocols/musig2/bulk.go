package musig2

import (
	"fmt"
	"slices"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/protocols/internal/equations"
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
	keys := make([]([33]byte), len(partials))
	for i := range partials {
		p := &partials[i]
		keys[i] = encode(p.Key)
		if p.Session.isNone() || !p.Nonce.p.IsSet() || keys[i][0] == 0 || !p.Session.keys.has(&keys[i]) {
			bad = append(bad, i)
		} else {
			rest = append(rest, i)
		}
	}
	system := partialEquations(partials, keys)
	bad = append(bad, system.Invalid(rest)...)
	slices.Sort(bad)
	return bad
}

// partialEquations returns ±s·G − R1 − b·R2 ∓ f·P = 0 for each partial signature, where the upper sign is for R with
// even y. The keys are the encoded public keys.
func partialEquations(partials []Partial, keys [][33]byte) equations.System {
	return equations.System{
		Holds: func(i int) bool {
			return partials[i].Session.valid(&partials[i].Signature.s, &partials[i].Nonce.p, &keys[i])
		},
		Add: func(sum *equations.Sum, w *curve.Scalar, i int) {
			p := &partials[i]
			var k, minus curve.Scalar
			minus.Negate(w)
			sum.Add(&minus, &p.Nonce.p.R[0])
			sum.Add(k.Mul(&minus, &p.Session.b), &p.Nonce.p.R[1])
			minus.CondNegate(&minus, p.Session.odd)
			sum.Add(k.Mul(&minus, p.Session.factor(&k, &keys[i])), p.Key.Point())
			sum.AddBase(k.Mul(k.Negate(&minus), &p.Signature.s))
		},
	}
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
	var rest []int
	for i := range items {
		c := &items[i]
		if err := c.Session.fits(c.Signatures, c.Nonces, false); err != nil {
			failed = append(failed, &ItemError{i, err})
			continue
		}
		totals[i] = c.Session.total(c.Signatures)
		rest = append(rest, i)
	}
	system := combinedEquations(items, totals)
	bad := system.Invalid(rest)
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

// combinedEquations returns s·G − e·P ∓ R = 0 for the combined signature of each session, where P has even y and the
// upper sign is for R with even y.
func combinedEquations(items []Combination, totals []curve.Scalar) equations.System {
	return equations.System{
		Holds: func(i int) bool { return items[i].Session.holds(&totals[i]) },
		Add: func(sum *equations.Sum, w *curve.Scalar, i int) {
			s := items[i].Session
			var k curve.Scalar
			sum.AddBase(k.Mul(w, &totals[i]))
			k.Mul(w, &s.e)
			sum.Add(k.CondNegate(&k, 1^s.keys.q.IsYOdd()), &s.keys.q)
			sum.Add(k.CondNegate(w, 1^s.odd), &s.r)
		},
	}
}
