package cashu

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

func publicKey(t testing.TB, s string) *p256k1.PublicKey {
	t.Helper()
	k, err := p256k1.ParsePublicKey(libtest.Unhex(s))
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return k
}

func privateKey(t testing.TB, s string) *p256k1.PrivateKey {
	t.Helper()
	k, err := p256k1.ParsePrivateKey(libtest.Unhex(s))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func newKeyPair(t testing.TB, r *oracle.Rand) *p256k1.PrivateKey {
	t.Helper()
	b := oracle.Bytes(r.ValidScalar())
	return privateKey(t, hex.EncodeToString(b[:]))
}

func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// These are the vectors of cashubtc/nuts, tests/00-tests.md and tests/12-tests.md, of July 2026.

func TestHashToCurveVectors(t *testing.T) {
	for _, c := range []struct{ message, want string }{
		{"0000000000000000000000000000000000000000000000000000000000000000", "024cce997d3b518f739663b757deaec95bcd9473c30a14ac2fd04023a739d1a725"},
		{"0000000000000000000000000000000000000000000000000000000000000001", "022e7158e11c9506f1aa4248bf531298daa7febd6194f003edcd9b93ade6253acf"},
		{"0000000000000000000000000000000000000000000000000000000000000002", "026cdbe15362df59cd1dd3c9c11de8aedac2106eca69236ecd9fbe117af897be4f"},
	} {
		for name, f := range map[string]func([]byte) (*p256k1.PublicKey, error){"HashToCurve": HashToCurve, "HashToCurveVartime": HashToCurveVartime} {
			if got := must[*p256k1.PublicKey](t)(f(libtest.Unhex(c.message))).String(); got != c.want {
				t.Errorf("%s(%s) = %s, want %s", name, c.message, got, c.want)
			}
		}
	}
}

func TestBlindVectors(t *testing.T) {
	for _, c := range []struct{ x, r, want string }{
		{"d341ee4871f1f889041e63cf0d3823c713eea6aff01e80f1719f08f9e5be98f6", "99fce58439fc37412ab3468b73db0569322588f62fb3a49182d67e23d877824a", "033b1a9737a40cc3fd9b6af4b723632b76a67a36782596304612a6c2bfb5197e6d"},
		{"f1aaf16c2239746f369572c0784d9dd3d032d952c2d992175873fb58fae31a60", "f78476ea7cc9ade20f9e05e58a804cf19533f03ea805ece5fee88c8e2874ba50", "029bdf2d716ee366eddf599ba252786c1033f47e230248a4612a5670ab931f1763"},
	} {
		if got := must[*p256k1.PublicKey](t)(Blind(libtest.Unhex(c.x), privateKey(t, c.r))).String(); got != c.want {
			t.Errorf("Blind(%s) = %s, want %s", c.x, got, c.want)
		}
	}
}

func TestSignVectors(t *testing.T) {
	for _, c := range []struct{ k, blinded, want, e, s string }{
		{"0000000000000000000000000000000000000000000000000000000000000001", "02a9acc1e48c25eeeb9289b5031cc57da9fe72f3fe2861d264bdc074209b107ba2",
			"02a9acc1e48c25eeeb9289b5031cc57da9fe72f3fe2861d264bdc074209b107ba2", "", ""},
		{"7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f", "02a9acc1e48c25eeeb9289b5031cc57da9fe72f3fe2861d264bdc074209b107ba2",
			"0398bc70ce8184d27ba89834d19f5199c84443c31131e48d3c1214db24247d005d", "", ""},
		{"0000000000000000000000000000000000000000000000000000000000000002", "02a9acc1e48c25eeeb9289b5031cc57da9fe72f3fe2861d264bdc074209b107ba2",
			"0244eccfc7a348274458bb38044c7f3c389b3c2086c7ec18b5812d2877ab937787",
			"2a16ffee280aff3c429045607f9b8e0bf8b35910c44c1b20b9dfaf01b263d7b3", "9df27731238334718d120d4f74611a7c668233f988e687ac3fb188f0a34a2dab"},
	} {
		k, blinded := privateKey(t, c.k), publicKey(t, c.blinded)
		sig := must[BlindSignature](t)(Sign(k, blinded))
		if got := sig.C.String(); got != c.want {
			t.Errorf("C_ = %s, want %s", got, c.want)
		}
		if !sig.DLEQ.Verify(k.PublicKey(), blinded, sig.C) {
			t.Errorf("the proof for %s is not valid", c.want)
		}
		if c.e != "" && (hex.EncodeToString(sig.DLEQ.E[:]) != c.e || hex.EncodeToString(sig.DLEQ.S[:]) != c.s) {
			t.Errorf("proof %x, want %s, %s", *sig.DLEQ, c.e, c.s)
		}
	}
}

func TestChallengeVector(t *testing.T) {
	one := publicKey(t, "020000000000000000000000000000000000000000000000000000000000000001").Point()
	c := publicKey(t, "02a9acc1e48c25eeeb9289b5031cc57da9fe72f3fe2861d264bdc074209b107ba2").Point()
	if got := challenge(one, one, one, c); hex.EncodeToString(got[:]) != "a4dc034b74338c28c6bc3ea49731f2a24440fc7c4affc08b31a93fc9fbe6401e" {
		t.Errorf("hash %x", got)
	}
}

func TestVerifyVectors(t *testing.T) {
	mint := publicKey(t, "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")
	blinded := publicKey(t, "02a9acc1e48c25eeeb9289b5031cc57da9fe72f3fe2861d264bdc074209b107ba2")
	proof := &DLEQ{
		[32]byte(libtest.Unhex("9818e061ee51d5c8edc3342369a554998ff7b4381c8652d724cdf46429be73d9")),
		[32]byte(libtest.Unhex("9818e061ee51d5c8edc3342369a554998ff7b4381c8652d724cdf46429be73da")),
	}
	sees := func(t *testing.T, p *DLEQ) bool { return p.Verify(mint, blinded, blinded) }
	flip(t, proof, sees)

	c := publicKey(t, "024369d2d22a80ecf78f3937da9d5f30c1b9f74f0c32684d583cca0fa6a61cdcfc")
	secret := []byte("daf4dd00a2b68a0858a80450f52c8a7d2ccf87d375e43e216e0c571f089f63e9")
	r := privateKey(t, "a6d13fcd7a18442e6076f5e1e7c887ad5de40a019824bdfa9fe740d302e8d861")
	proof = &DLEQ{
		[32]byte(libtest.Unhex("b31e58ac6527f34975ffab13e70a48b6d2b0d35abc4b03f0151f09ee1a9763d4")),
		[32]byte(libtest.Unhex("8fbae004c59e754d71df67e392b6ae4e29293113ddc2ec86592a0431d16306d8")),
	}
	flip(t, proof, func(t *testing.T, p *DLEQ) bool { return p.VerifyToken(mint, secret, c, r) })
	if proof.VerifyToken(mint, libtest.Unhex(string(secret)), c, r) {
		t.Error("a token of what the digits encode is valid")
	}
}

// flip checks that a proof is valid, and that every proof that differs from it in one bit is invalid.
func flip(t *testing.T, proof *DLEQ, valid func(*testing.T, *DLEQ) bool) {
	t.Helper()
	if !valid(t, proof) {
		t.Error("a proof is not valid")
	}
	for bit := range 512 {
		bad := *proof
		part := &bad.E
		if bit >= 256 {
			part = &bad.S
		}
		part[bit/8%32] ^= 1 << (bit % 8)
		if valid(t, &bad) {
			t.Errorf("with bit %d flipped a proof is valid", bit)
		}
	}
}

// hashByOracle returns hash_to_curve of a secret, and the counter that led to the point.
func hashByOracle(secret string) (oracle.Point, int) {
	hash := sha256.Sum256([]byte("Secp256k1_HashToCurve_Cashu_" + secret))
	for counter := 0; ; counter++ {
		x := sha256.Sum256(binary.LittleEndian.AppendUint32(hash[:], uint32(counter)))
		if p, ok := oracle.LiftX(oracle.Int(x[:])); ok {
			if p.Y.Bit(0) == 1 {
				p = p.Neg()
			}
			return p, counter
		}
	}
}

// proveByOracle returns the proof of NUT-12 for a key and a blinded secret.
func proveByOracle(a *big.Int, blinded oracle.Point) (e, s [32]byte) {
	pub, c := oracle.G.Mul(a), blinded.Mul(a)
	key := oracle.Bytes(a)
	mac := hmac.New(sha256.New, key[:])
	mac.Write([]byte("Cashu_DLEQ_R_v1"))
	for _, p := range []oracle.Point{pub, blinded, c} {
		mac.Write(p.Uncompressed())
	}
	mac.Write([]byte{0})
	r := oracle.Int(mac.Sum(nil))
	var text string
	for _, p := range []oracle.Point{oracle.G.Mul(r), blinded.Mul(r), pub, c} {
		text += hex.EncodeToString(p.Uncompressed())
	}
	e = sha256.Sum256([]byte(text))
	return e, oracle.Bytes(oracle.Fn.Add(r, oracle.Fn.Mul(oracle.Fn.Reduce(oracle.Int(e[:])), a)))
}

// TestWhole follows a token from the secret to spending, and compares each step with math/big.
func TestWhole(t *testing.T) {
	rand := oracle.New(t)
	for i := range 40 {
		k, r := newKeyPair(t, rand), newKeyPair(t, rand)
		secret := fmt.Sprintf("secret %d", i)
		y, _ := hashByOracle(secret)
		blinded := must[*p256k1.PublicKey](t)(Blind([]byte(secret), r))
		byOracle := y.Add(oracle.G.Mul(oracle.Int(r.Bytes())))
		if !bytes.Equal(blinded.Bytes(), byOracle.Compressed()) {
			t.Fatalf("%s: B_ = %v", secret, blinded)
		}
		sig := must[BlindSignature](t)(Sign(k, blinded))
		if e, s := proveByOracle(oracle.Int(k.Bytes()), byOracle); *sig.DLEQ != (DLEQ{e, s}) {
			t.Fatalf("%s: proof %x, want %x, %x", secret, *sig.DLEQ, e, s)
		}
		c := must[*p256k1.PublicKey](t)(Unblind(k.PublicKey(), []byte(secret), sig, r))
		if want := y.Mul(oracle.Int(k.Bytes())).Compressed(); !bytes.Equal(c.Bytes(), want) {
			t.Fatalf("%s: C = %v, want %x", secret, c, want)
		}
		if !Verify(k, []byte(secret), c) || !sig.DLEQ.VerifyToken(k.PublicKey(), []byte(secret), c, r) {
			t.Fatalf("%s: the token is not valid", secret)
		}
		// UnblindWithoutProof gives the same signature.
		if again := must[*p256k1.PublicKey](t)(UnblindWithoutProof(k.PublicKey(), sig, r)); !again.Equal(c) {
			t.Fatalf("%s: without a proof C = %v", secret, again)
		}
	}
}

// manyAttempts maps secrets to the first counter that leads to a point.
var manyAttempts = map[string]int{"secret 2": 0, "secret 0": 5, "secret 2047": 11, "secret 100613": 15, "secret 12653": 16, "secret 163373": 17, "secret 390542": 18}

// TestManyAttempts tries secrets whose first successful counter is at the beginning, in the middle or at the end of the
// first 16 counters, or in the next 16 counters.
func TestManyAttempts(t *testing.T) {
	long := strings.Repeat("long", 20_000)
	for secret, want := range manyAttempts {
		longest, _ := hashByOracle(secret + long)
		if got := must[*p256k1.PublicKey](t)(HashToCurve([]byte(secret + long))); !bytes.Equal(got.Bytes(), longest.Compressed()) {
			t.Errorf("%s and a long text: %v, want %x", secret, got, longest.Compressed())
		}
		p, counter := hashByOracle(secret)
		if counter != want {
			t.Errorf("%s: counter %d, want %d", secret, counter, want)
		}
		for _, n := range []int{1, 2, atOnce} {
			if got := must[*p256k1.PublicKey](t)(hashToCurve([]byte(secret), n)); !bytes.Equal(got.Bytes(), p.Compressed()) {
				t.Errorf("%s, %d at once: %v, want %x", secret, n, got, p.Compressed())
			}
		}
		for _, f := range []func([]byte) (*p256k1.PublicKey, error){HashToCurve, HashToCurveVartime} {
			if got := must[*p256k1.PublicKey](t)(f([]byte(secret))); !bytes.Equal(got.Bytes(), p.Compressed()) {
				t.Errorf("%s: %v, want %x", secret, got, p.Compressed())
			}
		}
	}
}

// TestNotValid tries tokens in which one value is from another token.
func TestNotValid(t *testing.T) {
	rand := oracle.New(t)
	k, r, other := newKeyPair(t, rand), newKeyPair(t, rand), newKeyPair(t, rand)
	secret := []byte("secret")
	mint := k.PublicKey()
	blinded := must[*p256k1.PublicKey](t)(Blind(secret, r))
	sig := must[BlindSignature](t)(Sign(k, blinded))
	c := must[*p256k1.PublicKey](t)(Unblind(mint, secret, sig, r))
	pub := other.PublicKey()
	for name, valid := range map[string]bool{
		"another key":                Verify(other, secret, c),
		"another secret":             Verify(k, []byte("Secret"), c),
		"another signature":          Verify(k, secret, pub),
		"a negated signature":        Verify(k, secret, c.Negate()),
		"the blind signature":        Verify(k, secret, sig.C),
		"proof, another mint":        sig.DLEQ.Verify(pub, blinded, sig.C),
		"proof, another secret":      sig.DLEQ.Verify(mint, pub, sig.C),
		"proof, another signature":   sig.DLEQ.Verify(mint, blinded, pub),
		"proof, negated":             sig.DLEQ.Verify(mint, blinded.Negate(), sig.C.Negate()),
		"proof, swapped":             sig.DLEQ.Verify(blinded, mint, sig.C),
		"token, another mint":        sig.DLEQ.VerifyToken(pub, secret, c, r),
		"token, another secret":      sig.DLEQ.VerifyToken(mint, []byte("Secret"), c, r),
		"token, another signature":   sig.DLEQ.VerifyToken(mint, secret, pub, r),
		"token, another factor":      sig.DLEQ.VerifyToken(mint, secret, c, other),
		"token, the blind signature": sig.DLEQ.VerifyToken(mint, secret, sig.C, r),
	} {
		if valid {
			t.Errorf("%s: valid", name)
		}
	}
	// If A and C_ are infinity, everybody can make a proof, for a = 0.
	var seven curve.Scalar
	var rs [2]curve.Point
	rs[0].ScalarBaseMult(seven.SetUint64(7))
	rs[1].ScalarMult(&seven, blinded.Point())
	curve.NormalizeBatch(rs[:])
	forged := &DLEQ{challenge(&rs[0], &rs[1], new(curve.Point), new(curve.Point)), Integer(seven.Bytes())}
	if forged.Verify(nil, blinded, nil) || forged.Verify(new(p256k1.PublicKey), blinded, new(p256k1.PublicKey)) {
		t.Error("a proof for infinity is valid")
	}
	// If a mint signs with another key, Unblind refuses the signature, whichever key the proof is for.
	for name, bad := range map[string]BlindSignature{
		"another key's":       must[BlindSignature](t)(Sign(other, blinded)),
		"another secret's":    must[BlindSignature](t)(Sign(k, pub)),
		"with another proof":  {sig.C, must[BlindSignature](t)(Sign(k, pub)).DLEQ},
		"with the zero proof": {sig.C, new(DLEQ)},
		"without a proof":     {sig.C, nil},
	} {
		if c, err := Unblind(mint, secret, bad, r); c != nil || !errors.Is(err, ErrProof) {
			t.Errorf("%s: %v, %v", name, c, err)
		}
	}
	// If s = e·k, then R₁ and R₂ are infinity. The proof has their hash as e.
	var e curve.Scalar
	var r1, r2 curve.Point
	hash := challenge(&r1, &r2, mint.Point(), sig.C.Point())
	e.SetBytesReduced(&hash)
	s := oracle.Bytes(oracle.Fn.Mul(oracle.Int(e.Bytes()), oracle.Int(k.Bytes())))
	if (&DLEQ{hash, s}).Verify(mint, blinded, sig.C) {
		t.Error("with R₁ and R₂ at infinity a proof is valid")
	}
	n := oracle.Bytes(oracle.N)
	if (&DLEQ{E: hash, S: n}).Verify(mint, blinded, sig.C) {
		t.Error("s = n is valid")
	}
}

// TestRefused passes keys that are nil, wiped or never set as each argument.
func TestRefused(t *testing.T) {
	rand := oracle.New(t)
	k, r := newKeyPair(t, rand), newKeyPair(t, rand)
	wiped := newKeyPair(t, rand)
	wiped.Zero()
	secret, mint := []byte("secret"), k.PublicKey()
	blinded := must[*p256k1.PublicKey](t)(Blind(secret, r))
	sig := must[BlindSignature](t)(Sign(k, blinded))
	c := must[*p256k1.PublicKey](t)(Unblind(mint, secret, sig, r))
	refuse := func(err, want error, text string) {
		t.Helper()
		if !errors.Is(err, want) || !strings.HasPrefix(err.Error(), "cashu: "+text+": ") {
			t.Errorf("%v, want %s: %v", err, text, want)
		}
	}
	for _, none := range []*p256k1.PrivateKey{nil, {}, wiped} {
		key, err := Blind(secret, none)
		refuse(err, p256k1.ErrNoKey, "blinding factor")
		if key != nil {
			t.Error("a blinded secret and an error")
		}
		signature, err := Sign(none, blinded)
		refuse(err, p256k1.ErrNoKey, "mint's key")
		if signature != (BlindSignature{}) {
			t.Error("a signature and an error")
		}
		key, err = Unblind(mint, secret, sig, none)
		refuse(err, p256k1.ErrNoKey, "blinding factor")
		if key != nil {
			t.Error("a signature and an error")
		}
		key, err = UnblindWithoutProof(mint, sig, none)
		refuse(err, p256k1.ErrNoKey, "blinding factor")
		if key != nil {
			t.Error("a signature and an error")
		}
		if Verify(none, secret, c) || sig.DLEQ.VerifyToken(mint, secret, c, none) {
			t.Error("valid without a key")
		}
	}
	for _, none := range []*p256k1.PublicKey{nil, {}} {
		signature, err := Sign(k, none)
		refuse(err, p256k1.ErrNoKey, "blinded secret")
		if signature != (BlindSignature{}) {
			t.Error("a signature and an error")
		}
		for _, f := range []func(*p256k1.PublicKey, BlindSignature) (*p256k1.PublicKey, error){
			func(mint *p256k1.PublicKey, sig BlindSignature) (*p256k1.PublicKey, error) {
				return Unblind(mint, secret, sig, r)
			},
			func(mint *p256k1.PublicKey, sig BlindSignature) (*p256k1.PublicKey, error) {
				return UnblindWithoutProof(mint, sig, r)
			},
		} {
			_, err = f(none, sig)
			refuse(err, p256k1.ErrNoKey, "mint's key")
			_, err = f(mint, BlindSignature{none, sig.DLEQ})
			refuse(err, p256k1.ErrNoKey, "blind signature")
		}
		for i, valid := range []bool{
			Verify(k, secret, none), sig.DLEQ.Verify(none, blinded, sig.C), sig.DLEQ.Verify(mint, none, sig.C), sig.DLEQ.Verify(mint, blinded, none),
			sig.DLEQ.VerifyToken(none, secret, c, r), sig.DLEQ.VerifyToken(mint, secret, none, r),
		} {
			if valid {
				t.Errorf("%d: valid without a key", i)
			}
		}
	}
	// The error names the first missing argument.
	_, err := Unblind(nil, nil, BlindSignature{}, r)
	refuse(err, p256k1.ErrNoKey, "mint's key")
	var proof *DLEQ
	if proof.Verify(mint, blinded, sig.C) || proof.VerifyToken(mint, secret, c, r) {
		t.Error("valid without a proof")
	}
	// If B_ = r·G, which no secret leads to, then C_ = r·K, and the unblinded signature is infinity.
	key, err := UnblindWithoutProof(mint, must[BlindSignature](t)(Sign(k, r.PublicKey())), r)
	refuse(err, p256k1.ErrInfinity, "signature")
	if key != nil {
		t.Error("a signature at infinity")
	}
	if sig.DLEQ.VerifyToken(mint, secret, must[*p256k1.PublicKey](t)(mint.TweakMul(r.Bytes())).Negate(), r) {
		t.Error("a blind signature at infinity is valid")
	}
}

// TestEmptySecret tries a token that lacks its secret.
func TestEmptySecret(t *testing.T) {
	rand := oracle.New(t)
	k, r := newKeyPair(t, rand), newKeyPair(t, rand)
	mint := k.PublicKey()
	for _, none := range [][]byte{nil, {}} {
		for name, f := range map[string]func() (*p256k1.PublicKey, error){
			"HashToCurve":        func() (*p256k1.PublicKey, error) { return HashToCurve(none) },
			"HashToCurveVartime": func() (*p256k1.PublicKey, error) { return HashToCurveVartime(none) },
			"Blind":              func() (*p256k1.PublicKey, error) { return Blind(none, r) },
			"Unblind": func() (*p256k1.PublicKey, error) {
				return Unblind(mint, none, must[BlindSignature](t)(Sign(k, mint)), r)
			},
		} {
			if key, err := f(); key != nil || !errors.Is(err, p256k1.ErrLength) {
				t.Errorf("%s: %v, %v", name, key, err)
			}
		}
		y, _ := hashByOracle("")
		c := must[*p256k1.PublicKey](t)(p256k1.ParsePublicKey(y.Mul(oracle.Int(k.Bytes())).Compressed()))
		e, s := proveByOracle(oracle.Int(k.Bytes()), y.Add(oracle.G.Mul(oracle.Int(r.Bytes()))))
		if Verify(k, none, c) || (&DLEQ{e, s}).VerifyToken(mint, none, c, r) {
			t.Error("an empty secret is valid")
		}
	}
}

// TestNotTogether unblinds signatures with a secret or a blinding factor to which they do not belong.
func TestNotTogether(t *testing.T) {
	rand := oracle.New(t)
	k, r, other := newKeyPair(t, rand), newKeyPair(t, rand), newKeyPair(t, rand)
	secret, second := []byte("secret"), []byte("second")
	mint := k.PublicKey()
	sig := must[BlindSignature](t)(Sign(k, must[*p256k1.PublicKey](t)(Blind(secret, r))))
	for name, f := range map[string]func() (*p256k1.PublicKey, error){
		"another factor":     func() (*p256k1.PublicKey, error) { return Unblind(mint, secret, sig, other) },
		"another secret":     func() (*p256k1.PublicKey, error) { return Unblind(mint, second, sig, r) },
		"another of both":    func() (*p256k1.PublicKey, error) { return Unblind(mint, second, sig, other) },
		"another mint's key": func() (*p256k1.PublicKey, error) { return Unblind(other.PublicKey(), secret, sig, r) },
		"the mint's own key": func() (*p256k1.PublicKey, error) { return Unblind(mint, secret, sig, k) },
	} {
		if c, err := f(); c != nil || !errors.Is(err, ErrProof) {
			t.Errorf("%s: %v, %v", name, c, err)
		}
	}
}

// TestProofByMint makes the proof that the documentation of VerifyToken describes: C_ = a·Y + G, R₂ = k·Y, e = hash(R₁,
// R₂, A, C_), and an r for which s·B_ = R₂ + e·C_.
func TestProofByMint(t *testing.T) {
	rand := oracle.New(t)
	mint, nonce := newKeyPair(t, rand), newKeyPair(t, rand)
	a, k := oracle.Int(mint.Bytes()), oracle.Int(nonce.Bytes())
	pub := oracle.G.Mul(a)
	y, _ := hashByOracle("secret")
	c := y.Mul(a).Add(oracle.G)
	var text string
	for _, p := range []oracle.Point{oracle.G.Mul(k), y.Mul(k), pub, c} {
		text += hex.EncodeToString(p.Uncompressed())
	}
	hash := sha256.Sum256([]byte(text))
	e := oracle.Fn.Reduce(oracle.Int(hash[:]))
	s := oracle.Fn.Add(k, oracle.Fn.Mul(e, a))
	r := oracle.Fn.Mul(e, oracle.Fn.Inv(s))
	factor := oracle.Bytes(r)
	signature := must[*p256k1.PublicKey](t)(p256k1.ParsePublicKey(c.Add(pub.Mul(r).Neg()).Compressed()))
	proof := &DLEQ{hash, oracle.Bytes(s)}
	if Verify(mint, []byte("secret"), signature) {
		t.Error("the signature is right")
	}
	if !proof.VerifyToken(mint.PublicKey(), []byte("secret"), signature, privateKey(t, hex.EncodeToString(factor[:]))) {
		t.Error("NUT-12 refuses it: the comment can go")
	}
}

// TestJSON encodes and decodes the structures of NUT-00 and NUT-12, and decodes invalid texts.
func TestJSON(t *testing.T) {
	const (
		e = "9818e061ee51d5c8edc3342369a554998ff7b4381c8652d724cdf46429be73d9"
		s = "9818e061ee51d5c8edc3342369a554998ff7b4381c8652d724cdf46429be73da"
		c = "02a9acc1e48c25eeeb9289b5031cc57da9fe72f3fe2861d264bdc074209b107ba2"
	)
	type promise struct {
		ID     string `json:"id"`
		Amount uint64 `json:"amount"`
		BlindSignature
	}
	answer := `{"id":"00882760bfa2eb41","amount":8,"C_":"` + c + `","dleq":{"e":"` + e + `","s":"` + s + `"}}`
	var got promise
	if err := json.Unmarshal([]byte(answer), &got); err != nil {
		t.Fatal(err)
	}
	one := publicKey(t, "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")
	if got.Amount != 8 || !got.DLEQ.Verify(one, got.C, got.C) {
		t.Errorf("%+v", got)
	}
	if text := must[[]byte](t)(json.Marshal(got)); string(text) != answer {
		t.Errorf("%s, want %s", text, answer)
	}
	if text := must[[]byte](t)(json.Marshal(BlindSignature{C: got.C})); string(text) != `{"C_":"`+c+`"}` {
		t.Errorf("without a proof: %s", text)
	}

	token := `{"e":"` + e + `","s":"` + s + `","r":"` + s + `"}`
	var inToken struct {
		DLEQ
		R string `json:"r"`
	}
	if err := json.Unmarshal([]byte(token), &inToken); err != nil || inToken.DLEQ != *got.DLEQ || inToken.R != s {
		t.Errorf("%+v, %v", inToken, err)
	}
	if text := must[[]byte](t)(json.Marshal(inToken)); string(text) != token {
		t.Errorf("%s, want %s", text, token)
	}

	for text, want := range map[string]error{
		`""`: p256k1.ErrLength, `"` + e[2:] + `"`: p256k1.ErrLength, `"` + e + `00"`: p256k1.ErrLength, `"` + e[1:] + `"`: p256k1.ErrLength,
		`"` + strings.ToUpper(e) + `"`: p256k1.ErrHex, `"0x` + e[2:] + `"`: p256k1.ErrHex, `" ` + e[1:] + `"`: p256k1.ErrHex,
		`[152,24]`: nil, `7`: nil, `{}`: nil,
	} {
		proof := DLEQ{E: Integer{1}}
		err := json.Unmarshal([]byte(`{"e":`+text+`}`), &proof)
		if err == nil || (want != nil && !errors.Is(err, want)) || proof.E != (Integer{1}) {
			t.Errorf("%s: %x, %v, want %v", text, proof.E, err, want)
		}
	}
}

// TestAllocations checks that values which may be secret stay on the stack, except for the resulting point.
func TestAllocations(t *testing.T) {
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("the race detector allocates")
	}
	rand := oracle.New(t)
	k, r := newKeyPair(t, rand), newKeyPair(t, rand)
	secret := bytes.Repeat([]byte("secret"), 100)
	sig := must[BlindSignature](t)(Sign(k, must[*p256k1.PublicKey](t)(Blind(secret, r))))
	c := must[*p256k1.PublicKey](t)(Unblind(k.PublicKey(), secret, sig, r))
	mint := k.PublicKey()
	for name, operation := range map[string]struct {
		most float64
		f    func()
	}{
		"HashToCurve":        {1, func() { HashToCurve(secret) }},
		"HashToCurveVartime": {1, func() { HashToCurveVartime(secret) }},
		"Blind":              {2, func() { Blind(secret, r) }},
		"Sign":               {2, func() { Sign(k, sig.C) }},
		"Unblind":            {3, func() { Unblind(mint, secret, sig, r) }},
		"Verify":             {1, func() { Verify(k, secret, c) }},
		"DLEQ.Verify":        {0, func() { sig.DLEQ.Verify(mint, sig.C, sig.C) }},
		"DLEQ.VerifyToken":   {3, func() { sig.DLEQ.VerifyToken(mint, secret, c, r) }},
	} {
		operation.f()
		if n := testing.AllocsPerRun(20, operation.f); n > operation.most {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// FuzzJSON checks that decoded values equal the values in the text, and stay the same after encoding and decoding
// again.
func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"id":"00","C_":"02a9acc1e48c25eeeb9289b5031cc57da9fe72f3fe2861d264bdc074209b107ba2","dleq":{"e":"` +
		strings.Repeat("9f", 32) + `","s":"` + strings.Repeat("0a", 32) + `"}}`))
	f.Add([]byte(`{"C_":"02a9acc1e48c25eeeb9289b5031cc57da9fe72f3fe2861d264bdc074209b107ba2","dleq":{"e":"00","s":""}}`))
	f.Add([]byte(`{"C_":null,"dleq":{"e":"9818e061ee51d5c8edc3342369a554998ff7b4381c8652d724cdf46429be73d9"}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var sig, again BlindSignature
		if json.Unmarshal(text, &sig) != nil || sig.C == nil || sig.DLEQ == nil {
			return
		}
		var raw struct {
			DLEQ struct{ E, S string } `json:"dleq"`
		}
		if err := json.Unmarshal(text, &raw); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for half, text := range map[*Integer]string{&sig.DLEQ.E: raw.DLEQ.E, &sig.DLEQ.S: raw.DLEQ.S} {
			if text != "" && hex.EncodeToString(half[:]) != text {
				t.Fatalf("%x of %q", *half, text)
			}
		}
		written, err := json.Marshal(sig)
		if err != nil || json.Unmarshal(written, &again) != nil || *again.DLEQ != *sig.DLEQ || !again.C.Equal(sig.C) {
			t.Fatalf("%s: %s, %v", text, written, err)
		}
		var half Integer
		if encoded, err := sig.DLEQ.E.MarshalText(); err != nil || half.UnmarshalText(encoded) != nil || half != sig.DLEQ.E {
			t.Fatalf("%s: %s, %v", text, encoded, err)
		}
	})
}

func FuzzVerify(f *testing.F) {
	rand := oracle.NewSeeded("cashu")
	k, r := newKeyPair(f, rand), newKeyPair(f, rand)
	secret := []byte("secret")
	blinded := must[*p256k1.PublicKey](f)(Blind(secret, r))
	sig := must[BlindSignature](f)(Sign(k, blinded))
	c := must[*p256k1.PublicKey](f)(Unblind(k.PublicKey(), secret, sig, r))
	f.Add(sig.DLEQ.E[:], sig.DLEQ.S[:], sig.C.Bytes(), c.Bytes(), secret, r.Bytes())
	f.Add(sig.DLEQ.E[:], oracle.N.Bytes(), c.Bytes(), sig.C.Bytes(), []byte{}, secret)
	f.Add(sig.DLEQ.E[:], sig.DLEQ.S[:], c.Bytes(), sig.C.Bytes(), secret, r.Bytes()) // C and C_ exchanged
	f.Add(append(sig.DLEQ.E[:31:31], sig.DLEQ.E[31]^1), sig.DLEQ.S[:], sig.C.Bytes(), c.Bytes(), []byte("secret 100613"), r.Bytes())
	f.Add(sig.DLEQ.E[:], append(sig.DLEQ.S[:31:31], sig.DLEQ.S[31]^1), sig.C.Bytes(), c.Bytes(), []byte("secret 12653"), r.Bytes())
	f.Fuzz(func(t *testing.T, e, s, first, second, text, factor []byte) {
		var proof DLEQ
		copy(proof.E[:], e)
		copy(proof.S[:], s)
		blindC, err1 := p256k1.ParsePublicKey(first)
		c, err2 := p256k1.ParsePublicKey(second)
		if err1 == nil && proof.Verify(k.PublicKey(), blinded, blindC) && (proof != *sig.DLEQ || !blindC.Equal(sig.C)) {
			t.Fatalf("%x for %v is valid", proof, blindC)
		}
		if err2 != nil {
			return
		}
		if len(text) == 0 {
			if Verify(k, text, c) {
				t.Fatal("an empty secret is valid")
			}
			return
		}
		y, err := HashToCurve(text)
		if again, err2 := HashToCurveVartime(text); err != nil || err2 != nil || !y.Equal(again) {
			t.Fatalf("%x: %v, %v, %v, %v", text, y, err, again, err2)
		}
		if Verify(k, text, c) != c.Equal(must[*p256k1.PublicKey](t)(y.TweakMul(k.Bytes()))) {
			t.Fatalf("%x, %v: not what multiplication says", text, c)
		}
		other, err := p256k1.ParsePrivateKey(factor)
		if err == nil && proof.VerifyToken(k.PublicKey(), text, c, other) && !Verify(k, text, c) {
			t.Fatalf("%x: a token by a proof, and not by the mint", text)
		}
	})
}

func BenchmarkCashu(b *testing.B) {
	rand := oracle.NewSeeded("cashu")
	k, r := newKeyPair(b, rand), newKeyPair(b, rand)
	secret := []byte("secret")
	blinded := must[*p256k1.PublicKey](b)(Blind(secret, r))
	sig := must[BlindSignature](b)(Sign(k, blinded))
	c := must[*p256k1.PublicKey](b)(Unblind(k.PublicKey(), secret, sig, r))
	for _, operation := range []struct {
		name string
		f    func()
	}{
		{"Blind", func() { Blind(secret, r) }},
		{"Sign", func() { Sign(k, blinded) }},
		{"Unblind", func() { Unblind(k.PublicKey(), secret, sig, r) }},
		{"Verify", func() { Verify(k, secret, c) }},
		{"VerifyToken", func() { sig.DLEQ.VerifyToken(k.PublicKey(), secret, c, r) }},
	} {
		b.Run(operation.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				operation.f()
			}
		})
	}
}
