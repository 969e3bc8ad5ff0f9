package conformance

import (
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/libtest"
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
	err = errors.Join(err, json.Unmarshal(out, &module))
	if err != nil || module.Sum != wycheproofSum {
		return "", fmt.Errorf("%s has the checksum %q, want %s: %s, %w",
			wycheproofModule, module.Sum, wycheproofSum, module.Error, err)
	}
	return module.Dir, nil
})

// wycheproof returns the groups of a Wycheproof file, from the folder of the vectors or, if there is none, from the Go
// module.
func wycheproof[Group any](t testing.TB, name string) []Group {
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
	libtest.Check(t, json.Unmarshal(must(os.ReadFile(filepath.Join(dir, "testvectors_v1", name))), &file))
	return file.TestGroups
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
		PublicKey    struct{ Curve, Uncompressed string }
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
		{"sha256", "EcdsaVerify", parseDER, ecdsa.Verify, "168 valid, 308 invalid"},
		{"sha512", "EcdsaVerify", parseDER, ecdsa.Verify, "237 valid, 309 invalid"},
		{"sha3_256", "EcdsaVerify", parseDER, ecdsa.Verify, "172 valid, 302 invalid"},
		{"sha3_512", "EcdsaVerify", parseDER, ecdsa.Verify, "237 valid, 303 invalid"},
		{"shake128", "EcdsaVerify", parseDER, ecdsa.Verify, "170 valid, 302 invalid"},
		{"shake256", "EcdsaVerify", parseDER, ecdsa.Verify, "239 valid, 303 invalid"},
		{"sha256_bitcoin", "EcdsaBitcoinVerify", parseDER, ecdsa.VerifyLowS, "162 valid, 301 invalid"},
		{"sha256_p1363", "EcdsaP1363Verify", parseCompact, ecdsa.Verify, "167 valid, 85 invalid"},
		{"sha512_p1363", "EcdsaP1363Verify", parseCompact, ecdsa.Verify, "236 valid, 86 invalid"},
		{"shake128_p1363", "EcdsaP1363Verify", parseCompact, ecdsa.Verify, "169 valid, 79 invalid"},
		{"shake256_p1363", "EcdsaP1363Verify", parseCompact, ecdsa.Verify, "238 valid, 80 invalid"},
	} {
		counted(t, f.name, f.want, func(r *report) {
			var inBatch batches
			inBatch.ecdsa.LowSOnly = f.kind == "EcdsaBitcoinVerify"
			for _, g := range wycheproof[group](r, "ecdsa_secp256k1_"+f.name+"_test.json") {
				hash := hashes[g.SHA]
				if g.Type != f.kind || hash == nil || g.PublicKey.Curve != "secp256k1" {
					r.Fatalf("group of type %q with %q on %q", g.Type, g.SHA, g.PublicKey.Curve)
				}
				uncompressed := unhex(g.PublicKey.Uncompressed)
				pub := publicKey(uncompressed)
				precomputed := pub.Precomputed()
				r.given("key %x", uncompressed)
				checkEncodings(r, pub, uncompressed)
				k, err := keyformat.ParsePKIXPublicKey(unhex(g.PublicKeyDER))
				r.is(err == nil && k.Equal(pub), "the SubjectPublicKeyInfo has the same key: %v", err)
				for _, test := range g.Tests {
					r.begin(test.Result, "%+v", test)
					sum, encoded, want := hash(unhex(test.Msg)), unhex(test.Sig), test.Result == "valid"
					digest := ecdsa.TruncateHash(sum)
					sig, ok := f.parse(r, encoded)
					inBatch.addECDSA([][]byte{pub.Bytes(), uncompressed}[test.TcID%2], digest, sig, want)
					for _, pub := range [][]byte{pub.Bytes(), uncompressed} {
						if !inBatch.ecdsa.LowSOnly || !ok || sig.IsLowS() {
							got := ecdsa.VerifyDER(pub, digest, encoded) || ecdsa.VerifyCompact(pub, digest, encoded)
							r.same("valid from bytes", got, want)
						}
						r.is(!ecdsa.VerifyDER(pub[1:], digest, encoded), "it is invalid with less than a key")
						r.is(!ecdsa.VerifyCompact(pub, digest[1:], encoded), "it is invalid with less than a digest")
					}
					r.same("valid once parsed", ok && f.verify(pub, digest, sig), want)
					r.same("valid with a precomputed key", ok && f.verify(precomputed, digest, sig), want)
					if want {
						checkValidECDSA(r, pub, digest, sig)
						r.same("valid for the whole hash", f.verify(pub, sum, sig), len(sum) == 32)
						r.is(f.verify(pub, sum[:32], sig), "it is valid for the leftmost 32 bytes of the hash")
					}
				}
			}
			inBatch.check(r)
		})
	}
}

// TestWycheproofECDH tests public keys in SubjectPublicKeyInfo. Cases with unusual encodings have the result
// "acceptable". keyformat, whose tests say why, refuses all of them except the compressed point, which SEC 1 requires
// applications to accept. It also tests JSON Web Keys, in which the curve's name differs from the name in RFC 8812.
func TestWycheproofECDH(t *testing.T) {
	type group struct {
		Tests []struct {
			Comment, Shared, Result string
			Public, Private         json.RawMessage // hexadecimal text or JSON Web Keys
		}
	}
	hexadecimal := func(text json.RawMessage) []byte { return unhex(strings.Trim(string(text), `"`)) }
	renamed := func(jwk json.RawMessage) []byte {
		return []byte(strings.Replace(string(jwk), `"P-256K"`, `"secp256k1"`, 1))
	}
	for name, want := range map[string]string{
		"ecdh_secp256k1_test.json": "473 valid and accepted, 1 acceptable and accepted, " +
			"229 acceptable and refused, 49 invalid and refused",
		"ecdh_secp256k1_webcrypto_test.json": "473 valid and accepted, 23 invalid and refused",
	} {
		counted(t, name, want, func(r *report) {
			for _, g := range wycheproof[group](r, name) {
				for _, test := range g.Tests {
					r.given("%s: public key %s, private key %s", test.Comment, test.Public, test.Private)
					var pub *p256k1.PublicKey
					var priv *p256k1.PrivateKey
					var err error
					if test.Public[0] == '"' {
						pub, err = keyformat.ParsePKIXPublicKey(hexadecimal(test.Public))
						priv = privateKey(pad32(hexadecimal(test.Private)))
					} else {
						pub, err = keyformat.ParsePublicKeyJWK(renamed(test.Public))
						priv = must(keyformat.ParsePrivateKeyJWK(renamed(test.Private)))
					}
					r.add(test.Result + choose(err == nil, " and accepted", " and refused"))
					if err == nil {
						checkECDH(r, priv, pub, unhex(test.Shared))
					}
				}
			}
		})
	}
}
