package conformance

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/vectors"
	"p256k1.mleku.dev/v2/rfc6979"
)

// ecdsaFixtures is the form of ecdsa.json, which noble took over from tiny-secp256k1.
type ecdsaFixtures struct {
	Valid []struct {
		Description, D, M, Signature string
		RecoveryID                   *int
	}
	ExtraEntropy []struct {
		D, M                                                                                      string
		Signature, ExtraEntropy0, ExtraEntropy1, ExtraEntropyRand, ExtraEntropyN, ExtraEntropyMax string
		RecoveryID, RecoveryID0, RecoveryID1, RecoveryIDRand, RecoveryIDN, RecoveryIDMax          *int
	}
	Invalid struct {
		Sign   []struct{ Description, D, M string }
		Verify []struct {
			Description, Exception, Q, M, Signature string
			Strict                                  bool
		}
		Recover []struct {
			Description, M, Signature string
			RecoveryID                int
		}
	}
}

func TestNobleECDSA(t *testing.T) {
	var file ecdsaFixtures
	vectors.JSON(t, "noble/ecdsa.json", &file)
	count := newTally(t)
	checkECDSAFixtures(t, count, &file)
	count.want("2019 signatures, 30 signatures with extra entropy, 4 refused to sign, 19 refused keys, 5 refused signatures, " +
		"1 valid but of high s")
}

func checkECDSAFixtures(t *testing.T, count *tally, file *ecdsaFixtures) {
	// check makes sure that signing gives the signature, which must be valid and lead back to the key.
	check := func(name string, priv *p256k1.PrivateKey, digest []byte, extra *[32]byte, signature string, id *int) {
		t.Helper()
		sig, err := ecdsa.Sign(priv, digest)
		if extra != nil {
			sig, err = ecdsa.SignWithEntropy(priv, digest, extra)
		} else if err == nil {
			signTogether(t, priv, digest, sig)
		}
		if err != nil || !bytes.Equal(sig.Bytes(), unhex(t, signature)) {
			t.Errorf("%s: signature %x (%v), want %s", name, sig.Bytes(), err, signature)
			return
		}
		// The crypto.Signer mixes in what it reads.
		var entropy io.Reader
		if extra != nil {
			entropy = bytes.NewReader(extra[:])
		}
		if der, err := ecdsa.NewSigner(priv).Sign(entropy, digest, nil); err != nil || !bytes.Equal(der, sig.DER()) {
			t.Errorf("%s: signature of the Signer %x (%v), want %x", name, der, err, sig.DER())
		}
		pub := priv.PublicKey()
		if !ecdsa.Verify(pub, digest, sig) {
			t.Errorf("%s: signature is not valid", name)
		}
		checkValidECDSA(t, pub, digest, sig)
		ids := recoveryIDs(t, digest, sig, pub)
		if id != nil && (len(ids) != 1 || ids[0] != *id) {
			t.Errorf("%s: recovery ids %v, want %d", name, ids, *id)
		}
		if extra == nil {
			recoverable, err := ecdsa.SignRecoverable(priv, digest)
			if err != nil || recoverable.Signature() != sig || recoverable.RecoveryID() != ids[0] {
				t.Errorf("%s: SignRecoverable gives %x (%v)", name, recoverable.Bytes(), err)
			}
		}
	}
	for i, test := range file.Valid {
		count.add("signatures")
		check(fmt.Sprint(i, test.Description), privateKey(t, unhex(t, test.D)), unhex(t, test.M), nil, test.Signature, test.RecoveryID)
	}
	max := oracle.Bytes(oracle.Int(bytes.Repeat([]byte{0xff}, 32)))
	order := oracle.Bytes(oracle.N)
	for i, test := range file.ExtraEntropy {
		priv, digest := privateKey(t, unhex(t, test.D)), unhex(t, test.M)
		for _, v := range []struct {
			name      string
			extra     *[32]byte
			signature string
			id        *int
		}{
			{"none", nil, test.Signature, test.RecoveryID},
			{"0", &[32]byte{}, test.ExtraEntropy0, test.RecoveryID0},
			{"1", &[32]byte{31: 1}, test.ExtraEntropy1, test.RecoveryID1},
			{"random", nobleEntropy(t), test.ExtraEntropyRand, test.RecoveryIDRand},
			{"n", &order, test.ExtraEntropyN, test.RecoveryIDN},
			{"2²⁵⁶ − 1", &max, test.ExtraEntropyMax, test.RecoveryIDMax},
		} {
			count.add("signatures with extra entropy")
			check(fmt.Sprintf("%d with extra entropy %s", i, v.name), priv, digest, v.extra, v.signature, v.id)
		}
	}

	for _, test := range file.Invalid.Sign {
		count.add("refused to sign")
		if _, ok := parsePrivateKey(t, unhex(t, test.D)); ok {
			t.Errorf("%s: %s is accepted", test.Description, test.D)
		}
	}
	for _, test := range file.Invalid.Verify {
		pub, ok := parsePublicKey(t, unhex(t, test.Q))
		if !ok {
			count.add("refused keys")
			if test.Exception != "Expected Point" {
				t.Errorf("%s: key %s is refused", test.Description, test.Q)
			}
			continue
		}
		sig, ok := parseCompact(t, unhex(t, test.Signature))
		switch digest := unhex(t, test.M); {
		case test.Exception == "Expected Point":
			t.Errorf("%s: key %s is accepted", test.Description, test.Q)
		case !ok:
			count.add("refused signatures")
			if !strings.Contains(test.Description, "value") {
				t.Errorf("%s: %s is refused", test.Description, test.Signature)
			}
		case test.Strict:
			count.add("valid but of high s")
			if !ecdsa.Verify(pub, digest, sig) || ecdsa.VerifyLowS(pub, digest, sig) {
				t.Errorf("%s: not so", test.Description)
			}
		default:
			t.Errorf("%s: nothing to refuse", test.Description)
		}
	}
	for _, test := range file.Invalid.Recover {
		sig, err := ecdsa.ParseRecoverable(append(unhex(t, test.Signature), byte(test.RecoveryID)))
		switch {
		case strings.HasPrefix(test.Description, "Invalid hash length"):
			count.add("digests of another length")
			if k, err2 := ecdsa.Recover(unhex(t, test.M), sig); err != nil || !errors.Is(err2, p256k1.ErrLength) {
				t.Errorf("%s: %v, leads to %x, %v", test.Description, err, k.Bytes(), err2)
			}
		case err != nil:
			count.add("refused recoverable signatures")
			if !isOneOf(err, p256k1.ErrRange) {
				t.Errorf("%s: %v", test.Description, err)
			}
		default:
			count.add("signatures without a key")
			if k, err := ecdsa.Recover(unhex(t, test.M), sig); !errors.Is(err, ecdsa.ErrRecover) {
				t.Errorf("%s: leads to %x, %v", test.Description, k.Bytes(), err)
			}
		}
	}
}

// nobleEntropy is the extra entropy that the fixtures call random. They do not hold it, but the tests of both projects do.
func nobleEntropy(t testing.TB) *[32]byte {
	return unhex32(t, "6e723d3fd94ed5d2b6bdd4f123364b0f3ca52af829988a63f8afe91d29db1c33")
}

// noble/rfc6979.json holds the first, the second and the sixteenth nonce of a key and a message.
func TestNobleRFC6979(t *testing.T) {
	var file []struct{ Message, D, K0, K1, K15 string }
	vectors.JSON(t, "noble/rfc6979.json", &file)
	count := newTally(t)
	for _, test := range file {
		count.add("generators")
		digest := sha256.Sum256([]byte(test.Message))
		z := oracle.Bytes(oracle.Fn.Reduce(oracle.Int(digest[:])))
		var g rfc6979.Generator
		g.Init(unhex32(t, test.D), &z, nil)
		for i := range 16 {
			var k [32]byte
			g.Next(&k)
			if want, ok := map[int]string{0: test.K0, 1: test.K1, 15: test.K15}[i]; ok {
				count.add("nonces")
				if !bytes.Equal(k[:], unhex(t, want)) {
					t.Errorf("%q: nonce %d is %x, want %s", test.Message, i, k, want)
				}
			}
		}
	}
	count.want("10 generators, 30 nonces")
}

type pointFixture struct {
	Description, P, Q, D, Exception string
	Compress                        *bool
	Expected                        any // a bool, the encoding of a point, or nil for infinity
}

// pointFixtures is the form of points.json.
type pointFixtures struct{ Valid, Invalid map[string][]pointFixture }

func TestNoblePoints(t *testing.T) {
	var file pointFixtures
	vectors.JSON(t, "noble/points.json", &file)
	count := newTally(t)
	checkPointFixtures(t, count, &file)
	count.want("2029 valid isPoint, 118 valid pointAdd, 23 valid pointAddScalar, 240 valid pointCompress, " +
		"16 valid pointFromScalar, 6 valid pointMultiply, " +
		"38 invalid pointAdd, 26 invalid pointAddScalar, 19 invalid pointCompress, 4 invalid pointFromScalar, " +
		"23 invalid pointMultiply, 1 of them valid here: tweak by 0")
}

func checkPointFixtures(t *testing.T, count *tally, file *pointFixtures) {
	for _, kind := range slices.Sorted(maps.Keys(file.Valid)) {
		for i, test := range file.Valid[kind] {
			count.add("valid " + kind)
			got, err := evaluatePointFixture(t, kind, &test)
			if err != nil && test.Expected != nil || got != test.Expected {
				t.Errorf("valid %s %d (%s): %v (%v), want %v", kind, i, test.Description, got, err, test.Expected)
			}
			if test.Expected == nil && !isOneOf(err, p256k1.ErrInfinity, p256k1.ErrRange) {
				t.Errorf("valid %s %d (%s): error %v for infinity", kind, i, test.Description, err)
			}
		}
	}
	documented := append([]error{p256k1.ErrInfinity}, publicKeyErrors...)
	for _, kind := range slices.Sorted(maps.Keys(file.Invalid)) {
		for i, test := range file.Invalid[kind] {
			count.add("invalid " + kind)
			got, err := evaluatePointFixture(t, kind, &test)
			if strings.Contains(test.Description, "accept 0") {
				// noble refuses what BIP-32 allows. tiny-secp256k1 has the same case among the valid ones.
				count.add("of them valid here: tweak by 0")
				if err != nil || got != test.P {
					t.Errorf("invalid %s %d (%s): %v, %v", kind, i, test.Description, got, err)
				}
				continue
			}
			if err == nil || !isOneOf(err, documented...) {
				t.Errorf("invalid %s %d (%s): %v, %v", kind, i, test.Description, got, err)
			}
		}
	}
}

// evaluatePointFixture does what the kind of a fixture says, and returns the encoding of the resulting point in the form that
// the fixture asks for.
func evaluatePointFixture(t *testing.T, kind string, test *pointFixture) (any, error) {
	var p, q *p256k1.PublicKey
	for _, key := range []struct {
		text string
		p    **p256k1.PublicKey
	}{{test.P, &p}, {test.Q, &q}} {
		if key.text == "" {
			continue
		}
		var err error
		*key.p, err = p256k1.NewPublicKey(unhex(t, key.text))
		if kind == "isPoint" {
			return err == nil, nil
		}
		if err != nil {
			return nil, err
		}
	}
	encode := func(k *p256k1.PublicKey, err error) (any, error) {
		if err != nil {
			return nil, err
		}
		// Without a flag the form is that of the input, and compressed without one.
		if test.Compress != nil && !*test.Compress || test.Compress == nil && len(test.P) == 130 {
			return fmt.Sprintf("%x", k.BytesUncompressed()), nil
		}
		return fmt.Sprintf("%x", k.Bytes()), nil
	}
	switch kind {
	case "pointAdd":
		sum := new(curve.Point).Add(p.Point(), q.Point())
		if new(curve.Point).Sub(p.Point(), q.Negate().Point()).Equal(sum) != 1 {
			t.Errorf("P + Q ≠ P − (−Q) for %s, %s", test.P, test.Q)
		}
		return encode(p256k1.NewPublicKeyFromPoint(sum))
	case "pointAddScalar":
		return encode(p.TweakAdd(unhex(t, test.D)))
	case "pointCompress":
		return encode(p, nil)
	case "pointMultiply":
		return encode(p.TweakMul(unhex(t, test.D)))
	case "pointFromScalar":
		k, err := p256k1.NewPrivateKey(unhex(t, test.D))
		if err != nil {
			return nil, err
		}
		return encode(k.PublicKey(), nil)
	case "pointNegate": // of a private key
		k, err := p256k1.NewPrivateKey(unhex(t, test.D))
		if err != nil {
			return nil, err
		}
		return fmt.Sprintf("%x", k.Negate().Bytes()), nil
	default:
		t.Fatalf("unknown kind %q", kind)
		return nil, nil
	}
}

// points.txt holds compressed points, which must survive being parsed and encoded in any form.
func TestNoblePointsText(t *testing.T) {
	count := newTally(t)
	vectors.Lines(t, "noble/points.txt", func(n int, line []byte) {
		count.add("points")
		b := unhex(t, string(line))
		pub, ok := parsePublicKey(t, b)
		if !ok || !bytes.Equal(pub.Bytes(), b) {
			t.Errorf("line %d: %s", n, line)
			return
		}
		checkEncodings(t, pub, pub.BytesUncompressed())
		if p, ok := oracle.DecodePoint(b); !ok || !bytes.Equal(p.Uncompressed(), pub.BytesUncompressed()) {
			t.Errorf("line %d: y differs from the oracle's", n)
		}
	})
	count.want("1272 points")
}

// privates-2.txt holds k:x:y for k·G = (x, y).
func TestNoblePrivates(t *testing.T) {
	count := newTally(t)
	vectors.Lines(t, "noble/privates-2.txt", func(n int, line []byte) {
		count.add("keys")
		parts := strings.Split(string(line), ":")
		if len(parts) != 3 {
			t.Fatalf("line %d: %q", n, line)
		}
		xy := append(pad32(t, unhex(t, parts[1])), pad32(t, unhex(t, parts[2]))...)
		checkEncodings(t, privateKey(t, decimal32(t, parts[0])).PublicKey(), append([]byte{4}, xy...))
	})
	count.want("45 keys")
}

// endomorphism.json holds products whose scalars have a negative part when they are split by λ.
func TestNobleEndomorphism(t *testing.T) {
	var file []struct{ Desc, AX, AY, Scalar, CX, CY string }
	vectors.JSON(t, "noble/endomorphism.json", &file)
	count := newTally(t)
	for _, test := range file {
		count.add("products")
		a := publicKey(t, append(append([]byte{4}, decimal32(t, test.AX)...), decimal32(t, test.AY)...)).Point()
		c := publicKey(t, append(append([]byte{4}, decimal32(t, test.CX)...), decimal32(t, test.CY)...)).Point()
		k, zero := scalarOf(t, decimal32(t, test.Scalar)), new(curve.Scalar)
		for name, p := range map[string]*curve.Point{
			"ScalarMult":                  new(curve.Point).ScalarMult(k, a),
			"DoubleScalarBaseMultVartime": new(curve.Point).DoubleScalarBaseMultVartime(k, a, zero),
			"MultiScalarMultVartime":      new(curve.Point).MultiScalarMultVartime([]*curve.Scalar{k}, []*curve.Point{a}),
		} {
			if p.Equal(c) != 1 {
				t.Errorf("%s: %s gives %x, want %x", test.Desc, name, p.BytesUncompressed(), c.BytesUncompressed())
			}
		}
	}
	count.want("3 products")
}
