package adaptor

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/secret"
)

// ECDSASize is the length of an encoded ECDSAPreSignature in bytes.
const ECDSASize = 162

var (
	ecdsaAuxTag   = schnorr.NewTag("ECDSAadaptor/aux")
	ecdsaNonceTag = schnorr.NewTag("ECDSAadaptor/non")
	dleqTag       = schnorr.NewTag("DLEQ")
)

// ECDSAPreSignature is an ECDSA pre-signature by the private key d of a digest z. It consists of the points R = k·T and
// R' = k·G, of s' = (z + r·d)/k for r = x(R), and of a proof (e, s). The proof shows that R and R' have the same
// logarithm k to the bases T and G. The zero value is invalid.
type ECDSAPreSignature struct {
	encoded [ECDSASize]byte
	r, r1   curve.Point
	x       curve.Scalar // r
	s1      curve.Scalar
	e, s    curve.Scalar // the proof
}

// ParseECDSAPreSignature returns the pre-signature that 162 bytes encode: R and R' as compressed points, then s', e and
// s. The error is p256k1.ErrLength, ErrPrefix, ErrRange or ErrNotOnCurve. As the specification requires, e is reduced
// modulo the group order, so different encodings can stand for the same e.
func ParseECDSAPreSignature(b []byte) (*ECDSAPreSignature, error) {
	if len(b) != ECDSASize {
		return nil, fmt.Errorf("adaptor: pre-signature: %w: %d bytes, want %d", p256k1.ErrLength, len(b), ECDSASize)
	}
	p := new(ECDSAPreSignature)
	copy(p.encoded[:], b)
	if _, err := p.r.SetBytes(b[:33]); err != nil {
		return nil, fmt.Errorf("adaptor: pre-signature: R: %w", err)
	}
	if _, err := p.r1.SetBytes(b[33:66]); err != nil {
		return nil, fmt.Errorf("adaptor: pre-signature: R': %w", err)
	}
	if _, err := p.s1.SetBytes(b[66:98]); err != nil {
		return nil, fmt.Errorf("adaptor: pre-signature: s': %w", err)
	}
	p.e.SetBytesReduced((*[32]byte)(b[98:130]))
	if _, err := p.s.SetBytes(b[130:]); err != nil {
		return nil, fmt.Errorf("adaptor: pre-signature: s: %w", err)
	}
	p.x.SetBytesReduced((*[32]byte)(b[1:33]))
	if p.s1.IsZero()|p.x.IsZero() == 1 {
		return nil, fmt.Errorf("adaptor: pre-signature: %w: zero", p256k1.ErrRange)
	}
	return p, nil
}

// isNone reports whether p is invalid.
func (p *ECDSAPreSignature) isNone() bool { return p == nil || p.encoded[0] == 0 }

// Bytes returns the 162-byte encoding of the pre-signature, or nil if p is nil or the zero value.
func (p *ECDSAPreSignature) Bytes() []byte {
	if p.isNone() {
		return nil
	}
	return append([]byte(nil), p.encoded[:]...)
}

// SignECDSA returns a pre-signature by the private key for a 32-byte digest. Whoever has the secret t of the adaptor
// point, t·G = point, can adapt the pre-signature to a signature. SignECDSA is constant-time, and verifies the
// pre-signature before returning it. The error is p256k1.ErrNoKey for an invalid key or point, p256k1.ErrLength for a
// digest of another length, or p256k1.ErrFault if a hardware error made the result wrong.
func SignECDSA(priv *p256k1.PrivateKey, point *p256k1.PublicKey, digest []byte) (*ECDSAPreSignature, error) {
	var aux [32]byte
	rand.Read(aux[:]) // never fails
	return signECDSA(priv, point, digest, &aux)
}

// signECDSA implements SignECDSA with the randomness aux. It derives nonces as libsecp256k1-zkp does.
func signECDSA(priv *p256k1.PrivateKey, point *p256k1.PublicKey, digest []byte, aux *[32]byte) (*ECDSAPreSignature, error) {
	b, err := preSignECDSA(priv, point, digest, aux)
	if err != nil {
		return nil, err
	}
	p, err := ParseECDSAPreSignature(b[:])
	if err != nil || !p.Verify(priv.PublicKey(), point, digest) {
		return nil, fmt.Errorf("adaptor: signing: %w", p256k1.ErrFault)
	}
	return p, nil
}

// preSignECDSA makes the pre-signature that signECDSA verifies and returns. It is constant-time.
func preSignECDSA(priv *p256k1.PrivateKey, point *p256k1.PublicKey, digest []byte, aux *[32]byte) (out [ECDSASize]byte, err error) {
	if isUnset(point) {
		return out, fmt.Errorf("adaptor: adaptor point: %w", p256k1.ErrNoKey)
	}
	if len(digest) != 32 {
		return out, fmt.Errorf("adaptor: digest: %w: %d bytes, want 32", p256k1.ErrLength, len(digest))
	}
	encoded := point.Bytes()
	if err := priv.Use(func(d curve.Scalar) error {
		var k, z curve.Scalar
		defer k.Zero()
		if err := drawNonce(&k, &d, aux, &ecdsaNonceTag, encoded, digest); err != nil {
			return err
		}
		var r [2]curve.Point
		r[0].ScalarMult(&k, point.Point())
		r[1].ScalarBaseMult(&k)
		curve.NormalizeBatch(r[:])
		copy(out[:], r[0].Bytes())
		copy(out[33:], r[1].Bytes())
		if err := prove(&out, &k, aux, point.Point(), encoded); err != nil {
			return err
		}
		// s' = (z + r·d)/k.
		z.SetBytesReduced((*[32]byte)(digest))
		var x curve.Scalar
		x.SetBytesReduced((*[32]byte)(out[1:33]))
		z.Add(&z, d.Mul(&d, &x))
		copy(out[66:], z.Mul(&z, k.Invert(&k)).Bytes())
		return nil
	}); err != nil {
		return [ECDSASize]byte{}, fmt.Errorf("adaptor: private key: %w", err)
	}
	return out, nil
}

// drawNonce sets k to the hash of the secret d, which is masked with aux, of an encoded point and of a message.
func drawNonce(k, d *curve.Scalar, aux *[32]byte, tag *schnorr.Tag, point, msg []byte) error {
	t := ecdsaAuxTag.Sum(aux[:])
	b := d.Bytes()
	subtle.XORBytes(t[:], t[:], b)
	nonce := tag.Sum(t[:], point, msg)
	k.SetBytesReduced(&nonce)
	clear(t[:])
	clear(b)
	clear(nonce[:])
	if k.IsZero() == 1 {
		return p256k1.ErrFault // with a probability of 2⁻²⁵⁶
	}
	return nil
}

// prove writes the proof (e, s) to out, which already holds R and R'. The proof shows that R = k·T and R' = k·G for the
// same k.
func prove(out *[ECDSASize]byte, k *curve.Scalar, aux *[32]byte, t *curve.Point, encoded []byte) error {
	both := sha256.New()
	both.Write(out[33:66])
	both.Write(out[:33])
	var l, e curve.Scalar
	defer l.Zero()
	if err := drawNonce(&l, k, aux, &dleqTag, encoded, both.Sum(nil)); err != nil {
		return err
	}
	var r [2]curve.Point
	r[0].ScalarBaseMult(&l)
	r[1].ScalarMult(&l, t)
	curve.NormalizeBatch(r[:])
	sum := dleqTag.Sum(out[33:66], encoded, out[:33], r[0].Bytes(), r[1].Bytes())
	e.SetBytesReduced(&sum)
	copy(out[98:], e.Bytes())
	copy(out[130:], e.Mul(&e, k).Add(&e, &l).Bytes())
	return nil
}

// proves reports whether the proof is valid, which means that R = k·T and R' = k·G for the same k.
func (p *ECDSAPreSignature) proves(point *p256k1.PublicKey) bool {
	var e curve.Scalar
	var r [2]curve.Point
	e.Negate(&p.e)
	r[0].DoubleScalarBaseMultVartime(&e, &p.r1, &p.s)
	r[1].MultiScalarMultVartime([]*curve.Scalar{&p.s, &e}, []*curve.Point{point.Point(), &p.r})
	if r[0].IsInfinity()|r[1].IsInfinity() == 1 {
		return false
	}
	sum := dleqTag.Sum(p.encoded[33:66], point.Bytes(), p.encoded[:33], r[0].NormalizeVartime().Bytes(), r[1].NormalizeVartime().Bytes())
	e.SetBytesReduced(&sum)
	return e.Equal(&p.e) == 1
}

// Verify reports whether the pre-signature is valid for the key, the adaptor point and the 32-byte digest. If the
// pre-signature is valid, whoever has the adaptor point's secret can adapt it to a signature. Verify returns false for
// invalid keys, and for a digest of another length. The time depends on all arguments, which are public.
func (p *ECDSAPreSignature) Verify(pub, point *p256k1.PublicKey, digest []byte) bool {
	if p.isNone() || isUnset(pub) || isUnset(point) || len(digest) != 32 || !p.proves(point) {
		return false
	}
	// R' = (z·G + r·P)/s'.
	var w, z, u curve.Scalar
	var sum curve.Point
	w.InvertVartime(&p.s1)
	z.SetBytesReduced((*[32]byte)(digest))
	sum.DoubleScalarBaseMultVartime(u.Mul(&p.x, &w), pub.Point(), z.Mul(&z, &w))
	return sum.Equal(&p.r1) == 1
}

// Adapt completes the pre-signature with the secret t of its adaptor point, and returns the ECDSA signature, with a low
// s. Adapt is constant-time. The error is p256k1.ErrNoKey for an invalid secret, or ErrPreSignature if p is nil or the
// zero value. Adapt does not check the result, because it does not know the public key: verify the pre-signature first,
// or the signature afterwards.
func (p *ECDSAPreSignature) Adapt(secret *p256k1.PrivateKey) (sig ecdsa.Signature, err error) {
	if p.isNone() {
		return sig, fmt.Errorf("adaptor: %w: nil or never set", ErrPreSignature)
	}
	b := append(p.x.Bytes(), make([]byte, 32)...)
	if err := secret.Use(func(t curve.Scalar) error {
		t.Invert(&t)
		t.Mul(&t, &p.s1)
		copy(b[32:], t.CondNegate(&t, t.IsHigh()).Bytes())
		return nil
	}); err != nil {
		return sig, fmt.Errorf("adaptor: secret: %w", err)
	}
	return ecdsa.ParseCompact(b)
}

// Extract returns the secret of the adaptor point, given the signature to which the pre-signature was adapted. The
// signature's s may be high or low. Therefore the signature also fits the negated point −T, for which Extract returns
// −t. The error is ErrAdaptor for a signature that does not come from this pre-signature and T or −T, or
// ErrPreSignature if p is nil or the zero value.
func (p *ECDSAPreSignature) Extract(sig ecdsa.Signature, point *p256k1.PublicKey) (*p256k1.PrivateKey, error) {
	if p.isNone() {
		return nil, fmt.Errorf("adaptor: %w: nil or never set", ErrPreSignature)
	}
	b := sig.Bytes()
	if b == nil || string(b[:32]) != string(p.x.Bytes()) {
		return nil, fmt.Errorf("adaptor: signature: R: %w", ErrAdaptor)
	}
	t := secret.New[curve.Scalar]()
	defer t.Zero()
	if _, err := t.SetBytes(b[32:]); err != nil {
		return nil, fmt.Errorf("adaptor: signature: s: %w", err)
	}
	t.Invert(t)
	t.Mul(t, &p.s1)
	key, err := p256k1.NewPrivateKey(t)
	if err == nil && key.PublicKey().IsYOdd() != point.IsYOdd() {
		key.Zero()
		key, err = p256k1.NewPrivateKey(t.Negate(t)) // s was negated
	}
	if err != nil || !key.PublicKey().Equal(point) {
		return nil, fmt.Errorf("adaptor: signature: %w", ErrAdaptor)
	}
	return key, nil
}
