package keyformat

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/secret"
)

// ParsePrivateKeyJWK returns the private key in a JSON Web Key (RFC 7517; RFC 7518, section 6.2; RFC 8812, section
// 3.1). Its members must be kty "EC", crv "secp256k1", and x, y and d, each with 43 digits in base64url. The members
// alg, use and key_ops are optional: alg must be "ES256K", use must be "sig", and key_ops must contain "sign" and may
// contain "verify". Other members are ignored, and no member may occur twice. The error is ErrJWK, ErrAlgorithm,
// ErrCurve, ErrMismatch, p256k1.ErrRange or p256k1.ErrNotOnCurve.
func ParsePrivateKeyJWK(data []byte) (*p256k1.PrivateKey, error) {
	return wiping(func() (*p256k1.PrivateKey, error) {
		p := parser{what: "private JWK"}
		m := p.jwk(data, "sign")
		pub := p.point(m)
		d := secret.Make[byte](32)
		defer clear(d)
		return p.privateKey(p.number(d[:0], m, "d"), pub)
	})
}

// MarshalPrivateKeyJWK returns the JSON Web Key of a private key, with the members crv, kty, x, y and d. The error is
// p256k1.ErrNoKey for an invalid key.
func MarshalPrivateKeyJWK(key *p256k1.PrivateKey) ([]byte, error) {
	if err := checkPrivateKey(key, "private JWK"); err != nil {
		return nil, err
	}
	return wiping(func() ([]byte, error) {
		d := key.Bytes()
		defer clear(d)
		return marshalJWK(key.PublicKey(), d), nil
	})
}

// ParsePublicKeyJWK returns the public key in a JSON Web Key (RFC 7517; RFC 7518, section 6.2; RFC 8812, section 3.1).
// Its members must be kty "EC", crv "secp256k1", and x and y, each with 43 digits in base64url. The members alg, use
// and key_ops are optional: alg must be "ES256K", use must be "sig", and key_ops must contain "verify". Other members
// are ignored, and no member may occur twice. A private key, which has the member d, is refused, because the secret was
// probably put there by mistake. The error is ErrJWK, ErrAlgorithm, ErrCurve, p256k1.ErrRange or p256k1.ErrNotOnCurve.
func ParsePublicKeyJWK(data []byte) (*p256k1.PublicKey, error) {
	p := parser{what: "public JWK"}
	m := p.jwk(data, "verify")
	if m["d"] != nil {
		p.fail(ErrJWK, "the member \"d\" makes it a private key")
	}
	pub := p.point(m)
	if p.err != nil {
		return nil, p.err
	}
	return pub, nil
}

// MarshalPublicKeyJWK returns the JSON Web Key of a public key, with the members crv, kty, x and y, in the form that
// Thumbprint hashes. The error is p256k1.ErrNoKey if pub is invalid.
func MarshalPublicKeyJWK(pub *p256k1.PublicKey) ([]byte, error) {
	if err := checkPublicKey(pub, "public JWK"); err != nil {
		return nil, err
	}
	return marshalJWK(pub, nil), nil
}

// Thumbprint returns the SHA-256 JWK thumbprint of a public key (RFC 7638) in base64url, 43 digits. The thumbprint
// identifies the key, and can be used as the member kid. The error is p256k1.ErrNoKey if pub is invalid.
func Thumbprint(pub *p256k1.PublicKey) (string, error) {
	jwk, err := MarshalPublicKeyJWK(pub)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(jwk)
	return string(base64url.appendBase64(nil, sum[:])), nil
}

// marshalJWK returns a JWK with the members of pub in the order of RFC 7638, section 3.2, and then d, unless d is nil.
func marshalJWK(pub *p256k1.PublicKey, d []byte) []byte {
	xy := pub.BytesUncompressed()[1:]
	jwk := secret.Make[byte](200)[:0] // large enough, because a slice that grows leaves a copy of the key behind
	jwk = append(jwk, `{"crv":"secp256k1","kty":"EC","x":"`...)
	jwk = base64url.appendBase64(jwk, xy[:32])
	jwk = append(jwk, `","y":"`...)
	jwk = base64url.appendBase64(jwk, xy[32:])
	if d != nil {
		jwk = append(jwk, `","d":"`...)
		jwk = base64url.appendBase64(jwk, d)
	}
	return append(jwk, `"}`...)
}

// jwk returns the members of a JWK, which must be a key on secp256k1 for the operation op. The values of the members
// are slices of data and are still encoded in JSON.
func (p *parser) jwk(data []byte, op string) map[string][]byte {
	m := p.members(data)
	p.member(m, "kty", "EC", ErrAlgorithm)
	p.member(m, "crv", "secp256k1", ErrCurve)
	if m["alg"] != nil {
		p.member(m, "alg", "ES256K", ErrJWK)
	}
	if m["use"] != nil {
		p.member(m, "use", "sig", ErrJWK)
	}
	if m["key_ops"] != nil {
		p.operations(m["key_ops"], op)
	}
	return m
}

// member fails with an error of the given kind unless the value of the member is want. If the member is missing or is
// not a string, the error is ErrJWK.
func (p *parser) member(m map[string][]byte, name, want string, kind error) {
	var value string
	switch raw := m[name]; {
	case raw == nil:
		p.fail(ErrJWK, "no member %q", name)
	case raw[0] != '"' || json.Unmarshal(raw, &value) != nil:
		p.fail(ErrJWK, "the member %q is not a string", name)
	case value != want:
		p.fail(kind, "the member %q is %s, want %q", name, quote(value), want)
	}
}

// operations reads the value of key_ops (RFC 7517, section 4.3).
func (p *parser) operations(value []byte, op string) {
	var ops []string
	if value[0] != '[' || json.Unmarshal(value, &ops) != nil {
		p.fail(ErrJWK, "the member \"key_ops\" is not an array of strings")
		return
	}
	for i, o := range ops {
		if o != "sign" && o != "verify" {
			p.fail(ErrJWK, "the member \"key_ops\" has %s, which is not an operation for this kind of key", quote(o))
			return
		}
		if slices.Contains(ops[:i], o) {
			p.fail(ErrJWK, "the member \"key_ops\" has %q twice", o)
			return
		}
	}
	if !slices.Contains(ops, op) {
		p.fail(ErrJWK, "the member \"key_ops\" does not have %q", op)
	}
}

// point returns the public key with the members x and y.
func (p *parser) point(m map[string][]byte) *p256k1.PublicKey {
	b := p.number(append(make([]byte, 0, 65), 4), m, "x")
	b = p.number(b, m, "y")
	if p.err != nil {
		return nil
	}
	pub, err := p256k1.ParsePublicKey(b)
	p.wrap("public key", err)
	return pub
}

// number appends to b the 32 bytes that the value of the named member encodes.
func (p *parser) number(b []byte, m map[string][]byte, name string) []byte {
	value, ok := m[name], false
	switch {
	case p.err != nil:
		return b
	case value == nil:
		p.fail(ErrJWK, "no member %q", name)
		return b
	case len(value) == 1+43+1 && value[0] == '"':
		b, ok = base64url.appendBytes(b, value[1:44])
	}
	if !ok {
		p.fail(ErrJWK, "the member %q is not a string of 43 digits in base64url, 32 bytes without padding", name)
	}
	return b
}

// members returns the members of a JSON object. The values are slices of data and are still encoded in JSON. Package
// encoding/json is not suitable for this, because it takes the last of several members with the same name, and copies
// strings to memory that cannot be wiped.
func (p *parser) members(data []byte) map[string][]byte {
	if !json.Valid(data) || !utf8.Valid(data) {
		p.fail(ErrJWK, "not JSON")
		return nil
	}
	m := make(map[string][]byte)
	data = space(data)
	if data[0] != '{' {
		p.fail(ErrJWK, "not a JSON object")
		return nil
	}
	// Because the object is valid JSON, the loop can skip the characters between values without checking them.
	data = space(data[1:])
	for data[0] != '}' {
		n := valueEnd(data)
		var name string
		if json.Unmarshal(data[:n], &name) != nil || m[name] != nil {
			p.fail(ErrJWK, "the member %s occurs twice", quote(name))
			return nil
		}
		data = space(space(data[n:])[1:]) // after the colon
		n = valueEnd(data)
		m[name] = data[:n]
		data = space(data[n:])
		if data[0] == ',' {
			data = space(data[1:])
		}
	}
	return m
}

// space returns b without leading white space.
func space(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t' || b[0] == '\n' || b[0] == '\r') {
		b = b[1:]
	}
	return b
}

// valueEnd returns the length of the JSON value at the front of b, which is part of a valid JSON object.
func valueEnd(b []byte) int {
	depth := 0
	for i := 0; ; i++ {
		switch b[i] {
		case '"':
			i++
			for b[i] != '"' {
				if b[i] == '\\' {
					i++
				}
				i++
			}
			if depth == 0 {
				return i + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 { // the end of the enclosing object or array also ends a number or a word
				return i
			}
			depth--
			if depth == 0 {
				return i + 1
			}
		case ',', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return i
			}
		}
	}
}

// quote returns s in quotation marks, for an error message. If s has more than 24 bytes, quote returns only the length
// of s, because s may be a secret in the wrong place.
func quote(s string) string {
	if len(s) > 24 {
		return fmt.Sprintf("a text of %d bytes", len(s))
	}
	return strconv.QuoteToASCII(s)
}
