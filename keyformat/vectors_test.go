package keyformat_test

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/vectors"
	"p256k1.mleku.dev/v2/keyformat"
)

// TestWycheproofES256K reads the public keys of Wycheproof's ECDSA vectors in all formats, and verifies the signatures,
// which are r‖s over SHA-256.
func TestWycheproofES256K(t *testing.T) {
	var file struct {
		TestGroups []struct {
			PublicKey                  struct{ Uncompressed string }
			PublicKeyDer, PublicKeyPem string
			PublicKeyJwk               json.RawMessage
			Tests                      []struct {
				TcID                      int
				Comment, Msg, Sig, Result string
			}
		}
	}
	vectors.JSON(t, "wycheproof/ecdsa_secp256k1_sha256_p1363_test.json", &file)
	jwks, results := 0, make(map[string]int)
	for _, g := range file.TestGroups {
		pub, err := keyformat.ParsePKIXPublicKey(libtest.Unhex(g.PublicKeyDer))
		if err != nil || hex.EncodeToString(pub.BytesUncompressed()) != g.PublicKey.Uncompressed {
			t.Fatalf("%s: %v", g.PublicKeyDer, err)
		}
		if der, err := keyformat.MarshalPKIXPublicKey(pub); err != nil || hex.EncodeToString(der) != g.PublicKeyDer {
			t.Errorf("%s: %x, %v", g.PublicKeyDer, der, err)
		}
		if again, err := keyformat.ParsePublicKeyPEM([]byte(g.PublicKeyPem)); err != nil || !again.Equal(pub) {
			t.Errorf("%s: %v", g.PublicKeyPem, err)
		}
		if text, err := keyformat.MarshalPublicKeyPEM(pub); err != nil || strings.TrimSpace(string(text)) != strings.TrimSpace(g.PublicKeyPem) {
			t.Errorf("%s: %s, %v", g.PublicKeyPem, text, err)
		}
		if g.PublicKeyJwk != nil {
			jwks++
			if again, err := keyformat.ParsePublicKeyJWK(g.PublicKeyJwk); err != nil || !again.Equal(pub) {
				t.Errorf("%s: %v", g.PublicKeyJwk, err)
			}
		}
		for _, c := range g.Tests {
			results[c.Result]++
			if got := keyformat.VerifyES256K(pub, libtest.Unhex(c.Msg), libtest.Unhex(c.Sig)); got != (c.Result == "valid") {
				t.Errorf("#%d (%s): %v, but is %s", c.TcID, c.Comment, got, c.Result)
			}
		}
	}
	if jwks != 99 || results["valid"] != 167 || results["invalid"] != 85 || len(results) != 2 {
		t.Errorf("%d keys in JWK, %v", jwks, results)
	}
}

// TestWycheproofPKIX reads the public keys of Wycheproof's ECDH vectors. Unusual encodings, which Wycheproof calls
// “acceptable”, must be refused, except the compressed encoding.
func TestWycheproofPKIX(t *testing.T) {
	var file struct {
		TestGroups []struct {
			Tests []struct {
				TcID                    int
				Comment, Public, Result string
				Flags                   []string
			}
		}
	}
	vectors.JSON(t, "wycheproof/ecdh_secp256k1_test.json", &file)
	results := make(map[string]int)
	for _, g := range file.TestGroups {
		for _, c := range g.Tests {
			b := libtest.Unhex(c.Public)
			_, err := keyformat.ParsePKIXPublicKey(b)
			outcome := " and accepted"
			if err != nil {
				outcome = " and refused"
			}
			results[c.Result+outcome]++
			flags := strings.Join(c.Flags, " ")
			switch {
			case c.Result == "acceptable" && (err == nil) != (c.Comment == "compressed public key"),
				strings.Contains(flags, "UnnamedCurve") && !errors.Is(err, keyformat.ErrExplicitParameters),
				flags == "WrongCurve" && !errors.Is(err, keyformat.ErrCurve):
				t.Errorf("#%d (%s, %s): %v", c.TcID, c.Comment, flags, err)
			}
			checkPKIX(t, b)
		}
	}
	if got := fmt.Sprint(results); got != "map[acceptable and accepted:1 acceptable and refused:229 invalid and refused:49 valid and accepted:473]" {
		t.Error(got)
	}
}

// TestWycheproofJWK reads the keys of Wycheproof's vectors for the Web Cryptography API, which name the curve P-256K,
// once as they are and once with the curve's name in RFC 8812.
func TestWycheproofJWK(t *testing.T) {
	var file struct {
		TestGroups []struct {
			Tests []struct {
				TcID            int
				Public, Private json.RawMessage
				Result          string
			}
		}
	}
	vectors.JSON(t, "wycheproof/ecdh_secp256k1_webcrypto_test.json", &file)
	results := make(map[string]int)
	for _, g := range file.TestGroups {
		for _, c := range g.Tests {
			_, err := keyformat.ParsePrivateKeyJWK(c.Private)
			checkKind(t, err, keyformat.ErrCurve)
			renamed := func(jwk json.RawMessage) []byte {
				return []byte(strings.Replace(string(jwk), `"P-256K"`, `"secp256k1"`, 1))
			}
			if _, err := keyformat.ParsePrivateKeyJWK(renamed(c.Private)); err != nil {
				t.Errorf("#%d: %v", c.TcID, err)
			}
			_, err = keyformat.ParsePublicKeyJWK(renamed(c.Public))
			if (err == nil) != (c.Result == "valid") {
				t.Errorf("#%d: %v, but is %s", c.TcID, err, c.Result)
			}
			checkJWK(t, renamed(c.Private))
			checkJWK(t, renamed(c.Public))
			results[c.Result]++
		}
	}
	if results["valid"] != 473 || results["invalid"] != 23 {
		t.Error(results)
	}
}
