package frost

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/protocols/internal/equations"
	"p256k1.mleku.dev/v2/protocols/internal/nonce"
	"p256k1.mleku.dev/v2/schnorr"
)

var blindTag = schnorr.NewTag("BIP0445/noncecoef")

var (
	// ErrPartialSignature means that a partial signature is invalid.
	ErrPartialSignature = errors.New("partial signature is not valid")
	// ErrAggregateNonce means that an aggregate nonce is not the sum of the public nonces, or is infinity.
	ErrAggregateNonce = errors.New("aggregate nonce is not the sum of the public nonces, or is infinity")
)

// PartialSignature is one signer's part of a signature. The zero value is the integer 0. A partial signature proves
// nothing to third parties, because anybody can make a partial signature that is valid for a signer's public share
// (BIP-445).
type PartialSignature struct{ s curve.Scalar }

// ParsePartialSignature returns the partial signature that 32 bytes encode: a big-endian integer below the group order.
// The error is p256k1.ErrLength or ErrRange.
func ParsePartialSignature(b []byte) (sig PartialSignature, err error) {
	if _, err := sig.s.SetBytes(b); err != nil {
		return PartialSignature{}, fmt.Errorf("frost: partial signature: %w", err)
	}
	return sig, nil
}

// Bytes returns the 32-byte encoding of the partial signature.
func (sig *PartialSignature) Bytes() []byte { return sig.s.Bytes() }

// MarshalText returns the 32-byte encoding of sig in lower-case hexadecimal.
func (sig PartialSignature) MarshalText() ([]byte, error) {
	return hex.AppendEncode(nil, sig.Bytes()), nil
}

// UnmarshalText sets sig to the partial signature that text encodes. The error is p256k1.ErrHex, or an error that
// ParsePartialSignature returns. If there is an error, sig is unchanged.
func (sig *PartialSignature) UnmarshalText(text []byte) error {
	return unmarshal(sig, "frost: partial signature", text, 32, ParsePartialSignature)
}

// Session is the state for signing one message with one aggregate nonce (Session Context). A Session is immutable, so
// goroutines may share it. Sessions come from NewSession: Sign and Combine of the zero value and of nil fail with
// p256k1.ErrNoKey.
type Session struct {
	unstored
	signers Signers           // a copy, because the caller may change the original
	message [sha256.Size]byte // the hash of the message

	// The following fields have their names from BIP-445 ("Session Values").
	b, e curve.Scalar
	r    curve.Point // normalized
	odd  int         // whether y(R) is odd
}

// NewSession returns the session for a message of any length. The error is p256k1.ErrNoKey for invalid signers. A wrong
// aggregate nonce from the coordinator spoils the signature, but does not endanger a share.
func NewSession(signers *Signers, aggregate AggregateNonce, msg []byte) (*Session, error) {
	if signers.isNone() {
		return nil, errSigners()
	}
	q, err := signers.q.BytesX()
	if err != nil {
		return nil, err
	}
	s := &Session{signers: *signers, message: sha256.Sum256(msg)}
	var length [4]byte
	binary.BigEndian.PutUint32(length[:], uint32(len(signers.sorted)))
	sum := blindTag.Sum(length[:], signers.sorted, aggregate.p.Encoded[:], q, msg)
	s.b.SetBytesReduced(&sum)
	// R = R1 + b·R2, or R = G if this sum is infinity.
	var zero curve.Scalar
	s.r.DoubleScalarBaseMultVartime(&s.b, &aggregate.p.R[1], &zero)
	s.r.Add(&s.r, &aggregate.p.R[0])
	if s.r.IsInfinity() != 0 {
		s.r.SetGenerator()
	}
	s.odd = s.r.NormalizeVartime().IsYOdd()
	r, err := s.r.BytesX()
	if err != nil {
		return nil, err
	}
	s.e = schnorr.Challenge(r, q, msg)
	return s, nil
}

// isNone reports whether s is invalid.
func (s *Session) isNone() bool { return s == nil || s.signers.isNone() }

func errSession() error {
	return fmt.Errorf("frost: session: %w: nil or never set", p256k1.ErrNoKey)
}

// factor sets f = e·λ·g·gacc, the factor of the share of signer i in the partial signature. λ is the signer's
// interpolation factor, g is −1 if Q has odd y, and gacc is −1 after an odd number of negations by tweaks.
func (s *Session) factor(f *curve.Scalar, i int) *curve.Scalar {
	f.Mul(&s.e, &s.signers.lambda[i])
	return f.CondNegate(f, s.signers.q.IsYOdd()^s.signers.gacc)
}

// Sign returns the partial signature by a share with a secret nonce (Sign of BIP-445). Sign wipes the nonce, even if it
// returns an error. Sign is constant-time, and verifies the partial signature before returning it.
//
// The error is
//
//   - ErrNonceUsed for a nonce that was used before,
//   - ErrNonceBound for a nonce that was made for another share, other signers or another message,
//   - ErrSigners for the share of a participant who does not sign,
//   - ErrShare for a share that does not belong to the participant with its number, and also ErrReshared if the share
//     is known to be from another sharing of the key,
//   - p256k1.ErrNoKey for an invalid share, or
//   - p256k1.ErrFault if a hardware error made the result wrong.
func (s *Session) Sign(secret *SecretNonce, share *Share) (PartialSignature, error) {
	k := secret.take()
	if k == nil {
		return PartialSignature{}, fmt.Errorf("frost: signing: %w", ErrNonceUsed)
	}
	defer k.Secret.Zero()
	if s.isNone() {
		return PartialSignature{}, errSession()
	}
	public, err := owner(share, &s.signers)
	if err != nil {
		return PartialSignature{}, err
	}
	if k.id != share.id || k.share != public || (k.signers != nil && *k.signers != s.signers.identity()) ||
		(k.message != nil && *k.message != s.message) {
		return PartialSignature{}, fmt.Errorf("frost: signing: %w", ErrNonceBound)
	}
	return s.sign(s, &k.Secret, share)
}

// sign signs with the nonce k, which it overwrites, and verifies the partial signature in the session check.
func (s *Session) sign(check *Session, k *nonce.Secret, share *Share) (PartialSignature, error) {
	i := s.signers.index(share.id)
	sig, err := s.partial(k, share, i)
	if err != nil {
		return PartialSignature{}, err
	}
	if !check.valid(&sig.s, &k.Pub, i) {
		return PartialSignature{}, fmt.Errorf("frost: signing: %w", p256k1.ErrFault)
	}
	return sig, nil
}

// partial makes the partial signature without verifying it. It is constant-time.
func (s *Session) partial(k *nonce.Secret, share *Share, i int) (sig PartialSignature, err error) {
	if k.K[0].IsZero()|k.K[1].IsZero() != 0 {
		return sig, fmt.Errorf("frost: signing: %w", p256k1.ErrFault)
	}
	var f curve.Scalar
	s.factor(&f, i)
	if err := share.key.Use(func(d curve.Scalar) error {
		// s = ±(k1 + b·k2) + f·d, with the sign of R.
		k.K[1].Mul(&k.K[1], &s.b)
		k.K[0].Add(&k.K[0], &k.K[1])
		k.K[0].CondNegate(&k.K[0], s.odd)
		sig.s.Add(&k.K[0], d.Mul(&d, &f))
		return nil
	}); err != nil {
		return PartialSignature{}, fmt.Errorf("frost: share: %w", err)
	}
	return sig, nil
}

// valid reports whether sig·G = ±(R1 + b·R2) + f·P for the nonce and the public share P of signer i.
func (s *Session) valid(sig *curve.Scalar, pub *nonce.Pair, i int) bool {
	// ∓b·R2 − f·P + sig·G = ±R1.
	var f, b curve.Scalar
	var g, left, right curve.Point
	f.Negate(s.factor(&f, i))
	b.CondNegate(&s.b, 1^s.odd)
	left.MultiScalarMultVartime([]*curve.Scalar{&b, &f, sig}, []*curve.Point{&pub.R[1], s.signers.shares[i].Point(), g.SetGenerator()})
	return left.Equal(right.CondNegate(&pub.R[0], s.odd)) == 1
}

// VerifyPartial reports whether sig is a valid partial signature by participant id with the given public nonce
// (PartialSigVerify). It returns false for a participant who is not a signer. The time depends on all arguments, which
// are public.
//
// VerifyPartial lets a program find the signer who spoils a session, but its result proves nothing to third parties,
// because partial signatures can be forged (BIP-445).
func (s *Session) VerifyPartial(sig PartialSignature, public PublicNonce, id uint32) bool {
	if s.isNone() || !public.p.IsSet() {
		return false
	}
	i := s.signers.index(id)
	return i >= 0 && s.valid(&sig.s, &public.p, i)
}

// equations returns the equations that hold for valid partial signatures. sigs and nonces are in the order of the
// signers.
func (s *Session) equations(sigs []PartialSignature, nonces []PublicNonce) equations.System {
	return equations.System{
		Holds: func(i int) bool { return s.valid(&sigs[i].s, &nonces[i].p, i) },
		Add: func(sum *equations.Sum, w *curve.Scalar, i int) {
			var f curve.Scalar
			nonces[i].p.AddEquation(sum, w, &s.b, s.factor(&f, i), &sigs[i].s, s.signers.shares[i].Point(), s.odd)
		},
	}
}

// Combine adds up the partial signatures, and returns the BIP-340 signature (PartialSigAgg). The signature is valid for
// the XOnly form of the signers' public key. Partial signatures and nonces must be in the order of the signers. Combine
// uses the nonces only if the result is invalid.
//
// The error is p256k1.ErrLength if there are not as many signatures and nonces as signers. Otherwise the error says who
// is to blame:
//
//   - A *protocols.BlameError with p256k1.ErrInfinity names all signers whose nonce was never set.
//   - A *protocols.BlameError with ErrPartialSignature names all signers whose partial signature is not valid for their
//     nonce. To find them, Combine tests random linear combinations of the equations, and tests equations one by one
//     where a combination fails. A wrong signature goes undetected with a probability below 2⁻¹²⁴.
//   - ErrAggregateNonce means that all partial signatures are valid, but the session's aggregate nonce is not the sum
//     of the nonces, or is infinity.
//
// The blame is correct only if the signers really sent these nonces and signatures.
func (s *Session) Combine(sigs []PartialSignature, nonces []PublicNonce) (sig [64]byte, err error) {
	if s.isNone() {
		return sig, errSession()
	}
	if n := len(s.signers.ids); len(sigs) != n || len(nonces) != n {
		return sig, fmt.Errorf("frost: %w: %d partial signatures and %d public nonces, want %d of each, one of each signer",
			p256k1.ErrLength, len(sigs), len(nonces), n)
	}
	if s.combine(&sig, sigs) {
		return sig, nil
	}
	return [64]byte{}, s.blame(sigs, nonces)
}

// blame returns the error for partial signatures whose sum is not a valid signature.
func (s *Session) blame(sigs []PartialSignature, nonces []PublicNonce) error {
	if bad := unset(nonces); bad != nil {
		return fmt.Errorf("frost: public nonce: %w", blame(s.signers.ids, bad, p256k1.ErrInfinity))
	}
	all := make([]int, len(sigs))
	for i := range all {
		all[i] = i
	}
	system := s.equations(sigs, nonces)
	if bad := system.Invalid(all); bad != nil {
		return fmt.Errorf("frost: %w", blame(s.signers.ids, bad, ErrPartialSignature))
	}
	return fmt.Errorf("frost: %w", ErrAggregateNonce)
}

// combine sets sig to the signature that the partial signatures add up to, and reports whether sig is valid.
func (s *Session) combine(sig *[64]byte, sigs []PartialSignature) bool {
	// s = Σ sᵢ + e·g·tacc.
	var sum, t, minus curve.Scalar
	odd := s.signers.q.IsYOdd()
	sum.CondNegate(t.Mul(&s.e, &s.signers.tacc), odd)
	for i := range sigs {
		sum.Add(&sum, &sigs[i].s)
	}
	// s·G − e·P = R, where P and R have even y.
	var p, r curve.Point
	p.CondNegate(&s.signers.q, odd)
	r.DoubleScalarBaseMultVartime(minus.Negate(&s.e), &p, &sum)
	x, err := s.r.BytesX()
	if err != nil || r.Equal(p.CondNegate(&s.r, s.odd)) != 1 {
		return false
	}
	copy(sig[:], x)
	copy(sig[32:], sum.Bytes())
	return true
}

// SignDeterministic returns the public nonce and the partial signature of a signer who keeps no state and, if aux is
// nil, needs no randomness (DeterministicSign). The signer must be the last to make a nonce: others is the aggregate of
// the nonces of all other signers, or nil if there is only one signer. aux may point to 32 random bytes.
// SignDeterministic is constant-time. It computes the session twice, and verifies the partial signature in the second
// session. The error is p256k1.ErrInfinity if others contains a point at infinity, ErrSigners if others is nil for
// several signers or not nil for one signer, or an error that Session.Sign returns.
//
// The other signers must make their session with the sum of others and the returned nonce.
func SignDeterministic(share *Share, others *AggregateNonce, signers *Signers, msg []byte, aux *[32]byte) (
	PublicNonce, PartialSignature, error) {
	fail := func(err error) (PublicNonce, PartialSignature, error) { return PublicNonce{}, PartialSignature{}, err }
	if signers.isNone() {
		return fail(errSigners())
	}
	switch n := len(signers.ids); {
	case others == nil && n > 1:
		return fail(fmt.Errorf("frost: aggregate nonce of the others: %w: nil, but there are %d signers", ErrSigners, n))
	case others != nil && n == 1:
		return fail(fmt.Errorf("frost: aggregate nonce of the others: %w: not nil, but there is only one signer", ErrSigners))
	}
	if others != nil && (others.p.Encoded[0] == 0 || others.p.Encoded[33] == 0) {
		return fail(fmt.Errorf("frost: aggregate nonce of the others: %w", p256k1.ErrInfinity))
	}
	if _, err := owner(share, signers); err != nil {
		return fail(err)
	}
	q, err := signers.q.BytesX()
	if err != nil {
		return fail(err)
	}
	k, err := deterministic(share, others, signers, q, msg, aux)
	if err != nil {
		return fail(err)
	}
	defer k.Zero()
	// A repeated call uses the same nonce, so a challenge that was computed wrongly once would reveal the share.
	// Therefore the partial signature is verified in a session that is computed a second time, from the bytes of the
	// public nonce. If the bytes are invalid, public is the zero value, for which no partial signature is valid.
	session, err := withOthers(&k.Pub, others, signers, msg)
	if err != nil {
		return fail(err)
	}
	public, _ := ParsePublicNonce(k.Pub.Encoded[:])
	check, err := withOthers(&public.p, others, signers, msg)
	if err != nil {
		return fail(err)
	}
	sig, err := session.sign(check, k, share)
	if err != nil {
		return fail(err)
	}
	return public, sig, nil
}

// withOthers returns the session for the sum of a public nonce and the nonces of the other signers.
func withOthers(public *nonce.Pair, others *AggregateNonce, signers *Signers, msg []byte) (*Session, error) {
	sum := AggregateNonce{*public}
	if others != nil {
		sum.p.Add(&others.p)
		sum.p.Encode()
	}
	return NewSession(signers, sum, msg)
}

// deterministic returns the secret nonce that SignDeterministic uses. q is the x coordinate of the threshold key.
func deterministic(share *Share, others *AggregateNonce, signers *Signers, q, msg []byte, aux *[32]byte) (*nonce.Secret, error) {
	k := new(nonce.Secret)
	head := binary.BigEndian.AppendUint32(nil, share.id)
	head = binary.BigEndian.AppendUint32(head, uint32(len(signers.ids)))
	head = append(head, signers.sorted...)
	if others != nil {
		head = append(head, others.p.Encoded[:]...)
	}
	head = append(head, q...)
	head = binary.BigEndian.AppendUint64(head, uint64(len(msg)))
	if err := share.key.Use(func(d curve.Scalar) error {
		var t [32]byte
		if aux != nil {
			nonce.Mask(&t, &d, auxTag.Sum(aux[:]))
		} else {
			nonce.Mask(&t, &d, t)
		}
		for i := range k.K {
			sum := detNonceTag.Sum(t[:], head, msg, []byte{byte(i)})
			k.K[i].SetBytesReduced(&sum)
			clear(sum[:])
		}
		clear(t[:])
		return k.Finish()
	}); err != nil {
		return nil, fmt.Errorf("frost: nonce: %w", err)
	}
	return k, nil
}
