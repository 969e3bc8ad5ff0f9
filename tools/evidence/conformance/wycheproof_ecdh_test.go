package conformance

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/keyformat"
)

// Public keys are in SubjectPublicKeyInfo. Of the cases whose result is "acceptable", for being oddly encoded, keyformat
// refuses every one but the compressed point, which an application that follows SEC 1 has to take.
func TestWycheproofECDH(t *testing.T) {
	var file struct {
		TestGroups []struct {
			Curve, Encoding string
			Tests           []struct {
				TcID                                     int
				Comment, Public, Private, Shared, Result string
			}
		}
	}
	wycheproof(t, "ecdh_secp256k1_test.json", &file)
	count := newTally(t)
	for _, g := range file.TestGroups {
		if g.Curve != "secp256k1" || g.Encoding != "asn" {
			t.Fatalf("group on %q in %q", g.Curve, g.Encoding)
		}
		for _, test := range g.Tests {
			pub, err := keyformat.ParsePKIXPublicKey(unhex(t, test.Public))
			outcome := " and refused"
			if err == nil {
				outcome = " and accepted"
				checkECDH(t, test.TcID, privateKey(t, pad32(t, unhex(t, test.Private))), pub, unhex(t, test.Shared))
			}
			count.add(test.Result + outcome)
			want := test.Result == "valid" || test.Result == "acceptable" && test.Comment == "compressed public key"
			if (err == nil) != want {
				t.Errorf("#%d (%s): %s%s (%v)", test.TcID, test.Comment, test.Result, outcome, err)
			}
		}
	}
	count.want("473 valid and accepted, 1 acceptable and accepted, 229 acceptable and refused, 49 invalid and refused")
}

// checkECDH makes sure that the secret of the two keys is the given x coordinate, however it is asked for.
func checkECDH(t testing.TB, id int, priv *p256k1.PrivateKey, pub *p256k1.PublicKey, shared []byte) {
	t.Helper()
	for _, p := range []*p256k1.PublicKey{pub, pub.Negate()} {
		if x, err := ecdh.X(priv, p); err != nil || !bytes.Equal(x[:], shared) {
			t.Errorf("#%d: shared secret %x (%v), want %x", id, x, err, shared)
		}
	}
	if x, err := ecdh.XFromXOnly(priv, pub.XOnly()); err != nil || !bytes.Equal(x[:], shared) {
		t.Errorf("#%d: shared secret from the x coordinate %x (%v), want %x", id, x, err, shared)
	}
	if p, err := pub.TweakMul(priv.Bytes()); err != nil || !bytes.Equal(p.XOnly().Bytes(), shared) {
		t.Errorf("#%d: the shared point is not the product of the keys: %v", id, err)
	}
}

// Keys are JSON Web Keys, in which the curve has another name than in RFC 8812.
func TestWycheproofECDHWebCrypto(t *testing.T) {
	var file struct {
		TestGroups []struct {
			Curve, Encoding string
			Tests           []struct {
				TcID                    int
				Comment, Shared, Result string
				Public, Private         json.RawMessage
			}
		}
	}
	wycheproof(t, "ecdh_secp256k1_webcrypto_test.json", &file)
	renamed := func(jwk json.RawMessage) []byte {
		return []byte(strings.Replace(string(jwk), `"P-256K"`, `"secp256k1"`, 1))
	}
	count := newTally(t)
	for _, g := range file.TestGroups {
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
				checkECDH(t, test.TcID, priv, pub, unhex(t, test.Shared))
			}
		}
	}
	count.want("473 valid, 23 invalid")
}
