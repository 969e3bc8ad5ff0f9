package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	btcecdsa "github.com/btcsuite/btcd/btcec/v2/ecdsa"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/vectors"
	"p256k1.mleku.dev/v2/keyformat"
)

func TestBcrypto(t *testing.T) {
	type test struct {
		Key, Tweak, Pub, Priv, Msg, Sig string
		Compress                        bool
		Result                          json.RawMessage
	}
	for i, want := range []string{
		"100 public_key_create, 100 public_key_tweak_add, 100 private_key_tweak_add, 100 public_key_verify, " +
			"100 private_key_verify, 131 verify, 137 verify_der, 63 is_low_s, 63 is_low_der",
		"100 public_key_create, 100 public_key_tweak_add, 100 private_key_tweak_add, 6 derive, 100 public_key_verify, " +
			"100 private_key_verify, 101 verify, 100 is_low_s",
		"198 verify, 220 verify_der, 2 is_low_s, 2 is_low_der, 8 hybrid keys, 22 lax signatures",
		"6 public_key_create, 6 private_key_verify, 304 verify, 308 verify_der, 2 is_low_s, 2 is_low_der, 22 lax signatures",
	} {
		name := fmt.Sprintf("secp256k1-%d.json", i+1)
		t.Run(name, func(t *testing.T) {
			var file map[string][]test
			vectors.JSON(t, "bcrypto/"+name, &file)
			count := tally{}
			for _, kind := range slices.Sorted(maps.Keys(file)) {
				for j, test := range file[kind] {
					count.add(kind)
					// got is the library's result: true or false, or the bytes of a key.
					var got any
					encode := func(k interface{ Bytes() []byte }, err error) any {
						if err != nil {
							t.Fatalf("%s %d: %v", kind, j, err)
						}
						if pub, ok := k.(*p256k1.PublicKey); ok && !test.Compress {
							return fmt.Sprintf("%x", pub.BytesUncompressed())
						}
						return fmt.Sprintf("%x", k.Bytes())
					}
					isLow := func(sig ecdsa.Signature, ok bool) bool { return ok && sig.IsLowS() }
					verify := func(parse sigParser, key []byte) bool {
						pub, ok := parsePublicKey(t, key)
						if !ok {
							return false
						}
						sig, ok := parse(t, unhex(test.Sig))
						return ok && ecdsa.Verify(pub, ecdsa.TruncateHash(unhex(test.Msg)), sig)
					}
					// bcrypto accepts encodings that this library refuses by policy: signatures in lax DER, and keys in
					// hybrid encoding. The library must find the same values in the strict encoding of such a signature
					// or key.
					verifyLax := func(parse, parseLax sigParser) bool {
						key := unhex(test.Key)
						switch plain := withoutHybrid(key); {
						case verify(parse, key):
						case verify(parse, plain):
							count.add("hybrid keys")
						case verify(parseLax, plain):
							count.add("lax signatures")
						default:
							return false
						}
						return true
					}
					switch kind {
					case "public_key_create":
						got = encode(privateKey(unhex(test.Key)).PublicKey(), nil)
					case "public_key_tweak_add":
						got = encode(publicKey(unhex(test.Key)).TweakAdd(unhex(test.Tweak)))
					case "private_key_tweak_add":
						got = encode(privateKey(unhex(test.Key)).TweakAdd(unhex(test.Tweak)))
					case "derive":
						priv, pub := privateKey(unhex(test.Priv)), publicKey(unhex(test.Pub))
						point := new(curve.Point).ScalarMult(libtest.ScalarOf(priv), pub.Point())
						got = encode(p256k1.NewPublicKey(point))
					case "public_key_verify":
						_, got = parsePublicKey(t, unhex(test.Key))
					case "private_key_verify":
						_, got = parsePrivateKey(t, unhex(test.Key))
					case "verify":
						got = verifyLax(parseCompact, parseCompact)
					case "verify_der":
						got = verifyLax(parseDER, parseLaxDER)
					case "is_low_s":
						got = isLow(parseCompact(t, unhex(test.Sig)))
					case "is_low_der":
						got = isLow(parseDER(t, unhex(test.Sig)))
					default:
						t.Fatalf("tests of the unknown kind %q", kind)
					}
					if b, err := json.Marshal(got); err != nil || !bytes.Equal(b, test.Result) {
						t.Errorf("%s %d: %s, want %s: %+v", kind, j, b, test.Result, test)
					}
				}
			}
			count.want(t, want)
		})
	}
}

// withoutHybrid returns the uncompressed encoding of a key in hybrid encoding with the right parity (ANSI X9.62,
// 4.3.6). It returns other encodings unchanged.
func withoutHybrid(key []byte) []byte {
	if len(key) == 65 && key[0] == 6|key[64]&1 {
		return append([]byte{4}, key[1:]...)
	}
	return key
}

// parseLaxDER parses a signature as Bitcoin did before BIP-66. It parses with btcec, and re-encodes the result strictly
// and with low s.
func parseLaxDER(t testing.TB, b []byte) (sig ecdsa.Signature, ok bool) {
	lax, err := btcecdsa.ParseSignature(b)
	if err != nil {
		return sig, false
	}
	return parseDER(t, lax.Serialize())
}

// TestBcryptoSign tests sign-secp256k1.json, each row of which has the results of all operations on one key.
func TestBcryptoSign(t *testing.T) {
	names := strings.Fields("priv pub tweak privAdd privMul privNeg privInv pubAdd pubMul pubNeg pubDouble pubUncompressed pubHybrid " +
		"sec1 xy pkcs8 spki msg sig der recoveryID other secret")
	var file [][]any
	vectors.JSON(t, "bcrypto/sign-secp256k1.json", &file)
	count := tally{}
	for i, row := range file {
		count.add("rows")
		fields := map[string]any{}
		for j, name := range names {
			fields[name] = row[j]
		}
		field := func(name string) []byte { return unhex(fields[name].(string)) }
		check := func(name string, got []byte, j string) {
			t.Helper()
			if !bytes.Equal(got, field(j)) {
				t.Errorf("%d: %s is %x, want %x", i, name, got, field(j))
			}
		}
		checkKey := func(name, j string) func(interface{ Bytes() []byte }, error) {
			return func(k interface{ Bytes() []byte }, err error) {
				t.Helper()
				if err != nil {
					t.Errorf("%d: %s: %v", i, name, err)
					return
				}
				check(name, k.Bytes(), j)
			}
		}
		key := privateKey(field("priv"))
		public := key.PublicKey()
		check("public key", public.Bytes(), "pub")
		checkKey("private key + tweak", "privAdd")(key.TweakAdd(field("tweak")))
		checkKey("private key · tweak", "privMul")(key.TweakMul(field("tweak")))
		check("−private key", key.Negate().Bytes(), "privNeg")
		inverse := new(curve.Scalar).Invert(libtest.ScalarOf(key))
		check("1/private key", inverse.Bytes(), "privInv")
		check("1/private key, Vartime", new(curve.Scalar).InvertVartime(libtest.ScalarOf(key)).Bytes(), "privInv")
		checkKey("public key + tweak", "pubAdd")(public.TweakAdd(field("tweak")))
		checkKey("public key · tweak", "pubMul")(public.TweakMul(field("tweak")))
		check("−public key", public.Negate().Bytes(), "pubNeg")
		checkKey("2 · public key", "pubDouble")(p256k1.NewPublicKey(new(curve.Point).Double(public.Point())))
		check("uncompressed public key", public.BytesUncompressed(), "pubUncompressed")
		checkEncodings(t, public, field("pubUncompressed"))
		check("coordinates", public.BytesUncompressed()[1:], "xy")
		if _, ok := parsePublicKey(t, field("pubHybrid")); ok {
			t.Errorf("%d: hybrid encoding %x is accepted, but must be refused", i, field("pubHybrid"))
		}
		checkKey("SubjectPublicKeyInfo", "pub")(keyformat.ParsePKIXPublicKey(field("spki")))
		checkKey("ECPrivateKey", "priv")(keyformat.ParseECPrivateKey(field("sec1")))
		checkKey("PrivateKeyInfo", "priv")(keyformat.ParsePKCS8PrivateKey(field("pkcs8")))
		signature := must(ecdsa.SignRecoverable(key, field("msg"), nil))
		check("signature", signature.Signature().Bytes(), "sig")
		check("DER signature", signature.Signature().DER(), "der")
		if v := fields["recoveryID"].(float64); signature.RecoveryID() != int(v) {
			t.Errorf("%d: recovery id %d, want %v", i, signature.RecoveryID(), v)
		}
		checkValidECDSA(t, public, field("msg"), signature.Signature())
		// The secret is the compressed point that key and other share.
		peer := privateKey(field("other"))
		checkKey("shared point", "secret")(peer.PublicKey().TweakMul(key.Bytes()))
		checkECDH(t, i, key, peer.PublicKey(), field("secret")[1:])
		checkECDH(t, i, peer, public, field("secret")[1:])
	}
	count.want(t, "16 rows")
}
