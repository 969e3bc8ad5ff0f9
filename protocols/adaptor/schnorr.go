package adaptor

import (
	"crypto/rand"
	"crypto/subtle"
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/secret"
)

// SchnorrSize is the length of an encoded SchnorrPreSignature in bytes.
const SchnorrSize = 65

var (
	schnorrAuxTag   = schnorr.NewTag("SchnorrAdaptor/aux")
	schnorrNonceTag = schnorr.NewTag("SchnorrAdaptor/nonce")
)

// SchnorrPreSignature is a BIP-340 pre-signature: the point k·G + T, and s' with s'·G = ±k·G + e·P. The sign is + if
// k·G + T has even y, and − otherwise. Whoever knows the secret of T can compute a second one with −k·G − T, which
// adapts to the same signature, so the bytes do not identify a pre-signature. The zero value is invalid.
type SchnorrPreSignature struct {
	r   curve.Point // k·G + T, normalized
	s   curve.Scalar
	set bool
}

// ParseSchnorrPreSignature returns the pre-signature that 65 bytes encode: k·G + T as a compressed point, then s',
// big-endian. The error is p256k1.ErrLength, ErrPrefix, ErrRange or ErrNotOnCurve.
func ParseSchnorrPreSignature(b []byte) (*SchnorrPreSignature, error) {
	if len(b) != SchnorrSize {
		return nil, fmt.Errorf("adaptor: pre-signature: %w: %d bytes, want %d", p256k1.ErrLength, len(b), SchnorrSize)
	}
	p := &SchnorrPreSignature{set: true}
	if _, err := p.r.SetBytes(b[:33]); err != nil {
		return nil, fmt.Errorf("adaptor: pre-signature: R: %w", err)
	}
	if _, err := p.s.SetBytes(b[33:]); err != nil {
		return nil, fmt.Errorf("adaptor: pre-signature: s: %w", err)
	}
	return p, nil
}

// Bytes returns the 65-byte encoding of the pre-signature, or nil if p is nil or the zero value.
func (p *SchnorrPreSignature) Bytes() []byte {
	if p == nil || !p.set {
		return nil
	}
	return append(p.r.Bytes(), p.s.Bytes()...)
}

// SignSchnorr returns a pre-signature by the private key for a message of any length. Whoever has the secret t of the
// adaptor point, t·G = point, can adapt the pre-signature to a signature. SignSchnorr is constant-time, and verifies
// the pre-signature before returning it. The error is p256k1.ErrNoKey for an invalid key or point, or p256k1.ErrFault
// if a hardware error made the result wrong.
func SignSchnorr(priv *p256k1.PrivateKey, point *p256k1.PublicKey, msg []byte) (*SchnorrPreSignature, error) {
	var aux [32]byte
	rand.Read(aux[:]) // never fails
	return signSchnorr(priv, point, msg, &aux)
}

// signSchnorr implements SignSchnorr with the randomness aux.
func signSchnorr(priv *p256k1.PrivateKey, point *p256k1.PublicKey, msg []byte, aux *[32]byte) (*SchnorrPreSignature, error) {
	p, err := preSignSchnorr(priv, point, msg, aux)
	if err != nil {
		return nil, err
	}
	// A fault can make the encoding of a point wrong and leave the point itself right. So the key and the pre-signature
	// are parsed again from their encodings. If an encoding is invalid, the result is nil, which Verify refuses.
	pub, _ := p256k1.ParseXOnlyPublicKey(priv.PublicKey().XOnly().Bytes())
	p, _ = ParseSchnorrPreSignature(p.Bytes())
	if !p.Verify(pub, point, msg) {
		return nil, fmt.Errorf("adaptor: signing: %w", p256k1.ErrFault)
	}
	return p, nil
}

// preSignSchnorr makes the pre-signature that signSchnorr verifies and returns. It is constant-time.
func preSignSchnorr(priv *p256k1.PrivateKey, point *p256k1.PublicKey, msg []byte, aux *[32]byte) (*SchnorrPreSignature, error) {
	if isUnset(point) {
		return nil, fmt.Errorf("adaptor: adaptor point: %w", p256k1.ErrNoKey)
	}
	public := priv.PublicKey()
	x, odd, encoded := public.XOnly().Bytes(), public.Point().IsYOdd(), point.Bytes()
	p := &SchnorrPreSignature{set: true}
	if err := priv.Use(func(d curve.Scalar) error {
		d.CondNegate(&d, odd)
		t := schnorrAuxTag.Sum(aux[:])
		defer clear(t[:])
		b := d.Bytes()
		defer clear(b)
		subtle.XORBytes(t[:], t[:], b)
		nonce := schnorrNonceTag.Sum(t[:], encoded, x, msg)
		defer clear(nonce[:])
		var k curve.Scalar
		defer k.Zero()
		k.SetBytesReduced(&nonce)
		if k.IsZero() == 1 {
			return p256k1.ErrFault // with a probability of 2⁻²⁵⁶
		}
		p.r.ScalarBaseMult(&k)
		p.r.Add(&p.r, point.Point()).Normalize()
		rx, err := p.r.BytesX()
		if err != nil {
			return err // if T = −k·G, with a probability of 2⁻²⁵⁶
		}
		e := schnorr.Challenge(rx, x, msg)
		p.s.CondNegate(&k, p.r.IsYOdd())
		p.s.Add(&p.s, e.Mul(&e, &d))
		return nil
	}); err != nil {
		return nil, fmt.Errorf("adaptor: private key: %w", err)
	}
	return p, nil
}

// Verify reports whether the pre-signature is valid for the key, the adaptor point and the message. If the
// pre-signature is valid, whoever has the adaptor point's secret can adapt it to a signature. Verify returns false for
// invalid keys. The time depends on all arguments, which are public.
func (p *SchnorrPreSignature) Verify(pub *p256k1.XOnlyPublicKey, point *p256k1.PublicKey, msg []byte) bool {
	if p == nil || !p.set || pub.Point().IsInfinity() == 1 || isUnset(point) {
		return false
	}
	rx, err := p.r.BytesX()
	if err != nil {
		return false
	}
	// s'·G − e·P = ±(R − T), which is not infinity, because k is not 0.
	e := schnorr.Challenge(rx, pub.Bytes(), msg)
	var left, right curve.Point
	left.DoubleScalarBaseMultVartime(e.Negate(&e), pub.Point(), &p.s)
	right.Sub(&p.r, point.Point())
	right.CondNegate(&right, p.r.IsYOdd())
	return left.IsInfinity() == 0 && left.Equal(&right) == 1
}

// Adapt completes the pre-signature with the secret t of its adaptor point, and returns the BIP-340 signature. Adapt is
// constant-time. The error is p256k1.ErrNoKey for an invalid secret, or ErrPreSignature if p is nil or the zero value.
// Adapt does not check the result, because it does not know the public key: verify the pre-signature first, or the
// signature afterwards.
func (p *SchnorrPreSignature) Adapt(secret *p256k1.PrivateKey) (sig [64]byte, err error) {
	if p == nil || !p.set {
		return sig, fmt.Errorf("adaptor: %w: nil or never set", ErrPreSignature)
	}
	rx, err := p.r.BytesX()
	if err != nil {
		return sig, fmt.Errorf("adaptor: %w", err)
	}
	copy(sig[:], rx)
	if err := secret.Use(func(t curve.Scalar) error {
		t.CondNegate(&t, p.r.IsYOdd())
		copy(sig[32:], t.Add(&t, &p.s).Bytes())
		return nil
	}); err != nil {
		return [64]byte{}, fmt.Errorf("adaptor: secret: %w", err)
	}
	return sig, nil
}

// Extract returns the secret of the adaptor point, given the signature to which the pre-signature was adapted. The
// error is
//
//   - ErrAdaptor for a signature that does not come from this pre-signature and adaptor point,
//   - p256k1.ErrLength for a signature that is not 64 bytes long,
//   - p256k1.ErrRange for a signature whose s is not below the group order, or
//   - ErrPreSignature if p is nil or the zero value.
func (p *SchnorrPreSignature) Extract(sig []byte, point *p256k1.PublicKey) (*p256k1.PrivateKey, error) {
	if p == nil || !p.set {
		return nil, fmt.Errorf("adaptor: %w: nil or never set", ErrPreSignature)
	}
	if len(sig) != schnorr.Size {
		return nil, fmt.Errorf("adaptor: signature: %w: %d bytes, want %d", p256k1.ErrLength, len(sig), schnorr.Size)
	}
	t := secret.New[curve.Scalar]()
	defer t.Zero()
	if _, err := t.SetBytes(sig[32:]); err != nil {
		return nil, fmt.Errorf("adaptor: signature: s: %w", err)
	}
	rx, err := p.r.BytesX()
	if err != nil || string(rx) != string(sig[:32]) {
		return nil, fmt.Errorf("adaptor: signature: R: %w", ErrAdaptor)
	}
	t.Sub(t, &p.s)
	t.CondNegate(t, p.r.IsYOdd())
	key, err := p256k1.NewPrivateKey(t)
	if err != nil || !key.PublicKey().Equal(point) {
		return nil, fmt.Errorf("adaptor: signature: %w", ErrAdaptor)
	}
	return key, nil
}

func isUnset(key *p256k1.PublicKey) bool { return key.Point().IsInfinity() == 1 }
