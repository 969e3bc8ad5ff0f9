package keyformat_test

import (
	"bytes"
	"encoding/asn1"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/keyformat"
)

// must returns v, the result of a call that must succeed.
func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// TestForms reads private keys in every accepted form, and compares written keys with keys that packages encoding/asn1,
// pem and json have written.
func TestForms(t *testing.T) {
	bytesOf := must[[]byte](t)
	for _, d := range secrets() {
		key := libtest.Private(t, d)
		pub := key.PublicKey()
		for _, f := range forms((d.BitLen() + 7) / 8) {
			b := f.marshal(d)
			parse := keyformat.ParseECPrivateKey
			if f.pkcs8 {
				parse = keyformat.ParsePKCS8PrivateKey
			}
			before := bytes.Clone(b)
			got, err := parse(b)
			if err != nil || !got.Equal(key) {
				t.Errorf("%+v of %x: %v", f, d, err)
			}
			if !bytes.Equal(b, before) {
				t.Errorf("%+v: the input is changed", f)
			}
			checkPKCS8(t, b)
			checkEC(t, b)
		}
		pkix := marshal(asn1PKIX{asn1Algorithm{oidEC, oidCurve}, bits(pub.BytesUncompressed())})
		pkcs8, ec := form{true, false, 65, 32}.marshal(d), form{false, true, 65, 32}.marshal(d)
		for i, c := range []struct{ got, want []byte }{
			{bytesOf(keyformat.MarshalPKCS8PrivateKey(key)), pkcs8},
			{bytesOf(keyformat.MarshalECPrivateKey(key)), ec},
			{bytesOf(keyformat.MarshalPKIXPublicKey(pub)), pkix},
			{bytesOf(keyformat.MarshalPrivateKeyPEM(key)), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8})},
			{bytesOf(keyformat.MarshalPublicKeyPEM(pub)), pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: pkix})},
			{bytesOf(keyformat.MarshalPrivateKeyJWK(key)), jwkOf(d, true)},
			{bytesOf(keyformat.MarshalPublicKeyJWK(pub)), jwkOf(d, false)},
		} {
			if !bytes.Equal(c.got, c.want) {
				t.Errorf("%d of %x: %q, want %q", i, d, c.got, c.want)
			}
			// A slice that grew would have left a copy of the secret behind.
			if room := map[bool]int{false: len(c.got), true: 200}[c.got[0] == '{']; i != 2 && cap(c.got) != room {
				t.Errorf("%d of %x: room for %d bytes of %d: it grew", i, d, cap(c.got), room)
			}
		}
		for _, b := range [][]byte{pkix, marshal(asn1PKIX{asn1Algorithm{oidEC, oidCurve}, bits(pub.Bytes())})} {
			if got, err := keyformat.ParsePKIXPublicKey(b); err != nil || !got.Equal(pub) {
				t.Errorf("%x: %v", b, err)
			}
		}
		if got := must[string](t)(keyformat.Thumbprint(pub)); got != thumbprint(d) {
			t.Errorf("thumbprint %s, want %s", got, thumbprint(d))
		}
	}
}

// mutants calls f with b changed in one place: a bit flipped, a byte replaced, inserted, omitted or doubled, or b
// truncated or extended.
func mutants(b []byte, f func(mutant []byte)) {
	for i := range b {
		for bit := range 8 {
			m := bytes.Clone(b)
			m[i] ^= 1 << bit
			f(m)
		}
		for _, v := range []byte{0, 1, 0x7f, 0x80, 0x81, 0x82, 0xff, '=', '\n', '\r', ' ', '"', '\\', '-', '_'} {
			m := bytes.Clone(b)
			m[i] = v
			f(m)
			f(append(append(bytes.Clone(b[:i]), v), b[i:]...))
		}
		f(append(bytes.Clone(b[:i]), b[i+1:]...))
		f(append(bytes.Clone(b[:i+1]), b[i:]...))
		f(b[:i:i])
	}
	for v := range 256 {
		f(append(bytes.Clone(b), byte(v)))
	}
	f(append(bytes.Clone(b), b...))
}

// thorough reports whether to test all forms of more than one key.
func thorough() bool { return !testing.Short() && runtime.GOARCH != "wasm" }

// few holds three forms. Each property that a form can have or lack is present in one of them and absent in another.
var few = []form{{true, false, 65, 32}, {true, true, 33, 33}, {false, true, 0, 32}}

// TestMutants changes each encoding in one place. A changed encoding must be accepted if and only if the second
// implementation accepts it. The second implementation accepts only the exact encodings of a key.
func TestMutants(t *testing.T) {
	all := secrets()
	if !thorough() {
		all = all[len(all)-1:]
	}
	for i, d := range all {
		keys := forms(32)
		if !thorough() {
			keys = few
		} else if i == 0 {
			keys = []form{{true, false, 65, 1}, {false, true, 65, 1}, {true, true, 33, 31}}
		} else if i < len(all)-1 {
			keys = keys[:1]
		}
		for _, f := range keys {
			if f.width == 33 && f.public == 33 {
				continue
			}
			check := checkEC
			if f.pkcs8 {
				check = checkPKCS8
			}
			mutants(f.marshal(d), func(m []byte) { check(t, m) })
		}
		pub := oracle.G.Mul(d)
		for _, p := range [][]byte{pub.Compressed(), pub.Uncompressed()} {
			if i > 0 && i < len(all)-1 {
				continue
			}
			mutants(marshal(asn1PKIX{asn1Algorithm{oidEC, oidCurve}, bits(p)}), func(m []byte) { checkPKIX(t, m) })
		}
	}
	d := all[len(all)-1]
	mutants(marshalPEM("PRIVATE KEY", form{true, false, 65, 32}.marshal(d)), func(m []byte) { checkPEM(t, m) })
	mutants(marshalPEM("EC PRIVATE KEY", form{false, true, 0, 32}.marshal(d)), func(m []byte) { checkPEM(t, m) })
	mutants(marshalPEM("PUBLIC KEY", marshal(asn1PKIX{asn1Algorithm{oidEC, oidCurve}, bits(oracle.G.Mul(d).Uncompressed())})), func(m []byte) { checkPEM(t, m) })
	mutants(jwkOf(d, true), func(m []byte) { checkJWK(t, m) })
	mutants(jwkOf(d, false), func(m []byte) { checkJWK(t, m) })
}

func marshalPEM(label string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: label, Bytes: der})
}

// TestErrorsTellNothing damages the encodings of several keys in the same ways. The error messages in DER must be few
// and, except at most five, the same for all keys. The messages in PEM and JWK must not contain four digits of a
// secret.
func TestErrorsTellNothing(t *testing.T) {
	r := oracle.New(t)
	texts := make(map[string]bool)
	note := func(err error) {
		if err != nil {
			texts[err.Error()] = true
		}
	}
	first := 0
	for range 3 {
		d := r.ValidScalar()
		keys := forms(32)
		if !thorough() {
			keys = few
		}
		for _, f := range keys {
			b := f.marshal(d)
			mutants(b, func(m []byte) {
				_, err := keyformat.ParseECPrivateKey(m)
				note(err)
				// Error messages may name another algorithm, because the algorithm is public.
				if bytes.Contains(m, marshal(asn1Algorithm{oidEC, oidCurve})) {
					_, err = keyformat.ParsePKCS8PrivateKey(m)
					note(err)
				}
			})
		}
		// In this encoding, the length of the algorithm and the length of an object identifier in it are wrong, so that
		// the identifier includes bytes of the secret.
		der := form{true, false, 65, 32}.marshal(d)
		for outer := 0x10; outer < 0x70; outer++ {
			for inner := range outer {
				for _, name := range []int{9, 18} {
					m := bytes.Clone(der)
					m[7], m[name] = byte(outer), byte(inner)
					_, err := keyformat.ParsePKCS8PrivateKey(m)
					note(err)
				}
			}
		}
		if first == 0 {
			first = len(texts)
		}
	}
	if first < 20 || len(texts) > first+5 {
		t.Errorf("%d texts for one key, %d for all: %v", first, len(texts), texts)
	}

	key := libtest.Private(t, r.ValidScalar())
	text := must[[]byte](t)(keyformat.MarshalPrivateKeyPEM(key))
	jwk := must[[]byte](t)(keyformat.MarshalPrivateKeyJWK(key))
	digits := string(jwk[bytes.Index(jwk, []byte(`"d":"`))+5:][:43])
	clear(texts)
	for _, b := range [][]byte{text, jwk} {
		mutants(b, func(m []byte) {
			_, err := keyformat.ParsePrivateKeyPEM(m)
			note(err)
			_, err = keyformat.ParsePublicKeyPEM(m)
			note(err)
			_, err = keyformat.ParsePrivateKeyJWK(m)
			note(err)
			_, err = keyformat.ParsePublicKeyJWK(m)
			note(err)
		})
	}
	// The secret takes the place of another value.
	for _, name := range []string{"kty", "crv", "alg", "use", "key_ops", "x", "y"} {
		for _, value := range []string{`"%s"`, `["%s"]`, `{"%s":1}`} {
			_, err := keyformat.ParsePrivateKeyJWK(fmt.Appendf(nil, `{"kty":"EC","crv":"secp256k1","`+name+`":`+value+`}`, digits))
			note(err)
			_, err = keyformat.ParsePrivateKeyJWK(fmt.Appendf(nil, `{"`+name+`":`+value+`}`, digits))
			note(err)
		}
	}
	_, err := keyformat.ParsePrivateKeyJWK(fmt.Appendf(nil, `{"%s":1,"%[1]s":1}`, digits))
	note(err)
	_, err = keyformat.ParsePrivateKeyPEM(fmt.Appendf(nil, "-----BEGIN %s-----\n-----END %[1]s-----", digits))
	note(err)
	lines := strings.Split(string(text), "\n")
	secret := lines[1][48:] + lines[2][:27] // 36 to 68 of the 135 bytes
	for text := range texts {
		for _, digits := range []string{digits, secret} {
			for i := range len(digits) - 3 {
				if strings.Contains(text, digits[i:i+4]) {
					t.Errorf("%q has %q of the secret", text, digits[i:i+4])
				}
			}
		}
	}
}

// TestRefused checks, for each kind of error in DER, inputs that must be refused with it.
func TestRefused(t *testing.T) {
	d := secrets()[4]
	n := oracle.Bytes(oracle.N)
	alg := asn1Algorithm{oidEC, oidCurve}
	p256 := asn1.ObjectIdentifier{1, 2, 840, 10045, 3, 1, 7}
	secret := oracle.Bytes(d)
	pub := oracle.G.Mul(d)
	other := bits(pub.Neg().Compressed())
	ec := func(version int, secret []byte, curve asn1.ObjectIdentifier, pub asn1.BitString) []byte {
		return marshal(asn1EC{version, secret, curve, pub})
	}
	good := ec(1, secret[:], oidCurve, bits(pub.Compressed()))
	short := asn1EC{1, secret[1:], oidCurve, asn1.BitString{}}
	for _, c := range []struct {
		what  string
		der   []byte
		kind  error
		words string
	}{
		{"nothing", nil, keyformat.ErrDER, "ends before the EC private key"},
		{"only a type", []byte{0x30}, keyformat.ErrDER, "ends before the EC private key"},
		{"an empty key", []byte{0x30, 0}, keyformat.ErrDER, "ends before the version"},
		{"a length without its byte", []byte{0x30, 0x81}, keyformat.ErrDER, "cut off"},
		{"a length without its bytes", []byte{0x30, 0x82}, keyformat.ErrDER, "cut off"},
		{"a length without its second byte", []byte{0x30, 0x82, 1}, keyformat.ErrDER, "cut off"},
		{"version", ec(0, secret[:], oidCurve, bits(nil)), keyformat.ErrDER, "version is not 1"},
		{"no curve", ec(1, secret[:], nil, bits(pub.Compressed())), keyformat.ErrDER, "the curve's name"},
		{"P-256", ec(1, secret[:], p256, asn1.BitString{}), keyformat.ErrCurve, "1.3.132.0.10"},
		{"zero", ec(1, make([]byte, 32), oidCurve, asn1.BitString{}), p256k1.ErrRange, "private key"},
		{"n", ec(1, n[:], oidCurve, asn1.BitString{}), p256k1.ErrRange, "private key"},
		{"31 bytes without a public key", marshal(short), p256k1.ErrLength, "32 bytes"},
		{"33 bytes without a public key", ec(1, append([]byte{0}, secret[:]...), oidCurve, asn1.BitString{}), p256k1.ErrLength, "32 bytes"},
		{"33 bytes that do not begin with 0", ec(1, append([]byte{1}, secret[:]...), oidCurve, bits(pub.Compressed())), p256k1.ErrLength, "32 bytes"},
		{"34 bytes", ec(1, append([]byte{0, 0}, secret[:]...), oidCurve, bits(pub.Compressed())), p256k1.ErrLength, "32 bytes"},
		{"no bytes", ec(1, nil, oidCurve, bits(pub.Compressed())), p256k1.ErrLength, "32 bytes"},
		{"first 31 bytes", ec(1, secret[:31], oidCurve, bits(pub.Compressed())), keyformat.ErrMismatch, "do not belong"},
		{"another public key", ec(1, secret[:], oidCurve, other), keyformat.ErrMismatch, "do not belong"},
		{"hybrid public key", ec(1, secret[:], oidCurve, bits(append([]byte{6 + byte(pub.Y.Bit(0))}, pub.Uncompressed()[1:]...))), p256k1.ErrPrefix, "public key"},
		{"infinity", ec(1, secret[:], oidCurve, bits([]byte{0})), p256k1.ErrLength, "public key"},
		{"x off the curve", ec(1, secret[:], oidCurve, bits(append([]byte{2}, new(big.Int).SetInt64(5).FillBytes(make([]byte, 32))...))), p256k1.ErrNotOnCurve, "public key"},
		{"bits", ec(1, secret[:], oidCurve, asn1.BitString{Bytes: pub.Compressed(), BitLength: 8*33 - 1}), keyformat.ErrDER, "whole number of bytes"},
		{"indefinite length", append(append([]byte{0x30, 0x80}, good[2:]...), 0, 0), keyformat.ErrDER, "length of the EC private key"},
		{"long form of a short length", append([]byte{0x30, 0x81}, good[1:]...), keyformat.ErrDER, "shortest form"},
		{"longer form of a short length", append([]byte{0x30, 0x82, 0}, good[1:]...), keyformat.ErrDER, "shortest form"},
		{"long form of 127", append([]byte{0x30, 0x81, 0x7f}, make([]byte, 127)...), keyformat.ErrDER, "shortest form"},
		{"long form of 128", append([]byte{0x30, 0x81, 0x80}, make([]byte, 128)...), keyformat.ErrDER, "the version"},
		{"longer form of 255", append([]byte{0x30, 0x82, 0, 0xff}, make([]byte, 255)...), keyformat.ErrDER, "shortest form"},
		{"longer form of 256", append([]byte{0x30, 0x82, 1, 0}, make([]byte, 256)...), keyformat.ErrDER, "the version"},
		{"form of 65536", append([]byte{0x30, 0x83, 1, 0, 0}, make([]byte, 65536)...), keyformat.ErrDER, "65536 or more"},
		{"trailing byte", append(bytes.Clone(good), 0), keyformat.ErrDER, "more bytes after the EC private key"},
		{"PKCS #8", form{true, false, 65, 32}.marshal(d), keyformat.ErrDER, "PKCS #8"},
	} {
		_, err := keyformat.ParseECPrivateKey(c.der)
		libtest.CheckErrorText(t, err)
		if err == nil || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.words) {
			t.Errorf("EC private key, %s: %v, want %v", c.what, err, c.kind)
			continue
		}
		checkKind(t, err, c.kind)
	}

	type attributes struct {
		Version   int
		Algorithm asn1Algorithm
		Key       []byte
		Attribute asn1.RawValue
	}
	for _, c := range []struct {
		what  string
		der   []byte
		kind  error
		words string
	}{
		{"EC private key", good, keyformat.ErrDER, "EC PRIVATE KEY"},
		{"version 1", marshal(asn1PKCS8{1, alg, good}), keyformat.ErrDER, "version is not 0"},
		{"RSA", marshal(asn1PKCS8{0, asn1Algorithm{asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 1}, oidCurve}, good}), keyformat.ErrAlgorithm, "1.2.840.113549.1.1.1"},
		{"P-256", marshal(asn1PKCS8{0, asn1Algorithm{oidEC, p256}, good}), keyformat.ErrCurve, "1.2.840.10045.3.1.7"},
		{"P-256 within", marshal(asn1PKCS8{0, alg, ec(1, secret[:], p256, asn1.BitString{})}), keyformat.ErrCurve, "1.3.132.0.10"},
		{"attributes", marshal(attributes{0, alg, good, asn1.RawValue{Class: 2, Tag: 0, IsCompound: true}}), keyformat.ErrDER, "attributes"},
		{"public key outside", marshal(attributes{0, alg, good, asn1.RawValue{Class: 2, Tag: 1, Bytes: []byte{0}}}), keyformat.ErrDER, "more bytes after the private key"},
		{"trailing byte within", marshal(asn1PKCS8{0, alg, append(bytes.Clone(good), 0)}), keyformat.ErrDER, "more bytes after the EC private key"},
	} {
		_, err := keyformat.ParsePKCS8PrivateKey(c.der)
		libtest.CheckErrorText(t, err)
		if err == nil || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.words) {
			t.Errorf("PKCS #8, %s: %v, want %v", c.what, err, c.kind)
			continue
		}
		checkKind(t, err, c.kind)
	}

	type loose struct {
		Algorithm struct {
			Algorithm asn1.ObjectIdentifier
			Curve     asn1.RawValue `asn1:"optional"`
		}
		Public asn1.BitString
	}
	for _, c := range []struct {
		what  string
		curve asn1.RawValue
		kind  error
		words string
	}{
		{"implicit curve", asn1.RawValue{Tag: 5}, keyformat.ErrCurve, "not named"},
		{"explicit curve", asn1.RawValue{Tag: 16, IsCompound: true, Bytes: []byte{2, 1, 1}}, keyformat.ErrExplicitParameters, "1.3.132.0.10"},
		{"longest name", asn1.RawValue{Tag: 6, Bytes: bytes.Repeat([]byte{0x2b}, 12)}, keyformat.ErrCurve, "is 1.3" + strings.Repeat(".43", 11) + ","},
		{"long name", asn1.RawValue{Tag: 6, Bytes: bytes.Repeat([]byte{0x2b}, 13)}, keyformat.ErrCurve, "is another one"},
		{"no name", asn1.RawValue{Tag: 6, Bytes: []byte{0x80}}, keyformat.ErrCurve, "is another one"},
		{"none", asn1.RawValue{}, keyformat.ErrDER, "ends before the curve's name"},
	} {
		var key loose
		key.Algorithm.Algorithm, key.Algorithm.Curve, key.Public = oidEC, c.curve, bits(pub.Compressed())
		_, err := keyformat.ParsePKIXPublicKey(marshal(key))
		libtest.CheckErrorText(t, err)
		if err == nil || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.words) {
			t.Errorf("SubjectPublicKeyInfo, %s: %v, want %v", c.what, err, c.kind)
			continue
		}
		checkKind(t, err, c.kind)
	}
}

// TestNoPoint reads SubjectPublicKeyInfos with BIT STRINGs of no bytes and of other lengths than a key's.
func TestNoPoint(t *testing.T) {
	compressed := oracle.G.Compressed()
	for n := range 70 {
		b := append(bytes.Clone(compressed), make([]byte, 40)...)[:n]
		pub, err := keyformat.ParsePKIXPublicKey(marshal(asn1PKIX{asn1Algorithm{oidEC, oidCurve}, bits(b)}))
		switch {
		case n == 33 && (err != nil || !bytes.Equal(pub.Bytes(), compressed)):
			t.Error(err)
		case n == 65:
			checkKind(t, err, p256k1.ErrPrefix)
		case n != 33:
			checkKind(t, err, p256k1.ErrLength)
		}
	}
	for _, c := range []struct{ bits, words string }{
		{"", "whole number"}, {"\x01", "whole number"}, {"\x01" + string(compressed), "whole number"}, {"\x00", "keyformat: SubjectPublicKeyInfo: wrong length"},
	} {
		alg := marshal(asn1Algorithm{oidEC, oidCurve})
		key := append([]byte{3, byte(len(c.bits))}, c.bits...)
		_, err := keyformat.ParsePKIXPublicKey(slices.Concat([]byte{0x30, byte(len(alg) + len(key))}, alg, key))
		if err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%x: %v, want %s", c.bits, err, c.words)
		}
	}
}

// TestNoKey encodes keys that are nil, were never set or are wiped.
func TestNoKey(t *testing.T) {
	wiped := libtest.Private(t, secrets()[4])
	wiped.Zero()
	bad := func(what string, b []byte, err error) {
		checkKind(t, err, p256k1.ErrNoKey)
		if len(b) > 0 {
			t.Errorf("%s: %q", what, b)
		}
	}
	for i, key := range []*p256k1.PrivateKey{nil, new(p256k1.PrivateKey), wiped} {
		for name, marshal := range map[string]func(*p256k1.PrivateKey) ([]byte, error){
			"PKCS #8": keyformat.MarshalPKCS8PrivateKey, "SEC 1": keyformat.MarshalECPrivateKey,
			"PEM": keyformat.MarshalPrivateKeyPEM, "JWK": keyformat.MarshalPrivateKeyJWK,
		} {
			b, err := marshal(key)
			bad(fmt.Sprintf("private key %d, %s", i, name), b, err)
		}
	}
	for i, pub := range []*p256k1.PublicKey{nil, new(p256k1.PublicKey)} {
		for name, marshal := range map[string]func(*p256k1.PublicKey) ([]byte, error){
			"PKIX": keyformat.MarshalPKIXPublicKey, "PEM": keyformat.MarshalPublicKeyPEM, "JWK": keyformat.MarshalPublicKeyJWK,
			"thumbprint": func(pub *p256k1.PublicKey) ([]byte, error) {
				text, err := keyformat.Thumbprint(pub)
				return []byte(text), err
			},
		} {
			b, err := marshal(pub)
			bad(fmt.Sprintf("public key %d, %s", i, name), b, err)
		}
	}
}

func TestPEM(t *testing.T) {
	d := secrets()[4]
	pkcs8 := string(marshalPEM("PRIVATE KEY", form{true, false, 65, 32}.marshal(d)))
	ec := string(marshalPEM("EC PRIVATE KEY", form{false, true, 65, 32}.marshal(d)))
	pkix := string(marshalPEM("PUBLIC KEY", marshal(asn1PKIX{asn1Algorithm{oidEC, oidCurve}, bits(oracle.G.Mul(d).Uncompressed())})))
	const parameters = "-----BEGIN EC PARAMETERS-----\nBgUrgQQACg==\n-----END EC PARAMETERS-----\n"
	lines := func(text string, width int) string {
		head, rest, _ := strings.Cut(text, "\n")
		body, foot, _ := strings.Cut(rest, "\n---")
		body = strings.ReplaceAll(body, "\n", "")
		var b strings.Builder
		for ; len(body) > width; body = body[width:] {
			b.WriteString(body[:width] + "\n")
		}
		return head + "\n" + b.String() + body + "\n---" + foot
	}
	want := libtest.Private(t, d)
	for what, text := range map[string]string{
		"PKCS #8": pkcs8, "SEC 1": ec, "with parameters": parameters + ec, "parameters, empty lines": parameters + "\n\r\n" + ec,
		"parameters in two lines": strings.Replace(parameters, "BgUr", "BgUr\n", 1) + ec,
		"CR LF":                   strings.ReplaceAll(parameters+ec, "\n", "\r\n"), "no line end": strings.TrimSpace(pkcs8), "empty lines": pkcs8 + "\n\r\n\n",
		"text before":            "Bag Attributes\n    friendlyName: key\n\nKey Attributes: <No Attributes>\n" + pkcs8,
		"much text before":       strings.Repeat("text\n", 20_000) + pkcs8,
		"lines of dashes before": "-----\n-----BEGIN\n-----END PRIVATE KEY-----\n---- BEGIN PRIVATE KEY ----\n" + pkcs8,
		"text between":           parameters + "x\n" + ec, "empty lines within": strings.ReplaceAll(pkcs8, "\n", "\n\n"), "many within": strings.ReplaceAll(pkcs8, "\n", strings.Repeat("\n", 5000)),
		"blanks after each line": strings.ReplaceAll(parameters+ec, "\n", " \t \n"), "blanks before each line": "  " + strings.ReplaceAll(pkcs8, "\n", "\n\t  ") + "\v\f\r\n",
		"blanks within": strings.Replace(pkcs8, "MIGE", "M I\tG\vE", 1), "CR": strings.ReplaceAll("text\n"+parameters+ec, "\n", "\r"),
		"mixed line ends": strings.Replace(strings.Replace(pkcs8, "\n", "\r\r\n", 1), "KEY-----\n", "KEY-----\r", 1), "mark": "\ufeff" + pkcs8,
		"padding on two lines": strings.Replace(lines(string(marshalPEM("EC PRIVATE KEY", form{false, true, 33, 32}.marshal(d))), 64), "=\n-", "\n = \n\n-", 1),
		"one line":             lines(pkcs8, 1000), "lines of 76": lines(pkcs8, 76), "lines of 1": lines(ec, 1),
	} {
		got, err := keyformat.ParsePrivateKeyPEM([]byte(text))
		if err != nil || !got.Equal(want) {
			t.Errorf("%s: %v", what, err)
		}
		_, err = keyformat.ParsePublicKeyPEM([]byte(text))
		checkKind(t, err, keyformat.ErrPEM)
		checkPEM(t, []byte(text))
	}
	if got, err := keyformat.ParsePublicKeyPEM([]byte("text\n" + pkix)); err != nil || !got.Equal(want.PublicKey()) {
		t.Errorf("public key: %v", err)
	}

	replace := func(text, old, new string) string {
		if !strings.Contains(text, old) {
			t.Fatalf("%q has no %q", text, old)
		}
		return strings.Replace(text, old, new, 1)
	}
	for text, want := range map[string]string{
		pkcs8: "ParsePrivateKeyPEM reads", strings.ReplaceAll(pkix, "PUBLIC KEY", "CERTIFICATE"): "openssl x509",
		strings.ReplaceAll(pkcs8, "PRIVATE", "ENCRYPTED PRIVATE"): "encrypted", pkix + pkix: "another block", strings.ReplaceAll(pkix, "\n", `\n`): `\n as two`,
	} {
		if _, err := keyformat.ParsePublicKeyPEM([]byte(text)); !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("public key: %v, want %q", err, want)
		}
	}
	for _, c := range []struct {
		what, text string
		kind       error
		words      string
	}{
		{"nothing", "", keyformat.ErrPEM, "no line that begins a block: the input is empty"},
		{"text", "MIGEAgEA\n", keyformat.ErrPEM, "no line that begins"},
		{"DER", string(form{true, false, 65, 32}.marshal(d)), keyformat.ErrPEM, "no line that begins a block: DER"},
		{"DER and a byte", string(form{true, false, 65, 32}.marshal(d)) + "\n", keyformat.ErrPEM, "no line that begins a block"},
		{"DER with a line", "0\x0e-----BEGIN x--", keyformat.ErrPEM, "-----BEGIN has more text or fewer hyphens"},
		{"few dashes, no end", "-----BEGIN PRIVATE KEY----\nMIGE\n", keyformat.ErrPEM, "-----BEGIN has more text or fewer hyphens"},
		{"more text, an end", "-----BEGIN PRIVATE KEY----- x\n-----END PRIVATE KEY-----\n", keyformat.ErrPEM, "it and the line with -----END must be"},
		{"CR as two characters", strings.ReplaceAll(pkcs8, "\n", `\r`), keyformat.ErrPEM, `\n as two characters`},
		{"no label and no end", "-----BEGIN -----\nMIGE\n", keyformat.ErrPEM, `no line that ends the block ""`},
		{"a header without a name", replace(ec, "KEY-----\n", "KEY-----\n: mine\n\n"), keyformat.ErrPEM, "a header"},
		{"parameters of P-256 are not shown", "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n" + ec, keyformat.ErrCurve, "the curve is not 1.3.132.0.10"},
		{"public key", pkix, keyformat.ErrPEM, `"PUBLIC KEY", want PRIVATE KEY or EC PRIVATE KEY: it has no private key`},
		{"two keys", pkcs8 + pkcs8, keyformat.ErrPEM, `another block, "PRIVATE KEY", after`},
		{"a key and a certificate", pkcs8 + strings.ReplaceAll(pkix, "PUBLIC KEY", "CERTIFICATE"), keyformat.ErrPEM, `another block, "CERTIFICATE", after`},
		{"a key and text with a key", pkcs8 + "text\n" + pkcs8, keyformat.ErrPEM, "data after"},
		{"text after", pkcs8 + "x", keyformat.ErrPEM, "data after"},
		{"another end", replace(pkcs8, "END PRIVATE", "END PUBLIC"), keyformat.ErrPEM, `ends as "PUBLIC KEY"`},
		{"no end", pkcs8[:strings.Index(pkcs8, "-----END")], keyformat.ErrPEM, `no line that ends the block "PRIVATE KEY"`},
		{"no end before another block", pkcs8[:strings.Index(pkcs8, "-----END")] + pkcs8, keyformat.ErrPEM, "before the next block"},
		{"few dashes at the end", replace(pkcs8, "-----END", "----END"), keyformat.ErrPEM, "no line that ends"},
		{"text after the end", replace(pkcs8, "END PRIVATE KEY-----", "END PRIVATE KEY-----;"), keyformat.ErrPEM, "-----END has more text"},
		{"few dashes", "-----BEGIN PRIVATE KEY----\n", keyformat.ErrPEM, "-----BEGIN has more text"},
		{"dashes shared", "-----BEGIN -----\n-----END -----\n", keyformat.ErrPEM, `a block ""`},
		{"all on one line", strings.ReplaceAll(pkcs8, "\n", " "), keyformat.ErrPEM, "lines of their own"},
		{"text before on the line", "key: " + pkcs8, keyformat.ErrPEM, "lines of their own"},
		{"base64 and the end on one line", replace(pkcs8, "\n-----END", " -----END"), keyformat.ErrPEM, "-----END has more text"},
		{"digits", "0" + strings.Repeat("7", 63), keyformat.ErrPEM, "no line that begins a block"},
		{"quoted", `"` + pkcs8 + `"`, keyformat.ErrPEM, "lines of their own"},
		{"line ends as two characters", strings.ReplaceAll(parameters+ec, "\n", `\n`), keyformat.ErrPEM, `\n as two characters`},
		{"line ends as four characters", strings.ReplaceAll(pkcs8, "\n", `\r\n`), keyformat.ErrPEM, `\n as two characters`},
		{"line ends as a quoted text", fmt.Sprintf("%q", pkcs8), keyformat.ErrPEM, `\n as two characters`},
		{"some line ends as two characters", replace(pkcs8, "KEY-----\n", "KEY-----\n\\n"), keyformat.ErrPEM, "a backslash"},
		{"UTF-16", "\xff\xfe" + strings.ReplaceAll(pkcs8, "", "\x00")[1:], keyformat.ErrPEM, "UTF-16"},
		{"UTF-16 without a mark", strings.ReplaceAll(pkcs8, "", "\x00"), keyformat.ErrPEM, "UTF-16"},
		{"no padding", replace(ec, "=\n", "\n"), keyformat.ErrPEM, "base64"},
		{"digit of base64url", replace(pkcs8, "\nM", "\n_"), keyformat.ErrPEM, "base64"},
		{"a space that does not break", replace(pkcs8, "\nM", "\n\u00a0M"), keyformat.ErrPEM, "base64"},
		{"a zero byte", replace(pkcs8, "\nM", "\n\x00M"), keyformat.ErrPEM, "base64"},
		{"empty block", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n", keyformat.ErrDER, "ends before the key"},
		{"parameters alone", parameters, keyformat.ErrPEM, "EC PARAMETERS alone, without a key"},
		{"parameters and text", "x\n" + parameters + "x\n", keyformat.ErrPEM, "EC PARAMETERS alone, without a key"},
		{"parameters before PKCS #8", parameters + pkcs8, keyformat.ErrPEM, "EC PARAMETERS is not followed"},
		{"parameters before parameters", parameters + parameters + ec, keyformat.ErrPEM, "EC PARAMETERS is not followed"},
		{"parameters before a key on one line", parameters + strings.ReplaceAll(ec, "\n", " "), keyformat.ErrPEM, "lines of their own"},
		{"a header", replace(ec, "KEY-----\n", "KEY-----\nComment: mine\n\n"), keyformat.ErrPEM, "a header"},
		{"encrypted SEC 1, CR", strings.ReplaceAll(replace(ec, "KEY-----\n", "KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,F5\n\n"), "\n", "\r"), keyformat.ErrEncrypted, "decrypt"},
		{"encrypted SEC 1 without its first header", replace(ec, "KEY-----\n", "KEY-----\nDEK-Info: AES-128-CBC,F5\n\n"), keyformat.ErrEncrypted, "decrypt"},
		{"parameters of P-256", "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n" + ec, keyformat.ErrCurve, "1.3.132.0.10"},
		{"parameters and a byte", replace(parameters, "Cg==", "CgA=") + ec, keyformat.ErrDER, "more bytes after the curve's name"},
		{"explicit parameters", replace(parameters, "BgUrgQQACg==", "MAA=") + ec, keyformat.ErrExplicitParameters, "name"},
		{"encrypted PKCS #8", strings.ReplaceAll(pkcs8, "PRIVATE", "ENCRYPTED PRIVATE"), keyformat.ErrEncrypted, "decrypt"},
		{"encrypted SEC 1", replace(ec, "KEY-----\n", "KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,F50BD48AD4832EAD9D912747FF75321D\n\n"), keyformat.ErrEncrypted, "decrypt"},
		{"certificate", strings.ReplaceAll(pkcs8, "PRIVATE KEY", "CERTIFICATE"), keyformat.ErrPEM, `"CERTIFICATE", want PRIVATE KEY or EC PRIVATE KEY: it has no private key`},
		{"certificate before a key", strings.ReplaceAll(pkix, "PUBLIC KEY", "CERTIFICATE") + pkcs8, keyformat.ErrPEM, `"CERTIFICATE"`},
		{"OpenSSH", strings.ReplaceAll(pkcs8, "PRIVATE", "OPENSSH PRIVATE"), keyformat.ErrPEM, `"OPENSSH PRIVATE KEY", want`},
		{"PKCS #8 as SEC 1", strings.ReplaceAll(pkcs8, "PRIVATE", "EC PRIVATE"), keyformat.ErrDER, "PKCS #8"},
	} {
		_, err := keyformat.ParsePrivateKeyPEM([]byte(c.text))
		libtest.CheckErrorText(t, err)
		if c.what != "DER" && strings.Contains(fmt.Sprint(err), "DER is read") {
			t.Errorf("%s: %v", c.what, err)
		}
		if err == nil || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v, want %v", c.what, err, c.kind)
			continue
		}
		checkKind(t, err, c.kind)
		if _, err := keyformat.ParsePublicKeyPEM([]byte(c.text)); err == nil && c.what != "public key" {
			t.Errorf("%s: a public key", c.what)
		}
	}
}

func TestJWK(t *testing.T) {
	d := secrets()[4]
	key := libtest.Private(t, d)
	whole, public := string(jwkOf(d, true)), string(jwkOf(d, false))
	extended := func(jwk, more string) string { return jwk[:len(jwk)-1] + "," + more + "}" }
	for _, more := range []string{
		`"kid":"1"`, `"alg":"ES256K","use":"sig"`, `"key_ops":["sign","verify"]`, `"key_ops":["verify","sign"],"ext":true`, `"Kty":1,"D":"2","X":null,"":[]`,
		`"x5c":["a]}\"",{"d":"1","kty":2},[[]],1.5e3,null],"n":-1`, "\"n\" \t\r\n:\t{ } , \"m\" : 1 ", `"\ud800":1`, `"p":true , "q":"\\"`,
		`"n":` + strings.Repeat("[", 1000) + `{"d":1}` + strings.Repeat("]", 1000), `"n":"` + strings.Repeat("long", 20_000) + `"`,
		`"n":1,"s":"2","m":[3 , 4],"o":{ "p" : 5 },"q":6 ,"t":true,"u":null,"f":false`,
	} {
		for _, jwk := range []string{extended(whole, more), " \n" + extended(whole, more) + "\t\r\n", "{" + more + "," + whole[1:]} {
			if got, err := keyformat.ParsePrivateKeyJWK([]byte(jwk)); err != nil || !got.Equal(key) {
				t.Errorf("%s: %v", jwk, err)
			}
			checkJWK(t, []byte(jwk))
		}
		jwk := extended(public, more)
		if got, err := keyformat.ParsePublicKeyJWK([]byte(jwk)); err != nil || !got.Equal(key.PublicKey()) {
			t.Errorf("%s: %v", jwk, err)
		}
		checkJWK(t, []byte(jwk))
	}
	for _, c := range []struct{ plain, spelled string }{
		{`"d"`, `"\u0064"`}, {`"kty"`, `"\u006b\u0074y"`}, {`"crv"`, `"cr\u0076"`},
	} {
		jwk := strings.Replace(whole, c.plain, c.spelled, 1)
		if got, err := keyformat.ParsePrivateKeyJWK([]byte(jwk)); err != nil || !got.Equal(key) || jwk == whole {
			t.Errorf("%s: %v", jwk, err)
		}
		_, err := keyformat.ParsePrivateKeyJWK([]byte(extended(whole, c.spelled+":1")))
		checkKind(t, err, keyformat.ErrJWK)
	}

	x, dDigits := whole[strings.Index(whole, `"x":"`)+5:][:43], whole[strings.Index(whole, `"d":"`)+5:][:43]
	replace := func(old, new string) string {
		if !strings.Contains(whole, old) {
			t.Fatalf("%q has no %q", whole, old)
		}
		return strings.Replace(whole, old, new, 1)
	}
	for _, c := range []struct {
		jwk   string
		kind  error
		words string
	}{
		{``, keyformat.ErrJWK, "not JSON"},
		{whole + `{}`, keyformat.ErrJWK, "not JSON"},
		{extended(whole, "\"\xff\":1"), keyformat.ErrJWK, "not JSON"},
		{`[` + whole + `]`, keyformat.ErrJWK, "not a JSON object"},
		{`"d"`, keyformat.ErrJWK, "not a JSON object"},
		{`{}`, keyformat.ErrJWK, `no member "kty"`},
		{`{"keys":[` + whole + `]}`, keyformat.ErrJWK, `no member "kty"`},
		{public, keyformat.ErrJWK, `no member "d"`},
		{replace(`"x"`, `"X"`), keyformat.ErrJWK, `no member "x"`},
		{replace(`"y"`, `"Y"`), keyformat.ErrJWK, `no member "y"`},
		{replace(`"crv"`, `"Crv"`), keyformat.ErrJWK, `no member "crv"`},
		{replace(`"EC"`, `"RSA"`), keyformat.ErrAlgorithm, `the member "kty" is "RSA", want "EC"`},
		{replace(`"EC"`, `"ec"`), keyformat.ErrAlgorithm, `"ec"`},
		{replace(`"EC"`, `null`), keyformat.ErrJWK, `the member "kty" is not a string`},
		{replace(`"secp256k1"`, `"P-256"`), keyformat.ErrCurve, `"P-256"`},
		{replace(`"secp256k1"`, `"P-256K"`), keyformat.ErrCurve, `"P-256K"`},
		{replace(`"secp256k1"`, `"SECP256K1"`), keyformat.ErrCurve, `"SECP256K1"`},
		{replace(`"secp256k1"`, `1`), keyformat.ErrJWK, `"crv" is not a string`},
		{extended(whole, `"d":"`+dDigits+`"`), keyformat.ErrJWK, `the member "d" occurs twice`},
		{extended(whole, `"n":1,"n":1`), keyformat.ErrJWK, `the member "n" occurs twice`},
		{extended(whole, `"alg":"ES256"`), keyformat.ErrJWK, `"alg" is "ES256", want "ES256K"`},
		{extended(whole, `"alg":null`), keyformat.ErrJWK, `"alg" is not a string`},
		{extended(whole, `"alg":"`+strings.Repeat("E", 25)+`"`), keyformat.ErrJWK, `"alg" is a text of 25 bytes`},
		{extended(whole, `"alg":"`+strings.Repeat("E", 24)+`"`), keyformat.ErrJWK, `"alg" is "` + strings.Repeat("E", 24) + `"`},
		{replace(`"`+x+`"`, `[`+strings.Repeat("1", 43)+`]`), keyformat.ErrJWK, `"x" is not a string`},
		{extended(whole, `"use":"enc"`), keyformat.ErrJWK, `"use" is "enc"`},
		{extended(whole, `"key_ops":"sign"`), keyformat.ErrJWK, `"key_ops" is not an array`},
		{extended(whole, `"key_ops":["sign",1]`), keyformat.ErrJWK, `"key_ops" is not an array of strings`},
		{extended(whole, `"key_ops":null`), keyformat.ErrJWK, `"key_ops" is not an array`},
		{extended(whole, `"key_ops":[]`), keyformat.ErrJWK, `does not have "sign"`},
		{extended(whole, `"key_ops":["verify"]`), keyformat.ErrJWK, `does not have "sign"`},
		{extended(whole, `"key_ops":["sign","deriveKey"]`), keyformat.ErrJWK, `"deriveKey"`},
		{extended(whole, `"key_ops":["sign","sign"]`), keyformat.ErrJWK, `"sign" twice`},
		{replace(dDigits, dDigits+"="), keyformat.ErrJWK, `"d" is not a string of 43 digits`},
		{replace(dDigits, dDigits[:42]), keyformat.ErrJWK, `"d" is not a string of 43 digits`},
		{replace(dDigits, "A"+dDigits), keyformat.ErrJWK, `"d" is not`},
		{replace(x, x[:42]+"/"), keyformat.ErrJWK, `"x" is not`},
		{replace(`"`+x+`"`, strings.Repeat("4", 45)), keyformat.ErrJWK, `"x" is not a string`},
		{replace(x, strings.Repeat("A", 43)), p256k1.ErrNotOnCurve, "public key"},
		{replace(x, strings.Repeat("_", 42)+"8"), p256k1.ErrRange, "public key"},
		{replace(dDigits, strings.Repeat("A", 43)), p256k1.ErrRange, "private key"},
		{replace(dDigits, strings.Repeat("_", 42)+"8"), p256k1.ErrRange, "private key"},
		{replace(dDigits, strings.Repeat("A", 42)+"E"), keyformat.ErrMismatch, "do not belong"},
	} {
		_, err := keyformat.ParsePrivateKeyJWK([]byte(c.jwk))
		libtest.CheckErrorText(t, err)
		if err == nil || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v, want %v: %s", c.jwk, err, c.kind, c.words)
			continue
		}
		checkKind(t, err, c.kind)
		checkJWK(t, []byte(c.jwk))
	}
	_, err := keyformat.ParsePublicKeyJWK([]byte(whole))
	checkKind(t, err, keyformat.ErrJWK)
	if !strings.Contains(err.Error(), "private key") {
		t.Errorf("a private key as a public one: %v", err)
	}
	for _, ops := range []string{`["sign"]`, `[]`} {
		_, err = keyformat.ParsePublicKeyJWK([]byte(extended(public, `"key_ops":`+ops)))
		checkKind(t, err, keyformat.ErrJWK)
	}
}

// TestOthersJWK reads a key that Node 20 and jwcrypto 1.6.1 exported, and compares the thumbprint with the thumbprint
// that jwcrypto computes:
//
//	node -e 'console.log(JSON.stringify(crypto.createPrivateKey(fs.readFileSync("key.pem")).export({format: "jwk"})))'
//	python3 -c 'from jwcrypto.jwk import JWK; k = JWK.from_pem(open("key.pem", "rb").read()); print(k.export(), k.thumbprint())'
func TestOthersJWK(t *testing.T) {
	const (
		x = `"x":"8q2dI9vxCUAMUsQvvfe3KnFtoH5GFQlKfFQXrItmjcc"`
		y = `"y":"mAaL4vMdMyqsizSZMPby_DGMR4XpLWkupjH_G7_Ckbo"`
		d = `"d":"MlohFDVLXgVhC4RAYXZdjTlX5MWiFtePToo3spNkVFs"`
	)
	for _, jwk := range []string{
		`{"kty":"EC",` + x + `,` + y + `,"crv":"secp256k1",` + d + `}`,
		`{"crv":"secp256k1",` + d + `,"kid":"X0votcCZfsK1UzNIqLLabOZVFHEv6o5KzLNerNB6-Sw","kty":"EC",` + x + `,` + y + `}`,
	} {
		k, err := keyformat.ParsePrivateKeyJWK([]byte(jwk))
		if err != nil || !k.Equal(key()) {
			t.Errorf("%s: %v", jwk, err)
		}
		pub, err := keyformat.ParsePublicKeyJWK([]byte(strings.Replace(jwk, d, `"n":1`, 1)))
		if err != nil || !pub.Equal(key().PublicKey()) {
			t.Errorf("%s: %v", jwk, err)
		}
	}
	if got, err := keyformat.Thumbprint(key().PublicKey()); err != nil || got != "X0votcCZfsK1UzNIqLLabOZVFHEv6o5KzLNerNB6-Sw" {
		t.Errorf("thumbprint %s (%v)", got, err)
	}
}

// TestManyOperations parses a long key_ops. An earlier version, whose time grew with the square of the length, would
// take half a minute.
func TestManyOperations(t *testing.T) {
	jwk := []byte(`{"kty":"EC","crv":"secp256k1","key_ops":[""`)
	for i := range 60000 {
		jwk = fmt.Appendf(jwk, `,"%d"`, i)
	}
	jwk = append(jwk, "]}"...)
	start := time.Now()
	if _, err := keyformat.ParsePublicKeyJWK(jwk); !errors.Is(err, keyformat.ErrJWK) {
		t.Errorf("error %v", err)
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("%d bytes were refused after %v", len(jwk), d)
	}
}
