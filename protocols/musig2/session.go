package musig2

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/protocols/adaptor"
	"p256k1.mleku.dev/v2/protocols/internal/nonce"
	"p256k1.mleku.dev/v2/schnorr"
)

var blindTag = schnorr.NewTag("MuSig/noncecoef")

var (
	// ErrPartialSignature means that a partial signature is invalid.
	ErrPartialSignature = errors.New("partial signature is not valid")
	// ErrAggregateNonce means that an aggregate nonce is not the sum of the public nonces, or that this sum is the
	// point at infinity.
	ErrAggregateNonce = errors.New("aggregate nonce is not the sum of the public nonces, or is infinity")
	// ErrAdaptor means that Combine was called on a session with an adaptor point, or CombineAdaptor on a session
	// without an adaptor point.
	ErrAdaptor = errors.New("a session with an adaptor point makes a pre-signature, and no other session does")
)

// PartialSignature is one signer's part of a signature. The zero value is the integer 0.
type PartialSignature struct{ s curve.Scalar }

// ParsePartialSignature returns the partial signature that 32 bytes encode: a big-endian integer below the group order.
// The error is p256k1.ErrLength or ErrRange.
func ParsePartialSignature(b []byte) (sig PartialSignature, err error) {
	if _, err := sig.s.SetBytes(b); err != nil {
		return PartialSignature{}, fmt.Errorf("musig2: partial signature: %w", err)
	}
	return sig, nil
}

// Bytes returns the 32-byte encoding of the partial signature.
func (sig *PartialSignature) Bytes() []byte { return sig.s.Bytes() }

// Session is the state for signing one message with one aggregate nonce (Session Context). A Session is immutable, so
// goroutines may share it. Sessions come from NewSession, NewSessionBatch and NewAdaptorSession. For the zero value and
// for nil, VerifyPartial returns false, and the other methods fail with p256k1.ErrNoKey.
type Session struct {
	unstored
	keys    KeySet            // a copy, because the caller may change the original
	message [sha256.Size]byte // the hash of the message

	b, e    curve.Scalar // b and e of BIP-327 ("Session Values")
	r       curve.Point  // R of BIP-327, normalized
	odd     int          // whether y(R) is odd
	adaptor curve.Point  // infinity, or the adaptor point T, which is a summand of R
}

// NewSession returns the session for a message of any length. The error is p256k1.ErrNoKey for an invalid key set.
func NewSession(keys *KeySet, aggregate AggregateNonce, msg []byte) (*Session, error) {
	s, err := begin(keys, &aggregate.p, msg)
	if err != nil {
		return nil, err
	}
	s.blind(&s.r, &aggregate.p)
	if err := s.finish(msg); err != nil {
		return nil, err
	}
	return s, nil
}

// NewAdaptorSession returns the session for a pre-signature (protocols/adaptor). Whoever has the secret t of the
// adaptor point, t·G = point, can adapt the pre-signature to a signature. All signers must use the same point. Pass the
// session's partial signatures to CombineAdaptor, because Combine refuses them. BIP-327 does not define adaptor
// signatures. As in libsecp256k1-zkp, the point is added to the first point of the aggregate nonce before the nonce is
// hashed. The error is p256k1.ErrNoKey for an invalid key set or point.
//
// A signer who wants t in return for the signature must send their partial signature last, after CombineAdaptor has
// accepted it together with all other partial signatures. Otherwise a signer or an aggregator who subtracts the point
// from the nonces can make an ordinary signature from the partial signatures without knowing t, and nobody can extract
// t from it.
func NewAdaptorSession(keys *KeySet, aggregate AggregateNonce, msg []byte, point *p256k1.PublicKey) (*Session, error) {
	t := point.Point()
	if t.IsInfinity() == 1 {
		return nil, fmt.Errorf("musig2: adaptor point: %w", p256k1.ErrNoKey)
	}
	aggregate.p.R[0].Add(&aggregate.p.R[0], t)
	aggregate.p.Encode()
	s, err := NewSession(keys, aggregate, msg)
	if err != nil {
		return nil, err
	}
	s.adaptor.Set(t)
	return s, nil
}

// begin returns a session in which the value b is set, but not yet the values that finish sets.
func begin(keys *KeySet, aggregate *nonce.Pair, msg []byte) (*Session, error) {
	if keys.isNone() {
		return nil, errKeySet()
	}
	q, err := keys.q.BytesX()
	if err != nil {
		return nil, err
	}
	s := &Session{keys: *keys, message: sha256.Sum256(msg)}
	sum := blindTag.Sum(aggregate.Encoded[:], q, msg)
	s.b.SetBytesReduced(&sum)
	return s, nil
}

// finish sets the values that depend on r = R1 + b·R2. If r is infinity, finish replaces it by G.
func (s *Session) finish(msg []byte) error {
	if s.r.IsInfinity() != 0 {
		s.r.SetGenerator()
	}
	s.odd = s.r.NormalizeVartime().IsYOdd()
	r, err1 := s.r.BytesX()
	q, err2 := s.keys.q.BytesX()
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	s.e = schnorr.Challenge(r, q, msg)
	return nil
}

// isNone reports whether s is invalid.
func (s *Session) isNone() bool { return s == nil || s.keys.isNone() }

func errSession() error {
	return fmt.Errorf("musig2: session: %w: nil or never set", p256k1.ErrNoKey)
}

// blind sets r = R1 + b·R2.
func (s *Session) blind(r *curve.Point, sum *nonce.Pair) {
	var zero curve.Scalar
	var product curve.Point
	r.Add(&sum.R[0], product.DoubleScalarBaseMultVartime(&s.b, &sum.R[1], &zero))
}

// factor sets f = e·a·g·gacc, the factor of a signer's private key in the partial signature. a is the coefficient of
// the encoded key, g is −1 if Q has odd y, and gacc is −1 after an odd number of negations by tweaks.
func (s *Session) factor(f *curve.Scalar, key *[33]byte) *curve.Scalar {
	f.Mul(&s.e, s.keys.coefficient(f, key))
	return f.CondNegate(f, s.keys.q.IsYOdd()^s.keys.gacc)
}

// Sign returns the partial signature by priv with a secret nonce (Sign of BIP-327). It wipes the nonce, even if it
// returns an error. Sign is constant-time, verifies the partial signature before returning it, and allocates no memory.
//
// The error is
//
//   - ErrNonceUsed for a nonce that was used before,
//   - ErrNonceBound for a nonce that was made for another key, key set or message,
//   - ErrNotSigner for a key that is not in the key set,
//   - p256k1.ErrNoKey for an invalid private key, or
//   - p256k1.ErrFault if a hardware error made the result wrong.
func (s *Session) Sign(secret *SecretNonce, priv *p256k1.PrivateKey) (PartialSignature, error) {
	k := secret.take()
	if k == nil {
		return PartialSignature{}, fmt.Errorf("musig2: signing: %w", ErrNonceUsed)
	}
	defer k.Secret.Zero()
	if s.isNone() {
		return PartialSignature{}, errSession()
	}
	key, err := owner(priv, &s.keys)
	if err != nil {
		return PartialSignature{}, err
	}
	if k.signer != key || (k.keys != nil && *k.keys != s.keys.identity()) || (k.message != nil && *k.message != s.message) {
		return PartialSignature{}, fmt.Errorf("musig2: signing: %w", ErrNonceBound)
	}
	return s.sign(s, &k.Secret, priv, &key)
}

// sign signs with the nonce k, which it overwrites, and verifies the partial signature in the session check.
func (s *Session) sign(check *Session, k *nonce.Secret, priv *p256k1.PrivateKey, key *[33]byte) (PartialSignature, error) {
	sig, err := s.partial(k, priv, key)
	if err != nil {
		return PartialSignature{}, err
	}
	if !check.valid(&sig.s, &k.Pub, key) {
		return PartialSignature{}, fmt.Errorf("musig2: signing: %w", p256k1.ErrFault)
	}
	return sig, nil
}

// partial makes the partial signature without verifying it. It is constant-time.
func (s *Session) partial(k *nonce.Secret, priv *p256k1.PrivateKey, key *[33]byte) (sig PartialSignature, err error) {
	if k.K[0].IsZero()|k.K[1].IsZero() != 0 {
		return sig, fmt.Errorf("musig2: signing: %w", p256k1.ErrFault)
	}
	var f curve.Scalar
	s.factor(&f, key)
	if err := priv.Use(func(d curve.Scalar) error {
		// s = ±(k1 + b·k2) + f·d, with the sign of R.
		k.K[1].Mul(&k.K[1], &s.b)
		k.K[0].Add(&k.K[0], &k.K[1])
		k.K[0].CondNegate(&k.K[0], s.odd)
		sig.s.Add(&k.K[0], d.Mul(&d, &f))
		return nil
	}); err != nil {
		return PartialSignature{}, fmt.Errorf("musig2: private key: %w", err)
	}
	return sig, nil
}

// valid reports whether sig·G = ±(R1 + b·R2) + f·P for the nonce and the encoded key P of a signer.
func (s *Session) valid(sig *curve.Scalar, pub *nonce.Pair, key *[33]byte) bool {
	var p, r, g, left, right curve.Point
	if _, err := p.SetBytes(key[:]); err != nil {
		return false
	}
	// ∓b·R2 − f·P + sig·G = ±R1.
	var f, b curve.Scalar
	f.Negate(s.factor(&f, key))
	b.CondNegate(&s.b, 1^s.odd)
	r.Set(&pub.R[1])
	left.MultiScalarMultVartime([]*curve.Scalar{&b, &f, sig}, []*curve.Point{&r, &p, g.SetGenerator()})
	return left.Equal(right.CondNegate(&pub.R[0], s.odd)) == 1
}

// VerifyPartial reports whether sig is a valid partial signature by the signer with the given public nonce and public
// key (PartialSigVerify). It returns false for a key that is not in the key set. The time depends on all arguments,
// which are public.
//
// VerifyPartial lets a program find the signer who spoils a session, but its result proves nothing to third parties,
// because partial signatures can be forged (BIP-327).
func (s *Session) VerifyPartial(sig PartialSignature, public PublicNonce, key *p256k1.PublicKey) bool {
	encoded := encode(key)
	return !s.isNone() && public.p.IsSet() && s.keys.has(&encoded) && s.valid(&sig.s, &public.p, &encoded)
}

// Combine adds up the partial signatures, and returns the BIP-340 signature (PartialSigAgg). The signature is valid for
// the XOnly form of the key set's public key. Partial signatures and nonces must be in the order of the keys. Combine
// uses the nonces only if the result is invalid.
//
// The error is p256k1.ErrLength if there are not as many signatures and nonces as keys, or ErrAdaptor for a session
// from NewAdaptorSession. Otherwise the error says who is to blame:
//
//   - A *protocols.BlameError with p256k1.ErrInfinity names all signers whose nonce was never set.
//   - A *protocols.BlameError with ErrPartialSignature names all signers whose partial signature is not valid for their
//     nonce. Combine finds them as InvalidPartials does.
//   - ErrAggregateNonce means that all partial signatures are valid, but the session's aggregate nonce is not the sum
//     of the nonces, or is infinity. Only all signers together can make the sum infinity.
//
// The blame is correct only if the signers really sent these nonces and signatures.
func (s *Session) Combine(sigs []PartialSignature, nonces []PublicNonce) (sig [64]byte, err error) {
	if err := s.fits(sigs, nonces, false); err != nil {
		return sig, err
	}
	total := s.total(sigs)
	if !s.holds(&total) {
		return sig, s.blame(sigs, nonces)
	}
	return s.encode(&total), nil
}

// CombineAdaptor adds up the partial signatures of a session from NewAdaptorSession, and returns the pre-signature. The
// pre-signature is valid for the XOnly form of the key set's public key, for the point and for the message. The error
// is an error that Combine returns, or ErrAdaptor for a session from NewSession.
func (s *Session) CombineAdaptor(sigs []PartialSignature, nonces []PublicNonce) (*adaptor.SchnorrPreSignature, error) {
	if err := s.fits(sigs, nonces, true); err != nil {
		return nil, err
	}
	total := s.total(sigs)
	if !s.holds(&total) {
		return nil, s.blame(sigs, nonces)
	}
	return adaptor.ParseSchnorrPreSignature(append(s.r.Bytes(), total.Bytes()...))
}

// fits returns an error if there are not as many signatures and nonces as keys, or if toAdapt differs from whether the
// session has an adaptor point.
func (s *Session) fits(sigs []PartialSignature, nonces []PublicNonce, toAdapt bool) error {
	if s.isNone() {
		return errSession()
	}
	if n := len(s.keys.encoded); len(sigs) != n || len(nonces) != n {
		return fmt.Errorf("musig2: %w: %d partial signatures and %d public nonces, want %d of each, one of each signer", p256k1.ErrLength, len(sigs), len(nonces), n)
	}
	if toAdapt != (s.adaptor.IsInfinity() == 0) {
		return fmt.Errorf("musig2: %w", ErrAdaptor)
	}
	return nil
}

// total returns s = Σ sᵢ + e·g·tacc.
func (s *Session) total(sigs []PartialSignature) (sum curve.Scalar) {
	var t curve.Scalar
	sum.CondNegate(t.Mul(&s.e, &s.keys.tacc), s.keys.q.IsYOdd())
	for i := range sigs {
		sum.Add(&sum, &sigs[i].s)
	}
	return sum
}

// holds reports whether total·G − e·P = ±(R − T) and is not infinity. P is the aggregate key with even y, T is the
// adaptor point or infinity, and the sign is + if R has even y, and − otherwise.
func (s *Session) holds(total *curve.Scalar) bool {
	var minus curve.Scalar
	var p, r curve.Point
	p.CondNegate(&s.keys.q, s.keys.q.IsYOdd())
	r.DoubleScalarBaseMultVartime(minus.Negate(&s.e), &p, total)
	p.Sub(&s.r, &s.adaptor)
	return r.IsInfinity() == 0 && r.Equal(p.CondNegate(&p, s.odd)) == 1
}

// encode returns the signature with s = total.
func (s *Session) encode(total *curve.Scalar) (sig [64]byte) {
	copy(sig[:], s.r.Bytes()[1:])
	copy(sig[32:], total.Bytes())
	return sig
}

// blame returns the error for partial signatures whose sum is not a valid signature.
func (s *Session) blame(sigs []PartialSignature, nonces []PublicNonce) error {
	if bad := unset(nonces); bad != nil {
		return fmt.Errorf("musig2: public nonce: %w", blame(bad, p256k1.ErrInfinity))
	}
	partials := make([]Partial, len(sigs))
	for i := range partials {
		key, _ := p256k1.ParsePublicKey(s.keys.encoded[i][:]) // is valid, because Aggregate encoded it
		partials[i] = Partial{s, sigs[i], nonces[i], key}
	}
	if bad := InvalidPartials(partials); bad != nil {
		return fmt.Errorf("musig2: %w", blame(bad, ErrPartialSignature))
	}
	return fmt.Errorf("musig2: %w", ErrAggregateNonce)
}

// SignDeterministic returns the public nonce and the partial signature of a signer who keeps no state and, if aux is
// nil, needs no randomness (DeterministicSign). The signer must be the last to make a nonce: others is the aggregate of
// the nonces of all other signers. aux may point to 32 random bytes. SignDeterministic is constant-time. It computes
// the session twice, and verifies the partial signature in the second session. The error is p256k1.ErrInfinity if
// others contains a point at infinity, or an error that Session.Sign returns.
//
// The other signers must make their session with the sum of others and the returned nonce.
func SignDeterministic(priv *p256k1.PrivateKey, others AggregateNonce, keys *KeySet, msg []byte, aux *[32]byte) (
	PublicNonce, PartialSignature, error) {
	fail := func(err error) (PublicNonce, PartialSignature, error) { return PublicNonce{}, PartialSignature{}, err }
	if keys.isNone() {
		return fail(errKeySet())
	}
	if others.p.Encoded[0] == 0 || others.p.Encoded[33] == 0 {
		return fail(fmt.Errorf("musig2: aggregate nonce of the others: %w", p256k1.ErrInfinity))
	}
	key, err := owner(priv, keys)
	if err != nil {
		return fail(err)
	}
	q, err := keys.q.BytesX()
	if err != nil {
		return fail(err)
	}
	k, err := deterministic(priv, &others, q, msg, aux)
	if err != nil {
		return fail(err)
	}
	defer k.Zero()
	// A repeated call uses the same nonce, so a challenge that was computed wrongly once would reveal the key.
	// Therefore the partial signature is verified in a session that is computed a second time, from the bytes of the
	// public nonce. If the bytes are invalid, public is the zero value, for which no partial signature is valid.
	session, err := withOthers(&k.Pub, others, keys, msg)
	if err != nil {
		return fail(err)
	}
	public, _ := ParsePublicNonce(k.Pub.Encoded[:])
	check, err := withOthers(&public.p, others, keys, msg)
	if err != nil {
		return fail(err)
	}
	sig, err := session.sign(check, k, priv, &key)
	if err != nil {
		return fail(err)
	}
	return public, sig, nil
}

// withOthers returns the session for the sum of a public nonce and the nonces of the other signers.
func withOthers(public *nonce.Pair, others AggregateNonce, keys *KeySet, msg []byte) (*Session, error) {
	others.p.Add(public)
	others.p.Encode()
	return NewSession(keys, others, msg)
}

// deterministic returns the secret nonce that SignDeterministic uses. q is the x coordinate of the aggregate key.
func deterministic(priv *p256k1.PrivateKey, others *AggregateNonce, q, msg []byte, aux *[32]byte) (*nonce.Secret, error) {
	k := new(nonce.Secret)
	var length [8]byte
	binary.BigEndian.PutUint64(length[:], uint64(len(msg)))
	if err := priv.Use(func(d curve.Scalar) error {
		var t [32]byte
		if aux != nil {
			nonce.Mask(&t, &d, auxTag.Sum(aux[:]))
		} else {
			nonce.Mask(&t, &d, t)
		}
		for i := range k.K {
			sum := detNonceTag.Sum(t[:], others.p.Encoded[:], q, length[:], msg, []byte{byte(i)})
			k.K[i].SetBytesReduced(&sum)
			clear(sum[:])
		}
		clear(t[:])
		return k.Finish()
	}); err != nil {
		return nil, fmt.Errorf("musig2: nonce: %w", err)
	}
	return k, nil
}
