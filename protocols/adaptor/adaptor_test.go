package adaptor

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/vectors"
	"p256k1.mleku.dev/v2/schnorr"
)

func newKey(t testing.TB, r *oracle.Rand) *p256k1.PrivateKey {
	b := oracle.Bytes(r.ValidScalar())
	key, err := p256k1.NewPrivateKey(b[:])
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// TestVectors runs the cases of dlcspecs.
func TestVectors(t *testing.T) {
	var cases []struct {
		Kind, Comment string
		PreSignature  string  `json:"adaptor_sig"`
		Digest        string  `json:"message_hash"`
		Key           string  `json:"public_signing_key"`
		Point         string  `json:"encryption_key"`
		Secret        *string `json:"decryption_key"`
		Signature     string
		Error         *string
	}
	unhex := func(s string) []byte {
		b, err := hex.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	vectors.JSON(t, "adaptor/dlcspecs-ecdsa_adaptor.json", &cases)
	if len(cases) != 11 {
		t.Errorf("%d cases", len(cases))
	}
	for i, c := range cases {
		p, err := NewECDSAPreSignature(unhex(c.PreSignature))
		if c.Kind == "serialization" {
			if (err == nil) != (c.Error == nil) || err == nil && !bytes.Equal(p.Bytes(), unhex(c.PreSignature)) {
				t.Errorf("%d: %v, want %v", i, err, c.Error)
			}
			continue
		}
		point, err1 := p256k1.NewPublicKey(unhex(c.Point))
		sig, err2 := ecdsa.ParseCompact(unhex(c.Signature))
		if err := errors.Join(err, err1, err2); err != nil {
			t.Errorf("%d: %v", i, err)
			continue
		}
		var secret *p256k1.PrivateKey
		if c.Secret != nil {
			if secret, err = p256k1.NewPrivateKey(unhex(*c.Secret)); err != nil {
				t.Fatal(err)
			}
		}
		if c.Kind == "verification" {
			key, err := p256k1.NewPublicKey(unhex(c.Key))
			if err != nil {
				t.Fatal(err)
			}
			if valid := p.Verify(key, point, unhex(c.Digest)); valid != (c.Error == nil) {
				t.Errorf("%d, %s: %t, want %v", i, c.Comment, valid, c.Error)
			}
			if c.Error != nil {
				continue
			}
			got, err := p.Adapt(secret)
			if err != nil || got.String() != sig.String() || !ecdsa.VerifyLowS(key, unhex(c.Digest), got) {
				t.Errorf("%d, %s: adapted to %v, %v, want %v", i, c.Comment, got, err, sig)
			}
		}
		got, err := p.Extract(sig, point)
		if c.Error != nil {
			if !errors.Is(err, ErrAdaptor) {
				t.Errorf("%d: %v, want %s", i, err, *c.Error)
			}
		} else if err != nil || !got.Equal(secret) {
			t.Errorf("%d, %s: extracted %v", i, c.Comment, err)
		}
	}
}

// TestSchnorr signs, adapts and extracts with odd and even y of all points, changes every value, and checks the
// equations with math/big.
func TestSchnorr(t *testing.T) {
	r := oracle.New(t)
	for i := range 24 {
		key, secret, other := newKey(t, r), newKey(t, r), newKey(t, r)
		pub, point, msg := key.PublicKey().XOnly(), secret.PublicKey(), r.Bytes(i)
		p, err := SignSchnorr(key, point, msg)
		if err != nil {
			t.Fatal(err)
		}
		if p, err = NewSchnorrPreSignature(p.Bytes()); err != nil || !p.Verify(pub, point, msg) {
			t.Fatalf("%d: %x: %v", i, p.Bytes(), err)
		}
		// The reference checks that s'·G − e·P = ±(R − T).
		b := p.Bytes()
		capital, _ := oracle.DecodePoint(b[:33])
		e := oracle.TaggedHash("BIP0340/challenge", b[1:33], pub.Bytes(), msg)
		even, _ := oracle.LiftX(oracle.Int(pub.Bytes()))
		tPoint, _ := oracle.DecodePoint(point.Bytes())
		right := capital.Add(tPoint.Neg())
		if b[0] == 3 {
			right = right.Neg()
		}
		if !oracle.G.Mul(oracle.Int(b[33:])).Equal(right.Add(even.Mul(oracle.Fn.Reduce(oracle.Int(e[:]))))) {
			t.Errorf("%d: not the equation", i)
		}
		sig, err := p.Adapt(secret)
		if err != nil || !schnorr.Verify(pub, msg, sig[:]) {
			t.Fatalf("%d: adapted to %x, %v", i, sig, err)
		}
		if got, err := p.Extract(sig[:], point); err != nil || !got.Equal(secret) {
			t.Errorf("%d: extracted %v", i, err)
		}
		if schnorr.Verify(pub, msg, append(b[1:33:33], b[33:]...)) {
			t.Errorf("%d: the pre-signature is a signature", i)
		}
		if p.Verify(other.PublicKey().XOnly(), point, msg) || p.Verify(pub, other.PublicKey(), msg) || p.Verify(pub, point, append(msg, 0)) ||
			p.Verify(pub, point.Negate(), msg) || p.Verify(nil, point, msg) || p.Verify(pub, nil, msg) {
			t.Errorf("%d: valid for something else", i)
		}
		wrong, err := p.Adapt(other)
		if err != nil || schnorr.Verify(pub, msg, wrong[:]) {
			t.Errorf("%d: adapted with another secret", i)
		}
		for what, try := range map[string][]byte{"another's": wrong[:], "s'": append(b[1:33:33], b[33:]...), "short": sig[:63]} {
			if _, err := p.Extract(try, point); err == nil {
				t.Errorf("%d: extracted from %s", i, what)
			}
		}
		if _, err := p.Extract(sig[:], other.PublicKey()); !errors.Is(err, ErrAdaptor) {
			t.Errorf("%d: extracted for another point: %v", i, err)
		}
		at := r.IntN(SchnorrSize)
		changed := bytes.Clone(b)
		changed[at] ^= 1 << r.IntN(8)
		if p, err := NewSchnorrPreSignature(changed); err == nil && p.Verify(pub, point, msg) {
			t.Errorf("%d: byte %d changed: valid", i, at)
		}
	}
}

// TestECDSA signs, adapts and extracts with low and high s, and changes every value of a pre-signature.
func TestECDSA(t *testing.T) {
	r := oracle.New(t)
	for i := range 24 {
		key, secret, other := newKey(t, r), newKey(t, r), newKey(t, r)
		pub, point, digest := key.PublicKey(), secret.PublicKey(), r.Bytes(32)
		p, err := SignECDSA(key, point, digest)
		if err != nil {
			t.Fatal(err)
		}
		if p, err = NewECDSAPreSignature(p.Bytes()); err != nil || !p.Verify(pub, point, digest) {
			t.Fatalf("%d: %x: %v", i, p.Bytes(), err)
		}
		sig, err := p.Adapt(secret)
		if err != nil || !ecdsa.VerifyLowS(pub, digest, sig) {
			t.Fatalf("%d: adapted to %v, %v", i, sig, err)
		}
		// The Diffie-Hellman secret of the key and the point follows from public values: (s'·R − z·T)/r = d·T.
		var z, s curve.Scalar
		var dh, term curve.Point
		z.SetBytesReduced((*[32]byte)(digest))
		dh.Sub(dh.ScalarMult(&p.s1, &p.r), term.ScalarMult(&z, point.Point()))
		dh.ScalarMult(z.Invert(&p.x), &dh)
		if shared, err := key.Scalar(); err != nil || dh.Equal(term.ScalarMult(shared, point.Point())) != 1 {
			t.Errorf("%d: the package comment errs: %v", i, err)
		}
		b := sig.Bytes()
		if _, err := s.SetBytes(b[32:]); err != nil {
			t.Fatal(err)
		}
		high, err := ecdsa.ParseCompact(append(b[:32:32], s.Negate(&s).Bytes()...))
		if err != nil {
			t.Fatal(err)
		}
		for _, sig := range []ecdsa.Signature{sig, high} {
			if got, err := p.Extract(sig, point); err != nil || !got.Equal(secret) {
				t.Errorf("%d: extracted %v", i, err)
			}
		}
		if p.Verify(other.PublicKey(), point, digest) || p.Verify(pub, other.PublicKey(), digest) || p.Verify(pub, point, r.Bytes(32)) ||
			p.Verify(pub, point.Negate(), digest) || p.Verify(nil, point, digest) || p.Verify(pub, nil, digest) || p.Verify(pub, point, digest[:31]) {
			t.Errorf("%d: valid for something else", i)
		}
		if _, err := p.Extract(sig, other.PublicKey()); !errors.Is(err, ErrAdaptor) {
			t.Errorf("%d: extracted for another point: %v", i, err)
		}
		for at := range ECDSASize {
			changed := bytes.Clone(p.Bytes())
			changed[at] ^= 1 << (i % 8)
			if p, err := NewECDSAPreSignature(changed); err == nil && p.Verify(pub, point, digest) {
				t.Errorf("%d: byte %d changed: valid", i, at)
			}
		}
	}
}

// TestNonces signs for two points and two messages with the same randomness, and requires different nonces, because
// two pre-signatures with the same nonce would reveal the key.
func TestNonces(t *testing.T) {
	r := oracle.New(t)
	key, a, b := newKey(t, r), newKey(t, r).PublicKey(), newKey(t, r).PublicKey()
	one, two := sha256.Sum256([]byte("one")), sha256.Sum256([]byte("two"))
	seen := make(map[string]bool)
	for _, point := range []*p256k1.PublicKey{a, b, a.Negate()} {
		for _, digest := range [][32]byte{one, two} {
			var aux [32]byte
			p, err1 := signSchnorr(key, point, digest[:], &aux)
			q, err2 := signECDSA(key, point, digest[:], &aux)
			if err := errors.Join(err1, err2); err != nil {
				t.Fatal(err)
			}
			var capital curve.Point
			capital.Sub(&p.r, point.Point()).Normalize() // k·G
			for _, x := range [][]byte{capital.Bytes()[1:], q.encoded[34:66]} {
				if seen[string(x)] {
					t.Error("a nonce is used twice")
				}
				seen[string(x)] = true
			}
		}
	}
}

// TestNone passes keys, points and pre-signatures that are nil or were never set.
func TestNone(t *testing.T) {
	key, digest := newKey(t, oracle.New(t)), make([]byte, 32)
	for what, err := range map[string]error{
		"key, Schnorr":   second(SignSchnorr(nil, key.PublicKey(), nil)),
		"point, Schnorr": second(SignSchnorr(key, nil, nil)),
		"key, ECDSA":     second(SignECDSA(new(p256k1.PrivateKey), key.PublicKey(), digest)),
		"point, ECDSA":   second(SignECDSA(key, new(p256k1.PublicKey), digest)),
	} {
		if !errors.Is(err, p256k1.ErrNoKey) {
			t.Errorf("no %s: %v", what, err)
		}
	}
	if _, err := SignECDSA(key, key.PublicKey(), digest[1:]); !errors.Is(err, p256k1.ErrLength) {
		t.Errorf("31 bytes: %v", err)
	}
	for _, p := range []*SchnorrPreSignature{nil, {}} {
		_, err1 := p.Adapt(key)
		_, err2 := p.Extract(make([]byte, 64), key.PublicKey())
		if p.Verify(key.PublicKey().XOnly(), key.PublicKey(), nil) || p.Bytes() != nil || !errors.Is(err1, ErrPreSignature) || !errors.Is(err2, ErrPreSignature) {
			t.Errorf("%v: %v, %v", p, err1, err2)
		}
	}
	for _, p := range []*ECDSAPreSignature{nil, {}} {
		_, err1 := p.Adapt(key)
		_, err2 := p.Extract(ecdsa.Signature{}, key.PublicKey())
		if p.Verify(key.PublicKey(), key.PublicKey(), digest) || p.Bytes() != nil || !errors.Is(err1, ErrPreSignature) || !errors.Is(err2, ErrPreSignature) {
			t.Errorf("%v: %v, %v", p, err1, err2)
		}
	}
	for n := range 200 {
		if _, err := NewSchnorrPreSignature(make([]byte, n)); err == nil {
			t.Errorf("%d zeros are a Schnorr pre-signature", n)
		}
		if _, err := NewECDSAPreSignature(make([]byte, n)); err == nil {
			t.Errorf("%d zeros are an ECDSA pre-signature", n)
		}
	}
}

func second[A any](_ A, err error) error { return err }
