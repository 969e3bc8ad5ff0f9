package conformance

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/vectors"
)

type ecdsaFixtures struct {
	Valid        []map[string]any
	ExtraEntropy []map[string]any // with a signature for each extra entropy
	Invalid      struct {
		Sign   []struct{ Description, D string }
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

// TestECDSAFixtures tests ecdsa.json of tiny-secp256k1, and of noble, which adopted the file.
func TestECDSAFixtures(t *testing.T) {
	const common = "30 signatures with extra entropy, 4 refused to sign, 19 refused keys, 5 refused signatures, " +
		"1 valid but of high s"
	for _, f := range []struct{ source, want string }{
		{"noble", "2019 signatures, " + common},
		{"tiny-secp256k1", "2020 signatures, 5 refused recoverable signatures, 2 signatures without a key, " +
			"1 digests of another length, " + common},
	} {
		counted(t, f.source, f.want, func(r *report) {
			file := read[ecdsaFixtures](r, f.source+"/ecdsa.json")
			checkSigned(r, &file)
			checkRefused(r, &file)
		})
	}
}

// checkSigned checks that signing gives the wanted signatures, and that these are valid and recover the key.
func checkSigned(r *report, file *ecdsaFixtures) {
	check := func(test map[string]any, signature, recoveryID string, extra *[32]byte) {
		r.given("%v, %s", test, signature)
		priv, digest := privateKey(unhex(test["d"].(string))), unhex(test["m"].(string))
		sig := must(ecdsa.Sign(priv, digest, &ecdsa.Options{Entropy: extra}))
		r.same("signature", sig, unhex(test[signature].(string)))
		var entropy io.Reader // the crypto.Signer mixes in the bytes that it reads
		if extra != nil {
			entropy = bytes.NewReader(extra[:])
		}
		r.same("signature of the Signer", result(ecdsa.NewSigner(priv, nil).Sign(entropy, digest, nil)), sig.DER())
		id := checkValidECDSA(r, priv.PublicKey(), digest, sig)
		if want, ok := test[recoveryID].(float64); ok {
			r.same("recovery id", id, int(want))
		}
		if extra == nil {
			checkSignECDSA(r, priv, digest, sig)
			r.same("SignRecoverable", result(ecdsa.SignRecoverable(priv, digest, nil)), append(sig.Bytes(), byte(id)))
		}
	}
	for _, test := range file.Valid {
		r.add("signatures")
		check(test, "signature", "recoveryId", nil)
	}
	order, ones := oracle.Bytes(oracle.N), [32]byte(bytes.Repeat([]byte{0xff}, 32))
	for _, test := range file.ExtraEntropy {
		r.add("signatures with extra entropy")
		check(test, "signature", "recoveryId", nil)
		for name, extra := range map[string]*[32]byte{
			"0": {}, "1": {31: 1}, "N": &order, "Max": &ones,
			// The random bytes are in the tests of both projects.
			"Rand": unhex32("6e723d3fd94ed5d2b6bdd4f123364b0f3ca52af829988a63f8afe91d29db1c33"),
		} {
			r.add("signatures with extra entropy")
			check(test, "extraEntropy"+name, "recoveryId"+name, extra)
		}
	}
}

// checkRefused checks that invalid keys, signatures and digests are refused, each for the right reason.
func checkRefused(r *report, file *ecdsaFixtures) {
	for _, test := range file.Invalid.Sign {
		r.begin("refused to sign", "%+v", test)
		_, ok := parsePrivateKey(r, unhex(test.D))
		r.is(!ok, "the private key is refused")
	}
	for _, test := range file.Invalid.Verify {
		r.given("%+v", test)
		pub, isKey := parsePublicKey(r, unhex(test.Q))
		sig, isSignature := parseCompact(r, unhex(test.Signature))
		got, want := "", ""
		switch digest := unhex(test.M); {
		case !isKey:
			got = "refused keys"
		case !isSignature:
			got = "refused signatures"
		case ecdsa.Verify(pub, digest, sig) && !ecdsa.VerifyLowS(pub, digest, sig):
			got = "valid but of high s"
		}
		switch {
		case test.Exception == "Expected Point":
			want = "refused keys"
		case test.Strict:
			want = "valid but of high s"
		case strings.Contains(test.Description, "value"):
			want = "refused signatures"
		}
		r.add(got)
		r.same("outcome", got, want)
	}
	for _, test := range file.Invalid.Recover {
		r.given("%+v", test)
		sig, err := ecdsa.ParseRecoverable(append(unhex(test.Signature), byte(test.RecoveryID)))
		if err != nil {
			r.add("refused recoverable signatures")
			r.fails("parsing", err, p256k1.ErrRange)
			continue
		}
		k, err := ecdsa.Recover(unhex(test.M), sig)
		if strings.HasPrefix(test.Description, "Invalid hash length") {
			r.add("digests of another length")
			r.is(errors.Is(err, p256k1.ErrLength), "recovery fails with ErrLength: %x, %v", k.Bytes(), err)
		} else {
			r.add("signatures without a key")
			r.is(errors.Is(err, ecdsa.ErrRecover), "recovery fails with ErrRecover: %x, %v", k.Bytes(), err)
		}
	}
}

// TestNoblePrivates tests privates-2.txt, which has k:x:y for k·G = (x, y).
func TestNoblePrivates(t *testing.T) {
	r := newReport(t)
	vectors.Lines(t, "noble/privates-2.txt", func(_ int, line []byte) {
		r.begin("keys", "%s", line)
		parts := strings.Split(string(line), ":")
		r.same("number of parts", len(parts), 3)
		checkEncodings(r, privateKey(decimal32(parts[0])).PublicKey(), append([]byte{4}, pad64(parts[1], parts[2])...))
	})
	r.want("45 keys")
}

// TestNobleEndomorphism tests endomorphism.json, which has products by scalars with a negative half in the split by λ.
func TestNobleEndomorphism(t *testing.T) {
	type product struct{ Desc, AX, AY, Scalar, CX, CY string }
	each(t, "noble/endomorphism.json", "3 products", func(r *report, c product) {
		r.add("products")
		a := publicKey(slices.Concat([]byte{4}, decimal32(c.AX), decimal32(c.AY))).Point()
		want := slices.Concat([]byte{4}, decimal32(c.CX), decimal32(c.CY))
		k := scalarOf(decimal32(c.Scalar))
		r.same("ScalarMult", new(point).ScalarMult(k, a).BytesUncompressed(), want)
		r.same("DoubleScalarBaseMultVartime", double(k, a, new(number)).BytesUncompressed(), want)
		r.same("MultiScalarMultVartime", sum([]*number{k}, a).BytesUncompressed(), want)
	})
}
