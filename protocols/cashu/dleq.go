package cashu

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/hmacsha256"
)

// DLEQ is the proof of NUT-12 that A = a·G and C_ = a·B_ for the same a, the mint's private key. Its JSON has the form
// of NUT-12. In tokens, r is in the same JSON object as the proof. The zero value is not a valid proof.
//
// A DLEQ differs from a proof of package dleq: e is the plain SHA-256 of hexadecimal text, which covers neither B_ nor
// G nor a message, and the nonce is derived by HMAC.
type DLEQ struct {
	E Integer `json:"e"`
	S Integer `json:"s"`
}

// Integer is one of the two integers of a proof, as 32 big-endian bytes.
type Integer [32]byte

// MarshalText returns the text form of i: 64 digits of lower-case hexadecimal. The error is nil.
func (i Integer) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, i[:]), nil }

// UnmarshalText sets i to the integer whose text form is text. The error is p256k1.ErrHex or p256k1.ErrLength. If there
// is an error, i is unchanged.
func (i *Integer) UnmarshalText(text []byte) error {
	if len(text) != 2*len(i) {
		return fmt.Errorf("cashu: proof: %w: %d hexadecimal digits, want %d", p256k1.ErrLength, len(text), 2*len(i))
	}
	var b Integer
	if _, err := hex.Decode(b[:], text); err != nil || bytes.ContainsAny(text, "ABCDEF") {
		return fmt.Errorf("cashu: proof: %w", p256k1.ErrHex)
	}
	*i = b
	return nil
}

const nonceDomain = "Cashu_DLEQ_R_v1"

// encodings holds A ‖ B_ ‖ C_, encoded uncompressed in 65 bytes each.
type encodings [3 * 65]byte

func (b *encodings) set(pubA, blinded, c *p256k1.PublicKey) {
	for i, key := range []*p256k1.PublicKey{pubA, blinded, c} {
		copy(b[65*i:], key.BytesUncompressed())
	}
}

// setNonce sets r to HMAC-SHA256(a, nonceDomain ‖ A ‖ B_ ‖ C_ ‖ counter) for the first counter that leads to a scalar
// other than 0. The first counter is 0, and fails with a probability of 2⁻¹²⁷.
func setNonce(r, a *curve.Scalar, points *encodings) error {
	key := a.Bytes()
	defer clear(key)
	for counter := range 256 {
		sum := hmacsha256.Sum(key, []byte(nonceDomain), points[:], []byte{byte(counter)})
		if _, err := r.SetBytes(sum[:]); err == nil && r.IsZero() == 0 {
			clear(sum[:])
			return nil
		}
	}
	return p256k1.ErrFault
}

// challenge returns e, the hash of the points as hexadecimal text.
func challenge(r1, r2, pubA, c *curve.Point) [32]byte {
	text := make([]byte, 0, 4*130)
	for _, p := range []*curve.Point{r1, r2, pubA, c} {
		for _, b := range p.BytesUncompressed() {
			text = append(text, digit(b>>4), digit(b&15))
		}
	}
	return sha256.Sum256(text)
}

// digit returns the hexadecimal digit of v. It uses no table, because R₁ and R₂ are computed from a secret.
func digit(v byte) byte {
	return v + '0' + byte((9-int(v))>>8)&('a'-'9'-1)
}

// prove sets p to the proof by the private key a that c = a·blinded. It is constant-time, and leaves secrets on the
// stack.
func (p *DLEQ) prove(a *curve.Scalar, pubA, blinded, c *p256k1.PublicKey) error {
	var points encodings
	points.set(pubA, blinded, c)
	var r, e curve.Scalar
	if err := setNonce(&r, a, &points); err != nil {
		return err
	}
	defer r.Zero()
	var rs [2]curve.Point // R₁ and R₂
	rs[0].ScalarBaseMult(&r)
	rs[1].ScalarMult(&r, blinded.Point())
	curve.NormalizeBatch(rs[:])
	p.E = challenge(&rs[0], &rs[1], pubA.Point(), c.Point())
	e.SetBytesReduced((*[32]byte)(&p.E))
	copy(p.S[:], e.Mul(&e, a).Add(&e, &r).Bytes())
	return nil
}

// Verify reports whether the proof shows that c is the signature C_ of the blinded secret by the mint's key. Verify
// returns false for an invalid key. The time depends on the arguments, all of which the mint and the wallet know.
func (p *DLEQ) Verify(mint, blinded, c *p256k1.PublicKey) bool {
	if p == nil || slices.ContainsFunc([]*p256k1.PublicKey{mint, blinded, c}, isUnset) {
		return false
	}
	var e, s curve.Scalar
	e.SetBytesReduced((*[32]byte)(&p.E)) // e may be reduced, because Verify compares the hash itself
	if _, err := s.SetBytes(p.S[:]); err != nil {
		return false
	}
	e.Negate(&e)
	var r1, r2 curve.Point
	r1.DoubleScalarBaseMultVartime(&e, mint.Point(), &s)
	r2.MultiScalarMultVartime([]*curve.Scalar{&s, &e}, []*curve.Point{blinded.Point(), c.Point()})
	if r1.IsInfinity()|r2.IsInfinity() == 1 {
		return false
	}
	return challenge(&r1, &r2, mint.Point(), c.Point()) == p.E
}

// VerifyToken reports whether the proof shows that c is the mint's signature of a secret. The proof and the blinding
// factor r come from the wallet to which the mint sent the blind signature and its proof. VerifyToken returns false for
// an invalid key, and for an empty secret. It is constant-time with respect to r, except that its time depends on B_
// and C_, which the mint knows.
//
// VerifyToken does not show that the secret is unspent. In addition, the owner of the mint's key can make a valid proof
// for a c that the mint refuses, because e in NUT-12 does not cover B_. However, a mint can refuse any token.
func (p *DLEQ) VerifyToken(mint *p256k1.PublicKey, secret []byte, c *p256k1.PublicKey, r *p256k1.PrivateKey) bool {
	if isUnset(mint) || isUnset(c) {
		return false
	}
	blinded, err := Blind(secret, r)
	if err != nil {
		return false
	}
	var signature curve.Point
	err = use("blinding factor", r, func(r curve.Scalar) error {
		signature.Add(signature.ScalarMult(&r, mint.Point()), c.Point())
		return nil
	})
	if err != nil {
		return false
	}
	blindC, err := newKey("blind signature", &signature)
	return err == nil && p.Verify(mint, blinded, blindC)
}
