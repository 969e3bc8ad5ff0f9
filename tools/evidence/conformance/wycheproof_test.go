package conformance

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/vectors"
	"p256k1.mleku.dev/v2/keyformat"
)

// The Go module with the files of Wycheproof, and its checksum in the form of go.sum. Its files for secp256k1 equal the
// files of the vectors, byte by byte.
//
// go.mod does not require the module, because importing it would put its 107 MB of embedded files into the test binary,
// and raise the Go version of this module and of the workspace. The tests of Go's standard library download it in the
// same way.
const (
	wycheproofModule = "github.com/c2sp/wycheproof@v0.0.0-20260902155932-3fa63dd0344a"
	wycheproofSum    = "h1:pNbL2nztRsWfW/ispAwsvcDFxs9Id38uIsR2/Up5G2c="
)

// wycheproofDir returns the folder of the module in the module cache.
var wycheproofDir = sync.OnceValues(func() (string, error) {
	cmd := exec.Command("go", "mod", "download", "-json", wycheproofModule)
	cmd.Dir = os.TempDir() // run outside of this module, which does not require it
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := cmd.Output()
	var module struct{ Dir, Sum, Error string }
	jsonErr := json.Unmarshal(out, &module)
	switch {
	case module.Error != "":
		return "", errors.New(module.Error)
	case err != nil || jsonErr != nil:
		return "", fmt.Errorf("%s: %w", wycheproofModule, errors.Join(err, jsonErr))
	case module.Sum != wycheproofSum:
		return "", fmt.Errorf("%s has the checksum %s, want %s", wycheproofModule, module.Sum, wycheproofSum)
	}
	return module.Dir, nil
})

// wycheproof returns the groups of a Wycheproof file, from the folder of the vectors or, if there is none, from the Go
// module.
func wycheproof[Group any](t *testing.T, name string) []Group {
	t.Helper()
	var file struct{ TestGroups []Group }
	if os.Getenv(vectors.Env) != "" {
		vectors.JSON(t, "wycheproof/"+name, &file)
		return file.TestGroups
	}
	dir, err := wycheproofDir()
	if err != nil {
		libtest.Untested(t, vectors.Env, " IS NOT SET and the Go module cannot be had: nothing was checked against ", name, ": ", err)
	}
	t.Logf("%s is not set: %s is taken from %s", vectors.Env, name, wycheproofModule)
	data, err := os.ReadFile(filepath.Join(dir, "testvectors_v1", name))
	if err = errors.Join(err, json.Unmarshal(data, &file)); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return file.TestGroups
}

// TestWycheproofCurveParameters checks that the library's parameters of secp256k1 equal the parameters that Wycheproof
// lists.
func TestWycheproofCurveParameters(t *testing.T) {
	type group struct {
		Tests []struct {
			Name, OID          string
			P, N, A, B, GX, GY string
			H                  int
		}
	}
	count := tally{}
	for _, g := range wycheproof[group](t, "ec_prime_order_curves_test.json") {
		for _, test := range g.Tests {
			if test.Name != "secp256k1" {
				count.add("other curves")
				continue
			}
			count.add("secp256k1")
			if test.OID != "1.3.132.0.10" || test.H != 1 {
				t.Errorf("OID %s, cofactor %d", test.OID, test.H)
			}
			number := func(s string) []byte { return pad32(unhex(s)) }
			// p is the smallest integer that does not encode a field element, and is congruent to 0.
			var e field.Element
			if e.SetBytes((*[32]byte)(number(test.P))) != 0 || e.IsZero() == 0 {
				t.Error("p is not the order of the library's field")
			}
			// n is the smallest integer that does not encode a scalar, and is congruent to 0.
			n := number(test.N)
			if _, err := new(curve.Scalar).SetBytes(n); err == nil || new(curve.Scalar).SetBytesReduced((*[32]byte)(n)).IsZero() != 1 {
				t.Error("n is not the order of the library's group")
			}
			if _, err := p256k1.ParsePrivateKey(n); err == nil {
				t.Error("n is accepted as a private key")
			}
			// Comparing G also checks b, which is y² − x³ because a = 0.
			want := slices.Concat([]byte{4}, number(test.GX), number(test.GY))
			if got := new(curve.Point).SetGenerator().BytesUncompressed(); !bytes.Equal(got, want) {
				t.Errorf("G is %x, want %x", got, want)
			}
			x, y := oracle.Int(want[1:33]), oracle.Int(want[33:])
			b := oracle.Fp.Sub(oracle.Fp.Mul(y, y), oracle.Fp.Mul(x, oracle.Fp.Mul(x, x)))
			if oracle.Int(number(test.A)).Sign() != 0 || oracle.Int(number(test.B)).Cmp(b) != 0 {
				t.Errorf("a = %s, b = %s, want 0 and %x", test.A, test.B, b)
			}
		}
	}
	count.want(t, "1 secp256k1, 25 other curves")
}

// hashes are the hash functions of the ECDSA files. An extendable-output function has the length that RFC 8692, section
// 2, gives for ECDSA: 256 bits for SHAKE128 and 512 for SHAKE256. ECDSA uses the leftmost 256 of the 512 bits. The
// vectors with the flag Untruncatedhash would be valid if ECDSA used all 512 bits.
var hashes = map[string]func(msg []byte) []byte{
	"SHA-256":  func(msg []byte) []byte { h := sha256.Sum256(msg); return h[:] },
	"SHA-512":  func(msg []byte) []byte { h := sha512.Sum512(msg); return h[:] },
	"SHA3-256": func(msg []byte) []byte { h := sha3.Sum256(msg); return h[:] },
	"SHA3-512": func(msg []byte) []byte { h := sha3.Sum512(msg); return h[:] },
	"SHAKE128": func(msg []byte) []byte { return sha3.SumSHAKE128(msg, 32) },
	"SHAKE256": func(msg []byte) []byte { return sha3.SumSHAKE256(msg, 64) },
}

func TestWycheproofECDSA(t *testing.T) {
	type verifier = func(*p256k1.PublicKey, []byte, ecdsa.Signature) bool
	type group struct {
		Type         string
		SHA          string
		PublicKey    struct{ Curve, Uncompressed, WX, WY string }
		PublicKeyDER string
		Tests        []struct {
			TcID                      int
			Comment, Msg, Sig, Result string
			Flags                     []string
		}
	}
	for _, f := range []struct {
		name   string
		kind   string // type of the test groups
		parse  sigParser
		verify verifier
		want   string
	}{
		{"ecdsa_secp256k1_sha256_test.json", "EcdsaVerify", parseDER, ecdsa.Verify, "168 valid, 308 invalid"},
		{"ecdsa_secp256k1_sha512_test.json", "EcdsaVerify", parseDER, ecdsa.Verify, "237 valid, 309 invalid"},
		{"ecdsa_secp256k1_sha3_256_test.json", "EcdsaVerify", parseDER, ecdsa.Verify, "172 valid, 302 invalid"},
		{"ecdsa_secp256k1_sha3_512_test.json", "EcdsaVerify", parseDER, ecdsa.Verify, "237 valid, 303 invalid"},
		{"ecdsa_secp256k1_shake128_test.json", "EcdsaVerify", parseDER, ecdsa.Verify, "170 valid, 302 invalid"},
		{"ecdsa_secp256k1_shake256_test.json", "EcdsaVerify", parseDER, ecdsa.Verify, "239 valid, 303 invalid"},
		{"ecdsa_secp256k1_sha256_bitcoin_test.json", "EcdsaBitcoinVerify", parseDER, ecdsa.VerifyLowS, "162 valid, 301 invalid"},
		{"ecdsa_secp256k1_sha256_p1363_test.json", "EcdsaP1363Verify", parseCompact, ecdsa.Verify, "167 valid, 85 invalid"},
		{"ecdsa_secp256k1_sha512_p1363_test.json", "EcdsaP1363Verify", parseCompact, ecdsa.Verify, "236 valid, 86 invalid"},
		{"ecdsa_secp256k1_shake128_p1363_test.json", "EcdsaP1363Verify", parseCompact, ecdsa.Verify, "169 valid, 79 invalid"},
		{"ecdsa_secp256k1_shake256_p1363_test.json", "EcdsaP1363Verify", parseCompact, ecdsa.Verify, "238 valid, 80 invalid"},
	} {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			count := tally{}
			var together batches
			together.ecdsa.LowSOnly = f.kind == "EcdsaBitcoinVerify"
			for _, g := range wycheproof[group](t, f.name) {
				hash := hashes[g.SHA]
				if g.Type != f.kind || hash == nil || g.PublicKey.Curve != "secp256k1" {
					t.Fatalf("group of type %q with %q on %q", g.Type, g.SHA, g.PublicKey.Curve)
				}
				uncompressed := unhex(g.PublicKey.Uncompressed)
				pub := publicKey(uncompressed)
				precomputed := pub.Precomputed()
				checkEncodings(t, pub, uncompressed)
				if k, err := keyformat.ParsePKIXPublicKey(unhex(g.PublicKeyDER)); err != nil || !k.Equal(pub) {
					t.Errorf("key %x in a SubjectPublicKeyInfo is %v (%v)", uncompressed, k, err)
				}
				xy := append(pad32(unhex(g.PublicKey.WX)), pad32(unhex(g.PublicKey.WY))...)
				if !bytes.Equal(xy, uncompressed[1:]) {
					t.Errorf("key %x has the coordinates %x", uncompressed, xy)
				}
				for _, test := range g.Tests {
					sum := hash(unhex(test.Msg))
					digest := ecdsa.TruncateHash(sum)
					want := test.Result == "valid"
					if !want && test.Result != "invalid" {
						t.Fatalf("#%d: result %q", test.TcID, test.Result)
					}
					count.add(test.Result)
					encoded := unhex(test.Sig)
					sig, ok := f.parse(t, encoded)
					together.addECDSA([][]byte{pub.Bytes(), uncompressed}[test.TcID%2], digest, sig, want)
					check := func(how string, got bool) {
						t.Helper()
						if got != want {
							t.Errorf("#%d (%s, %v): valid %v %s, want %v", test.TcID, test.Comment, test.Flags, got, how, want)
						}
					}
					for _, pub := range [][]byte{pub.Bytes(), uncompressed} {
						if !together.ecdsa.LowSOnly || !ok || sig.IsLowS() {
							check("from bytes", ecdsa.VerifyDER(pub, digest, encoded) || ecdsa.VerifyCompact(pub, digest, encoded))
						}
						if ecdsa.VerifyDER(pub[1:], digest, encoded) || ecdsa.VerifyCompact(pub, digest[1:], encoded) {
							t.Errorf("#%d (%s): valid with less than a key and a digest", test.TcID, test.Comment)
						}
					}
					check("once parsed", ok && f.verify(pub, digest, sig))
					check("with a precomputed key", ok && f.verify(precomputed, digest, sig))
					if want {
						checkValidECDSA(t, pub, digest, sig)
						if f.verify(pub, sum, sig) != (len(sum) == 32) || !f.verify(pub, sum[:32], sig) {
							t.Errorf("#%d: not valid for the leftmost 32 bytes of the hash, or for a longer one", test.TcID)
						}
					}
				}
			}
			together.check(t)
			count.want(t, f.want)
		})
	}
}

// TestWycheproofECDH tests public keys in SubjectPublicKeyInfo. Cases with unusual encodings have the result
// "acceptable". keyformat refuses all of them except the compressed point, which SEC 1 requires applications to accept.
func TestWycheproofECDH(t *testing.T) {
	type group struct {
		Curve, Encoding string
		Tests           []struct {
			TcID                                     int
			Comment, Public, Private, Shared, Result string
		}
	}
	count := tally{}
	for _, g := range wycheproof[group](t, "ecdh_secp256k1_test.json") {
		if g.Curve != "secp256k1" || g.Encoding != "asn" {
			t.Fatalf("group on %q in %q", g.Curve, g.Encoding)
		}
		for _, test := range g.Tests {
			pub, err := keyformat.ParsePKIXPublicKey(unhex(test.Public))
			outcome := " and refused"
			if err == nil {
				outcome = " and accepted"
				checkECDH(t, test.TcID, privateKey(pad32(unhex(test.Private))), pub, unhex(test.Shared))
			}
			count.add(test.Result + outcome)
			want := test.Result == "valid" || (test.Result == "acceptable" && test.Comment == "compressed public key")
			if (err == nil) != want {
				t.Errorf("#%d (%s): %s%s (%v)", test.TcID, test.Comment, test.Result, outcome, err)
			}
		}
	}
	count.want(t, "473 valid and accepted, 1 acceptable and accepted, 229 acceptable and refused, 49 invalid and refused")
}

// TestWycheproofECDHWebCrypto tests JSON Web Keys, in which the curve's name differs from the name in RFC 8812.
func TestWycheproofECDHWebCrypto(t *testing.T) {
	type group struct {
		Curve, Encoding string
		Tests           []struct {
			TcID                    int
			Comment, Shared, Result string
			Public, Private         json.RawMessage
		}
	}
	renamed := func(jwk json.RawMessage) []byte {
		return []byte(strings.Replace(string(jwk), `"P-256K"`, `"secp256k1"`, 1))
	}
	count := tally{}
	for _, g := range wycheproof[group](t, "ecdh_secp256k1_webcrypto_test.json") {
		if g.Curve != "P-256K" || g.Encoding != "webcrypto" {
			t.Fatalf("group on %q in %q", g.Curve, g.Encoding)
		}
		for _, test := range g.Tests {
			priv, err := keyformat.ParsePrivateKeyJWK(renamed(test.Private))
			if err != nil {
				t.Fatalf("#%d: private key: %v", test.TcID, err)
			}
			pub, err := keyformat.ParsePublicKeyJWK(renamed(test.Public))
			count.add(test.Result)
			if (err == nil) != (test.Result == "valid") {
				t.Errorf("#%d (%s): %v, but is %s", test.TcID, test.Comment, err, test.Result)
			}
			if err == nil {
				checkECDH(t, test.TcID, priv, pub, unhex(test.Shared))
			}
		}
	}
	count.want(t, "473 valid, 23 invalid")
}
