package keyformat_test

import (
	"bytes"
	"crypto"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"log"
	"strings"
	"time"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/keyformat"
)

// opensslKey is the output of “openssl ecparam -name secp256k1 -genkey”. Never use the key, because it is public.
const opensslKey = `-----BEGIN EC PARAMETERS-----
BgUrgQQACg==
-----END EC PARAMETERS-----
-----BEGIN EC PRIVATE KEY-----
MHQCAQEEIDJaIRQ1S14FYQuEQGF2XY05V+TFohbXj06KN7KTZFRboAcGBSuBBAAK
oUQDQgAE8q2dI9vxCUAMUsQvvfe3KnFtoH5GFQlKfFQXrItmjceYBovi8x0zKqyL
NJkw9vL8MYxHhektaS6mMf8bv8KRug==
-----END EC PRIVATE KEY-----
`

func key() *p256k1.PrivateKey {
	k, err := keyformat.ParsePrivateKeyPEM([]byte(opensslKey))
	if err != nil {
		log.Fatal(err)
	}
	return k
}

// A key that OpenSSL generated is read, and is then written as PKCS #8, which newer software expects.
func Example() {
	file := []byte(opensslKey) // or os.ReadFile("key.pem")
	k, err := keyformat.ParsePrivateKeyPEM(file)
	if err != nil {
		log.Fatal(err)
	}
	clear(file)
	defer k.Zero()

	pkcs8, err := keyformat.MarshalPrivateKeyPEM(k)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s", pkcs8) // or os.WriteFile("key8.pem", pkcs8, 0o600)
	clear(pkcs8)
	public, err := keyformat.MarshalPublicKeyPEM(k.PublicKey())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s", public)

	// Output:
	// -----BEGIN PRIVATE KEY-----
	// MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQgMlohFDVLXgVhC4RAYXZd
	// jTlX5MWiFtePToo3spNkVFuhRANCAATyrZ0j2/EJQAxSxC+997cqcW2gfkYVCUp8
	// VBesi2aNx5gGi+LzHTMqrIs0mTD28vwxjEeF6S1pLqYx/xu/wpG6
	// -----END PRIVATE KEY-----
	// -----BEGIN PUBLIC KEY-----
	// MFYwEAYHKoZIzj0CAQYFK4EEAAoDQgAE8q2dI9vxCUAMUsQvvfe3KnFtoH5GFQlK
	// fFQXrItmjceYBovi8x0zKqyLNJkw9vL8MYxHhektaS6mMf8bv8KRug==
	// -----END PUBLIC KEY-----
}

// A token is header.payload.signature. The program must write and check the header and the payload. This package
// provides the signature and the key id.
func ExampleSignES256K() {
	sign := func(signer crypto.Signer, kid string, claims any) (token string, err error) {
		header, err := json.Marshal(map[string]string{"alg": "ES256K", "typ": "JWT", "kid": kid})
		if err != nil {
			return "", err
		}
		payload, err := json.Marshal(claims)
		if err != nil {
			return "", err
		}
		token = base64.RawURLEncoding.EncodeToString(header) + "." + base64.RawURLEncoding.EncodeToString(payload)
		sig, err := keyformat.SignES256K(signer, []byte(token))
		return token + "." + base64.RawURLEncoding.EncodeToString(sig), err
	}

	type claims struct {
		Subject string `json:"sub"`
		Expires int64  `json:"exp"`
	}
	verify := func(token string, keys map[string]*p256k1.PublicKey, now time.Time) (c claims, err error) {
		parts := strings.Split(token, ".")
		if len(parts) != 3 {
			return c, errors.New("not a token")
		}
		var raw [3][]byte
		for i, part := range parts {
			if raw[i], err = base64.RawURLEncoding.Strict().DecodeString(part); err != nil {
				return c, err
			}
		}
		var header struct{ Alg, Kid string }
		if err := json.Unmarshal(raw[0], &header); err != nil {
			return c, err
		}
		// The program knows the algorithm from the key, and never trusts the header of the token alone.
		pub := keys[header.Kid]
		if header.Alg != "ES256K" || pub == nil {
			return c, errors.New("another algorithm or an unknown key")
		}
		if !keyformat.VerifyES256K(pub, []byte(parts[0]+"."+parts[1]), raw[2]) {
			return c, errors.New("wrong signature")
		}
		if err := json.Unmarshal(raw[1], &c); err != nil {
			return c, err
		}
		if now.Unix() >= c.Expires {
			return c, errors.New("expired")
		}
		return c, nil
	}

	kid, err := keyformat.Thumbprint(key().PublicKey())
	if err != nil {
		log.Fatal(err)
	}
	now := time.Now()
	token, err := sign(ecdsa.NewSigner(key(), nil), kid, claims{"somebody", now.Add(time.Hour).Unix()})
	if err != nil {
		log.Fatal(err)
	}
	keys := map[string]*p256k1.PublicKey{kid: key().PublicKey()}
	c, err := verify(token, keys, now)
	fmt.Println(c.Subject, err)
	_, err = verify(token, keys, now.Add(2*time.Hour))
	fmt.Println(err)
	_, err = verify(strings.Replace(token, ".", ".e", 1), keys, now)
	fmt.Println(err != nil)

	// SignES256K refuses keys on other curves.
	_, err = keyformat.SignES256K(none{}, []byte(token))
	fmt.Println(errors.Is(err, keyformat.ErrSigner), err)

	// Output:
	// somebody <nil>
	// expired
	// true
	// true keyformat: ES256K: not a signer with a secp256k1 key: its public key is not a *p256k1.PublicKey
}

type none struct{ crypto.Signer }

func (none) Public() crypto.PublicKey { return nil }

// A public key is written as a JSON Web Key. Package encoding/json can add further members, such as a name of the key.
func ExampleMarshalPublicKeyJWK() {
	pub := key().PublicKey()
	plain, err := keyformat.MarshalPublicKeyJWK(pub)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", plain)

	members := make(map[string]string)
	if err := json.Unmarshal(plain, &members); err != nil {
		log.Fatal(err)
	}
	members["alg"] = "ES256K"
	members["use"] = "sig"
	if members["kid"], err = keyformat.Thumbprint(pub); err != nil {
		log.Fatal(err)
	}
	named, err := json.Marshal(members)
	if err != nil {
		log.Fatal(err)
	}
	parsed, err := keyformat.ParsePublicKeyJWK(named)
	fmt.Println(members["kid"], pub.Equal(parsed), err)

	_, err = keyformat.ParsePublicKeyJWK(bytes.Replace(named, []byte(`"sig"`), []byte(`"enc"`), 1))
	fmt.Println(errors.Is(err, keyformat.ErrJWK), err)

	// Output:
	// {"crv":"secp256k1","kty":"EC","x":"8q2dI9vxCUAMUsQvvfe3KnFtoH5GFQlKfFQXrItmjcc","y":"mAaL4vMdMyqsizSZMPby_DGMR4XpLWkupjH_G7_Ckbo"}
	// X0votcCZfsK1UzNIqLLabOZVFHEv6o5KzLNerNB6-Sw true <nil>
	// true keyformat: public JWK: invalid JWK: the member "use" is "enc", want "sig"
}

func ExampleParsePrivateKeyJWK() {
	jwk, err := keyformat.MarshalPrivateKeyJWK(key())
	if err != nil {
		log.Fatal(err)
	}
	k, err := keyformat.ParsePrivateKeyJWK(jwk)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(key().Equal(k))

	// This public key does not belong to the private key.
	other, err := keyformat.MarshalPublicKeyJWK(k.PublicKey().Negate())
	if err != nil {
		log.Fatal(err)
	}
	mixed := append(other[:len(other)-1], jwk[len(other)-1:]...)
	_, err = keyformat.ParsePrivateKeyJWK(mixed)
	fmt.Println(errors.Is(err, keyformat.ErrMismatch), err)

	// Output:
	// true
	// true keyformat: private JWK: private key and public key do not belong together
}

// Some file formats and hardware modules store keys in DER without PEM.
func ExampleParsePKCS8PrivateKey() {
	pkcs8, err := keyformat.MarshalPKCS8PrivateKey(key())
	if err != nil {
		log.Fatal(err)
	}
	k, err := keyformat.ParsePKCS8PrivateKey(pkcs8)
	fmt.Println(len(pkcs8), key().Equal(k), err)

	_, err = keyformat.ParsePKCS8PrivateKey(append(pkcs8, 0))
	fmt.Println(errors.Is(err, keyformat.ErrDER), err)

	// Output:
	// 135 true <nil>
	// true keyformat: PKCS #8: invalid DER: more bytes after the key
}

// Old software may read only the format EC PRIVATE KEY.
func ExampleMarshalECPrivateKey() {
	der, err := keyformat.MarshalECPrivateKey(key())
	if err != nil {
		log.Fatal(err)
	}
	k, err := keyformat.ParseECPrivateKey(der)
	fmt.Println(len(der), key().Equal(k), err)
	text := pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})
	fmt.Println(strings.HasSuffix(opensslKey, string(text)))

	// Output:
	// 118 true <nil>
	// true
}

func ExampleParsePKIXPublicKey() {
	der, err := keyformat.MarshalPKIXPublicKey(key().PublicKey())
	if err != nil {
		log.Fatal(err)
	}
	pub, err := keyformat.ParsePKIXPublicKey(der)
	fmt.Println(len(der), key().PublicKey().Equal(pub), err)

	// Output:
	// 88 true <nil>
}

// Files with other contents are refused with these errors.
func ExampleParsePublicKeyPEM() {
	for _, c := range []struct {
		what error
		file string
	}{
		{keyformat.ErrPEM, opensslKey},
		{keyformat.ErrCurve, "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q=="},
		{keyformat.ErrAlgorithm, "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="},
		{keyformat.ErrExplicitParameters, "MA8wDQYHKoZIzj0CATACBgA="},
	} {
		if !strings.HasPrefix(c.file, "-----") {
			c.file = "-----BEGIN PUBLIC KEY-----\n" + c.file + "\n-----END PUBLIC KEY-----\n"
		}
		_, err := keyformat.ParsePublicKeyPEM([]byte(c.file))
		fmt.Println(errors.Is(err, c.what), err)
	}
	_, err := keyformat.ParsePrivateKeyPEM([]byte("-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAA=\n-----END ENCRYPTED PRIVATE KEY-----\n"))
	fmt.Println(errors.Is(err, keyformat.ErrEncrypted), err)

	// Output:
	// true keyformat: PEM public key: invalid PEM: a block "EC PARAMETERS", want PUBLIC KEY
	// true keyformat: SubjectPublicKeyInfo: not on secp256k1: the curve is 1.2.840.10045.3.1.7, want 1.3.132.0.10
	// true keyformat: SubjectPublicKeyInfo: not an elliptic-curve key: the algorithm is 1.3.101.112, want 1.2.840.10045.2.1
	// true keyformat: SubjectPublicKeyInfo: explicit curve parameters: the curve must be given by its name, 1.3.132.0.10
	// true keyformat: PEM private key: encrypted: decrypt it first
}
