// Package dleq proves that two points have the same discrete logarithm to two bases, without revealing the logarithm
// (BIP-374). Whoever knows the scalar a can prove with 64 bytes that
//
//	A = a·G and C = a·B
//
// for public points A, B and C. For example, a co-signer can prove that it computed a shared secret with its key, and
// the sender of a silent payment can prove that an output is correct.
//
// The proof is e ‖ s. It is a Schnorr signature for the key A to the base G, and at the same time for the key C to the
// base B. For a nonce k, the prover computes R₁ = k·G, R₂ = k·B, e = hash(A ‖ B ‖ C ‖ G ‖ R₁ ‖ R₂ ‖ message) and s = k
// + e·a. The verifier computes R₁ = s·G − e·A and R₂ = s·B − e·C, and compares the hash with e.
//
// A proof says that C = a·B. It does not say who made B, and is not bound to a purpose unless a message names the
// purpose. C is the ECDH secret of a and B. Therefore a prover who answers every B with C and a proof reveals all
// secrets that the key a shares with others.
//
// The examples are in example_test.go.
package dleq

import (
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/schnorr"
)

// Size is the length of a proof in bytes.
const Size = 64

// Options holds the optional values on which a proof depends. A nil *Options stands for the zero value.
type Options struct {
	// Generator is G, the base of A. Nil stands for the generator of secp256k1. With another generator, A is not the
	// prover's public key. Verifiers must not accept a Generator from the prover, because the prover could choose a⁻¹·A
	// for any point A, and then make a valid proof for A without knowing the private key of A.
	Generator *p256k1.PublicKey
	// Message is the message to which the proof is bound. Nil means no message, which differs from a message of 32
	// zeros.
	Message *[32]byte
	// AuxRand is the auxiliary randomness r of BIP-374, which only proving uses. Nil stands for 32 fresh bytes from
	// crypto/rand.
	AuxRand *[32]byte
	// Checked makes Prove verify the proof before returning it, as BIP-374 does, with A and C parsed from their
	// encodings. If the proof is invalid, because a hardware error or an attack disturbed the computation, Prove
	// returns no proof, and the error is p256k1.ErrFault.
	Checked bool
}

// MarshalText returns p256k1.ErrMarshal, because AuxRand is secret.
func (Options) MarshalText() ([]byte, error) { return nil, errOptions() }

// UnmarshalText returns p256k1.ErrMarshal and leaves o unchanged.
func (o *Options) UnmarshalText([]byte) error { return errOptions() }

func errOptions() error { return fmt.Errorf("dleq: options: %w", p256k1.ErrMarshal) }

var (
	auxTag       = schnorr.NewTag("BIP0374/aux")
	nonceTag     = schnorr.NewTag("BIP0374/nonce")
	challengeTag = schnorr.NewTag("BIP0374/challenge")
)

// statement is what a proof proves: the encodings of the points, and the message. The fields have their names from
// BIP-374.
type statement struct {
	a, b, c, g [33]byte
	m          []byte // empty or 32 bytes
}

func (s *statement) set(a, b, c *p256k1.PublicKey, opts *Options) {
	copy(s.a[:], a.Bytes())
	copy(s.b[:], b.Bytes())
	copy(s.c[:], c.Bytes())
	var g curve.Point
	setGenerator(&g, opts)
	copy(s.g[:], g.Bytes())
	s.m = nil
	if opts != nil && opts.Message != nil {
		s.m = opts.Message[:]
	}
}

// challenge returns e, the hash of the statement and of the points R₁ and R₂.
func (s *statement) challenge(r1, r2 *curve.Point) [32]byte {
	return challengeTag.Sum(s.a[:], s.b[:], s.c[:], s.g[:], r1.Bytes(), r2.Bytes(), s.m)
}

func setGenerator(g *curve.Point, opts *Options) {
	if opts != nil && opts.Generator != nil {
		g.Set(opts.Generator.Point())
	} else {
		g.SetGenerator()
	}
}

// mult sets p = k·G for the secret k.
func mult(p *curve.Point, k *curve.Scalar, opts *Options) {
	if opts != nil && opts.Generator != nil {
		p.ScalarMult(k, opts.Generator.Point())
	} else {
		p.ScalarBaseMult(k)
	}
}

// Prove returns C = a·B, and a proof that the logarithm of C to the base B equals the logarithm of A = a·G to the base
// G (GenerateProof of BIP-374, whose last step is Options.Checked). Prove is constant-time. The error is
// p256k1.ErrNoKey for an invalid key, or p256k1.ErrFault, see Options.Checked.
func Prove(a *p256k1.PrivateKey, b *p256k1.PublicKey, opts *Options) (c *p256k1.PublicKey, proof [Size]byte, err error) {
	pubA, c, proof, err := newProof(a, b, opts)
	if err != nil || opts == nil || !opts.Checked {
		return c, proof, err
	}
	if c, err = checked(pubA, b, c, &proof, opts); err != nil {
		return nil, [Size]byte{}, err
	}
	return c, proof, nil
}

// checked verifies a proof, and returns C. A fault can make the encoding of a point wrong and leave the point itself
// right. So A and C are parsed again from their encodings, and C is returned as it was parsed. If an encoding is
// invalid, the point is nil, which Verify refuses.
func checked(a, b, c *p256k1.PublicKey, proof *[Size]byte, opts *Options) (*p256k1.PublicKey, error) {
	a, _ = p256k1.ParsePublicKey(a.Bytes())
	c, _ = p256k1.ParsePublicKey(c.Bytes())
	if !Verify(a, b, c, proof[:], opts) {
		return nil, fmt.Errorf("dleq: %w", p256k1.ErrFault)
	}
	return c, nil
}

// newProof returns A, C and a proof for them.
func newProof(a *p256k1.PrivateKey, b *p256k1.PublicKey, opts *Options) (pubA, c *p256k1.PublicKey, proof [Size]byte, err error) {
	if b.Point().IsInfinity() == 1 {
		return nil, nil, proof, fmt.Errorf("dleq: B: %w", p256k1.ErrNoKey)
	}
	if opts != nil && opts.Generator != nil && opts.Generator.Point().IsInfinity() == 1 {
		return nil, nil, proof, fmt.Errorf("dleq: the generator: %w", p256k1.ErrNoKey)
	}
	pubA = a.PublicKey()
	err = a.Use(func(d curve.Scalar) error {
		pubA, c, err = products(&d, pubA, b, opts)
		if err != nil {
			return err
		}
		var s statement
		s.set(pubA, b, c, opts)
		return prove(&proof, &d, &s, b.Point(), opts)
	})
	if err != nil {
		return nil, nil, [Size]byte{}, fmt.Errorf("dleq: a: %w", err)
	}
	return pubA, c, proof, nil
}

// products returns A = d·G and C = d·B for the private key d. A is the public key pub unless opts has another
// generator.
func products(d *curve.Scalar, pub, b *p256k1.PublicKey, opts *Options) (pubA, c *p256k1.PublicKey, err error) {
	var p curve.Point
	if opts != nil && opts.Generator != nil {
		pub, err = p256k1.NewPublicKey(p.ScalarMult(d, opts.Generator.Point()))
		if err != nil {
			return nil, nil, err
		}
	}
	c, err = p256k1.NewPublicKey(p.ScalarMult(d, b.Point()))
	return pub, c, err
}

var errNonce = errors.New("the nonce is zero")

func prove(proof *[Size]byte, d *curve.Scalar, s *statement, b *curve.Point, opts *Options) error {
	var aux [32]byte
	if opts != nil && opts.AuxRand != nil {
		aux = *opts.AuxRand
	} else {
		rand.Read(aux[:]) // never fails
	}
	t := auxTag.Sum(aux[:])
	defer clear(t[:])
	key := d.Bytes()
	defer clear(key)
	subtle.XORBytes(t[:], t[:], key)
	nonce := nonceTag.Sum(t[:], s.a[:], s.c[:], s.m)
	defer clear(nonce[:])

	var k curve.Scalar
	defer k.Zero()
	k.SetBytesReduced(&nonce)
	if k.IsZero() == 1 { // happens with a probability of 2⁻²⁵⁶
		return errNonce
	}
	var r [2]curve.Point // R₁ and R₂
	mult(&r[0], &k, opts)
	r[1].ScalarMult(&k, b)
	curve.NormalizeBatch(r[:])

	hash := s.challenge(&r[0], &r[1])
	var e curve.Scalar
	e.SetBytesReduced(&hash)
	copy(proof[:32], hash[:])
	copy(proof[32:], e.Mul(&e, d).Add(&e, &k).Bytes())
	return nil
}

// Verify reports whether proof, Size bytes, shows that A = a·G and C = a·B for the same a (VerifyProof in BIP-374). It
// returns false for an invalid key. Verify is not constant-time, because all arguments are public.
func Verify(a, b, c *p256k1.PublicKey, proof []byte, opts *Options) bool {
	var e, s curve.Scalar
	if !parse(&e, &s, proof) {
		return false
	}
	pointA, pointB, pointC := a.Point(), b.Point(), c.Point()
	var g curve.Point
	setGenerator(&g, opts)
	if isInfinity(pointA, pointB, pointC, &g) {
		return false
	}
	var r1, r2 curve.Point
	e.Negate(&e)
	if opts != nil && opts.Generator != nil {
		r1.MultiScalarMultVartime([]*curve.Scalar{&s, &e}, []*curve.Point{&g, pointA})
	} else {
		r1.DoubleScalarBaseMultVartime(&e, pointA, &s)
	}
	r2.MultiScalarMultVartime([]*curve.Scalar{&s, &e}, []*curve.Point{pointB, pointC})
	var claim statement
	claim.set(a, b, c, opts)
	return claim.judge(&r1, &r2, proof)
}

// parse sets e and s to the halves of a proof, and reports whether the proof has Size bytes and s is below the group
// order.
func parse(e, s *curve.Scalar, proof []byte) bool {
	if len(proof) != Size {
		return false
	}
	e.SetBytesReduced((*[32]byte)(proof)) // e may be reduced, because judge compares the hash itself
	_, err := s.SetBytes(proof[32:])
	return err == nil
}

func isInfinity(points ...*curve.Point) bool {
	for _, p := range points {
		if p.IsInfinity() == 1 {
			return true
		}
	}
	return false
}

// judge reports whether the first half of the proof is the challenge for R₁ and R₂.
func (s *statement) judge(r1, r2 *curve.Point, proof []byte) bool {
	if isInfinity(r1, r2) {
		return false
	}
	return s.challenge(r1.NormalizeVartime(), r2.NormalizeVartime()) == [32]byte(proof[:32])
}
