package keyformat_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/keyformat"
)

// This file is a second implementation of all formats. It uses encoding/asn1, pem, json and base64, and refuses inputs
// that these packages accept although the formats do not allow them. It uses the library for points and scalars,
// because those are tested elsewhere.

var (
	oidEC    = asn1.ObjectIdentifier{1, 2, 840, 10045, 2, 1}
	oidCurve = asn1.ObjectIdentifier{1, 3, 132, 0, 10}
)

type asn1Algorithm struct{ Algorithm, Curve asn1.ObjectIdentifier }

type asn1EC struct {
	Version int
	Secret  []byte
	Curve   asn1.ObjectIdentifier `asn1:"optional,explicit,tag:0"`
	Public  asn1.BitString        `asn1:"optional,explicit,tag:1"`
}

type asn1PKCS8 struct {
	Version   int
	Algorithm asn1Algorithm
	Key       []byte
}

type asn1PKIX struct {
	Algorithm asn1Algorithm
	Public    asn1.BitString
}

func marshal(v any) []byte {
	b, err := asn1.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// exactly decodes b into v and reports whether encoding v gives b again. Package encoding/asn1 does not check this,
// because it skips elements that v does not have.
func exactly(b []byte, v any) bool {
	rest, err := asn1.Unmarshal(b, v)
	if err != nil || len(rest) > 0 {
		return false
	}
	again, err := asn1.Marshal(dereference(v))
	return err == nil && bytes.Equal(again, b)
}

func dereference(v any) any {
	switch v := v.(type) {
	case *asn1EC:
		return *v
	case *asn1PKCS8:
		return *v
	case *asn1PKIX:
		return *v
	}
	panic("another type")
}

func bits(b []byte) asn1.BitString { return asn1.BitString{Bytes: b, BitLength: 8 * len(b)} }

// A form is one way to encode a private key.
type form struct {
	pkcs8, curve bool
	public       int // bytes
	width        int // length of the secret in bytes
}

// forms lists the accepted forms in which the secret has the least width or more.
func forms(least int) (all []form) {
	for _, public := range []int{65, 33, 0} {
		for width := least; width <= 33; width++ {
			if width == 32 || public > 0 {
				all = append(all, form{true, false, public, width}, form{true, true, public, width}, form{false, true, public, width})
			}
		}
	}
	return all
}

func (f form) marshal(d *big.Int) []byte {
	pub := publicKey(d)
	key := asn1EC{Version: 1, Secret: d.FillBytes(make([]byte, f.width))}
	if f.curve {
		key.Curve = oidCurve
	}
	switch f.public {
	case 33:
		key.Public = bits(pub.Bytes())
	case 65:
		key.Public = bits(pub.BytesUncompressed())
	}
	if !f.pkcs8 {
		return marshal(key)
	}
	return marshal(asn1PKCS8{0, asn1Algorithm{oidEC, oidCurve}, marshal(key)})
}

// referenceEC returns the secret of an ECPrivateKey, or nil.
func referenceEC(b []byte, alone bool) *big.Int {
	var key asn1EC
	if !exactly(b, &key) || key.Version != 1 || (key.Curve == nil && alone) || (key.Curve != nil && !key.Curve.Equal(oidCurve)) {
		return nil
	}
	d := oracle.Int(key.Secret)
	if d.Sign() == 0 || d.Cmp(oracle.N) >= 0 || len(key.Secret) > 33 {
		return nil
	}
	if key.Public.Bytes == nil {
		if len(key.Secret) != 32 {
			return nil
		}
		return d
	}
	pub, err := p256k1.ParsePublicKey(key.Public.Bytes)
	if err != nil || key.Public.BitLength%8 != 0 || !pub.Equal(publicKey(d)) {
		return nil
	}
	return d
}

func referencePKCS8(b []byte) *big.Int {
	var key asn1PKCS8
	if !exactly(b, &key) || key.Version != 0 || !key.Algorithm.Algorithm.Equal(oidEC) || !key.Algorithm.Curve.Equal(oidCurve) {
		return nil
	}
	return referenceEC(key.Key, false)
}

// referencePKIX returns the compressed public key, or nil.
func referencePKIX(b []byte) []byte {
	var key asn1PKIX
	if !exactly(b, &key) || !key.Algorithm.Algorithm.Equal(oidEC) || !key.Algorithm.Curve.Equal(oidCurve) || key.Public.BitLength%8 != 0 {
		return nil
	}
	pub, err := p256k1.ParsePublicKey(key.Public.Bytes)
	if err != nil {
		return nil
	}
	return pub.Bytes()
}

var (
	lineEnd = regexp.MustCompile("\r\n|\r|\n")
	blanks  = regexp.MustCompile("[ \t\v\f]+")
	encoded = regexp.MustCompile("^[A-Za-z0-9+/]*=?=?$")
	begins  = regexp.MustCompile("^-----BEGIN ((?:-?[^-])*-?)-----$")
)

// referencePEM returns the label and the contents of the block with a key in text (RFC 7468, figures 1 and 2, where the
// boundaries are lines of their own).
func referencePEM(text string) (label string, contents []byte) {
	lines := lineEnd.Split(strings.TrimPrefix(text, "\ufeff"), -1)
	for i := range lines {
		lines[i] = strings.Trim(lines[i], " \t\v\f")
	}
	return referenceBlock(lines, false)
}

func referenceBlock(lines []string, afterParameters bool) (label string, contents []byte) {
	from := slices.IndexFunc(lines, begins.MatchString)
	if from < 0 {
		return "", nil
	}
	label = begins.FindStringSubmatch(lines[from])[1]
	lines = lines[from:]
	to := slices.Index(lines, "-----END "+label+"-----")
	if to < 0 {
		return "", nil
	}
	digits := blanks.ReplaceAllString(strings.Join(lines[1:to], ""), "")
	if label == "EC PARAMETERS" && !afterParameters && digits == "BgUrgQQACg==" { // TestPEM tests other parameters
		return referenceBlock(lines[to+1:], true)
	}
	if afterParameters && label != "EC PRIVATE KEY" {
		return "", nil
	}
	if strings.Join(lines[to+1:], "") != "" || !encoded.MatchString(digits) {
		return "", nil
	}
	contents, err := base64.StdEncoding.Strict().DecodeString(digits)
	if err != nil {
		return "", nil
	}
	return label, contents
}

// referenceMembers returns the members of a JSON object, or nil.
func referenceMembers(b []byte) map[string]json.RawMessage {
	if !json.Valid(b) || !utf8.Valid(b) {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(b))
	if token, err := d.Token(); err != nil || token != json.Delim('{') {
		return nil
	}
	m := make(map[string]json.RawMessage)
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil || m[name.(string)] != nil {
			return nil
		}
		m[name.(string)] = value
	}
	return m
}

func referenceString(raw json.RawMessage) (s string) {
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return "?"
	}
	return s
}

// referenceJWK returns the secret, if the key is private, and the compressed public key, or nil.
func referenceJWK(b []byte, private bool) (d *big.Int, pub []byte) {
	m := referenceMembers(b)
	if referenceString(m["kty"]) != "EC" || referenceString(m["crv"]) != "secp256k1" {
		return nil, nil
	}
	if (m["alg"] != nil && referenceString(m["alg"]) != "ES256K") || (m["use"] != nil && referenceString(m["use"]) != "sig") {
		return nil, nil
	}
	if raw := m["key_ops"]; raw != nil {
		var ops []string
		err := json.Unmarshal(raw, &ops)
		allowed := "[sign] [sign verify] [verify sign]"
		if !private {
			allowed = "[verify] [sign verify] [verify sign]"
		}
		if err != nil || !strings.Contains(allowed, fmt.Sprint(ops)) || len(ops) == 0 {
			return nil, nil
		}
	}
	number := func(name string) []byte {
		raw := m[name]
		if len(raw) != 45 || strings.ContainsAny(string(raw), "\\") {
			return nil
		}
		v, err := base64.RawURLEncoding.Strict().DecodeString(referenceString(raw))
		if err != nil {
			return nil
		}
		return v
	}
	x, y := number("x"), number("y")
	if x == nil || y == nil {
		return nil, nil
	}
	p, err := p256k1.ParsePublicKey(slices.Concat([]byte{4}, x, y))
	if err != nil || private == (m["d"] == nil) {
		return nil, nil
	}
	if private {
		secret := number("d")
		d = oracle.Int(secret)
		if secret == nil || d.Sign() == 0 || d.Cmp(oracle.N) >= 0 || !p.Equal(publicKey(d)) {
			return nil, nil
		}
	}
	return d, p.Bytes()
}

var kinds = []error{
	keyformat.ErrDER, keyformat.ErrPEM, keyformat.ErrJWK, keyformat.ErrAlgorithm, keyformat.ErrCurve, keyformat.ErrExplicitParameters,
	keyformat.ErrEncrypted, keyformat.ErrMismatch, keyformat.ErrSigner,
	p256k1.ErrLength, p256k1.ErrPrefix, p256k1.ErrRange, p256k1.ErrNotOnCurve, p256k1.ErrNoKey, p256k1.ErrFault,
}

// checkKind fails t unless err is of the kind want and of no other kind. If want is nil, err must be of exactly one
// kind.
func checkKind(t testing.TB, err, want error) {
	t.Helper()
	n := 0
	for _, kind := range kinds {
		if errors.Is(err, kind) {
			n++
		}
	}
	if n != 1 || (want != nil && !errors.Is(err, want)) {
		t.Fatalf("error %q, want %v", err, want)
	}
	if !strings.HasPrefix(err.Error(), "keyformat: ") {
		t.Fatalf("error %q does not say whose it is", err)
	}
}

// checkPrivate compares the result of a parser for b with the result of the second implementation.
func checkPrivate(t testing.TB, b []byte, key *p256k1.PrivateKey, err error, want *big.Int) {
	t.Helper()
	if (err == nil) != (want != nil) || (key == nil) != (want == nil) {
		t.Fatalf("%x (%q): %v, want %v", b, b, err, want)
	}
	if err != nil {
		checkKind(t, err, nil)
		return
	}
	if oracle.Int(key.Bytes()).Cmp(want) != 0 {
		t.Fatalf("%x (%q): another key", b, b)
	}
}

func checkPublic(t testing.TB, b []byte, pub *p256k1.PublicKey, err error, want []byte) {
	t.Helper()
	if (err == nil) != (want != nil) || (pub == nil) != (want == nil) {
		t.Fatalf("%x (%q): %v, want %x", b, b, err, want)
	}
	if err != nil {
		checkKind(t, err, nil)
		return
	}
	if !bytes.Equal(pub.Bytes(), want) {
		t.Fatalf("%x (%q): another key", b, b)
	}
}

func checkPKCS8(t testing.TB, b []byte) {
	t.Helper()
	key, err := keyformat.ParsePKCS8PrivateKey(b)
	checkPrivate(t, b, key, err, referencePKCS8(b))
}

func checkEC(t testing.TB, b []byte) {
	t.Helper()
	key, err := keyformat.ParseECPrivateKey(b)
	checkPrivate(t, b, key, err, referenceEC(b, true))
}

func checkPKIX(t testing.TB, b []byte) {
	t.Helper()
	pub, err := keyformat.ParsePKIXPublicKey(b)
	checkPublic(t, b, pub, err, referencePKIX(b))
}

func checkPEM(t testing.TB, b []byte) {
	t.Helper()
	label, contents := referencePEM(string(b))
	var d *big.Int
	var pub []byte
	switch label {
	case "PRIVATE KEY":
		d = referencePKCS8(contents)
	case "EC PRIVATE KEY":
		d = referenceEC(contents, true)
	case "PUBLIC KEY":
		pub = referencePKIX(contents)
	}
	// If the standard library finds a block, it must be the same one.
	block, rest := pem.Decode(b)
	if block != nil && block.Type == "EC PARAMETERS" {
		block, _ = pem.Decode(rest)
	}
	if (d != nil || pub != nil) && block != nil && (block.Type != label || !bytes.Equal(block.Bytes, contents)) {
		t.Fatalf("%q: encoding/pem finds another block", b)
	}
	key, err := keyformat.ParsePrivateKeyPEM(b)
	checkPrivate(t, b, key, err, d)
	public, err := keyformat.ParsePublicKeyPEM(b)
	checkPublic(t, b, public, err, pub)
}

func checkJWK(t testing.TB, b []byte) {
	t.Helper()
	d, _ := referenceJWK(b, true)
	key, err := keyformat.ParsePrivateKeyJWK(b)
	checkPrivate(t, b, key, err, d)
	_, want := referenceJWK(b, false)
	pub, err := keyformat.ParsePublicKeyJWK(b)
	checkPublic(t, b, pub, err, want)
}

// secrets lists private keys that are edge cases, and last one without a pattern.
func secrets() []*big.Int {
	return []*big.Int{
		big.NewInt(1), big.NewInt(0x80), new(big.Int).Lsh(big.NewInt(1), 247), new(big.Int).Sub(oracle.N, big.NewInt(1)),
		oracle.NewSeeded("keyformat").ValidScalar(),
	}
}

// publicKey returns the public key of d in [1, n−1].
func publicKey(d *big.Int) *p256k1.PublicKey {
	b := oracle.Bytes(d)
	k, err := p256k1.ParsePrivateKey(b[:])
	if err != nil {
		panic(err)
	}
	return k.PublicKey()
}

// jwkOf returns the JWK of a key as encoding/json writes it, or of its public key if private is not set.
func jwkOf(d *big.Int, private bool) []byte {
	xy := publicKey(d).BytesUncompressed()[1:]
	number := base64.RawURLEncoding.EncodeToString
	key := struct {
		Crv string `json:"crv"`
		Kty string `json:"kty"`
		X   string `json:"x"`
		Y   string `json:"y"`
		D   string `json:"d,omitempty"`
	}{"secp256k1", "EC", number(xy[:32]), number(xy[32:]), ""}
	if private {
		secret := oracle.Bytes(d)
		key.D = number(secret[:])
	}
	b, err := json.Marshal(key)
	if err != nil {
		panic(err)
	}
	return b
}

func thumbprint(d *big.Int) string {
	sum := sha256.Sum256(jwkOf(d, false))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
