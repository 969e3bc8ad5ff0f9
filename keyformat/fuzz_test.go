package keyformat_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/asn1"
	"encoding/base64"
	"errors"
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/keyformat"
)

// seeds calls add with valid and broken encodings of private keys.
func seeds(f *testing.F, pkcs8 bool) {
	add := func(b []byte) { f.Add(b) }
	for i, d := range secrets() {
		for _, encoding := range forms((d.BitLen() + 7) / 8) {
			if encoding.pkcs8 != pkcs8 || (i < 4 && encoding.width != 32 && encoding.width != 33) {
				continue
			}
			b := encoding.marshal(d)
			add(b)
			if i == 4 {
				add(b[:len(b)-1])
				add(append(bytes.Clone(b), 0))
			}
		}
	}
	d := secrets()[4]
	b := form{pkcs8, !pkcs8, 33, 32}.marshal(d)
	for i := range b { // lengths, types, names, versions, the secret and the public key
		m := bytes.Clone(b)
		m[i] ^= 1
		add(m)
	}
	for _, d := range []*big.Int{new(big.Int), oracle.N, new(big.Int).Add(oracle.N, big.NewInt(1))} {
		m := bytes.Replace(form{pkcs8, true, 0, 32}.marshal(big.NewInt(1)), append(make([]byte, 31), 1), d.FillBytes(make([]byte, 32)), 1)
		add(m)
	}
	if pkcs8 { // with further elements, such as the public key of RFC 5958
		for _, tag := range []int{0, 1} {
			add(marshal(struct {
				Version   int
				Algorithm asn1Algorithm
				Key       []byte
				More      asn1.RawValue
			}{0, asn1Algorithm{oidEC, oidCurve}, form{false, true, 33, 32}.marshal(d), asn1.RawValue{Class: asn1.ClassContextSpecific, Tag: tag, IsCompound: tag == 0}}))
		}
	}
	// Seeds also have lengths in forms that DER does not allow, and no bytes.
	add(append([]byte{0x30, 0x81}, b[1:]...))
	add(append([]byte{0x30, 0x82, 0}, b[1:]...))
	add([]byte{0x30, 0x80})
	add(nil)
	for _, width := range []int{31, 33} { // encodings without the public key
		add(form{pkcs8, true, 0, width}.marshal(big.NewInt(5)))
	}
}

func FuzzParsePKCS8PrivateKey(f *testing.F) {
	seeds(f, true)
	f.Fuzz(func(t *testing.T, b []byte) {
		checkPKCS8(t, b)
		if d := referencePKCS8(b); d != nil {
			checkWritten(t, d)
		}
	})
}

func FuzzParseECPrivateKey(f *testing.F) {
	seeds(f, false)
	f.Fuzz(func(t *testing.T, b []byte) {
		checkEC(t, b)
		if d := referenceEC(b, true); d != nil {
			checkWritten(t, d)
		}
	})
}

// checkWritten compares the written forms of a key with the output of the second implementation.
func checkWritten(t *testing.T, d *big.Int) {
	k := libtest.Private(t, d)
	pkcs8 := form{true, false, 65, 32}.marshal(d)
	for _, c := range []struct {
		write func(*p256k1.PrivateKey) ([]byte, error)
		want  []byte
	}{
		{keyformat.MarshalPKCS8PrivateKey, pkcs8},
		{keyformat.MarshalECPrivateKey, form{false, true, 65, 32}.marshal(d)},
		{keyformat.MarshalPrivateKeyPEM, marshalPEM("PRIVATE KEY", pkcs8)},
		{keyformat.MarshalPrivateKeyJWK, jwkOf(d, true)},
	} {
		if got, err := c.write(k); err != nil || !bytes.Equal(got, c.want) {
			t.Fatalf("%q, %v, want %q", got, err, c.want)
		}
	}
}

func FuzzParsePKIXPublicKey(f *testing.F) {
	encode := func(point []byte) []byte {
		return marshal(asn1PKIX{asn1Algorithm{oidEC, oidCurve}, bits(point)})
	}
	for _, p := range oracle.EdgePoints()[:10] {
		f.Add(encode(p.Compressed()))
		f.Add(encode(p.Uncompressed()))
	}
	for _, b := range oracle.BadEncodings() {
		f.Add(encode(b))
	}
	b := encode(oracle.G.Compressed())
	f.Add(append(b, 0))
	for i := range b {
		m := bytes.Clone(b)
		m[i] ^= 1
		f.Add(m)
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkPKIX(t, b) })
}

func FuzzParsePEM(f *testing.F) {
	d := secrets()[4]
	pkcs8, ec := marshalPEM("PRIVATE KEY", form{true, false, 65, 32}.marshal(d)), marshalPEM("EC PRIVATE KEY", form{false, true, 33, 32}.marshal(d))
	pkix := marshalPEM("PUBLIC KEY", marshal(asn1PKIX{asn1Algorithm{oidEC, oidCurve}, bits(oracle.G.Compressed())}))
	for _, b := range [][]byte{pkcs8, ec, pkix, []byte(opensslKey), bytes.TrimSpace(pkcs8), append([]byte("text\n\n"), pkix...), append(pkix, "\r\n\n"...)} {
		f.Add(b)
		f.Add(append(bytes.Clone(b), b...))
		f.Add(append(bytes.Clone(b), 'x'))
		f.Add(bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")))
		f.Add(bytes.ReplaceAll(b, []byte("PRIVATE"), []byte("ENCRYPTED PRIVATE")))
		f.Add(bytes.Replace(b, []byte("END "), []byte("END A"), 1))
		f.Add(bytes.Replace(b, []byte("BEGIN PRIVATE"), []byte("BEGIN EC PRIVATE"), 1))
		f.Add(bytes.ReplaceAll(b, []byte("="), nil))
		f.Add(bytes.Replace(b, []byte("KEY-----\n"), []byte("KEY-----\n\n"), 1))
	}
	for _, b := range [][]byte{ec, pkix} { // set bits of the last digit that belong to no byte
		m := bytes.Clone(b)
		i := bytes.IndexByte(m, '=')
		if i < 0 {
			f.Fatal("no padding")
		}
		m[i-1]++
		f.Add(m)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if bytes.Contains(b, []byte("EC PARAMETERS")) && !bytes.Contains(b, []byte("EC PARAMETERS-----\nBgUrgQQACg==\n-----END EC PARAMETERS")) {
			// The second implementation accepts only one form of the parameters, so other forms are parsed without a
			// comparison.
			keyformat.ParsePrivateKeyPEM(b)
			return
		}
		checkPEM(t, b)
		if pub, err := keyformat.ParsePublicKeyPEM(b); err == nil {
			der, err := keyformat.MarshalPKIXPublicKey(pub)
			text, err2 := keyformat.MarshalPublicKeyPEM(pub)
			if err != nil || err2 != nil || !bytes.Equal(text, marshalPEM("PUBLIC KEY", der)) {
				t.Fatalf("%q, %v, %v", text, err, err2)
			}
		}
	})
}

func FuzzParseJWK(f *testing.F) {
	d := secrets()[4]
	for _, private := range []bool{true, false} {
		b := jwkOf(d, private)
		f.Add(b)
		f.Add(b[:len(b)-1])
		f.Add(append(bytes.Clone(b), b...))
		for _, more := range []string{
			`"kid":"1"`, `"alg":"ES256K","use":"sig"`, `"alg":"ES256"`, `"use":"enc"`, `"alg":null`, `"kty":"EC"`, `"\u0064":"2"`, `"n":[{"d":"]}\""}, 1e5 ]`,
			`"key_ops":["sign","verify"]`, `"key_ops":["sign"]`, `"key_ops":["verify"]`, `"key_ops":[]`, `"key_ops":["sign","sign","verify"]`,
			`"key_ops":["verify","deriveKey"]`, `"key_ops":"sign"`, `"n" : true , "m":{}`, `"":null`, "\"\xff\":1", `"D":1,"KTY":"RSA"`,
		} {
			f.Add([]byte(string(b[:len(b)-1]) + "," + more + "}"))
		}
		for _, c := range []struct{ old, new string }{
			{`"secp256k1"`, `"P-256K"`}, {`"EC"`, `"OKP"`}, {`"EC"`, `1`}, {`"x":"`, `"x":"A`}, {`"}`, `="}`}, {`"y"`, `"Y"`}, {`"}`, `"},`}, {`_`, `/`}, {`-`, `+`},
		} {
			f.Add(bytes.Replace(b, []byte(c.old), []byte(c.new), 1))
		}
		for i := range 43 {
			m := bytes.Clone(b)
			m[len(m)-3-i]++
			f.Add(m)
		}
		f.Add([]byte("[" + string(b) + "]"))
	}
	f.Add([]byte(nil))
	f.Add([]byte(`"`))
	f.Fuzz(func(t *testing.T, b []byte) {
		checkJWK(t, b)
		pub, err := keyformat.ParsePublicKeyJWK(b)
		if err != nil {
			return
		}
		jwk, err := keyformat.MarshalPublicKeyJWK(pub)
		if again, err2 := keyformat.ParsePublicKeyJWK(jwk); err != nil || err2 != nil || !again.Equal(pub) {
			t.Fatalf("%s: %v, %v", jwk, err, err2)
		}
		sum := sha256.Sum256(jwk)
		if name, err := keyformat.Thumbprint(pub); err != nil || name != base64.RawURLEncoding.EncodeToString(sum[:]) {
			t.Fatalf("%s: %s, %v", jwk, name, err)
		}
	})
}

func FuzzES256K(f *testing.F) {
	d := secrets()[4]
	k := libtest.Private(f, d)
	own := ecdsa.NewSigner(k, nil)
	for _, input := range []string{"", "a.b", "eyJhbGciOiJFUzI1NksifQ.e30"} {
		sig, err := keyformat.SignES256K(own, []byte(input))
		if err != nil {
			f.Fatal(err)
		}
		high := oracle.ParseCompact([64]byte(sig)).Negate().Compact()
		for _, b := range [][]byte{sig, high[:], sig[:63], append(bytes.Clone(sig), 0), make([]byte, 64), bytes.Repeat([]byte{255}, 64)} {
			f.Add([]byte(input), b)
			f.Add([]byte(input+"x"), b)
		}
	}
	f.Fuzz(func(t *testing.T, input, sig []byte) {
		digest := sha256.Sum256(input)
		parsed, err := ecdsa.ParseCompact(sig)
		want := err == nil && ecdsa.Verify(k.PublicKey(), digest[:], parsed)
		if got := keyformat.VerifyES256K(k.PublicKey(), input, sig); got != want {
			t.Fatalf("%x of %x: %v, want %v", sig, input, got, want)
		}
		made, err := keyformat.SignES256K(own, input)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err = ecdsa.ParseCompact(made)
		if err != nil || !ecdsa.VerifyLowS(k.PublicKey(), digest[:], parsed) {
			t.Fatalf("%x: %x, %v", input, made, err)
		}
		if _, err := keyformat.SignES256K(none{}, input); !errors.Is(err, keyformat.ErrSigner) {
			t.Fatal(err)
		}
	})
}
