package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ecdsa"
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
			count := newTally(t)
			for _, kind := range slices.Sorted(maps.Keys(file)) {
				for j, test := range file[kind] {
					count.add(kind)
					// The result is what the library says: true or false, or the bytes of a key.
					var got any
					encode := func(k *p256k1.PublicKey, err error) any {
						if err != nil {
							t.Fatalf("%s %d: %v", kind, j, err)
						}
						if test.Compress {
							return fmt.Sprintf("%x", k.Bytes())
						}
						return fmt.Sprintf("%x", k.BytesUncompressed())
					}
					verify := func(parse func(testing.TB, []byte) (ecdsa.Signature, bool), key []byte) bool {
						pub, ok := parsePublicKey(t, key)
						if !ok {
							return false
						}
						sig, ok := parse(t, unhex(t, test.Sig))
						return ok && ecdsa.Verify(pub, ecdsa.TruncateHash(unhex(t, test.Msg)), sig)
					}
					// bcrypto takes what this library refuses by policy: signatures in lax DER and hybrid keys. What it then
					// finds has to be what the library finds in the strict encoding of the same.
					verifyLax := func(parse, parseLax func(testing.TB, []byte) (ecdsa.Signature, bool)) bool {
						key := unhex(t, test.Key)
						switch {
						case verify(parse, key):
							return true
						case verify(parse, withoutHybrid(key)):
							count.add("hybrid keys")
							return true
						case verify(parseLax, withoutHybrid(key)):
							count.add("lax signatures")
							return true
						default:
							return false
						}
					}
					switch kind {
					case "public_key_create":
						got = encode(privateKey(t, unhex(t, test.Key)).PublicKey(), nil)
					case "public_key_tweak_add":
						got = encode(publicKey(t, unhex(t, test.Key)).TweakAdd(unhex(t, test.Tweak)))
					case "private_key_tweak_add":
						k, err := privateKey(t, unhex(t, test.Key)).TweakAdd(unhex(t, test.Tweak))
						if err != nil {
							t.Fatalf("%s %d: %v", kind, j, err)
						}
						got = fmt.Sprintf("%x", k.Bytes())
					case "derive":
						priv, pub := privateKey(t, unhex(t, test.Priv)), publicKey(t, unhex(t, test.Pub))
						point := new(curve.Point).ScalarMult(secretOf(t, priv), pub.Point())
						got = encode(p256k1.NewPublicKeyFromPoint(point))
					case "public_key_verify":
						_, got = parsePublicKey(t, unhex(t, test.Key))
					case "private_key_verify":
						_, got = parsePrivateKey(t, unhex(t, test.Key))
					case "verify":
						got = verifyLax(parseCompact, parseCompact)
					case "verify_der":
						got = verifyLax(parseDER, parseLaxDER)
					case "is_low_s":
						sig, ok := parseCompact(t, unhex(t, test.Sig))
						got = ok && sig.IsLowS()
					case "is_low_der":
						sig, ok := parseDER(t, unhex(t, test.Sig))
						got = ok && sig.IsLowS()
					default:
						t.Fatalf("tests of the unknown kind %q", kind)
					}
					if b, err := json.Marshal(got); err != nil || !bytes.Equal(b, test.Result) {
						t.Errorf("%s %d: %s, want %s: %+v", kind, j, b, test.Result, test)
					}
				}
			}
			count.want(want)
		})
	}
}

// withoutHybrid returns the uncompressed encoding of a key whose encoding is hybrid with the right parity (ANSI X9.62, 4.3.6),
// and other encodings as they are.
func withoutHybrid(key []byte) []byte {
	if len(key) == 65 && key[0] == 6|key[64]&1 {
		return append([]byte{4}, key[1:]...)
	}
	return key
}

// parseLaxDER parses a signature as Bitcoin did before BIP-66, with OpenSSL: it does not look at the length of the sequence or
// at what follows the integers, which are taken as unsigned with any number of zeros before them.
func parseLaxDER(t testing.TB, b []byte) (sig ecdsa.Signature, ok bool) {
	// length reads a length in the short or the long form.
	length := func() (n int, ok bool) {
		if len(b) == 0 {
			return 0, false
		}
		n, b = int(b[0]), b[1:]
		if n < 0x80 {
			return n, true
		}
		octets := n - 0x80
		if octets > len(b) {
			return 0, false
		}
		n = 0
		for _, c := range b[:octets] {
			if n = n<<8 | int(c); n > 1<<16 {
				return 0, false
			}
		}
		b = b[octets:]
		return n, true
	}
	if len(b) == 0 || b[0] != 0x30 {
		return sig, false
	}
	b = b[1:]
	if _, ok := length(); !ok {
		return sig, false
	}
	var rs [64]byte
	for _, half := range [][]byte{rs[:32], rs[32:]} {
		if len(b) == 0 || b[0] != 0x02 {
			return sig, false
		}
		b = b[1:]
		n, ok := length()
		if !ok || n > len(b) {
			return sig, false
		}
		v := bytes.TrimLeft(b[:n], "\x00")
		if len(v) > 32 {
			return sig, false
		}
		copy(half[32-len(v):], v)
		b = b[n:]
	}
	return parseCompact(t, rs[:])
}

// Each row of sign-secp256k1.json is a walk through the operations of a key.
func TestBcryptoSign(t *testing.T) {
	const (
		priv = iota
		pub
		tweak
		privAdd
		privMul
		privNeg
		privInv
		pubAdd
		pubMul
		pubNeg
		pubDouble
		pubUncompressed
		pubHybrid
		sec1
		xy
		pkcs8
		spki
		msg
		sig
		der
		recoveryID
		other
		secret
		fields
	)
	var file [][fields]any
	vectors.JSON(t, "bcrypto/sign-secp256k1.json", &file)
	count := newTally(t)
	for i, row := range file {
		count.add("rows")
		field := func(j int) []byte { return unhex(t, row[j].(string)) }
		check := func(name string, got []byte, j int) {
			t.Helper()
			if !bytes.Equal(got, field(j)) {
				t.Errorf("%d: %s is %x, want %x", i, name, got, field(j))
			}
		}
		checkPriv := func(name string, j int) func(*p256k1.PrivateKey, error) {
			return func(k *p256k1.PrivateKey, err error) {
				t.Helper()
				if err != nil {
					t.Errorf("%d: %s: %v", i, name, err)
					return
				}
				check(name, k.Bytes(), j)
			}
		}
		checkPub := func(name string, j int) func(*p256k1.PublicKey, error) {
			return func(k *p256k1.PublicKey, err error) {
				t.Helper()
				if err != nil {
					t.Errorf("%d: %s: %v", i, name, err)
					return
				}
				check(name, k.Bytes(), j)
			}
		}
		key := privateKey(t, field(priv))
		public := key.PublicKey()
		check("public key", public.Bytes(), pub)
		checkPriv("private key + tweak", privAdd)(key.TweakAdd(field(tweak)))
		checkPriv("private key · tweak", privMul)(key.TweakMul(field(tweak)))
		check("−private key", key.Negate().Bytes(), privNeg)
		inverse := new(curve.Scalar).Invert(secretOf(t, key))
		check("1/private key", inverse.Bytes(), privInv)
		check("1/private key, Vartime", new(curve.Scalar).InvertVartime(secretOf(t, key)).Bytes(), privInv)
		checkPub("public key + tweak", pubAdd)(public.TweakAdd(field(tweak)))
		checkPub("public key · tweak", pubMul)(public.TweakMul(field(tweak)))
		check("−public key", public.Negate().Bytes(), pubNeg)
		checkPub("2 · public key", pubDouble)(p256k1.NewPublicKeyFromPoint(new(curve.Point).Double(public.Point())))
		check("uncompressed public key", public.BytesUncompressed(), pubUncompressed)
		checkEncodings(t, public, field(pubUncompressed))
		check("coordinates", public.BytesUncompressed()[1:], xy)
		if _, ok := parsePublicKey(t, field(pubHybrid)); ok {
			t.Errorf("%d: hybrid encoding %x is accepted, against the policy", i, field(pubHybrid))
		}
		checkPub("SubjectPublicKeyInfo", pub)(keyformat.ParsePKIXPublicKey(field(spki)))
		checkPriv("ECPrivateKey", priv)(keyformat.ParseECPrivateKey(field(sec1)))
		checkPriv("PrivateKeyInfo", priv)(keyformat.ParsePKCS8PrivateKey(field(pkcs8)))
		signature, err := ecdsa.SignRecoverable(key, field(msg))
		if err != nil {
			t.Fatal(err)
		}
		check("signature", signature.Signature().Bytes(), sig)
		check("DER signature", signature.Signature().DER(), der)
		if v := row[recoveryID].(float64); signature.RecoveryID() != int(v) {
			t.Errorf("%d: recovery id %d, want %v", i, signature.RecoveryID(), v)
		}
		if !ecdsa.Verify(public, field(msg), signature.Signature()) {
			t.Errorf("%d: signature is not valid", i)
		}
		checkValidECDSA(t, public, field(msg), signature.Signature())
		// The secret is the compressed point that key and other share.
		peer := privateKey(t, field(other))
		checkPub("shared point", secret)(peer.PublicKey().TweakMul(key.Bytes()))
		for _, side := range []struct {
			priv *p256k1.PrivateKey
			pub  *p256k1.PublicKey
		}{{key, peer.PublicKey()}, {peer, public}} {
			x, err := ecdh.X(side.priv, side.pub)
			if err != nil || !bytes.Equal(x[:], field(secret)[1:]) {
				t.Errorf("%d: ECDH gives %x (%v)", i, x, err)
			}
		}
	}
	count.want("16 rows")
}
