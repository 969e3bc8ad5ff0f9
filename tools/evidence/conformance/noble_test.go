package conformance

import (
	"bytes"
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
)

// TestECDSAFixtures tests ecdsa.json of tiny-secp256k1, and of noble, which adopted the file.
func TestECDSAFixtures(t *testing.T) {
	const common = "30 signatures with extra entropy, 4 refused to sign, 19 refused keys, 5 refused signatures, 1 valid but of high s"
	for _, f := range []struct{ source, want string }{
		{"noble", "2019 signatures, " + common},
		{"tiny-secp256k1", "2020 signatures, 5 refused recoverable signatures, 2 signatures without a key, 1 digests of another length, " + common},
	} {
		t.Run(f.source, func(t *testing.T) {
			count := tally{}
			checkECDSAFixtures(t, f.source+"/ecdsa.json", count)
			count.want(t, f.want)
		})
	}
}

func checkECDSAFixtures(t *testing.T, name string, count tally) {
	var file struct {
		Valid        []map[string]any
		ExtraEntropy []map[string]any // with a signature for each extra entropy
		Invalid      struct {
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
	vectors.JSON(t, name, &file)
	// check checks that signing gives the wanted signature, and that the signature is valid and recovers the key.
	check := func(test map[string]any, signature, recoveryID string, extra *[32]byte) {
		t.Helper()
		priv, digest, want := privateKey(unhex(test["d"].(string))), unhex(test["m"].(string)), unhex(test[signature].(string))
		sig, err := ecdsa.Sign(priv, digest, &ecdsa.Options{Entropy: extra})
		var entropy io.Reader // the crypto.Signer mixes in the bytes that it reads
		if extra != nil {
			entropy = bytes.NewReader(extra[:])
		}
		if err != nil || !bytes.Equal(sig.Bytes(), want) {
			t.Errorf("%v, %s: signature %x (%v), want %x", test, signature, sig.Bytes(), err, want)
			return
		}
		if der, err := ecdsa.NewSigner(priv, nil).Sign(entropy, digest, nil); err != nil || !bytes.Equal(der, sig.DER()) {
			t.Errorf("%v, %s: signature of the Signer %x (%v), want %x", test, signature, der, err, sig.DER())
		}
		id := checkValidECDSA(t, priv.PublicKey(), digest, sig)
		if want, ok := test[recoveryID].(float64); ok && id != int(want) {
			t.Errorf("%v, %s: recovery id %d", test, signature, id)
		}
		if extra == nil {
			checkSignECDSA(t, priv, digest, sig)
			recoverable, err := ecdsa.SignRecoverable(priv, digest, nil)
			if err != nil || recoverable.Signature() != sig || recoverable.RecoveryID() != id {
				t.Errorf("%v: SignRecoverable gives %x (%v)", test, recoverable.Bytes(), err)
			}
		}
	}
	for _, test := range file.Valid {
		count.add("signatures")
		check(test, "signature", "recoveryId", nil)
	}
	order, ones := oracle.Bytes(oracle.N), [32]byte(bytes.Repeat([]byte{0xff}, 32))
	for _, test := range file.ExtraEntropy {
		count.add("signatures with extra entropy")
		check(test, "signature", "recoveryId", nil)
		for name, extra := range map[string]*[32]byte{
			"0": {}, "1": {31: 1}, "N": &order, "Max": &ones,
			"Rand": unhex32("6e723d3fd94ed5d2b6bdd4f123364b0f3ca52af829988a63f8afe91d29db1c33"), // from the tests of both projects
		} {
			count.add("signatures with extra entropy")
			check(test, "extraEntropy"+name, "recoveryId"+name, extra)
		}
	}

	for _, test := range file.Invalid.Sign {
		count.add("refused to sign")
		if _, ok := parsePrivateKey(t, unhex(test.D)); ok {
			t.Errorf("%s: %s is accepted", test.Description, test.D)
		}
	}
	for _, test := range file.Invalid.Verify {
		pub, isKey := parsePublicKey(t, unhex(test.Q))
		sig, isSignature := parseCompact(t, unhex(test.Signature))
		kind, want := "", ""
		switch digest := unhex(test.M); {
		case !isKey:
			kind = "refused keys"
		case !isSignature:
			kind = "refused signatures"
		case ecdsa.Verify(pub, digest, sig) && !ecdsa.VerifyLowS(pub, digest, sig):
			kind = "valid but of high s"
		}
		switch {
		case test.Exception == "Expected Point":
			want = "refused keys"
		case test.Strict:
			want = "valid but of high s"
		case strings.Contains(test.Description, "value"):
			want = "refused signatures"
		}
		count.add(kind)
		if kind != want {
			t.Errorf("%s: %q, want %q", test.Description, kind, want)
		}
	}
	for _, test := range file.Invalid.Recover {
		sig, err := ecdsa.ParseRecoverable(append(unhex(test.Signature), byte(test.RecoveryID)))
		switch {
		case strings.HasPrefix(test.Description, "Invalid hash length"):
			count.add("digests of another length")
			if k, err2 := ecdsa.Recover(unhex(test.M), sig); err != nil || !errors.Is(err2, p256k1.ErrLength) {
				t.Errorf("%s: %v, the result is %x, %v", test.Description, err, k.Bytes(), err2)
			}
		case err != nil:
			count.add("refused recoverable signatures")
			if !isOneOf(err, p256k1.ErrRange) {
				t.Errorf("%s: %v", test.Description, err)
			}
		default:
			count.add("signatures without a key")
			if k, err := ecdsa.Recover(unhex(test.M), sig); !errors.Is(err, ecdsa.ErrRecover) {
				t.Errorf("%s: the result is %x, %v", test.Description, k.Bytes(), err)
			}
		}
	}
}

type pointFixture struct {
	Description, P, Q, D, Exception string
	Compress                        *bool
	Expected                        any // a bool, the encoding of a point, or nil for infinity
}

// TestPointFixtures tests points.json of both projects.
func TestPointFixtures(t *testing.T) {
	const common = "2029 valid isPoint, 118 valid pointAdd, 16 valid pointFromScalar, " +
		"38 invalid pointAdd, 19 invalid pointCompress, 4 invalid pointFromScalar, "
	for _, f := range []struct{ source, want string }{
		{"noble", common + "23 valid pointAddScalar, 240 valid pointCompress, 6 valid pointMultiply, " +
			"26 invalid pointAddScalar, 23 invalid pointMultiply, 1 of them valid here: tweak by 0"},
		{"tiny-secp256k1", common + "27 valid pointAddScalar, 242 valid pointCompress, 7 valid pointMultiply, " +
			"16 valid pointNegate, 22 invalid pointAddScalar, 22 invalid pointMultiply"},
	} {
		t.Run(f.source, func(t *testing.T) {
			count := tally{}
			checkPointFixtures(t, f.source+"/points.json", count)
			count.want(t, f.want)
		})
	}
}

func checkPointFixtures(t *testing.T, name string, count tally) {
	var file struct{ Valid, Invalid map[string][]pointFixture }
	vectors.JSON(t, name, &file)
	for _, kind := range slices.Sorted(maps.Keys(file.Valid)) {
		for i, test := range file.Valid[kind] {
			count.add("valid " + kind)
			got, err := evaluatePointFixture(t, kind, &test)
			if (err != nil && test.Expected != nil) || got != test.Expected {
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
				// noble refuses a tweak of 0, which BIP-32 allows. tiny-secp256k1 lists the same case as valid.
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

// evaluatePointFixture runs the operation of a fixture, and returns the resulting point in the encoding that the
// fixture asks for.
func evaluatePointFixture(t *testing.T, kind string, test *pointFixture) (any, error) {
	parse := func(text string) (*p256k1.PublicKey, error) {
		if text == "" {
			return nil, nil
		}
		b := unhex(text)
		k, err := p256k1.ParsePublicKey(b)
		if p, ok := oracle.DecodePoint(b); ok != (err == nil) {
			t.Errorf("key %x: %v", b, err)
		} else if ok {
			checkEncodings(t, k, p.Uncompressed())
		}
		return k, err
	}
	p, err := parse(test.P)
	if kind == "isPoint" {
		return err == nil, nil
	}
	q, errQ := parse(test.Q)
	if err = errors.Join(err, errQ); err != nil {
		return nil, err
	}
	encode := func(k interface{ Bytes() []byte }, err error) (any, error) {
		if err != nil {
			return nil, err
		}
		// The flag says whether the result is compressed. Without a flag, the result has the form of the input.
		pub, ok := k.(*p256k1.PublicKey)
		if ok {
			checkEncodings(t, pub, pub.BytesUncompressed())
		}
		if ok && ((test.Compress != nil && !*test.Compress) || (test.Compress == nil && len(test.P) == 130)) {
			return fmt.Sprintf("%x", pub.BytesUncompressed()), nil
		}
		return fmt.Sprintf("%x", k.Bytes()), nil
	}
	switch kind {
	case "pointAdd":
		sum := new(curve.Point).Add(p.Point(), q.Point())
		if new(curve.Point).Sub(p.Point(), q.Negate().Point()).Equal(sum) != 1 {
			t.Errorf("P + Q ≠ P − (−Q) for %s, %s", test.P, test.Q)
		}
		return encode(p256k1.NewPublicKey(sum))
	case "pointAddScalar":
		return encode(p.TweakAdd(unhex(test.D)))
	case "pointCompress":
		return encode(p, nil)
	case "pointMultiply":
		return encode(p.TweakMul(unhex(test.D)))
	case "pointFromScalar", "pointNegate":
		k, err := p256k1.ParsePrivateKey(unhex(test.D))
		if err != nil {
			return nil, err
		}
		if kind == "pointNegate" { // this kind negates a private key
			return encode(k.Negate(), nil)
		}
		return encode(k.PublicKey(), nil)
	default:
		t.Fatalf("unknown kind %q", kind)
		return nil, nil
	}
}

// TestNoblePrivates tests privates-2.txt, which has k:x:y for k·G = (x, y).
func TestNoblePrivates(t *testing.T) {
	count := tally{}
	vectors.Lines(t, "noble/privates-2.txt", func(n int, line []byte) {
		count.add("keys")
		parts := strings.Split(string(line), ":")
		if len(parts) != 3 {
			t.Fatalf("line %d: %q", n, line)
		}
		xy := append(pad32(unhex(parts[1])), pad32(unhex(parts[2]))...)
		checkEncodings(t, privateKey(decimal32(parts[0])).PublicKey(), append([]byte{4}, xy...))
	})
	count.want(t, "45 keys")
}

// TestNobleEndomorphism tests endomorphism.json, which has products by scalars with a negative half in the split by λ.
func TestNobleEndomorphism(t *testing.T) {
	var file []struct{ Desc, AX, AY, Scalar, CX, CY string }
	vectors.JSON(t, "noble/endomorphism.json", &file)
	count := tally{}
	for _, test := range file {
		count.add("products")
		a := publicKey(append(append([]byte{4}, decimal32(test.AX)...), decimal32(test.AY)...)).Point()
		c := publicKey(append(append([]byte{4}, decimal32(test.CX)...), decimal32(test.CY)...)).Point()
		k, zero := scalarOf(decimal32(test.Scalar)), new(curve.Scalar)
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
	count.want(t, "3 products")
}
