package adaptor

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/big"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/vectors"
	"p256k1.mleku.dev/v2/schnorr"
)

func newKey(t testing.TB, r *oracle.Rand) *p256k1.PrivateKey {
	b := oracle.Bytes(r.ValidScalar())
	key, err := p256k1.ParsePrivateKey(b[:])
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// TestVectors runs the test vectors of the DLC specification (dlcspecs).
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
		p, err := ParseECDSAPreSignature(unhex(c.PreSignature))
		if c.Kind == "serialization" {
			if (err == nil) != (c.Error == nil) || (err == nil && !bytes.Equal(p.Bytes(), unhex(c.PreSignature))) {
				t.Errorf("%d: %v, want %v", i, err, c.Error)
			}
			continue
		}
		point, err1 := p256k1.ParsePublicKey(unhex(c.Point))
		sig, err2 := ecdsa.ParseCompact(unhex(c.Signature))
		if err := errors.Join(err, err1, err2); err != nil {
			t.Errorf("%d: %v", i, err)
			continue
		}
		var secret *p256k1.PrivateKey
		if c.Secret != nil {
			if secret, err = p256k1.ParsePrivateKey(unhex(*c.Secret)); err != nil {
				t.Fatal(err)
			}
		}
		if c.Kind == "verification" {
			key, err := p256k1.ParsePublicKey(unhex(c.Key))
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

// TestSchnorr signs, adapts and extracts with odd and even y of all points, changes each value, and checks the
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
		if p, err = ParseSchnorrPreSignature(p.Bytes()); err != nil || !p.Verify(pub, point, msg) {
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
		for what, try := range map[string][]byte{"another's": wrong[:], "s'": append(b[1:33:33], b[33:]...), "short": sig[:63], "another R": append(pub.Bytes(), sig[32:]...)} {
			if _, err := p.Extract(try, point); err == nil {
				t.Errorf("%d: extracted from %s", i, what)
			}
		}
		if _, err := p.Extract(sig[:], other.PublicKey()); !errors.Is(err, ErrAdaptor) {
			t.Errorf("%d: extracted for another point: %v", i, err)
		}
		place := r.IntN(SchnorrSize)
		changed := bytes.Clone(b)
		changed[place] ^= 1 << r.IntN(8)
		if p, err := ParseSchnorrPreSignature(changed); err == nil && p.Verify(pub, point, msg) {
			t.Errorf("%d: byte %d changed: valid", i, place)
		}
	}
}

// TestSchnorrNonce recomputes R, in which the nonce depends on all bytes of a message of any length. A nonce for two
// messages would reveal the private key.
func TestSchnorrNonce(t *testing.T) {
	r := oracle.New(t)
	for _, n := range []int{0, 1, 32, 55, 64, 1000, 70_000} {
		key, secret, msg, aux := newKey(t, r), newKey(t, r), r.Bytes(n), [32]byte(r.Bytes(32))
		pre, err := signSchnorr(key, secret.PublicKey(), msg, &aux)
		if err != nil {
			t.Fatal(err)
		}
		d := oracle.Int(key.Bytes())
		if key.PublicKey().Bytes()[0] == 3 {
			d = oracle.Fn.Neg(d)
		}
		hash := oracle.TaggedHash("SchnorrAdaptor/aux", aux[:])
		masked := oracle.Bytes(new(big.Int).Xor(d, oracle.Int(hash[:])))
		k := oracle.TaggedHash("SchnorrAdaptor/nonce", masked[:], secret.PublicKey().Bytes(), key.PublicKey().XOnly().Bytes(), msg)
		want := oracle.G.Mul(oracle.Fn.Add(oracle.Int(k[:]), oracle.Int(secret.Bytes()))).Compressed()
		if !bytes.Equal(pre.Bytes()[:33], want) {
			t.Errorf("%d bytes: R is %x, want %x", n, pre.Bytes()[:33], want)
		}
	}
}

// TestSchnorrOtherPoint makes the other pre-signature from one, which takes the secret t of T: −R in place of R, and s'
// + 2t if R has even y, and otherwise s' − 2t. Both adapt to the same signature.
func TestSchnorrOtherPoint(t *testing.T) {
	r := oracle.NewSeeded("adaptor: the other point")
	for range 20 {
		key, secret, msg := newKey(t, r), newKey(t, r), r.Bytes(32)
		pre, err := SignSchnorr(key, secret.PublicKey(), msg)
		if err != nil {
			t.Fatal(err)
		}
		b := pre.Bytes()
		twice := oracle.Int(secret.Bytes())
		twice.Lsh(twice, 1)
		if b[0] == 3 {
			twice.Neg(twice)
		}
		other := oracle.Bytes(oracle.Fn.Reduce(twice.Add(twice, oracle.Int(b[33:]))))
		b[0] ^= 1
		copy(b[33:], other[:])
		p, err := ParseSchnorrPreSignature(b)
		if err != nil || !p.Verify(key.PublicKey().XOnly(), secret.PublicKey(), msg) {
			t.Fatalf("%x: %v", b, err)
		}
		got, err1 := p.Adapt(secret)
		want, err2 := pre.Adapt(secret)
		if got != want || err1 != nil || err2 != nil {
			t.Errorf("%x adapts to %x, want %x", b, got, want)
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
		if p, err = ParseECDSAPreSignature(p.Bytes()); err != nil || !p.Verify(pub, point, digest) {
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
		if got, err := p.Extract(sig, point.Negate()); err != nil || !got.PublicKey().Equal(point.Negate()) {
			t.Errorf("%d: extracted %v for the negated point", i, err)
		}
		if p.Verify(other.PublicKey(), point, digest) || p.Verify(pub, other.PublicKey(), digest) || p.Verify(pub, point, r.Bytes(32)) ||
			p.Verify(pub, point.Negate(), digest) || p.Verify(nil, point, digest) || p.Verify(pub, nil, digest) || p.Verify(pub, point, digest[:31]) {
			t.Errorf("%d: valid for something else", i)
		}
		if _, err := p.Extract(sig, other.PublicKey()); !errors.Is(err, ErrAdaptor) {
			t.Errorf("%d: extracted for another point: %v", i, err)
		}
		for place := range ECDSASize {
			changed := bytes.Clone(p.Bytes())
			changed[place] ^= 1 << (i % 8)
			if p, err := ParseECDSAPreSignature(changed); err == nil && p.Verify(pub, point, digest) {
				t.Errorf("%d: byte %d changed: valid", i, place)
			}
		}
	}
}

// TestNonces signs for three points and two messages with the same randomness, and requires different nonces, because
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

// TestNoncesByOracle recomputes all nonces. The nonces of ECDSA and of its proof are the same as in libsecp256k1-zkp.
func TestNoncesByOracle(t *testing.T) {
	r := oracle.New(t)
	for i := range 8 { // keys with odd and even y
		d, secret, aux, digest := r.ValidScalar(), newKey(t, r), [32]byte(r.Bytes(32)), r.Bytes(32)
		b := oracle.Bytes(d)
		key, err := p256k1.ParsePrivateKey(b[:])
		if err != nil {
			t.Fatal(err)
		}
		point := secret.PublicKey().Bytes()
		capital, _ := oracle.DecodePoint(point)
		nonce := func(auxTag, tag string, secret *big.Int, parts ...[]byte) *big.Int {
			mask, b := oracle.TaggedHash(auxTag, aux[:]), oracle.Bytes(secret)
			subtle.XORBytes(mask[:], mask[:], b[:])
			sum := oracle.TaggedHash(tag, append([][]byte{mask[:]}, parts...)...)
			return oracle.Fn.Reduce(oracle.Int(sum[:]))
		}
		p, err1 := signSchnorr(key, secret.PublicKey(), digest, &aux)
		q, err2 := signECDSA(key, secret.PublicKey(), digest, &aux)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		even := d
		if key.PublicKey().IsYOdd() {
			even = oracle.Fn.Neg(d)
		}
		k := nonce("SchnorrAdaptor/aux", "SchnorrAdaptor/nonce", even, point, key.PublicKey().XOnly().Bytes(), digest)
		if want := oracle.G.Mul(k).Add(capital).Compressed(); !bytes.Equal(p.Bytes()[:33], want) {
			t.Errorf("%d, Schnorr: R = %x, want %x", i, p.Bytes()[:33], want)
		}
		k = nonce("ECDSAadaptor/aux", "ECDSAadaptor/non", d, point, digest)
		e := q.Bytes()
		if want := slices.Concat(capital.Mul(k).Compressed(), oracle.G.Mul(k).Compressed()); !bytes.Equal(e[:66], want) {
			t.Errorf("%d, ECDSA: R and R' = %x, want %x", i, e[:66], want)
		}
		both := sha256.Sum256(slices.Concat(e[33:66], e[:33]))
		l := nonce("ECDSAadaptor/aux", "DLEQ", k, point, both[:])
		if want := oracle.Fn.Add(l, oracle.Fn.Mul(oracle.Int(e[98:130]), k)); oracle.Int(e[130:]).Cmp(want) != 0 {
			t.Errorf("%d, proof: s = %x, want %x", i, e[130:], want)
		}
		if want := oracle.TaggedHash("DLEQ", e[33:66], point, e[:33], oracle.G.Mul(l).Compressed(), capital.Mul(l).Compressed()); oracle.Int(e[98:130]).Cmp(oracle.Fn.Reduce(oracle.Int(want[:]))) != 0 {
			t.Errorf("%d, proof: e = %x, want %x", i, e[98:130], want)
		}
	}
}

// TestZeroByte makes pre-signatures until the x coordinate of an R begins with a zero byte.
func TestZeroByte(t *testing.T) {
	r := oracle.New(t)
	key, point, digest := newKey(t, r), newKey(t, r).PublicKey(), r.Bytes(32)
	for i := range uint16(5000) {
		aux := [32]byte{byte(i), byte(i >> 8)}
		b, err := preSignECDSA(key, point, digest, &aux)
		if err != nil {
			t.Fatal(err)
		}
		if b[1] != 0 {
			continue
		}
		if p, err := ParseECDSAPreSignature(b[:]); err != nil || !p.Verify(key.PublicKey(), point, digest) {
			t.Errorf("%x is not valid: %v", b, err)
		}
		return
	}
	t.Error("no such R")
}

// TestFresh signs twice, with fresh randomness each time.
func TestFresh(t *testing.T) {
	r := oracle.New(t)
	key, point, digest := newKey(t, r), newKey(t, r).PublicKey(), r.Bytes(32)
	p1, err1 := SignSchnorr(key, point, digest)
	p2, err2 := SignSchnorr(key, point, digest)
	q1, err3 := SignECDSA(key, point, digest)
	q2, err4 := SignECDSA(key, point, digest)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(p1.Bytes(), p2.Bytes()) || bytes.Equal(q1.Bytes(), q2.Bytes()) {
		t.Error("two pre-signatures are equal")
	}
}

// TestRefused writes wrong values into the parts of valid pre-signatures and signatures, except e, and checks the error
// for each value. One Schnorr pre-signature has so small an s' that s' + n fits into 32 bytes, and would be valid
// modulo n.
func TestRefused(t *testing.T) {
	r := oracle.New(t)
	key, secret := newKey(t, r), newKey(t, r)
	x, point := key.PublicKey().XOnly(), secret.PublicKey()
	e, err := SignECDSA(key, point, make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	// R = 5·G and s' = 7, so that T = R ∓ (s'·G − e·P).
	capital := oracle.G.Mul(big.NewInt(5))
	sum := oracle.TaggedHash("BIP0340/challenge", capital.Compressed()[1:], x.Bytes())
	lifted, _ := oracle.LiftX(oracle.Int(x.Bytes()))
	k := oracle.G.Mul(big.NewInt(7)).Add(lifted.Mul(oracle.Fn.Reduce(oracle.Int(sum[:]))).Neg())
	if capital.Compressed()[0] == 3 {
		k = k.Neg()
	}
	chosen, err := p256k1.ParsePublicKey(capital.Add(k.Neg()).Compressed())
	if err != nil {
		t.Fatal(err)
	}
	seven, more := oracle.Bytes(big.NewInt(7)), oracle.Bytes(new(big.Int).Add(oracle.N, big.NewInt(7)))
	s := append(capital.Compressed(), seven[:]...)
	if p, err := ParseSchnorrPreSignature(s); err != nil || !p.Verify(x, chosen, nil) {
		t.Fatalf("the pre-signature with s' = 7 is not valid: %v", err)
	}
	order, zero, offCurve := oracle.Bytes(oracle.N), make([]byte, 32), append(make([]byte, 31), 5)
	for _, c := range []struct {
		name   string
		ecdsa  bool
		offset int
		b      []byte
		want   error
	}{
		{"s' + n", false, 33, more[:], p256k1.ErrRange}, {"prefix of R", false, 0, []byte{4}, p256k1.ErrPrefix}, {"R", false, 1, offCurve, p256k1.ErrNotOnCurve},
		{"prefix of R", true, 0, []byte{1}, p256k1.ErrPrefix}, {"R", true, 1, offCurve, p256k1.ErrNotOnCurve},
		{"prefix of R'", true, 33, []byte{0}, p256k1.ErrPrefix}, {"R'", true, 34, offCurve, p256k1.ErrNotOnCurve},
		{"s' of n + 7", true, 66, more[:], p256k1.ErrRange}, {"s' = 0", true, 66, zero, p256k1.ErrRange},
		{"x(R) = n", true, 1, order[:], p256k1.ErrRange}, {"x(R) = n and s' = 0", true, 1, slices.Concat(order[:], e.Bytes()[33:66], zero), p256k1.ErrRange},
		{"s of n + 7", true, 130, more[:], p256k1.ErrRange},
	} {
		b, parse := s, func(b []byte) error { return second(ParseSchnorrPreSignature(b)) }
		if c.ecdsa {
			b, parse = e.Bytes(), func(b []byte) error { return second(ParseECDSAPreSignature(b)) }
		}
		b = bytes.Clone(b)
		copy(b[c.offset:], c.b)
		if err := parse(b); !errors.Is(err, c.want) {
			t.Errorf("ECDSA %t, %s: %v, want %v", c.ecdsa, c.name, err, c.want)
		}
		if err := parse(b[1:]); !errors.Is(err, p256k1.ErrLength) {
			t.Errorf("ECDSA %t, one byte less: %v", c.ecdsa, err)
		}
	}
	p, err := ParseSchnorrPreSignature(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		sig  []byte
		want error
	}{
		{append(s[1:33:33], order[:]...), p256k1.ErrRange}, {append(s[1:33:33], more[:]...), p256k1.ErrRange}, {s[1:64], p256k1.ErrLength}, {nil, p256k1.ErrLength},
		{append(bytes.Clone(s[1:]), 0), p256k1.ErrLength}, {s[1:], ErrAdaptor}, {append(x.Bytes(), seven[:]...), ErrAdaptor},
	} {
		if _, err := p.Extract(c.sig, chosen); !errors.Is(err, c.want) {
			t.Errorf("extracted from %x: %v, want %v", c.sig, err, c.want)
		}
	}
	// If R = T, then k = 0 and s' = e·d, which reveals the key d.
	var own SchnorrPreSignature
	d, err := key.Scalar()
	if err != nil {
		t.Fatal(err)
	}
	own.set = true
	own.r.Set(point.Point())
	sum = oracle.TaggedHash("BIP0340/challenge", point.Bytes()[1:], x.Bytes())
	own.s.SetBytesReduced(&sum)
	own.s.Mul(&own.s, d.CondNegate(d, key.PublicKey().Point().IsYOdd()))
	if sig, err := own.Adapt(secret); err != nil || !schnorr.Verify(x, nil, sig[:]) {
		t.Errorf("R = T: the equation does not hold: %v", err)
	}
	if own.Verify(x, point, nil) {
		t.Error("a pre-signature without a nonce is valid")
	}
	secret.Zero()
	for _, secret := range []*p256k1.PrivateKey{nil, {}, secret} {
		_, err1 := p.Adapt(secret)
		_, err2 := e.Adapt(secret)
		if !errors.Is(err1, p256k1.ErrNoKey) || !errors.Is(err2, p256k1.ErrNoKey) {
			t.Errorf("adapted with no secret: %v, %v", err1, err2)
		}
	}
}

// TestNoKey makes pre-signatures for which the equations hold with a key or a point at infinity.
func TestNoKey(t *testing.T) {
	r := oracle.New(t)
	key, point, msg := newKey(t, r), newKey(t, r).PublicKey(), r.Bytes(32)
	// A signature whose R has even y is a pre-signature for the point at infinity.
	sig, err := schnorr.Sign(key, msg, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := ParseSchnorrPreSignature(append([]byte{2}, sig[:]...))
	if err != nil {
		t.Fatal(err)
	}
	for _, point := range []*p256k1.PublicKey{nil, {}} {
		if p.Verify(key.PublicKey().XOnly(), point, msg) {
			t.Error("a signature is a pre-signature for no point")
		}
	}
	// Without a key (d = 0), s' is ±k for Schnorr and z/k for ECDSA.
	var k, z curve.Scalar
	k.SetUint64(5)
	p.r.ScalarBaseMult(&k).Add(&p.r, point.Point()).Normalize()
	p.s.CondNegate(&k, p.r.IsYOdd())
	for _, pub := range []*p256k1.XOnlyPublicKey{nil, {}} {
		if p.Verify(pub, point, msg) {
			t.Error("a Schnorr pre-signature is valid for no key")
		}
	}
	var out [ECDSASize]byte
	var c curve.Point
	copy(out[:], c.ScalarMult(&k, point.Point()).Normalize().Bytes())
	copy(out[33:], c.ScalarBaseMult(&k).Normalize().Bytes())
	if err := prove(&out, &k, new([32]byte), point.Point(), point.Bytes()); err != nil {
		t.Fatal(err)
	}
	z.SetBytesReduced((*[32]byte)(msg))
	copy(out[66:], z.Mul(&z, k.Invert(&k)).Bytes())
	q, err := ParseECDSAPreSignature(out[:])
	if err != nil || !q.proves(point) {
		t.Fatalf("the proof is not valid: %v", err)
	}
	for _, pub := range []*p256k1.PublicKey{nil, {}} {
		if q.Verify(pub, point, msg) {
			t.Error("an ECDSA pre-signature is valid for no key")
		}
	}
	// A proof without a nonce has s = e·k, which reveals k.
	none := new(curve.Point).Bytes()
	sum := dleqTag.Sum(out[33:66], point.Bytes(), out[:33], none, none)
	q.e.SetBytesReduced(&sum)
	q.s.Mul(&q.e, k.SetUint64(5))
	if q.proves(point) {
		t.Error("a proof without a nonce is valid")
	}
	if _, err := q.Extract(ecdsa.Signature{}, point); !errors.Is(err, ErrAdaptor) {
		t.Errorf("extracted from no signature: %v", err)
	}
}

// TestFault changes the secret scalar of a key in memory, so that both pre-signatures are wrong.
func TestFault(t *testing.T) {
	r := oracle.New(t)
	key, point, digest := newKey(t, r), newKey(t, r).PublicKey(), r.Bytes(32)
	libtest.Misread(t, key)
	if p, err := SignSchnorr(key, point, digest); p != nil || !errors.Is(err, p256k1.ErrFault) {
		t.Errorf("Schnorr: %x, %v", p.Bytes(), err)
	}
	if p, err := SignECDSA(key, point, digest); p != nil || !errors.Is(err, p256k1.ErrFault) {
		t.Errorf("ECDSA: %x, %v", p.Bytes(), err)
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
		if _, err := ParseSchnorrPreSignature(make([]byte, n)); err == nil {
			t.Errorf("%d zeros are a Schnorr pre-signature", n)
		}
		if _, err := ParseECDSAPreSignature(make([]byte, n)); err == nil {
			t.Errorf("%d zeros are an ECDSA pre-signature", n)
		}
	}
}

func second[A any](_ A, err error) error { return err }

// TestTexts stores pre-signatures as JSON, and refuses other texts.
func TestTexts(t *testing.T) {
	r := oracle.New(t)
	key, secret, digest := newKey(t, r), newKey(t, r), make([]byte, 32)
	s, err1 := SignSchnorr(key, secret.PublicKey(), digest)
	e, err2 := SignECDSA(key, secret.PublicKey(), digest)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	type stored struct {
		S *SchnorrPreSignature
		E map[string]ECDSAPreSignature
	}
	text, err := json.Marshal(stored{s, map[string]ECDSAPreSignature{"e": *e}})
	var out stored
	if err != nil || json.Unmarshal(text, &out) != nil || !out.S.Verify(key.PublicKey().XOnly(), secret.PublicKey(), digest) {
		t.Fatalf("%s, %v", text, err)
	}
	if e := out.E["e"]; !e.Verify(key.PublicKey(), secret.PublicKey(), digest) {
		t.Errorf("%s: not the ECDSA pre-signature", text)
	}
	good := hex.EncodeToString(s.Bytes())
	for bad, want := range map[string]error{
		"": p256k1.ErrLength, good[2:]: p256k1.ErrLength, good + "00": p256k1.ErrLength, strings.ToUpper(good): p256k1.ErrHex, "0x" + good[2:]: p256k1.ErrHex,
		strings.Repeat("0", 130): p256k1.ErrPrefix, good[:66] + strings.Repeat("f", 64): p256k1.ErrRange, hex.EncodeToString(e.Bytes()): p256k1.ErrLength,
	} {
		if err := out.S.UnmarshalText([]byte(bad)); !errors.Is(err, want) || hex.EncodeToString(out.S.Bytes()) != good {
			t.Errorf("%.9q of %d: %v, want %v", bad, len(bad), err, want)
		}
	}
	for _, v := range []any{SchnorrPreSignature{}, new(ECDSAPreSignature)} {
		if text, err := json.Marshal(v); !errors.Is(err, ErrPreSignature) {
			t.Errorf("%T: %s, %v", v, text, err)
		}
	}
}
