package conformance

import (
	"bytes"
	"encoding/base64"
	"errors"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdh"
)

// Public keys are in SubjectPublicKeyInfo. Of the cases whose result is "acceptable", for being oddly encoded, the policy of
// unwrapSPKI refuses every one but the compressed point, which an application that follows SEC 1 has to take.
func TestWycheproofECDH(t *testing.T) {
	var file struct {
		TestGroups []struct {
			Curve, Encoding string
			Tests           []struct {
				TcID                                     int
				Comment, Public, Private, Shared, Result string
				Flags                                    []string
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
			priv := privateKey(t, pad32(t, unhex(t, test.Private)))
			point, err := unwrapSPKI(unhex(t, test.Public))
			var pub *p256k1.PublicKey
			if err == nil {
				var ok bool
				if pub, ok = parsePublicKey(t, point); !ok {
					err = errors.New("not a public key")
				}
			}
			outcome := "refused"
			if err == nil {
				outcome = "accepted"
				checkECDH(t, test.TcID, priv, pub, unhex(t, test.Shared))
			}
			count.add(test.Result + " and " + outcome)
			wrong := test.Result == "valid" && err != nil || test.Result == "invalid" && err == nil
			if wrong || test.Result == "acceptable" && (err == nil) != (test.Comment == "compressed public key") {
				t.Errorf("#%d (%s, %v): %s, but is %s (%v)", test.TcID, test.Comment, test.Flags, outcome, test.Result, err)
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

// Keys are JSON Web Keys: the coordinates of the public key in base64url, each of 32 bytes, and the name of the curve.
func TestWycheproofECDHWebCrypto(t *testing.T) {
	type jwk struct{ Kty, Crv, X, Y, D string }
	var file struct {
		TestGroups []struct {
			Curve, Encoding string
			Tests           []struct {
				TcID                    int
				Comment, Shared, Result string
				Public, Private         jwk
				Flags                   []string
			}
		}
	}
	wycheproof(t, "ecdh_secp256k1_webcrypto_test.json", &file)
	base64url := base64.RawURLEncoding.Strict()
	// parse returns the public half of a key.
	parse := func(k jwk) (*p256k1.PublicKey, error) {
		if k.Kty != "EC" || k.Crv != "P-256K" {
			return nil, errors.New("not a key of this curve")
		}
		x, errX := base64url.DecodeString(k.X)
		y, errY := base64url.DecodeString(k.Y)
		if errX != nil || errY != nil || len(x) != 32 || len(y) != 32 {
			return nil, errors.New("coordinates are not 32 bytes in base64url")
		}
		pub, ok := parsePublicKey(t, append(append([]byte{4}, x...), y...))
		if !ok {
			return nil, errors.New("not a public key")
		}
		return pub, nil
	}
	count := newTally(t)
	for _, g := range file.TestGroups {
		if g.Curve != "P-256K" || g.Encoding != "webcrypto" {
			t.Fatalf("group on %q in %q", g.Curve, g.Encoding)
		}
		for _, test := range g.Tests {
			d, err := base64url.DecodeString(test.Private.D)
			if err != nil {
				t.Fatalf("#%d: private key: %v", test.TcID, err)
			}
			priv := privateKey(t, d)
			if pub, err := parse(test.Private); err != nil || !pub.Equal(priv.PublicKey()) {
				t.Errorf("#%d: the public half of the private key is not that of d: %v", test.TcID, err)
			}
			pub, err := parse(test.Public)
			count.add(test.Result)
			if (err == nil) != (test.Result == "valid") {
				t.Errorf("#%d (%s, %v): %v, but is %s", test.TcID, test.Comment, test.Flags, err, test.Result)
			}
			if err == nil {
				checkECDH(t, test.TcID, priv, pub, unhex(t, test.Shared))
			}
		}
	}
	count.want("473 valid, 23 invalid")
}
